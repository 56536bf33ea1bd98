"""Expectations made ready for scoring, once per case: slots to fill, rules as functions, keywords folded."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from toolgauge.core import Call, Case, ExpectedCall, Extra, JsonValue, Order, nfc
from toolgauge.matching import NOTHING_BEFORE, Earlier, Rule, compile_rule

ANY_OTHER = "*"
"""In `forbid_args`: every argument that is not named otherwise."""

__all__ = ["ReadyCase", "ReadyPlan", "Slot", "fit", "fold", "ready"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one call. `times` gives an expected call several of them."""

    tool: str
    expected: int
    """Index of the expected call in its plan."""
    required: bool
    rules: tuple[tuple[str, Rule], ...] = ()
    """Arguments that must be there."""
    checks: tuple[tuple[str, Rule], ...] = ()
    """Arguments that must fit if they are there."""
    forbidden: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    """Indices of the expected calls that come before."""
    restricted: bool = field(init=False)
    """Whether anything but `rules` bears on the arguments."""
    looks_back: bool = field(init=False)
    """Whether some rule depends on the calls before."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "restricted", bool(self.checks or self.forbidden))
        object.__setattr__(self, "looks_back", any(rule.looks_back for _, rule in (*self.rules, *self.checks)))

    def earlier(self, calls: Sequence[Call], index: int) -> Earlier:
        """What the rules may know of the calls before the one at this index."""
        return Earlier(calls, index) if self.looks_back else NOTHING_BEFORE

    def unwelcome(self, args: Collection[str]) -> list[str]:
        """The arguments among these that are forbidden; `*` forbids all that no rule or check names."""
        if ANY_OTHER not in self.forbidden:
            return [name for name in self.forbidden if name in args]
        named = {name for name, _ in (*self.rules, *self.checks)} - {*self.forbidden}
        return [name for name in args if name not in named]


def fit(slot: Slot, calls: Sequence[Call], index: int) -> float:
    """How well the arguments of a call fit a slot, from 0 to 1: the mean of its checks.

    An argument asked for counts 1 if it fits, a half if it is there with another value, 0 if it is missing. A
    forbidden argument, or one that fails its check, adds a 0; where they are in order they add nothing.
    """
    args = calls[index].args or {}
    earlier = slot.earlier(calls, index) if slot.looks_back else NOTHING_BEFORE
    points = 0.0
    for name, rule in slot.rules:
        if name in args:
            points += 1.0 if rule.fits(args[name], earlier) else 0.5
        elif rule.absent_fits:
            points += 1.0
    total = len(slot.rules)
    if slot.restricted:
        total += len(slot.unwelcome(args))
        total += sum([name in args and not rule.fits(args[name], earlier) for name, rule in slot.checks])
    return points / total if total else 1.0


@dataclass(frozen=True, slots=True)
class ReadyPlan:
    """One plan of a case."""

    expected: tuple[ExpectedCall, ...]
    slots: tuple[Slot, ...]
    order: Order
    by_tool: dict[str, tuple[int, ...]]
    """Indices of the slots of each tool."""
    open_ended: frozenset[int] = frozenset()
    """Expected calls that may be made as often as the agent likes."""
    required: int = field(init=False)
    required_tools: frozenset[str] = field(init=False)
    ordered: bool = field(init=False)
    """Whether the order of the calls matters at all."""

    def __post_init__(self) -> None:
        needed = [slot.tool for slot in self.slots if slot.required]
        object.__setattr__(self, "required", len(needed))
        object.__setattr__(self, "required_tools", frozenset(needed))
        object.__setattr__(self, "ordered", self.order == "strict" or any(slot.after for slot in self.slots))

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
    return Slot(slot.tool, slot.expected, False, slot.rules, slot.checks, slot.forbidden, slot.after)


def _by_tool(slots: Sequence[Slot]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for index, slot in enumerate(slots):
        found.setdefault(slot.tool, []).append(index)
    return {tool: tuple(indices) for tool, indices in found.items()}


@dataclass(frozen=True, slots=True)
class ReadyCase:
    """A case ready for scoring."""

    case: Case
    plans: tuple[ReadyPlan, ...]
    """Empty: nothing is said about tools."""
    neutral: frozenset[str]
    forbid: frozenset[str]
    extra: Extra
    keywords: tuple[str, ...]
    """Texts that the answer has to hold, folded like it."""


def fold(text: str) -> str:
    """A text as keywords are compared: normal form C, without case."""
    return nfc(text).casefold()


def ready(case: Case) -> ReadyCase:
    """Make a case ready for scoring."""
    expect = case.expect
    plans = tuple(_plan(plan.calls, plan.order or expect.order, case.locale) for plan in expect.plans)
    return ReadyCase(
        case=case,
        plans=plans,
        neutral=frozenset(expect.neutral),
        forbid=frozenset(expect.forbid),
        extra=expect.extra,
        keywords=tuple(fold(text) for text in expect.contains),
    )


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
        rules, checks = _rules(call.args, locale), _rules(call.check, locale)
        after = tuple(named[name] for name in call.after)
        slots.extend(
            Slot(call.tool, index, number < needed, rules, checks, call.forbid_args, after) for number in range(total)
        )
    return ReadyPlan(expected, tuple(slots), order, _by_tool(slots), frozenset(open_ended))


def _rules(rules: dict[str, JsonValue], locale: str | None) -> tuple[tuple[str, Rule], ...]:
    return tuple((name, compile_rule(rule, locale)) for name, rule in rules.items())
