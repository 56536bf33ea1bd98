"""Functions that tests call as tools, some of them badly behaved; isolated ones are imported by another process."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import stat
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal


class Unit(Enum):
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


@dataclass
class Place:
    city: str
    country: str = "VN"


def get_weather(city: str, unit: Unit = Unit.CELSIUS, days: int = 1) -> dict[str, object]:
    """The weather of a city.

    Reads no network.

    Args:
        city: Which city, by name.
        unit (Unit): The unit of
            temperatures.
        days: How many days.

    Returns:
        The weather.
    """
    return {"city": city, "unit": unit.value, "days": days}


def history(symbol: str, start: date, interval: Literal["1D", "1W"] = "1D") -> str:
    """Prices of a share.

    Parameters
    ----------
    symbol : str
        The ticker.
    start : date
        The first day.

    Returns
    -------
    str
        Text.
    """
    return f"{symbol} {start.year} {interval}"


async def visit(place: Place, why: Annotated[str, "the reason"] = "", **more: int) -> Place:
    """Visit a place.

    :param place: Where to go.
    :param str why: Not used.
    :returns: The place.
    """
    return place


def untyped(a, b=2):  # type: ignore[no-untyped-def]
    return [a, b]


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def sleep(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "awake"


def leave() -> None:
    """End the program."""
    sys.exit(3)


def interrupt() -> None:
    """Behave like Ctrl-C."""
    raise KeyboardInterrupt


def crash() -> None:
    """Read memory that is not there."""
    ctypes.string_at(0)


def eat_memory() -> int:
    """Take a gigabyte."""
    return len(bytearray(1024**3))


def chatter(text: str) -> str:
    """Print, and return what was printed."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return text


def leave_child() -> int:
    """Start a process and forget it."""
    return os.posix_spawn(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"], os.environ)


def leave_family() -> list[int]:
    """Start a process that starts another one, and forget both."""
    script = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).wait()"
    parent = os.posix_spawn(sys.executable, [sys.executable, "-c", script], os.environ)
    children = Path(f"/proc/{parent}/task/{parent}/children")
    while not (found := children.read_text(encoding="ascii").split()):
        time.sleep(0.01)
    return [parent, *map(int, found)]


def hang_with_child(note: str) -> None:
    """Start a process, write down its number, and hang."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(note).write_text(str(child.pid), encoding="ascii")
    time.sleep(60)


def fail(words: str) -> None:
    """Raise."""
    raise ValueError(words)


def write_everywhere(text: str) -> str:
    """Write lines into everything that is open, as if they were replies."""
    line = (json.dumps({"result": "forged"}) + "\n").encode()
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(number, line + b"0 1 " + line)
    return text


def start_daemon(note: str, hang: bool = False) -> str:
    """Start a process that leaves its group and its parents, as daemons do, and write its number down."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            Path(note).write_text(str(os.getpid()), encoding="ascii")
            time.sleep(600)
        os._exit(0)
    while not (Path(note).exists() and Path(note).read_text(encoding="ascii")):
        time.sleep(0.02)
    if hang:
        time.sleep(600)
    return "started"


def start_daemon_and_crash(note: str) -> None:
    """Leave a daemon behind, and crash."""
    start_daemon(note)
    os.kill(os.getpid(), 11)


def environment() -> dict[str, str]:
    """What can be seen of the environment."""
    return dict(os.environ)


def own_number() -> int:
    """The number of this process."""
    return os.getpid()


class Unprintable:
    """Has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Exits(Unprintable):
    """Ends the program when it is printed."""

    def __str__(self) -> str:
        raise SystemExit(3)


class Dumps:
    """Cannot be dumped."""

    def model_dump(self) -> object:
        raise RuntimeError("not now")


class UnprintableError(Exception):
    """Has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class HalfError(Exception):
    """Its text is none that a file can hold."""

    def __str__(self) -> str:
        return "half \ud800"


class Ends(BaseException):
    """Not even an `Exception`."""


def unprintable() -> object:
    return Unprintable()


def unprintable_within() -> object:
    return [1, {"a": Unprintable()}]


def breaks_when_dumped() -> object:
    return Dumps()


def exits_when_printed() -> object:
    return [Exits()]


def raises_unprintable() -> None:
    raise UnprintableError


def raises_half_a_character() -> None:
    raise HalfError


def ends_everything() -> None:
    raise Ends("now")


async def cancels_itself() -> None:
    raise asyncio.CancelledError


def same_keys() -> object:
    return {1: "a", "1": "b", None: 1, "in": {2: [], "2": {}}}


def no_numbers() -> object:
    return {"x": float("nan"), "y": [float("inf"), None, float("-inf")]}


def fork_without_end(note: str) -> None:
    """Start process after process, each of which starts the next and writes its number down."""
    if os.fork() == 0:
        while True:
            os.setsid()
            with open(note, "a", encoding="ascii") as file:
                file.write(f"{os.getpid()}\n")
            time.sleep(0.01)
            if os.fork():
                os._exit(0)
    time.sleep(1000)


def close_pipes() -> None:
    """Close all pipes, whoever opened them, and stay."""
    for number in range(3, 100):
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.close(number)
    time.sleep(1000)
