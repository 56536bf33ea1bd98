"""What happens to a run, as server-sent events, so that a page that shows it follows without asking.

A page is told `progress` when more is finished, `figures` when there are other figures, `removed` when the run is not
there any more, and `done` when there is nothing left to wait for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec
from starlette.concurrency import run_in_threadpool

from toolgauge.errors import UsageError

from .view import Progress, RunView

__all__ = ["MAX_FOLLOWED", "Followers"]

MAX_FOLLOWED = 64
"""So many pages are followed at once."""

EVERY_SECONDS = 1.0
"""So often a run is looked at."""

LEAST_SECONDS = 0.2
"""So long what happens is waited for together, however much that is."""

ALIVE_SECONDS = 15
"""So often a page is told something, for whoever is between to keep the connection."""


class Followers:
    """The pages that are followed."""

    def __init__(self) -> None:
        self._followed = 0

    @property
    def full(self) -> bool:
        """Whether no more pages can be followed."""
        return self._followed >= MAX_FOLLOWED

    async def of(self, view: RunView) -> AsyncIterator[str]:
        """What happens to a run, until it is done or nobody listens any more."""
        self._followed += 1
        try:
            async for event in _follow(view):
                yield event
        finally:
            self._followed -= 1


async def _follow(view: RunView) -> AsyncIterator[str]:
    """Look at a run every now and then, and at once where its store says that something happened to it."""
    changed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell() -> None:
        loop.call_soon_threadsafe(changed.set)

    with view.origin.following(tell):
        async for event in _looking(view, changed):
            yield event


async def _looking(view: RunView, changed: asyncio.Event) -> AsyncIterator[str]:
    known: Progress | None = None
    looked = silent = 0.0
    while True:
        try:
            now = await run_in_threadpool(view.progress)
        except UsageError:
            yield _event("removed", {})
            return
        silent, looked = silent + time.monotonic() - (looked or time.monotonic()), time.monotonic()
        if known is None or now.version != known.version:
            yield _event("figures", now)
            silent = 0.0
        elif now != known:
            yield _event("progress", now)
            silent = 0.0
        elif silent >= ALIVE_SECONDS:
            yield ": still there\n\n"
            silent = 0.0
        if now.failed or (now.ready and not now.live and now.read >= now.finished):
            yield _event("done", now)
            return
        known = now
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), EVERY_SECONDS)
            await asyncio.sleep(LEAST_SECONDS)
        changed.clear()


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"
