"""Compares agents: opens runs, makes sure that they can be paired, and hands their sums to the statistics."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from pathlib import Path

from msgspec.structs import replace

from toolgauge.core import (
    Comparison,
    Contender,
    Mismatch,
    Pairing,
    PathLike,
    ReviewedRun,
    Reviews,
    Run,
    RunHeader,
    Score,
    Scored,
    Trajectory,
    gc_paused,
    nfc,
)
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.metrics import (
    CaseSums,
    Metric,
    chosen_label,
    compared_metrics,
    find_metric,
    metrics_with,
    needed_sums,
    parts_of,
    sum_by_agent,
)
from toolgauge.store import Suites, find_run
from toolgauge.store.comparable import mismatches, run_differences, said

from .contrasts import NEEDED, Comparer, reliability

__all__ = ["compare"]

_ENDINGS = (".run.jsonl", ".jsonl", ".json")


def compare(
    *runs: Run | PathLike,
    by: str | None = None,
    agents: Sequence[str] = (),
    against: str | None = None,
    metrics: Sequence[str] = (),
    force: bool = False,
    resamples: int = 0,
    store: PathLike | None = None,
    with_reviews: bool = False,
) -> Comparison:
    """Compare the agents of one run, or of several runs of the same suite, paired by case.

    Args:
        runs: Runs, run files, or references to runs of the store.
        by: The label to break the comparison down by; default `difficulty`, if the suite has it.
        agents: The agents to compare; default: all.
        against: The contender that all others are compared with; default: every pair.
        metrics: What to compare, the first of which decides; default: pass rate, accuracy, answer, F1, score, latency,
            and what scorers of other packages measured.
        force: Compare runs even if they differ in suite, tools or scoring, on the cases that they share.
        resamples: How often to resample cases for the intervals; 0: intervals in closed form.
        store: Where runs are kept; default: `.toolgauge/runs.db`.
        with_reviews: Let reviews decide whether a trajectory passed, if it has some; a case whose expectations are
            wrong according to a review of any of the runs is left out of all.

    Raises:
        UsageError: The runs cannot be paired, or there is no such agent or metric.
        NothingToDo: There are not two contenders, or they share no case.
    """
    with gc_paused():
        opened = _opened(runs, store)
        if with_reviews:
            opened = _reviewed(opened)
        chosen = _chosen_metrics(metrics, metrics_with(name for run in opened for name in run.header.scorers))
        found = _compare(opened, by, agents, against, chosen, force, resamples)
    if metrics:
        return found
    return replace(found, pairings=tuple(_telling(pairing, found.metric) for pairing in found.pairings))


def _compare(
    opened: Sequence[_Opened],
    by: str | None,
    agents: Sequence[str],
    against: str | None,
    metrics: Sequence[Metric],
    force: bool,
    resamples: int,
) -> Comparison:
    """The comparison with all metrics. What was read for it is let go of when it is done."""
    mismatches = _mismatches(opened, force)
    sums = _sums(opened, agents, metrics)
    first = opened[0].header.suite
    shared = set.intersection(*(set(one.cases) for _, one in sums))
    cases = [case for case in first.cases if case.id in shared]
    if not cases:
        raise NothingToDo("the agents share no case that could be compared")
    label = chosen_label(first, by)
    contenders = _contenders(sums, len(opened))
    named = {contender.name: one for contender, (_, one) in zip(contenders, sums, strict=True)}
    labels = [case.labels.get(label, "") if label else "" for case in cases]
    comparer = Comparer(named, [case.id for case in cases], label, labels, metrics, resamples)
    suites = {run.name: [case.id for case in run.header.suite.cases] for run in opened}
    steady = [reliability(one.name, named[one.name], suites[one.run]) for one in contenders]
    return Comparison(
        suite=first.name,
        cases=len(cases),
        left_out=len(first.cases) - len(cases),
        by=label,
        metric=metrics[0].name,
        contenders=contenders,
        pairings=comparer.pairings(_against(against, contenders)),
        reliability=tuple(one for one in steady if one is not None),
        mismatches=tuple(mismatches),
        resamples=resamples,
    )


def _chosen_metrics(names: Sequence[str], metrics: Sequence[Metric]) -> list[Metric]:
    if not names:
        return compared_metrics(metrics)
    found = []
    for name in dict.fromkeys(names):
        metric = find_metric(name, metrics)
        if metric is None:
            hint = did_you_mean(name, [known.name for known in metrics])
            raise UsageError(f"there is no metric {name!r}; {hint or 'they are listed in docs/metrics.md'}")
        found.append(metric)
    return found


def _telling(pairing: Pairing, deciding: str) -> Pairing:
    """The pairing without metrics that nobody has figures of; what was not asked for is not missed."""
    known = {one.metric for one in pairing.contrasts if one.n} | {deciding}
    kept = tuple(one for one in pairing.contrasts if one.metric in known)
    return Pairing(pairing.first, pairing.second, pairing.verdict, kept)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A run whose trajectories are still to be read."""

    name: str
    header: RunHeader
    scored: Iterable[tuple[Trajectory, Score]]
    reviews: Callable[[], Reviews]
    """Reads what people said of it."""


