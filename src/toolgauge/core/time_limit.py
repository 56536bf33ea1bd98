"""A limit for code of others that is called and waited for: rules and scorers in Python.

In the main thread a timer of the system interrupts whatever the code does, also where it sleeps, waits for a connection
or searches with a regular expression. In other threads it is interrupted as soon as it executes Python again.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from types import FrameType

__all__ = ["OutOfTime", "time_limit"]

AGAIN_SECONDS = 1.0
"""After so long, code that has caught the exception gets another one."""


class OutOfTime(BaseException):
    """Code has had the time that it gets. What catches every `Exception` does not catch this one."""


class time_limit:  # noqa: N801 - reads like a function, and is cheaper than one with a generator
    """What is done inside the block has so many seconds; then `OutOfTime` is raised where it is."""

    __slots__ = ("_before", "_began", "_over", "_seconds", "_thread", "_timer", "_wanted")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._over = False

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        if self._thread == threading.main_thread().ident and hasattr(signal, "setitimer"):
            self._timer = None
            self._began = time.monotonic()
            self._before = signal.signal(signal.SIGALRM, self._ring)
            self._wanted, _ = signal.setitimer(signal.ITIMER_REAL, self._seconds, AGAIN_SECONDS)
        else:
            self._timer = threading.Timer(self._seconds, self._ring_there)
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
            _raise_in(self._thread, None)
            return
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)
        if self._wanted:  # somebody else had set it
            left = self._wanted - (time.monotonic() - self._began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6))

    def _ring(self, _: int, __: FrameType | None) -> None:
        if not self._over:
            raise OutOfTime(f"no result after {self._seconds:g} s")

    def _ring_there(self) -> None:
        if not self._over:
            _raise_in(self._thread, OutOfTime)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in another thread; None: none that was asked for and has not been raised yet."""
    wanted = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), wanted)
