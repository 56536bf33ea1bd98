"""Small cases and trajectories at random, drawn by hypothesis or by a seeded generator.

One description serves both: it only ever asks to pick one of several things. Tools, arguments and values are few, so
that ties, duplicates and conflicts are frequent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from toolgauge.core import (
    ISSUE_KINDS,
    Annotations,
    Budget,
    Call,
    Case,
    CaseSettings,
    Expect,
    ExpectedCall,
    Extra,
    Failed,
    IssueKind,
    JsonValue,
    Order,
    PassRule,
    Plan,
    Settings,
    State,
    Times,
    ToolDefinition,
    Trajectory,
    Usage,
    Weights,
)

T = TypeVar("T")

TOOLS = ("a", "b", "c", "d")
ARGUMENTS = ("x", "y", "z")
VALUES: tuple[JsonValue, ...] = (1, 1.0, True, "1", 2, None, [1, 2], {"k": 1})
RESULTS: tuple[JsonValue, ...] = (None, 1, "1 of 2", [2, {"k": 1}], {"k": ["1", True]})
LITERALS: tuple[JsonValue, ...] = (*VALUES, 1, 2)
MATCHERS: dict[str, tuple[tuple[JsonValue, tuple[JsonValue, ...]], ...]] = {
    "$literal": (
        ({"$literal": {"k": {"$any": True}}}, ({"k": {"$any": True}}, {"k": 1})),
        ({"$literal": 1}, VALUES),
    ),
    "$any": (({"$any": True}, VALUES),),
    "$one_of": (
        ({"$one_of": [1, "1"]}, (1, "1", 2)),
        ({"$one_of": [2, {"$absent": True}]}, (2, 1)),
        ({"k": {"$one_of": [1, 2]}}, ({"k": 1}, {"k": 3})),
        ([1, {"$any": True}], ([1, 2], [2, 1])),
    ),
    "$not": (({"$not": 1}, VALUES), ({"$not": {"$one_of": [1, [1, 2]]}}, VALUES)),
    "$absent": (({"$absent": True}, (1, None)),),
    "$default": (({"$default": 1}, (1, 2)), ({"k": {"$default": 1}}, ({"k": 1}, {}, {"k": 2}))),
    "$regex": (({"$regex": "^[0-9]$"}, ("1", "12", 1)),),
    "$contains": (({"$contains": "1"}, ("1", "0.1", ["1"], [1])), ({"$contains": [1, 2]}, ([2, 1, 0], [1]))),
    "$approx": (({"$approx": {"value": 1, "abs": 0.5}}, (1, 1.25, 2, True)),),
    "$range": (
        ({"$range": [1, 2]}, (1, 1.5, 3, "1")),
        ({"$range": {"max": "2025-01"}}, ("2025-01-31", "ngày 31 tháng 1 năm 2025", "2025-02-01")),
    ),
    "$date": (
        ({"$date": "2025-01-02"}, ("2025-01-02", "02/01/2025", "January 2, 2025", "2025-01")),
        (
            {"$date": {"value": "2025-01-02", "precision": "month"}},
            ("2025-01", "tháng 1/2025", "31/01/2025", "1/31/2025", 2025),
        ),
    ),
    "$set": (({"$set": [1, 2]}, ([2, 1], [1, 2, 2], [1], [1, 3])),),
    "$items": (({"$items": {"$range": [1, 2]}}, ([], [1, 2], [1, 3])),),
    "$partial": (({"$partial": {"k": 1}}, ({"k": 1, "l": 2}, {"l": 2})),),
    "$schema": (({"$schema": {"type": "integer", "minimum": 2}}, (1, 2, 2.0, "2")),),
    "$from": (({"$from": "a"}, (1, 2, "1", [1, 2], True)), ({"$from": ["b", "c"]}, (1, 2, "1", "of"))),
}
"""Rules of every matcher, and values near to what each asks for."""
KEYWORDS = ("Hà Nội", "Straße", "31")
OUTPUTS = ("HÀ NỘI: 31", "Ha\u0300 No\u0323\u0302i", "strasse 31", "nothing", "")
STATES: tuple[State, ...] = ("error", "timeout", "limit", "cancelled", "not_run")
WEIGHTS = (Weights(), Weights(), Weights(0.25, 0.25, 0.25, 0.25), Weights(0.0, 0.5, 0.5, 0.0))


class Dice(Protocol):
    """Anything that can pick one of several things."""

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        ...


@dataclass(frozen=True)
class SeededDice:
    """Picks with a seeded generator."""

    random: Random

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.random.choice(options)


@dataclass(frozen=True)
class DrawnDice:
    """Picks through hypothesis, which can then make a counterexample smaller."""

    draw: Any

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        chosen: T = self.draw(st.sampled_from(options))
        return chosen


@dataclass(frozen=True)
class Situation:
    """A case, what an agent did on it, and how it is to be scored."""

    case: Case
    trajectory: Trajectory
    settings: Settings
    tools: tuple[ToolDefinition, ...]


def seeded_situation(seed: int) -> Situation:
    """The situation that belongs to a seed."""
    return situation(SeededDice(Random(seed)))


@st.composite
def situations(draw: Any) -> Situation:
    """Any situation."""
    return situation(DrawnDice(draw))


@st.composite
def orderless_situations(draw: Any) -> Situation:
    """A situation with one plan, in any order, whose calls all worked and are all different."""
    dice = DrawnDice(draw)
    tools = TOOLS[: dice.pick((2, 2, 3, 4))]
    settled = tuple(name for name in MATCHERS if name != "$from")
    wanted = tuple(expected_call(dice, tools, index, 0, settled) for index in range(dice.pick(range(5))))
    made: list[Call] = []
    for each in calls(dice, tools, wanted):
        fresh = Call(each.tool, args={**(each.args or {}), "n": len(made)})
        made.append(fresh)
    case = Case("c1", expect=Expect(calls=wanted, extra=extra(dice), neutral=some(dice, tools, 0.2)))
    return Situation(case, Trajectory("c1", agent="agent", trial=1, calls=tuple(made)), Settings(), ())


@st.composite
def one_plan_situations(draw: Any) -> Situation:
    """A situation whose case has exactly one plan."""
    dice = DrawnDice(draw)
    tools = TOOLS[: dice.pick((2, 2, 3, 4))]
    wanted = expectations(dice, tools)
    case = Case("c1", expect=Expect(calls=wanted, extra=extra(dice), neutral=some(dice, tools, 0.2)))
    return Situation(case, trajectory(dice, case, tools, wanted), Settings(), ())


def situation(dice: Dice, *, case_id: str = "c1") -> Situation:
    """A situation with every feature that scoring knows."""
    tools = TOOLS[: dice.pick((2, 2, 3, 4))]
    case = any_case(dice, tools, case_id)
    plans = [plan.calls for plan in case.expect.any_of] or [case.expect.calls or ()]
    settings = Settings(
        dice.pick(WEIGHTS),
        threshold=dice.pick((0.8, 0.8, 0.0, 0.5, 1.0)),
        passing=dice.pick(PASS_RULES),
        fail_on=kinds(dice),
        ignore=kinds(dice),
        failed="ignore" if chance(dice, 0.1) else "count",
    )
    defined = tuple(ToolDefinition(name, annotations=dice.pick(ANNOTATIONS)) for name in tools[:-1])
    if chance(dice, 0.5):
        defined = ()
    return Situation(case, trajectory(dice, case, tools, dice.pick(plans)), settings, defined)


def any_case(dice: Dice, tools: Sequence[str], case_id: str) -> Case:
    """A case that says nothing about tools, or has one plan, or several."""
    form = dice.pick(("absent", "calls", "calls", "calls", "calls", "calls", "any_of", "any_of"))
    several = tuple(Plan(expectations(dice, tools), order=dice.pick(ORDERS)) for _ in range(dice.pick((1, 2, 3))))
    expect = Expect(
        calls=expectations(dice, tools) if form == "calls" else None,
        any_of=several if form == "any_of" else (),
        order="strict" if chance(dice, 0.3) else "any",
        extra=extra(dice),
        failed=dice.pick(FAILED),
        neutral=some(dice, tools, 0.15),
        forbid=some(dice, tools, 0.08),
        contains=some(dice, KEYWORDS, 0.25),
    )
    budget = Budget(calls=dice.pick((None, 0, 2)), latency_ms=dice.pick((None, 100.0)))
    return Case(
        case_id,
        labels={"difficulty": dice.pick(("easy", "hard"))},
        expect=expect,
        budget=budget if chance(dice, 0.5) else None,
        settings=case_settings(dice) if chance(dice, 0.2) else None,
    )


def case_settings(dice: Dice) -> CaseSettings:
    """What a case says of itself."""
    return CaseSettings(
        weights=dice.pick((None, Weights(0.25, 0.25, 0.25, 0.25))),
        threshold=dice.pick((None, None, 0.0, 0.9)),
        passing=dice.pick((None, *PASS_RULES)),
        fail_on=kinds(dice),
        ignore=kinds(dice),
    )


def kinds(dice: Dice) -> tuple[IssueKind, ...]:
    """A kind of issue, as a rule none. That one is both to fail and not to fail a case is refused in files."""
    return (dice.pick(ISSUE_KINDS),) if chance(dice, 0.15) else ()


def trajectory(dice: Dice, case: Case, tools: Sequence[str], wanted: Sequence[ExpectedCall]) -> Trajectory:
    """What an agent might have done on a case, often near to what was wanted."""
    known = chance(dice, 0.5)
    return Trajectory(
        case.id,
        agent="agent",
        trial=1,
        state=dice.pick(STATES) if chance(dice, 0.15) else "completed",
        calls=tuple(calls(dice, tools, wanted)),
        output=dice.pick(OUTPUTS) if chance(dice, 0.8) else None,
        latency_ms=dice.pick((50.0, 100.0, 150.5)) if known else None,
        usage=Usage(2, dice.pick((None, 10)), 5, dice.pick((None, 0.25)), waited_ms=dice.pick((None, 0.0, 1500.5)))
        if known
        else None,
    )


def calls(dice: Dice, tools: Sequence[str], wanted: Sequence[ExpectedCall]) -> list[Call]:
    """Up to six calls: one that was wanted, one that was made before, or any."""
    made: list[Call] = []
    for _ in range(dice.pick((0, 1, 2, 3, 4, 4, 5, 5, 6, 6))):
        kind = dice.pick(("wanted", "wanted", "wanted", "again", "any"))
        error = "boom" if chance(dice, 0.25) else None
        if kind == "wanted" and wanted:
            each = dice.pick(wanted)
            rules = {**each.check, **each.args}
            args: dict[str, JsonValue] | None = {name: value_for(dice, rule) for name, rule in rules.items()}
            made.append(Call(each.tool, args=args, result=dice.pick(RESULTS), error=error))
        elif kind == "again" and made:
            earlier = dice.pick(made)
            made.append(Call(earlier.tool, args=earlier.args, result=earlier.result, error=error))
        else:
            args = {name: dice.pick(VALUES) for name in some(dice, ARGUMENTS, 0.35)}
            made.append(Call(dice.pick(tools), args=None if chance(dice, 0.1) else args, error=error))
    return made


def expectations(dice: Dice, tools: Sequence[str]) -> tuple[ExpectedCall, ...]:
    """Up to four expected calls."""
    size = dice.pick((0, 1, 2, 2, 3, 3, 4, 4))
    return tuple(expected_call(dice, tools, index, size) for index in range(size))


def expected_call(
    dice: Dice, tools: Sequence[str], index: int, size: int, matchers: Sequence[str] = tuple(MATCHERS)
) -> ExpectedCall:
    """An expected call, the one with this index; `after` may name any other of the `size` expected calls."""
    others = [f"e{other}" for other in range(size) if other != index]
    return ExpectedCall(
        dice.pick(tools),
        args={name: rule(dice, matchers) for name in some(dice, ARGUMENTS, 0.3)},
        check={name: rule(dice, matchers) for name in some(dice, ARGUMENTS, 0.1)},
        forbid_args=some(dice, (*ARGUMENTS, "*"), 0.1),
        optional=chance(dice, 0.2),
        times=times(dice) if chance(dice, 0.3) else None,
        id=f"e{index}" if size else None,
        after=some(dice, others, 0.1),
    )


def rule(dice: Dice, matchers: Sequence[str]) -> JsonValue:
    """A literal, or one of these matchers."""
    if chance(dice, 0.5):
        return dice.pick(LITERALS)
    return dice.pick(MATCHERS[dice.pick(matchers)])[0]


def times(dice: Dice) -> Times | int:
    """How often a call is expected."""
    least = dice.pick((0, 1, 2))
    choices: tuple[Times | int, ...] = (1, 2, 3, Times(least), Times(least, least + 1), Times(least, least + 2))
    return dice.pick(choices)


def value_for(dice: Dice, rule: JsonValue) -> JsonValue:
    """A value that is likely to fit a rule."""
    near = next((values for kind in MATCHERS.values() for known, values in kind if known is rule), None)
    if near is not None:
        return dice.pick(near)
    return dice.pick(VALUES) if chance(dice, 0.25) else rule


PASS_RULES: tuple[PassRule, ...] = ("strict", "score")
FAILED: tuple[Failed | None, ...] = (None, None, None, None, "ignore", "count")
ANNOTATIONS = (None, None, Annotations(), Annotations(True), Annotations(False), Annotations(None, True))
ORDERS: tuple[Order | None, ...] = (None, "any", "strict")
EXTRAS: tuple[Extra, ...] = ("penalise", "penalise", "allow", "forbid")


def extra(dice: Dice) -> Extra:
    """What calls beyond the expected ones do."""
    return dice.pick(EXTRAS)


def some(dice: Dice, options: Sequence[str], share: float) -> tuple[str, ...]:
    """Each of the options with a certain chance."""
    return tuple(option for option in options if chance(dice, share))


def chance(dice: Dice, share: float) -> bool:
    """True in about that share of all throws."""
    return dice.pick(range(20)) >= 20 - round(share * 20)
