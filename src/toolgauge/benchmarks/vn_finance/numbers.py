"""Numbers that look random and are the same on every machine: bytes of SHA-256 over a seed and a counter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

__all__ = ["Numbers"]

Item = TypeVar("Item")


class Numbers:
    """A stream of whole numbers that depends on nothing but its seed.

    Only whole numbers are made and only whole numbers are reckoned with, so that no rounding of a processor or of a
    mathematical library can change a price.
    """

    def __init__(self, seed: str) -> None:
        self._words = _words(seed)

    def below(self, limit: int) -> int:
        """A number from 0 up to, and not including, the limit."""
        return next(self._words) % limit

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def around_zero(self, most: int) -> int:
        """A number around 0, small ones more often: the sum of four between minus and plus a quarter of the most."""
        return sum(self.between(-most // 4, most // 4) for _ in range(4))

    def choose(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]


def _words(seed: str) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(f"{seed}/{counter}".encode()).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1
