"""What repeating a case tells: pass@k, pass^k and how often an agent disagrees with itself."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt

from toolgauge.core import Estimate

from .intervals import share_interval, wilson

__all__ = ["flakiness", "pass_all", "pass_any"]

Case = tuple[int, int]
"""How many trials of a case passed, and how many there were."""


def pass_any(cases: Sequence[Case], k: int) -> Estimate:
    """pass@k: how often at least one of k trials passes, without bias, over cases that have as many."""
    return _mean([1 - comb(n - passed, k) / comb(n, k) for passed, n in cases if n >= k], k)


def pass_all(cases: Sequence[Case], k: int) -> Estimate:
    """pass^k: how often all of k trials pass, without bias, over cases that have as many."""
    return _mean([comb(passed, k) / comb(n, k) for passed, n in cases if n >= k], k)


def flakiness(passed: int, n: int) -> float | None:
    """How often two trials of a case end differently, without bias; None with a single one."""
    return 2 * passed * (n - passed) / (n * (n - 1)) if n > 1 else None


def _mean(values: Sequence[float], k: int) -> Estimate:
    n = len(values)
    if not n:
        return Estimate(None, reason=f"no case has {k} trials" if k > 1 else "nothing was planned")
    value = sum(values) / n
    if n < 2:
        return Estimate(value, *wilson(value, 1), n)
    variance = sum((each - value) ** 2 for each in values) / (n - 1)
    return Estimate(value, *share_interval(value, sqrt(variance / n), n, n), n)
