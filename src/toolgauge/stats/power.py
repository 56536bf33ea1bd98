"""What a suite can show: the chance to notice a difference, the smallest likely to be noticed, the cases it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import ceil, exp, lgamma, log, log1p, sqrt

from .intervals import Z95
from .special import binomial_cdf, exact_sum, normal_cdf, t_quantile

__all__ = ["ALPHA", "POWER", "cases_needed", "mcnemar_power", "mean_power", "smallest_difference"]

ALPHA = 0.05
"""How often a difference may be seen where there is none."""

POWER = 0.8
"""How often a difference is to be noticed that is there."""

_COUNTED = 100
"""Up to so many discordant pairs, on average, every outcome is counted; beyond, they are close to normal."""

_MAX_CASES = 10_000_000


def mcnemar_power(n: int, difference: float, discordant: float) -> float:
    """The chance that McNemar's exact test notices a difference of paired rates.

    Args:
        n: How many cases there are.
        difference: The true difference.
        discordant: The share of cases that one of the two passes and the other does not, at least the difference.
    """
    gap = abs(difference)
    share = min(1.0, max(discordant, gap))
    if share <= 0:
        return 0.0
    if n * share > _COUNTED:
        spread = sqrt(max(share - gap * gap, 1e-12))
        return normal_cdf((sqrt(n) * gap - Z95 * sqrt(share) - 1 / sqrt(n)) / spread)
    rate = 0.5 + gap / (2 * share)
    reach = 8 * sqrt(n * share) + 8
    counts = range(max(0, int(n * share - reach)), min(n, int(n * share + reach)) + 1)
    return exact_sum(_binomial(count, n, share) * _rejected(count, rate) for count in counts)


def _binomial(successes: int, n: int, rate: float) -> float:
    if rate >= 1:
        return float(successes == n)
    ways = lgamma(n + 1) - lgamma(successes + 1) - lgamma(n - successes + 1)
    return exp(ways + successes * log(rate) + (n - successes) * log1p(-rate))


def _rejected(discordant: int, rate: float) -> float:
    """The chance that the test rejects, with so many discordant pairs of which a share favours one side."""
    limit = _limit(discordant)
    if limit < 0:
        return 0.0
    return _tail(limit, discordant, 1 - rate) + _tail(limit, discordant, rate)


@cache
def _limit(discordant: int) -> int:
    """The largest number of pairs on the weaker side with which the test rejects; -1: it never does."""
    limit = -1
    while 2 * binomial_cdf(limit + 1, discordant) <= ALPHA and 2 * (limit + 1) < discordant:
        limit += 1
    return limit


def _tail(largest: int, n: int, rate: float) -> float:
    """The chance of at most so many successes; sums are short here, and faster than the closed form."""
    if rate <= 0:
        return 1.0
    if rate >= 1:
        return float(largest >= n)
    term = (1 - rate) ** n
    total = term
    odds = rate / (1 - rate)
    for successes in range(largest):
        term *= odds * (n - successes) / (successes + 1)
        total += term
    return total


def mean_power(n: int, difference: float, spread: float) -> float:
    """The chance that a paired test notices a difference of means.

    Args:
        n: How many cases there are.
        difference: The true difference.
        spread: Standard deviation of the difference from case to case.
    """
    if n < 2:
        return 0.0
    if spread <= 0:
        return float(difference != 0)
    freedom = n - 1
    limit = t_quantile(1 - ALPHA / 2, freedom)
    shift = abs(difference) * sqrt(n) / spread
    # The noncentral t distribution, by a normal one that is good to a few thousandths.
    width = sqrt(1 + limit * limit / (2 * freedom))
    centre = limit * (1 - 1 / (4 * freedom))
    return normal_cdf((shift - centre) / width) + normal_cdf((-shift - centre) / width)


def smallest_difference(chance: Callable[[float], float], largest: float, *, steps: int = 14) -> float | None:
    """The smallest difference that is noticed often enough.

    Args:
        chance: The chance to notice a difference, which grows with it.
        largest: The largest difference there can be.
        steps: How often the range is halved.

    Returns:
        The difference; None where not even the largest is noticed often enough.
    """
    if chance(largest) < POWER:
        return None
    low, high = 0.0, largest
    for _ in range(steps):
        middle = (low + high) / 2
        if chance(middle) >= POWER:
            high = middle
        else:
            low = middle
    return high


def cases_needed(chance: Callable[[int], float], n: int) -> int | None:
    """The least number of cases with which a difference is noticed often enough.

    Args:
        chance: The chance to notice it with so many cases.
        n: How many there are now, where the search begins.

    Returns:
        The number; None where ten million are not enough.
    """
    low, high = 0, max(2, n)
    while chance(high) < POWER:
        low, high = high, ceil(high * 1.5)
        if high > _MAX_CASES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if chance(middle) >= POWER:
            high = middle
        else:
            low = middle
    return high
