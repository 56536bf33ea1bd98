"""Threads for functions that block, started when they are needed and never waited for at the end.

A function that hangs keeps its thread, and nobody else's: the next one gets a thread of its own. The pools of the
standard library wait for every thread when the program ends, so a hanging tool would keep it from ending.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from queue import SimpleQueue

from toolgauge.core import described

__all__ = ["Ended", "ThreadWatch", "run_in_thread", "watched_threads"]

MOST_IDLE = 64
"""So many threads wait for more work; the rest end."""


class Ended(Exception):  # noqa: N818 - stands for what a tool raised to end the whole program
    """A tool tried to end the program."""


class _Job:
    """One call of a function, and who waits for it."""

    __slots__ = ("arguments", "finished", "function", "future", "loop")

    def __init__(self, function: Callable[..., object], arguments: Mapping[str, object]) -> None:
        self.function = function
        self.arguments = arguments
        self.finished = False
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[object] = self.loop.create_future()

    def run(self) -> None:
        value: object = None
        error: BaseException | None = None
        try:
            value = self.function(**self.arguments)
        except Exception as raised:  # noqa: BLE001 - whatever a tool raises is a result
            error = raised
        except BaseException as raised:  # noqa: BLE001 - SystemExit or KeyboardInterrupt of a tool ends nothing here
            error = Ended(described(raised))
            error.__cause__ = raised
        self.finished = True
        try:
            self.loop.call_soon_threadsafe(self._settle, value, error)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    def _settle(self, value: object, error: BaseException | None) -> None:
        if self.future.done():
            return
        if isinstance(error, StopIteration):
            error = RuntimeError(described(error))  # a future cannot carry that one
        if error is not None:
            self.future.set_exception(error)
        else:
            self.future.set_result(value)


class _Threads:
    """The threads and the jobs they wait for."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        self.lock = threading.Lock()
        self.idle = 0

    def take(self, job: _Job) -> None:
        with self.lock:
            fresh = self.idle == 0
            if not fresh:
                self.idle -= 1
        self.jobs.put(job)
        if fresh:
            threading.Thread(target=self._work, name="toolgauge tool", daemon=True).start()

    def _work(self) -> None:
        while True:
            self.jobs.get().run()
            with self.lock:
                if self.idle >= MOST_IDLE:
                    return
                self.idle += 1


_threads = _Threads()


class ThreadWatch:
    """The functions that one call of a tool runs in threads."""

    def __init__(self) -> None:
        """Of a call that has not begun yet."""
        self.jobs: list[_Job] = []

    def is_busy(self) -> bool:
        """Whether one of them is still running, though perhaps nobody waits for it any more."""
        return any(not job.finished for job in self.jobs)


_watch: ContextVar[ThreadWatch | None] = ContextVar("toolgauge_thread_watch", default=None)


@contextmanager
def watched_threads() -> Iterator[ThreadWatch]:
    """Watch what is begun here, and by the tasks that are made here."""
    watch = ThreadWatch()
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)


async def run_in_thread(function: Callable[..., object], arguments: Mapping[str, object]) -> object:
    """Call a function in a thread and wait for it; when the wait is cancelled, the thread is left to itself."""
    job = _Job(function, arguments)
    if (watch := _watch.get()) is not None:
        watch.jobs.append(job)
    _threads.take(job)
    return await job.future
