"""The named faults of a trajectory, as data. Words are made when somebody reads them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from toolgauge.core import ROUNDING_SLACK, Answer, Call, Case, Issue, JsonValue, ToolDefinition, Trajectory
from toolgauge.matchers import CompiledSchema, TooMuchWork, compile_schema

from .alignment import Aligned
from .observations import Observations
from .plans import ReadyCase, ReadyPlan, Slot, argument_faults, argument_score, as_data

__all__ = [
    "DefinedTools",
    "argument_issues",
    "call_issues",
    "count_by_definitions",
    "extra_call_issues",
    "missing_call",
    "missing_calls",
    "order_issues",
    "trajectory_issues",
    "unrecovered_errors",
]

MAX_ERRORS = 5
"""How many faults of one call are named."""


# --- by a plan


def missing_call(tool: str, expected: int, args: dict[str, JsonValue]) -> Issue:
    """A call is required, and was not made."""
    return Issue("missing_call", tool, expected=expected, want=args or None)


def missing_calls(plan: ReadyPlan, filled: Container[int]) -> list[Issue]:
    """Required slots that no call fills."""
    return [
        missing_call(slot.tool, slot.expected, slot.shown)
        for index, slot in enumerate(plan.slots)
        if slot.required and index not in filled
    ]


def argument_issues(plan: ReadyPlan, slot: Slot, calls: Sequence[Call], index: int) -> Iterator[Issue]:
    """What is wrong with the arguments of a call that fills a slot."""
    wanted = plan.expected[slot.expected]
    args = calls[index].args or {}
    for kind, name in argument_faults(slot, calls, index):
        rules = wanted.check if kind == "invalid_arg" else wanted.args
        yield Issue(
            kind,
            slot.tool,
            name,
            call=index,
            expected=slot.expected,
            want=None if kind == "forbidden_arg" else as_data(rules[name]),
            got=args.get(name),
        )


def extra_call_issues(calls: Sequence[Call], extra: Sequence[int], repeats: Mapping[int, int]) -> list[Issue]:
    """Calls that answer nothing: repeated ones, and ones that nobody asked for."""
    return [
        Issue("duplicate_call", calls[index].tool, call=index, got=repeats[index])
        if index in repeats
        else Issue("unexpected_call", calls[index].tool, call=index)
        for index in extra
    ]


def order_issues(plan: ReadyPlan, pairs: Sequence[Aligned]) -> Iterator[Issue]:
    """Calls that came too early: before the one listed before them, or before one they name in `after`."""
    if plan.order == "strict":
        for (before, first, _), (slot, second, _) in pairwise(pairs):
            if second < first:
                yield _too_early(plan.slots[slot], second, plan.slots[before].tool)
    for slot, call, _ in pairs:
        for name in plan.slots[slot].after:
            others = [other for index, other, _ in pairs if plan.slots[index].expected == name]
            # Of a call that may be made again, as many as are required have to come first.
            if sum(other < call for other in others) < min(len(others), max(plan.expected[name].min_calls, 1)):
                yield _too_early(plan.slots[slot], call, plan.expected[name].tool)


def _too_early(slot: Slot, call: int, first: str) -> Issue:
    return Issue("wrong_order", slot.tool, call=call, expected=slot.expected, want=first)


def unrecovered_errors(plan: ReadyPlan | None, pairs: Sequence[Aligned], seen: Observations) -> list[Issue]:
    """Failures that no later call made good: of a call that is required and never worked, and of any other tool.

    Of equally good calls that answer an expectation one that worked is taken, so that where a failed one does, none
    worked. Where a call is required several times, as many have to have worked.
    """
    if not seen.failed:
        return []
    calls = seen.calls
    found: list[Issue] = []
    for expected, index in _never_worked(plan, pairs, calls):
        call = calls[index]
        found.append(Issue("unrecovered_error", call.tool, call=index, expected=expected, got=call.error))
    told = {issue.tool for issue in found}
    last_failure: dict[str, int] = {}
    for index, call in enumerate(calls):
        if call.error is None:
            last_failure.pop(call.tool, None)
        elif call.tool not in told:
            last_failure[call.tool] = index
    others = [Issue("unrecovered_error", tool, call=last, got=calls[last].error) for tool, last in last_failure.items()]
    return [*found, *others]


def _never_worked(plan: ReadyPlan | None, pairs: Sequence[Aligned], calls: Sequence[Call]) -> Iterator[tuple[int, int]]:
    """Expected calls that have to work more often than they did, each with the failed call that answers it.

    Calls that worked may change places where they fit as well: what is not required gives its call away.
    """
    if plan is None:
        return
    needed = {index: call.min_calls for index, call in enumerate(plan.expected)}
    places: dict[int, Aligned] = {}
    """What has to work, by the call that answers it now."""
    lacking: list[Aligned] = []
    for worked in (True, False):
        for pair in pairs:
            slot, index, _ = pair
            expected = plan.slots[slot].expected
            if (calls[index].error is None) == worked and needed[expected]:
                needed[expected] -= 1
                if worked:
                    places[index] = pair
                else:
                    lacking.append(pair)
    working = [index for _, index, _ in pairs if calls[index].error is None]

    def is_filled(place: Aligned, tried: set[int]) -> bool:
        """Whether a call that worked can be had for a place, perhaps since another place takes one that is left."""
        slot, _, params = place
        wanted = plan.slots[slot]
        for index in working:
            if index in tried or calls[index].tool != wanted.tool:
                continue
            if argument_score(wanted, calls, index) < params - ROUNDING_SLACK:
                continue
            tried.add(index)
            if index not in places or is_filled(places[index], tried):
                places[index] = place
                return True
        return False

    for place in lacking:
        if not is_filled(place, set()):
            yield plan.slots[place[0]].expected, place[1]


# --- whatever the plan


def call_issues(case: ReadyCase, seen: Observations) -> Iterator[Issue]:
    """What is wrong with calls by themselves: forbidden tools, failures."""
    if not seen.failed and not case.forbid:
        return
    for index, call in enumerate(seen.calls):
        if call.tool in case.forbid:
            yield Issue("forbidden_tool", call.tool, call=index)
        if call.error is not None:
            yield Issue("tool_error", call.tool, call=index, got=call.error)


def trajectory_issues(
    case: Case, trajectory: Trajectory, missing: Sequence[str], answer: Answer | None
) -> Iterator[Issue]:
    """What is wrong with the trajectory as a whole: budgets, keywords, the answer, an early end."""
    budget = case.budget
    if budget is not None:
        made = len(trajectory.calls)
        if budget.calls is not None and made > budget.calls:
            yield Issue("too_many_calls", want=budget.calls, got=made)
        took = trajectory.latency_ms
        if budget.latency_ms is not None and took is not None and took > budget.latency_ms:
            yield Issue("over_latency", want=budget.latency_ms, got=took)
    for text in missing:
        yield Issue("missing_content", want=text)
    if answer is not None and answer.verdict == "wrong":
        yield Issue("wrong_answer", want=cast(JsonValue, case.expect.answer), got=answer.found)
    if trajectory.state != "completed":
        yield Issue("agent_error", want=trajectory.state, got=trajectory.error)


# --- by the definitions of the tools


class DefinedTools:
    """The tools that a suite defines: their names, and what their schemas say of arguments.

    Schemas are compiled when they are first needed.
    """

    def __init__(self, definitions: Sequence[ToolDefinition]) -> None:
        self._definitions = {tool.name: tool for tool in definitions}
        self._validators: dict[str, CompiledSchema | None] = {}

    def __bool__(self) -> bool:
        return bool(self._definitions)

    def issues(self, calls: Sequence[Call]) -> Iterator[Issue]:
        """The faults of calls by the definitions: unknown tools, and arguments that break a schema."""
        if not self._definitions:
            return
        for index, call in enumerate(calls):
            if call.tool not in self._definitions:
                yield Issue("unknown_tool", call.tool, call=index)
            elif not self.accepts(call):
                yield from self._schema_issues(call, index)

    def accepts(self, call: Call) -> bool:
        """Whether the tool is defined and the arguments keep to its schema."""
        if call.tool not in self._definitions:
            return False
        validator = self._validator(call.tool)
        if validator is None or call.args is None:
            return True
        try:
            return validator.is_valid(call.args)
        except TooMuchWork:
            return False
        except (UnicodeEncodeError, OverflowError):
            return True  # half a surrogate pair, or a number without end: no JSON, and not for a schema to judge

    def _schema_issues(self, call: Call, index: int) -> Iterator[Issue]:
        validator = self._validator(call.tool)
        if validator is None or call.args is None:
            return
        for breach in validator.breaches(call.args, MAX_ERRORS):
            got = None if breach.key is None else call.args.get(breach.key)
            yield Issue("schema_error", call.tool, breach.key, call=index, want=breach.message, got=got)

    def _validator(self, tool: str) -> CompiledSchema | None:
        if tool not in self._validators:
            schema = self._definitions[tool].parameters
            self._validators[tool] = None if schema is None else compile_schema(schema)
        return self._validators[tool]


def count_by_definitions(issues: Sequence[Issue]) -> tuple[int, int]:
    """How many calls name no defined tool, and how many break the schema of theirs."""
    unknown = [issue for issue in issues if issue.kind == "unknown_tool"]
    return len(unknown), len({issue.call for issue in issues if issue.kind == "schema_error"})
