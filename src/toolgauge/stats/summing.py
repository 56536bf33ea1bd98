"""Sums of amounts that come out the same to the last digit, in whatever order they are added up."""

from __future__ import annotations

from math import inf, isfinite
from operator import attrgetter
from typing import Self, overload

__all__ = ["UNIT", "ExactSum", "in_units"]

UNIT = 2**96
"""Into so many parts 1 is divided. Amounts are added up as whole numbers of these, so that nothing is rounded."""

_SCALE = float(UNIT)


def in_units(amount: float) -> int:
    """An amount in these parts. Whatever is below one of them is left out."""
    try:
        return int(amount * _SCALE)
    except (OverflowError, ValueError):
        # What is not finite stays what it is, and so does every sum with it.
        return int(amount) * UNIT if isfinite(amount) else amount  # type: ignore[return-value]


class ExactSum:
    """Of a class that keeps a sum in these parts, as NAME_units: the sum itself, as NAME."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._units = attrgetter(f"{name}_units")

    @overload
    def __get__(self, sums: None, owner: type) -> Self: ...
    @overload
    def __get__(self, sums: object, owner: type) -> float: ...
    def __get__(self, sums: object | None, owner: type) -> float | Self:
        if sums is None:
            return self
        try:
            found: float = self._units(sums) / UNIT
        except OverflowError:
            return inf
        return found
