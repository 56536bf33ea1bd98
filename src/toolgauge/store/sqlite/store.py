"""A store of runs in a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from toolgauge.core import JsonValue, Review, RunHeader, Scored, encode_suite
from toolgauge.errors import StoreError, UsageError
from toolgauge.store.encoding import Suites, is_suite, kept_header, with_suite, without_suite
from toolgauge.store.opening import database_beside
from toolgauge.store.rows import blob, run_info
from toolgauge.store.runs import RunInfo, RunState, find_id, new_run_id

from .database import FileWatch, clear_log, connect, connect_to_read, explained, transaction
from .layout import VERSION, check_layout, upgrade
from .leases import LEASE_COLUMNS, find_holder, forget, holder_of, take_lease
from .making import clear_drafts, make
from .place import OPENING, closed, damaged, is_there, network_file_system, opened
from .reviews import save_reviews
from .runs import SqliteLines, SqliteRun, SqliteWriter, save

__all__ = ["SqliteStore"]

INFO = f"""
    SELECT runs.key, id, name, created, state, planned, suite, header, settings,
        COALESCE(finished, 0), COALESCE(passed, 0), {LEASE_COLUMNS}
    FROM runs
    LEFT JOIN leases ON leases.run = runs.key
    LEFT JOIN (
        SELECT run, COUNT(*) AS finished, SUM(passed) AS passed FROM trajectories WHERE run IN ({{keys}}) GROUP BY run
    ) AS counted ON counted.run = runs.key
    WHERE runs.key IN ({{keys}})
    ORDER BY runs.key DESC
