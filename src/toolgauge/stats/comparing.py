"""All contenders against each other: pairs, metrics and groups, with Holm's correction and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from msgspec.structs import replace

from toolgauge.core import Contrast, Judged, Pairing, Reliability, Repeated

from .columns import Places
from .contrast import contrast
from .metrics import Metric
from .multiple import holm
from .power import ALPHA
from .sheet import Sheet
from .trials import flakiness, pass_all, pass_any

__all__ = ["Comparer", "reliability"]

_MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares contenders on the same cases."""

    sheets: Mapping[str, Sheet]
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
        names = list(self.sheets)
        pairs = [
            (first, second)
            for first, second in (combinations(names, 2) if against is None else ((against, name) for name in names))
            if first != second
        ]
        found = [list(self._contrasts(*pair)) for pair in pairs]
        lower = frozenset(metric.name for metric in self.metrics if metric.lower_is_better)
        judged = [_judge(family, lower) for family in zip(*found, strict=True)]
        return tuple(
            Pairing(first, second, _deciding(contrasts, self.metrics[0].name), contrasts)
            for (first, second), contrasts in zip(pairs, map(tuple, zip(*judged, strict=True)), strict=True)
        )

    def _contrasts(self, first: str, second: str) -> Iterator[Contrast]:
        groups = [(group, Places(places)) for group, places in self._groups()]
        for metric in self.metrics:
            one, other = (self.sheets[name].columns(metric, self.cases) for name in (first, second))
            missing = one.missing | other.missing
            for group, places in groups:
                both = places.without(missing)
                strata = [self.labels[place] for place in both.listed] if self.by and self.resamples else None
                yield contrast(metric, one.paired(other, both), group, strata=strata, resamples=self.resamples)

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


def reliability(name: str, sheet: Sheet) -> Reliability | None:
    """How steady a contender is; None where no case has several trials."""
    trials = sheet.repeated()
    if not trials:
        return None
    least = min(n for _, n in trials.values())
    steps = sorted({2**power for power in range(least.bit_length()) if 2**power <= least} | {least})
    known = list(trials.values())
    unsteady = {case: flakiness(*counts) or 0.0 for case, counts in trials.items()}
    flaky = sorted((case for case, share in unsteady.items() if share > 0), key=lambda case: -unsteady[case])
    return Reliability(
        name,
        len(trials),
        len(flaky),
        sum(unsteady.values()) / len(unsteady),
        tuple(flaky[:_MOST_EXAMPLES]),
        tuple(Repeated(k, pass_any(known, k), pass_all(known, k)) for k in steps),
    )
