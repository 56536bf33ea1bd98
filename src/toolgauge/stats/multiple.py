"""Several tests at once: Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(values: Sequence[float]) -> list[float]:
    """The p-values such that, together, they say "different" too often at most as often as one alone would."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    adjusted = [0.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = highest
    return adjusted
