"""Percentiles of many values, against sorting them all."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

import pytest

from toolgauge.stats.spread import AT_ONCE, MOST_VALUES, Spread


def filled(values: Sequence[float]) -> Spread:
    """A spread of these values."""
    spread = Spread()
    for value in values:
        spread.add(value)
    return spread


def by_sorting(values: Sequence[float], share: float) -> float:
    """The percentile by its definition."""
    known = [float(f"{value:.3g}") for value in values] if len(set(values)) > MOST_VALUES else list(values)
    return sorted(known)[max(ceil(share * len(known) - 1e-9), 1) - 1]


def draw(dice: Random, kind: str, size: int) -> list[float]:
    """Values of one kind."""
    if kind == "fractions":
        return [dice.uniform(1, 5000) for _ in range(size)]
    if kind == "tenths":
        return [round(dice.uniform(0, 900), 1) for _ in range(size)]
    return [dice.randrange(20 if kind == "few whole numbers" else 30_000) for _ in range(size)]


@pytest.mark.parametrize("kind", ["fractions", "tenths", "few whole numbers", "many whole numbers"])
@pytest.mark.parametrize("size", [1, 2, 999, MOST_VALUES, MOST_VALUES + 1, AT_ONCE - 1, AT_ONCE + 7])
def test_percentiles_are_those_of_the_sorted_values(kind: str, size: int) -> None:
    values = draw(Random(size), kind, size)
    spread = filled(values)
    shares = (0.01, 0.5, 0.95, 1.0)
    assert spread.percentiles(*shares) == [by_sorting(values, share) for share in shares]


@pytest.mark.parametrize("kind", ["fractions", "tenths", "few whole numbers", "many whole numbers"])
def test_merged_spreads_have_the_percentiles_of_all_values(kind: str) -> None:
    dice = Random(5)
    for sizes in ([0, 0], [3, 0], [900, 4], [9000, 9000], [AT_ONCE + 1, 10]):
        parts = [draw(dice, kind, size) for size in sizes]
        together = Spread.merged(filled(part) for part in parts)
        values = [value for part in parts for value in part]
        for _ in range(2):
            assert together.percentiles(0.5, 0.95) == [
                by_sorting(values, share) if values else None for share in (0.5, 0.95)
            ]


@pytest.mark.parametrize("size", [2, AT_ONCE + 4])
def test_no_zero_has_a_sign(size: int) -> None:
    for values in ([0.0, -0.0], [-0.0, 0.0]):
        assert list(map(repr, filled(values * (size // 2)).percentiles(0.2, 0.9))) == ["0.0", "0.0"]


def test_a_spread_can_be_added_to_after_it_was_asked() -> None:
    spread = filled([1.0, 3.0])
    assert spread.percentiles(0.5) == [1]
    spread.add(2)
    assert spread.percentiles(0.5) == [2]
    spread.add(0.5)
    assert spread.percentiles(0.5, 0.95) == [1, 3]
