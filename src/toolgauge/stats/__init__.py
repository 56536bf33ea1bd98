"""Statistics: intervals, paired tests and their power.

Everything is in the standard library; numpy, where it is installed, makes comparing faster and changes no figure. What
comparing takes is imported when it is first used, so that scoring does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.lazy import lazy_exports

from .intervals import Z95, clustered, flakiness, pass_all, pass_any, share_interval, wilson
from .special import exact_sum

if TYPE_CHECKING:
    from .bootstrap import bootstrap_difference, bootstrap_ratio
    from .pairs import Paired, difference_interval, standardised_difference
    from .permutation import Permutation, permutation_test
    from .power import cases_needed, mcnemar_power, mean_power, smallest_difference
    from .rates import McNemar, exact, holm, mcnemar, odds_ratio, paired_rates

__all__ = [
    "Z95",
    "McNemar",
    "Paired",
    "Permutation",
    "bootstrap_difference",
    "bootstrap_ratio",
    "cases_needed",
    "clustered",
    "difference_interval",
    "exact",
    "exact_sum",
    "flakiness",
    "holm",
    "mcnemar",
    "mcnemar_power",
    "mean_power",
    "odds_ratio",
    "paired_rates",
    "pass_all",
    "pass_any",
    "permutation_test",
    "share_interval",
    "smallest_difference",
    "standardised_difference",
    "wilson",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".bootstrap": "bootstrap_difference bootstrap_ratio",
        ".pairs": "Paired difference_interval standardised_difference",
        ".permutation": "Permutation permutation_test",
        ".power": "cases_needed mcnemar_power mean_power smallest_difference",
        ".rates": "McNemar exact holm mcnemar odds_ratio paired_rates",
    },
)
