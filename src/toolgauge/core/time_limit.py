"""A limit for code of others that is called and waited for: rules and scorers in Python.

In the main thread a timer of the system interrupts whatever the code does, also where it sleeps, waits for a connection
or searches with a regular expression. In other threads it is interrupted as soon as it executes Python again.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from contextlib import suppress
from types import FrameType

from .foreign import Insistence

__all__ = ["OutOfTime", "time_limit"]

YIELDS = 100
"""Far more chances than an exception sent by another thread needs to arrive; it normally does at the first."""

AGAIN_SECONDS = 1.0
"""After so long, code that has caught the exception gets another one."""


class OutOfTime(BaseException):
    """Code has had the time that it gets. What catches every `Exception` does not catch this one."""


class time_limit:  # noqa: N801 - reads like a function, and is cheaper than one with a generator
    """What is done inside the block has so many seconds; then `OutOfTime` is raised where it is."""

    __slots__ = (
        "_before",
        "_began",
        "_deciding",
        "_insistence",
        "_over",
        "_rang",
        "_seconds",
        "_thread",
        "_timer",
        "_wanted",
    )

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._over = self._rang = False
        self._insistence: Insistence | None = None

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        if self._thread == threading.main_thread().ident and hasattr(signal, "setitimer"):
            self._timer = None
            self._began = time.monotonic()
            self._before = signal.signal(signal.SIGALRM, self._ring)
            self._wanted, _ = signal.setitimer(signal.ITIMER_REAL, self._seconds, AGAIN_SECONDS)
        else:
            self._deciding = threading.Lock()
            self._timer = threading.Timer(self._seconds, self._ring_there)
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            with self._deciding:
                self._over = True
            if self._rang:
                _let_it_arrive()
            return
        self._over = True
        if self._insistence is not None:
            self._insistence.end()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)
        if self._wanted:  # somebody else had set it
            left = self._wanted - (time.monotonic() - self._began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6))

    def _ring(self, _: int, __: FrameType | None) -> None:
        if not self._over:
            self._insistence = self._insistence or Insistence(signal.SIGALRM)
            raise self._insistence.on(OutOfTime(f"no result after {self._seconds:g} s"))

    def _ring_there(self) -> None:
        with self._deciding:
            if not self._over:
                self._rang = True
                _raise_in(self._thread, OutOfTime)


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an exception in another thread, as soon as that gets on."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _let_it_arrive() -> None:
    """Receive an exception that was sent to this thread and may not have arrived yet.

    It must not be withdrawn: Python 3.11 would keep checking for it at every function call, and a profiler or debugger
    that is switched on later would hang at the first one.
    """
    with suppress(OutOfTime):
        for _ in range(YIELDS):
            time.sleep(0)
