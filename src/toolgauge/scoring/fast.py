"""Plain trajectories of plain cases, scored by the compiled part: the one place in scoring that knows it.

It takes what it can prove equal to the definition in `score.py`, and leaves all else to it. It is built where a C
compiler is at hand when toolgauge is installed; without it the definition does everything, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from sys import intern
from typing import TypeAlias, cast

from toolgauge.compiled import AVAILABLE, PlainCase, score_plain
from toolgauge.core import Call, Case, Expect, ExpectedCall, Issue, JsonValue, Score, Suite, Trajectory

from .failing import Failing, changing_tools, failing_issues, mark_failing
from .issues import DefinedTools, count_by_definitions, missing_call

__all__ = ["AVAILABLE", "FastScorer", "is_plain", "is_schema_safe"]

MAX_PLAIN = 16
"""Expected calls of a case, and arguments of a call, that the compiled part takes."""

MAX_WHOLE = 4
"""Of more whole numbers not every way of writing them is tried."""

LARGEST_EXACT = 2**53
"""Up to here a whole number is the same as an integer and as a float."""

LITERALS = frozenset((str, int, float, bool, type(None)))
"""What the compiled part compares by itself."""

_Slot: TypeAlias = tuple[str, int, Issue, bool, tuple[tuple[str, JsonValue], ...]]
"""A call as the compiled part knows it: tool, index, the issue where it is missing, whether its arguments keep to the
schema of the tool, and these arguments."""


class FastScorer:
    """Scores trajectories of a suite: plain ones by the compiled part, if it is there, the others by definition."""

    def __init__(self, suite: Suite, tools: DefinedTools, by_definition: Callable[[Trajectory], Score]) -> None:
        """Make ready to score; a case is made ready when it is first met.

        Args:
            suite: The suite.
            tools: The tools that it defines.
            by_definition: Scores a trajectory by the definition.
        """
        self._settings = suite.settings
        self._tools = tools
        self._changing = changing_tools(suite.tools)
        self._by_definition = by_definition
        self._waiting = {case.id: case for case in suite.cases}
        self._ready: dict[str, PlainCase] = {}

    def score_all(self, trajectories: list[Trajectory]) -> list[Score]:
        """Score trajectories whose `case` is one of the suite's."""
        if not AVAILABLE:
            return [self._by_definition(trajectory) for trajectory in trajectories]
        if self._waiting:
            for trajectory in trajectories:
                case = self._waiting.pop(trajectory.case, None)
                if case is not None and self._settings.profile is None and is_plain(case):
                    self._ready[case.id] = self._make_ready(case)
        scores, left = score_plain(self._ready, trajectories)
        for position in left:
            scores[position] = self._by_definition(trajectories[position])
        return cast(list[Score], scores)

    def _make_ready(self, case: Case) -> PlainCase:
        settings = self._settings.for_case(case)
        failing = failing_issues(case, settings, self._changing)
        calls = case.expect.calls or ()
        missing = mark_failing([missing_call(call.tool, index, call.args) for index, call in enumerate(calls)], failing)
        weights = settings.weights
        return PlainCase(
            tuple([self._slot(index, *both) for index, both in enumerate(zip(calls, missing, strict=True))]),
            (weights.content, weights.call_precision, weights.call_recall, weights.param_accuracy),
            settings.passing_score,
            (failing.kinds, failing.if_changes, failing.changing),
            *((self._tools.accepts, partial(_check_by_definitions, self._tools, failing)) if self._tools else ()),
        )

    def _slot(self, index: int, call: ExpectedCall, missing: Issue) -> _Slot:
        # One text for all calls of a tool, which is compared by its address; one of somebody's own is copied for that.
        tool = intern(str.__str__(call.tool))
        safe = not self._tools or is_schema_safe(tool, call.args, self._tools)
        return tool, index, missing, safe, tuple(call.args.items())


def is_plain(case: Case) -> bool:
    """Whether all that a case says is which calls it expects, once each, in any order, with which values."""
    calls = case.expect.calls or ()
    if case.expect != Expect(calls) or case.budget is not None:
        return False
    return 0 < len(calls) <= MAX_PLAIN and all(map(_is_literal, calls))


def _is_literal(call: ExpectedCall) -> bool:
    """Whether a call is expected once, with texts, numbers, booleans and null for arguments."""
    if call != ExpectedCall(call.tool, call.args, id=call.id) or len(call.args) > MAX_PLAIN:
        return False
    # What does not equal itself is no number, and equals nothing.
    return all(type(value) in LITERALS and value == value for value in call.args.values())


def is_schema_safe(tool: str, literals: Mapping[str, JsonValue], tools: DefinedTools) -> bool:
    """Whether arguments that equal these literals keep to the schema of a tool.

    A whole number equals itself in both ways of writing it, and schemas may tell them apart.
    """
    numbers = [(name, value) for name, value in literals.items() if isinstance(value, (int, float))]
    if not all(abs(value) <= LARGEST_EXACT for _, value in numbers):
        return False
    whole = [(name, int(value)) for name, value in numbers if not isinstance(value, bool) and value == int(value)]
    if len(whole) > MAX_WHOLE:
        return False
    ways = product(*[[(name, value), (name, float(value))] for name, value in whole])
    return all(tools.accepts(Call(tool, {**literals, **dict(written)})) for written in ways)


def _check_by_definitions(
    tools: DefinedTools, failing: Failing, calls: Sequence[Call], issues: list[Issue]
) -> tuple[int, int]:
    """Add what the definitions of the tools say of calls; how many have no tool, and how many break its schema."""
    found = mark_failing(tools.issues(calls), failing)
    issues += found
    return count_by_definitions(found)
