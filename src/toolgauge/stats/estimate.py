"""From sums per case to a figure with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from toolgauge.core import Estimate

from .intervals import Z95, clustered, share_interval, wilson
from .metrics import NOTHING_MEASURED, Metric, Sums

__all__ = ["estimate"]


def estimate(metric: Metric, cases: Sequence[Sums]) -> Estimate:
    """Estimate a metric over cases, each with the sums over its trials.

    A rate with one trial per case has a Wilson interval. Everything else has one by the delta method, clustered by
    case, on the logit scale where it is a share; where that has no width, Wilson on the pooled counts.
    """
    trajectories = list(map(metric.n, cases))
    n = sum(trajectories)
    if not n:
        return Estimate(None, n=0, reason=_reason(metric, cases))
    upper, lower = list(map(metric.above, cases)), list(map(metric.below, cases))
    above, below = sum(upper), sum(lower)
    if not below:
        if all(metric.perfect(sums) or not metric.n(sums) for sums in cases):
            return Estimate(1.0, n=n)
        return Estimate(None, n=n, reason=_reason(metric, cases))
    value = above / below
    if not all(trajectories):
        upper, lower = list(compress(upper, trajectories)), list(compress(lower, trajectories))
    if metric.kind == "rate" and max(lower) <= 1:
        low, high = wilson(above, below)
        return Estimate(value, low, high, n)
    error = clustered(upper, lower)
    if metric.kind == "amount":
        if len(lower) < 2:
            return Estimate(value, n=n)
        return Estimate(value, max(0.0, value - Z95 * error), value + Z95 * error, n)
    low, high = share_interval(value, error, len(lower), below)
    return Estimate(value, low, high, n)


def _reason(metric: Metric, cases: Sequence[Sums]) -> str:
    """Why there is no figure: what the metric says, unless no trajectory could have told."""
    if metric.name.startswith("pass_rate") or any(sums.measured for sums in cases):
        return metric.without
    return NOTHING_MEASURED
