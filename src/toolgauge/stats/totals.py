"""What is added up of an agent: sums for each case, counts for each tool, and how amounts are spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from toolgauge.compiled import AVAILABLE, Adder, PlainSums
from toolgauge.core import Issue, Score, Trajectory, Usage

from .course import COURSE, course
from .metrics import SUMS, Sums
from .spread import AT_ONCE, Spread
from .summing import UNIT

__all__ = ["ADDER", "SPREADS", "AgentTotals", "Packed", "Totals"]

SPREADS = ("latency", "calls", "tokens", "cost", "requests", *COURSE)
"""Metrics that percentiles are given of."""


COUNTERS = ("called", "right", "missed", "superfluous", "failed", "confused")
"""What is counted by tool, or by two of them."""


class Place(NamedTuple):
    """Where the trajectories of one agent on one case are added up."""

    sums: Sums
    calls: Spread
    latency: Spread
    spreads: dict[str, Spread]
    """All spreads of the group that the case belongs to."""
    settled: bool
    """Whether it is clear how many calls of which tool there are to be."""


class Packed(NamedTuple):
    """Totals of one agent as they are sent to another process: a few long lists instead of many small objects."""

    cases: list[str]
    sums: dict[str, list[int]]
    """By name the sums of all cases; those that are 0 everywhere are left out."""
    spreads: dict[str, dict[str, Spread]]
    counters: dict[str, Counter[Any]]
    unscored_answers: int


class AgentTotals:
    """What is added up of one agent."""

    __slots__ = (
        "called",
        "confused",
        "failed",
        "missed",
        "places",
        "plain",
        "right",
        "spreads",
        "sums",
        "superfluous",
        "unscored_answers",
    )

    def __init__(self) -> None:
        self.sums: dict[str, Sums] = {}
        self.places: dict[str, Place] = {}
        self.plain: dict[str, PlainSums] = {}
        """Where the compiled part adds plain scores of cases that are settled."""
        self.spreads: dict[str, dict[str, Spread]] = {}
        self.called: Counter[str] = Counter()
        """Calls of cases that are not settled, less what was superfluous and what was missed of them."""
        self.right: Counter[str] = Counter()
        """The same of calls that are right, less what was missed."""
        self.missed: Counter[str] = Counter()
        self.superfluous: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.confused: Counter[tuple[str, str]] = Counter()
        self.unscored_answers = 0

    def make_place(self, case: str, group: str, *, settled: bool) -> Place:
        """Make room for the trajectories of a case, which belongs to a group."""
        sums = self.sums.setdefault(case, Sums())
        spreads = self.spreads.get(group)
        if spreads is None:
            spreads = self.spreads[group] = {metric: Spread() for metric in SPREADS}
        place = self.places[case] = Place(sums, spreads["calls"], spreads["latency"], spreads, settled)
        if settled and ADDER is not None:
            self.plain[case] = ADDER.place(sums, place.calls, place.latency)
        return place

    def settle(self) -> None:
        """Make the sums ready to be read, or to be sent to another process."""
        for plain in self.plain.values():
            plain.put_back()
        for sums in self.sums.values():
            sums.settle()
        self.plain.clear()
        self.places.clear()

    def add(self, place: Place, trajectory: Trajectory, score: Score) -> None:
        """Add one trajectory with its score, at the place of its case."""
        sums, calls, latency, spreads, settled = place
        if (plain := self.plain.get(score.case)) is not None:
            plain.put_back()
        sums.add(trajectory, score)
        if score.score is None:
            return
        calls.add(score.counts.calls)
        if trajectory.latency_ms is not None:
            latency.add(trajectory.latency_ms)
        if trajectory.usage is not None:
            _add_usage(spreads, trajectory.usage)
        for name, amount in course(trajectory.events) if trajectory.events else ():
            spreads[name].add(amount)
        if score.answer is not None and score.answer.verdict == "ambiguous":
            self.unscored_answers += 1
        if not settled:
            self.add_calls(trajectory, score)
        if score.counts.failed_calls:
            self.failed.update([call.tool for call in trajectory.calls if call.error is not None])
        if score.issues:
            self.add_issues(score.issues)

    def packed(self) -> Packed:
        """Everything, for the same agent in another process."""
        self.settle()
        columns = {name: list(map(attrgetter(name), self.sums.values())) for name in SUMS}
        return Packed(
            list(self.sums),
            {name: column for name, column in columns.items() if any(column)},
            self.spreads,
            {name: getattr(self, name) for name in COUNTERS},
            self.unscored_answers,
        )

    def merge(self, other: Packed) -> None:
        """Add what was added up of the same agent elsewhere."""
        self.settle()
        sums = [self.sums.setdefault(case, Sums()) for case in other.cases]
        for name, column in other.sums.items():
            for one, amount in zip(sums, column, strict=True):
                if amount:
                    setattr(one, name, getattr(one, name) + amount)
        for group, spreads in other.spreads.items():
            known = self.spreads.setdefault(group, {})
            for metric, spread in spreads.items():
                known[metric] = Spread.merged([known[metric], spread]) if metric in known else spread
        for name, counter in other.counters.items():
            getattr(self, name).update(counter)
        self.unscored_answers += other.unscored_answers

    def add_calls(self, trajectory: Trajectory, score: Score) -> None:
        """Count the calls of a case that is not settled."""
        calls = trajectory.calls
        self.called.update([call.tool for call in calls])
        self.right.update([calls[pair.call].tool for pair in score.alignment])
        # What is superfluous and what is missed makes a difference to what a settled case expects, and none here.
        for issue in score.issues:
            if issue.tool is None:
                continue
            if issue.kind == "unexpected_call" or issue.kind == "duplicate_call":
                self.called[issue.tool] -= 1
            elif issue.kind == "missing_call":
                self.called[issue.tool] += 1
                self.right[issue.tool] += 1

    def add_issues(self, issues: Sequence[Issue]) -> None:
        """Count what was missed and what nobody asked for, tool by tool."""
        missed: list[str] = []
        uncalled_for: list[str] = []
        for issue in issues:
            kind, tool = issue.kind, issue.tool
            if tool is None:
                continue
            if kind == "unexpected_call":
                self.superfluous[tool] += 1
                uncalled_for.append(tool)
            elif kind == "missing_call":
                self.missed[tool] += 1
                missed.append(tool)
            elif kind == "duplicate_call":
                self.superfluous[tool] += 1
        # What was missed and what was called instead are paired in their order: the first with the first.
        if missed and uncalled_for:
            for pair in zip(missed, uncalled_for, strict=False):
                self.confused[pair] += 1

    def counted(self, expected: Mapping[str, Sequence[tuple[str, int]]]) -> tuple[Counter[str], Counter[str]]:
        """How many calls of each tool were made, and how many of them were right.

        Of a settled case, which has exactly one way to be right, those are what it expects, as often as it was run,
        less what was missed; with what came on top they are all that were made.

        Args:
            expected: By settled case the tools that are to be called, and how often.
        """
        found: dict[str, int] = {}
        for name, calls in expected.items():
            if (sums := self.sums.get(name)) is not None:
                for tool, times in calls:
                    found[tool] = found.get(tool, 0) + times * sums.measured
        called, right = self.called.copy(), self.right.copy()
        called.update(self.superfluous)
        for counter in (called, right):
            counter.update(found)
            counter.subtract(self.missed)
        return called, right


Totals: TypeAlias = dict[str, Packed]
"""What is added up, by the name of the agent, for another process."""

ADDER = Adder(Sums, Spread, AgentTotals, AT_ONCE, UNIT) if AVAILABLE else None
"""Adds up what is plain, where the compiled part is there."""


def _add_usage(spreads: dict[str, Spread], usage: Usage) -> None:
    if (tokens := usage.tokens) is not None:
        spreads["tokens"].add(tokens)
    if usage.cost_usd is not None:
        spreads["cost"].add(usage.cost_usd)
    if usage.requests is not None:
        spreads["requests"].add(usage.requests)
