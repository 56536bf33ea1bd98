"""The findings that a report begins with: by the statistics of `compare`, and the patterns of `diagnose`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolgauge.core import Headline, Pairing, Run
from toolgauge.metrics import METRICS, CaseSums, needed_sums, parts_of, sum_by_agent

__all__ = ["MAX_AGENTS", "MAX_TRAJECTORIES", "headline"]

MAX_AGENTS = 12
"""More agents than this are compared by `compare` only: the pairs are too many for a sentence."""

MAX_TRAJECTORIES = 20_000
"""In larger runs `diagnose` looks for what goes wrong, for it takes longer than adding up."""

_DECIDES = "pass_rate"


def headline(run: Run, sums: Mapping[str, CaseSums] | None = None) -> Headline:
    """Find what a report of a run begins with.

    Args:
        run: The run. Where it holds only some of its trajectories, what fails most is not known.
        sums: By agent what was added up; default: it is added up again from the trajectories.
    """
    agents = list(dict.fromkeys(row.agent for row in run.summary.rows))
    counts = run.summary.counts
    pairings: tuple[Pairing, ...] = ()
    if 1 < len(agents) <= MAX_AGENTS and (sums is not None or counts.planned <= MAX_TRAJECTORIES):
        found = _sums(run) if sums is None else sums
        cases = [case.id for case in run.header.suite.cases]
        pairings = _pairings({agent: found[agent] for agent in agents if agent in found}, cases)
    if counts.planned > MAX_TRAJECTORIES:
        return Headline(pairings)
    from .diagnose.diagnose import leading_pattern

    pattern, examined = leading_pattern(run)
    return Headline(pairings, pattern, examined)


def _sums(run: Run) -> Mapping[str, CaseSums]:
    from .contrasts import NEEDED

    metrics = [metric for metric in METRICS if metric.name == _DECIDES]
    read = ((one.trajectory, one.score) for one in run.scored)
    return sum_by_agent(read, parts_of(metrics), needed_sums(metrics).union(NEEDED))


def _pairings(sums: Mapping[str, CaseSums], cases: Sequence[str]) -> tuple[Pairing, ...]:
    """Every two agents on the cases that all of them share."""
    metrics = [metric for metric in METRICS if metric.name == _DECIDES]
    shared = [case for case in cases if all(case in one.cases for one in sums.values())]
    if len(sums) < 2 or not shared:
        return ()
    from toolgauge.stats.arrays import frugal_statistics  # what a run of one agent does without

    from .contrasts import Comparer

    with frugal_statistics():
        return Comparer(sums, shared, None, [""] * len(shared), metrics).pairings()
