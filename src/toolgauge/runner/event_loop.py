"""The event loop of a run: it ends even where a task refuses to, and signals become calls within it."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, Literal, Self, TypeVar

from toolgauge.core import Interrupted

__all__ = ["CLOSING_SECONDS", "StopSignals", "run_in_loop"]

CLOSING_SECONDS = 2.0
"""How long connections may take to be closed, and tasks that were left behind to end."""

T = TypeVar("T")


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run something in an event loop of its own; inside another loop, in a thread.

    Unlike `asyncio.run` this does not wait for tasks that refuse to end.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run_here(work)
    outcome: list[T] = []
    errors: list[BaseException] = []

    def run_there() -> None:
        try:
            outcome.append(_run_here(work))
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            errors.append(error)

    thread = threading.Thread(target=run_there, name="toolgauge run", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return outcome[0]


def _run_here(work: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(work)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=CLOSING_SECONDS))
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()


class StopSignals:
    """Turns signals into calls within the event loop; a context manager. Outside the main thread they are left alone.

    The first Ctrl-C lets what is in progress finish, the second one and SIGTERM stop it, and the third one raises
    `Interrupted`, whatever the program is doing: something keeps the loop from going on.
    """

    def __init__(
        self,
        wind_up: Callable[[], None],
        stop: Callable[[Literal["interrupted", "terminated"]], None],
        grace_seconds: float,
    ) -> None:
        """Make ready, in the thread of the loop.

        Args:
            wind_up: Called at the first Ctrl-C.
            stop: Called with `interrupted` at the second one, and with `terminated` when the process is asked to end.
            grace_seconds: How long what is in progress may take after the first one.
        """
        self._wind_up = wind_up
        self._stop = stop
        self._grace = grace_seconds
        self._loop = asyncio.get_running_loop()
        self._interrupts = 0
        self._end: float | None = None
        self._terminated = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            # Handlers of Python itself, not of the loop: those would not be heard while a tool blocks the loop.
            self._before[signal.SIGINT] = signal.signal(signal.SIGINT, self._on_interrupt)
            self._before[signal.SIGTERM] = signal.signal(signal.SIGTERM, self._on_terminate)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def due(self) -> str:
        """Why everything has to be over by now, whether or not the loop has heard of it; empty: it has not."""
        if self._terminated:
            return "the run was stopped"
        return "interrupted" if self._end is not None and time.monotonic() >= self._end else ""

    def _on_interrupt(self, *_: object) -> None:
        self._interrupts += 1
        if self._interrupts == 1:
            self._end = time.monotonic() + self._grace
            self._loop.call_soon_threadsafe(self._wind_up)
        elif self._interrupts == 2:
            self._end = time.monotonic()
            self._loop.call_soon_threadsafe(self._stop, "interrupted")
        else:
            raise Interrupted

    def _on_terminate(self, *_: object) -> None:
        self._terminated = True
        self._loop.call_soon_threadsafe(self._stop, "terminated")
