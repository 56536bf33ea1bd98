"""What a line of a run file has to obey beyond the types of its keys, so that whoever reads it can rely on it."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Issue, Pair, Score, Suite, ToolCounts, Trajectory
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, shorten

__all__ = ["LineChecks"]

SLACK = 1e-9
"""How far beyond 1 rounding may carry a share."""

LARGEST_IN_MASK = 1024
"""Trials up to this number are bits of one number; a wild one beyond is kept by itself."""

MEASURES = ("score", "call_precision", "call_recall", "param_accuracy", "content")

PARTS = ("failed_calls", "redundant_calls", "unknown_tools", "schema_errors", "ungrounded")
"""Counts of some of the calls, which cannot be more than all of them."""


class LineChecks:
    """Checks the lines of one run file, one after the other."""

    def __init__(self, suite: Suite) -> None:
        self._plans = {case.id: [len(plan.calls) for plan in case.expect.plans] or [0] for case in suite.cases}
        """By case the number of expected calls in each plan."""
        self._trials: dict[str, dict[str, int]] = {}
        """By agent and case the trials that were there, as bits."""
        self._wild_trials: set[tuple[str, str, int]] = set()

    def faults(self, trajectory: Trajectory, score: Score) -> Iterator[Fault]:
        """Everything wrong with a line whose types are right."""
        plans = self._plans.get(trajectory.case)
        if plans is None:
            hint = did_you_mean(trajectory.case, list(self._plans))
            yield Fault(("case",), f"the suite of this run has no case {shorten(trajectory.case)}", hint)
            return
        for key in ("case", "agent", "trial", "state"):
            if getattr(score, key) != getattr(trajectory, key):
                yield Fault(("score", key), f"this is not the {key} of the trajectory")
        if self._seen(trajectory):
            name = f"{shorten(trajectory.agent)}, case {shorten(trajectory.case)}, trial {trajectory.trial}"
            yield Fault((), f"agent {name} is there already", "a trial is in a run once")
        for name in MEASURES:
            value = getattr(score, name)
            if value is not None and not 0 <= value <= 1 + SLACK:
                yield Fault(("score", name), f"expected a number from 0 to 1, found {value!r}")
        yield from _count_faults(score.counts, len(trajectory.calls))
        if not 0 <= score.plan < len(plans):
            yield Fault(("score", "plan"), f"the case has no plan {score.plan}")
            return
        for index, pair in enumerate(score.alignment):
            yield from _pair_faults(pair, plans[score.plan], len(trajectory.calls), index)
        for index, issue in enumerate(score.issues):
            yield from _index_faults(issue, plans[score.plan], len(trajectory.calls), ("score", "issues", index))

    def _seen(self, trajectory: Trajectory) -> bool:
        """Whether this trial was there before; takes it down."""
        agent, case, trial = trajectory.agent, trajectory.case, trajectory.trial
        if not 0 <= trial <= LARGEST_IN_MASK:
            known = (agent, case, trial) in self._wild_trials
            self._wild_trials.add((agent, case, trial))
            return known
        trials = self._trials.setdefault(agent, {})
        taken = trials.get(case, 0)
        trials[case] = taken | 1 << trial
        return bool(taken >> trial & 1)


def _count_faults(counts: ToolCounts, calls: int) -> Iterator[Fault]:
    if counts.calls not in (0, calls):
        yield Fault(("score", "counts"), f"{counts.calls} calls are counted, and there are {calls}")
    for name in ("true_positive", "false_positive", "false_negative"):
        if getattr(counts, name) < 0:
            yield Fault(("score", "counts"), f"{name!r} is less than 0")
    for name in PARTS:
        value = getattr(counts, name)
        if value is not None and not 0 <= value <= counts.calls:
            yield Fault(("score", "counts"), f"{name!r} is {value}, of {counts.calls} calls")


def _pair_faults(pair: Pair, expected: int, calls: int, index: int) -> Iterator[Fault]:
    path = ("score", "alignment", index)
    yield from _index_faults(pair, expected, calls, path)
    if not 0 <= pair.params <= 1 + SLACK:
        yield Fault((*path, "params"), f"expected a number from 0 to 1, found {pair.params!r}")


def _index_faults(holder: Pair | Issue, expected: int, calls: int, path: tuple[str | int, ...]) -> Iterator[Fault]:
    for name, position, number in (("expected", holder.expected, expected), ("call", holder.call, calls)):
        if position is not None and not 0 <= position < number:
            what = "expected call" if name == "expected" else "call"
            yield Fault((*path, name), f"there is no {what} {position}: there are {number}, counted from 0")
