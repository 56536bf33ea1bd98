"""How the values of an amount are spread, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

__all__ = ["Spread"]

MOST_VALUES = 10_000
"""Beyond so many different values they are kept to three significant digits."""


class Spread:
    """Counts values, for percentiles. Exact up to 10,000 different values, then to three significant digits."""

    def __init__(self) -> None:
        self._counts: Counter[float] = Counter()
        self._fresh: list[float] = []
        """Values that are not counted yet: many at once are counted faster than one by one."""
        self._coarse = False

    def add(self, value: float) -> None:
        """Add a value."""
        self._fresh.append(value)
        if len(self._fresh) >= MOST_VALUES:
            self._settle()

    def _settle(self) -> None:
        self._counts.update(map(_rounded, self._fresh) if self._coarse else self._fresh)
        self._fresh.clear()
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
            spread._settle()
            for value, count in spread._counts.items():
                whole._counts[_rounded(value) if whole._coarse else value] += count
        whole._settle()
        return whole

    def percentile(self, share: float) -> float | None:
        """The smallest value that at least this share of the values does not exceed; None without values."""
        self._settle()
        needed = share * self._counts.total()
        reached = 0
        for value in sorted(self._counts):
            reached += self._counts[value]
            if reached >= needed - 1e-9:
                return value
        return None


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
