"""From sums per case to a figure with its interval."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from toolgauge.core import Estimate
from toolgauge.stats import Z95, clustered, share_interval, wilson

from .table import NOTHING_MEASURED, Metric, Reason

if TYPE_CHECKING:
    from .accumulate import CaseColumns

__all__ = ["estimate"]


def estimate(metric: Metric, cases: CaseColumns) -> Estimate:
    """Estimate a metric over cases, each with the sums over its trials.

    A rate with one trial per case has a Wilson interval. Everything else has one by the delta method, clustered by
    case, on the logit scale where it is a share; where that has no width, Wilson on the pooled counts.
    """
    trajectories = cases.column(metric.n)
    n = int(sum(trajectories))
    if not n:
        return Estimate(None, n=0, reason=_reason(metric, cases))
    upper, lower = cases.column(metric.above), cases.column(metric.below)
    above, below = sum(upper), sum(lower)
    if not below:
        if metric.perfect_without and not cases.total(*metric.perfect_without):
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


def _reason(metric: Metric, cases: CaseColumns) -> Reason:
    """Why there is no figure: what the metric says, unless no trajectory could have told."""
    planned = metric.below in (("planned",), ("completed",))
    return metric.reason if planned or cases.total("measured") else NOTHING_MEASURED
