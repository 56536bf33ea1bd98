"""How much is tried: little in `make test`, all of it in `make test-deep`.

A property is tried on a share of its examples at first, and on all of them with the profile `deep` of hypothesis.
Of tests that are made from numbers the first ones belong to `make test`, and the others are marked as deep.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

__all__ = ["DEEP", "LIGHT", "examples", "seeds"]

LIGHT, DEEP = "light", "deep"
"""The profiles of hypothesis."""

SHARE = 5
"""One in so many is tried in `make test`."""


def examples(number: int) -> int:
    """How many examples of a property are tried, where it is worth so many."""
    return number if settings.get_current_profile_name() == DEEP else -(-number // SHARE)


def seeds(number: int) -> Iterable[int | ParameterSet]:
    """The numbers from nought that a test is made from; only the first ones are for `make test`."""
    light = -(-number // SHARE)
    return [*range(light), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(light, number))]
