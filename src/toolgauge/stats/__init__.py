"""Statistics: from scores to figures with intervals, and from figures to what they support.

Everything is in the standard library; numpy, where it is installed, makes comparing faster and changes no figure. What
comparing takes is imported when it is first used, so that scoring does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .estimate import estimate
from .intervals import clustered, share_interval, wilson
from .metrics import METRICS, Metric, Sums
from .tally import Tally, chosen_agents, chosen_label, default_label, summarise
from .totals import Totals

if TYPE_CHECKING:
    from .bootstrap import bootstrap_difference, bootstrap_ratio
    from .comparing import Comparer, reliability
    from .contrast import COMPARED, metric_of
    from .multiple import holm
    from .pairs import Paired, difference_interval, standardised_difference
    from .permutation import Permutation, permutation_test
    from .power import cases_needed, mcnemar_power, mean_power, smallest_difference
    from .rates import McNemar, exact, mcnemar, odds_ratio, paired_rates
    from .sheet import Sheet
    from .trials import flakiness, pass_all, pass_any

__all__ = [
    "COMPARED",
    "METRICS",
    "Comparer",
    "McNemar",
    "Metric",
    "Paired",
    "Permutation",
    "Sheet",
    "Sums",
    "Tally",
    "Totals",
    "bootstrap_difference",
    "bootstrap_ratio",
    "cases_needed",
    "chosen_agents",
    "chosen_label",
    "clustered",
    "default_label",
    "difference_interval",
    "estimate",
    "exact",
    "flakiness",
    "holm",
    "mcnemar",
    "mcnemar_power",
    "mean_power",
    "metric_of",
    "odds_ratio",
    "paired_rates",
    "pass_all",
    "pass_any",
    "permutation_test",
    "reliability",
    "share_interval",
    "smallest_difference",
    "standardised_difference",
    "summarise",
    "wilson",
]

_HOMES = {
    "COMPARED": "contrast",
    "Comparer": "comparing",
    "McNemar": "rates",
    "Paired": "pairs",
    "Permutation": "permutation",
    "Sheet": "sheet",
    "bootstrap_difference": "bootstrap",
    "bootstrap_ratio": "bootstrap",
    "cases_needed": "power",
    "difference_interval": "pairs",
    "exact": "rates",
    "flakiness": "trials",
    "holm": "multiple",
    "mcnemar": "rates",
    "mcnemar_power": "power",
    "mean_power": "power",
    "metric_of": "contrast",
    "odds_ratio": "rates",
    "paired_rates": "rates",
    "pass_all": "trials",
    "pass_any": "trials",
    "permutation_test": "permutation",
    "reliability": "comparing",
    "smallest_difference": "power",
    "standardised_difference": "pairs",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'toolgauge.stats' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
