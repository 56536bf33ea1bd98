"""A clock for tests, on which any time passes at once."""

from __future__ import annotations

import asyncio

from toolgauge.core import Model
from toolgauge.models import Gate, Retries, Retrying, open_model

__all__ = ["FakeClock", "quick_model"]


class FakeClock:
    """Sleeping moves the time on, and lets other tasks have their turn."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.time + seconds
        await asyncio.sleep(0)
        self.time = max(self.time, until)


def quick_model(
    name: str, base_url: str, *, retries: Retries | None = None, api_key: str | None = None
) -> tuple[Retrying, FakeClock]:
    """A model that really asks a server, and whose waits between attempts take no time."""
    clock = FakeClock()
    opened = open_model(name, base_url=base_url, api_key=api_key, retries=retries)
    assert isinstance(opened, Retrying)
    direct: Model = opened._model
    return Retrying(direct, retries or Retries(seed=1), gate=Gate(clock), clock=clock, secrets=opened._secrets), clock
