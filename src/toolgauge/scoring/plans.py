"""Expectations made ready for scoring, once per case: slots to fill, rules as functions, keywords folded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from toolgauge.core import Answer, Call, Case, ExpectedCall, Extra, JsonValue, Order, nfc, same
from toolgauge.matchers import NOTHING_BEFORE, Earlier, Fits, Rule, compile_rule

ANY_OTHER = "*"
"""In `forbid_args`: every argument that is not named otherwise."""

__all__ = ["ReadyCase", "ReadyPlan", "Slot", "as_data", "fit", "fold", "mixed_up", "ready"]


class Wanted(NamedTuple):
    """An argument that must be there. As a tuple it unpacks at once, where every trajectory passes."""

    name: str
    literal: Any
    """A text, number, boolean or null, or something that equals nothing."""
    fits: Fits | None
    """Says whether another value fits; None: what is the `same` as the literal does."""
    absent_fits: bool


NONE: frozenset[str] = frozenset()
NO_LITERAL = object()
MISSING = object()


class Slot(Struct, frozen=True):
    """A place for one call. `times` gives an expected call several of them."""

    tool: str
    expected: int
    """Index of the expected call in its plan."""
    required: bool
    rules: tuple[Wanted, ...] = ()
    """Arguments that must be there."""
    checks: tuple[tuple[str, Rule], ...] = ()
    """Arguments that must fit if they are there."""
    forbidden: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    """Indices of the expected calls that come before."""
    shown: dict[str, JsonValue] | None = None
    """The arguments it asks for as data, for people to read; None: it asks for none."""
    looks_back: bool = False
    """Whether some rule depends on the calls before."""
    restricted: bool = False
    """Whether anything but `rules` bears on the arguments."""
    literals: object = NO_LITERAL
    """Arguments that fit as a whole, where all rules are literals; else something that equals nothing."""
    alike: tuple[tuple[str, bool], ...] = ()
    """Of these the ones that are or look like a boolean, and whether they are: in Python `True` equals `1`."""

    def __post_init__(self) -> None:
        if self.checks or self.forbidden:
            force_setattr(self, "restricted", True)
        elif all(rule.fits is None for rule in self.rules):
            # The same values as are shown, and there are many of them.
            force_setattr(self, "literals", self.shown or {})
        alike = tuple([(rule.name, isinstance(rule.literal, bool)) for rule in self.rules if rule.literal in (0, 1)])
        force_setattr(self, "alike", alike)

    def earlier(self, calls: Sequence[Call], index: int) -> Earlier:
        """What the rules may know of the calls before the one at this index."""
        return Earlier(calls, index) if self.looks_back else NOTHING_BEFORE

    def unwelcome(self, args: Collection[str]) -> list[str]:
        """The arguments among these that are forbidden; `*` forbids all that no rule or check names."""
        if ANY_OTHER not in self.forbidden:
            return [name for name in self.forbidden if name in args]
        named = {rule.name for rule in self.rules} | {name for name, _ in self.checks}
        return [name for name in args if name not in named or name in self.forbidden]


def fit(slot: Slot, calls: Sequence[Call], index: int) -> float:
    """How well the arguments of a call fit a slot, from 0 to 1: the mean of its checks.

    An argument asked for counts 1 if it fits, a half if it is there with another value, 0 if it is missing. A
    forbidden argument, or one that fails its check, adds a 0; where they are in order they add nothing.
    """
    args = calls[index].args or {}
    if args == slot.literals and not (slot.alike and mixed_up(args, slot.alike)):
        return 1.0
    earlier = Earlier(calls, index) if slot.looks_back else NOTHING_BEFORE
    points = 0.0
    for name, literal, fits, absent_fits in slot.rules:
        value: Any = args.get(name, MISSING)
        # What is equal and of one class is the same; most values are told by that.
        if value == literal and value.__class__ is literal.__class__:
            points += 1.0
        elif value is MISSING:
            if absent_fits:
                points += 1.0
        elif same(literal, value) if fits is None else fits(value, earlier):
            points += 1.0
        else:
            points += 0.5
    total = len(slot.rules)
    if slot.restricted:
        total += len(slot.unwelcome(args))
        total += sum([name in args and not rule.fits(args[name], earlier) for name, rule in slot.checks])
    return points / total if total else 1.0


def mixed_up(args: Mapping[str, JsonValue], alike: Sequence[tuple[str, bool]]) -> bool:
    """Whether a boolean stands for a number, or a number for a boolean."""
    for name, boolean in alike:  # noqa: SIM110 - without a generator, where every trajectory passes
        if (args[name].__class__ is bool) is not boolean:
            return True
    return False


class ReadyPlan(Struct, frozen=True):
    """One plan of a case."""

    expected: tuple[ExpectedCall, ...]
    slots: tuple[Slot, ...]
    order: Order
    by_tool: dict[str, tuple[int, ...]]
    """Indices of the slots of each tool."""
    open_ended: frozenset[int] = frozenset()
    """Expected calls that may be made as often as the agent likes."""
    required: int = 0
    required_tools: frozenset[str] = frozenset()
    ordered: bool = False
    """Whether the order of the calls matters at all."""
    plain: bool = False
    """Whether every slot is required, in any order."""
    single: bool = False
    """Whether every slot has a tool of its own."""

    def __post_init__(self) -> None:
        needed = [slot.tool for slot in self.slots if slot.required]
        force_setattr(self, "required", len(needed))
        force_setattr(self, "required_tools", frozenset(needed))
        ordered = self.order == "strict" or any(slot.after for slot in self.slots)
        force_setattr(self, "ordered", ordered)
        plain = len(self.slots) == len(needed) > 0 and not ordered and not self.open_ended
        force_setattr(self, "plain", plain)
        force_setattr(self, "single", len(self.by_tool) == len(self.slots))

    def for_calls(self, by_tool: Mapping[str, Sequence[int]]) -> ReadyPlan:
        """The plan with slots enough for these calls."""
        if not self.open_ended:
            return self
        slots: list[Slot] = []
        for index, slot in enumerate(self.slots):
            slots.append(slot)
            last = index + 1 == len(self.slots) or self.slots[index + 1].expected != slot.expected
            if last and slot.expected in self.open_ended:
                slots.extend([_optional(slot)] * len(by_tool.get(slot.tool, ())))
        return ReadyPlan(self.expected, tuple(slots), self.order, _by_tool(slots))


def _optional(slot: Slot) -> Slot:
    return replace(slot, required=False)


def _by_tool(slots: Sequence[Slot]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for index, slot in enumerate(slots):
        found.setdefault(slot.tool, []).append(index)
    return {tool: tuple(indices) for tool, indices in found.items()}


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
    watched: bool
    """Whether tools are forbidden or a budget is set."""
    answer: Callable[[str | None], Answer] | None
    """Judges the final answer; None: the case states none."""
    quick: ReadyPlan | None
    """The plan of a plain case, which has a short way of being scored."""


def fold(text: str) -> str:
    """A text as keywords are compared: normal form C, without case."""
    return nfc(text).casefold()


def ready(case: Case) -> ReadyCase:
    """Make a case ready for scoring."""
    expect = case.expect
    plans = tuple([_plan(plan.calls, plan.order or expect.order, case.locale) for plan in expect.plans])
    return ReadyCase(
        case=case,
        plans=plans,
        neutral=frozenset(expect.neutral) if expect.neutral else NONE,
        forbid=frozenset(expect.forbid) if expect.forbid else NONE,
        extra=expect.extra,
        keywords=tuple([fold(text) for text in expect.contains]),
        watched=bool(expect.forbid) or case.budget is not None,
        answer=_answer(case),
        quick=_quick(case, plans),
    )


def _answer(case: Case) -> Callable[[str | None], Answer] | None:
    if case.expect.answer is None:
        return None
    from toolgauge.answers import prepare  # many patterns, for the cases that need them

    return prepare(case.expect.answer, locale=case.locale, now=case.now)


def _quick(case: Case, plans: Sequence[ReadyPlan]) -> ReadyPlan | None:
    expect = case.expect
    beyond = expect.neutral or expect.forbid or expect.contains or expect.extra != "penalise"
    if beyond or expect.answer is not None or case.budget is not None or len(plans) != 1:
        return None
    return plans[0] if plans[0].plain else None


def _plan(expected: tuple[ExpectedCall, ...], order: Order, locale: str | None) -> ReadyPlan:
    named = {call.id: index for index, call in enumerate(expected) if call.id is not None}
    slots: list[Slot] = []
    open_ended = set()
    for index, call in enumerate(expected):
        needed, most = call.least, call.most
        if most is None:
            open_ended.add(index)
        # An open-ended call has at least one slot, which tells where in the order the others belong.
        total = max(needed, 1) if most is None else most
        slot = _slot(call, index, tuple([named[name] for name in call.after]), locale)
        slots += [slot] * min(needed, total)
        slots += [_optional(slot) for _ in range(needed, total)]
    return ReadyPlan(expected, tuple(slots), order, _by_tool(slots), frozenset(open_ended))


def _slot(call: ExpectedCall, index: int, after: tuple[int, ...], locale: str | None) -> Slot:
    rules = {name: _compiled(rule, locale) for name, rule in call.args.items()}
    checks = {name: compile_rule(rule, locale) for name, rule in call.check.items()} if call.check else {}
    compiled = [rule for rule in (*rules.values(), *checks.values()) if rule is not None]
    return Slot(
        # One text for all slots of a tool, which is at hand wherever one of them is looked at.
        intern(call.tool),
        index,
        True,
        tuple([_wanted(name, call.args[name], rule) for name, rule in rules.items()]),
        tuple(checks.items()),
        call.forbid_args,
        after,
        _shown(call.args),
        any(rule.looks_back for rule in compiled),
    )


def _compiled(rule: JsonValue, locale: str | None) -> Rule | None:
    """What a rule means; None where it is a text, number, boolean or null, which means itself."""
    return None if rule is None or isinstance(rule, (str, int, float)) else compile_rule(rule, locale)


def _wanted(name: str, written: JsonValue, rule: Rule | None) -> Wanted:
    return Wanted(name, written, None, False) if rule is None else Wanted(name, NO_LITERAL, rule.fits, rule.absent_fits)


def _shown(args: dict[str, JsonValue]) -> dict[str, JsonValue] | None:
    """Arguments as data; None where there are none. They are copied only where that makes a difference."""
    if any(map(callable, args.values())):
        return {name: as_data(rule) for name, rule in args.items()}
    return args or None


def as_data(rule: object) -> JsonValue:
    """A rule as data: a Python callable is named."""
    if callable(rule):
        return f"{getattr(rule, '__name__', type(rule).__name__)}()"
    return cast(JsonValue, rule)
