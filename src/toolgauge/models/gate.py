"""How many requests one endpoint gets at a time, and when it is left alone for a while.

Tasks that ask the same endpoint share a gate. When the endpoint says that it is too much, all of them pause, not only
the one that was told so, and afterwards fewer of them ask at once: the limit is halved, and grows by one for every
round of good replies, until nothing is left of it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Protocol
from weakref import WeakValueDictionary

from .waiting import waiting

__all__ = ["Clock", "Gate", "SystemClock", "gate_of", "wall_time"]


class Gate:
    """What the tasks that ask one endpoint share."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._limit = math.inf
        self._enough = 0
        """As many as there were before the first refusal: a limit that has grown to this is none any more."""
        self._active = 0
        self._paused_until = -math.inf
        self._reduced_at = -math.inf
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.answered_at = -math.inf
        """When the endpoint last gave a good reply."""

    @property
    def answered(self) -> bool:
        """Whether the endpoint has ever given a good reply."""
        return self.answered_at > -math.inf

    @property
    def limit(self) -> int | None:
        """How many requests it takes at a time; None: as many as there are."""
        return None if math.isinf(self._limit) else int(self._limit)

    @asynccontextmanager
    async def entered(self) -> AsyncIterator[float]:
        """Wait for a turn, and hold it; gives the moment at which it began."""
        await self._enter()
        try:
            yield self._clock.now()
        finally:
            self._active -= 1
            self._wake()

    async def _enter(self) -> None:
        try:
            while True:
                pause = self._paused_until - self._clock.now()
                if pause > 0:
                    with waiting():
                        await self._clock.sleep(pause)
                elif self._active + 1 > self._limit:
                    with waiting():
                        await self._turn()
                else:
                    break
        except asyncio.CancelledError:
            self._wake()  # the turn that may have been meant for this task goes to the next
            raise
        self._active += 1
        self._wake()  # there may be room for more

    async def _turn(self) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        await waiting

    def _wake(self) -> None:
        """Let the next task that waits look again, where there is something to see."""
        while self._waiting and self._active + 1 <= self._limit:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return

    def pause(self, seconds: float) -> None:
        """Let nobody ask for so long."""
        self._paused_until = max(self._paused_until, self._clock.now() + seconds)

    def reduce(self, began: float) -> None:
        """Halve the number of requests, because one that began then was too much.

        All requests that were under way together are likely to be refused together, which is one reason and not many.
        """
        if began <= self._reduced_at:
            return
        self._reduced_at = self._clock.now()
        if math.isinf(self._limit):
            self._enough = self._active
        self._limit = max(1.0, min(self._limit, self._active) / 2)

    def praise(self) -> None:
        """Take note of a good reply."""
        self.answered_at = self._clock.now()
        if math.isinf(self._limit):
            return
        self._limit += 1 / self._limit
        if self._limit >= self._enough:
            self._limit = math.inf
        self._wake()


_GATES: WeakValueDictionary[str, Gate] = WeakValueDictionary()


def gate_of(endpoint: str) -> Gate:
    """The gate of an endpoint, the same for all models that are asked there as long as one of them is in use."""
    gate = _GATES.get(endpoint)
    if gate is None:
        gate = _GATES[endpoint] = Gate()
    return gate


class Clock(Protocol):
    """Tells the time and lets it pass."""

    def now(self) -> float:
        """Seconds on a clock that never jumps."""

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Seconds on a clock that never jumps."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""
        await asyncio.sleep(seconds)


def wall_time() -> datetime:
    """The date and time of day, which only a `Retry-After` given as a date is compared with."""
    return datetime.now(UTC)
