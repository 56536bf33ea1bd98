"""The named faults of a trajectory, as data. Words are made when somebody reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from toolgauge.core import Call, Case, Issue, IssueKind, JsonValue, State, Trajectory

from .alignment import Aligned
from .facts import Facts
from .plans import ReadyCase, ReadyPlan, Slot

__all__ = [
    "agent_issues",
    "argument_issues",
    "call_issues",
    "extra_call_issues",
    "missing_calls",
    "order_issues",
]


def missing_calls(plan: ReadyPlan, pairs: Sequence[Aligned]) -> Iterator[Issue]:
    """Required slots that no call fills."""
    filled = {pair.slot for pair in pairs}
    for index, slot in enumerate(plan.slots):
        if slot.required and index not in filled:
            yield Issue("missing_call", tool=slot.tool, expected=slot.expected, failing=True)


def argument_issues(plan: ReadyPlan, pair: Aligned, calls: Sequence[Call]) -> Iterator[Issue]:
    """What is wrong with the arguments of a call that fills a slot."""
    slot = plan.slots[pair.slot]
    wanted = plan.expected[slot.expected]
    tool, args = calls[pair.call].tool, calls[pair.call].args or {}
    earlier = slot.earlier(calls, pair.call)

    def issue(kind: IssueKind, name: str, want: JsonValue = None, got: JsonValue = None) -> Issue:
        return Issue(kind, tool, name, pair.call, slot.expected, _shown(want), got)

    for name, rule in slot.rules:
        if name in args:
            if not rule.fits(args[name], earlier):
                yield issue("wrong_arg", name, wanted.args[name], args[name])
        elif not rule.absent_fits:
            yield issue("missing_arg", name, wanted.args[name])
    for name in slot.unwelcome(args):
        yield issue("forbidden_arg", name, None, args[name])
    for name, rule in slot.checks:
        if name in args and not rule.fits(args[name], earlier):
            yield issue("invalid_arg", name, wanted.check[name], args[name])


def _shown(rule: object) -> JsonValue:
    """A rule as data: a Python callable is named."""
    if callable(rule):
        return f"{getattr(rule, '__name__', type(rule).__name__)}()"
    return cast(JsonValue, rule)


def extra_call_issues(
    calls: Sequence[Call], extra: Sequence[int], repeats: Mapping[int, int], *, forbidden: bool
) -> Iterator[Issue]:
    """Calls that answer nothing: repeated ones, and ones that nobody asked for."""
    for index in extra:
        if index in repeats:
            yield Issue("duplicate_call", tool=calls[index].tool, call=index, got=repeats[index])
        else:
            yield Issue("unexpected_call", tool=calls[index].tool, call=index, failing=forbidden)


def order_issues(plan: ReadyPlan, pairs: Sequence[Aligned]) -> Iterator[Issue]:
    """Calls that came too early: before the one listed before them, or before one they name in `after`."""
    if plan.order == "strict":
        for earlier, later in pairwise(pairs):
            if later.call < earlier.call:
                yield _too_early(plan.slots[later.slot], later.call, plan.slots[earlier.slot].tool)
    for pair in pairs:
        slot = plan.slots[pair.slot]
        for name in slot.after:
            if any(plan.slots[other.slot].expected == name and other.call > pair.call for other in pairs):
                yield _too_early(slot, pair.call, plan.expected[name].tool)


def _too_early(slot: Slot, call: int, first: str) -> Issue:
    return Issue("wrong_order", tool=slot.tool, call=call, expected=slot.expected, want=first, failing=True)


def call_issues(ready: ReadyCase, facts: Facts, tools: frozenset[str]) -> Iterator[Issue]:
    """What is wrong with calls by themselves: forbidden or unknown tools, failures."""
    if not facts.failed and not ready.forbid and (not tools or facts.by_tool.keys() <= tools):
        return
    last_failure: dict[str, int] = {}
    for index, call in enumerate(facts.calls):
        if call.tool in ready.forbid:
            yield Issue("forbidden_tool", tool=call.tool, call=index, failing=True)
        if tools and call.tool not in tools:
            yield Issue("unknown_tool", tool=call.tool, call=index)
        if call.error is not None:
            yield Issue("tool_error", tool=call.tool, call=index, got=call.error)
            last_failure[call.tool] = index
        else:
            last_failure.pop(call.tool, None)
    for tool, index in last_failure.items():
        yield Issue("unrecovered_error", tool=tool, call=index, got=facts.calls[index].error)


def agent_issues(case: Case, trajectory: Trajectory, missing: Sequence[str]) -> Iterator[Issue]:
    """What is wrong with the trajectory as a whole: budgets, keywords, an early end."""
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
    state: State = trajectory.state
    if state != "completed":
        yield Issue("agent_error", want=state, got=trajectory.error, failing=True)
