"""Asking a provider no more often than it may be asked: requests and tokens a minute, and requests at a time.

Requests are spread evenly, so that no minute has more than its share, whenever it begins. How many tokens a request
takes is estimated before and corrected when that is known.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import ParamSpec, TypeVar

import msgspec

from toolgauge.core import ModelReply, ModelRequest, Pacing, RequestLimits, RequestTurn

from .gate import Clock
from .waiting import waiting

__all__ = ["LocalPacing", "Pace", "estimated_tokens"]

P = ParamSpec("P")
T = TypeVar("T")

BYTES_A_TOKEN = 4
"""Roughly, of JSON in English."""

MINUTE = 60.0

LOOK_SECONDS = 0.05
"""So often it is asked whether there is a place."""

LONGEST_LOOK = 1.0


def estimated_tokens(request: ModelRequest) -> float:
    """How many tokens a request and its reply are likely to take."""
    written = len(msgspec.json.encode([request.messages, request.tools], enc_hook=str))
    return written / BYTES_A_TOKEN + (request.max_tokens or 0)


class LocalPacing:
    """Says whose turn it is within this process."""

    elsewhere = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next: dict[str, tuple[float, float]] = {}
        """By endpoint when the next request, and the next token, may be sent."""
        self._active: dict[str, set[str]] = {}
        self._ids = count(1)

    def take(self, endpoint: str, limits: RequestLimits, tokens: float) -> RequestTurn:
        """Ask for a turn."""
        now, active = self._clock(), self._active.setdefault(endpoint, set())
        if limits.concurrent is not None and len(active) >= limits.concurrent:
            return RequestTurn("", LOOK_SECONDS)
        begin = [max(now, at) for at in self._next.get(endpoint, (now, now))]
        steps = (
            MINUTE / limits.requests if limits.requests else 0.0,
            tokens * MINUTE / limits.tokens if limits.tokens else 0.0,
        )
        self._next[endpoint] = (begin[0] + steps[0], begin[1] + steps[1])
        turn = RequestTurn(str(next(self._ids)), max(begin) - now)
        active.add(turn.id)
        return turn

    def give_back(self, endpoint: str, limits: RequestLimits, turn: RequestTurn, more: float) -> None:
        """End a turn."""
        self._active[endpoint].discard(turn.id)
        if limits.tokens:
            request, token = self._next[endpoint]
            self._next[endpoint] = (request, token + more * MINUTE / limits.tokens)


class Pace:
    """The pace at which one endpoint is asked."""

    def __init__(self, pacing: Pacing, limits: RequestLimits, endpoint: str) -> None:
        self._pacing = pacing
        self._limits = limits
        self._endpoint = endpoint

    @asynccontextmanager
    async def turn(self, request: ModelRequest, clock: Clock) -> AsyncIterator[list[ModelReply]]:
        """Wait for a turn, and hold it; the reply is to be put into the list."""
        tokens = estimated_tokens(request) if self._limits.tokens else 0.0
        reply: list[ModelReply] = []
        taken = await self._taken(tokens, clock)
        more = -tokens
        try:
            if taken.wait > 0:
                with waiting():
                    await clock.sleep(taken.wait)
            more = 0.0  # from here on it is asked, and what it takes is not known before there is a reply
            yield reply
        finally:
            usage = reply[0].usage if reply else None
            if usage is not None and usage.tokens is not None:
                more = usage.tokens - tokens
            await self._made(self._pacing.give_back, self._endpoint, self._limits, taken, more)

    async def _taken(self, tokens: float, clock: Clock) -> RequestTurn:
        looked = 0
        while not (turn := await self._made(self._pacing.take, self._endpoint, self._limits, tokens)).id:
            looked += 1
            with waiting():
                await clock.sleep(min(turn.wait * looked, LONGEST_LOOK))
        return turn

    async def _made(self, call: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """What a call gives; other requests go on while somebody else is asked."""
        return await asyncio.to_thread(call, *args, **more) if self._pacing.elsewhere else call(*args, **more)
