"""A sign of life for work that takes longer than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from typing import Self

__all__ = ["ProgressLine"]

PATIENCE = 1.0
"""Seconds before anything is shown."""

EVERY = 500
"""How many trajectories pass between two looks at the clock."""


class ProgressLine:
    """Counts trajectories that are done on standard error. Use it as a context manager."""

    def __init__(self, done: str = "scored") -> None:
        self._done = done
        self._terminal = sys.stderr.isatty()
        self._started = time.monotonic()
        self._count = self._looked = 0
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")

    def advance(self, count: int) -> None:
        """So many more are done."""
        self._count += count
        if not self._terminal or self._count - self._looked < EVERY:
            return
        taken = time.monotonic() - self._started
        if taken > PATIENCE:
            self._looked = self._count
            sys.stderr.write(f"\r{self._count:,} trajectories {self._done}, {self._count / taken:,.0f} a second")
            sys.stderr.flush()
            self._shown = True