"""  # noqa: S608 - names of ours
"""Everything that a list says of some runs: first what was stored last, whatever the clock said by then."""

ALL_RUNS = "SELECT key FROM runs"
ONE_RUN = "SELECT key FROM runs WHERE id = ?1"
BASELINE_RUNS = "SELECT run FROM baselines"


class SqliteStore:
    """A file with runs. Several processes may read and write one at the same time. Use it as a context manager."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open the store.

        Args:
            path: The file.
            create: Whether to make one where there is none.

        Raises:
            UsageError: It cannot be opened or made there.
            StoreError: It is damaged, or of a later version.
        """
        self.path = path
        if not create and not self.path.exists():
            raise UsageError(f"{self.path}: there is no store of runs; name another one with --store")
        kind = network_file_system(self.path)
        self.warnings = (
            [f"{self.path} is on a network file system ({kind}), where locks between writers may not work"]
            if kind
            else []
        )
        """What a person should know before relying on it."""
        self._writing: list[int] = []
        self._identity: tuple[int, int] | None = None
        clear_drafts(self.path)
        with OPENING, explained(self.path):
            if not is_there(self.path, to_write=create):
                if (beside := database_beside(self.path)) is not None:
                    raise UsageError(f"{self.path} belongs to {beside}; choose another --store")
                make(self.path)
        self._writable = False
        self._file = self.path.absolute()  # wherever the process goes
        self._open(write=create)
        self._watch = FileWatch(self.path)

    def _open(self, *, write: bool) -> None:
        """Open the file: only to read before anything is written, so that looking at a stranger's changes nothing."""
        with OPENING, explained(self.path):
            self._connection = (connect if write else connect_to_read)(self.path)
            self._identity = opened(self.path)
            try:
                if write:
                    upgrade(self._connection, self.path)
                elif check_layout(self._connection, self.path) < VERSION:
                    self._close_file()
                    is_there(self.path)
                    self._open(write=True)
                    return
            except BaseException:
                self._close_file()
                raise
        self._writable = write

    def _to_write(self) -> sqlite3.Connection:
        """The connection, by which something can be written from now on.

        Raises:
            UsageError: The file may not be written.
        """
        if not self._writable:
            with OPENING:
                is_there(self.path)
                before, self._connection = self._connection, connect(self.path)
                before.close()
                self._writable = True
        return self._connection

    @property
    def location(self) -> str:
        """The path of the file."""
        return str(self.path)

    @property
    def address(self) -> str:
        """The path of the file."""
        return str(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and let go of the runs that were written through it."""
        for key in self._writing:
            forget(self._file, key)
        self._close_file()

    def _close_file(self) -> None:
        with OPENING:
            self._connection.close()
            if self._identity is not None:
                if closed(self._identity):
                    clear_log(self._file)
                self._identity = None

    def begin(
        self, header: RunHeader, planned: int, *, name: str = "", settings: Mapping[str, JsonValue] | None = None
    ) -> SqliteWriter:
        """Begin a run.

        Args:
            header: How it comes about, and its suite.
            planned: How many trajectories there will be.
            name: What a person calls it.
            settings: What has to be the same when somebody resumes it.
        """
        with explained(self.path):
            with transaction(self._to_write()):
                key, run = self._insert(header, planned, name, settings or {}, "running")
                take_lease(self._connection, self._file, key)
            # So that a run is there, if unfinished, even where the file with the latest changes gets lost.
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._writing.append(key)
        return SqliteWriter(self._connection, self._watch, key, run)

    def resume(self, run_id: str) -> SqliteWriter:
        """Write more of a run.

        Raises:
            StoreError: Another process is writing it.
        """
        with explained(self.path), transaction(self._to_write()):
            key = self._key(run_id)
            holder = find_holder(self._connection, self._file, key)
            if holder is not None:
                raise StoreError(f"run {run_id} is being written by {holder.shown}; wait for it, or stop it first")
            take_lease(self._connection, self._file, key)
            self._connection.execute("UPDATE runs SET state = 'running' WHERE key = ?", (key,))
        self._writing.append(key)
        return SqliteWriter(self._connection, self._watch, key, run_id)

    def _insert(
        self, header: RunHeader, planned: int, name: str, settings: Mapping[str, JsonValue], state: RunState
    ) -> tuple[int, str]:
        header, digest = kept_header(header)
        suite = encode_suite(header.suite)
        kept = self._connection.execute("SELECT suite FROM suites WHERE hash = ?", (digest,)).fetchone()
        if kept is None:
            self._connection.execute("INSERT INTO suites VALUES (?, ?)", (digest, suite))
        elif not is_suite(blob(kept[0]), suite, digest):
            raise damaged(self.path, f"what it keeps as suite {digest[:12]} is another one")
        run = new_run_id(header.created)
        row = (run, name, header.created, state, planned, digest, without_suite(header), msgspec.json.encode(settings))
        cursor = self._connection.execute(
            "INSERT INTO runs (id, name, created, state, planned, suite, header, settings) VALUES (?,?,?,?,?,?,?,?)",
            row,
        )
        assert cursor.lastrowid is not None  # noqa: S101 - a row was inserted
        return cursor.lastrowid, run

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""
        return list(self._infos(ALL_RUNS).values())

    def info(self, run_id: str) -> RunInfo:
        """What is known of a run, without its trajectories."""
        for found in self._infos(ONE_RUN, run_id).values():
            return found
        raise UsageError(f"{self.path}: there is no run {run_id!r}")

    def _infos(self, keys: str, *values: str) -> dict[int, RunInfo]:
        """By key what is known of the runs that a query finds, in one query."""
        with explained(self.path):
            rows = self._connection.execute(INFO.format(keys=keys), values).fetchall()
            return {key: self._info(key, row[:8], row[8:10], row[10:]) for key, *row in rows}

    def _info(self, key: int, columns: Sequence[Any], counts: Sequence[Any], lease: Sequence[Any]) -> RunInfo:
        holder = holder_of(self._file, key, lease)
        return run_info(columns, counts, holder.shown if holder is not None else None)

    def find(self, reference: str) -> RunInfo:
        """The run that somebody means: an id or its beginning, a name, `latest`, or NAME@latest.

        Raises:
            UsageError: There is none, or several.
        """
        with explained(self.path):
            rows = self._connection.execute("SELECT id, name FROM runs ORDER BY key DESC").fetchall()
            listed = msgspec.convert(rows, list[tuple[str, str]])
        return self.info(find_id(reference, listed, self.location))

    def open_run(self, run_id: str, suites: Suites | None = None) -> SqliteRun:
        """A run with its trajectories.

        Args:
            run_id: Its id.
            suites: Where several runs are opened: decodes a suite that they share once.
        """
        with explained(self.path):
            row = self._connection.execute(
                "SELECT runs.key, header, suites.suite FROM runs JOIN suites ON suites.hash = runs.suite WHERE id = ?",
                (run_id,),
            ).fetchone()
            if row is None:
                raise UsageError(f"{self.path}: there is no run {run_id!r}")
            key, header, suite = row
            found = with_suite(blob(header), blob(suite), suites or Suites())
        return SqliteRun(self._watch, self._connection, key, self.info(run_id), found)

    def lines_of(self, run_id: str) -> SqliteLines:
        """The trajectories of a run, without opening its suite.

        Raises:
            UsageError: There is no such run.
        """
        with explained(self.path):
            return SqliteLines(self._watch, self._connection, self._key(run_id))

    def pacing(self) -> None:
        """Each process is on its own."""

    def following(self, run_id: str, tell: Callable[[], None]) -> AbstractContextManager[None]:  # noqa: ARG002 - of all
        """No-op: a file tells nobody that it was written."""
        return nullcontext()

    def review(self, run_id: str, reviews: Iterable[Review]) -> None:
        """Keep what people say of a run, beside it: all of it, or nothing. A run that is being written may be reviewed.

        Raises:
            UsageError: There is no such run.
        """
        with explained(self.path), transaction(self._to_write()):
            save_reviews(self._connection, self._key(run_id), reviews)
        self._watch.check()

    def delete(self, run_id: str) -> None:
        """Delete a run.

        Raises:
            StoreError: A process is writing it.
        """
        with explained(self.path):
            with transaction(self._to_write()):
                key = self._key(run_id)
                holder = find_holder(self._connection, self._file, key)
                if holder is not None:
                    raise StoreError(f"run {run_id} is being written by {holder.shown} and cannot be deleted")
                for table in ("trajectories", "journal", "leases", "baselines", "reviews"):
                    self._connection.execute(f"DELETE FROM {table} WHERE run = ?", (key,))  # noqa: S608 - names of ours
                self._connection.execute("DELETE FROM runs WHERE key = ?", (key,))
                self._connection.execute("DELETE FROM suites WHERE hash NOT IN (SELECT suite FROM runs)")
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def keep(self, header: RunHeader, scored: Iterable[Scored], *, name: str = "") -> str:
        """Keep a run that is finished already: all of it, or nothing.

        Returns:
            Its id.

        Raises:
            StoreError: It could not be kept.
        """
        with explained(self.path), transaction(self._to_write()):
            key, run = self._insert(header, 0, name, {}, "finished")
            planned = 0
            for one in scored:
                save(self._connection, key, one)
                planned += 1
            self._connection.execute("UPDATE runs SET planned = ? WHERE key = ?", (planned, key))
        self._watch.check()
        return run

    def set_baseline(self, run_id: str, name: str) -> None:
        """Make a run the baseline of a name, in place of another one.

        Raises:
            StoreError: A process is writing the run.
        """
        since = datetime.now(UTC).isoformat(timespec="seconds")
        with explained(self.path), transaction(self._to_write()):
            key = self._key(run_id)
            holder = find_holder(self._connection, self._file, key)
            if holder is not None:
                raise StoreError(f"run {run_id} is being written by {holder.shown}; wait until it is finished")
            self._connection.execute("INSERT OR REPLACE INTO baselines VALUES (?, ?, ?)", (name, key, since))

    def baselines(self) -> dict[str, tuple[RunInfo, str]]:
        """By name the runs that are baselines, and since when."""
        with explained(self.path):
            rows = self._connection.execute("SELECT name, run, since FROM baselines ORDER BY name").fetchall()
            found = msgspec.convert(rows, list[tuple[str, int, str]])
        infos = self._infos(BASELINE_RUNS)
        return {name: (infos[run], since) for name, run, since in found if run in infos}

    def _key(self, run_id: str) -> int:
        row = self._connection.execute("SELECT key FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise UsageError(f"{self.path}: there is no run {run_id!r}")
        return int(row[0])
