"""Expectations of one case that contradict each other, or that say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Case, ExpectedCall, Finding, JsonValue, Plan, Severity, nfc
from toolgauge.files import Path
from toolgauge.matchers import NOTHING_BEFORE, compile_rule, is_literal

from .walk import calls_of, plans_of

__all__ = ["contradictions"]


def contradictions(case: Case) -> Iterator[Finding]:
    """Everything in a case that contradicts itself or has no effect."""
    for path, call in calls_of(case):
        yield from _tool_wanted_and_not(case, path, call)
        yield from _argument_wanted_and_not(case, path, call)
        yield from _two_rules(case, path, call)
        if call.max_calls == 0:
            yield Finding("never_welcome", "warning", case.id, (*path, "times"), {"tool": call.tool})
    for path, plan in plans_of(case):
        yield from _orders(case, path, plan)
        if not plan.calls and case.expect.extra == "allow":
            yield Finding("extra_allows_all", "warning", case.id, (*path, "calls"))
    yield from _neutral_and_forbidden(case)
    yield from _too_many_required(case)
    yield from _texts(case)


def _tool_wanted_and_not(case: Case, path: Path, call: ExpectedCall) -> Iterator[Finding]:
    values: dict[str, JsonValue] = {"tool": call.tool}
    if call.tool in case.expect.forbid:
        severity: Severity = "error" if call.min_calls else "warning"
        yield Finding("expected_and_forbidden", severity, case.id, (*path, "tool"), values)
    if call.tool in case.expect.neutral:
        yield Finding("expected_and_neutral", "hint", case.id, (*path, "tool"), values)


def _neutral_and_forbidden(case: Case) -> Iterator[Finding]:
    for index, tool in enumerate(case.expect.neutral):
        if tool in case.expect.forbid:
            yield Finding("neutral_and_forbidden", "warning", case.id, ("expect", "neutral", index), {"tool": tool})


def _argument_wanted_and_not(case: Case, path: Path, call: ExpectedCall) -> Iterator[Finding]:
    for index, name in enumerate(call.forbid_args):
        place = (*path, "forbid_args", index)
        values: dict[str, JsonValue] = {"tool": call.tool, "argument": name}
        if name in call.args and not compile_rule(call.args[name], case.locale).absent_fits:
            yield Finding("arg_expected_and_forbidden", "error", case.id, place, {**values, "key": "args"})
        elif name in call.args or name in call.check:
            key = "args" if name in call.args else "check"
            yield Finding("arg_expected_and_forbidden", "warning", case.id, place, {**values, "key": key})


def _two_rules(case: Case, path: Path, call: ExpectedCall) -> Iterator[Finding]:
    """Arguments with a rule in `args` and another in `check`."""
    for name in [name for name in call.args if name in call.check]:
        place = (*path, "check", name)
        values: dict[str, JsonValue] = {"tool": call.tool, "argument": name}
        fixed, rule = call.args[name], compile_rule(call.check[name], case.locale)
        if not is_literal(fixed) or rule.looks_back:
            continue
        if rule.fits(fixed, NOTHING_BEFORE):
            yield Finding("check_on_fixed_arg", "hint", case.id, place, values)
        else:
            yield Finding("check_contradicts_arg", "error", case.id, place, {**values, "value": fixed})


def _orders(case: Case, path: Path, plan: Plan) -> Iterator[Finding]:
    """Calls of a strict order that have to come after one listed behind them."""
    if (plan.order or case.expect.order) != "strict":
        return
    positions = {call.id: index for index, call in enumerate(plan.calls) if call.id is not None}
    for index, call in enumerate(plan.calls):
        for number, name in enumerate(call.after):
            if positions.get(name, -1) > index:
                both = call.min_calls and plan.calls[positions[name]].min_calls
                place = (*path, "calls", index, "after", number)
                values: dict[str, JsonValue] = {"tool": call.tool, "id": name}
                yield Finding("order_contradiction", "error" if both else "warning", case.id, place, values)


def _too_many_required(case: Case) -> Iterator[Finding]:
    """More calls required, by every plan, than the case allows."""
    plans = case.expect.plans
    if not plans:
        return
    needed = min(sum(call.min_calls for call in plan.calls) for plan in plans)
    if case.budget is not None and case.budget.calls is not None and needed > case.budget.calls:
        values: dict[str, JsonValue] = {"needed": needed, "allowed": case.budget.calls}
        yield Finding("too_many_required", "warning", case.id, ("budget", "calls"), values)
    if case.limits is not None and case.limits.calls is not None and needed > case.limits.calls:
        values = {"needed": needed, "allowed": case.limits.calls}
        yield Finding("too_many_required", "error", case.id, ("limits", "calls"), values)


def _texts(case: Case) -> Iterator[Finding]:
    """Texts that every answer holds, and texts that are part of another one."""
    folded = [nfc(text).casefold() for text in case.expect.contains]
    for index, text in enumerate(folded):
        place = ("expect", "contains", index)
        if not text.strip():
            yield Finding("empty_text", "warning", case.id, place)
            continue
        for other, longer in enumerate(folded):
            if other != index and text in longer and (text != longer or other < index):
                written = case.expect.contains
                values: dict[str, JsonValue] = {"text": written[index], "other": written[other]}
                yield Finding("repeated_text", "hint", case.id, place, values)
                break
