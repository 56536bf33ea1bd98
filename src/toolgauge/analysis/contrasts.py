"""Contenders against each other: differences, intervals, tests, what more cases would do, and the verdicts.

Every pair of contenders is contrasted by each metric on each group of cases, with Holm's correction over the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from msgspec.structs import replace

from toolgauge.core import Contrast, Estimate, Judged, Pairing, Reliability
from toolgauge.metrics import CaseColumns, CaseSums, Metric, repeated
from toolgauge.stats.arrays import Columns, Places
from toolgauge.stats.bootstrap import bootstrap_difference
from toolgauge.stats.intervals import flakiness
from toolgauge.stats.pairs import Paired, difference_interval, standardised_difference
from toolgauge.stats.permutation import permutation_test
from toolgauge.stats.power import ALPHA, cases_needed, mcnemar_power, mean_power, smallest_difference
from toolgauge.stats.rates import holm, mcnemar, odds_ratio
from toolgauge.stats.special import exact_sum

__all__ = ["NEEDED", "STEADINESS", "Comparer", "contrast", "metric_columns", "reliability"]

STEADINESS = ("passed", "planned")
"""The sums that tell how steady a contender is."""

NEEDED = (*STEADINESS, "measured")
"""The sums that are needed of each contender, whatever the metrics."""

_MAX_EXAMPLES = 5

_WIDEST = 1_000.0
"""How many standard deviations the largest difference is that is thought of, where there are no bounds."""


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
        return Contrast(metric.name, group, 0, None, None, Estimate(None, reason=metric.reason), "untested")
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


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares contenders on the same cases."""

    sums: Mapping[str, CaseSums]
    """By the name of the contender; all have every one of the cases."""
    cases: Sequence[str]
    by: str | None
    labels: Sequence[str]
    """The value that each case has of the label; empty where it has none."""
    metrics: Sequence[Metric]
    """The first one decides."""
    resamples: int = 0

    def pairings(self, against: str | None = None) -> tuple[Pairing, ...]:
        """Every pair of contenders, or each with one of them only."""
        names = list(self.sums)
        pairs = [
            (first, second)
            for first, second in (combinations(names, 2) if against is None else ((against, name) for name in names))
            if first != second
        ]
        columns = {name: self._columns(sums) for name, sums in self.sums.items()}
        left = {name: self._unmeasured(sums) for name, sums in self.sums.items()}
        found = [
            list(self._contrasts(columns[first], columns[second], left[first] | left[second]))
            for first, second in pairs
        ]
        lower = frozenset(metric.name for metric in self.metrics if metric.lower_is_better)
        judged = [_judge(family, lower) for family in zip(*found, strict=True)]
        return tuple(
            Pairing(first, second, _deciding(contrasts, self.metrics[0].name), contrasts)
            for (first, second), contrasts in zip(pairs, map(tuple, zip(*judged, strict=True)), strict=True)
        )

    def _columns(self, sums: CaseSums) -> list[Columns]:
        """The sums of each metric, case by case."""
        cases = sums.at(self.cases)
        return [metric_columns(metric, cases) for metric in self.metrics]

    def _unmeasured(self, sums: CaseSums) -> frozenset[int]:
        """The places of cases of which no trial was measured."""
        return frozenset(place for place, n in enumerate(sums.at(self.cases).column(("measured",))) if not n)

    def _contrasts(
        self, first: Sequence[Columns], second: Sequence[Columns], unmeasured: frozenset[int]
    ) -> Iterator[Contrast]:
        groups = [(group, Places(places)) for group, places in self._groups()]
        for metric, one, other in zip(self.metrics, first, second, strict=True):
            missing = one.missing | other.missing
            for group, places in groups:
                both = places.without(missing)
                strata = [self.labels[place] for place in both.listed] if self.by and self.resamples else None
                found = contrast(metric, one.paired(other, both), group, strata=strata, resamples=self.resamples)
                measured = len(both.without(unmeasured).listed) if unmeasured else found.n
                yield replace(found, measured=measured)

    def _groups(self) -> Iterator[tuple[dict[str, str], Sequence[int]]]:
        """All cases, and those of each value of the label; cases without it come last."""
        yield {}, range(len(self.cases))
        if self.by is None:
            return
        members: dict[str, list[int]] = {}
        for place, value in enumerate(self.labels):
            members.setdefault(value, []).append(place)
        for value in sorted(members, key=lambda value: value == ""):
            yield {self.by: value}, members[value]


def metric_columns(metric: Metric, cases: CaseColumns) -> Columns:
    """The sums of a metric, case by case."""
    above, below, n = (cases.column(names) for names in (metric.above, metric.below, metric.n))
    return Columns(above, below, frozenset() if all(n) else frozenset(place for place, one in enumerate(n) if not one))


def _judge(family: Sequence[Contrast], lower: frozenset[str]) -> list[Contrast]:
    """The same metric on the same cases over all pairs, corrected for their number, with verdicts.

    Args:
        family: What the pairs differ by.
        lower: The metrics of which less is better.
    """
    tested = [index for index, one in enumerate(family) if one.p is not None]
    adjusted = dict(zip(tested, holm([family[index].p or 0.0 for index in tested]), strict=True))
    return [
        replace(one, adjusted_p=adjusted.get(index), verdict=_verdict(one, adjusted.get(index), one.metric in lower))
        for index, one in enumerate(family)
    ]


def _verdict(one: Contrast, p: float | None, lower_is_better: bool) -> Judged:
    if p is None:
        return "untested"
    if p > ALPHA or not one.difference.value:
        return "no_evidence"
    return "better" if (one.difference.value > 0) != lower_is_better else "worse"


def _deciding(contrasts: Sequence[Contrast], metric: str) -> Judged:
    return next(one.verdict for one in contrasts if one.metric == metric and not one.group)


def reliability(name: str, sums: CaseSums, suite_cases: Iterable[str]) -> Reliability | None:
    """How steady a contender is; None where no case has several trials.

    Args:
        name: The contender.
        sums: What it did.
        suite_cases: The ids of all cases, in the order in which they are looked at.
    """
    cases = [case for case in suite_cases if case in sums.cases]
    passed, planned = (sums.at(cases).column((name,)) for name in STEADINESS)
    trials = {
        case: (int(good), int(number)) for case, good, number in zip(cases, passed, planned, strict=True) if number > 1
    }
    if not trials:
        return None
    unsteady = {case: flakiness(*counts) or 0.0 for case, counts in trials.items()}
    flaky = sorted((case for case, share in unsteady.items() if share > 0), key=lambda case: -unsteady[case])
    return Reliability(
        name,
        len(trials),
        len(flaky),
        exact_sum(unsteady.values()) / len(unsteady),
        tuple(flaky[:_MAX_EXAMPLES]),
        repeated(trials.values()),
    )
