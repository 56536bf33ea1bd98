"""Time as the retries see it, so that tests need not wait."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol

__all__ = ["Clock", "SystemClock", "wall_time"]


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
