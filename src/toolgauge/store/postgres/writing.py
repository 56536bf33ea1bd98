"""A run that is being written: one finished trajectory at a time, by one process or by several who share its trials."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from psycopg.errors import ForeignKeyViolation

from toolgauge.core import JsonValue, Scored, TrialKey
from toolgauge.errors import TrialTaken
from toolgauge.store.encoding import encode_scored
from toolgauge.store.runs import ClaimedTrial, RunState

from .database import Connection, Database
from .following import CHANNEL
from .queries import CLAIM, JOURNAL, LEAVE, MINE, PLAN, SAVE_ALONE, SAVE_LEASED
from .workers import WORKERS, alive, bury, register

__all__ = ["PostgresQueue", "PostgresWriter", "save_values"]

NOTIFY_SECONDS = 0.1
"""Followers of a run are notified of finished trials no more often than this."""

PLAN_AT_ONCE = 10_000
"""How many trials of a plan are written at once."""


def save_values(run: int, scored: Scored) -> dict[str, Any]:
    """What `SAVE` wants to know of a trajectory."""
    trajectory = scored.trajectory
    return {
        "run": run,
        "agent": trajectory.agent,
        "case": trajectory.case,
        "trial": trajectory.trial,
        "state": trajectory.state,
        "passed": bool(scored.score.passed),
        "line": encode_scored(scored)[:-1],
    }


class PostgresWriter:
    """Writes a run. What `save` returned for is kept, whatever happens to the process afterwards."""

    def __init__(self, database: Database, key: int, run_id: str, worker: str) -> None:
        self.id = run_id
        self.worker = worker
        """What this process is known by as long as it works on the run."""
        self._database = database
        self._key = key
        self._save = SAVE_ALONE
        self._notified = 0.0

    def done(self) -> set[TrialKey]:
        """What is finished already."""
        rows = self._database.execute("SELECT agent, case_id, trial FROM trajectories WHERE run = %s", (self._key,))
        return {(agent, case, trial) for agent, case, trial in rows}

    def interrupted(self) -> dict[TrialKey, list[dict[str, JsonValue]]]:
        """What was begun and never finished, with what had happened by then."""
        rows = self._database.execute(
            "SELECT agent, case_id, trial, event FROM journal WHERE run = %s ORDER BY key", (self._key,)
        )
        found: dict[TrialKey, list[dict[str, JsonValue]]] = {}
        for agent, case, trial, event in rows:
            found.setdefault((agent, case, trial), []).append(msgspec.json.decode(event))
        return found

    def journal(self, agent: str, case: str, trial: int, event: Mapping[str, JsonValue]) -> None:
        """Record at once that something was begun which cannot be undone: a case, a call of a tool."""
        values = (self._key, agent, case, trial, secrets.token_hex(8), msgspec.json.encode(event))
        self._database.execute(JOURNAL, values)

    def begin_case(self, agent: str, case: str, trial: int, attempt: int = 1) -> None:
        """Record that a case is begun, before anything happens."""
        self.journal(agent, case, trial, {"kind": "begun", "attempt": attempt})

    def save(self, scored: Scored) -> None:
        """Keep a finished trajectory with its score, in one transaction; its journal goes.

        It returns when that is on the disk of the server.

        Raises:
            TrialTaken: Another process has kept this trial, or is about to.
            StoreError: It could not be kept.
        """
        values = {**save_values(self._key, scored), "worker": self.worker}

        def work(connection: Connection) -> bool:
            with connection.pipeline() as pipeline:
                saved = connection.execute(self._save, values)
                pipeline.sync()
                # What this writes is on the disk when it returns, and with it all that was kept before.
                register(connection, self.worker, self._key)
            return saved.fetchone() is not None

        if not self._database.run(work):
            trajectory = scored.trajectory
            which = f"trial {trajectory.trial} of {trajectory.agent!r} on {trajectory.case!r}"
            raise TrialTaken(f"{which} was taken over by another process, because this one was silent for too long")
        if time.monotonic() - self._notified >= NOTIFY_SECONDS:
            self._notify()

    def _notify(self) -> None:
        self._notified = time.monotonic()
        self._database.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self.id))

    def heartbeat(self) -> None:
        """Say that this process is still writing."""
        self._database.run(lambda connection: register(connection, self.worker, self._key))

    def share(self, plan: Iterable[TrialKey], again: Iterable[TrialKey] = ()) -> PostgresQueue:
        """Share the trials of the run with whoever else works on it.

        Args:
            plan: All trials in the order in which they are to be run; the first who shares a run says which.
            again: Those that are run again although they are finished.
        """

        def work(connection: Connection) -> None:
            # Only one at a time writes the plan, and all of it.
            connection.execute("SELECT 1 FROM runs WHERE key = %s FOR UPDATE", (self._key,))
            if not connection.execute("SELECT 1 FROM trials WHERE run = %s LIMIT 1", (self._key,)).fetchall():
                _write_plan(connection, self._key, iter(plan))
            for agent, case, trial in again:
                connection.execute(
                    "UPDATE trials SET done = FALSE WHERE run = %s AND agent = %s AND case_id = %s AND trial = %s",
                    (self._key, agent, case, trial),
                )

        self._database.transaction(work)
        self._save = SAVE_LEASED
        return PostgresQueue(self._database, self._key, self.worker)

    def finish(self, state: RunState) -> None:
        """Say how the run ended, and let go of it. Where others still work on it, it has not ended.

        Args:
            state: `finished`, or `interrupted` where there is something left to do.
        """

        def work(connection: Connection) -> None:
            connection.execute("SELECT 1 FROM runs WHERE key = %s FOR UPDATE", (self._key,))
            connection.execute("DELETE FROM workers WHERE id = %s", (self.worker,))
            rows = connection.execute(f"SELECT ({WORKERS}) FROM runs WHERE key = %s", (self._key,)).fetchall()  # noqa: S608
            others = any(alive(row) for (row,) in rows)
            left = "running" if others else "interrupted"
            connection.execute(LEAVE, {"run": self._key, "left": left, "state": state})
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self.id))

        self._database.transaction(work)


def _write_plan(connection: Connection, run: int, plan: Iterator[TrialKey]) -> None:
    place = 0
    while some := list(islice(plan, PLAN_AT_ONCE)):
        agents, cases, trials = (list(column) for column in zip(*some, strict=True))
        places = list(range(place, place + len(some)))
        connection.execute(PLAN, {"run": run, "places": places, "agents": agents, "cases": cases, "trials": trials})
        place += len(some)


class PostgresQueue:
    """The trials of a run that are left, which several processes take from.

    A trial is lent, not given: where the one who has it dies, another gets it.
    """

    def __init__(self, database: Database, key: int, worker: str) -> None:
        self._database = database
        self._key = key
        self._worker = worker

    def claim(self, most: int, having: Collection[TrialKey]) -> list[ClaimedTrial]:
        """Take some trials, each with what is known of a try that was never finished.

        Args:
            most: How many; fewer where fewer are left that nobody has.
            having: What this process has at present. If the store says that it has more, the answer to an earlier
                question got lost.
        """
        rows = self._claimed(most)
        if not rows and bury(self._database, self._key):
            rows = self._claimed(most)
        if not rows:
            mine = self._database.execute(MINE, (self._key, self._worker))
            rows = [row for row in mine if row[1:4] not in having][:most]
        # What others took from this process, and gave back, it has again, and is at it already.
        rows = [row for row in rows if row[1:4] not in having]
        return [
            ((agent, case, trial), self._begun(agent, case, trial) if tries > 1 else None)
            for _, agent, case, trial, tries in sorted(rows)
        ]

    def _claimed(self, most: int) -> list[tuple[Any, ...]]:
        values = {"run": self._key, "worker": self._worker, "most": most}

        def work(connection: Connection) -> list[tuple[Any, ...]]:
            try:
                return list(connection.execute(CLAIM, values).fetchall())
            except ForeignKeyViolation:
                # Others took this process for dead.
                register(connection, self._worker, self._key)
                return list(connection.execute(CLAIM, values).fetchall())

        return self._database.run(work)

    def _begun(self, agent: str, case: str, trial: int) -> list[dict[str, JsonValue]] | None:
        rows = self._database.execute(
            "SELECT event FROM journal WHERE run = %s AND agent = %s AND case_id = %s AND trial = %s ORDER BY key",
            (self._key, agent, case, trial),
        )
        return [msgspec.json.decode(event) for (event,) in rows] or None

    def left(self) -> bool:
        """Whether something is not finished, by this process or by others."""
        query = "SELECT EXISTS (SELECT 1 FROM trials WHERE run = %s AND NOT done)"
        return bool(self._database.execute(query, (self._key,))[0][0])
