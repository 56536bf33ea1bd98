"""Amounts add up to the same to the last digit, in whatever order and by however many."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isnan, nan
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import case, expected
from toolgauge.core import Call, Suite, Summary, Trajectory, Usage
from toolgauge.metrics import PartialTotals, Tally, totals
from toolgauge.metrics.exact import UNIT, from_units, in_units, pack_column, to_units, unpack_column
from toolgauge.scoring import Scorer

AMOUNTS = st.one_of(st.floats(2**-43, 1e15), st.just(0.0))


@given(st.lists(AMOUNTS, max_size=30))
def test_a_sum_is_the_nearest_number_to_the_true_one(amounts: list[float]) -> None:
    assert from_units([sum(to_units(amounts))]) == [float(sum(map(Fraction, amounts)))]


def test_tenths_make_one() -> None:
    # Added up as they are, they make 0.9999999999999999.
    assert sum(to_units([0.1] * 10)) / UNIT == 1.0


@pytest.mark.parametrize("amount", [0.0, 1.0, 1 / 3, 0.00001234, 1e-13, 12345.678, 1.5e300, 1.7976931348623157e308])
def test_one_amount_stays_what_it_is(amount: float) -> None:
    assert from_units([in_units(amount)]) == [amount]


def test_what_has_no_end_has_none_in_the_sum() -> None:
    assert from_units([in_units(1.0) + in_units(inf)]) == [inf]
    assert isnan(from_units([in_units(1.0) + in_units(nan)])[0])
    assert from_units([in_units(1.7e308) * 2, UNIT]) == [inf, 1.0]


@given(st.lists(st.integers() | st.integers(-(2**200), 2**200), min_size=1))
def test_whole_numbers_of_any_size_can_be_written_down(column: list[int]) -> None:
    assert unpack_column(pack_column(column)) == column


def test_what_has_no_end_can_be_written_down() -> None:
    column = [in_units(inf), in_units(2.0), -3, in_units(-inf)]
    assert unpack_column(pack_column(column)) == column


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


@pytest.mark.parametrize("compiled", [True, False])
@given(
    trajectories=st.lists(TRAJECTORIES, min_size=1, max_size=20),
    random=st.randoms(use_true_random=False),
    jobs=st.integers(1, 4),
)
def test_neither_the_order_nor_who_adds_makes_a_difference(
    compiled: bool, trajectories: list[Trajectory], random: Random, jobs: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(totals, "AVAILABLE", False)
        alone, together, at_once = in_any_order(trajectories, random, jobs)
    assert together == at_once == alone


def in_any_order(trajectories: list[Trajectory], random: Random, jobs: int) -> tuple[Summary, Summary, Summary]:
    """Added up in one go, shared out in another order, and what is shared out merged beforehand."""
    scorer = Scorer(SUITE)
    alone = Tally(SUITE)
    alone.add_all(trajectories, scorer.score_all(trajectories))
    mixed = list(trajectories)
    random.shuffle(mixed)
    together = Tally(SUITE)
    merged = PartialTotals({})
    for job in range(jobs):
        one = Tally(SUITE)
        one.add_all(mixed[job::jobs], scorer.score_all(mixed[job::jobs]))
        part = PartialTotals.from_bytes(one.totals().to_bytes())
        together.merge(part)
        merged = part.merge(merged)
    at_once = Tally(SUITE)
    at_once.merge(merged)
    return alone.summary(), together.summary(), at_once.summary()


def test_totals_of_another_version_are_refused() -> None:
    data = msgspec.msgpack.encode({"agents": [], "version": 99})
    with pytest.raises(ValueError, match="version 99"):
        PartialTotals.from_bytes(data)
    with pytest.raises(ValueError, match="truncated"):
        PartialTotals.from_bytes(PartialTotals({}).to_bytes()[:-1])
