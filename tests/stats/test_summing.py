"""Amounts add up to the same to the last digit, in whatever order and by however many."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isnan, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import case, expected
from toolgauge.core import Call, Suite, Trajectory, Usage
from toolgauge.scoring import Scorer
from toolgauge.stats import Sums, Tally
from toolgauge.stats.summing import UNIT, in_units

AMOUNTS = st.one_of(st.floats(2**-43, 1e15), st.just(0.0))


@given(st.lists(AMOUNTS, max_size=30))
def test_a_sum_is_the_nearest_number_to_the_true_one(amounts: list[float]) -> None:
    sums = Sums()
    for amount in amounts:
        sums.latency_units += in_units(amount)
    assert sums.latency == float(sum(map(Fraction, amounts)))


def test_tenths_make_one() -> None:
    # Added up as they are, they make 0.9999999999999999.
    assert sum(in_units(0.1) for _ in range(10)) / UNIT == 1.0


@pytest.mark.parametrize("amount", [0.0, 1.0, 1 / 3, 0.00001234, 1e-13, 12345.678, 1.5e300, 1.7976931348623157e308])
def test_one_amount_stays_what_it_is(amount: float) -> None:
    sums = Sums(cost_units=in_units(amount))
    assert sums.cost == amount


def test_what_has_no_end_has_none_in_the_sum() -> None:
    assert Sums(latency_units=in_units(1.0) + in_units(inf)).latency == inf
    assert isnan(Sums(latency_units=in_units(1.0) + in_units(nan)).latency)
    assert Sums(latency_units=in_units(1.7e308) * 2).latency == inf


SUITE = Suite(
    "s",
    tuple(case([expected("a", {"x": 1}), expected("b"), expected("b")], id=name) for name in ("c1", "c2", "c3")),
)

CALLS = st.lists(st.sampled_from([Call("a", {"x": 1}), Call("a", {"x": 2}), Call("b", {}), Call("c", {})]), max_size=7)
TRAJECTORIES = st.builds(
    lambda case, calls, took, cost: Trajectory(
        case, "agent", 1, calls=tuple(calls), latency_ms=took, usage=None if cost is None else Usage(cost_usd=cost)
    ),
    st.sampled_from(["c1", "c2", "c3"]),
    CALLS,
    st.none() | st.floats(0, 1e6),
    st.none() | st.floats(0, 1),
)


@given(st.lists(TRAJECTORIES, min_size=1, max_size=20), st.randoms(use_true_random=False), st.integers(1, 4))
def test_neither_the_order_nor_who_adds_makes_a_difference(
    trajectories: list[Trajectory], random: Random, jobs: int
) -> None:
    scorer = Scorer(SUITE)
    alone = Tally(SUITE)
    alone.add_all(trajectories, scorer.score_all(trajectories))
    mixed = list(trajectories)
    random.shuffle(mixed)
    together = Tally(SUITE)
    for job in range(jobs):
        one = Tally(SUITE)
        one.add_all(mixed[job::jobs], scorer.score_all(mixed[job::jobs]))
        together.merge(one.totals())
    assert together.summary() == alone.summary()
