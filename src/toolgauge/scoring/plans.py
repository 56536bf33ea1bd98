"""Expectations made ready for scoring, once per case: slots to fill, rules as functions, keywords folded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import (
    ANY_OTHER,
    Answer,
    Call,
    Case,
    ExpectedCall,
    Extra,
    IssueKind,
    JsonValue,
    Order,
    Settings,
    Trajectory,
    nfc,
)
from toolgauge.matchers import NOTHING_BEFORE, Earlier, Rule, compile_rule, name_rule

from .answering import answer_scorer
from .failing import Failing, failing_issues

__all__ = [
    "ArgumentFault",
    "ReadyCase",
    "ReadyPlan",
    "Slot",
    "argument_faults",
    "argument_score",
    "as_data",
    "fold",
    "make_ready",
]


class Slot(Struct, frozen=True):
    """A place for one call. `times` gives an expected call several of them."""

    tool: str
    expected: int
    """Index of the expected call in its plan."""
    required: bool
    rules: tuple[tuple[str, Rule], ...]
    """Arguments that must be there."""
    checks: tuple[tuple[str, Rule], ...]
    """Arguments that must fit if they are there."""
    forbidden: tuple[str, ...]
    after: tuple[int, ...]
    """Indices of the expected calls that come before."""
    looks_back: bool
    """Whether some rule depends on the calls before."""
    shown: dict[str, JsonValue]
    """The arguments it asks for as data, for people to read."""

    def unwelcome(self, args: Collection[str]) -> list[str]:
        """The arguments among these that are forbidden; `*` forbids all that no rule or check names."""
        if ANY_OTHER not in self.forbidden:
            return [name for name in self.forbidden if name in args]
        named = {name for name, _ in (*self.rules, *self.checks)}
        return [name for name in args if name not in named or name in self.forbidden]


ArgumentFault = tuple[IssueKind, str]
"""What is wrong with an argument, and its name."""


def argument_faults(slot: Slot, calls: Sequence[Call], index: int) -> list[ArgumentFault]:
    """What is wrong with the arguments of a call, if it fills a slot."""
    args = calls[index].args or {}
    earlier = Earlier(calls, index) if slot.looks_back else NOTHING_BEFORE
    faults: list[ArgumentFault] = []
    for name, rule in slot.rules:
        if name in args:
            if not rule.fits(args[name], earlier):
                faults.append(("wrong_arg", name))
        elif not rule.absent_fits:
            faults.append(("missing_arg", name))
    if slot.forbidden:
        faults += [("forbidden_arg", name) for name in slot.unwelcome(args)]
    for name, rule in slot.checks:
        if name in args and not rule.fits(args[name], earlier):
            faults.append(("invalid_arg", name))
    return faults


def argument_score(slot: Slot, calls: Sequence[Call], index: int) -> float:
    """How well the arguments of a call fit a slot, from 0 to 1: the mean of its checks.

    An argument asked for counts 1 if it fits, a half if it is there with another value, 0 if it is missing. A
    forbidden argument, or one that fails its check, adds a 0; where they are in order they add nothing.
    """
    faults = argument_faults(slot, calls, index)
    if not faults:
        return 1.0
    points, total = float(len(slot.rules)), len(slot.rules)
    for kind, _ in faults:
        if kind == "wrong_arg":
            points -= 0.5
        elif kind == "missing_arg":
            points -= 1.0
        else:
            total += 1
    return points / total


class ReadyPlan(Struct, frozen=True):
    """One plan of a case."""

    expected: tuple[ExpectedCall, ...]
    slots: tuple[Slot, ...]
    order: Order
    open_ended: frozenset[int]
    """Expected calls that may be made as often as the agent likes."""
    by_tool: dict[str, tuple[int, ...]]
    """Indices of the slots of each tool."""
    required: int
    """How many slots have to be filled."""
    required_tools: frozenset[str]
    ordered: bool
    """Whether the order of the calls matters at all."""

    def for_calls(self, by_tool: Mapping[str, Sequence[int]]) -> ReadyPlan:
        """The plan with slots enough for these calls."""
        if not self.open_ended:
            return self
        slots: list[Slot] = []
        for index, slot in enumerate(self.slots):
            slots.append(slot)
            last = index + 1 == len(self.slots) or self.slots[index + 1].expected != slot.expected
            if last and slot.expected in self.open_ended:
                slots.extend([replace(slot, required=False)] * len(by_tool.get(slot.tool, ())))
        return _make_plan(self.expected, slots, self.order, frozenset())


class ReadyCase(Struct, frozen=True):
    """A case ready for scoring."""

    case: Case
    plans: tuple[ReadyPlan, ...]
    """Empty: nothing is said about tools."""
    neutral: frozenset[str]
    forbid: frozenset[str]
    extra: Extra
    keywords: tuple[str, ...]
    """Texts that the answer has to hold, folded like it."""
    answer: Callable[[Trajectory], Answer] | None
    """Judges the final answer; None: the case states none."""
    settings: Settings
    """The settings of the case."""
    failing: Failing
    """The issues that fail the case, whatever its score."""


def fold(text: str) -> str:
    """A text as keywords are compared: normal form C, without case."""
    return nfc(text).casefold()


def make_ready(case: Case, settings: Settings, changing: frozenset[str]) -> ReadyCase:
    """Make a case ready for scoring.

    Args:
        case: The case.
        settings: The settings of its suite.
        changing: The tools that change things.
    """
    expect = case.expect
    settings = settings.for_case(case)
    return ReadyCase(
        case=case,
        plans=tuple(_plan(plan.calls, plan.order or expect.order, case.locale) for plan in expect.plans),
        neutral=frozenset(expect.neutral),
        forbid=frozenset(expect.forbid),
        extra=expect.extra,
        keywords=tuple(fold(text) for text in expect.contains),
        answer=answer_scorer(case),
        settings=settings,
        failing=failing_issues(case, settings, changing),
    )


def _plan(expected: tuple[ExpectedCall, ...], order: Order, locale: str | None) -> ReadyPlan:
    named = {call.id: index for index, call in enumerate(expected) if call.id is not None}
    slots: list[Slot] = []
    open_ended = set()
    for index, call in enumerate(expected):
        needed, welcome = call.min_calls, call.max_calls
        if welcome is None:
            open_ended.add(index)
        # An open-ended call has at least one slot, which tells where in the order the others belong.
        total = max(needed, 1) if welcome is None else welcome
        slot = _slot(call, index, tuple(named[name] for name in call.after), locale)
        slots += [slot] * min(needed, total)
        slots += [replace(slot, required=False)] * (total - needed)
    return _make_plan(expected, slots, order, frozenset(open_ended))


def _make_plan(
    expected: tuple[ExpectedCall, ...], slots: Sequence[Slot], order: Order, open_ended: frozenset[int]
) -> ReadyPlan:
    by_tool: dict[str, list[int]] = {}
    for index, slot in enumerate(slots):
        by_tool.setdefault(slot.tool, []).append(index)
    required = [slot.tool for slot in slots if slot.required]
    return ReadyPlan(
        expected=expected,
        slots=tuple(slots),
        order=order,
        open_ended=open_ended,
        by_tool={tool: tuple(indices) for tool, indices in by_tool.items()},
        required=len(required),
        required_tools=frozenset(required),
        ordered=order == "strict" or any(slot.after for slot in slots),
    )


def _slot(call: ExpectedCall, index: int, after: tuple[int, ...], locale: str | None) -> Slot:
    rules = tuple((name, compile_rule(rule, locale)) for name, rule in call.args.items())
    checks = tuple((name, compile_rule(rule, locale)) for name, rule in call.check.items())
    return Slot(
        tool=call.tool,
        expected=index,
        required=True,
        rules=rules,
        checks=checks,
        forbidden=call.forbid_args,
        after=after,
        looks_back=any(rule.looks_back for _, rule in (*rules, *checks)),
        shown={name: as_data(rule) for name, rule in call.args.items()},
    )


def as_data(rule: object) -> JsonValue:
    """A rule as data: a Python callable is named, wherever it stands."""
    if callable(rule):
        return name_rule(rule)
    if isinstance(rule, dict):
        return {key: as_data(item) for key, item in rule.items()}
    return [as_data(item) for item in rule] if isinstance(rule, list) else cast(JsonValue, rule)
