"""Figures as people read them: four decimals, short intervals, percentages, and never a number that is not there."""

from __future__ import annotations

from math import isfinite

from toolgauge.core import Estimate

__all__ = ["amount", "decimal", "interval", "known", "percent", "share"]

_STEP = 0.0001
"""The last digit shown."""


def bounded(value: float) -> float:
    """The value moved off 0 and 1 where only rounding would show it as exactly that.

    0.99999 is not 1.0000, and 99,999 of 100,000 is not 100.00%.
    """
    if 0 < value < _STEP:
        return _STEP
    return 1 - _STEP if 1 - _STEP < value < 1 else value


def known(estimate: Estimate | None) -> float | None:
    """The value of an estimate, where there is one."""
    if estimate is None or estimate.value is None or not isfinite(estimate.value):
        return None
    return estimate.value


def decimal(value: float | None, missing: str) -> str:
    """A share with four decimals, or the words for a missing one."""
    return missing if value is None or not isfinite(value) else f"{bounded(value) + 0.0:.4f}"


def percent(value: float) -> str:
    """A share as a percentage with two decimals."""
    return f"{bounded(value) * 100 + 0.0:.2f}%"


def share(estimate: Estimate | None, missing: str) -> str:
    """A share with its percentage, such as `0.2162 (21.62%)`."""
    value = known(estimate)
    return missing if value is None else f"{decimal(value, missing)} ({percent(value)})"


def interval(estimate: Estimate | None) -> str:
    """The interval with two decimals, such as `0.11–0.37`, or nothing."""
    if known(estimate) is None or estimate is None or estimate.low is None or estimate.high is None:
        return ""
    if not (isfinite(estimate.low) and isfinite(estimate.high)):
        return ""
    return f"{estimate.low + 0.0:.2f}–{estimate.high + 0.0:.2f}"


def amount(value: float | None, missing: str) -> str:
    """A quantity such as milliseconds, tokens or dollars, with about four digits that count."""
    if value is None or not isfinite(value):
        return missing
    if value == 0 or abs(value) >= 1000:
        return f"{value:.0f}"
    if abs(value) >= 100:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.4g}"
