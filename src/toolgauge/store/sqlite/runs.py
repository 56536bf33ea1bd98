"""A run in a SQLite file: read as often as one likes, and written one finished trajectory at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from toolgauge.core import Case, JsonValue, Reviews, RunHeader, Score, Scored, Trajectory, TrialKey
from toolgauge.store.checks import LineChecks
from toolgauge.store.encoding import RunLine, encode_header, encode_scored
from toolgauge.store.rows import blob
from toolgauge.store.runs import RunInfo, RunState

from .database import FileWatch, clear_log, connect_to_read, explained, transaction
from .leases import give_back, take_lease
from .place import OPENING, closed, damaged, opened
from .reviews import read_reviews

__all__ = ["SqliteLines", "SqliteRun", "SqliteWriter", "save"]

MAX_FETCHED = 500
"""How many trajectories are fetched at once."""

MAX_AT_ONCE = 100
"""How many lines are held at once where each is read whole, and may be large."""


class _Cases(Struct):
    """A suite whose cases are not decoded."""

    cases: list[Raw] = []


class SqliteLines:
    """The trajectories of a run as they are written, without its header, whose suite may be large."""

    def __init__(self, file: FileWatch, opened: sqlite3.Connection, key: int) -> None:
        self._file = file
        self._opened = opened
        self._key = key

    def numbered_lines(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of a run file without their ends, each with a number that grows as they are finished.

        What was written since it was opened is among them.

        Args:
            after: Only those with larger numbers.
        """
        keys = "SELECT key FROM trajectories WHERE run = ? AND key > ? ORDER BY key"
        with self._reading() as connection:
            found = [key for (key,) in connection.execute(keys, (self._key, after))]
        # No snapshot is held for long: while there is one, what a run writes cannot be moved into the file.
        for begin in range(0, len(found), MAX_AT_ONCE):
            some = found[begin : begin + MAX_AT_ONCE]
            query = f"SELECT key, line FROM trajectories WHERE key IN ({', '.join('?' * len(some))}) ORDER BY key"  # noqa: S608
            with self._reading() as connection:
                for key, line in connection.execute(query, some):
                    yield key, blob(line)

    def line(self, number: int) -> bytes | None:
        """The line of that number; None: it is not there any more."""
        with self._reading() as connection:
            query = "SELECT line FROM trajectories WHERE run = ? AND key = ?"
            row = connection.execute(query, (self._key, number)).fetchone()
            return None if row is None else blob(row[0])

    def cases(self) -> Iterator[Case]:
        """The cases of its suite, decoded one after the other."""
        query = "SELECT suites.suite FROM runs JOIN suites ON suites.hash = runs.suite WHERE runs.key = ?"
        with self._reading() as connection:
            cases = msgspec.json.decode(self._only(connection, query, self._key), type=_Cases).cases
        decode = msgspec.json.Decoder(Case).decode
        for case in cases:
            with explained(self._file.shown):
                decoded = decode(case)
            yield decoded

    def _only(self, connection: sqlite3.Connection, query: str, key: int) -> bytes:
        """What a query finds that has to find one thing.

        Raises:
            StoreError: It is not there.
        """
        row = connection.execute(query, (key,)).fetchone()
        if row is None:
            raise damaged(self._file.shown, "a row is not where others say that it is")
        return blob(row[0])

    def reviews(self) -> Reviews:
        """What people said of it, as it is at this moment."""
        with self._reading() as connection:
            return read_reviews(connection, self._key)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees the store as it is at this moment, whatever others write or delete meanwhile."""
        with explained(self._file.shown):
            if self._file.lost:
                # Only those who opened it before can still read it.
                yield self._opened
                return
            with OPENING:
                connection, file = connect_to_read(self._file.path), opened(self._file.path)
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                with OPENING:
                    connection.close()
                    if closed(file):
                        clear_log(self._file.path)


class SqliteRun(SqliteLines):
    """A run of a store, as it was when it was opened: what is written to it from then on is not seen."""

    def __init__(self, file: FileWatch, opened: sqlite3.Connection, key: int, info: RunInfo, header: RunHeader) -> None:
        super().__init__(file, opened, key)
        self.info = info
        self.header = header

    def __iter__(self) -> Iterator[Scored]:
        """Each trajectory with its score, in the order of the plan: agent by agent, case by case."""
        decode, check = msgspec.json.Decoder(RunLine).decode, LineChecks(self.header).check
        with self._reading() as connection:
            for key in self._in_order(connection):
                line = decode(self._only(connection, "SELECT line FROM trajectories WHERE key = ?", key))
                check(line, line.score)
                yield Scored(line, line.score)

    def lines(self) -> Iterator[bytes]:
        """The lines of a run file, without their ends, in the order in which they were finished."""
        with self._reading() as connection:
            for (line,) in self._rows(connection, "line"):
                yield blob(line)

    def pairs(self) -> Iterator[tuple[Trajectory, Score]]:
        """Each trajectory and its score as they were finished, then what was planned and is not there as not run."""
        decode, check = msgspec.json.Decoder(RunLine).decode, LineChecks(self.header).check
        for data in self.lines():
            with explained(self._file.shown):
                line = decode(data)
                check(line, line.score)
            yield line, line.score
        for missing in self.missing():
            yield missing, Score(missing.case, missing.agent, missing.trial, "not_run")

    def _rows(self, connection: sqlite3.Connection, columns: str) -> Iterator[tuple[Any, ...]]:
        """Columns of the trajectories. Later ones have larger keys, so that the first ones are always the same."""
        # The keys are put in order alone: to sort whole lines takes SQLite longer than to read them.
        keys = "SELECT key FROM trajectories WHERE run = ? ORDER BY key LIMIT ?"
        query = f"SELECT {columns} FROM trajectories WHERE key IN ({keys}) ORDER BY key"  # noqa: S608 - names of ours
        cursor = connection.execute(query, (self._key, self.info.finished))
        while rows := cursor.fetchmany(MAX_FETCHED):
            yield from rows

    def _in_order(self, connection: sqlite3.Connection) -> list[int]:
        """The keys of the trajectories in the order of the plan."""
        agents = {name: number for number, name in enumerate(self.header.agents)}
        cases = {case.id: number for number, case in enumerate(self.header.suite.cases)}
        places = [
            (agents.get(agent, len(agents)), cases.get(case, len(cases)), trial, key)
            for agent, case, trial, key in self._rows(connection, "agent, case_id, trial, key")
        ]
        return [key for *_, key in sorted(places)]

    def export(self) -> Iterator[bytes]:
        """The run as a run file, piece by piece."""
        yield encode_header(replace(self.header, trajectories=self.info.finished))
        # It may grow while it is read, and the header says how many there are.
        for line in islice(self.lines(), self.info.finished):
            yield line + b"\n"

    def missing(self) -> Iterator[Trajectory]:
        """What was planned and is not there, as trajectories that were not run."""
        if self.info.finished >= self.info.planned:
            return
        trials = self.header.about.get("trials", 1)
        with self._reading() as connection:
            done = set(self._rows(connection, "agent, case_id, trial"))
        for agent in self.header.agents:
            for case in self.header.suite.cases:
                for trial in range(1, (trials if isinstance(trials, int) else 1) + 1):
                    if (agent, case.id, trial) not in done:
                        yield Trajectory(case.id, agent, trial, "not_run")


class SqliteWriter:
    """Writes a run. What `save` returned for is kept, whatever happens to the process afterwards."""

    def __init__(self, connection: sqlite3.Connection, file: FileWatch, key: int, run_id: str) -> None:
        self.id = run_id
        self._file = file
        self._path = file.shown
        self._key = key
        self._connection = connection
        with explained(self._path):
            rows = connection.execute("SELECT DISTINCT agent, case_id, trial FROM journal WHERE run = ?", (key,))
            self._journaled: set[TrialKey] = set(rows.fetchall())
        """Of what something stands in the journal."""

    def done(self) -> set[TrialKey]:
        """What is finished already."""
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT agent, case_id, trial FROM trajectories WHERE run = ?", (self._key,)
            ).fetchall()
        return set(rows)

    def interrupted(self) -> dict[TrialKey, list[dict[str, JsonValue]]]:
        """What was begun and never finished, with what had happened by then."""
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT agent, case_id, trial, event FROM journal WHERE run = ? ORDER BY key", (self._key,)
            ).fetchall()
            found: dict[TrialKey, list[dict[str, JsonValue]]] = {}
            for agent, case, trial, event in msgspec.convert(rows, list[tuple[str, str, int, Any]]):
                decoded = msgspec.json.decode(blob(event), type=dict[str, JsonValue])
                found.setdefault((agent, case, trial), []).append(decoded)
        return found

    def journal(self, agent: str, case: str, trial: int, event: Mapping[str, JsonValue]) -> None:
        """Record at once that something was begun which cannot be undone: a case, a call of a tool."""
        row = (self._key, agent, case, trial, msgspec.json.encode(event))
        self._journaled.add((agent, case, trial))
        with explained(self._path):
            self._connection.execute(
                "INSERT INTO journal (run, agent, case_id, trial, event) VALUES (?, ?, ?, ?, ?)", row
            )
        self._file.check()

    def begin_case(self, agent: str, case: str, trial: int, attempt: int = 1) -> None:
        """Record that a case is begun, before anything happens."""
        self.journal(agent, case, trial, {"kind": "begun", "attempt": attempt})

    def save(self, scored: Scored) -> None:
        """Keep a finished trajectory with its score, in one transaction; its journal goes.

        Raises:
            StoreLost: It is kept, but the store is not where it was.
            StoreError: It could not be kept.
        """
        connection, key, trajectory = self._connection, self._key, scored.trajectory
        which = (trajectory.agent, trajectory.case, trajectory.trial)
        with explained(self._path):
            if which not in self._journaled:
                save(connection, key, scored)  # a single statement is a transaction of its own
            else:
                with transaction(connection):
                    save(connection, key, scored)
                    connection.execute(
                        "DELETE FROM journal WHERE run = ? AND agent = ? AND case_id = ? AND trial = ?", (key, *which)
                    )
        self._journaled.discard(which)
        self._file.check()

    def share(self, plan: Iterable[TrialKey], again: Iterable[TrialKey] = ()) -> None:
        """Nobody else writes a run of a file."""

    def heartbeat(self) -> None:
        """Say that this process is still writing."""
        with explained(self._path):
            take_lease(self._connection, self._file.path, self._key)
        self._file.check()

    def finish(self, state: RunState) -> None:
        """Say how the run ended, and let go of it.

        Args:
            state: `finished`, or `interrupted` where there is something left to do.
        """
        with explained(self._path):
            with transaction(self._connection):
                self._connection.execute("UPDATE runs SET state = ? WHERE key = ?", (state, self._key))
                give_back(self._connection, self._file.path, self._key)
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._file.check()


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
