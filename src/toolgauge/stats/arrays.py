"""Pairs whose columns are arrays of numpy, for many cases: every figure is the same as with lists, to the last bit.

Sums of whole and half numbers are exact in any order. All others are left to `math.fsum`, and what is done to a single
case is done in the same order as in a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Any

from .pairs import Means, Paired, Totals, ratio

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["MANY", "PairedArrays", "as_array", "is_halves"]

MANY = 1_000
"""From so many cases on arrays are worth their while."""

_EXACT = 2.0**53
"""Below this every whole number is a number of floating point."""


def as_array(column: Sequence[float], numpy: ModuleType) -> Any | None:
    """The column as an array; None where it holds numbers that an array would have to round."""
    array = numpy.array(column, dtype=numpy.float64)
    return array if numpy.abs(array).max(initial=0.0) < _EXACT else None


def is_halves(array: Any, numpy: ModuleType) -> bool:
    """Whether these are multiples of one half that can be added up in any order without rounding."""
    doubled = 2.0 * array
    return bool((numpy.rint(doubled) == doubled).all() and numpy.abs(doubled).sum() < _EXACT)


@dataclass(frozen=True, eq=False)
class PairedArrays(Paired):
    """A pair with arrays as columns."""

    first_above: Any
    first_below: Any
    second_above: Any
    second_below: Any
    numpy: ModuleType
    """Handed over by whoever found that it is installed."""

    @cached_property
    def totals(self) -> Totals:
        """The sums over the cases."""
        return Totals(*map(self._sum, (self.first_above, self.first_below, self.second_above, self.second_below)))

    @cached_property
    def once(self) -> bool:
        """Whether each case counts once, for both."""
        return bool(len(self) and (self.first_below == 1).all() and (self.second_below == 1).all())

    @cached_property
    def binary(self) -> bool:
        """Whether each case was passed or not, once, by both."""
        return self.once and all(
            bool(((column == 0) | (column == 1)).all()) for column in (self.first_above, self.second_above)
        )

    @cached_property
    def even(self) -> bool:
        """Whether the lower sums of the two are the same on each case."""
        return bool((self.first_below == self.second_below).all())

    @cached_property
    def discordant(self) -> tuple[int, int]:
        """How many cases only the first passed, and how many only the second; where they are binary."""
        return int((self.first_above > self.second_above).sum()), int((self.first_above < self.second_above).sum())

    def influences(self) -> Any:
        """What each case adds to the difference beyond its share, to first order; they sum to 0."""
        first_total, second_total = self.totals.first_below or 1.0, self.totals.second_below or 1.0
        if self.once:
            return (self.second_above - self.first_above - (self.second - self.first)) / first_total
        upper = (self.second_above - self.second * self.second_below) / second_total
        return upper - (self.first_above - self.first * self.first_below) / first_total

    def contributions(self) -> PairedArrays:
        """What each case adds to the difference, both figures being measured from the pooled one; see `Paired`."""
        totals, n = self.totals, len(self)
        first_total, second_total = totals.first_below or 1.0, totals.second_below or 1.0
        pooled = ratio(totals.first_above + totals.second_above, first_total + second_total)
        upper = (self.second_above - pooled * self.second_below) / second_total
        added = n * (upper - (self.first_above - pooled * self.first_below) / first_total)
        ones = self.numpy.ones(n)
        return PairedArrays(self.numpy.zeros(n), ones, added, ones, self.numpy)

    def means(self) -> tuple[Means, Means]:
        """The figures of single cases, of the first and of the second; cases without a lower sum have none."""
        if self.once:
            return (
                self._means(self.first_above, self.totals.first_above),
                self._means(self.second_above, self.totals.second_above),
            )
        first = self.first_above[self.first_below != 0] / self.first_below[self.first_below != 0]
        second = self.second_above[self.second_below != 0] / self.second_below[self.second_below != 0]
        return self._means(first, self._sum(first)), self._means(second, self._sum(second))

    def listed(self) -> Paired:
        """The same with the columns as lists."""
        columns = (self.first_above, self.first_below, self.second_above, self.second_below)
        return Paired(*(column.tolist() for column in columns))

    def _squares(self) -> float:
        influences = self.influences()
        return self._sum(influences * influences)

    def _means(self, values: Any, total: float) -> Means:
        n = len(values)
        if n < 2:
            return Means(n, total, 0.0)
        gaps = values - total / n
        return Means(n, total / n, self._sum(gaps * gaps) / (n - 1))

    def _sum(self, column: Any) -> float:
        return float(column.sum()) if is_halves(column, self.numpy) else fsum(column.tolist())
