"""Blocking code in threads of its own, which nobody waits for once it is not wanted any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["in_thread"]

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Do something that blocks in a thread, and wait for it. When the wait is cancelled, the thread is left to itself.

    The pools of the standard library are small, and wait for their threads when the program ends; an agent that hangs
    would hold up the others, and then the end.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if ended.done():
            return
        if error is None:
            ended.set_result(value)  # type: ignore[arg-type]  # a value wherever there is no error
        else:
            ended.set_exception(error)

    def run() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = work()
        except StopIteration as raised:
            error = RuntimeError(f"StopIteration: {raised}")  # a future cannot carry that one
        except Exception as raised:  # noqa: BLE001 - whoever waits gets it
            error = raised
        except BaseException as raised:  # noqa: BLE001 - ends the thread, and nothing else
            error = RuntimeError(f"{type(raised).__name__}: {raised}")
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    threading.Thread(target=run, name="toolgauge agent", daemon=True).start()
    return await ended
