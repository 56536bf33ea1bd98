"""What one contender did, added up case by case: one column of numbers for each sum that is needed, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import add, itemgetter
from types import SimpleNamespace
from typing import Any, cast

from .amounts import AMOUNTS, Told, Verdict, sums_of
from .columns import Columns
from .metrics import METRICS, Metric

__all__ = ["Sheet"]

_AT_ONCE = 2_000
"""So many trajectories wait to be added up together, sum by sum, which is faster than one by one."""

_ALWAYS = ("passed", "planned")
"""Sums that tell how steady a contender is."""


class Sheet:
    """What one contender did, added up case by case. Settle it before it is read."""

    def __init__(self, metrics: Iterable[Metric] = METRICS) -> None:
        """Make a sheet for these metrics."""
        self.cases: dict[str, int] = {}
        """By the id of a case its place in the columns."""
        needed = dict.fromkeys([*_ALWAYS, *(name for metric in metrics for name in sums_of(metric))])
        self._sums: dict[str, list[float]] = {name: [] for name in needed}
        self._trajectories: list[Told] = []
        self._scores: list[Verdict] = []
        self._columns: dict[str, Columns] = {}
        self._pick: Callable[[list[float]], Sequence[float]] | None = None

    def add(self, trajectory: Told, score: Verdict) -> None:
        """Add one trajectory with its score."""
        self._trajectories.append(trajectory)
        self._scores.append(score)
        if len(self._scores) >= _AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Add up what waits."""
        trajectories, scores, cases = self._trajectories, self._scores, self.cases
        before = len(cases)
        places = [cases.setdefault(trajectory.case, len(cases)) for trajectory in trajectories]
        all_new = len(cases) - before == len(places)
        for name, column in self._sums.items():
            amounts = map(AMOUNTS[name], trajectories, scores)
            if all_new:
                column.extend(amounts)
                continue
            column.extend([0] * (len(cases) - before))
            for place, amount in zip(places, amounts, strict=True):
                column[place] += amount
        trajectories.clear()
        scores.clear()

    @property
    def trials(self) -> int:
        """The most trials that a case has."""
        return int(max(self._sums["planned"], default=0))

    def repeated(self) -> dict[str, tuple[int, int]]:
        """By case how many trials passed, and how many there were, where there were several."""
        if self.trials < 2:
            return {}
        counts = zip(self.cases, self._sums["passed"], self._sums["planned"], strict=True)
        return {case: (int(passed), int(planned)) for case, passed, planned in counts if planned > 1}

    def columns(self, metric: Metric, cases: Sequence[str]) -> Columns:
        """The sums of a metric on these cases, in their order, which is the same each time."""
        known = self._columns.get(metric.name)
        if known is None:
            known = self._columns[metric.name] = self._computed(metric, cases)
        return known

    def _computed(self, metric: Metric, cases: Sequence[str]) -> Columns:
        if self._pick is None:
            self._pick = self._picking(cases)
        sums = SimpleNamespace(**{name: _Numbers(self._pick(self._sums[name])) for name in sums_of(metric)})
        # What a metric does to the sums of one case it does to whole columns of them.
        above, below, counts = (
            cast(Callable[[Any], _Numbers], part)(sums).values for part in (metric.above, metric.below, metric.n)
        )
        missing = () if all(counts) else (place for place, n in enumerate(counts) if not n)
        return Columns(above, below, frozenset(missing))

    def _picking(self, cases: Sequence[str]) -> Callable[[list[float]], Sequence[float]]:
        """What takes the numbers of these cases out of a column."""
        if list(self.cases) == list(cases):
            return lambda column: column
        places = [self.cases[case] for case in cases]
        return itemgetter(*places) if len(places) > 1 else lambda column: [column[place] for place in places]


class _Numbers:
    """A column that can be added to another one and divided, number by number."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values = values

    def __add__(self, other: _Numbers) -> _Numbers:
        return _Numbers(list(map(add, self.values, other.values)))

    def __truediv__(self, number: float) -> _Numbers:
        return _Numbers([value / number for value in self.values])
