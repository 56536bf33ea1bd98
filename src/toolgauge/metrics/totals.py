"""What the trajectories of each agent add up to: sums for each case, counts for each tool, values of amounts.

A part of a run, such as what one of several processes has scored, adds up to `PartialTotals`: a value that can be
written down, sent elsewhere and merged with others, exactly and in whatever order.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, islice
from typing import TypeAlias

import msgspec
from msgspec import Struct

from toolgauge.compiled import AVAILABLE, PlainTotals
from toolgauge.core import Issue, IssueKind, Score, Trajectory

from .accumulate import CaseSums
from .exact import UNIT_BITS, pack_column, unpack_column
from .percentiles import MAX_UNCOUNTED, Distribution, PackedDistribution
from .scorers import Reasons
from .table import METRICS, Metric, parts_of

__all__ = ["PARTIAL_VERSION", "AgentTotals", "CaseLayout", "PartialTotals", "ToolTotals"]

PARTIAL_VERSION = 2
"""Goes up when partial totals that were written down mean something else than before."""

Expected: TypeAlias = Mapping[str, Sequence[tuple[str, int]]]
"""By the id of a case the tools that are to be called, and how often."""


ARGUMENT_FAULTS: frozenset[IssueKind] = frozenset({"missing_arg", "wrong_arg", "forbidden_arg", "invalid_arg"})
"""What is wrong with the arguments of a call that answers an expectation."""


class ToolTotals:
    """Calls, counted by tool."""

    __slots__ = ("called", "confused", "failed", "missed", "right", "superfluous", "wrong_args")

    def __init__(self) -> None:
        self.called: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        """Calls that answer an expectation, whatever their arguments."""
        self.wrong_args: Counter[str] = Counter()
        """Those of them with arguments that do not fit."""
        self.missed: Counter[str] = Counter()
        self.superfluous: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.confused: Counter[tuple[str, str]] = Counter()
        """What was missed, together with what was called instead."""

    def add_calls(self, trajectory: Trajectory, score: Score) -> None:
        """Count which calls were made, and which of them are right."""
        calls = trajectory.calls
        self.called.update([call.tool for call in calls])
        self.right.update([calls[pair.call].tool for pair in score.alignment])

    def add_faults(self, issues: Iterable[Sequence[Issue]]) -> None:
        """Count what was missed, had other arguments or was not asked for, given the issues of each trajectory."""
        all_missed: list[str] = []
        wrong_args: list[str] = []
        superfluous: list[str] = []
        confused: list[tuple[str, str]] = []
        for found in issues:
            missed: list[str] = []
            unexpected: list[str] = []
            wrong: dict[int | None, str] = {}
            for issue in found:
                kind, tool = issue.kind, issue.tool
                if tool is None:
                    continue
                if kind == "missing_call":
                    missed.append(tool)
                elif kind == "unexpected_call":
                    unexpected.append(tool)
                elif kind == "duplicate_call":
                    superfluous.append(tool)
                elif kind in ARGUMENT_FAULTS:
                    wrong[issue.call] = tool
            # What was missed and what was called instead are paired in their order: the first with the first.
            confused += zip(missed, unexpected, strict=False)
            all_missed += missed
            superfluous += unexpected
            wrong_args += wrong.values()
        self.missed.update(all_missed)
        self.wrong_args.update(wrong_args)
        self.superfluous.update(superfluous)
        self.confused.update(confused)

    def merge(self, other: ToolTotals) -> None:
        """Add what was counted elsewhere."""
        for name in self.__slots__:
            getattr(self, name).update(getattr(other, name))


class PackedTools(Struct, frozen=True, array_like=True):
    """Calls by tool, as they are written down."""

    called: dict[str, int]
    right: dict[str, int]
    wrong_args: dict[str, int]
    missed: dict[str, int]
    superfluous: dict[str, int]
    failed: dict[str, int]
    confused: list[tuple[str, str, int]]

    @classmethod
    def of(cls, tools: ToolTotals) -> PackedTools:
        """What was counted."""
        return cls(
            called=dict(tools.called),
            right=dict(tools.right),
            wrong_args=dict(tools.wrong_args),
            missed=dict(tools.missed),
            superfluous=dict(tools.superfluous),
            failed=dict(tools.failed),
            confused=[(*pair, number) for pair, number in tools.confused.items()],
        )

    def unpacked(self) -> ToolTotals:
        """The same to be added to."""
        tools = ToolTotals()
        for name in ("called", "right", "wrong_args", "missed", "superfluous", "failed"):
            getattr(tools, name).update(getattr(self, name))
        tools.confused.update({(missed, called): number for missed, called, number in self.confused})
        return tools


class PackedAgent(Struct, frozen=True, array_like=True):
    """What some trajectories of one agent add up to, as it is written down."""

    cases: list[str]
    sums: dict[str, bytes | list[str]]
    """By name those of all cases; what is 0 everywhere is left out."""
    distributions: dict[str, dict[str, PackedDistribution]]
    """By group of cases and by metric."""
    fixed: PackedTools
    free: PackedTools
    reasons: dict[str, dict[str, list[str]]] = {}
    """By group of cases and by scorer why trajectories were not scored."""


class PartialTotals(Struct, frozen=True):
    """What some trajectories of a run add up to, by the name of the agent."""

    agents: dict[str, PackedAgent]
    version: int = PARTIAL_VERSION

    def merge(self, other: PartialTotals) -> PartialTotals:
        """Both together. The order makes no difference to any figure, and nothing is rounded."""
        found: dict[str, AgentTotals] = {}
        for part in (self, other):
            for name, packed in part.agents.items():
                found.setdefault(name, AgentTotals()).merge(packed)
        return PartialTotals({name: agent.pack() for name, agent in found.items()})

    def to_bytes(self) -> bytes:
        """The totals as they are written down."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> PartialTotals:
        """The totals that were written down.

        Raises:
            ValueError: They are not whole, or were written by another version.
        """
        version = msgspec.msgpack.decode(data, type=_Versioned).version
        if version != PARTIAL_VERSION:
            raise ValueError(f"these totals have version {version}; this toolgauge reads version {PARTIAL_VERSION}")
        return msgspec.msgpack.decode(data, type=cls)


