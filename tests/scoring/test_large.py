"""Long trajectories: exact where it matters, and never at a standstill."""

from __future__ import annotations

import random

import pytest

from tests.budgets import seeds
from tests.builders import case, expected
from toolgauge.core import Call, Times, Trajectory
from toolgauge.scoring import score


@pytest.mark.parametrize("seed", seeds(12))
def test_eighty_calls_in_the_right_order_with_others_between_are_in_order(seed: int) -> None:
    dice = random.Random(seed)
    wanted = [dice.choice("abc") for _ in range(80)]
    made: list[Call] = []
    for tool in wanted:
        made += [Call(dice.choice("abc")) for _ in range(dice.choice([0, 0, 1]))]
        made.append(Call(tool))
    got = score(case(wanted, order="strict"), Trajectory("c1", calls=tuple(made)))
    assert "wrong_order" not in {issue.kind for issue in got.issues}
    assert got.call_recall == 1


def test_hundreds_of_equal_expectations_and_calls_are_paired_in_order() -> None:
    calls = tuple(Call("a", {"x": 1}) for _ in range(600))
    got = score(case([expected("a", {"x": 1})] * 500), Trajectory("c1", calls=calls))
    assert [(pair.expected, pair.call) for pair in got.alignment] == [(n, n) for n in range(500)]
    assert sum(issue.kind == "duplicate_call" for issue in got.issues) == 100


def test_a_loop_of_thousands_of_calls_against_an_open_ended_expectation() -> None:
    plan = [expected("a", {"x": 1}), expected("a", times=Times(1, None))]
    calls = tuple(Call("a", {"x": n % 7}) for n in range(4000))
    got = score(case(plan), Trajectory("c1", calls=calls))
    assert len(got.alignment) == 4000
    assert (got.call_precision, got.call_recall, got.param_accuracy) == (1, 1, 1)
    first = next(pair for pair in got.alignment if pair.expected == 0)
    assert calls[first.call].args == {"x": 1}


def test_different_expectations_find_their_calls_among_many() -> None:
    dice = random.Random(3)
    wanted = [expected("a", {"x": n}) for n in range(60)]
    order = list(range(60)) + [900 + n for n in range(60)]
    dice.shuffle(order)
    got = score(case(wanted), Trajectory("c1", calls=tuple(Call("a", {"x": n}) for n in order)))
    assert got.param_accuracy == 1
    assert all(order[pair.call] == pair.expected for pair in got.alignment)
