"""An event loop for one piece of work, which ends even where something in it does not want to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["CLOSING_SECONDS", "run_in_loop"]

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
