"""Statistics: from scores to a summary with intervals, in the standard library."""

from .estimate import estimate
from .intervals import clustered, wilson
from .metrics import METRICS, Metric, Sums
from .tally import Tally, chosen_label, default_label, summarise

__all__ = [
    "METRICS",
    "Metric",
    "Sums",
    "Tally",
    "chosen_label",
    "clustered",
    "default_label",
    "estimate",
    "summarise",
    "wilson",
]
