"""Alternative plans that can never count: the same as another, or never better than another.

A plan is unreachable only where that can be proven for every trajectory. Another plan, in which the order is free,
is never worse when, tool by tool,

- it expects the same calls; or as many, without a word about their arguments; or the same with arguments that accept
  more values (where every such call is required, or there is one only, so that no call can be drawn away from it);
- and the calls of tools that the first plan does not expect are all optional, without a word about their arguments.

Then it pairs at least as many calls, with arguments that fit at least as well, and has no more issues. Fewer checks of
a call are not enough: the score of its arguments is a mean, which a check that passes raises. A plan with more required
calls is not enough either: it makes those calls welcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from toolgauge.core import Case, ExpectedCall, Finding, JsonValue, Plan, identity
from toolgauge.matchers import ANY, ONE_OF, compile_rule, read_matcher

__all__ = ["alternatives", "never_worse"]


def alternatives(case: Case) -> Iterator[Finding]:
    """Plans of `any_of` that are there in vain."""
    plans = [Plan(plan.calls, plan.order or case.expect.order) for plan in case.expect.any_of]
    for index, plan in enumerate(plans):
        place = ("expect", "any_of", index)
        twin = next((other for other in range(index) if _same(plans[other], plan)), None)
        if twin is not None:
            yield Finding("same_plan", "warning", case.id, place, {"other": twin})
            continue
        better = next((other for other in range(len(plans)) if _beats(plans, other, index)), None)
        if better is not None:
            yield Finding("unreachable_plan", "warning", case.id, place, {"other": better})


def _beats(plans: Sequence[Plan], other: int, index: int) -> bool:
    """Whether a plan is to be blamed for another; of two that are as good as each other the first one stays."""
    if other == index or _same(plans[other], plans[index]) or not never_worse(plans[other], plans[index]):
        return False
    return other < index or not never_worse(plans[index], plans[other])


def _same(left: Plan, right: Plan) -> bool:
    if _ordered(left) or _ordered(right):
        return left.order == right.order and _in_order(left) == _in_order(right)
    return Counter(map(_key, _welcome(left))) == Counter(map(_key, _welcome(right)))


def _ordered(plan: Plan) -> bool:
    return plan.order == "strict" or any(call.after for call in plan.calls)


def _in_order(plan: Plan) -> list[Hashable]:
    """The calls in the order listed, each with the positions of those it comes after."""
    positions = {call.id: index for index, call in enumerate(plan.calls) if call.id is not None}
    return [(_key(call), frozenset(positions.get(name) for name in call.after)) for call in plan.calls]


def _key(call: ExpectedCall) -> Hashable:
    """Equal for calls that expect the same."""
    forbidden = frozenset(call.forbid_args)
    return call.tool, call.min_calls, call.max_calls, identity(call.args), identity(call.check), forbidden


def _welcome(plan: Plan) -> list[ExpectedCall]:
    """The calls without those that `times` sets to none at all."""
    return [call for call in plan.calls if call.max_calls != 0]


def never_worse(plan: Plan, other: Plan) -> bool:
    """Whether a plan provably scores at least as well as the other one, and passes wherever it does.

    Args:
        plan: The plan that may be the better one; its order is stated.
        other: The plan that may be there in vain.
    """
    if _ordered(plan) or not _welcome(other):
        return False
    mine, theirs = _by_tool(plan), _by_tool(other)
    return theirs.keys() <= mine.keys() and all(
        _covers(calls, theirs[tool]) if tool in theirs else all(_free(call) and not call.min_calls for call in calls)
        for tool, calls in mine.items()
    )


def _by_tool(plan: Plan) -> dict[str, list[ExpectedCall]]:
    found: dict[str, list[ExpectedCall]] = {}
    for call in _welcome(plan):
        found.setdefault(call.tool, []).append(call)
    return found


def _free(call: ExpectedCall) -> bool:
    """Whether nothing is said about the arguments."""
    return not (call.args or call.check or call.forbid_args)


def _covers(calls: Sequence[ExpectedCall], others: Sequence[ExpectedCall]) -> bool:
    """Whether calls of one tool are answered at least as well as others, whatever was called."""
    if Counter(map(_key, calls)) == Counter(map(_key, others)):
        return True
    if Counter((call.min_calls, call.max_calls) for call in calls) != Counter(
        (call.min_calls, call.max_calls) for call in others
    ):
        return False
    if all(map(_free, calls)):
        return True
    fixed = len(calls) == 1 or all(call.min_calls == call.max_calls for call in calls)
    return fixed and all(_accepts_more(call, other) for call, other in zip(calls, others, strict=True))


def _accepts_more(call: ExpectedCall, other: ExpectedCall) -> bool:
    return (
        (call.min_calls, call.max_calls) == (other.min_calls, other.max_calls)
        and call.args.keys() == other.args.keys()
        and identity(call.check) == identity(other.check)
        and set(call.forbid_args) == set(other.forbid_args)
        and all(_wider(rule, other.args[name]) for name, rule in call.args.items())
    )


def _wider(rule: JsonValue, other: JsonValue) -> bool:
    """Whether a rule accepts everything that the other one accepts."""
    found = read_matcher(rule)
    if found is not None and found[0] is ANY and not compile_rule(other).absent_fits:
        return True
    return _options(other) <= _options(rule)


def _options(rule: JsonValue) -> set[Hashable]:
    found = read_matcher(rule)
    if found is not None and found[0] is ONE_OF and isinstance(found[1], list):
        return {identity(option) for option in found[1]}
    return {identity(rule)}
