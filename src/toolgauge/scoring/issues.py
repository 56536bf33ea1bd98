"""The named faults of a trajectory, as data. Words are made when somebody reads them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from toolgauge.core import Answer, Call, Case, Issue, JsonValue, State, Trajectory, same

from .alignment import Aligned
from .facts import Facts
from .plans import ReadyCase, ReadyPlan, Slot, as_data

__all__ = [
    "agent_issues",
    "argument_issues",
    "argument_score",
    "call_issues",
    "extra_call_issues",
    "missing_call",
    "missing_calls",
    "order_issues",
]


def missing_call(tool: str, expected: int, shown: JsonValue) -> Issue:
    """A call is required, and was not made."""
    return Issue("missing_call", tool, None, None, expected, shown, None, True)


def missing_calls(plan: ReadyPlan, filled: Container[int]) -> list[Issue]:
    """Required slots that no call fills."""
    return [
        missing_call(slot.tool, slot.expected, slot.shown)
        for index, slot in enumerate(plan.slots)
        if slot.required and index not in filled
    ]


def argument_issues(plan: ReadyPlan, slot: Slot, calls: Sequence[Call], index: int) -> list[Issue]:
    """What is wrong with the arguments of a call that fills a slot."""
    tool, expected = slot.tool, slot.expected
    wanted = plan.expected[expected]
    args = calls[index].args or {}
    earlier = slot.earlier(calls, index)
    issues = []
    for name, literal, fits, absent_fits in slot.rules:
        if name in args:
            value = args[name]
            # What is equal and of one class is the same; most values are told by that.
            if value == literal and value.__class__ is literal.__class__:
                continue
            if not (same(literal, value) if fits is None else fits(value, earlier)):
                issues.append(Issue("wrong_arg", tool, name, index, expected, as_data(wanted.args[name]), value))
        elif not absent_fits:
            issues.append(Issue("missing_arg", tool, name, index, expected, as_data(wanted.args[name])))
    if slot.restricted:
        for name in slot.unwelcome(args):
            issues.append(Issue("forbidden_arg", tool, name, index, expected, got=args[name]))
        for name, rule in slot.checks:
            if name in args and not rule.fits(args[name], earlier):
                issues.append(
                    Issue("invalid_arg", tool, name, index, expected, as_data(wanted.check[name]), args[name])
                )
    return issues


def argument_score(slot: Slot, issues: Sequence[Issue]) -> float:
    """How well the arguments of a call fit a slot, by what is wrong with them; as `fit` has it."""
    points, total = float(len(slot.rules)), len(slot.rules)
    for issue in issues:
        if issue.kind == "wrong_arg":
            points -= 0.5
        elif issue.kind == "missing_arg":
            points -= 1.0
        else:
            total += 1
    return points / total if total else 1.0


def extra_call_issues(
    calls: Sequence[Call], extra: Sequence[int], repeats: Mapping[int, int], *, forbidden: bool
) -> list[Issue]:
    """Calls that answer nothing: repeated ones, and ones that nobody asked for."""
    return [
        Issue("duplicate_call", calls[index].tool, call=index, got=repeats[index])
        if index in repeats
        else Issue("unexpected_call", calls[index].tool, call=index, failing=forbidden)
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
            if sum(other < call for other in others) < min(len(others), max(plan.expected[name].least, 1)):
                yield _too_early(plan.slots[slot], call, plan.expected[name].tool)


def _too_early(slot: Slot, call: int, first: str) -> Issue:
    return Issue("wrong_order", tool=slot.tool, call=call, expected=slot.expected, want=first, failing=True)


def call_issues(ready: ReadyCase, facts: Facts) -> Iterator[Issue]:
    """What is wrong with calls by themselves: forbidden tools, failures."""
    last_failure: dict[str, int] = {}
    for index, call in enumerate(facts.calls):
        if call.tool in ready.forbid:
            yield Issue("forbidden_tool", tool=call.tool, call=index, failing=True)
        if call.error is not None:
            yield Issue("tool_error", tool=call.tool, call=index, got=call.error)
            last_failure[call.tool] = index
        else:
            last_failure.pop(call.tool, None)
    for tool, index in last_failure.items():
        yield Issue("unrecovered_error", tool=tool, call=index, got=facts.calls[index].error)


def agent_issues(case: Case, trajectory: Trajectory, missing: Sequence[str], answer: Answer | None) -> Iterator[Issue]:
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
        yield Issue("wrong_answer", want=cast(JsonValue, case.expect.answer), got=answer.found, failing=True)
    state: State = trajectory.state
    if state != "completed":
        yield Issue("agent_error", want=state, got=trajectory.error, failing=True)
