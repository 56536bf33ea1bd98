"""Pausing the search for reference cycles, where many values without cycles are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["gc_paused", "relaxed_gc"]

RARELY = 20_000
"""How many values that could be in a cycle are made between two looks."""


@contextmanager
def gc_paused() -> Iterator[None]:
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


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Let the garbage collector look for cycles less often in the block, where most values have none.

    It still looks, since code that is not ours may run in there.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(RARELY, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
