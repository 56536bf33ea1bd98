"""Rates and differences of paired rates: exact and score intervals, McNemar's test, odds, Holm's correction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

from .intervals import Z95
from .special import beta_quantile, binomial_cdf, binomial_pmf

__all__ = ["McNemar", "exact", "holm", "mcnemar", "odds_ratio", "paired_rates"]

_TAIL = 0.025
_STEPS = 60


def exact(successes: int, n: int) -> tuple[float, float]:
    """The interval of Clopper and Pearson: it holds the true rate at least 95 times in 100, whatever that is."""
    low = beta_quantile(_TAIL, successes, n - successes + 1) if successes else 0.0
    high = beta_quantile(1 - _TAIL, successes + 1, n - successes) if successes < n else 1.0
    return low, high


class McNemar(NamedTuple):
    """Both forms of the test whether two contenders pass the same share of the same cases."""

    exact: float
    """Never says "different" too often."""
    mid: float
    """Counts what was seen by half, and so is less cautious."""


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Test a paired difference by the cases that only one of the two passed.

    Args:
        only_first: Cases that the first passed and the second did not.
        only_second: The other way round.
    """
    total, fewer = only_first + only_second, min(only_first, only_second)
    if total == 0:
        return McNemar(1.0, 1.0)
    tail, seen = binomial_cdf(fewer, total), binomial_pmf(fewer, total)
    return McNemar(min(1.0, 2 * tail), min(1.0, 2 * tail - seen))


def paired_rates(only_first: int, only_second: int, n: int) -> tuple[float, float]:
    """Tango's score interval of the difference of two paired rates, second less first.

    It holds the differences that a score test does not reject, and is valid where no pair is discordant.
    """
    difference = (only_second - only_first) / n

    def statistic(delta: float) -> float:
        return _score(only_first, only_second, n, delta)

    low = _crossing(statistic, Z95, -1.0, difference)
    high = _crossing(statistic, -Z95, difference, 1.0)
    return low, high


def _score(only_first: int, only_second: int, n: int, delta: float) -> float:
    """How many standard errors the seen difference lies above `delta`, the rates being as likely as can be under it."""
    # The share of pairs that only the first passes, under the difference: a root of a quadratic equation.
    linear = -only_second - only_first + (2 * n - only_second + only_first) * delta
    constant = -only_first * delta * (1 - delta)
    root = sqrt(max(0.0, linear * linear - 8 * n * constant))
    share = max(0.0, (root - linear) / (4 * n))
    variance = n * (2 * share + delta * (1 - delta))
    above = only_second - only_first - n * delta
    if variance <= 0:
        return 0.0 if abs(above) < 1e-12 else inf if above > 0 else -inf
    return above / sqrt(variance)


def _crossing(statistic: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Where the statistic, which falls, has a value; the end of the range where it has not."""
    if wanted > 0 and statistic(low) <= wanted:
        return low
    if wanted < 0 and statistic(high) >= wanted:
        return high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if statistic(middle) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def odds_ratio(only_first: int, only_second: int) -> tuple[float | None, float, float | None]:
    """How many times as often only the second passes as only the first, with its exact interval.

    Returns:
        The ratio and its interval; None for infinity. Without discordant pairs there is no ratio, and any is possible.
    """
    total = only_first + only_second
    if total == 0:
        return None, 0.0, None
    low, high = exact(only_second, total)
    ratio = only_second / only_first if only_first else None
    return ratio, low / (1 - low) if low < 1 else 0.0, high / (1 - high) if high < 1 else None


def holm(values: Sequence[float]) -> list[float]:
    """The p-values such that, together, they say "different" too often at most as often as one alone would."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    adjusted = [0.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = highest
    return adjusted
