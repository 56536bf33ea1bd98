"""What happens to a run, as server-sent events, so that a page that shows it follows without asking.

A page is told `progress` when more is finished, `figures` when there are other figures, `removed` when the run is not
there any more, and `done` when there is nothing left to wait for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
from starlette.concurrency import run_in_threadpool

from toolgauge.errors import UsageError

from .view import Progress, RunView

__all__ = ["MAX_FOLLOWED", "Followers"]

MAX_FOLLOWED = 64
"""So many pages are followed at once."""

EVERY_SECONDS = 1.0
"""So often a run is looked at."""

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
    known: Progress | None = None
    silent = 0.0
    while True:
        try:
            now = await run_in_threadpool(view.progress)
        except UsageError:
            yield _event("removed", {})
            return
        silent += EVERY_SECONDS
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
        await asyncio.sleep(EVERY_SECONDS)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"
