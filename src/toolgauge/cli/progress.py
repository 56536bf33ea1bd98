"""A sign of life for work that takes longer than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from toolgauge.core import Trajectory
from toolgauge.traces import Written, count_of

__all__ = ["watched"]

T = TypeVar("T", bound=Trajectory | list[Trajectory] | Written)

PATIENCE = 1.0
"""Seconds before anything is shown."""

EVERY = 500
"""How many trajectories pass between two looks at the clock."""


def watched(trajectories: Iterable[T], done: str = "scored") -> Iterator[T]:
    """Pass trajectories on, and count those that are done on standard error once it takes longer than a second."""
    if not sys.stderr.isatty():
        yield from trajectories
        return
    started = time.monotonic()
    count = looked = 0
    shown = False
    try:
        for trajectory in trajectories:
            yield trajectory
            count += count_of(trajectory)
            if count - looked >= EVERY and (taken := time.monotonic() - started) > PATIENCE:
                looked = count
                sys.stderr.write(f"\r{count:,} trajectories {done}, {count / taken:,.0f} a second")
                sys.stderr.flush()
                shown = True
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
