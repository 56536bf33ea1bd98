"""How sure scores are: their intervals, and a paired test of two files of predictions.

A score of a split is the share of right items, with Wilson's interval. The final score is a function of two such
shares that do not depend on each other; what each of them may be off by is squared and added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from toolgauge.stats import Z95, exact_sum, wilson

from .evaluation import harmonic_mean

__all__ = ["FinalDifference", "PairedCounts", "PairedScores", "final_interval", "split_interval"]

MAX_COUNTED = 40_000
"""So many outcomes of swapping are counted one by one; where there are more, some are drawn."""

DRAWN = 10_000
SEED = 20_240_131

SAME = 1e-9
"""Differences in percent that are as near as this are one."""


def split_interval(right: int, total: int) -> tuple[float, float] | None:
    """The 95 % interval of a share of right items, in percent; none where there are no items."""
    if not total:
        return None
    low, high = wilson(right, total)
    return round(100 * low, 2), round(100 * high, 2)


def final_interval(counts: tuple[tuple[int, int], ...]) -> tuple[float, float] | None:
    """The 95 % interval of the harmonic mean of shares, in percent.

    Args:
        counts: How many items of each split are right, and how many there are.

    Returns:
        The interval; none where a split has no items.
    """
    if not all(total for _, total in counts):
        return None
    shares = [right / total for right, total in counts]
    bounds = [wilson(right, total) for right, total in counts]
    value = harmonic_mean(*shares)

    def moved(side: int) -> float:
        """How far the mean goes when each share is at its bound, the others staying where they are."""
        apart = [
            harmonic_mean(*(bounds[place][side] if place == index else share for place, share in enumerate(shares)))
            - value
            for index in range(len(shares))
        ]
        return sqrt(exact_sum(each * each for each in apart))

    # With several shares of 0 none of them moves the mean by itself.
    stuck = sum(share == 0 for share in shares) > 1
    high = harmonic_mean(*(bound for _, bound in bounds)) if stuck else value + moved(1)
    return round(100 * max(0.0, value - moved(0)), 2), round(100 * min(1.0, high), 2)


class PairedCounts(NamedTuple):
    """How two predictions for each item of a split did."""

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def total(self) -> int:
        """How many items there are."""
        return sum(self)

    @property
    def first(self) -> float:
        """The share that the first has right."""
        return (self.both + self.only_first) / self.total if self.total else 0.0

    @property
    def second(self) -> float:
        """The share that the second has right."""
        return (self.both + self.only_second) / self.total if self.total else 0.0

    @property
    def discordant(self) -> int:
        """How many items one of them alone has right."""
        return self.only_first + self.only_second

    def swapped(self, only_second: int) -> PairedCounts:
        """The same, had so many of the items that one alone has right been those of the second."""
        return PairedCounts(self.both, self.discordant - only_second, only_second, self.neither)


@dataclass(frozen=True, slots=True)
class FinalDifference:
    """The final score of the second file less that of the first, in percent, over the items that both have."""

    first: float
    second: float
    low: float | None
    high: float | None
    """The 95 % interval of the difference; None: it cannot be told."""
    p: float
    """How often swapping the two predictions of each item by chance makes as large a difference."""
    drawn: int
    """How often chance was tried; 0: every outcome was counted."""

    @property
    def value(self) -> float:
        """The difference."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class PairedScores:
    """Two files of predictions, item by item."""

    splits: Mapping[str, PairedCounts]
    left_out: int = 0
    """Items that only one of them has a prediction for."""

    @property
    def items(self) -> int:
        """How many items both have a prediction for."""
        return sum(counts.total for counts in self.splits.values())

    def difference(self) -> FinalDifference:
        """The difference of the final scores, its interval and its test."""
        counts = list(self.splits.values())
        seen = _difference(counts)
        p, drawn = _counted(counts, seen) if _outcomes(counts) <= MAX_COUNTED else _drawn(counts, seen)
        error = _error(counts)
        low, high = (None, None) if error is None else (seen - Z95 * error, seen + Z95 * error)
        first, second = _finals(counts)
        return FinalDifference(first, second, low, high, p, drawn)

    def as_dict(self) -> dict[str, Any]:
        """The comparison for programs."""
        found = self.difference()
        return {
            "items": self.items,
            "left_out": self.left_out,
            "first": found.first,
            "second": found.second,
            "difference": found.value,
            "low": found.low,
            "high": found.high,
            "p": found.p,
            "drawn": found.drawn,
            "splits": {name: _split_dict(counts) for name, counts in self.splits.items()},
        }


def _split_dict(counts: PairedCounts) -> dict[str, Any]:
    from toolgauge.stats.rates import mcnemar, paired_rates

    low, high = (None, None)
    if counts.total:
        low, high = (100 * bound for bound in paired_rates(counts.only_first, counts.only_second, counts.total))
    return {
        **counts._asdict(),
        "difference": 100 * (counts.second - counts.first),
        "low": low,
        "high": high,
        "p": mcnemar(counts.only_first, counts.only_second).exact,
    }


def _finals(counts: list[PairedCounts]) -> tuple[float, float]:
    return (
        100 * harmonic_mean(*(one.first for one in counts)),
        100 * harmonic_mean(*(one.second for one in counts)),
    )


def _difference(counts: list[PairedCounts]) -> float:
    first, second = _finals(counts)
    return second - first


def _outcomes(counts: list[PairedCounts]) -> int:
    product = 1
    for one in counts:
        product *= one.discordant + 1
    return product


def _counted(counts: list[PairedCounts], seen: float) -> tuple[float, int]:
    """The share of all ways of swapping that come as far, counted by how many items of each split go to whom."""
    from toolgauge.stats.special import binomial_pmf

    ways: list[tuple[float, list[PairedCounts]]] = [(1.0, [])]
    for one in counts:
        outcomes = [(binomial_pmf(k, one.discordant), one.swapped(k)) for k in range(one.discordant + 1)]
        ways = [(chance * share, [*sofar, outcome]) for chance, sofar in ways for share, outcome in outcomes]
    return min(1.0, exact_sum(chance for chance, way in ways if abs(_difference(way)) >= abs(seen) - SAME)), 0


def _drawn(counts: list[PairedCounts], seen: float) -> tuple[float, int]:
    """The same of ways that are drawn, that which was seen being one of them."""
    dice = Random(SEED)  # noqa: S311 - the same numbers every time
    as_far = 1
    for _ in range(DRAWN):
        way = [one.swapped(dice.getrandbits(one.discordant).bit_count() if one.discordant else 0) for one in counts]
        as_far += abs(_difference(way)) >= abs(seen) - SAME
    return as_far / (DRAWN + 1), DRAWN


def _error(counts: list[PairedCounts]) -> float | None:
    """The standard error of the difference in percent, by the delta method over items; None: there is none to see."""
    if any(not one.total or not one.first or not one.second for one in counts):
        return None
    number = len(counts)
    final_first, final_second = (harmonic_mean(*(getattr(one, name) for one in counts)) for name in ("first", "second"))
    squares = []
    for one in counts:
        # How the mean moves with the share of this split.
        by_first = (final_first / one.first) ** 2 / number
        by_second = (final_second / one.second) ** 2 / number
        mean = by_second * one.second - by_first * one.first
        squared = (
            one.both * (by_second - by_first) ** 2 + one.only_first * by_first**2 + one.only_second * by_second**2
        ) / one.total - mean**2
        squares.append(max(0.0, squared) / one.total)
    error = sqrt(exact_sum(squares))
    return 100 * error if error > 1e-12 else None
