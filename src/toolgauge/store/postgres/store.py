"""A store of runs in a PostgreSQL database."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from itertools import islice
from types import TracebackType
from typing import Any, Self

import msgspec

from toolgauge.core import JsonValue, Review, RunHeader, Scored, encode_suite
from toolgauge.errors import StoreError, UsageError
from toolgauge.store.encoding import Suites, is_suite, kept_header, with_suite, without_suite
from toolgauge.store.rows import run_info
from toolgauge.store.runs import RunInfo, RunState, find_id, new_run_id

from .address import Address
from .database import Connection, Database
from .following import Listener
from .layout import prepare
from .pacing import SharedPacing
from .queries import SAVE
from .runs import PostgresLines, PostgresRun
from .workers import WORKERS, alive, described, register
from .writing import PostgresWriter, save_values

__all__ = ["PostgresStore"]

INFO = f"""
    SELECT runs.key, id, name, created, state, planned, suite, header, settings, finished, passed, replaced, ({WORKERS})
    FROM runs JOIN counts ON counts.run = runs.key
"""  # noqa: S608 - names of ours
"""Everything that a list says of runs."""

NEWEST_FIRST = " ORDER BY runs.key DESC"

KEY = "SELECT key FROM runs WHERE id = %s"
KEY_LOCKED = "SELECT key FROM runs WHERE id = %s FOR UPDATE"

LISTED = f"SELECT id, name FROM runs {NEWEST_FIRST}"  # noqa: S608 - names of ours

BASELINE_RUNS = f"{INFO} WHERE runs.key IN (SELECT run FROM baselines)"  # noqa: S608 - names of ours

KEPT_AT_ONCE = 100
"""So many trajectories are sent to the server before it is waited for."""

SUITES_LOCK = 0x73756974
"""Taken by who writes a run, with others, and by who removes suites that no run has any more, alone."""


class PostgresStore:
    """A database with runs. Any number of processes may use it at the same time. Use it as a context manager."""

    def __init__(self, address: str, *, create: bool = True) -> None:
        """Open the store.

        Args:
            address: What follows `postgresql://`.
            create: Whether to make one where there is none.

        Raises:
            UsageError: The address cannot be read, or there is no store.
            StoreError: It cannot be reached, belongs to another program, or is of a later version.
        """
        place = Address(address)
        self.address = place.url
        self.location = place.shown
        """Without user and password."""
        self.warnings: list[str] = []
        self._database = Database(place)
        prepare(self._database, create=create)
        self._listener = Listener(self._database)
        self._workers: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, and let go of the runs that were written through it."""
        self._listener.close()
        if self._workers:
            # Where the server is away they are let go of when they have been silent for long enough.
            with suppress(StoreError):
                self._database.execute("DELETE FROM workers WHERE id = ANY(%s)", (self._workers,))
            self._workers.clear()
        self._database.close()

    def begin(
        self, header: RunHeader, planned: int, *, name: str = "", settings: Mapping[str, JsonValue] | None = None
    ) -> PostgresWriter:
        """Begin a run.

        Args:
            header: How it comes about, and its suite.
            planned: How many trajectories there will be.
            name: What a person calls it.
            settings: What has to be the same when somebody resumes it.
        """
        worker = secrets.token_hex(8)

        def work(connection: Connection) -> tuple[int, str]:
            begun = "SELECT key, id FROM runs WHERE key = (SELECT run FROM workers WHERE id = %s)"
            if row := connection.execute(begun, (worker,)).fetchone():
                return row[0], row[1]  # it was kept, and only the server's word of it got lost
            key, run = _insert(connection, header, planned, name, settings or {}, "running", self.location)
            register(connection, worker, key)
            return key, run

        key, run = self._database.transaction(work)
        self._workers.append(worker)
        return PostgresWriter(self._database, key, run, worker)

    def resume(self, run_id: str) -> PostgresWriter:
        """Write more of a run, together with whoever else does."""
        worker = secrets.token_hex(8)

        def work(connection: Connection) -> int:
            key = self._key(connection, run_id)
            register(connection, worker, key)
            connection.execute("UPDATE runs SET state = 'running' WHERE key = %s", (key,))
            return key

        key = self._database.transaction(work)
        self._workers.append(worker)
        return PostgresWriter(self._database, key, run_id, worker)

    def keep(self, header: RunHeader, scored: Iterable[Scored], *, name: str = "") -> str:
        """Keep a run that is finished already: all of it, or nothing.

        Returns:
            Its id.

        Raises:
            StoreError: It could not be kept.
        """
        # What is read while it is kept cannot be read again, so this is not tried twice.
        with self._database.explained(), self._database.lent() as connection, connection.transaction():
            key, run = _insert(connection, header, 0, name, {}, "finished", self.location)
            planned, left = 0, iter(scored)
            while some := list(islice(left, KEPT_AT_ONCE)):
                with connection.pipeline():
                    for one in some:
                        connection.execute(SAVE, save_values(key, one))
                planned += len(some)
            connection.execute("UPDATE runs SET planned = %s WHERE key = %s", (planned, key))
        return str(run)

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""
        return [_info(row) for row in self._database.execute(INFO + NEWEST_FIRST)]

    def info(self, run_id: str) -> RunInfo:
        """What is known of a run, without its trajectories."""
        return _info(self._row(run_id))

    def _row(self, run_id: str) -> tuple[Any, ...]:
        rows = self._database.execute(INFO + " WHERE id = %s", (run_id,))
        if not rows:
            raise UsageError(f"{self.location}: there is no run {run_id!r}")
        return rows[0]

    def find(self, reference: str) -> RunInfo:
        """The run that somebody means: an id or its beginning, a name, `latest`, or NAME@latest.

        Raises:
            UsageError: There is none, or several.
        """
        listed = self._database.execute(LISTED)
        return self.info(find_id(reference, [(run, name) for run, name in listed], self.location))

    def open_run(self, run_id: str, suites: Suites | None = None) -> PostgresRun:
        """A run with its trajectories.

        Args:
            run_id: Its id.
            suites: Where several runs are opened: decodes a suite that they share once.
        """
        row = self._row(run_id)
        info = _info(row)
        ((suite,),) = self._database.execute("SELECT suite FROM suites WHERE hash = %s", (info.suite_hash,))
        header = with_suite(row[7], suite, suites or Suites())
        return PostgresRun(self._database, row[0], info, header, row[11])

    def lines_of(self, run_id: str) -> PostgresLines:
        """The trajectories of a run, without opening its suite.

        Raises:
            UsageError: There is no such run.
        """
        return PostgresLines(self._database, self._row(run_id)[0])

    def pacing(self) -> SharedPacing:
        """Says who may ask a provider, to all who share the store."""
        return SharedPacing(self._database, lambda: self._workers[-1] if self._workers else None)

    def following(self, run_id: str, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Have something called, in another thread, whenever something may have happened to a run."""
        return self._listener.following(run_id, tell)

    def review(self, run_id: str, reviews: Iterable[Review]) -> None:
        """Keep what people say of a run, beside it: all of it, or nothing. A run that is being written may be reviewed.

        Raises:
            UsageError: There is no such run.
        """
        said = [(msgspec.json.encode(one.about).decode(), one) for one in reviews]

        def work(connection: Connection) -> None:
            key = self._key(connection, run_id, locked=False)
            for about, one in said:
                connection.execute("DELETE FROM reviews WHERE run = %s AND about = %s", (key, about))
                if one.verdict is not None:
                    connection.execute(
                        "INSERT INTO reviews (run, about, review) VALUES (%s, %s, %s) "
                        "ON CONFLICT (run, about) DO UPDATE SET review = EXCLUDED.review",
                        (key, about, msgspec.json.encode(one)),
                    )

        self._database.transaction(work)

    def delete(self, run_id: str) -> None:
        """Delete a run.

        Raises:
            StoreError: A process is writing it.
        """

        def work(connection: Connection) -> None:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (SUITES_LOCK,))
            key = self._key(connection, run_id)
            holder = _holder(connection, key)
            if holder is not None:
                raise StoreError(f"run {run_id} is being written by {holder} and cannot be deleted")
            connection.execute("DELETE FROM runs WHERE key = %s", (key,))
            connection.execute(
                "DELETE FROM suites WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.suite = suites.hash)"
            )

        self._database.transaction(work)

    def set_baseline(self, run_id: str, name: str) -> None:
        """Make a run the baseline of a name, in place of another one.

        Raises:
            StoreError: A process is writing the run.
        """
        since = datetime.now(UTC).isoformat(timespec="seconds")

        def work(connection: Connection) -> None:
            key = self._key(connection, run_id)
            holder = _holder(connection, key)
            if holder is not None:
                raise StoreError(f"run {run_id} is being written by {holder}; wait until it is finished")
            connection.execute(
                "INSERT INTO baselines VALUES (%s, %s, %s) "
                "ON CONFLICT (name) DO UPDATE SET run = EXCLUDED.run, since = EXCLUDED.since",
                (name, key, since),
            )

        self._database.transaction(work)

    def baselines(self) -> dict[str, tuple[RunInfo, str]]:
        """By name the runs that are baselines, and since when."""
        found = self._database.execute("SELECT name, run, since FROM baselines ORDER BY name")
        rows = self._database.execute(BASELINE_RUNS)
        infos = {row[0]: _info(row) for row in rows}
        return {name: (infos[run], since) for name, run, since in found if run in infos}

    def _key(self, connection: Connection, run_id: str, *, locked: bool = True) -> int:
        query = KEY_LOCKED if locked else KEY
        row = connection.execute(query, (run_id,)).fetchone()
        if row is None:
            raise UsageError(f"{self.location}: there is no run {run_id!r}")
        return int(row[0])


def _insert(
    connection: Connection,
    header: RunHeader,
    planned: int,
    name: str,
    settings: Mapping[str, JsonValue],
    state: RunState,
    place: str,
) -> tuple[int, str]:
    header, digest = kept_header(header)
    suite = encode_suite(header.suite)
    connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", (SUITES_LOCK,))
    kept = connection.execute("SELECT suite FROM suites WHERE hash = %s", (digest,)).fetchone()
    if kept is None:
        connection.execute("INSERT INTO suites VALUES (%s, %s) ON CONFLICT DO NOTHING", (digest, suite))
    elif not is_suite(bytes(kept[0]), suite, digest):
        raise StoreError(f"{place}: the store is damaged: what it keeps as suite {digest[:12]} is another one")
    run = new_run_id(header.created)
    row = (run, name, header.created, state, planned, digest, without_suite(header), msgspec.json.encode(settings))
    (key,) = connection.execute(
        "INSERT INTO runs (id, name, created, state, planned, suite, header, settings) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING key",
        row,
    ).fetchone()
    connection.execute("INSERT INTO numbers (run) VALUES (%s)", (key,))
    connection.execute("INSERT INTO counts (run) VALUES (%s)", (key,))
    return key, run


def _holder(connection: Connection, key: int) -> str | None:
    ((rows,),) = connection.execute(f"SELECT ({WORKERS}) FROM runs WHERE key = %s", (key,)).fetchall()  # noqa: S608
    return described(alive(rows))


def _info(row: tuple[Any, ...]) -> RunInfo:
    return run_info(row[1:9], row[9:11], described(alive(row[12])))
