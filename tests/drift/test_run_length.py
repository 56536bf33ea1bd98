"""Run lengths: by hand, against exact fractions, numpy's solver, brute force and published tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp, log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.drift.run_length import (
    LONGEST,
    cusum_run_length,
    falling_run_lengths,
    lattice_run_length,
    rank_run_length,
    rank_table,
    rising_run_lengths,
    solve,
    tilt_limit,
)
from toolgauge.stats.special import normal_cdf


def in_fractions(rate: Fraction, up: int, down: int, limit: int) -> Fraction:
    """The run length by Gaussian elimination in fractions, with nothing of the shortcuts."""
    rows = [[Fraction(state == other) for other in range(limit)] + [Fraction(1)] for state in range(limit)]
    for state in range(limit):
        rows[state][max(0, state - down)] -= 1 - rate
        if state + up < limit:
            rows[state][state + up] -= rate
    for pivot in range(limit):
        rows[pivot] = [number / rows[pivot][pivot] for number in rows[pivot]]
        for other in range(limit):
            if other != pivot and rows[other][pivot]:
                factor = rows[other][pivot]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[pivot], strict=True)]
    return rows[0][limit]


def test_a_limit_that_one_event_reaches_is_reached_at_the_first_event() -> None:
    assert rising_run_lengths(0.02, 5, 100)[:5] == pytest.approx([50.0] * 5)


def test_two_events_in_a_row_take_their_known_waiting_time() -> None:
    # Up by 1 at an event, down by 1 else, limit 2: a(0) = 1 + (1 - p) a(0) + p a(1), a(1) = 1 + (1 - p) a(0).
    rate = 0.3
    assert rising_run_lengths(rate, 1, 100)[1] == pytest.approx((1 + rate) / rate**2)


def test_so_many_sessions_without_an_event_take_their_known_waiting_time() -> None:
    # An event sets back to nothing while the limit is not beyond the fall: k failures in a row, a classic.
    p = 0.1
    for many, found in enumerate(falling_run_lengths(p, 50, 1000)[:50], 1):
        assert found == pytest.approx(((1 - p) ** -many - 1) / p)


@given(st.integers(1, 40), st.integers(1, 8), st.integers(1, 16))
@settings(max_examples=examples(100), deadline=None)
def test_all_limits_of_one_pass_agree_with_equations_in_fractions(percent: int, step: int, limit: int) -> None:
    rate = Fraction(percent, 100)
    expected = float(in_fractions(rate, step, 1, limit))
    assert rising_run_lengths(float(rate), step, expected * (1 - 1e-9))[-1] == pytest.approx(expected, rel=1e-10)
    expected = float(in_fractions(rate, step, 2, limit))
    # Elimination subtracts like numbers, and loses digits as run lengths grow.
    if expected < LONGEST:
        assert lattice_run_length(float(rate), step, 2, limit) == pytest.approx(expected, rel=1e-6)


@given(st.integers(1, 60), st.integers(1, 9), st.integers(1, 25))
@settings(max_examples=examples(100), deadline=None)
def test_falls_agree_with_equations_in_fractions(percent: int, step: int, limit: int) -> None:
    rate = Fraction(percent, 100)
    expected = float(in_fractions(1 - rate, 1, step, limit))
    found = falling_run_lengths(float(rate), step, expected * (1 - 1e-9))
    assert len(found) == limit
    assert found[-1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("limit", "published"), [(4.0, 335.4), (5.0, 930.9)])
def test_the_chart_of_normal_steps_has_its_published_run_length(limit: float, published: float) -> None:
    # Tabulated for a reference value of one half, one side: two-sided 168 and 465.
    found = cusum_run_length(lambda x: normal_cdf(x + 0.5), (-6.5, 5.5), limit, 256)
    assert found == pytest.approx(published, rel=0.002)


def brute_force(step_of: Random, draw: str, size: float, limit: float, times: int) -> tuple[float, float]:
    """Mean run length and its standard error, session by session."""
    found = []
    for _ in range(times):
        statistic, sessions = 0.0, 0
        while statistic < limit:
            sessions += 1
            if draw == "rank":
                step = log(size / (exp(size) - 1)) + size * step_of.random()
            else:
                step = log(5 / (1 + 4 * size)) if step_of.random() < size else -log(1 + 4 * size)
            statistic = max(0.0, statistic + step)
        found.append(sessions)
    mean = sum(found) / times
    return mean, (sum((each - mean) ** 2 for each in found) / (times - 1) / times) ** 0.5


@pytest.mark.parametrize("tilt", [1.0, 4.0])
def test_charts_of_ranks_run_as_long_as_computed(tilt: float) -> None:
    mean, error = brute_force(Random(1), "rank", tilt, 3.0, 2_000)
    assert abs(mean - rank_run_length(tilt, 3.0)) < 5 * error + 0.01 * mean


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3])
def test_charts_of_rates_run_at_least_as_long_as_asked(rate: float) -> None:
    mean, error = brute_force(Random(2), "rate", rate, tilt_limit(5, rate, 400), 2_000)
    assert 400 - 5 * error < mean < 900


def test_run_lengths_grow_with_the_limit_and_up_to_the_longest() -> None:
    for _, lengths in (rank_table(1.0), rank_table(4.0)):
        assert all(a <= b for a, b in pairwise(lengths))
        assert lengths[-1] >= LONGEST


@given(
    st.sampled_from([2.0, 5.0, 8.0, 25.0, 0.5, 0.2, 0.125]),
    st.floats(1e-4, 0.999),
    st.floats(50, 1e8),
    st.floats(1, 30),
)
@settings(max_examples=examples(200), deadline=None)
def test_a_longer_run_length_takes_a_higher_limit(odds: float, rate: float, length: float, more: float) -> None:
    low, high = tilt_limit(odds, rate, length), tilt_limit(odds, rate, length * more)
    assert 0 < low <= high
    # A fair bet exceeds e to the h once in e to the h runs at most, so that no limit has to be higher than this.
    assert high <= log(length * more) / 0.97 + 3.5


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
def test_bands_are_solved_as_numpy_solves_them(seed: int) -> None:
    import numpy as np

    random = np.random.default_rng(seed)
    size, lower, upper = int(random.integers(1, 60)), int(random.integers(0, 9)), int(random.integers(0, 9))
    matrix = np.triu(np.tril(random.random((size, size)), upper), -lower)
    matrix += np.diag(matrix.sum(axis=1))
    values = random.random(size)
    expected = np.linalg.solve(matrix, values)
    assert solve(matrix.tolist(), values.tolist(), lower, upper) == pytest.approx(expected.tolist(), rel=1e-10)
