"""A paired permutation test of any metric that is a ratio of sums: would swapping the two contenders matter?

If they do equally well, what one did on a case could as well have been done by the other. So the two are swapped on any
of the cases, and the share of such swaps that make a difference at least as large as the one seen is the p-value. Cases
are swapped as a whole, with all their trials, which keeps the test valid when trials of a case are alike.

Where there are few ways to swap, or few sums that they lead to, all are counted. Where the differences are counts and
what they are divided by is not swapped, the share follows from a formula. Otherwise swaps are drawn from a seeded
stream. Sums are kept in whole numbers, so that they depend neither on the order of adding, nor on numpy.
"""

from __future__ import annotations

from math import comb, log2, sqrt
from typing import Literal, NamedTuple

from .arrays import SEED
from .differences import Bunch, Differences, Groups, Pair, find_differences
from .pairs import Paired
from .random_signs import chance_of_sum
from .special import binomial_pmf, exact_sum
from .swapping import Statistic, Swaps, count_extreme

__all__ = ["RESAMPLES", "Permutation", "permutation_test"]

RESAMPLES = 9_999
"""How many swaps are drawn; with the one that was seen they are ten thousand."""

_MAX_WORK = 200_000
"""How many additions counting every swap may take."""

_FEW = 16
"""Cases with the same difference are drawn together from this number on."""

_MAX_DRAWN = 2_048
"""Up to so many differences are swapped as they are."""

_LARGEST = 512
"""Of more, the largest are, and the others are stood for by as many equal ones with the same sum of squares.

None of the others weighs more than any of the largest, so their sum is as good as normal, which is all that counts.
"""

_LARGEST_FACTORIAL = 1_000
"""Up to here the chances of coin tosses are computed from whole numbers."""

_DIGITS = 10
"""So many digits has a p-value by the formula."""


class Permutation(NamedTuple):
    """What the test says."""

    p: float
    method: Literal["exact", "resampled"]
    """Whether every swap counts, or some were drawn."""


def permutation_test(paired: Paired, *, resamples: int = RESAMPLES, seed: int = SEED) -> Permutation:
    """Test whether the pooled figures of two contenders differ.

    Args:
        paired: The sums, case by case.
        resamples: How many swaps to draw, where they are too many to be counted.
        seed: Where the draws start from.
    """
    found = find_differences(paired)
    totals, above, below = paired.totals, found.above, found.below
    statistic = Statistic(
        totals.first_above + totals.second_above,
        totals.first_below + totals.second_below,
        above.per_unit,
        below.per_unit,
    )
    seen = abs(statistic(*found.seen))
    slack = 1e-9 * seen
    if above.rounded:
        # By half a step for each case, in the sum that was seen and in the one that is drawn.
        slack += 2 * len(paired) / above.per_unit / statistic.below
    if not found.groups or seen <= slack:
        return Permutation(1.0, "exact")
    smallest = seen - slack
    lattice = not (above.rounded or below.rounded)
    every = _every_sum(found.groups, lattice=lattice)
    if every is not None:
        extreme = exact_sum(chance for sums, chance in every.items() if abs(statistic(*sums)) >= smallest)
        return Permutation(min(1.0, extreme), "exact")
    share = _share_of_sums(found) if lattice else None
    if share is not None:
        return Permutation(share, "exact")
    hits = count_extreme(_to_draw(found.groups, statistic), statistic, smallest, resamples, seed=seed)
    return Permutation((hits + 1) / (resamples + 1), "resampled")


def _every_sum(groups: Groups, *, lattice: bool) -> dict[Pair, float] | None:
    """The sums that swaps lead to, each with its chance; None where finding them takes too long.

    Args:
        groups: How often each difference is there.
        lattice: Whether they are counts, of which different swaps lead to the same sums.
    """
    if _is_too_much(groups, lattice=lattice):
        return None
    sums: dict[Pair, float] = {(0, 0): 1.0}
    work = 0
    for (above, below), many in groups:
        work += len(sums) * (many + 1)
        if work > _MAX_WORK:
            return None
        steps = [((2 * kept - many) * above, (2 * kept - many) * below, _fair(kept, many)) for kept in range(many + 1)]
        longer: dict[Pair, float] = {}
        for (x, y), chance in sums.items():
            for up, down, share in steps:
                key = (x + up, y + down)
                longer[key] = longer.get(key, 0.0) + chance * share
        sums = longer
    return sums


def _share_of_sums(found: Differences) -> float | None:
    """The share of swaps that lead as far from 0 as what was seen; None: there is no formula, or it takes too long.

    With the same divisor for every swap, the figures differ the more, the more the upper sums do.
    """
    if any(below for (_, below), _ in found.groups):
        return None
    chance = chance_of_sum([(above, many) for (above, _), many in found.groups], abs(found.seen[0]))
    # Of the digits that are left out the last are those of rounding, which may differ from one machine to another.
    return None if chance is None else float(f"{2 * chance:.{_DIGITS}g}")


def _is_too_much(groups: Groups, *, lattice: bool) -> bool:
    """Whether it is clear beforehand that finding every sum takes too long."""
    bits, work, sums = 0.0, 0, 1
    for _, many in groups:
        bits += log2(many + 1)
        work += sums * (many + 1)
        # Each difference leads to at least one more sum.
        sums += many
        if work > _MAX_WORK or (not lattice and bits > log2(_MAX_WORK)):
            return True
    return False


def _fair(heads: int, tosses: int) -> float:
    """The chance of so many heads of a fair coin."""
    return comb(tosses, heads) / 2**tosses if tosses <= _LARGEST_FACTORIAL else binomial_pmf(heads, tosses)


def _to_draw(groups: Groups, statistic: Statistic) -> Swaps:
    """What to draw: equal differences together, others one by one, and a multitude of small ones as one."""
    chosen: list[Bunch]
    if groups.total > _MAX_DRAWN:
        chosen, rest = groups.largest(_LARGEST, statistic.slope)
    else:
        chosen, rest = list(groups), 0.0
    bunches = [(pair, many) for pair, many in chosen if many >= _FEW]
    if rest:
        bunches.append(((round(sqrt(rest / _LARGEST)), 0), _LARGEST))
    return Swaps([pair for pair, many in chosen if many < _FEW for _ in range(many)], bunches)
