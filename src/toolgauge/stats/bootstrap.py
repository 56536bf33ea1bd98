"""Intervals by resampling cases: whole cases with all their trials, within each stratum as many as there are.

For a metric that is a ratio of sums, and for the difference of two such. Sums are kept in whole numbers and draws come
from one seeded stream, so numpy makes it faster and changes nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import floor, isclose
from sys import byteorder
from typing import TYPE_CHECKING, Literal

from .arrays import SEED, accelerator, fast_stream, plain_stream
from .pairs import Paired, ratio
from .special import exact_sum, normal_cdf, normal_quantile

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["bootstrap_difference", "bootstrap_ratio"]

Method = Literal["percentile", "bca"]

_FINE = 2**40
_TAIL = 0.025
_AT_ONCE = 1_000_000
"""How many cases numpy draws at a time."""


def bootstrap_ratio(
    above: Sequence[float],
    below: Sequence[float],
    *,
    strata: Sequence[str] | None = None,
    resamples: int = 2_000,
    method: Method = "bca",
    seed: int = SEED,
) -> tuple[float, float]:
    """The 95 % interval of a ratio of sums over cases.

    Args:
        above: What each case adds to the upper sum.
        below: What it adds to the lower one.
        strata: The stratum of each case; cases are drawn within their own, as many as it has.
        resamples: How often the cases are drawn.
        method: `percentile`, or `bca`: corrected for bias and for a spread that changes with the value.
        seed: Where the draws start from.
    """
    return _interval([above, below], lambda sums: ratio(sums[0], sums[1]), strata, resamples, method, seed)


def bootstrap_difference(
    paired: Paired,
    *,
    strata: Sequence[str] | None = None,
    resamples: int = 2_000,
    method: Method = "bca",
    seed: int = SEED,
) -> tuple[float, float]:
    """The 95 % interval of the difference of two contenders on the same cases, second less first; see above."""
    columns = [paired.first_above, paired.first_below, paired.second_above, paired.second_below]

    def difference(sums: Sequence[float]) -> float:
        return ratio(sums[2], sums[3]) - ratio(sums[0], sums[1])

    return _interval(columns, difference, strata, resamples, method, seed)


def _interval(
    columns: Sequence[Sequence[float]],
    statistic: Callable[[Sequence[float]], float],
    strata: Sequence[str] | None,
    resamples: int,
    method: Method,
    seed: int,
) -> tuple[float, float]:
    members = _members(len(columns[0]), strata)
    grids = [_on_grid(column) for column in columns]
    units = [per_unit for _, per_unit in grids]
    numbers = [column for column, _ in grids]
    seen = statistic([sum(column) / unit for column, unit in zip(numbers, units, strict=True)])
    drawn = sorted(
        statistic([total / unit for total, unit in zip(sums, units, strict=True)])
        for sums in _draw(numbers, members, resamples, seed)
    )
    if method == "percentile" or isclose(drawn[0], drawn[-1], abs_tol=1e-15):
        return _quantile(drawn, _TAIL), _quantile(drawn, 1 - _TAIL)
    below = sum(value < seen for value in drawn) + sum(value == seen for value in drawn) / 2
    # Where all lie on one side there is no telling how far; as far as the resamples reach.
    share = min(max(below / resamples, 0.5 / resamples), 1 - 0.5 / resamples)
    bias, bend = normal_quantile(share), _acceleration(numbers, units, members, statistic)

    def adjusted(tail: float) -> float:
        point = bias + normal_quantile(tail)
        return normal_cdf(bias + point / (1 - bend * point))

    return _quantile(drawn, adjusted(_TAIL)), _quantile(drawn, adjusted(1 - _TAIL))


def _members(n: int, strata: Sequence[str] | None) -> list[list[int]]:
    """The places of the cases of each stratum."""
    if strata is None:
        return [list(range(n))]
    found: dict[str, list[int]] = {}
    for place, stratum in enumerate(strata):
        found.setdefault(stratum, []).append(place)
    return list(found.values())


def _on_grid(column: Sequence[float]) -> tuple[list[int], float]:
    """The column in whole numbers, and how many make up 1: exact for halves, otherwise in tiny steps."""
    if all(float(2 * value).is_integer() for value in column):
        return [int(2 * value) for value in column], 2.0
    per_unit = _FINE / max(map(abs, column))
    return [round(value * per_unit) for value in column], per_unit


def _draw(
    columns: Sequence[Sequence[int]], members: Sequence[Sequence[int]], resamples: int, seed: int
) -> Iterator[Sequence[int]]:
    """The sums of the columns over cases drawn with replacement, for each resample.

    A random word times the number of cases, shifted, is the place of a case; that some places come up more often, by
    less than one part in forty thousand even with 100,000 cases, is far below what resampling can show.
    """
    numpy = accelerator()
    if numpy is None:
        yield from _plain(columns, members, resamples, seed)
    else:
        yield from _fast(columns, members, resamples, seed, numpy)


def _plain(
    columns: Sequence[Sequence[int]], members: Sequence[Sequence[int]], resamples: int, seed: int
) -> Iterator[Sequence[int]]:
    stream = plain_stream(seed)
    for _ in range(resamples):
        places: list[int] = []
        for group in members:
            words = array("I", stream(4 * len(group)))
            if byteorder == "big":
                words.byteswap()
            size = len(group)
            places.extend([group[word * size >> 32] for word in words])
        yield [sum([column[place] for place in places]) for column in columns]


def _fast(
    columns: Sequence[Sequence[int]], members: Sequence[Sequence[int]], resamples: int, seed: int, numpy: ModuleType
) -> Iterator[Sequence[int]]:
    stream = fast_stream(numpy, seed)
    order = numpy.array(list(chain.from_iterable(members)))
    ordered = [numpy.array(column, dtype=numpy.int64)[order] for column in columns]
    sizes = numpy.repeat([len(group) for group in members], [len(group) for group in members]).astype(numpy.uint64)
    starts = numpy.repeat(numpy.cumsum([0, *(len(group) for group in members)])[:-1], [len(group) for group in members])
    n = len(order)
    portion = max(1, _AT_ONCE // n)
    for start in range(0, resamples, portion):
        count = min(portion, resamples - start)
        words = numpy.frombuffer(stream(4 * count * n), dtype="<u4").reshape(count, n).astype(numpy.uint64)
        places = (words * sizes >> numpy.uint64(32)).astype(numpy.int64) + starts
        yield from zip(*([*column[places].sum(axis=1).tolist()] for column in ordered), strict=True)


def _acceleration(
    columns: Sequence[Sequence[int]],
    units: Sequence[float],
    members: Sequence[Sequence[int]],
    statistic: Callable[[Sequence[float]], float],
) -> float:
    """How the spread changes with the value, from leaving out one case at a time."""
    parts = [(sum(column), column, unit) for column, unit in zip(columns, units, strict=True)]
    cubes = squares = 0.0
    for group in members:
        left = [statistic([(total - column[place]) / unit for total, column, unit in parts]) for place in group]
        mean = exact_sum(left) / len(left)
        squares += exact_sum((mean - value) ** 2 for value in left)
        cubes += exact_sum((mean - value) ** 3 for value in left)
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def _quantile(ordered: Sequence[float], share: float) -> float:
    """A quantile of sorted values, between two of them where it falls there."""
    place = share * (len(ordered) - 1)
    low = min(floor(place), len(ordered) - 2) if len(ordered) > 1 else 0
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
