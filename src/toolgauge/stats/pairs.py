"""What two contenders achieved on the same cases, as the sums of a ratio, and the interval of their difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, sqrt
from operator import gt, lt, mul, sub
from typing import NamedTuple

from .intervals import Z95
from .rates import paired_rates
from .special import t_quantile

__all__ = ["Means", "Paired", "difference_interval", "ratio", "standardised_difference"]

_NOTHING = 1e-12
"""Rounding leaves a trace of variance where there is none."""


class Totals(NamedTuple):
    """The sums of the four columns of a pair."""

    first_above: float
    first_below: float
    second_above: float
    second_below: float


class Means(NamedTuple):
    """The figures that single cases have of one contender."""

    n: int
    """How many cases have one."""
    mean: float
    variance: float
    """0 where there are not two."""


@dataclass(frozen=True)
class Paired:
    """The upper and the lower sums of a metric, case by case, of a first and a second contender."""

    first_above: Sequence[float]
    first_below: Sequence[float]
    second_above: Sequence[float]
    second_below: Sequence[float]

    def __len__(self) -> int:
        return len(self.first_above)

    @cached_property
    def totals(self) -> Totals:
        """The sums over the cases."""
        return Totals(fsum(self.first_above), fsum(self.first_below), fsum(self.second_above), fsum(self.second_below))

    @cached_property
    def first(self) -> float:
        """The figure of the first, pooled over the cases."""
        return ratio(self.totals.first_above, self.totals.first_below)

    @cached_property
    def second(self) -> float:
        """The figure of the second."""
        return ratio(self.totals.second_above, self.totals.second_below)

    @property
    def difference(self) -> float:
        """How far the second is above the first."""
        return self.second - self.first

    @cached_property
    def once(self) -> bool:
        """Whether each case counts once, for both."""
        return set(self.first_below) == set(self.second_below) == {1}

    @cached_property
    def binary(self) -> bool:
        """Whether each case was passed or not, once, by both."""
        return self.once and {0, 1} >= {*self.first_above, *self.second_above}

    @cached_property
    def even(self) -> bool:
        """Whether the lower sums of the two are the same on each case."""
        return list(self.first_below) == list(self.second_below)

    @cached_property
    def discordant(self) -> tuple[int, int]:
        """How many cases only the first passed, and how many only the second; where they are binary."""
        return sum(map(gt, self.first_above, self.second_above)), sum(map(lt, self.first_above, self.second_above))

    def influences(self) -> list[float]:
        """What each case adds to the difference beyond its share, to first order; they sum to 0."""
        first, second = self.first, self.second
        first_total, second_total = self.totals.first_below or 1.0, self.totals.second_below or 1.0
        if self.once:
            gaps = map(sub, self.second_above, self.first_above)
            mean = second - first
            return [(gap - mean) / first_total for gap in gaps]
        return [
            (above_2 - second * below_2) / second_total - (above_1 - first * below_1) / first_total
            for above_1, below_1, above_2, below_2 in zip(
                self.first_above, self.first_below, self.second_above, self.second_below, strict=True
            )
        ]

    def contributions(self) -> Paired:
        """What each case adds to the difference, both figures being measured from the pooled one, as a mean over cases.

        Where the lower sums of the two differ, swapping them would also tell who did more, which is not the question.
        """
        totals = self.totals
        first_total, second_total = totals.first_below or 1.0, totals.second_below or 1.0
        pooled = ratio(totals.first_above + totals.second_above, first_total + second_total)
        n = len(self)
        added = [
            n * ((above_2 - pooled * below_2) / second_total - (above_1 - pooled * below_1) / first_total)
            for above_1, below_1, above_2, below_2 in zip(
                self.first_above, self.first_below, self.second_above, self.second_below, strict=True
            )
        ]
        return Paired([0.0] * n, [1.0] * n, added, [1.0] * n)

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the difference on a single case; 0 where it cannot be told."""
        n = len(self)
        return n * sqrt(self._squares() / (n - 1)) if n > 1 else 0.0

    def _squares(self) -> float:
        """The sum of the squares of the influences."""
        influences = self.influences()
        return fsum(map(mul, influences, influences))

    def means(self) -> tuple[Means, Means]:
        """The figures of single cases, of the first and of the second; cases without a lower sum have none."""
        if self.once:
            return _means(self.first_above), _means(self.second_above)
        return (
            _means(_quotients(self.first_above, self.first_below)),
            _means(_quotients(self.second_above, self.second_below)),
        )

    def listed(self) -> Paired:
        """The same with the columns as lists."""
        return self


def ratio(above: float, below: float) -> float:
    """The ratio of two sums; nothing to do and nothing done is 1."""
    return above / below if below else 1.0


def _quotients(above: Iterable[float], below: Iterable[float]) -> list[float]:
    return [up / down for up, down in zip(above, below, strict=True) if down]


def _means(values: Sequence[float]) -> Means:
    n = len(values)
    if n < 2:
        return Means(n, fsum(values), 0.0)
    mean = fsum(values) / n
    gaps = [value - mean for value in values]
    return Means(n, mean, fsum(map(mul, gaps, gaps)) / (n - 1))


def difference_interval(paired: Paired, *, bounded: bool = True) -> tuple[float, float] | None:
    """The 95 % interval of the difference, second less first, over at least one case.

    A rate with one trial per case has Tango's score interval. Everything else has one by the delta method over cases,
    with Student's t; where that has no width, that of Tango's for as many equal pairs.

    Args:
        paired: The sums, case by case.
        bounded: Whether the figures lie between 0 and 1.

    Returns:
        The interval; None where there is none: an amount without variance.
    """
    n, difference = len(paired), paired.difference
    if bounded and paired.binary:
        return paired_rates(*paired.discordant, n)
    error = paired.spread / sqrt(n)
    scale = 1.0 if bounded else abs(paired.first) + abs(paired.second)
    if n < 2 or error <= _NOTHING * scale:
        if not bounded:
            return None
        half = Z95 * Z95 / (n + Z95 * Z95)
    else:
        half = t_quantile(0.975, n - 1) * error
    low, high = difference - half, difference + half
    return (max(-1.0, low), min(1.0, high)) if bounded else (low, high)


def standardised_difference(paired: Paired) -> float | None:
    """The difference of the case means, in units of the standard deviation that cases have on average.

    Returns:
        Cohen's d; None where the cases do not differ, or there is but one.
    """
    first, second = paired.means()
    if first.n < 2 or second.n < 2:
        return None
    spread = sqrt((first.variance + second.variance) / 2)
    gap = second.mean - first.mean
    return gap / spread if spread > _NOTHING * (abs(gap) + 1) else None