class _Versioned(Struct):
    version: int


@dataclass(frozen=True)
class CaseLayout:
    """What has to be known of the cases of a suite before anything is added up."""

    groups: Mapping[str, str] = field(default_factory=dict)
    """By the id of each case the group that it belongs to."""
    expected: Expected = field(default_factory=dict)
    """What fixed cases expect: cases with one way to be right, of which calls need not be counted one by one. Those
    that are right are those that are expected, less what was missed, and all others are superfluous."""

    @cached_property
    def fixed(self) -> dict[str, int]:
        """By the id of each fixed case its place among them."""
        return {case: place for place, case in enumerate(self.expected)}

    @cached_property
    def group_names(self) -> list[str]:
        """The groups of fixed cases."""
        return list(dict.fromkeys(self.groups.get(case, "") for case in self.expected))

    @cached_property
    def group_numbers(self) -> list[int]:
        """The number of the group of each fixed case."""
        numbers = {name: number for number, name in enumerate(self.group_names)}
        return [numbers[self.groups.get(case, "")] for case in self.expected]


NO_CASES = CaseLayout()


class AgentTotals:
    """What trajectories of one agent add up to."""

    def __init__(self, layout: CaseLayout = NO_CASES, metrics: Sequence[Metric] = METRICS) -> None:
        """Begin with nothing.

        Args:
            layout: The cases.
            metrics: What the figures are computed for.
        """
        self._layout = layout
        self._sums = CaseSums(parts_of(metrics), seen=self._keep_values)
        self._distributions: dict[str, dict[str, Distribution]] = {}
        self._fixed = ToolTotals()
        self._free = ToolTotals()
        self._values = {metric.name: (metric.above[0], metric.n[0]) for metric in metrics if metric.percentiles}
        self._group_at: list[str] = []
        compiled = AVAILABLE and layout.fixed and all(part.compiled for part in parts_of(metrics))
        self._plain = PlainTotals(layout.fixed, layout.group_numbers, UNIT_BITS) if compiled else None
        self._has_plain = False
        self._brings_sums = any(metric.part for metric in metrics)
        self.reasons = Reasons()
        """Why scorers have not measured trajectories."""

    @property
    def sums(self) -> CaseSums:
        """The sums of each case."""
        self._take_plain()
        return self._sums

    @property
    def distributions(self) -> dict[str, dict[str, Distribution]]:
        """The single values of amounts, by group of cases and by metric."""
        self._take_plain()
        self._sums.add_up()
        return self._distributions

    def add_all(self, trajectories: list[Trajectory], scores: list[Score]) -> None:
        """Add trajectories of the agent with their scores."""
        if self._plain is not None:
            left = self._plain.add(trajectories, scores)
            self._has_plain = True
            if self._plain.held >= MAX_UNCOUNTED:
                self._take_plain()
            if not left:
                return
            trajectories, scores = [trajectories[place] for place in left], [scores[place] for place in left]
        self._sums.add_all(trajectories, scores)
        self._add_tools(trajectories, scores)
        if self._brings_sums:
            for score in scores:
                self.reasons.add(self._layout.groups.get(score.case, ""), score)

    def _take_plain(self) -> None:
        """Take over what the compiled part has added up."""
        if self._plain is None or not self._has_plain:
            return
        self._has_plain = False
        places, columns, values, missed, superfluous, confused, wrong_args = self._plain.take()
        cases, groups = list(self._layout.fixed), self._layout.group_names
        self._sums.merge([cases[place] for place in places], columns)
        for group, calls, latencies in values:
            known = self._distributions.setdefault(groups[group], {})
            known.setdefault("calls", Distribution()).add_counted(calls)
            if latencies:
                known.setdefault("latency", Distribution()).add_all(array("d", latencies))
        self._fixed.missed.update(missed)
        self._fixed.superfluous.update(superfluous)
        self._fixed.confused.update(confused)
        self._fixed.wrong_args.update(wrong_args)

    def _add_tools(self, trajectories: Sequence[Trajectory], scores: Sequence[Score]) -> None:
        """Count calls by tool."""
        fixed: list[Sequence[Issue]] = []
        free: list[Sequence[Issue]] = []
        for trajectory, score in zip(trajectories, scores, strict=True):
            if not score.measured:
                continue
            if score.case in self._layout.fixed:
                tools, issues = self._fixed, fixed
            else:
                tools, issues = self._free, free
                tools.add_calls(trajectory, score)
            if score.counts.failed_calls:
                tools.failed.update([call.tool for call in trajectory.calls if call.error is not None])
            if score.issues:
                issues.append(score.issues)
        if fixed:
            self._fixed.add_faults(fixed)
        if free:
            self._free.add_faults(free)

    def _keep_values(self, places: Sequence[int], amounts: Mapping[str, Sequence[float]]) -> None:
        """Keep the single values of amounts that percentiles are given of, by the group of their case."""
        if all(name not in amounts for name, _ in self._values.values()):
            return
        self._group_at += [
            self._layout.groups.get(case, "") for case in islice(self._sums.cases, len(self._group_at), None)
        ]
        for metric, (name, count) in self._values.items():
            if name in amounts:
                # Without a count beside it, every trajectory that the sum is read of has a value.
                counted = amounts.get(count, (1,) * len(places))
                self._distribute(metric, compress(places, counted), compress(amounts[name], counted))

    def _distribute(self, metric: str, places: Iterable[int], values: Iterable[float]) -> None:
        found: dict[str, list[float]] = {}
        for place, value in zip(places, values, strict=True):
            found.setdefault(self._group_at[place], []).append(value)
        for group, members in found.items():
            self._distributions.setdefault(group, {}).setdefault(metric, Distribution()).add_all(members)

    def tools(self) -> ToolTotals:
        """All calls by tool."""
        whole = ToolTotals()
        expected, sums = self._layout.expected, self.sums
        known = [case for case in expected if case in sums.cases]
        for case, trials in zip(known, sums.at(known).column(("measured",)), strict=True):
            for tool, times in expected[case]:
                whole.right[tool] += times * int(trials)
        whole.merge(self._fixed)
        whole.right.subtract(whole.missed)
        whole.called.update(whole.right)
        whole.called.update(whole.superfluous)
        whole.merge(self._free)
        return whole

    def pack(self) -> PackedAgent:
        """Everything, as it is written down."""
        distributions = {
            group: {name: values.pack() for name, values in metrics.items()}
            for group, metrics in self.distributions.items()
        }
        sums = {name: pack_column(column) for name, column in self.sums.columns()}
        fixed, free = PackedTools.of(self._fixed), PackedTools.of(self._free)
        return PackedAgent(list(self.sums.cases), sums, distributions, fixed, free, self.reasons.pack())

    def merge(self, other: PackedAgent) -> None:
        """Add what trajectories of the same agent add up to elsewhere."""
        self._sums.merge(other.cases, {name: unpack_column(column) for name, column in other.sums.items()})
        for group, metrics in other.distributions.items():
            known = self._distributions.setdefault(group, {})
            for name, packed in metrics.items():
                values = Distribution.unpack(packed)
                known[name] = Distribution.merged([known[name], values]) if name in known else values
        self._fixed.merge(other.fixed.unpacked())
        self._free.merge(other.free.unpacked())
        self.reasons.merge(other.reasons)
