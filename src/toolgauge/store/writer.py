"""Writing a run, one finished trajectory at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import msgspec

from toolgauge.core import JsonValue, RunHeader, Scored

from .database import explained, transaction
from .headers import without_suite
from .leases import give_back, take_lease
from .lines import encode_scored
from .stored import Key, RunState

__all__ = ["RunWriter", "save"]


class RunWriter:
    """Writes a run. What `save` returned for is kept, whatever happens to the process afterwards."""

    def __init__(self, connection: sqlite3.Connection, path: Path, key: int, run_id: str) -> None:
        self.id = run_id
        self._path = path
        self._key = key
        self._connection = connection
        with explained(path):
            rows = connection.execute("SELECT DISTINCT agent, case_id, trial FROM journal WHERE run = ?", (key,))
            self._taken_down: set[Key] = set(rows.fetchall())
        """Of what something stands in the journal."""

    def done(self) -> set[Key]:
        """What is finished already."""
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT agent, case_id, trial FROM trajectories WHERE run = ?", (self._key,)
            ).fetchall()
        return set(rows)

    def interrupted(self) -> dict[Key, list[dict[str, JsonValue]]]:
        """What was begun and never finished, with what had happened by then."""
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT agent, case_id, trial, event FROM journal WHERE run = ? ORDER BY key", (self._key,)
            ).fetchall()
        found: dict[Key, list[dict[str, JsonValue]]] = {}
        for agent, case, trial, event in rows:
            found.setdefault((agent, case, trial), []).append(msgspec.json.decode(event))
        return found

    def journal(self, agent: str, case: str, trial: int, event: Mapping[str, JsonValue]) -> None:
        """Take down at once that something was begun which cannot be undone: a case, a call of a tool."""
        row = (self._key, agent, case, trial, msgspec.json.encode(event))
        self._taken_down.add((agent, case, trial))
        with explained(self._path):
            self._connection.execute(
                "INSERT INTO journal (run, agent, case_id, trial, event) VALUES (?, ?, ?, ?, ?)", row
            )

    def begin_case(self, agent: str, case: str, trial: int, attempt: int = 1) -> None:
        """Take down that a case is begun, before anything happens."""
        self.journal(agent, case, trial, {"kind": "begun", "attempt": attempt})

    def save(self, scored: Scored) -> None:
        """Keep a finished trajectory with its score, in one transaction; what was taken down of it meanwhile goes.

        Raises:
            StoreError: It could not be kept.
        """
        connection, key, trajectory = self._connection, self._key, scored.trajectory
        which = (trajectory.agent, trajectory.case, trajectory.trial)
        with explained(self._path):
            if which not in self._taken_down:
                save(connection, key, scored)  # a single statement is a transaction of its own
                return
            with transaction(connection):
                save(connection, key, scored)
                connection.execute(
                    "DELETE FROM journal WHERE run = ? AND agent = ? AND case_id = ? AND trial = ?", (key, *which)
                )
        self._taken_down.discard(which)

    def heartbeat(self) -> None:
        """Say that this process is still writing."""
        with explained(self._path):
            take_lease(self._connection, self._path, self._key)

    def finish(self, state: RunState, header: RunHeader | None = None) -> None:
        """Say how the run ended, and let go of it.

        Args:
            state: `finished`, or `interrupted` where there is something left to do.
            header: What is known of the run now.
        """
        with explained(self._path):
            with transaction(self._connection):
                if header is not None:
                    written = without_suite(header)
                    self._connection.execute("UPDATE runs SET header = ? WHERE key = ?", (written, self._key))
                self._connection.execute("UPDATE runs SET state = ? WHERE key = ?", (state, self._key))
                give_back(self._connection, self._path, self._key)
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def save(connection: sqlite3.Connection, key: int, scored: Scored) -> None:
    """Put a trajectory with its score into a run."""
    trajectory = scored.trajectory
    row = (
        key,
        trajectory.agent,
        trajectory.case,
        trajectory.trial,
        trajectory.state,
        bool(scored.score.passed),
        encode_scored(scored)[:-1],
    )
    connection.execute(
        "INSERT OR REPLACE INTO trajectories (run, agent, case_id, trial, state, passed, line) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        row,
    )
