"""Starting a task so that it runs at once, until it first has to wait.

A task usually begins in the next round of the event loop, behind everybody who is ready. Of two hundred trials that end
together all would be scored and stored before any of their successors gets to ask its model: first everybody waits,
then everybody works. Where a successor asks at once, it waits while the others are stored.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Generator
from contextvars import Context
from typing import Any

__all__ = ["start_at_once"]


def start_at_once(work: Coroutine[Any, Any, None], context: Context) -> asyncio.Task[None]:
    """Start a task that has already run as far as it could when this returns.

    Args:
        work: What it does.
        context: The context variables that it sees and sets.
    """
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(work, loop=loop, context=context, eager_start=True)
    ahead = _Ahead(work)
    task = asyncio.Task(ahead, loop=loop, context=context)
    around = asyncio.current_task()
    if around is not None:
        asyncio.tasks._leave_task(loop, around)
    # Whoever asks which task this is, such as a time limit, has to be told the new one.
    asyncio.tasks._enter_task(loop, task)
    try:
        context.run(ahead.run)
    finally:
        asyncio.tasks._leave_task(loop, task)
        if around is not None:
            asyncio.tasks._enter_task(loop, around)
    return task


class _Ahead(Coroutine[Any, Any, None]):
    """A coroutine that takes its first step before its task does, for Python 3.11, whose tasks cannot.

    What comes of the step is handed over when the task takes the one that it believes to be the first.
    """

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self._work = work
        self._ahead = True
        self._awaited: Any = None
        self._ended: BaseException | None = None

    def run(self) -> None:
        """Take the first step."""
        try:
            self._awaited = self._work.send(None)
        except BaseException as ended:  # noqa: BLE001 - raised again in the task, which it ends
            self._ended = ended
        if asyncio.isfuture(self._awaited):
            # That somebody waits for it is said to the task, which may not be the only one that does.
            self._awaited._asyncio_future_blocking = False

    def send(self, value: Any) -> Any:
        """Take the next step."""
        if not self._ahead:
            return self._work.send(value)
        self._ahead = False
        if self._ended is not None:
            raise self._ended
        awaited, self._awaited = self._awaited, None
        if asyncio.isfuture(awaited):
            awaited._asyncio_future_blocking = True
        return awaited

    def throw(self, *error: Any) -> Any:
        """Raise an error where the work stands; the only one before the first step is that the task was cancelled."""
        if not self._ahead:
            return self._work.throw(*error)
        self._ahead = False
        if self._ended is not None:
            raise self._ended
        awaited, self._awaited = self._awaited, None
        if asyncio.isfuture(awaited) and awaited.cancel():
            # What is waited for is cancelled first, as the task would do if it knew of it, and then tells the work.
            awaited._asyncio_future_blocking = True
            return awaited
        return self._work.throw(*error)

    def close(self) -> None:
        """End the work where it stands."""
        self._work.close()

    def __await__(self) -> Generator[Any, Any, None]:
        return self._work.__await__()
