"""The short way for the plain case, which most cases are; it gives what the long way of `score` gives.

A case is plain that has one plan, in any order, without keywords and budgets, and without tools that are optional,
neutral or forbidden; a trajectory is that completed without a failed call. Here passes nearly every trajectory of a
large file, so that less is made of small functions than elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from toolgauge.core import Call, Issue, JsonValue, Pair, Score, Settings, ToolCounts, Trajectory

from .alignment import align
from .facts import find_repeats, group_by_tool
from .issues import argument_issues, argument_score, extra_call_issues, missing_call, missing_calls
from .plans import ReadyPlan, Slot, mixed_up
from .toolset import Toolset

__all__ = ["SLACK", "PlainScorer"]

SLACK = 1e-9
"""A score this close below the threshold has reached it: sums of decimal weights are not exact."""

LARGEST_EXACT = 2**53
"""Up to here a whole number is the same as an integer and as a float."""


class Place(NamedTuple):
    """A slot as the short way wants it; as a tuple it unpacks at once."""

    tool: str
    expected: int
    literals: object
    alike: tuple[tuple[str, bool], ...]
    known: bool
    """Whether arguments that equal the literals need not be held against the schema of the tool."""
    slot: Slot
    missing: Issue
    """What is said where no call is made: always the same."""


class PlainScorer:
    """Scores the trajectories of one plain case."""

    __slots__ = ("_least", "_places", "_plan", "_required", "_tools", "_weights")

    def __init__(self, plan: ReadyPlan, settings: Settings, tools: Toolset) -> None:
        self._plan = plan
        self._tools = tools if tools else None
        self._places = tuple([_place(slot, tools) for slot in plan.slots])
        self._required = len(plan.slots)
        weights = settings.weights
        self._weights = weights.content, weights.call_precision, weights.call_recall, weights.param_accuracy
        self._least = settings.threshold - SLACK

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
        tools = len(where)
        alignment: list[Pair] = []
        issues: list[Issue] = []
        if tools == made and self._plan.single:
            fits, repeats = self._pair_by_name(calls, where, alignment, issues), 0
        else:
            fits, repeats = self._pair(calls, alignment, issues)
        answered, required = len(alignment), self._required
        if self._plan.single:
            right, missed = answered, required - answered
        else:
            right = len(self._plan.required_tools & where.keys())
            missed = len(self._plan.required_tools) - right
        return Score(...)
