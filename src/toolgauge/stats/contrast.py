"""Two contenders by one metric on the same cases: the difference, its interval, a test, what more cases would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolgauge.core import Contrast, Estimate

from .bootstrap import bootstrap_difference
from .metrics import METRICS, Metric
from .pairs import Paired, difference_interval, standardised_difference
from .permutation import permutation_test
from .power import cases_needed, mcnemar_power, mean_power, smallest_difference
from .rates import mcnemar, odds_ratio

__all__ = ["COMPARED", "contrast", "metric_of"]

COMPARED = ("pass_rate", "accuracy", "answer", "f1", "score", "latency")
"""The metrics that are compared unless others are asked for; the first one decides."""

_WIDEST = 1_000.0
"""How many standard deviations the largest difference is that is thought of, where there are no bounds."""


def metric_of(name: str) -> Metric | None:
    """The metric of a name."""
    return next((metric for metric in METRICS if metric.name == name), None)


def contrast(
    metric: Metric, paired: Paired, group: dict[str, str], *, strata: Sequence[str] | None = None, resamples: int = 0
) -> Contrast:
    """Contrast two contenders. The verdict is left open: it depends on how many pairs are looked at.

    Args:
        metric: The metric that the sums are of.
        paired: Its sums on the cases that both have a figure for.
        group: The label and its value that these cases have; empty: all cases.
        strata: The strata of the cases, where they are resampled.
        resamples: How often cases are resampled for the interval; 0: it is in closed form.
    """
    n = len(paired)
    if not n:
        return Contrast(metric.name, group, 0, None, None, Estimate(None, reason=metric.without), "untested")
    bounded = metric.kind != "amount"
    if resamples and n > 1:
        interval: tuple[float, float] | None = bootstrap_difference(paired.listed(), strata=strata, resamples=resamples)
    else:
        interval = difference_interval(paired, bounded=bounded)
    low, high = interval or (None, None)
    difference = Estimate(paired.difference, low, high, n)
    seen = _Seen(metric.name, group, paired, difference)
    return seen.binary() if bounded and paired.binary else seen.other(metric.kind in ("mean", "amount"), bounded)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A difference that is still to be tested."""

    metric: str
    group: dict[str, str]
    paired: Paired
    difference: Estimate

    def binary(self) -> Contrast:
        """Where each case was tried once, and passed or not."""
        paired, n = self.paired, len(self.paired)
        only_first, only_second = paired.discordant
        tested = mcnemar(only_first, only_second)
        ratio, low, high = odds_ratio(only_first, only_second)
        reason = "" if ratio is not None else "only the second" if only_second else "no discordant pairs"
        discordant = max(only_first + only_second, 1) / n

        def chance(cases: int, gap: float) -> float:
            return mcnemar_power(cases, gap, discordant)

        return Contrast(
            self.metric,
            self.group,
            n,
            paired.first,
            paired.second,
            self.difference,
            "untested",
            test="mcnemar",
            p=tested.exact,
            mid_p=tested.mid,
            only_first=only_first,
            only_second=only_second,
            odds_ratio=Estimate(ratio, low, high, only_first + only_second, reason=reason),
            detectable=smallest_difference(lambda gap: chance(n, gap), 1.0),
            more_cases=self._more_cases(chance),
        )

    def other(self, mean: bool, bounded: bool) -> Contrast:
        """A pooled ratio, a mean, or a rate over several trials."""
        paired, n = self.paired, len(self.paired)
        # What F1 is divided by differs by mistakes only, and is part of the question.
        swappable = self.metric == "f1" or paired.even
        tested = permutation_test(paired if swappable else paired.contributions())
        spread = paired.spread
        if spread <= 1e-12 * (abs(paired.first) + abs(paired.second)):
            spread = 0.0

        def chance(cases: int, gap: float) -> float:
            return mean_power(cases, gap, spread)

        most = 1.0 if bounded else _WIDEST * spread
        known = spread > 0
        return Contrast(
            self.metric,
            self.group,
            n,
            paired.first,
            paired.second,
            self.difference,
            "untested",
            test="permutation" if tested.method == "exact" else "permutation_drawn",
            p=tested.p,
            standardised=standardised_difference(paired) if mean else None,
            detectable=smallest_difference(lambda gap: chance(n, gap), most, steps=40) if known else None,
            more_cases=self._more_cases(chance) if known else None,
        )

    def _more_cases(self, chance: Callable[[int, float], float]) -> int | None:
        """How many more cases the difference that was seen needs; none can be told where there was none."""
        gap, n = abs(self.difference.value or 0.0), len(self.paired)
        if gap <= 1e-12:
            return None
        needed = cases_needed(lambda cases: chance(cases, gap), n)
        return None if needed is None else max(0, needed - n)
