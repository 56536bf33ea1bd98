"""When trials have to be over: many of them, and a single timer of the event loop.

Nearly all trials are over long before their time is. A timer for each, which nearly always rings for nobody, would cost
every other timer of the loop its share.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .trial import Trial

__all__ = ["Deadlines", "expire"]


def expire(trial: Trial, seconds: float) -> None:
    """Stop a trial that has had so many seconds."""
    trial.stop("timeout", f"no answer after {seconds:g} s")


class Deadlines:
    """Stops trials whose time is over."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ends: dict[Trial, tuple[float, float]] = {}
        """When each trial has to be over, and the seconds that it has."""
        self._timer: asyncio.TimerHandle | None = None

    def add(self, trial: Trial, seconds: float | None) -> None:
        """Give a trial so many seconds from now on; None: as many as it likes."""
        if seconds is None:
            return
        end = self._loop.time() + seconds
        self._ends[trial] = (end, seconds)
        if self._timer is None or end < self._timer.when():
            self._set(end)

    def remove(self, trial: Trial) -> None:
        """Forget a trial that is over, if it is known."""
        self._ends.pop(trial, None)

    def close(self) -> None:
        """Stop nobody any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _set(self, end: float) -> None:
        self.close()
        self._timer = self._loop.call_at(end, self._ring)

    def _ring(self) -> None:
        """Stop who is late, and wait for the next one."""
        self._timer = None
        now = self._loop.time()
        late = [(trial, seconds) for trial, (end, seconds) in self._ends.items() if end <= now]
        for trial, _ in late:
            del self._ends[trial]
        if self._ends:
            self._set(min(end for end, _ in self._ends.values()))
        for trial, seconds in late:
            expire(trial, seconds)
