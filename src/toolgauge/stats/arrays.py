"""Everything that knows of numpy, where it is installed: columns and pairs as arrays, and random bytes.

Every figure is the same as with lists, to the last bit. Sums of whole and half numbers are exact in any order; all
others are left to `math.fsum`, and what is done to a single case is done in the same order as in a list. Random bytes
come from the Mersenne Twister with the same seeding, so the extra `stats` makes things faster and changes no figure.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from math import fsum
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol

from .pairs import Means, Paired, Totals, ratio

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "MANY",
    "SEED",
    "Columns",
    "PairedArrays",
    "Places",
    "Stream",
    "accelerator",
    "as_array",
    "fast_stream",
    "frugal_statistics",
    "is_halves",
    "plain_stream",
]

MANY = 1_000
"""From so many cases on arrays are worth their while."""

_EXACT = 2.0**53
"""Below this every whole number is a number of floating point."""

SEED = 20260131
"""What every resampling starts from, so that the same input gets the same figures."""


class Stream(Protocol):
    """Where random bytes come from."""

    def __call__(self, number: int, /) -> bytes:
        """So many more bytes, a multiple of four."""


_frugal: ContextVar[bool] = ContextVar("toolgauge_frugal_statistics", default=False)


@contextmanager
def frugal_statistics() -> Iterator[None]:
    """Do without numpy where it is not loaded yet: for a few tests, loading it costs more than it saves."""
    token = _frugal.set(True)
    try:
        yield
    finally:
        _frugal.reset(token)


def accelerator() -> ModuleType | None:
    """Numpy, where the extra is installed and worth it."""
    return None if _frugal.get() and "numpy" not in sys.modules else _numpy()


@cache
def _numpy() -> ModuleType | None:
    from importlib import import_module

    try:
        return import_module("numpy")
    except ImportError:
        return None


def plain_stream(seed: int = SEED) -> Stream:
    """The stream of a seed, from the standard library."""
    from random import Random

    return Random(seed).randbytes  # noqa: S311 - for statistics, not for secrets


def fast_stream(numpy: ModuleType, seed: int = SEED) -> Stream:
    """The same stream, from numpy; the seed has at most 32 bits."""
    # A list is seeded by the algorithm that Python uses; a number is not.
    made: Stream = numpy.random.RandomState([seed]).bytes
    return made


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


@dataclass(frozen=True)
class Places:
    """Where the cases of a group stand among all cases."""

    listed: Sequence[int]

    def without(self, missing: frozenset[int]) -> Places:
        """Those that are not among these."""
        return Places([place for place in self.listed if place not in missing]) if missing else self

    @cached_property
    def array(self) -> Any:
        """The same as an array, where numpy is installed."""
        numpy = accelerator()
        assert numpy is not None  # noqa: S101 - columns are arrays only where it is
        return numpy.array(self.listed, dtype=numpy.intp)


@dataclass(frozen=True)
class Columns:
    """A metric of one contender, case by case."""

    above: Sequence[float]
    below: Sequence[float]
    missing: frozenset[int]
    """The places of the cases that there is no figure for."""

    def paired(self, other: Columns, places: Places) -> Paired:
        """This contender first, the other one second, on the cases at these places."""
        if len(places.listed) >= MANY and self._arrays is not None and other._arrays is not None:
            numpy, first_above, first_below = self._arrays
            _, second_above, second_below = other._arrays
            at = places.array if len(places.listed) < len(self.above) else slice(None)
            return PairedArrays(first_above[at], first_below[at], second_above[at], second_below[at], numpy)
        return Paired(*self._at(places.listed), *other._at(places.listed))

    @cached_property
    def _arrays(self) -> tuple[Any, Any, Any] | None:
        """Numpy and both columns as arrays; None where it is not installed, or they cannot be such."""
        numpy = accelerator()
        if numpy is None:
            return None
        above, below = as_array(self.above, numpy), as_array(self.below, numpy)
        return None if above is None or below is None else (numpy, above, below)

    def _at(self, places: Sequence[int]) -> tuple[Sequence[float], Sequence[float]]:
        """Both columns at these places."""
        if len(places) == len(self.above):
            return self.above, self.below
        if len(places) < 2:
            return [self.above[place] for place in places], [self.below[place] for place in places]
        pick = itemgetter(*places)
        return pick(self.above), pick(self.below)
