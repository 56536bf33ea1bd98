"""Sums of amounts that come out the same to the last digit, in whatever order they are added up.

Fractions are added up as whole numbers of a very small unit, so that nothing is rounded before the end.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import inf, isfinite

__all__ = ["UNIT", "UNIT_BITS", "from_units", "in_units", "pack_column", "to_units", "unpack_column"]

UNIT_BITS = 96
UNIT = 2**UNIT_BITS
"""Into so many parts 1 is divided."""

_SCALE = float(UNIT)

_WORD = 8
"""So many bytes have the numbers that an array takes as they are, which is quicker than one after the other."""


def in_units(amount: float) -> int:
    """An amount in units. Whatever is below one of them is left out."""
    try:
        return int(amount * _SCALE)
    except (OverflowError, ValueError):
        # What is not finite stays what it is, and so does every sum with it.
        return int(amount) * UNIT if isfinite(amount) else amount  # type: ignore[return-value]


def to_units(amounts: Sequence[float]) -> Iterator[int]:
    """Amounts in units. Where there are few different ones, as of shares, each is computed once."""
    different = set(amounts)
    if len(different) * 2 > len(amounts):
        return map(in_units, amounts)
    return map({amount: in_units(amount) for amount in different}.__getitem__, amounts)


def from_units(sums: Iterable[int]) -> list[float]:
    """The nearest numbers to sums of units."""
    try:
        return [units / UNIT for units in sums]
    except OverflowError:
        return [_from_units(units) for units in sums]


def _from_units(units: int) -> float:
    try:
        found: float = units / UNIT
    except OverflowError:
        return inf
    return found


def pack_column(column: Sequence[int]) -> bytes | list[str]:
    """Whole numbers of any size as they are written down: their width, and then all of them."""
    if float in set(map(type, column)):
        return list(map(repr, column))
    width = max(map(int.bit_length, column)) // 8 + 1
    if width <= _WORD:
        return bytes([_WORD]) + _little_endian(array("q", column)).tobytes()
    return bytes([width]) + b"".join([number.to_bytes(width, "little", signed=True) for number in column])


def unpack_column(packed: bytes | list[str]) -> list[int]:
    """The whole numbers that were written down."""
    if isinstance(packed, list):
        return [int(text) if text.lstrip("-").isdigit() else float(text) for text in packed]  # type: ignore[misc]
    width = packed[0]
    if width == _WORD:
        return _little_endian(array("q", packed[1:])).tolist()
    return [
        int.from_bytes(packed[start : start + width], "little", signed=True) for start in range(1, len(packed), width)
    ]


def _little_endian(words: array[int]) -> array[int]:
    if sys.byteorder == "big":
        words.byteswap()
    return words
