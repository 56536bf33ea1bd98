"""The event loop of a run: it ends even where a task refuses to, and signals become calls within it."""

from __future__ import annotations

import asyncio
import ctypes
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Literal, Self, TypeVar
from weakref import WeakSet

from toolgauge.core import Insistence, Interrupted, OutOfTime, is_interrupt, own_task, time_limit, unfinished_tasks

__all__ = ["CLOSING_SECONDS", "StopSignals", "is_own_loop", "run_in_loop"]

CLOSING_SECONDS = 2.0
"""How long connections may take to be closed, and tasks that were left behind to end."""

TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF) if hasattr(signal, "setitimer") else ()

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
    _own_loops.add(loop)
    try:
        asyncio.set_event_loop(loop)
        return _result(loop, own_task(work, loop=loop))
    finally:
        with suppress(OutOfTime), time_limit(2 * CLOSING_SECONDS):
            _stop_all(loop)
        _keep_for_ever(unfinished_tasks(loop))
        asyncio.set_event_loop(None)
        loop.close()


_own_loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def is_own_loop(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether an event loop was started for a run, and is nobody else's."""
    return loop in _own_loops


def _result(loop: asyncio.AbstractEventLoop, task: asyncio.Task[T]) -> T:
    """What comes of a task, whatever code under test does to the event loop meanwhile.

    An event loop ends where any task or callback raises `SystemExit` or `KeyboardInterrupt`, where the handler of a
    signal raises, and where somebody stops it.
    """
    while True:
        try:
            return loop.run_until_complete(task)
        except BaseException as error:
            if task.done() or loop.is_closed() or is_interrupt(error):
                raise
            if not _says_stopped(error):
                # The handler may be one of somebody else, and raise itself.
                with suppress(SystemExit, KeyboardInterrupt):
                    loop.call_exception_handler({"message": "", "exception": error})


def _says_stopped(error: BaseException) -> bool:
    """Whether it is the event loop that says that somebody has stopped it."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    said_by = "" if place is None else place.tb_frame.f_code.co_name
    return isinstance(error, RuntimeError) and said_by == "run_until_complete"


def _stop_all(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel all tasks, and end all generators, that code under test has left behind."""
    loop.set_task_factory(None)
    left = unfinished_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=CLOSING_SECONDS))
    ending = own_task(loop.shutdown_asyncgens(), loop=loop)
    loop.run_until_complete(asyncio.wait((ending,), timeout=CLOSING_SECONDS))


def _keep_for_ever(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Never let go of tasks that refuse to end: where one catches everything, to clear it away would never end."""
    for task in tasks:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(task))


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
        self._insistence = Insistence(signal.SIGINT)
        self._end: float | None = None
        self._terminated = False
        self._before: dict[int, Any] = {}
        self._timed = any(signal.getitimer(timer)[0] for timer in TIMERS)
        """Whether somebody else has set a timer, which is left alone."""

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            # Handlers of Python itself, not of the loop: those would not be heard while a tool blocks the loop.
            self._before[signal.SIGINT] = signal.signal(signal.SIGINT, self._on_interrupt)
            self._before[signal.SIGTERM] = signal.signal(signal.SIGTERM, self._on_terminate)
            if hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) is not None:
                self._before[signal.SIGALRM] = signal.getsignal(signal.SIGALRM)
        return self

    def __exit__(self, *_: object) -> None:
        self._insistence.end()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._before:
            self._disarm()

    def renew(self) -> None:
        """Hear signals again, whatever code under test has done about them; Ctrl-C is for the run, not for an agent."""
        if not self._before:
            return
        for number, handler in ((signal.SIGINT, self._on_interrupt), (signal.SIGTERM, self._on_terminate)):
            if signal.getsignal(number) != handler:
                signal.signal(number, handler)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, self._before)

    def _disarm(self) -> None:
        """Stop timers that code under test has left running: what they raise would end whatever comes next."""
        for timer in () if self._timed else TIMERS:
            signal.setitimer(timer, 0)

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
            raise self._insistence.on(Interrupted())

    def _on_terminate(self, *_: object) -> None:
        self._terminated = True
        self._loop.call_soon_threadsafe(self._stop, "terminated")
