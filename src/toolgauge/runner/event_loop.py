"""The event loop of a run: it ends even where a task refuses to, and signals become calls within it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

__all__ = ["CLOSING_SECONDS", "handling_signals", "run_in_loop"]

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


@contextmanager
def handling_signals(
    wind_up: Callable[[], None], stop: Callable[[Literal["interrupted", "terminated"]], None]
) -> Iterator[None]:
    """Turn signals into calls within the event loop; where this is not the main thread, they are left alone.

    Args:
        wind_up: Called at the first Ctrl-C.
        stop: Called with `interrupted` at the second one, and with `terminated` when the process is asked to end.

    Raises:
        KeyboardInterrupt: At the third Ctrl-C, whatever the program is doing: something keeps the loop from going on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    interrupts = 0

    def interrupted(*_: object) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts == 1:
            loop.call_soon_threadsafe(wind_up)
        elif interrupts == 2:
            loop.call_soon_threadsafe(stop, "interrupted")
        else:
            raise KeyboardInterrupt

    def terminated(*_: object) -> None:
        loop.call_soon_threadsafe(stop, "terminated")

    # Handlers of Python itself, not of the loop: those would not be heard while a tool blocks the loop.
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, interrupted),
        signal.SIGTERM: signal.signal(signal.SIGTERM, terminated),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
