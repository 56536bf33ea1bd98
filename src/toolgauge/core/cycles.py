"""Pausing the search for reference cycles, where many values without cycles are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["without_cycles"]


@contextmanager
def without_cycles() -> Iterator[None]:
    """Keep the garbage collector from looking for cycles in the block.

    Values are freed all the same when nobody holds them any more. Where the block is left, the collector is as before.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
