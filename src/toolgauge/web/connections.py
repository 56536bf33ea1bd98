"""How long a connection may say nothing, and how many there may be at once.

Whoever opens thousands of connections and says nothing, or sends a byte now and then, loses them; whoever sends a whole
request is answered meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["LimitedConnection", "limited_connections"]

SILENT_SECONDS = 10
"""A connection that has not asked for anything is closed after so long, and one that has begun to ask but not ended."""

OWN_FILES = 128
"""So many files are left for everything but connections."""

FEW_FILES = 512
UNLIMITED_FILES = 1_000_000
"""How many files may be open where the system does not say, and where it sets no limit."""


class LimitedConnection(H11Protocol):
    """A connection that is closed if it does not come to a request, or if others need its place."""

    most: ClassVar[int]
    """How many there may be."""
    connected: ClassVar[OrderedDict[LimitedConnection, None]]
    """Those there are, the one that was silent longest first."""
    closed: ClassVar[int] = 0
    """How many had to make room."""
    _deadline: asyncio.TimerHandle | None = None
    """Until then the head of a request has to arrive."""

    def connection_made(self, transport: Any) -> None:
        """Find room, and wait for a request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(SILENT_SECONDS, self._close)
        self.connected[self] = None
        if len(self.connected) > self.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the room to others."""
        self.connected.pop(self, None)
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Be no longer silent."""
        if self in self.connected:
            self.connected.move_to_end(self)
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._deadline is None and self.conn.trailing_data[0]:
            # Between requests uvicorn waits for a while until something comes, but for the rest of it without end.
            self._deadline = self.loop.call_later(SILENT_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._deadline = None
        self.transport.close()

    def _make_room(self) -> None:
        for one in self.connected:
            if not one._is_owed_an_answer:
                del self.connected[one]
                type(self).closed += 1
                one.transport.abort()
                return

    @property
    def _is_owed_an_answer(self) -> bool:
        """Whether a whole request has come, and nothing was said to it yet."""
        # There is a cycle from the first request on, whatever its type says.
        cycle = getattr(self, "cycle", None)
        return cycle is not None and not cycle.more_body and not cycle.response_started


def limited_connections(most: int) -> type[LimitedConnection]:
    """The connections of one server.

    Args:
        most: How many there may be; fewer where the system does not allow so many open files. Beyond, the one that was
            silent longest is closed.
    """

    class Connection(LimitedConnection):
        connected: ClassVar[OrderedDict[LimitedConnection, None]] = OrderedDict()

    Connection.most = max(1, min(most, _open_files() - OWN_FILES))
    return Connection


def _open_files() -> int:
    """How many files, connections among them, may be open at once: as many as the system allows."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return hard if hard != resource.RLIM_INFINITY else UNLIMITED_FILES
    return FEW_FILES
