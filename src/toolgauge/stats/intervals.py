"""Confidence intervals in closed form, at 95 %, and what repeating a case tells: pass@k, pass^k, flakiness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from math import comb, exp, log, sqrt
from operator import mul, sub

from toolgauge.core import Estimate

from .special import exact_sum, t_quantile

__all__ = ["Z95", "clustered", "flakiness", "pass_all", "pass_any", "share_interval", "wilson"]

Z95 = 1.959963984540054
"""The 0.975 quantile of the standard normal distribution."""


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Wilson's score interval of a rate; valid at 0, at 1 and for a single trial.

    Args:
        successes: How often it happened; a fraction for the mean of values between 0 and 1.
        n: Out of how many, more than 0.
    """
    rate = successes / n
    spread = Z95 * Z95 / n
    centre = (rate + spread / 2) / (1 + spread)
    half = Z95 * sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def clustered(above: Sequence[float], below: Sequence[float]) -> float:
    """Standard error of a ratio of sums, by the delta method, over clusters, each with something above and below.

    Returns:
        The standard error; 0 where it cannot be told (a single cluster) or there is no variance.
    """
    total = exact_sum(below)
    if len(below) < 2 or not total:
        return 0.0
    ratio = exact_sum(above) / total
    apart = list(map(sub, above, map(mul, repeat(ratio), below)))
    return sqrt(len(below) / (len(below) - 1) * exact_sum(map(mul, apart, apart))) / total


def share_interval(value: float, error: float, n: int, evidence: float) -> tuple[float, float]:
    """The interval of a share between 0 and 1 that was estimated over cases, by the delta method on the logit scale.

    On that scale a share is as free to move down as up, so that the interval keeps its promise near 0 and 1, where the
    share plus or minus so many errors is too narrow and goes beyond.

    Args:
        value: The share.
        error: Its standard error over cases; 0: there is no variance to be seen.
        n: How many cases there are.
        evidence: How many trials stand behind it, for Wilson's interval, where there is no variance.
    """
    # Rounding leaves a trace of variance where there is none.
    if error < 1e-12 or n < 2 or not 0 < value < 1:
        return wilson(value * evidence, evidence)
    centre, half = log(value / (1 - value)), t_quantile(0.975, n - 1) * error / (value * (1 - value))
    return _from_logit(centre - half), _from_logit(centre + half)


def _from_logit(x: float) -> float:
    # Written so that nothing overflows on either side.
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


Case = tuple[int, int]
"""How many trials of a case passed, and how many there were."""


def pass_any(cases: Iterable[Case] | Mapping[Case, int], k: int) -> Estimate:
    """pass@k: how often at least one of k trials passes, without bias, over cases that have as many.

    Args:
        cases: How the cases went, or how many cases went how.
        k: From 1.
    """
    every = [(comb(n, k), comb(n - passed, k), count) for (passed, n), count in Counter(cases).items() if n >= k]
    return _mean([((ways - without) / ways, count) for ways, without, count in every], k)


def pass_all(cases: Iterable[Case] | Mapping[Case, int], k: int) -> Estimate:
    """pass^k: how often all of k trials pass, without bias, over cases that have as many.

    Args:
        cases: How the cases went, or how many cases went how.
        k: From 1.
    """
    return _mean([(comb(passed, k) / comb(n, k), count) for (passed, n), count in Counter(cases).items() if n >= k], k)


def flakiness(passed: int, n: int) -> float | None:
    """How often two trials of a case end differently, without bias; None with a single one."""
    return 2 * passed * (n - passed) / (n * (n - 1)) if n > 1 else None


def _mean(values: Sequence[tuple[float, int]], k: int) -> Estimate:
    """The mean over cases of values, each with the number of cases that have it."""
    n = sum(count for _, count in values)
    if not n:
        return Estimate(None, reason="too_few_trials" if k > 1 else "nothing_planned")
    value = min(exact_sum(each * count for each, count in values) / n, 1.0)
    if n < 2:
        return Estimate(value, *wilson(value, 1), n)
    variance = exact_sum((each - value) ** 2 * count for each, count in values) / (n - 1)
    return Estimate(value, *share_interval(value, sqrt(variance / n), n, n), n)
