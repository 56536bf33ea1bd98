"""The processes that this program started, and how those that tools left behind are ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "Child",
    "adopting",
    "ask_system",
    "child",
    "child_processes",
    "descendants",
    "end_copy",
    "end_processes",
    "kill",
    "stop",
]

GRACE_SECONDS = 1.0

PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER = 36, 37


def ask_system(what: int, value: object) -> None:
    """Make a request of `prctl(2)`, on Linux."""
    import ctypes

    ctypes.CDLL(None).prctl(what, value)


@contextmanager
def adopting() -> Iterator[None]:
    """Be the parent of all processes that lose theirs here, so that none gets lost that code under test starts."""
    if not sys.platform.startswith("linux"):
        yield
        return
    import ctypes

    before = ctypes.c_int(0)
    ask_system(PR_GET_CHILD_SUBREAPER, ctypes.byref(before))
    ask_system(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        ask_system(PR_SET_CHILD_SUBREAPER, before.value)


def end_copy(process: int) -> None:
    """End this process if it is not the one of that number, but a copy that code under test has made of it.

    A copy that comes back from there would do the rest of the run a second time.
    """
    if os.getpid() != process:
        os._exit(0)


@dataclass(frozen=True, slots=True)
class Child:
    """A child process. The moment it began tells it from a later one with the same number."""

    pid: int
    began: str
    command: str


def child_processes() -> set[Child]:
    """The children of this process that have not ended; none where the system does not tell."""
    return _children_of("self")


def descendants(children: Iterable[Child]) -> list[Child]:
    """These processes and all that they started, as far as those in between are still there."""
    found: list[Child] = []
    for one in children:
        found += [one, *descendants(_children_of(one.pid))]
    return found


def _children_of(process: int | str) -> set[Child]:
    found: set[Child] = set()
    for listing in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            pids = listing.read_text().split()
        except OSError:
            continue  # that thread has ended
        found.update(found_child for pid in pids if (found_child := child(int(pid))) is not None)
    return found


def child(pid: int) -> Child | None:
    """The process of that number; None: there is none any more."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    name, _, rest = status.partition("(")[2].rpartition(")")
    fields = rest.split()
    # The state, and the moment it began, as proc(5) counts them.
    return None if fields[0] == "Z" else Child(pid, fields[19], name)


async def end_processes(children: Iterable[Child]) -> None:
    """Ask processes and those that they started to end, and after a moment make them."""
    left = descendants(children)
    for wanted in (signal.SIGTERM, signal.SIGKILL):
        for one in left:
            _signal(one, wanted)
        for _ in range(20):
            left = [one for one in left if _is_there(one)]
            if not left:
                return
            await asyncio.sleep(GRACE_SECONDS / 20)


def _is_there(known: Child) -> bool:
    return child(known.pid) == known


def kill(known: Child) -> None:
    """End a process at once."""
    _signal(known, signal.SIGKILL)


def stop(known: Child) -> None:
    """Hold a process up."""
    _signal(known, signal.SIGSTOP)


def _signal(known: Child, number: int) -> None:
    if _is_there(known):
        try:
            os.kill(known.pid, number)
        except (ProcessLookupError, PermissionError):
            return  # it ended by itself, or has become somebody else's
