"""What a line of a run has to obey beyond the types of its keys, so that whoever reads it can rely on it.

Every command reads run files and stores through these checks, and some read a hundred thousand lines at a time: what
is right is passed quickly, and only where something is wrong is it looked for by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from toolgauge.core import MEASURES, Issue, Pair, RunHeader, Score, SeenTrials, ToolCounts, Trajectory
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, shorten

__all__ = ["LineChecks"]

IDENTITY = ("case", "agent", "trial", "state")
"""What a score repeats of its trajectory."""

NOTHING_MEASURED = (None,) * len(MEASURES)

PARTS = ("failed_calls", "redundant_calls", "unknown_tools", "schema_errors", "ungrounded")
"""Counts of some of the calls, which cannot be more than all of them."""


class LineChecks:
    """Checks the lines of one run, one after the other."""

    def __init__(self, header: RunHeader) -> None:
        self._plans = {case.id: case.expect.plan_sizes for case in header.suite.cases}
        """By case the number of expected calls in each plan."""
        self._scorers = header.scorers
        self._seen = SeenTrials()

    def check(self, trajectory: Trajectory, score: Score) -> None:
        """Refuse a row of a store that is not as it should be.

        Raises:
            msgspec.ValidationError: It is not.
        """
        if faults := self.faults(trajectory, score):
            raise msgspec.ValidationError(faults[0].what)

    def faults(self, trajectory: Trajectory, score: Score) -> list[Fault]:
        """Everything wrong with a line whose types are right."""
        case, agent, trial = trajectory.case, trajectory.agent, trajectory.trial
        plans = self._plans.get(case)
        if plans is None:
            hint = did_you_mean(case, list(self._plans))
            return [Fault(("case",), f"the suite of this run has no case {shorten(case)}", hint)]
        found: list[Fault] = []
        if score.case != case or score.agent != agent or score.trial != trial or score.state != trajectory.state:
            found += _foreign_score(trajectory, score)
        if not self._seen.add(agent, case, trial):
            what = f"agent {shorten(agent)}, case {shorten(case)}, trial {trial} already exists"
            found.append(Fault((), what, "a run contains each trial once"))
        measures = (score.score, score.call_precision, score.call_recall, score.param_accuracy, score.content)
        if None in measures and measures != NOTHING_MEASURED:
            found += _missing_measures(score)
        calls, counts = len(trajectory.calls), score.counts
        counted = counts.calls
        if counted != calls and counted:
            found.append(Fault(("score", "counts"), f"{counted} calls are counted, and there are {calls}"))
        for part in (
            counts.failed_calls,
            counts.redundant_calls,
            counts.unknown_tools,
            counts.schema_errors,
            counts.ungrounded,
        ):
            if part and part > counted:
                found += _parts_beyond(counts)
                break
        if score.by_scorer and not score.outcomes.keys() <= self._scorers.keys():
            found += _foreign_outcomes(score, self._scorers)
        if score.plan >= len(plans):
            found.append(Fault(("score", "plan"), f"the case has no plan {score.plan}"))
            return found
        expected = plans[score.plan]
        for pair in score.alignment:
            if pair.expected >= expected or pair.call >= calls:
                found += _positions_beyond("alignment", score.alignment, expected, calls)
                break
        for issue in score.issues:
            position, call = issue.expected, issue.call
            if (position is not None and position >= expected) or (call is not None and call >= calls):
                found += _positions_beyond("issues", score.issues, expected, calls)
                break
        return found


def _foreign_score(trajectory: Trajectory, score: Score) -> Iterator[Fault]:
    for key in IDENTITY:
        if getattr(score, key) != getattr(trajectory, key):
            yield Fault(("score", key), f"this is not the {key} of the trajectory")


def _missing_measures(score: Score) -> Iterator[Fault]:
    for name in MEASURES:
        if getattr(score, name) is None:
            yield Fault(("score",), f"{name!r} is missing, but other measures are there")


def _foreign_outcomes(score: Score, scorers: Mapping[str, int]) -> Iterator[Fault]:
    for name in score.outcomes:
        if name not in scorers:
            hint = did_you_mean(name, list(scorers))
            yield Fault(("score", "outcomes", name), f"the header names no scorer {shorten(name)}", hint)


def _parts_beyond(counts: ToolCounts) -> Iterator[Fault]:
    for name in PARTS:
        value = getattr(counts, name)
        if value and value > counts.calls:
            yield Fault(("score", "counts"), f"{name!r} is {value}, of {counts.calls} calls")


def _positions_beyond(key: str, evidence: Sequence[Pair | Issue], expected: int, calls: int) -> Iterator[Fault]:
    for index, one in enumerate(evidence):
        for name, what, position, number in (
            ("expected", "expected call", one.expected, expected),
            ("call", "call", one.call, calls),
        ):
            if position is not None and position >= number:
                said = f"there is no {what} {position}: there are {number}, counted from 0"
                yield Fault(("score", key, index, name), said)