def _reviewed(opened: Sequence[_Opened]) -> list[_Opened]:
    """The runs as their reviews have them, all without the cases that any of them leaves out."""
    found = [(run, run.reviews()) for run in opened]
    left_out = frozenset[str]().union(*(reviews.left_out for _, reviews in found))
    return [_with_reviews(run, reviews, left_out) for run, reviews in found]


def _with_reviews(run: _Opened, reviews: Reviews, left_out: frozenset[str]) -> _Opened:
    seen = ReviewedRun.of(run.header, starmap(Scored, run.scored), reviews, left_out)
    return _Opened(run.name, seen.header, ((one.trajectory, one.score) for one in seen), run.reviews)


def _opened(runs: Sequence[Run | PathLike], store: PathLike | None) -> list[_Opened]:
    if not runs:
        raise UsageError("there is no run to compare; name one or more")
    paths = [os.path.realpath(run) for run in runs if not isinstance(run, Run)]
    for path, number in Counter(paths).items():
        if number > 1:
            raise UsageError(f"{os.path.basename(path)} is given twice; a run cannot be compared with itself")
    names = _run_names(runs)
    suites = Suites()
    found = []
    for name, run in zip(names, runs, strict=True):
        if isinstance(run, Run):
            scored = ((one.trajectory, one.score) for one in run.scored)
            found.append(_Opened(name, run.header, scored, partial(_own_reviews, run)))
        else:
            kept = find_run(run, store, suites)
            found.append(_Opened(name, kept.header, kept.pairs(), kept.reviews))
    return found


def _own_reviews(run: Run) -> Reviews:
    return run.reviews


def _run_names(runs: Sequence[Run | PathLike]) -> list[str]:
    """What runs are called: as they were asked for, files without folder and ending where that is enough."""
    long = [_about(run, number) if isinstance(run, Run) else os.fspath(run) for number, run in enumerate(runs, 1)]
    short = [name if isinstance(run, Run) else _stem(name) for name, run in zip(long, runs, strict=True)]
    return [brief if short.count(brief) == 1 else whole for brief, whole in zip(short, long, strict=True)]


def _about(run: Run, number: int) -> str:
    known = [value for key in ("name", "id") if (value := run.header.about.get(key))]
    return str(known[0]) if known else f"run {number}"


def _stem(path: str) -> str:
    name = nfc(Path(path).name)
    return next((name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)), name)


def _sums(
    opened: Sequence[_Opened], agents: Sequence[str], metrics: Sequence[Metric]
) -> list[tuple[tuple[str, str], CaseSums]]:
    """By run and agent what was done, the runs in their order."""
    wanted = set(map(nfc, agents))
    names = needed_sums(metrics).union(NEEDED)
    found: dict[tuple[str, str], CaseSums] = {}
    seen: dict[str, None] = {}
    for run in opened:
        added = sum_by_agent(run.scored, parts_of(metrics), names, wanted)
        # In the order in which they were named, whoever was finished first.
        listed = [agent for agent in run.header.agents if agent in added]
        for agent in dict.fromkeys((*listed, *added)):
            sums = added[agent]
            seen.setdefault(agent)
            if not wanted or agent in wanted:
                found[run.name, agent] = sums
    for agent in agents:
        if nfc(agent) not in seen:
            raise UsageError(f"there is no agent {agent!r}; {did_you_mean(agent, list(seen))}")
    if len(found) < 2:
        only = next(iter(found), ("", ""))[1]
        what = f"there is one agent only, {only!r}" if found else "there are no agents"
        raise NothingToDo(f"{what}; a comparison needs two, in one run or in several")
    return list(found.items())


def _contenders(sums: Sequence[tuple[tuple[str, str], CaseSums]], runs: int) -> tuple[Contender, ...]:
    agents = Counter(agent for (_, agent), _ in sums)
    return tuple(
        Contender(
            agent if runs == 1 or agents[agent] == 1 else f"{agent} ({run})",
            agent,
            run,
            int(max(one.at(one.cases).column(("planned",)), default=0)),
            *(int(one.at(one.cases).total(name)) for name in ("planned", "measured")),
        )
        for (run, agent), one in sums
    )


def _against(name: str | None, contenders: Sequence[Contender]) -> str | None:
    """The contender of a name, or the only one of an agent or run of that name."""
    if name is None:
        return None
    found = [one.name for one in contenders if one.name == nfc(name)]
    found = found or [one.name for one in contenders if nfc(name) in (one.agent, one.run)]
    if len(found) != 1:
        hint = did_you_mean(name, found or [one.name for one in contenders])
        meant = f"{name!r} matches several contenders" if found else f"{name!r} matches no contender"
        raise UsageError(f"{meant}; {hint}")
    return found[0]


def _mismatches(opened: Sequence[_Opened], force: bool) -> list[Mismatch]:
    """How each run differs from the first.

    Raises:
        UsageError: Some do, and nobody said that it does not matter.
    """
    found = []
    for other in opened[1:]:
        differing = mismatches(run_differences(opened[0].header, other.header), opened[0].name, other.name)
        if differing and not force:
            listed = [said(one) for one in differing]
            lines = [f"{opened[0].name} and {other.name} cannot be paired:", *(f"  {text}" for text in listed[:2])]
            if len(listed) > 2:
                lines.append(f"  {'; '.join(listed[2:])}")
            hint = "Compare runs of the same suite, or add --force to pair the cases that they share."
            raise UsageError("\n".join([*lines, hint]))
        found.extend(differing)
    return found
