"""Plain cases made ready for the compiled part, which scores their trajectories where they are plain as well."""

from __future__ import annotations

from functools import partial

from toolgauge.compiled import PlainCase, score_plain
from toolgauge.core import Issue, JsonValue, Score, Settings, Trajectory

from .issues import missing_call
from .plain import SLACK, judge_by_definitions, known_to_keep
from .plans import ReadyPlan, Slot
from .toolset import Toolset

__all__ = ["QuickScorer"]

MOST = 16
"""Slots of a case and rules of a slot that the compiled part takes."""


class QuickScorer:
    """Scores the plain trajectories of a suite."""

    def __init__(self, settings: Settings, tools: Toolset) -> None:
        self._settings = settings
        self._tools = tools
        self._cases: dict[str, PlainCase] = {}

    def add(self, case: str, plan: ReadyPlan) -> None:
        """Make a plain case ready, if it is one that the compiled part takes."""
        if len(plan.slots) > MOST or not all(map(_is_literal, plan.slots)):
            return
        tools, weights = self._tools, self._settings.weights
        self._cases[case] = PlainCase(
            tuple([_as_tuple(slot, known=not tools or known_to_keep(slot, tools)) for slot in plan.slots]),
            (weights.content, weights.call_precision, weights.call_recall, weights.param_accuracy),
            self._settings.threshold - SLACK,
            *((tools.accepts, partial(judge_by_definitions, tools)) if tools else ()),
        )

    def score_all(self, trajectories: list[Trajectory]) -> tuple[list[Score | None], list[int]]:
        """The scores of trajectories; and the positions of those that are left to others, which have None for one."""
        return score_plain(self._cases, trajectories)


def _is_literal(slot: Slot) -> bool:
    """Whether texts, numbers, booleans and null are all that a slot asks for."""
    return not slot.restricted and len(slot.rules) <= MOST and all([rule.fits is None for rule in slot.rules])


def _as_tuple(slot: Slot, *, known: bool) -> tuple[str, int, Issue, bool, tuple[tuple[str, JsonValue], ...]]:
    rules = tuple([(rule.name, rule.literal) for rule in slot.rules])
    return slot.tool, slot.expected, missing_call(slot), known, rules
