"""Committing what is received: several requests share one transaction, and none is answered before it is safe.

One thread unpacks, decodes and commits. A request that comes while a transaction is under way waits for the next one,
so that the slow part, waiting for the disk, is paid once for all of them.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable

from msgspec import Struct

from toolgauge.errors import StoreError

from .otlp import Encoding, ReceivedSpans, RefusedBodyError, Signal, decode_body, unpack
from .state import WatchState

__all__ = ["Committer", "Delivery", "NoRoomError"]

MAX_SHARED = 64
"""How many requests share a transaction at most."""


class NoRoomError(Exception):
    """Nothing can be kept at the moment; whoever sent it should send it again."""


class Delivery(Struct, frozen=True, gc=False):
    """Spans that are safe, for those who make conversations of them."""

    row: int
    received: float
    spans: ReceivedSpans


class _Request(Struct):
    signal: Signal
    encoding: Encoding
    body: bytes
    packed: bool
    done: Callable[[ReceivedSpans | Exception], None]


class Committer:
    """Takes bodies, and says when they are safe."""

    def __init__(self, state: WatchState, deliver: Callable[[Delivery], None], *, max_unpacked: int) -> None:
        """Begin.

        Args:
            state: Where they are kept; the connection is its own.
            deliver: Called with what is safe, in the order in which it was committed.
            max_unpacked: How many bytes a body may have.
        """
        self._state = state
        self._deliver = deliver
        self._max_unpacked = max_unpacked
        self._faulty = False
        """Whether the last transaction failed, after which a connection may be of no more use."""
        self._waiting: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="committing", daemon=True)
        self._thread.start()

    async def commit(self, signal: Signal, encoding: Encoding, body: bytes, *, packed: bool) -> ReceivedSpans:
        """Keep a body; returns when it is safe.

        Raises:
            RefusedBodyError: It is not what it should be.
            NoRoomError: It cannot be kept now.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[ReceivedSpans] = loop.create_future()

        def done(result: ReceivedSpans | Exception) -> None:
            loop.call_soon_threadsafe(_resolve, future, result)

        self._waiting.put(_Request(signal, encoding, body, packed, done))
        return await future

    def close(self) -> None:
        """End, when everything that waits is committed."""
        self._waiting.put(None)
        self._thread.join()
        self._state.close()

    def _work(self) -> None:
        while (first := self._waiting.get()) is not None:
            requests = [first]
            ended = False
            while len(requests) < MAX_SHARED and not self._waiting.empty():
                another = self._waiting.get()
                if another is None:
                    ended = True
                    break
                requests.append(another)
            self._commit_all(requests)
            if ended:
                return

    def _commit_all(self, requests: list[_Request]) -> None:
        decoded = [(request, found) for request in requests if (found := self._decoded(request)) is not None]
        if not decoded:
            return
        now = time.time()
        kept = [(request, body, received) for request, (body, received) in decoded if received.spans]
        try:
            rows = self._keep([(f"{request.signal} {request.encoding}", now, body) for request, body, _ in kept])
        except (sqlite3.Error, OSError, StoreError) as error:
            self._fail([request for request, _ in decoded], error)
            return
        for row, (_, _, received) in zip(rows, kept, strict=True):
            self._deliver(Delivery(row, now, received))
        for request, (_, received) in decoded:
            request.done(received)

    def _keep(self, rows: list[tuple[str, float, bytes]]) -> list[int]:
        if not rows:
            return []
        if self._faulty:
            self._state.reopen()
            self._faulty = False
        return self._state.receive(rows)

    def _decoded(self, request: _Request) -> tuple[bytes, ReceivedSpans] | None:
        """The unpacked body with its spans; None where it was refused."""
        try:
            body = unpack(request.body, self._max_unpacked) if request.packed else request.body
            return body, decode_body(request.signal, request.encoding, body)
        except RefusedBodyError as error:
            request.done(error)
        except Exception as error:  # noqa: BLE001 - whatever a sender has made of it, the others are served
            request.done(RefusedBodyError(400, f"the body cannot be read: {type(error).__name__}"))
        return None

    def _fail(self, requests: list[_Request], error: Exception) -> None:
        for request in requests:
            request.done(NoRoomError(str(error)))
        self._faulty = True


def _resolve(future: asyncio.Future[ReceivedSpans], result: ReceivedSpans | Exception) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
