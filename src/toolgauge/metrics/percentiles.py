"""How the values of an amount are distributed, in bounded memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import ceil
from sys import byteorder

from msgspec import Struct

__all__ = ["MAX_UNCOUNTED", "MAX_VALUES", "Distribution", "PackedDistribution"]

MAX_VALUES = 10_000
"""Beyond so many different values they are kept to three significant digits."""

MAX_UNCOUNTED = 12_000
"""How many fractions are kept as they are before they are counted: uncounted they take a tenth of the room."""

SLACK = 1e-9
"""A share this close below a whole number of values is that number: products of fractions are not exact."""


class PackedDistribution(Struct, frozen=True, array_like=True):
    """A distribution as it is written down."""

    values: list[int | float]
    counts: list[int]
    """How often each of the values is there."""
    uncounted: bytes
    coarse: bool


class Distribution:
    """Counts values, for percentiles. Exact up to 10,000 different values, then to three significant digits."""

    __slots__ = ("_coarse", "_counts", "_uncounted")

    def __init__(self) -> None:
        self._counts: Counter[float] = Counter()
        self._uncounted = array("d")
        """Fractions that are not counted yet."""
        self._coarse = False

    def add_all(self, values: Sequence[float]) -> None:
        """Add values."""
        fractions = [value for value in values if value.__class__ is float]
        if len(fractions) < len(values):
            # Whole numbers, such as those of calls, are few and come again and again.
            whole = [value for value in values if value.__class__ is not float] if fractions else values
            self._counts.update(_count_rounded(whole) if self._coarse else whole)
        self._uncounted.extend(fractions)
        if len(self._uncounted) >= MAX_UNCOUNTED or len(self._counts) > MAX_VALUES:
            self._count()

    def add_counted(self, counts: Mapping[int, int]) -> None:
        """Add whole numbers, each as often as it says."""
        for value, count in counts.items():
            self._counts[_rounded(value) if self._coarse else value] += count
        if len(self._counts) > MAX_VALUES:
            self._count()

    def _count(self) -> None:
        """Count what is not counted, and round where there is too much of it."""
        if not self._coarse and len({*self._counts, *self._uncounted}) > MAX_VALUES:
            self._coarse = True
            exact, self._counts = self._counts, Counter()
            for value, count in exact.items():
                self._counts[_rounded(value)] += count
        self._counts.update(_count_rounded(self._uncounted) if self._coarse else self._uncounted)
        self._uncounted = array("d")

    @classmethod
    def merged(cls, distributions: Iterable[Distribution]) -> Distribution:
        """All values of several distributions together."""
        whole = cls()
        parts = list(distributions)
        whole._coarse = any(part._coarse for part in parts)
        for part in parts:
            whole._uncounted.extend(part._uncounted)
            for value, count in part._counts.items():
                whole._counts[_rounded(value) if whole._coarse else value] += count
        if whole._counts:
            whole._count()
        return whole

    def percentiles(self, *shares: float) -> list[float | None]:
        """For each share the smallest value that so much of all values does not exceed; None without values."""
        if not self._counts:
            return self._percentiles_of_uncounted(shares)
        self._count()
        values = sorted(self._counts)
        reached = list(accumulate(map(self._counts.__getitem__, values)))
        # + 0 turns -0.0 into 0.0.
        return [values[bisect_left(reached, share * reached[-1] - SLACK)] + 0 for share in shares]

    def _percentiles_of_uncounted(self, shares: Sequence[float]) -> list[float | None]:
        """The same where nothing is counted: rounding changes no order, so that few values have to be rounded."""
        if not self._uncounted:
            return [None] * len(shares)
        values = sorted(self._uncounted)
        # What is in order is soon put in order again, also where it is merged with more.
        self._uncounted = array("d", values)
        found = [values[max(ceil(share * len(values) - SLACK), 1) - 1] + 0 for share in shares]
        return list(map(_rounded, found)) if len(set(values)) > MAX_VALUES else list(found)

    def pack(self) -> PackedDistribution:
        """The distribution as it is written down."""
        counts = self._counts
        return PackedDistribution(
            list(counts), list(counts.values()), _swapped(self._uncounted).tobytes(), self._coarse
        )

    @classmethod
    def unpack(cls, packed: PackedDistribution) -> Distribution:
        """The distribution that was written down."""
        found = cls()
        found._counts = Counter(dict(zip(packed.values, packed.counts, strict=True)))
        found._uncounted = _swapped(array("d", packed.uncounted))
        found._coarse = packed.coarse
        return found


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _count_rounded(values: Sequence[float]) -> Counter[float]:
    """How often each value is there when it is rounded; writing all at once takes less than half as long."""
    counts: Counter[float] = Counter()
    for written, count in Counter(("%.3g " * len(values) % tuple(values)).split()).items():
        counts[float(written)] += count
    return counts


def _swapped(values: array[float]) -> array[float]:
    """The same in the order of bytes that is written down, or back from there: the lowest first."""
    if byteorder == "little":
        return values
    swapped = array("d", values)
    swapped.byteswap()
    return swapped
