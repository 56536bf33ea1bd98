"""The short way for the plain case, which most cases are; it gives what the long way of `score` gives.

A case is plain that has one plan, in any order, without keywords and budgets, and without tools that are optional,
neutral or forbidden; a trajectory is that completed without a failed call. Nearly every trajectory of a large file
passes here, so that there are fewer small functions than elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from toolgauge.core import Call, Issue, JsonValue, Pair, Score, Settings, ToolCounts, Trajectory, Weights

from .alignment import align
from .facts import find_repeats, group_by_tool
from .issues import argument_issues, argument_score, extra_call_issues, missing_call
from .plans import ReadyPlan, Slot, mixed_up
from .toolset import Toolset

__all__ = ["SLACK", "PlainScorer", "weighted"]

SLACK = 1e-9
"""A score this close below the threshold has reached it: sums of decimal weights are not exact."""

LARGEST_EXACT = 2**53
"""Up to here a whole number is the same as an integer and as a float."""


def weighted(weights: Weights, content: float, precision: float, recall: float, params: float) -> float:
    """The score of a trajectory, from its parts."""
    # In this order the usual weights sum to exactly 1.
    return (
        weights.content * content
        + weights.call_precision * precision
        + weights.call_recall * recall
        + weights.param_accuracy * params
    )


class Place(NamedTuple):
    """A slot as the short way wants it; as a tuple it unpacks at once."""

    tool: str
    expected: int
    literals: object
    alike: tuple[tuple[str, bool], ...]
    known: bool
    """Whether arguments that equal the literals are known to keep to the schema of the tool."""
    slot: Slot
    missing: Issue
    """What is said where no call was made: always the same."""


class PlainScorer:
    """Scores the trajectories of one plain case."""

    __slots__ = ("_expected", "_least", "_places", "_plan", "_single", "_tools", "_weights")

    def __init__(self, plan: ReadyPlan, settings: Settings, tools: Toolset) -> None:
        self._plan = plan
        self._single = plan.single
        self._expected = len(plan.required_tools)
        self._places = tuple([_place(slot, tools) for slot in plan.slots])
        weights = settings.weights
        self._weights = weights.content, weights.call_precision, weights.call_recall, weights.param_accuracy
        self._least = settings.threshold - SLACK
        self._tools = tools if tools else None

    def score(self, trajectory: Trajectory) -> Score | None:
        """Score a completed trajectory of the case; None where the trajectory is not plain."""
        calls = trajectory.calls
        where: dict[str, int] = {}
        made = 0
        for call in calls:
            if call.error is not None:
                return None
            where[call.tool] = made
            made += 1
        called = len(where)
        alignment: list[Pair] = []
        issues: list[Issue] = []
        doubtful: list[Call] = []
        if called == made and self._single:
            repeats = 0
            fits = self._pair_by_name(calls, where, alignment, issues, doubtful)
            right = len(alignment)
        else:
            right = len(self._plan.required_tools & where.keys())
            fits, repeats = self._pair(calls, alignment, issues, doubtful)
        unknown = broken = None
        if self._tools is not None:
            unknown = broken = 0
            if doubtful and not all(map(self._tools.accepts, doubtful)):
                unknown, broken = _judge_by_definitions(self._tools, calls, issues)
        answered, required = len(alignment), len(self._places)
        precision = answered / made if made else 1.0
        recall = answered / required
        params = fits / required
        # As `weighted` has it, where nobody asked for content.
        for_content, for_precision, for_recall, for_params = self._weights
        total = for_content + for_precision * precision + for_recall * recall + for_params * params
        return Score(
            trajectory.case,
            trajectory.agent,
            trajectory.trial,
            "completed",
            answered == required and total >= self._least,
            total,
            precision,
            recall,
            params,
            1.0,
            None,
            0,
            True,
            ToolCounts(right, called - right, self._expected - right, made, 0, repeats, unknown, broken),
            tuple(alignment),
            tuple(issues),
        )

    def _pair_by_name(
        self,
        calls: Sequence[Call],
        where: dict[str, int],
        alignment: list[Pair],
        issues: list[Issue],
        doubtful: list[Call],
    ) -> float:
        """Pairs where no tool is expected or called twice; returns the sum of the argument scores.

        Args:
            calls: The calls.
            where: The index of the call of each tool; what answers nothing is left in it.
            alignment: Where the pairs are put.
            issues: Where the issues are put.
            doubtful: Where the calls are put that may break the schema of their tool.
        """
        fits = 0.0
        missing: list[Issue] = []
        for tool, expected, literals, alike, known, slot, nothing in self._places:
            index = where.pop(tool, None)
            if index is None:
                missing.append(nothing)
                continue
            call = calls[index]
            args = call.args
            if args == literals and not (alike and mixed_up(args, alike)):  # type: ignore[arg-type]  # equals a dict
                fits += 1.0
                alignment.append(Pair(expected, index, 1.0))
                if not known:
                    doubtful.append(call)
            else:
                found = argument_issues(self._plan, slot, calls, index)
                params = argument_score(slot, found)
                fits += params
                alignment.append(Pair(expected, index, params))
                issues += found
                doubtful.append(call)
        if missing:
            issues += missing
        for tool, index in where.items():
            issues.append(Issue("unexpected_call", tool, None, index))
            doubtful.append(calls[index])
        return fits

    def _pair(
        self, calls: Sequence[Call], alignment: list[Pair], issues: list[Issue], doubtful: list[Call]
    ) -> tuple[float, int]:
        """Pairs by alignment; returns the sum of the argument scores, and how many calls repeat one."""
        by_tool = group_by_tool(calls)
        repeats = find_repeats(calls, by_tool)
        fits = 0.0
        pairs = align(self._plan, calls, by_tool)
        for position, index, params in pairs:
            place = self._places[position]
            fits += params
            alignment.append(Pair(place.expected, index, params))
            if params < 1:
                issues += argument_issues(self._plan, place.slot, calls, index)
            # What fits may be more than the literals, and what equals them may be a boolean for a number.
            if params < 1 or not (place.known and calls[index].args == place.literals):
                doubtful.append(calls[index])
        if len(pairs) < len(self._places):
            filled = [position for position, _, _ in pairs]
            issues += [place.missing for position, place in enumerate(self._places) if position not in filled]
        if len(pairs) < len(calls):
            answered = {index for _, index, _ in pairs}
            extra = [index for index in range(len(calls)) if index not in answered]
            issues += extra_call_issues(calls, extra, repeats, forbidden=False)
            doubtful += [calls[index] for index in extra]
        return fits, len(repeats)


def _judge_by_definitions(tools: Toolset, calls: Sequence[Call], issues: list[Issue]) -> tuple[int, int]:
    """Add what the definitions of the tools say of calls; how many have no tool, and how many break its schema."""
    found = list(tools.issues(calls))
    issues += found
    unknown = [issue for issue in found if issue.kind == "unknown_tool"]
    return len(unknown), len({issue.call for issue in found if issue.kind == "schema_error"})


def _place(slot: Slot, tools: Toolset) -> Place:
    return Place(
        slot.tool, slot.expected, slot.literals, slot.alike, _known_to_keep(slot, tools), slot, missing_call(slot)
    )


def _known_to_keep(slot: Slot, tools: Toolset) -> bool:
    """Whether arguments that equal the literals of a slot keep to the schema of its tool.

    A whole number equals itself in both ways of writing it, and schemas may tell them apart.
    """
    literals = slot.literals
    if not isinstance(literals, dict):
        return False
    if any(isinstance(value, (int, float)) and not abs(value) <= LARGEST_EXACT for value in literals.values()):
        return False
    return all(
        tools.accepts(Call(slot.tool, {name: write(value) for name, value in literals.items()}))
        for write in (_as_integer, _as_float)
    )


def _as_integer(value: JsonValue) -> JsonValue:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_float(value: JsonValue) -> JsonValue:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
