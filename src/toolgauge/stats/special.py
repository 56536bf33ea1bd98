"""The few special functions that tests and intervals need: beta, Student's t and the binomial distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import erfc, exp, fsum, inf, lgamma, log, log1p, pi, sqrt

__all__ = [
    "beta_cdf",
    "beta_quantile",
    "binomial_cdf",
    "binomial_pmf",
    "exact_sum",
    "normal_cdf",
    "normal_quantile",
    "t_quantile",
]


def exact_sum(numbers: Iterable[float]) -> float:
    """The sum, rounded once: the same in any order and by any Python, whose own `sum` rounds in two ways."""
    listed = numbers if isinstance(numbers, list) else list(numbers)
    try:
        return fsum(listed)
    except (OverflowError, ValueError):
        return sum(listed)  # beyond the largest number, or of infinite ones


_TINY = 1e-300
_MAX_STEPS = 100_000
_FEW, _MANY = 3, 500
"""Degrees of freedom from which Student's t is roughly normal, and from which it is nearly so."""
_MAX_TURNS = 20


def normal_cdf(x: float) -> float:
    """The chance that a standard normal variable is at most x."""
    return erfc(-x / sqrt(2)) / 2


@lru_cache(maxsize=4096)
def normal_quantile(share: float) -> float:
    """The value that a standard normal variable does not exceed with this chance."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function: the chance that a beta variable is at most x."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    # The continued fraction converges quickly on the near side of the mean only.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    value = d
    for step in range(1, _MAX_STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        change = 1.0
        for term in (even, odd):
            d = 1 + term * d
            c = 1 + term / c
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            change *= c * d
        value *= change
        if abs(change - 1) < 1e-16:
            break
    return value


@lru_cache(maxsize=4096)
def beta_quantile(share: float, a: float, b: float) -> float:
    """The value that a beta variable does not exceed with this chance."""
    return _inverse(lambda x: beta_cdf(x, a, b), share, 0.0, 1.0)


@lru_cache(maxsize=4096)
def t_quantile(share: float, freedom: float) -> float:
    """The value that Student's t with these degrees of freedom does not exceed with this chance, above one half."""
    if freedom < _FEW:
        # The square of t, put between 0 and 1, has a beta distribution.
        x = _inverse(lambda x: 1 - beta_cdf(x, freedom / 2, 0.5), 2 * share - 1, 0.0, 1.0, rising=False)
        return sqrt(freedom * (1 - x) / x) if x > 0 else inf
    value = _near_normal(normal_quantile(share), freedom)
    if freedom > _MANY:
        return value
    level = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    for _ in range(_MAX_TURNS):
        density = level * (1 + value * value / freedom) ** (-(freedom + 1) / 2)
        chance = 1 - beta_cdf(freedom / (freedom + value * value), freedom / 2, 0.5) / 2
        step = (chance - share) / density
        value -= step
        if abs(step) < 1e-13 * value:
            break
    return value


def _near_normal(z: float, freedom: float) -> float:
    """The quantile of t by an expansion about the normal one, good to ten digits from a few hundred degrees on."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _inverse(
    function: Callable[[float], float], wanted: float, low: float, high: float, *, rising: bool = True
) -> float:
    """Where a monotonous function has a value, by halving until there is no number in between."""
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if (function(middle) < wanted) == rising:
            low = middle
        else:
            high = middle


def binomial_cdf(successes: int, n: int, rate: float = 0.5) -> float:
    """The chance of at most so many successes out of n."""
    if successes < 0:
        return 0.0
    return 1.0 if successes >= n else beta_cdf(1 - rate, n - successes, successes + 1)


def binomial_pmf(successes: int, n: int, rate: float = 0.5) -> float:
    """The chance of exactly so many successes out of n."""
    if not 0 <= successes <= n:
        return 0.0
    if rate in (0.0, 1.0):
        return float(successes == n * rate)
    ways = lgamma(n + 1) - lgamma(successes + 1) - lgamma(n - successes + 1)
    return exp(ways + successes * log(rate) + (n - successes) * log1p(-rate))
