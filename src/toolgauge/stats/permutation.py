"""A paired permutation test of any metric that is a ratio of sums: would swapping the two contenders matter?

If they do equally well, what one did on a case could as well have been done by the other. So the two are swapped on any
of the cases, and the share of such swaps that make a difference at least as large as the one seen is the p-value. Cases
are swapped as a whole, with all their trials, which keeps the test valid when trials of a case are alike.

Where there are few ways to swap, or few sums that they lead to, all are counted. Otherwise swaps are drawn from a seeded
stream. Sums are kept in whole numbers, so that they do not depend on the order of adding, nor on numpy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import Literal, NamedTuple

from .pairs import Paired, ratio
from .special import binomial_pmf
from .swapping import Swaps, draw_sums

__all__ = ["RESAMPLES", "Permutation", "permutation_test"]

RESAMPLES = 9_999
"""How many swaps are drawn; with the one that was seen they are ten thousand."""

_MOST_WORK = 200_000
"""How many additions counting every swap may take."""

_FEW = 16
"""Cases with the same difference are drawn together from this number on."""

_MOST_SINGLE = 2_048
"""How many differences are swapped one by one; the smaller ones beyond are as many equal ones of the same variance."""

_FINE = 2**40
"""How many steps the largest difference is divided into."""

_LARGEST_FACTORIAL = 1_000
"""Up to here the chances of coin tosses are computed from whole numbers."""


class Permutation(NamedTuple):
    """What the test says."""

    p: float
    method: Literal["exact", "resampled"]
    """Whether every swap was counted, or some were drawn."""


class _Grid(NamedTuple):
    """Numbers as whole multiples of a unit."""

    numbers: list[int]
    per_unit: float
    rounded: bool


def permutation_test(paired: Paired, *, resamples: int = RESAMPLES) -> Permutation:
    """Test whether the pooled figures of two contenders differ.

    Args:
        paired: The sums, case by case.
        resamples: How many swaps to draw, where they are too many to be counted.
    """
    above = _on_grid([b - a for a, b in zip(paired.first_above, paired.second_above, strict=True)])
    below = _on_grid([b - a for a, b in zip(paired.first_below, paired.second_below, strict=True)])
    groups = Counter(map(_upright, zip(above.numbers, below.numbers, strict=True)))
    groups.pop((0, 0), None)
    statistic = _Statistic(
        sum(paired.first_above) + sum(paired.second_above),
        sum(paired.first_below) + sum(paired.second_below),
        above.per_unit,
        below.per_unit,
    )
    seen = abs(statistic(sum(above.numbers), sum(below.numbers)))
    slack = 1e-9 * seen
    if above.rounded:
        # By half a step for each case, in the sum that was seen and in the one that is drawn.
        slack += 2 * len(paired) / above.per_unit / statistic.below
    if not groups or seen <= slack:
        return Permutation(1.0, "exact")
    least = seen - slack
    every = _every_sum(groups)
    if every is not None:
        extreme = sum(chance for sums, chance in every.items() if abs(statistic(*sums)) >= least)
        return Permutation(min(1.0, extreme), "exact")
    swaps = _to_draw(groups, statistic, above.per_unit, below.per_unit)
    hits = sum(abs(statistic(*sums)) >= least for sums in draw_sums(swaps, resamples))
    return Permutation((hits + 1) / (resamples + 1), "resampled")


@dataclass(frozen=True, slots=True)
class _Statistic:
    """The difference of the two figures after swaps, from the sums of signed differences."""

    above: float
    below: float
    above_per_unit: float
    below_per_unit: float

    def __call__(self, above: int, below: int) -> float:
        up, down = above / self.above_per_unit, below / self.below_per_unit
        return ratio(self.above + up, self.below + down) - ratio(self.above - up, self.below - down)


def _on_grid(values: Sequence[float]) -> _Grid:
    """The values in whole numbers: of halves where they are counts, otherwise of steps too small to matter."""
    if all((2 * value).is_integer() for value in map(float, values)):
        return _Grid([int(2 * value) for value in values], 2.0, rounded=False)
    per_unit = _FINE / max(map(abs, values))
    return _Grid([round(value * per_unit) for value in values], per_unit, rounded=True)


def _upright(pair: tuple[int, int]) -> tuple[int, int]:
    """The pair or its opposite, which are the same to a swap."""
    return pair if pair > (0, 0) else (-pair[0], -pair[1])


def _every_sum(groups: Counter[tuple[int, int]]) -> dict[tuple[int, int], float] | None:
    """The sums that swaps lead to, each with its chance; None where finding them takes too long."""
    sums: dict[tuple[int, int], float] = {(0, 0): 1.0}
    work = 0
    for (above, below), many in groups.items():
        work += len(sums) * (many + 1)
        if work > _MOST_WORK:
            return None
        steps = [((2 * kept - many) * above, (2 * kept - many) * below, _fair(kept, many)) for kept in range(many + 1)]
        longer: dict[tuple[int, int], float] = {}
        for (x, y), chance in sums.items():
            for up, down, share in steps:
                key = (x + up, y + down)
                longer[key] = longer.get(key, 0.0) + chance * share
        sums = longer
    return sums


def _fair(heads: int, tosses: int) -> float:
    """The chance of so many heads of a fair coin."""
    return comb(tosses, heads) / 2**tosses if tosses <= _LARGEST_FACTORIAL else binomial_pmf(heads, tosses)


def _to_draw(
    groups: Counter[tuple[int, int]], statistic: _Statistic, above_per_unit: float, below_per_unit: float
) -> Swaps:
    """What to draw: groups of equal differences together, others one by one, and a multitude of small ones as one."""
    bunches = [(pair, many) for pair, many in groups.items() if many >= _FEW]
    single = list(_repeated((pair, many) for pair, many in groups.items() if many < _FEW))
    if len(single) > _MOST_SINGLE:
        level = ratio(statistic.above, statistic.below)

        def weight(pair: tuple[int, int]) -> float:
            """What a difference does to the statistic, to first order, in the unit of the upper sums."""
            return abs(pair[0] - level * pair[1] * above_per_unit / below_per_unit)

        single.sort(key=weight, reverse=True)
        rest = sum(weight(pair) ** 2 for pair in single[_MOST_SINGLE:])
        single = single[:_MOST_SINGLE]
        bunches.append(((round(sqrt(rest / _MOST_SINGLE)), 0), _MOST_SINGLE))
    return Swaps(single, bunches)


def _repeated(groups: Iterable[tuple[tuple[int, int], int]]) -> Iterable[tuple[int, int]]:
    for pair, many in groups:
        yield from [pair] * many
