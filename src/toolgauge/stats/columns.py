"""The sums of a metric, case by case, and the places of the cases that are looked at: arrays where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

from .arrays import MANY, PairedArrays, as_array
from .pairs import Paired
from .randomness import accelerator

__all__ = ["Columns", "Places"]


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
