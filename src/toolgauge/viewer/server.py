"""The server: where it listens, who it answers, and what it prints."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from toolgauge.errors import UsageError

from .app import make_app
from .guard import Guard, host_names
from .library import Library

__all__ = ["Place", "is_loopback", "listen", "make_server", "serve"]

FIRST_PORT = 7400
PORTS = 50
"""Where no port is named, the first of so many that is free."""

MAX_CONNECTIONS = 4096
"""So many may be connected at once, also those that only wait; who comes then is asked to come again."""

SILENT_SECONDS = 10
"""A connection that has asked for nothing is closed after so long."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the viewer listens."""

    host: str
    port: int
    socket: socket.socket = field(repr=False)
    token: str = field(repr=False, default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    def address(self, path: str = "/") -> str:
        """What to open: on other addresses than those of this machine with the token."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "") else self.host  # noqa: S104 - what is bound, not bound to
        name = "::1" if name == "::" else name
        shown = f"[{name}]" if ":" in name else name
        brought = "" if self.loopback else f"{'&' if '?' in path else '?'}token={self.token}"
        return f"http://{shown}:{self.port}{path}{brought}"


def is_loopback(host: str) -> bool:
    """Whether an address is one that only this machine can reach."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int | None) -> Place:
    """Take a place to listen at.

    Args:
        host: The address to bind to.
        port: The port; 0: any that is free; None: the first that is free from 7400 on.

    Raises:
        UsageError: It cannot be had.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise UsageError(f"{host!r} is no address of this machine: {error.strerror or error}") from error
    family = found[0][0]
    wanted = range(FIRST_PORT, FIRST_PORT + PORTS) if port is None else [port]
    reason = ""
    for number in wanted:
        opened = socket.socket(family, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((found[0][4][0], number))
        except OSError as error:
            opened.close()
            reason = error.strerror or str(error)
            continue
        return Place(host, opened.getsockname()[1], opened)
    where = f"port {port}" if port is not None else f"any port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1}"
    raise UsageError(f"the viewer cannot listen on {where} of {host}: {reason}; choose another with --port")


class _Impatient(H11Protocol):
    """A connection that is closed if it asks for nothing."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(SILENT_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        # There is a cycle from the first request on, whatever its type says.
        if getattr(self, "cycle", None) is None and not self.transport.is_closing():
            self.transport.close()


def make_server(
    library: Library, place: Place, *, names: Sequence[str] = (), cases_file: str | None = None
) -> uvicorn.Server:
    """The server, which does not answer yet.

    Args:
        library: The runs that can be looked at.
        place: Where to listen.
        names: Further names by which people reach it.
        cases_file: The suite file that cases may be written into.
    """
    app = Guard(
        make_app(library, cases_file=cases_file),
        hosts=host_names(place.host, place.port, names),
        token=place.token,
        needs_token=not place.loopback,
    )
    config = uvicorn.Config(
        app,
        http=_Impatient,
        ws="none",
        loop="asyncio",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
    )
    return uvicorn.Server(config)


def serve(server: uvicorn.Server, place: Place, ready: Callable[[], None]) -> None:
    """Answer until somebody ends it.

    Args:
        server: The server.
        place: Where to listen.
        ready: Called when it answers.
    """
    _allow_many_connections()
    asyncio.run(_serve(server, place, ready))


async def _serve(server: uvicorn.Server, place: Place, ready: Callable[[], None]) -> None:
    async def tell() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(ready)

    telling = asyncio.create_task(tell())
    try:
        await server.serve(sockets=[place.socket])
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling


def _allow_many_connections() -> None:
    """Let as many be connected as the system allows: whoever only waits shall not keep others out."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
