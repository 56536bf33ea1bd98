"""Sums of numbers with random signs: by hand, against every sum counted one by one, and in a test of thousands."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import isclose
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.stats import Paired, permutation_test
from toolgauge.stats.random_signs import chance_of_sum

Numbers = list[tuple[int, int]]


def every_sum(numbers: Numbers) -> Counter[int]:
    """How many ways of giving signs lead to each sum, number by number: slow, and without any rounding."""
    ways: Counter[int] = Counter({0: 1})
    for size, many in numbers:
        for _ in range(many):
            longer: Counter[int] = Counter()
            for total, count in ways.items():
                longer[total + size] += count
                longer[total - size] += count
            ways = longer
    return ways


def counted(numbers: Numbers, least: int) -> Fraction:
    ways = every_sum(numbers)
    return Fraction(sum(count for total, count in ways.items() if total >= least), ways.total())


def found(numbers: Numbers, least: int) -> float:
    chance = chance_of_sum(numbers, least)
    assert chance is not None
    return chance


def test_four_coins_by_hand() -> None:
    assert found([(1, 4)], 4) == pytest.approx(1 / 16)  # all four are heads
    assert found([(1, 4)], 2) == pytest.approx(5 / 16)  # and four ways of three
    assert found([(3, 1)], 3) == pytest.approx(1 / 2)


def test_two_numbers_by_hand() -> None:
    # 2 + 1 and 2 - 1 are above 0, their opposites below.
    assert found([(2, 1), (1, 1)], 1) == pytest.approx(1 / 2)
    assert found([(2, 1), (1, 1)], 3) == pytest.approx(1 / 4)


def test_a_common_factor_changes_nothing() -> None:
    assert found([(6, 5), (9, 4)], 9) == found([(2, 5), (3, 4)], 3)


@pytest.mark.parametrize(("n", "statistic", "two_sided"), [(6, 0, 0.03125), (8, 3, 0.0390625), (10, 8, 0.048828125)])
def test_ranks_give_the_published_values_of_wilcoxons_test(n: int, statistic: int, two_sided: float) -> None:
    """The critical values at 5 % that tables of the signed-rank test have, with the exact chances of these."""
    ranks = [(rank, 1) for rank in range(1, n + 1)]
    assert 2 * found(ranks, n * (n + 1) // 2 - 2 * statistic) == pytest.approx(two_sided)


@settings(max_examples=examples(200))
@given(st.data())
def test_it_is_the_share_of_all_ways_however_small(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=5, unique=True))
    numbers = [(size, data.draw(st.integers(1, 25))) for size in sizes]
    least = data.draw(st.sampled_from(sorted(total for total in every_sum(numbers) if total > 0)))
    assert isclose(found(numbers, least), counted(numbers, least), rel_tol=1e-9)


def test_thousands_of_numbers_keep_their_digits_far_out() -> None:
    numbers = [(1, 475), (2, 426), (3, 314), (4, 214), (5, 161), (6, 86), (13, 1)]
    ways = every_sum(numbers)
    for least in (1, 2, 150, 501, 1_500, 3_001):
        share = Fraction(sum(count for total, count in ways.items() if total >= least), ways.total())
        assert isclose(found(numbers, least), share, rel_tol=1e-9)


def test_a_chance_too_small_for_a_number_is_0() -> None:
    assert found([(1, 3_000)], 3_000) == 0.0


def test_what_would_take_too_long_is_left_to_others() -> None:
    assert chance_of_sum([(size, 3) for size in range(1, 400)], 2) is None


def trials(cases: int, gain: float) -> Paired:
    """What two contenders passed of 25 trials of each case, the second with another chance."""
    random = Random(3)
    columns = []
    for more in (0.0, gain):
        columns.append([float(sum(random.random() < 0.4 + more for _ in range(25))) for _ in range(cases)])
    trials = [25.0] * cases
    return Paired(columns[0], trials, columns[1], trials)


@pytest.mark.parametrize("gain", [0.0, 0.01, 0.05])
def test_the_test_of_many_cases_counts_every_swap(gain: float) -> None:
    paired = trials(900, gain)
    gaps = Counter(abs(int(b - a)) for a, b in zip(paired.first_above, paired.second_above, strict=True))
    del gaps[0]
    seen = abs(int(sum(paired.second_above) - sum(paired.first_above)))
    tested = permutation_test(paired)
    assert tested.method == "exact"
    assert isclose(tested.p, 2 * counted(list(gaps.items()), seen), rel_tol=1e-9)


def test_drawn_swaps_agree_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    paired = trials(900, 0.004)
    exact = permutation_test(paired)
    monkeypatch.setattr("toolgauge.stats.permutation.chance_of_sum", lambda *_: None)
    drawn = permutation_test(paired)
    assert (exact.method, drawn.method) == ("exact", "resampled")
    assert abs(exact.p - drawn.p) < 4 * (exact.p * (1 - exact.p) / 10_000) ** 0.5
