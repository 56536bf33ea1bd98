"""Percentiles of many values, against sorting them all."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

import msgspec
import pytest

from toolgauge.metrics.percentiles import MAX_UNCOUNTED, MAX_VALUES, Distribution, PackedDistribution


def filled(values: Sequence[float]) -> Distribution:
    """A distribution of these values."""
    distribution = Distribution()
    dice = Random(len(values))
    place = 0
    while place < len(values):
        size = dice.choice([1, 2, 700])
        distribution.add_all(values[place : place + size])
        place += size
    return distribution


def by_sorting(values: Sequence[float], share: float) -> float:
    """The percentile by its definition."""
    known = [float(f"{value:.3g}") for value in values] if len(set(values)) > MAX_VALUES else list(values)
    return sorted(known)[max(ceil(share * len(known) - 1e-9), 1) - 1]


def draw(dice: Random, kind: str, size: int) -> list[float]:
    """Values of one kind."""
    if kind == "fractions":
        return [dice.uniform(1, 5000) for _ in range(size)]
    if kind == "tenths":
        return [round(dice.uniform(0, 900), 1) for _ in range(size)]
    return [dice.randrange(20 if kind == "few whole numbers" else 30_000) for _ in range(size)]


@pytest.mark.parametrize("kind", ["fractions", "tenths", "few whole numbers", "many whole numbers"])
@pytest.mark.parametrize("size", [1, 2, 999, MAX_VALUES, MAX_VALUES + 1, MAX_UNCOUNTED - 1, MAX_UNCOUNTED + 7])
def test_percentiles_are_those_of_the_sorted_values(kind: str, size: int) -> None:
    values = draw(Random(size), kind, size)
    distribution = filled(values)
    shares = (0.01, 0.5, 0.95, 1.0)
    assert distribution.percentiles(*shares) == [by_sorting(values, share) for share in shares]


@pytest.mark.parametrize("kind", ["fractions", "tenths", "few whole numbers", "many whole numbers"])
def test_merged_distributions_have_the_percentiles_of_all_values(kind: str) -> None:
    dice = Random(5)
    for sizes in ([0, 0], [3, 0], [900, 4], [9000, 9000], [MAX_UNCOUNTED + 1, 10]):
        parts = [draw(dice, kind, size) for size in sizes]
        together = Distribution.merged(filled(part) for part in parts)
        values = [value for part in parts for value in part]
        for _ in range(2):
            assert together.percentiles(0.5, 0.95) == [
                by_sorting(values, share) if values else None for share in (0.5, 0.95)
            ]


@pytest.mark.parametrize("size", [2, MAX_UNCOUNTED + 4])
def test_no_zero_has_a_sign(size: int) -> None:
    for values in ([0.0, -0.0], [-0.0, 0.0]):
        assert list(map(repr, filled(values * (size // 2)).percentiles(0.2, 0.9))) == ["0.0", "0.0"]


def test_a_distribution_can_be_added_to_after_it_was_asked() -> None:
    distribution = filled([1.0, 3.0])
    assert distribution.percentiles(0.5) == [1]
    distribution.add_all([2])
    assert distribution.percentiles(0.5) == [2]
    distribution.add_all([0.5])
    assert distribution.percentiles(0.5, 0.95) == [1, 3]


@pytest.mark.parametrize("kind", ["fractions", "tenths", "few whole numbers", "many whole numbers"])
def test_what_was_written_down_has_the_same_percentiles(kind: str) -> None:
    for size in (0, 5, MAX_VALUES + 5, MAX_UNCOUNTED + 5):
        distribution = filled(draw(Random(size), kind, size))
        data = msgspec.msgpack.encode(distribution.pack())
        again = Distribution.unpack(msgspec.msgpack.decode(data, type=PackedDistribution))
        assert again.percentiles(0.5, 0.95) == distribution.percentiles(0.5, 0.95)
