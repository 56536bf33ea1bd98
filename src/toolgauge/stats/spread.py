"""How the values of an amount are spread, in bounded memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import ceil

__all__ = ["AT_ONCE", "Spread"]

MOST_VALUES = 10_000
"""Beyond so many different values they are kept to three significant digits."""

AT_ONCE = 12_000
"""How many fractions are kept as they are before they are counted: uncounted they take a tenth of the room."""

SLACK = 1e-9
"""A share this close below a whole number of values is that number: products of fractions are not exact."""


class Spread:
    """Counts values, for percentiles. Exact up to 10,000 different values, then to three significant digits."""

    __slots__ = ("_coarse", "_counts", "_fresh")

    def __init__(self) -> None:
        self._counts: Counter[float] = Counter()
        self._fresh = array("d")
        """Fractions that are not counted yet."""
        self._coarse = False

    def add(self, value: float) -> None:
        """Add a value."""
        if value.__class__ is float:
            self._fresh.append(value)
            if len(self._fresh) >= AT_ONCE:
                self._settle()
        else:
            # Whole numbers, such as those of calls, are few and come again and again.
            self._counts[_rounded(value) if self._coarse else value] += 1
            if len(self._counts) > MOST_VALUES:
                self._settle()

    def _settle(self) -> None:
        """Count what is not counted, and round where there is too much of it."""
        self._counts.update(map(_rounded, self._fresh) if self._coarse else self._fresh)
        self._fresh = array("d")
        if len(self._counts) > MOST_VALUES and not self._coarse:
            self._coarse = True
            exact, self._counts = self._counts, Counter()
            for value, count in exact.items():
                self._counts[_rounded(value)] += count

    @classmethod
    def merged(cls, spreads: Iterable[Spread]) -> Spread:
        """All values of several spreads together."""
        whole = cls()
        parts = list(spreads)
        whole._coarse = any(spread._coarse for spread in parts)
        for spread in parts:
            whole._fresh.extend(spread._fresh)
            for value, count in spread._counts.items():
                whole._counts[_rounded(value) if whole._coarse else value] += count
        if whole._counts:
            whole._settle()
        return whole

    def percentiles(self, *shares: float) -> list[float | None]:
        """For each share the smallest value that so much of all values does not exceed; None without values."""
        if not self._counts:
            return self._percentiles_of_fresh(shares)
        self._settle()
        values = sorted(self._counts)
        reached = list(accumulate(map(self._counts.__getitem__, values)))
        # To add nothing makes a plain 0 of one that has a sign.
        return [values[bisect_left(reached, share * reached[-1] - SLACK)] + 0 for share in shares]

    def _percentiles_of_fresh(self, shares: Sequence[float]) -> list[float | None]:
        """The same where nothing is counted: rounding changes no order, so that few values have to be rounded."""
        if not self._fresh:
            return [None] * len(shares)
        values = sorted(self._fresh)
        # What is in order is soon put in order again, also where it is merged with more.
        self._fresh = array("d", values)
        found = [values[max(ceil(share * len(values) - SLACK), 1) - 1] + 0 for share in shares]
        return list(map(_rounded, found)) if len(set(values)) > MOST_VALUES else list(found)


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
