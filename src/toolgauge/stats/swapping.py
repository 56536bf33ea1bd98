"""Drawing swaps: sums of differences with random signs, fast in plain Python and faster with numpy.

Eight differences make a table of 256 sums, so that a random byte stands for eight coins. Of many equal differences only
the number of heads matters, which is the number of bits in a random number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import getitem
from typing import TYPE_CHECKING, Any, NamedTuple

from .arrays import SEED, accelerator, fast_stream, plain_stream
from .pairs import ratio

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Statistic", "Swaps", "count_extreme"]

_AT_ONCE = 4_000_000
"""How many random bytes numpy takes at a time."""

Pair = tuple[int, int]


class Swaps(NamedTuple):
    """Differences that get random signs, each a pair of numbers."""

    single: Sequence[Pair]
    bunches: Sequence[tuple[Pair, int]]
    """Equal differences, and how many there are."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """The difference of the two figures after swaps, from the sums of signed differences."""

    above: float
    below: float
    above_per_unit: float
    below_per_unit: float

    def __call__(self, above: int, below: int) -> float:
        """The difference for one pair of sums."""
        up, down = above / self.above_per_unit, below / self.below_per_unit
        return ratio(self.above + up, self.below + down) - ratio(self.above - up, self.below - down)

    @property
    def slope(self) -> float:
        """What a difference of the lower sums does in terms of the upper ones, to first order."""
        return ratio(self.above, self.below) * self.above_per_unit / self.below_per_unit

    def of_arrays(self, above: Any, below: Any, numpy: ModuleType) -> Any:
        """The differences for many sums at once."""
        up, down = above / self.above_per_unit, below / self.below_per_unit
        return _ratios(self.above + up, self.below + down, numpy) - _ratios(self.above - up, self.below - down, numpy)


def _ratios(above: Any, below: Any, numpy: ModuleType) -> Any:
    return numpy.divide(above, below, out=numpy.ones(len(above)), where=below != 0)


def count_extreme(swaps: Swaps, statistic: Statistic, smallest: float, resamples: int, *, seed: int = SEED) -> int:
    """How many of the sums that are drawn lead to a difference of at least this size, whoever is ahead."""
    numpy = accelerator()
    if numpy is None:
        return sum(abs(statistic(*sums)) >= smallest for sums in _plain(swaps, resamples, seed))
    return sum(
        int((numpy.abs(statistic.of_arrays(above, below, numpy)) >= smallest).sum())
        for above, below in _fast(swaps, resamples, seed, numpy)
    )


def _tables(single: Sequence[Pair], side: int) -> list[list[int]]:
    """For each eight differences the sums that the signs in a byte lead to."""
    tables = []
    for start in range(0, len(single), 8):
        sums = [0]
        for pair in single[start : start + 8]:
            sums = [total - pair[side] for total in sums] + [total + pair[side] for total in sums]
        tables.append(sums * (256 // len(sums)))
    return tables


def _words(bits: int) -> int:
    """How many bytes hold these bits, in whole words of four."""
    return (bits + 31) // 32 * 4


def _plain(swaps: Swaps, resamples: int, seed: int) -> Iterator[Pair]:
    stream = plain_stream(seed)
    sides = [_tables(swaps.single, side) for side in (0, 1)]
    if not any(pair[1] for pair in swaps.single):
        sides[1] = []
    length = _words(len(swaps.single))
    bunches = [(pair, many, _words(many), (1 << many) - 1) for pair, many in swaps.bunches]
    row = length + sum(size for _, _, size, _ in bunches)
    for _ in range(resamples):
        data = stream(row)
        above, below = (sum(map(getitem, tables, data)) for tables in sides)
        start = length
        for pair, many, size, mask in bunches:
            heads = (int.from_bytes(data[start : start + size], "little") & mask).bit_count()
            start += size
            above += (2 * heads - many) * pair[0]
            below += (2 * heads - many) * pair[1]
        yield above, below


def _fast(swaps: Swaps, resamples: int, seed: int, numpy: ModuleType) -> Iterator[tuple[Any, Any]]:
    """The upper and the lower sums in arrays, many at once."""
    stream = fast_stream(numpy, seed)
    tables = [numpy.array(_tables(swaps.single, side), dtype=numpy.int64).reshape(-1, 256) for side in (0, 1)]
    length = _words(len(swaps.single))
    row = length + sum(_words(many) for _, many in swaps.bunches)
    portion = max(1, _AT_ONCE // max(row, 1))
    for start in range(0, resamples, portion):
        count = min(portion, resamples - start)
        data = numpy.frombuffer(stream(count * row), dtype=numpy.uint8).reshape(count, row)
        above, below = (_looked_up(table, data, numpy) for table in tables)
        place = length
        for pair, many in swaps.bunches:
            words = data[:, place : place + _words(many)].copy().view("<u4")
            place += _words(many)
            if many % 32:
                words[:, -1] &= (1 << many % 32) - 1
            heads = numpy.bitwise_count(words).sum(axis=1, dtype=numpy.int64)
            above += (2 * heads - many) * pair[0]
            below += (2 * heads - many) * pair[1]
        yield above, below


def _looked_up(table: Any, data: Any, numpy: ModuleType) -> Any:
    """The sums that random bytes stand for, row by row."""
    blocks = len(table)
    if not blocks or not table.any():
        return numpy.zeros(len(data), dtype=numpy.int64)
    return table[numpy.arange(blocks), data[:, :blocks]].sum(axis=1)
