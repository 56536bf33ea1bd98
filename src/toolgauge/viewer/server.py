"""The server: what it answers, and whom."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence

import uvicorn

from toolgauge.web import Place, host_names, limited_connections

from .app import make_app
from .guard import Guard
from .library import Library

__all__ = ["make_server"]

M_ARENA_MAX = -8
"""What glibc calls the number of places that threads take memory from, each of which keeps what it once had."""

MAX_CONNECTIONS = 4096
"""So many may be connected at once, also those that only wait; then the one that was silent longest is closed."""


def make_server(
    library: Library,
    place: Place,
    *,
    names: Sequence[str] = (),
    cases_file: str | None = None,
    watch: str | None = None,
) -> uvicorn.Server:
    """The server, which does not answer yet.

    Args:
        library: The runs that can be looked at.
        place: Where to listen.
        names: Further names by which people reach it.
        cases_file: The suite file that cases may be written into.
        watch: The file of the state of a watch.
    """
    _keep_memory_together()
    app = Guard(
        make_app(library, cases_file=cases_file, watch=watch),
        hosts=host_names(place.host, place.port, names),
        token=place.token,
        needs_token=not place.loopback,
    )
    config = uvicorn.Config(
        app,
        http=limited_connections(MAX_CONNECTIONS),
        ws="none",
        loop="asyncio",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
    )
    return uvicorn.Server(config)


def _keep_memory_together() -> None:
    """Let all threads take memory from one place: a large case that one of them has read is room for the next."""
    if sys.platform.startswith("linux"):
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(M_ARENA_MAX, 1)
