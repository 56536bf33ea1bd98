"""Alternative plans: what is proven to be in vain, and that the proof holds."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from toolgauge.analysis.lint.plans import never_worse
from toolgauge.core import Call, Case, Expect, ExpectedCall, Extra, JsonValue, Plan, Times
from toolgauge.scoring import score

from ...builders import case, expected, plan, trajectory
from .findings import of


def in_vain(*plans: Plan) -> list[tuple[str, JsonValue, JsonValue]]:
    """Kind, position and better plan of every finding about the plans."""
    cases = case(any_of=plans)
    found = [*of("same_plan", cases), *of("unreachable_plan", cases)]
    return [(one.kind, one.path[-1], one.values["other"]) for one in found]


def one_of(*options: JsonValue) -> JsonValue:
    return {"$one_of": list(options)}


@pytest.mark.parametrize(
    ("plans", "found"),
    [
        ((plan("a"), plan("a")), [("same_plan", 1, 0)]),
        ((plan("a", "b"), plan("b", "a")), [("same_plan", 1, 0)]),
        ((plan("a", "b", order="strict"), plan("b", "a", order="strict")), []),
        ((plan("a", "b", order="strict"), plan("a", "b", order="strict")), [("same_plan", 1, 0)]),
        ((plan("a", "b", order="strict"), plan("b", "a")), [("unreachable_plan", 0, 1)]),
        (
            (
                plan(expected("a", id="x"), expected("b", after=("x",))),
                plan(expected("a", id="y"), expected("b", after=("y",))),
            ),
            [("same_plan", 1, 0)],
        ),
        ((plan(expected("a", id="x"), expected("b", after=("x",))), plan("a", "b")), [("unreachable_plan", 0, 1)]),
        ((plan("a"), plan("a", "b")), []),
        ((plan("a"), plan("b")), []),
        ((plan("a"), plan("a", expected("b", optional=True))), [("unreachable_plan", 0, 1)]),
        ((plan("a"), plan("a", expected("b", {"x": 1}, optional=True))), []),
        ((plan("a"), plan("a", expected("a", optional=True))), []),
        ((plan("a"), plan("a", expected("b", optional=True), order="strict")), []),
        ((plan(), plan(expected("b", optional=True))), []),
        ((plan(), plan()), [("same_plan", 1, 0)]),
        ((plan("a"), plan(expected("a", {"x": 1}))), [("unreachable_plan", 1, 0)]),
        ((plan(expected("a", {"x": 1, "y": 2})), plan(expected("a", {"x": 1}))), []),
        ((plan(expected("a", {"x": 1})), plan(expected("a", {"x": one_of(2, 1)}))), [("unreachable_plan", 0, 1)]),
        (
            (plan(expected("a", {"x": one_of(1, 2)})), plan(expected("a", {"x": one_of(2, 1)}))),
            [("unreachable_plan", 1, 0)],
        ),
        ((plan(expected("a", {"x": one_of(1, 2)})), plan(expected("a", {"x": one_of(2, 3)}))), []),
        ((plan(expected("a", {"x": {"$any": True}})), plan(expected("a", {"x": 1}))), [("unreachable_plan", 1, 0)]),
        ((plan(expected("a", {"x": {"$any": True}})), plan(expected("a", {"x": {"$default": 1}}))), []),
        ((plan(expected("a", times=2)), plan("a", "a")), []),
        ((plan("a", expected("c", times=Times(0, 0))), plan("a")), [("same_plan", 1, 0)]),
        (
            (
                plan(expected("a", {"x": 1}), expected("a", {"x": 2})),
                plan(expected("a", {"x": one_of(1, 3)}), expected("a", {"x": 2})),
            ),
            [("unreachable_plan", 0, 1)],
        ),
        (
            (
                plan(expected("a", {"x": 1}), expected("a", {"x": 2}, optional=True)),
                plan(expected("a", {"x": 1}), expected("a", {"x": one_of(2, 3)}, optional=True)),
            ),
            [],
        ),
    ],
)
def test_plans_that_are_there_in_vain(plans: tuple[Plan, ...], found: list[tuple[str, int, int]]) -> None:
    assert in_vain(*plans) == found


def test_a_single_plan_and_plain_calls_are_never_in_vain() -> None:
    assert in_vain(plan("a")) == []
    assert of("same_plan", case(["a", "a"])) == []


EXTRAS: tuple[Extra, ...] = ("penalise", "allow", "forbid")
RULES: tuple[JsonValue, ...] = (1, 2, one_of(1, 2), one_of(2, 1), {"$any": True}, {"$default": 1}, one_of(1, 2, 3))


def random_call(dice: random.Random) -> ExpectedCall:
    args: dict[str, JsonValue] = {name: dice.choice(RULES) for name in "xy" if dice.random() < 0.4}
    times = dice.choice((None, None, None, 2, Times(0, 2), Times(1), Times(1, 2)))
    forbidden = ("z",) if dice.random() < 0.15 else ()
    return ExpectedCall(dice.choice("ab"), args, {}, forbidden, dice.random() < 0.3, times)


def random_plan(dice: random.Random) -> Plan:
    return Plan(tuple(random_call(dice) for _ in range(dice.randint(1, 3))), dice.choice(("any", "any", "strict")))


def variant(given: Plan, dice: random.Random) -> Plan:
    """A plan that is often never worse, and often almost."""
    calls = list(given.calls)
    spot = dice.randrange(len(calls))
    old = calls[spot]
    change = dice.choice((0, 1, 2, 2, 2, 2, 3, 4, 5))
    if change == 0:
        args: dict[str, JsonValue] = {"x": 1} if dice.random() < 0.2 else {}
        calls.append(ExpectedCall(dice.choice("abcc"), args, optional=dice.random() < 0.8))
    elif change == 1:
        calls[spot] = replace(old, args={}, forbid_args=())
    elif change == 2:
        calls[spot] = replace(old, args={name: dice.choice(RULES) for name in old.args})
    elif change == 3:
        calls[spot] = replace(old, args={name: rule for name, rule in old.args.items() if dice.random() < 0.5})
    elif change == 4:
        calls[spot] = replace(old, forbid_args=dice.choice(((), ("z",), ("x",))))
    else:
        dice.shuffle(calls)
    return Plan(tuple(calls), dice.choice(("any", "any", "any", "strict")))


def random_calls(dice: random.Random) -> list[Call]:
    return [
        Call(
            dice.choice("abc"),
            {name: dice.choice((1, 2, 3, 4)) for name in "xyz" if dice.random() < 0.5},
            error="boom" if dice.random() < 0.1 else None,
        )
        for _ in range(dice.randint(0, 5))
    ]


def test_a_plan_that_is_proven_never_worse_never_is() -> None:
    dice = random.Random(7)
    proven = 0
    for _ in range(2500):
        worse = random_plan(dice)
        better = variant(worse, dice)
        if not never_worse(better, worse):
            continue
        proven += 1
        extra = dice.choice(EXTRAS)
        neutral = ("c",) if dice.random() < 0.3 else ()
        left, right = (
            Case("c1", expect=Expect(any_of=(one,), extra=extra, neutral=neutral, contains=("k",)))
            for one in (better, worse)
        )
        for _ in range(12):
            made = trajectory(random_calls(dice), output=dice.choice(("k", "")))
            mine, theirs = score(left, made), score(right, made)
            assert mine.score is not None
            assert theirs.score is not None
            assert mine.score >= theirs.score - 1e-9, (better, worse, made)
            assert mine.passed or not theirs.passed, (better, worse, made)
    assert proven > 150
