"""All contenders against each other: pairs, metrics and groups, with Holm's correction and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter
from typing import cast

from msgspec.structs import replace

from toolgauge.core import Contrast, Judged, Pairing, Reliability, Repeated, Score, Trajectory

from .contrast import LOWER_IS_BETTER, contrast
from .metrics import Metric, Sums
from .multiple import holm
from .pairs import Paired
from .power import ALPHA
from .trials import flakiness, pass_all, pass_any

__all__ = ["Comparer", "Sheet", "reliability"]

_MOST_EXAMPLES = 5


class Sheet:
    """What one contender did, added up case by case."""

    def __init__(self) -> None:
        self.cases: dict[str, Sums] = {}
        self._columns: dict[str, _Columns] = {}
        self._ordered: list[Sums] = []

    def add(self, trajectory: Trajectory, score: Score) -> None:
        """Add one trajectory with its score."""
        sums = self.cases.get(score.case)
        if sums is None:
            sums = self.cases[score.case] = Sums()
        sums.add(trajectory, score)

    def settle(self) -> None:
        """Make the sums ready to be read."""
        for sums in self.cases.values():
            sums.settle()

    @property
    def trials(self) -> int:
        """The most trials that a case has."""
        return max((sums.planned for sums in self.cases.values()), default=0)

    def columns(self, metric: Metric, cases: Sequence[str]) -> _Columns:
        """The sums of a metric on these cases, in their order."""
        known = self._columns.get(metric.name)
        if known is None:
            if not self._ordered:
                self._ordered = [self.cases[case] for case in cases]
            above, below = list(map(metric.above, self._ordered)), list(map(metric.below, self._ordered))
            counts = below if cast(object, metric.n) is metric.below else list(map(metric.n, self._ordered))
            missing = () if all(counts) else (place for place, n in enumerate(counts) if not n)
            known = self._columns[metric.name] = _Columns(above, below, frozenset(missing))
        return known


@dataclass(frozen=True, slots=True)
class _Columns:
    """A metric of one contender, case by case."""

    above: list[float]
    below: list[float]
    missing: frozenset[int]
    """The places of the cases that there is no figure for."""

    def at(self, places: Sequence[int]) -> tuple[Sequence[float], Sequence[float]]:
        """Both columns at these places."""
        if len(places) == len(self.above):
            return self.above, self.below
        if len(places) < 2:
            return [self.above[place] for place in places], [self.below[place] for place in places]
        pick = itemgetter(*places)
        return pick(self.above), pick(self.below)


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
        judged = [_judge(family) for family in zip(*found, strict=True)]
        return tuple(
            Pairing(first, second, _deciding(contrasts, self.metrics[0].name), contrasts)
            for (first, second), contrasts in zip(pairs, map(tuple, zip(*judged, strict=True)), strict=True)
        )

    def _contrasts(self, first: str, second: str) -> Iterator[Contrast]:
        groups = list(self._groups())
        for metric in self.metrics:
            one, other = (self.sheets[name].columns(metric, self.cases) for name in (first, second))
            missing = one.missing | other.missing
            for group, places in groups:
                both = [place for place in places if place not in missing] if missing else places
                strata = [self.labels[place] for place in both] if self.by and self.resamples else None
                paired = Paired(*one.at(both), *other.at(both))
                yield contrast(metric, paired, group, strata=strata, resamples=self.resamples)

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


def _judge(family: Sequence[Contrast]) -> list[Contrast]:
    """The same metric on the same cases over all pairs, corrected for their number, with verdicts."""
    tested = [index for index, one in enumerate(family) if one.p is not None]
    adjusted = dict(zip(tested, holm([family[index].p or 0.0 for index in tested]), strict=True))
    return [
        replace(one, adjusted_p=adjusted.get(index), verdict=_verdict(one, adjusted.get(index)))
        for index, one in enumerate(family)
    ]


def _verdict(one: Contrast, p: float | None) -> Judged:
    if p is None:
        return "untested"
    if p > ALPHA or not one.difference.value:
        return "no_evidence"
    return "better" if (one.difference.value > 0) != (one.metric in LOWER_IS_BETTER) else "worse"


def _deciding(contrasts: Sequence[Contrast], metric: str) -> Judged:
    return next(one.verdict for one in contrasts if one.metric == metric and not one.group)


def reliability(name: str, cases: Mapping[str, Sums]) -> Reliability | None:
    """How steady a contender is; None where no case has several trials."""
    trials = {case: (sums.passed, sums.planned) for case, sums in cases.items() if sums.planned > 1}
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
