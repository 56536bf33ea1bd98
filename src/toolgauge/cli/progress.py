"""A sign of life for work that takes longer than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from toolgauge.core import Trajectory

__all__ = ["watched"]

PATIENCE = 1.0
"""Seconds before anything is shown."""

EVERY = 500
"""How many trajectories pass between two looks at the clock."""


def watched(trajectories: Iterable[Trajectory], done: str = "scored") -> Iterator[Trajectory]:
    """Pass trajectories on, and count those that are done on standard error once it takes longer than a second."""
    if not sys.stderr.isatty():
        yield from trajectories
        return
    started = time.monotonic()
    count = 0
    shown = False
    try:
        for count, trajectory in enumerate(trajectories, 1):
            yield trajectory
            if count % EVERY == 0 and (taken := time.monotonic() - started) > PATIENCE:
                sys.stderr.write(f"\r{count:,} trajectories {done}, {count / taken:,.0f} a second")
                sys.stderr.flush()
                shown = True
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
