"""Who is working on a run: processes, on whatever machines, each of which says every few seconds that it is there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from toolgauge.store.processes import own_identity, process_began

from .database import Connection, Database

__all__ = ["WORKERS", "Worker", "alive", "bury", "described", "register"]

SILENT_SECONDS = 60.0
"""After so long without a word a process is taken for dead, and others do what it was doing."""

WORKERS = """
    SELECT COALESCE(json_agg(json_build_array(id, pid, process, host, system,
        EXTRACT(EPOCH FROM clock_timestamp() - GREATEST(beat, pg_postmaster_start_time()))) ORDER BY host, pid), '[]')
    FROM workers WHERE workers.run = runs.key
"""
"""Who is said to work on a run, with the seconds since their last word, by the clock of the server. Nobody could say
anything while the server was away, so that nobody is dead at the moment that it is back."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that works on a run."""

    id: str
    pid: int
    process: str
    """The moment that the process began, by which a later one with the same number is known."""
    host: str
    system: str
    silent: float
    """Seconds since its last word."""

    @property
    def alive(self) -> bool:
        """Whether it is still running, as far as is known; a process on this machine is checked directly."""
        if self.silent >= SILENT_SECONDS:
            return False
        mine = own_identity()
        elsewhere = (self.host, self.system) != (mine.host, mine.system)
        return elsewhere or not mine.began or process_began(self.pid) == self.process or _is_hidden(self.pid)


def _is_hidden(pid: int) -> bool:
    """Whether there is a process of somebody else, of whom a system may tell nothing more."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def register(connection: Connection, worker: str, run: int) -> None:
    """Say that this process works on a run, or still does."""
    connection.execute(
        "INSERT INTO workers VALUES (%s, %s, %s, %s, %s, %s, clock_timestamp()) "
        "ON CONFLICT (id) DO UPDATE SET beat = EXCLUDED.beat",
        (worker, run, *own_identity()),
    )


def alive(rows: Iterable[Sequence[Any]]) -> list[Worker]:
    """Those who are still there."""
    return [worker for row in rows if (worker := Worker(*row)).alive]


def bury(database: Database, run: int) -> bool:
    """Forget who is dead, so that what they were doing is done by others; whether somebody was."""
    ((rows,),) = database.execute(f"SELECT ({WORKERS}) FROM runs WHERE key = %s", (run,)) or [([],)]  # noqa: S608
    dead = [worker for row in rows if not (worker := Worker(*row)).alive]
    for one in dead:
        # Who has said something in the meantime lives.
        database.execute(
            "DELETE FROM workers WHERE id = %s AND clock_timestamp() - beat >= make_interval(secs => %s)",
            (one.id, max(0.0, one.silent)),
        )
    return bool(dead)


def described(workers: Sequence[Worker]) -> str | None:
    """Who works on a run, in words; None: nobody."""
    if not workers:
        return None
    if len(workers) == 1:
        return f"process {workers[0].pid} on {workers[0].host}"
    hosts = ", ".join(dict.fromkeys(worker.host for worker in workers))
    return f"{len(workers)} processes on {hosts}"
