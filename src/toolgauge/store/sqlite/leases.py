"""Who is writing a run at the moment, so that nobody else resumes or deletes it."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from toolgauge.store.processes import boot_id, process_began

__all__ = ["LEASE_COLUMNS", "Lease", "find_holder", "forget", "give_back", "holder_of", "take_lease"]

SILENT_SECONDS = 60.0
"""After so long without a word a writer on another machine is taken for dead."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A process that writes a run."""

    pid: int
    process: str
    """The moment that the process began, by which a later one with the same number is known."""
    host: str
    boot: str
    beat: float

    @property
    def alive(self) -> bool:
        """Whether the process is still there, as far as can be told."""
        if self.host != platform.node():
            return time.time() - self.beat < SILENT_SECONDS
        return self.boot == boot_id() and process_began(self.pid) == self.process

    @property
    def shown(self) -> str:
        """Who it is, in words."""
        return f"process {self.pid} on {self.host}"


def own() -> Lease:
    """The lease of this process."""
    pid = os.getpid()
    return Lease(pid, process_began(pid), platform.node(), boot_id(), time.time())


_held: set[tuple[str, int]] = set()
"""The stores and runs that this very process writes."""


LEASE_COLUMNS = "pid, process, host, boot, beat"


def find_holder(connection: sqlite3.Connection, path: Path, run: int) -> Lease | None:
    """Who holds a run; None: nobody that is alive."""
    row = connection.execute(f"SELECT {LEASE_COLUMNS} FROM leases WHERE run = ?", (run,)).fetchone()  # noqa: S608
    return holder_of(path, run, row or ())


def holder_of(path: Path, run: int, row: Sequence[Any]) -> Lease | None:
    """Who holds a run, by the columns of its lease, which are empty where it has none; None: nobody that is alive."""
    if not row or row[0] is None:
        return None
    lease = Lease(*msgspec.convert(row, tuple[int, str, str, str, float]))
    if not lease.alive:
        return None
    if lease.pid == os.getpid() and lease.host == platform.node() and (_place(path), run) not in _held:
        return None  # this process wrote it before, and could not even say that it stopped
    return lease


def take_lease(connection: sqlite3.Connection, path: Path, run: int) -> None:
    """Hold a run, or say that it is still held. Whoever calls this made sure that nobody else does."""
    lease = own()
    _held.add((_place(path), run))
    values = (run, lease.pid, lease.process, lease.host, lease.boot, lease.beat)
    connection.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?)", values)


def give_back(connection: sqlite3.Connection, path: Path, run: int) -> None:
    """Let others have the run."""
    forget(path, run)
    connection.execute("DELETE FROM leases WHERE run = ?", (run,))


def forget(path: Path, run: int) -> None:
    """This process does not write the run any more, whatever the store says."""
    _held.discard((_place(path), run))


def _place(path: Path) -> str:
    return os.path.realpath(path)
