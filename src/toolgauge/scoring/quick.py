"""Plain cases made ready for the compiled part, which scores their trajectories where they are plain as well."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from sys import intern
from typing import cast

from toolgauge.compiled import PlainCase, score_plain
from toolgauge.core import Case, ExpectedCall, Issue, JsonValue, Score, Suite, Trajectory

from .issues import missing_call
from .plain import SLACK, judge_by_definitions, known_to_keep
from .toolset import Toolset

__all__ = ["QuickScorer"]

MOST = 16
"""Expected calls of a case, and arguments of a call, that the compiled part takes."""


LITERALS = frozenset((str, int, float, bool, type(None)))
"""What the compiled part compares by itself."""


class QuickScorer:
    """Scores the plain trajectories of a suite. A case is made ready when it is first met."""

    def __init__(self, suite: Suite, tools: Toolset) -> None:
        weights = suite.settings.weights
        self._weights = weights.content, weights.call_precision, weights.call_recall, weights.param_accuracy
        self._least = suite.settings.threshold - SLACK
        self._tools = tools
        self._by_definitions = (tools.accepts, partial(judge_by_definitions, tools)) if tools else ()
        self._waiting = {case.id: case for case in suite.cases}
        self._ready: dict[str, PlainCase] = {}

    def score_all(self, trajectories: list[Trajectory], otherwise: Callable[[Trajectory], Score]) -> list[Score]:
        """Score trajectories; those that are not plain, or of a case that is not, are scored otherwise."""
        if self._waiting:
            for trajectory in trajectories:
                case = self._waiting.pop(trajectory.case, None)
                if case is not None and _is_plain(case):
                    self._ready[case.id] = self._make_ready(case)
        scores, left = score_plain(self._ready, trajectories)
        for position in left:
            scores[position] = otherwise(trajectories[position])
        return cast(list[Score], scores)

    def _make_ready(self, case: Case) -> PlainCase:
        calls = case.expect.plans[0].calls
        slots = tuple([self._slot(index, call) for index, call in enumerate(calls)])
        return PlainCase(slots, self._weights, self._least, *self._by_definitions)

    def _slot(self, index: int, call: ExpectedCall) -> tuple[str, int, Issue, bool, tuple[tuple[str, JsonValue], ...]]:
        tool = intern(call.tool)  # one text for all calls of a tool, which is at hand wherever one is looked at
        known = not self._tools or known_to_keep(tool, call.args, self._tools)
        return tool, index, missing_call(tool, index, call.args or None), known, tuple(call.args.items())


def _is_plain(case: Case) -> bool:
    """Whether all that a case says is which calls it expects, once each, with which values."""
    expect = case.expect
    plans = expect.plans
    if len(plans) != 1 or not 0 < len(plans[0].calls) <= MOST or (plans[0].order or expect.order) != "any":
        return False
    beyond = expect.neutral or expect.forbid or expect.contains or expect.extra != "penalise"
    if beyond or expect.answer is not None or case.budget is not None:
        return False
    return all(map(_is_literal, plans[0].calls))


def _is_literal(call: ExpectedCall) -> bool:
    """Whether a call is expected once, with texts, numbers, booleans and null for arguments."""
    if call.optional or call.times is not None or call.check or call.forbid_args or call.after or len(call.args) > MOST:
        return False
    # What does not equal itself is no number, and equals nothing.
    return all([type(value) in LITERALS and value == value for value in call.args.values()])  # noqa: C419
