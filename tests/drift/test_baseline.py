"""What is usual: hours, bins, ranks and intervals."""

from __future__ import annotations

from datetime import UTC, datetime
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.drift.baseline import Baseline, bin_of, cell_of, median_estimate, share_estimate, value_of

START = 1_767_571_200.0


@given(st.floats(0, 4e9))
def test_cells_are_hours_of_the_day_and_weekends_apart(at: float) -> None:
    moment = datetime.fromtimestamp(at, UTC)
    assert cell_of(at, 0.0) == moment.hour + (24 if moment.weekday() >= 5 else 0)


def test_the_hour_is_that_of_local_time() -> None:
    late_friday = datetime(2026, 1, 9, 20, 30, tzinfo=UTC).timestamp()
    assert (cell_of(late_friday, 0.0), cell_of(late_friday, 7.0)) == (20, 24 + 3)


@given(st.floats(1e-12, 1e12), st.floats(1e-12, 1e12))
def test_bins_keep_order_and_tell_values_to_two_parts_in_a_hundred(one: float, other: float) -> None:
    assert value_of(bin_of(one)) == pytest.approx(one, rel=0.011)
    assert (bin_of(one) <= bin_of(other)) or one > other
    assert bin_of(-one) == -bin_of(one)
    assert bin_of(-one) < bin_of(0.0) < bin_of(one)


def filled(values: list[tuple[int, float]]) -> Baseline:
    baseline = Baseline()
    for place, (cell, value) in enumerate(values):
        baseline.count(float(place), cell)
        baseline.add_value(cell, bin_of(value))
        baseline.add_share(cell, "", min(1.0, value / 10))
    return baseline


def test_ranks_are_among_the_same_hour_once_it_has_enough_and_else_among_more_hours() -> None:
    morning, evening = [(9, 1.0)] * 30, [(20, 5.0)] * 29
    baseline = filled([*morning, *evening, (9, 3.0)])
    assert baseline.rank(9, bin_of(3.0)) == pytest.approx((30 / 31, 1.0))
    baseline = filled([*morning, *evening[:6], (20, 3.0)])
    assert baseline.rank(20, bin_of(3.0)) == pytest.approx((30 / 37, 31 / 37)), "among all of the weekdays"
    baseline = filled([*morning, *evening[:7], (20, 3.0)])
    assert baseline.rank(20, bin_of(3.0)) == pytest.approx((0.0, 1 / 8)), "among those of its own hour"


def test_one_wrong_clock_among_sessions_does_not_make_them_rare() -> None:
    days = [START + 86_400.0 * day for day in range(10)]
    for wrong in (5.0, START - 10 * 365 * 86_400, START + 70 * 365 * 86_400):
        for place in (0, 5, 10):
            baseline = Baseline()
            for at in [*days[:place], wrong, *days[place:]]:
                baseline.count(at, cell_of(at, 0))
            assert 6 * 86_400 <= baseline.elapsed <= 13 * 86_400


def test_sessions_out_of_order_count_their_time_once() -> None:
    baseline = Baseline()
    for hours in (0, 3, 1, 2, 5, 4, 6):
        baseline.count(START + 3600.0 * hours, 0)
    assert baseline.elapsed == 6 * 3600.0


def test_the_usual_share_is_that_of_the_same_hours_where_events_are_enough() -> None:
    baseline = filled([(9, 2.0)] * 100 + [(20, 6.0)] * 100)
    assert baseline.usual_share(9, "") == pytest.approx(0.2)
    assert baseline.usual_share(20, "") == pytest.approx(0.6)
    rare = filled([(9, 0.0)] * 99 + [(20, 10.0)])
    assert rare.usual_share(9, "") == pytest.approx(0.01), "one event tells nothing about hours"


@given(st.lists(st.floats(0.01, 1000), min_size=1, max_size=60))
def test_the_median_of_bins_is_that_of_the_values_but_for_the_width_of_a_bin(values: list[float]) -> None:
    bins: dict[int, int] = {}
    for value in values:
        bins[bin_of(value)] = bins.get(bin_of(value), 0) + 1
    found = median_estimate(bins)
    lower = sorted(values)[(len(values) - 1) // 2]
    assert found.value == pytest.approx(lower, rel=0.011)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high
    assert found.n == len(values)
    if len(values) % 2:
        assert lower == median(values)


def test_the_interval_of_a_median_lies_at_known_order_statistics() -> None:
    # Of 20 values the 6th and the 15th hold the median 95.9 times in 100, of 9 the 2nd and the 8th 96.1 times.
    bins = {bin_of(10.0 * 1.1**number): 1 for number in range(20)}
    ordered = sorted(bins)
    found = median_estimate(bins)
    assert (found.low, found.high) == (value_of(ordered[5]), value_of(ordered[14]))
    found = median_estimate(dict.fromkeys(ordered[:9], 1))
    assert (found.low, found.high) == (value_of(ordered[1]), value_of(ordered[7]))


def test_the_interval_of_a_share_counts_sessions_and_not_calls() -> None:
    alike = share_estimate(10, 5.0, 5.0)
    spread = share_estimate(10, 5.0, 2.6)
    assert alike.value == spread.value == 0.5
    assert alike.low is not None
    assert spread.low is not None
    assert alike.low < spread.low
    assert share_estimate(0, 0.0, 0.0).value is None
