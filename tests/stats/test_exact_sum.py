"""Sums over cases are rounded once, whatever their order and whoever adds them up."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isnan, nan

from hypothesis import given
from hypothesis import strategies as st

from toolgauge.stats import exact_sum

numbers = st.floats(min_value=-1e12, max_value=1e12, allow_nan=False)


@given(st.lists(numbers, max_size=30))
def test_a_sum_is_the_nearest_number_to_the_true_one_in_any_order(listed: list[float]) -> None:
    true = float(sum(map(Fraction, listed), Fraction(0)))
    assert exact_sum(listed) == true
    assert exact_sum(reversed(listed)) == true


def test_where_plain_sums_differ_between_versions_of_python() -> None:
    assert exact_sum([0.1] * 10) == 1.0
    assert exact_sum([1e100, 1.0, -1e100]) == 1.0


def test_what_is_too_large_is_infinite() -> None:
    assert exact_sum([1e308, 1e308]) == inf
    assert exact_sum([inf, 1.0]) == inf
    assert isnan(exact_sum([inf, -inf]))
    assert isnan(exact_sum([nan, 1.0]))
