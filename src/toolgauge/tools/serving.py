"""The other end of `tools/child_process.py`: what a process of a tool or an agent does before and between its work.

On Linux there are two processes. The one that was started looks after the one that works: whatever that leaves behind,
daemons included, becomes a child of the first, which ends it all when the work is over, when it is told to by SIGTERM,
or when the run that asks is gone, even if that was killed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from toolgauge.core import JsonValue

from .child_process import decoded_line, encoded_line
from .processes import PR_SET_CHILD_SUBREAPER, ask_system, child_processes, descendants, kill, stop

__all__ = ["Serving"]

PR_SET_PDEATHSIG = 1

WAITED_FOR = frozenset({signal.SIGTERM, signal.SIGCHLD})
"""That everything is to end, and that something has ended."""

ROUNDS, ROUND_SECONDS = 1_000, 0.005
"""How often those are looked for that a process left behind, which may start others meanwhile."""


class Serving:
    """What the process was started with, what it is asked, and where it replies."""

    def __init__(self) -> None:
        """Take the pipes away from what code under test reads and prints, and keep to what this process may have."""
        self._requests, self._replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        line = self._requests.readline()
        if not line:
            sys.exit(0)  # whoever started this is gone
        settings: dict[str, Any] = decoded_line(line)
        self.target: str = settings["target"]
        """Where the code under test is, as `module:name`."""
        self._beginning = f"{settings['word']} ".encode()
        self._lock = threading.Lock()
        if sys.platform.startswith("linux"):
            self._fork(settings["parent"])
        sys.path[:] = settings["path"]
        if settings["memory"]:
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (settings["memory"], settings["memory"]))

    def _fork(self, parent: int) -> None:
        """Continue in a process of its own, which this one looks after."""
        ask_system(PR_SET_CHILD_SUBREAPER, 1)
        guard, usual = os.getpid(), signal.pthread_sigmask(signal.SIG_BLOCK, WAITED_FOR)
        worker = os.fork()
        if worker:
            self._requests.close()
            self._replies.close()
            _look_after(worker, parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        ask_system(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(0)  # it is gone already

    def requests(self) -> Iterator[dict[str, JsonValue]]:
        """The requests, until there are no more."""
        for line in self._requests:
            yield decoded_line(line)

    def reply(self, message: Mapping[str, JsonValue]) -> None:
        """Say something, from any thread."""
        line = self._beginning + encoded_line(message)
        with self._lock:
            self._replies.write(line)
            self._replies.flush()


def _look_after(worker: int, parent: int) -> NoReturn:
    """Wait until the process that works has ended, or the one that asks, and end with everything that is left."""
    ask_system(PR_SET_PDEATHSIG, signal.SIGTERM)
    status: int | None = None
    if os.getppid() == parent:
        status = _wait_for(worker)
    _end_all()
    code = -signal.SIGKILL if status is None else os.waitstatus_to_exitcode(status)
    if code < 0:
        _die_by(-code)
    os._exit(code & 0xFF)


def _wait_for(worker: int) -> int | None:
    """How the process that works has ended; None: everything is to end, because somebody says so or is gone."""
    while signal.sigwait(WAITED_FOR) == signal.SIGCHLD:
        # Those that were left behind are children now as well.
        while (waited := _ended_child()) is not None:
            if waited[0] == worker:
                return waited[1]
    return None


def _ended_child() -> tuple[int, int] | None:
    pid, status = os.waitpid(-1, os.WNOHANG)
    return (pid, status) if pid else None


def _die_by(number: int) -> None:
    """End as the process ended that this one looked after, so that whoever waits sees how."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # who crashed has left one, if that is wanted
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)


def _end_all() -> None:
    for _ in range(ROUNDS):
        left = descendants(child_processes())
        if not left:
            return
        for one in left:
            stop(one)  # so that it starts no others meanwhile
        for one in descendants(child_processes()):
            kill(one)
        time.sleep(ROUND_SECONDS)
