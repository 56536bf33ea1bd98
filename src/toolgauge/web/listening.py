"""Where a server listens, and by which names it is known."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address

import uvicorn

from toolgauge.errors import UsageError

__all__ = ["Place", "host_names", "is_loopback", "listen", "serve"]

FIRST_PORT = 7400
PORTS = 50
"""Where no port is named, the first of so many that is free."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens."""

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


def listen(host: str, port: int | None, *, first: int = FIRST_PORT) -> Place:
    """Take a place to listen at.

    Args:
        host: The address to bind to.
        port: The port; 0: any that is free; None: the first that is free from `first` on.
        first: The first port that is tried.

    Raises:
        UsageError: It cannot be had.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise UsageError(f"{host!r} is not an address of this machine: {error.strerror or error}") from error
    family = found[0][0]
    wanted = range(first, first + PORTS) if port is None else [port]
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
    where = f"port {port}" if port is not None else f"any port from {first} to {first + PORTS - 1}"
    raise UsageError(f"the server cannot listen on {where} of {host}: {reason}; choose another with --port")


def host_names(host: str, port: int, more: Iterable[str] = ()) -> frozenset[str]:
    """The values of Host that mean this server.

    Args:
        host: The address that it is bound to.
        port: Its port.
        more: Further names by which people reach it.
    """
    names = {"localhost", "127.0.0.1", "[::1]", *more}
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104 - these are names of all addresses, and of none
        names.add(f"[{host}]" if ":" in host else host)
    with_port = {f"{name}:{port}".lower() for name in names}
    return frozenset(with_port | {name.lower() for name in names} if port == 80 else with_port)


def serve(server: uvicorn.Server, place: Place, ready: Callable[[], None]) -> None:
    """Answer until somebody ends it.

    Args:
        server: The server.
        place: Where to listen.
        ready: Called when it answers.
    """
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
