"""How long a task has waited for its turn to ask, or to ask again, which is no time of the model's."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar

__all__ = ["WaitClock", "waiting", "watched_waits"]


class WaitClock:
    """Adds up the time in which at least one request waits: two that wait together wait once."""

    __slots__ = ("_clock", "_count", "_since", "_total")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._count = 0
        self._since = 0.0
        self._total = 0.0

    @property
    def seconds(self) -> float:
        """Seconds so far, with those of a wait that has not ended."""
        return self._total + (self._clock() - self._since if self._count else 0.0)

    def begin(self) -> None:
        """A request begins to wait."""
        if not self._count:
            self._since = self._clock()
        self._count += 1

    def end(self) -> None:
        """A request has waited long enough."""
        self._count -= 1
        if not self._count:
            self._total += self._clock() - self._since


watched_waits: ContextVar[WaitClock | None] = ContextVar("watched_waits", default=None)
"""Where this task, and the tasks that it starts, add up what they wait."""


class waiting:  # noqa: N801 - reads like a function, and is cheaper than one with a generator
    """What is done inside the block is waiting."""

    __slots__ = ("_clock",)

    def __enter__(self) -> None:
        self._clock = watched_waits.get()
        if self._clock is not None:
            self._clock.begin()

    def __exit__(self, *_: object) -> None:
        if self._clock is not None:
            self._clock.end()
