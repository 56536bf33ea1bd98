"""Calls of whatever keeps a run: at once where that is a file or memory, beside the event loop where it may be away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from toolgauge.errors import StoreError, ToolgaugeError
from toolgauge.store import BEAT_SECONDS

from .persist import RunRecorder

__all__ = ["StoreCalls", "keep_beating"]

P = ParamSpec("P")
T = TypeVar("T")


class StoreCalls:
    """Makes calls of a recorder, one after the other.

    A server may be away for as long as it takes to restart it. Meanwhile agents go on, their time runs, and Ctrl-C is
    heard, since only whoever made a call waits for it.
    """

    def __init__(self, recorder: RunRecorder) -> None:
        # What is shared with others is at the other end of a connection.
        self._thread = ThreadPoolExecutor(1, "toolgauge-store") if recorder.shared else None

    @property
    def at_once(self) -> bool:
        """Whether calls are over before anybody else has a turn."""
        return self._thread is None

    async def make(self, call: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Make a call, and wait for what comes of it."""
        if self._thread is None:
            return call(*args, **more)
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: call(*args, **more))

    def close(self) -> None:
        """Make no more calls; one that is being made is not waited for."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


async def keep_beating(recorder: RunRecorder, calls: StoreCalls, broken: Callable[[ToolgaugeError], None]) -> None:
    """Say every few seconds that the run is being written, until that is no longer possible."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        try:
            await calls.make(recorder.beat)
        except StoreError as error:
            broken(error)
            return
        if recorder.lost is not None:
            broken(recorder.lost)
            return
