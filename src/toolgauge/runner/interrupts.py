"""What Ctrl-C and a request to end do to a run: first it winds up, then it stops at once."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

__all__ = ["heeding_signals"]


@contextmanager
def heeding_signals(
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
