"""Random bytes for resampling: one stream per seed, the same whether or not numpy is there.

Both are the Mersenne Twister with the same seeding, so the extra `stats` makes things faster and changes no figure.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["SEED", "Stream", "accelerator", "fast_stream", "plain_stream"]

SEED = 20260131
"""What every resampling starts from, so that the same input gets the same figures."""


class Stream(Protocol):
    """Where random bytes come from."""

    def __call__(self, number: int, /) -> bytes:
        """So many more bytes, a multiple of four."""


@cache
def accelerator() -> ModuleType | None:
    """Numpy, where the extra is installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def plain_stream(seed: int = SEED) -> Stream:
    """The stream of a seed, from the standard library."""
    from random import Random

    return Random(seed).randbytes  # noqa: S311 - for statistics, not for secrets


def fast_stream(numpy: ModuleType, seed: int = SEED) -> Stream:
    """The same stream, from numpy; the seed has at most 32 bits."""
    # A list is seeded by the algorithm that Python uses; a number is not.
    made: Stream = numpy.random.RandomState([seed]).bytes
    return made
