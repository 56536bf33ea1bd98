"""What swapping two contenders changes, case by case: pairs of differences in whole numbers, equal ones together.

A pair is the difference of the upper and that of the lower sums of a case. Swapping the contenders turns it into its
opposite, so that a pair and its opposite are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from math import fsum
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .arrays import PairedArrays, is_halves
from .pairs import Paired

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Bunch", "Differences", "Groups", "Pair", "find_differences"]

Pair = tuple[int, int]
Bunch = tuple[Pair, int]
"""A pair of differences, and how often it is there."""

_FINE = 2**40
"""How many steps the largest difference is divided into."""

_MAX_CASES = 2**20
"""With more cases than this, sums of such steps might not fit into the whole numbers of an array."""


class Groups(Protocol):
    """How often each pair of differences is there. One that changes nothing is left out."""

    def __len__(self) -> int:
        """How many different ones there are."""

    def __iter__(self) -> Iterator[Bunch]:
        """All of them, the most frequent first, then those that a case had first."""

    @property
    def total(self) -> int:
        """How many there are, equal ones counted one by one."""

    def largest(self, number: int, slope: float) -> tuple[list[Bunch], float]:
        """The differences that matter most, so many of them, and the sum of the squares of the others.

        Args:
            number: How many, equal ones counted one by one.
            slope: What the lower difference weighs in terms of the upper one; it weighs against it.
        """


class Grid(NamedTuple):
    """Differences as whole multiples of a unit."""

    numbers: Any
    """A list or an array."""
    per_unit: float
    rounded: bool


class Differences(NamedTuple):
    """What swapping changes."""

    groups: Groups
    above: Grid
    below: Grid

    @property
    def seen(self) -> Pair:
        """The sums as they are, without a swap."""
        return int(sum_of(self.above.numbers)), int(sum_of(self.below.numbers))


def sum_of(numbers: Any) -> int:
    """The sum of a list or an array of whole numbers."""
    found: int = sum(numbers) if isinstance(numbers, list) else numbers.sum()
    return found


def find_differences(paired: Paired) -> Differences:
    """Take the differences of a pair, fast where its columns are arrays."""
    if isinstance(paired, PairedArrays):
        if len(paired) <= _MAX_CASES:
            found = _find_in_arrays(paired)
            if found is not None:
                return found
        paired = paired.listed()
    above = _on_grid(list(map(sub, paired.second_above, paired.first_above)))
    below = _on_grid(list(map(sub, paired.second_below, paired.first_below)))
    return Differences(_ListedGroups(_grouped(above.numbers, below.numbers)), above, below)


def _on_grid(values: Sequence[float]) -> Grid:
    """The values in whole numbers: of halves where they are counts, otherwise of steps too small to matter."""
    doubled = [2.0 * value for value in values]
    if all(map(float.is_integer, doubled)):
        return Grid(list(map(int, doubled)), 2.0, rounded=False)
    per_unit = _FINE / max(map(abs, values))
    return Grid([round(value * per_unit) for value in values], per_unit, rounded=True)


def _grouped(above: Sequence[int], below: Sequence[int]) -> Counter[Pair]:
    found: Counter[Pair] = Counter()
    if any(below):
        for pair, many in Counter(zip(above, below, strict=True)).items():
            found[pair if pair > (0, 0) else (-pair[0], -pair[1])] += many
    else:
        found.update({(number, 0): many for number, many in Counter(map(abs, above)).items()})
    found.pop((0, 0), None)
    return found


class _ListedGroups:
    """Groups in plain Python."""

    def __init__(self, counts: Counter[Pair]) -> None:
        self._counts = counts
        self._ordered = counts.most_common()

    def __len__(self) -> int:
        return len(self._ordered)

    def __iter__(self) -> Iterator[Bunch]:
        return iter(self._ordered)

    @property
    def total(self) -> int:
        return self._counts.total()

    def largest(self, number: int, slope: float) -> tuple[list[Bunch], float]:
        weighed = [(abs(pair[0] - slope * pair[1]), pair, many) for pair, many in self._counts.items()]
        chosen, squares = _chosen(nlargest(number, weighed), number)
        squares.extend(many * weight * weight for weight, _, many in weighed)
        return chosen, max(0.0, fsum(squares))


def _chosen(ordered: Iterable[tuple[float, Pair, int]], number: int) -> tuple[list[Bunch], list[float]]:
    """The first ones, so many together, and what they take away from the sum of squares."""
    chosen: list[Bunch] = []
    squares: list[float] = []
    for weight, pair, many in ordered:
        taken = min(many, number)
        if not taken:
            break
        chosen.append((pair, taken))
        squares.append(-taken * weight * weight)
        number -= taken
    return chosen, squares


def _find_in_arrays(paired: PairedArrays) -> Differences | None:
    """The same with arrays; None where their whole numbers would have to be too large."""
    numpy = paired.numpy
    above = _array_on_grid(paired.second_above - paired.first_above, numpy)
    below = _array_on_grid(paired.second_below - paired.first_below, numpy)
    if above is None or below is None:
        return None
    return Differences(_group_arrays(above.numbers, below.numbers, numpy), above, below)


def _array_on_grid(values: Any, numpy: ModuleType) -> Grid | None:
    if is_halves(values, numpy):
        return Grid((2.0 * values).astype(numpy.int64), 2.0, rounded=False)
    doubled = 2.0 * values
    if (numpy.rint(doubled) == doubled).all():
        return None
    per_unit = _FINE / float(numpy.abs(values).max())
    return Grid(numpy.rint(values * per_unit).astype(numpy.int64), per_unit, rounded=True)


def _group_arrays(above: Any, below: Any, numpy: ModuleType) -> _ArrayGroups:
    turned = (above < 0) | ((above == 0) & (below < 0))
    above, below = numpy.where(turned, -above, above), numpy.where(turned, -below, below)
    # Stable, so that among equal ones the first case is the first; by the upper, then by the lower difference.
    order = numpy.lexsort((below, above)) if below.any() else numpy.argsort(above, kind="stable")
    above, below = above[order], below[order]
    begins = numpy.ones(len(above), dtype=bool)
    begins[1:] = (above[1:] != above[:-1]) | (below[1:] != below[:-1])
    starts = numpy.flatnonzero(begins)
    counts = numpy.diff(starts, append=len(above))
    kept = (above[starts] != 0) | (below[starts] != 0)
    starts, counts = starts[kept], counts[kept]
    return _ArrayGroups(above[starts], below[starts], counts, order[starts], numpy)


@dataclass(frozen=True)
class _ArrayGroups:
    """Groups in arrays, by the upper, then by the lower difference."""

    above: Any
    below: Any
    counts: Any
    places: Any
    """The first case that has the difference."""
    numpy: ModuleType

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Bunch]:
        return self._bunches(self._order)

    @cached_property
    def _order(self) -> Any:
        return self.numpy.lexsort((self.places, -self.counts))

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def largest(self, number: int, slope: float) -> tuple[list[Bunch], float]:
        weights = self.numpy.abs(self.above - slope * self.below)
        # They are in the order of the pairs, which is the one among equal weights, so that it has to stay.
        order = self.numpy.argsort(weights, kind="stable")[: -number - 1 : -1]
        bunches = zip(weights[order].tolist(), self._bunches(order), strict=True)
        chosen, squares = _chosen(((weight, pair, many) for weight, (pair, many) in bunches), number)
        squares.extend((self.counts * weights * weights).tolist())
        return chosen, max(0.0, fsum(squares))

    def _bunches(self, order: Any) -> Iterator[Bunch]:
        pairs = zip(self.above[order].tolist(), self.below[order].tolist(), strict=True)
        return zip(pairs, self.counts[order].tolist(), strict=True)
