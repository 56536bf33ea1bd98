"""A paired permutation test of any metric that is a ratio of sums: would swapping the two contenders matter?

If they do equally well, what one did on a case could as well have been done by the other. So the two are swapped on any
of the cases, and the share of such swaps that make a difference at least as large as the one seen is the p-value. Cases
are swapped as a whole, with all their trials, which keeps the test valid when trials of a case are alike.

Where there are few ways to swap, or few sums that they lead to, all are counted. Otherwise swaps are drawn from a
seeded stream. Sums are kept in whole numbers, so that they depend neither on the order of adding, nor on numpy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import comb, fsum, log2, sqrt
from operator import sub
from typing import Literal, NamedTuple

from .pairs import Paired, ratio
from .randomness import SEED
from .special import binomial_pmf
from .swapping import Swaps, draw_sums

__all__ = ["RESAMPLES", "Permutation", "permutation_test"]

RESAMPLES = 9_999
"""How many swaps are drawn; with the one that was seen they are ten thousand."""

_MOST_WORK = 200_000
"""How many additions counting every swap may take."""

_FEW = 16
"""Cases with the same difference are drawn together from this number on."""

_MOST_DRAWN = 2_048
"""Up to so many differences are swapped as they are."""

_LARGEST = 512
"""Of more, the largest are, and the others are stood for by as many equal ones with the same sum of squares.

None of the others weighs more than any of the largest, so their sum is as good as normal, which is all that counts.
"""

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


def permutation_test(paired: Paired, *, resamples: int = RESAMPLES, seed: int = SEED) -> Permutation:
    """Test whether the pooled figures of two contenders differ.

    Args:
        paired: The sums, case by case.
        resamples: How many swaps to draw, where they are too many to be counted.
        seed: Where the draws start from.
    """
    above = _on_grid(list(map(sub, paired.second_above, paired.first_above)))
    below = _on_grid(list(map(sub, paired.second_below, paired.first_below)))
    groups = _grouped(above.numbers, below.numbers)
    statistic = _Statistic(
        fsum(paired.first_above) + fsum(paired.second_above),
        fsum(paired.first_below) + fsum(paired.second_below),
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
    every = _every_sum(groups, lattice=not (above.rounded or below.rounded))
    if every is not None:
        extreme = sum(chance for sums, chance in every.items() if abs(statistic(*sums)) >= least)
        return Permutation(min(1.0, extreme), "exact")
    swaps = _to_draw(groups, statistic)
    hits = sum(abs(statistic(*sums)) >= least for sums in draw_sums(swaps, resamples, seed=seed))
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
    doubled = [2.0 * value for value in values]
    if all(map(float.is_integer, doubled)):
        return _Grid(list(map(int, doubled)), 2.0, rounded=False)
    per_unit = _FINE / max(map(abs, values))
    return _Grid([round(value * per_unit) for value in values], per_unit, rounded=True)


def _grouped(above: Sequence[int], below: Sequence[int]) -> Counter[tuple[int, int]]:
    """How often each pair of differences is there, it or its opposite, which are the same to a swap; the most first."""
    found: Counter[tuple[int, int]] = Counter()
    if any(below):
        for pair, many in Counter(zip(above, below, strict=True)).items():
            found[pair if pair > (0, 0) else (-pair[0], -pair[1])] += many
    else:
        found.update({(number, 0): many for number, many in Counter(map(abs, above)).items()})
    found.pop((0, 0), None)
    return Counter(dict(found.most_common()))


def _every_sum(groups: Counter[tuple[int, int]], *, lattice: bool) -> dict[tuple[int, int], float] | None:
    """The sums that swaps lead to, each with its chance; None where finding them takes too long.

    Args:
        groups: How often each difference is there.
        lattice: Whether they are counts, of which different swaps lead to the same sums.
    """
    if not lattice and sum(log2(many + 1) for many in groups.values()) > log2(_MOST_WORK):
        return None
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


def _to_draw(groups: Counter[tuple[int, int]], statistic: _Statistic) -> Swaps:
    """What to draw: equal differences together, others one by one, and a multitude of small ones as one."""
    chosen, rest = list(groups.items()), 0.0
    if groups.total() > _MOST_DRAWN:
        chosen, rest = _largest(groups, statistic)
    bunches = [(pair, many) for pair, many in chosen if many >= _FEW]
    if rest:
        bunches.append(((round(sqrt(rest / _LARGEST)), 0), _LARGEST))
    return Swaps([pair for pair, many in chosen if many < _FEW for _ in range(many)], bunches)


def _largest(
    groups: Counter[tuple[int, int]], statistic: _Statistic
) -> tuple[list[tuple[tuple[int, int], int]], float]:
    """The differences that matter most, and the sum of squares of the others, in the unit of the upper sums."""
    slope = ratio(statistic.above, statistic.below) * statistic.above_per_unit / statistic.below_per_unit
    # What a difference does to the statistic, to first order.
    weighed = [(abs(pair[0] - slope * pair[1]), pair, many) for pair, many in groups.items()]
    squares = [many * weight * weight for weight, _, many in weighed]
    chosen: list[tuple[tuple[int, int], int]] = []
    room = _LARGEST
    for weight, pair, many in nlargest(_LARGEST, weighed):
        taken = min(many, room)
        if not taken:
            break
        chosen.append((pair, taken))
        squares.append(-taken * weight * weight)
        room -= taken
    return chosen, max(0.0, fsum(squares))
