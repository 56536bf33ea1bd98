"""The short way for the plain case, which most cases are; it gives what the long way of `score` gives.

A case is plain that has one plan, in any order, without keywords and budgets, and without tools that are optional,
neutral or forbidden; a trajectory is that completed without a failed call. Nearly every trajectory of a large file
passes here, so that there are fewer small functions than elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product

from toolgauge.core import Call, Issue, Pair, Score, Settings, ToolCounts, Trajectory, Weights

from .alignment import Tie, align, choose
from .facts import find_repeats, group_by_tool
from .issues import argument_issues, argument_score, missing_call
from .plans import ReadyPlan, mixed_up
from .toolset import Toolset

__all__ = ["SLACK", "PlainScorer", "judge_by_definitions", "known_to_keep", "weighted"]

SLACK = 1e-9
"""A score this close below the threshold has reached it: sums of decimal weights are not exact."""

NO_REPEATS: Mapping[int, int] = {}

MOST_WHOLE = 4
"""Of more whole numbers not every way of writing them is tried."""

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


class PlainScorer:
    """Scores the trajectories of one plain case."""

    __slots__ = (
        "_alike",
        "_expected",
        "_keys",
        "_known",
        "_least",
        "_literals",
        "_missing",
        "_numbers",
        "_plan",
        "_single",
        "_tools",
        "_weights",
    )

    def __init__(self, plan: ReadyPlan, settings: Settings, tools: Toolset) -> None:
        slots = plan.slots
        self._plan = plan
        self._single = plan.single
        self._expected = len(plan.required_tools)
        # Side by side and not slot by slot: what is not looked at need not be fetched from memory.
        self._keys = tuple([slot.tool if len(plan.by_tool[slot.tool]) == 1 else at for at, slot in enumerate(slots)])
        """For each slot its tool, or where others have the same tool its position."""
        self._literals = tuple([slot.literals for slot in slots])
        self._alike = tuple([slot.alike or None for slot in slots])
        self._numbers = tuple([slot.expected for slot in slots])
        self._known = tuple([not tools or known_to_keep(slot.tool, slot.literals, tools) for slot in slots])
        """Whether arguments that equal the literals are known to keep to the schema of the tool."""
        self._missing = tuple([missing_call(slot.tool, slot.expected, slot.shown) for slot in slots])
        """What is said where no call was made: always the same."""
        weights = settings.weights
        self._weights = weights.content, weights.call_precision, weights.call_recall, weights.param_accuracy
        self._least = settings.threshold - SLACK
        self._tools = tools if tools else None

    def score(self, trajectory: Trajectory) -> Score | None:
        """Score a completed trajectory of the case; None where the trajectory is not plain."""
        calls = trajectory.calls
        where: dict[str | int, int] = {}
        made = 0
        for call in calls:
            if call.error is not None:
                return None
            where[call.tool] = made
            made += 1
        called = len(where)
        repeats: Mapping[int, int] = NO_REPEATS
        if called < made or not self._single:
            by_tool = group_by_tool(calls)
            where = self._share_out(calls, by_tool)
            if called < made:
                repeats = find_repeats(calls, by_tool)
        alignment: list[Pair] = []
        issues: list[Issue] = []
        doubtful: list[Call] = []
        fits = self._judge(calls, where, repeats, alignment, issues, doubtful)
        answered, required = len(alignment), len(self._keys)
        right = answered if self._single else sum([tool in by_tool for tool in self._plan.by_tool])
        unknown = broken = None
        if self._tools is not None:
            unknown = broken = 0
            if doubtful and not all(map(self._tools.accepts, doubtful)):
                unknown, broken = judge_by_definitions(self._tools, calls, issues)
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
            ToolCounts(right, called - right, self._expected - right, made, 0, len(repeats), unknown, broken),
            tuple(alignment),
            tuple(issues),
        )

    def _share_out(self, calls: Sequence[Call], by_tool: dict[str, list[int]]) -> dict[str | int, int]:
        """Which call is for which place, where tools are expected or called more than once.

        A call that is for no place has a key of its own, which is negative.
        """
        where: dict[str | int, int] = {}
        tied: list[Tie] = []
        for tool, slots in self._plan.by_tool.items():
            indices = by_tool.get(tool)
            if indices is None:
                continue
            if len(slots) > 1:
                for position, index, _ in choose(self._plan, slots, indices, calls, tied):
                    where[position] = index
            elif len(indices) > 1:
                where[tool] = choose(self._plan, slots, indices, calls, tied)[0][1]
            else:
                where[tool] = indices[0]
        if tied:
            pairs = align(self._plan, calls, by_tool)
            where = {self._keys[position]: index for position, index, _ in pairs}
        if len(where) < len(calls):
            answering = set(where.values())
            for index in range(len(calls)):
                if index not in answering:
                    where[~index] = index
        return where

    def _judge(
        self,
        calls: Sequence[Call],
        where: dict[str | int, int],
        repeats: Mapping[int, int],
        alignment: list[Pair],
        issues: list[Issue],
        doubtful: list[Call],
    ) -> float:
        """Look at the call of each place, and at those that are for none; returns the sum of the argument scores.

        Args:
            calls: The calls.
            where: The index of the call by the key of its place; emptied of all that answer something.
            repeats: Calls that repeat another, and which.
            alignment: Where the pairs are put.
            issues: Where the issues are put.
            doubtful: Where the calls are put that may break the schema of their tool.
        """
        fits = 0.0
        missing: list[Issue] = []
        literals, alike, known, numbers = self._literals, self._alike, self._known, self._numbers
        for position, key in enumerate(self._keys):
            index = where.pop(key, None)
            if index is None:
                missing.append(self._missing[position])
                continue
            args = calls[index].args
            similar = alike[position]
            if args == literals[position] and not (similar and mixed_up(args, similar)):  # type: ignore[arg-type]  # equals a dict
                params = 1.0
                if not known[position]:
                    doubtful.append(calls[index])
            else:
                slot = self._plan.slots[position]
                found = argument_issues(self._plan, slot, calls, index)
                params = argument_score(slot, found)
                issues += found
                doubtful.append(calls[index])
            fits += params
            alignment.append(Pair(numbers[position], index, params))
        if missing:
            issues += missing
        for index in where.values():
            call = calls[index]
            if index in repeats:
                issues.append(Issue("duplicate_call", call.tool, None, index, None, None, repeats[index]))
            else:
                issues.append(Issue("unexpected_call", call.tool, None, index))
            doubtful.append(call)
        return fits


def judge_by_definitions(tools: Toolset, calls: Sequence[Call], issues: list[Issue]) -> tuple[int, int]:
    """Add what the definitions of the tools say of calls; how many have no tool, and how many break its schema."""
    found = list(tools.issues(calls))
    issues += found
    unknown = [issue for issue in found if issue.kind == "unknown_tool"]
    return len(unknown), len({issue.call for issue in found if issue.kind == "schema_error"})


def known_to_keep(tool: str, literals: object, tools: Toolset) -> bool:
    """Whether arguments that equal these literals keep to the schema of a tool.

    A whole number equals itself in both ways of writing it, and schemas may tell them apart.
    """
    if not isinstance(literals, dict):
        return False
    if any(isinstance(value, (int, float)) and not abs(value) <= LARGEST_EXACT for value in literals.values()):
        return False
    whole = [name for name, value in literals.items() if value.__class__ in (int, float) and value == int(value)]
    if len(whole) > MOST_WHOLE:
        return False
    return all(
        tools.accepts(Call(tool, {**literals, **{name: write(literals[name]) for name, write in written}}))
        for written in map(partial(zip, whole), product((int, float), repeat=len(whole)))
    )
