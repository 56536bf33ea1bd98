"""The state of a watch: one SQLite file, which survives a restart and a `kill -9`.

What was received lies in the inbox until every conversation in it is settled. What is told of settled conversations,
what the charts know of them, and that they left the inbox are one transaction, so that each counts once.

The file is for its owner only. It may be damaged, another one by mistake, or a stranger's: nothing in it is run, and
nobody waits for it for ever.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from toolgauge.core import Trajectory
from toolgauge.errors import StoreError, UsageError
from toolgauge.store import WATCH_MARK, database_beside, make_default_folder
from toolgauge.store.runs import DEFAULT_FOLDER
from toolgauge.store.sqlite.database import connect_unbelieving

from .otlp import RefusedBodyError

__all__ = ["DEFAULT_STATE", "LOST", "FilePlace", "InboxRow", "Settled", "WatchState", "WatchedConversation"]

LOST = "lost: "
"""How the names of counters begin that say what could not be used."""

DEFAULT_STATE = os.path.join(DEFAULT_FOLDER, "watch.db")

MAX_SETTLED = 200_000
"""Of how many traces it is remembered that they were counted."""

MAX_CONVERSATIONS = 10_000
"""How many conversations are kept to be looked at; of older ones only the figures are."""

APPLICATION = int.from_bytes(WATCH_MARK, "big")

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inbox(
    id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, received REAL NOT NULL, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS settled(trace TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS conversations(
    id INTEGER PRIMARY KEY AUTOINCREMENT, trace TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    at REAL NOT NULL, body BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS conversations_by_trace ON conversations(trace);
CREATE TABLE IF NOT EXISTS hours(
    series TEXT NOT NULL, label TEXT NOT NULL, hour INTEGER NOT NULL, count INTEGER NOT NULL, total REAL NOT NULL,
    PRIMARY KEY(series, label, hour)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS alarms(
    id TEXT PRIMARY KEY, at REAL NOT NULL, body BLOB NOT NULL, acknowledged REAL, delivered TEXT NOT NULL DEFAULT '[]');
CREATE TABLE IF NOT EXISTS files(
    path TEXT PRIMARY KEY, inode INTEGER NOT NULL, position INTEGER NOT NULL, size INTEGER NOT NULL,
    changed REAL NOT NULL);
CREATE TABLE IF NOT EXISTS runs(
    id TEXT PRIMARY KEY, at REAL NOT NULL, body BLOB NOT NULL, accepted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS requests(id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, series TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS opinions(trace TEXT PRIMARY KEY, at REAL NOT NULL, body BLOB NOT NULL);
"""

VERSION = 1

MAX_WORDS = 200

OURS = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
ANY = "SELECT COUNT(*) FROM sqlite_master"


class InboxRow(Struct, frozen=True, gc=False):
    """A body that was received, or lines that a file was found to have."""

    id: int
    source: str
    """What it is: `traces protobuf`, `logs json`, `lines PATH`."""
    received: float
    """When, in seconds since 1970."""
    body: bytes


class WatchedConversation(Struct, frozen=True, gc=False):
    """A settled conversation."""

    trajectory: Trajectory
    at: float
    """When it began, else when it was received, in seconds since 1970."""
    trace: str
    session: str
    alone: bool = False
    """Whether nothing more can come of its session."""


class FilePlace(Struct, frozen=True, gc=False):
    """How far a file is read."""

    path: str
    inode: int
    position: int
    """Where the next record begins that is not counted yet."""
    size: int
    """How large it was."""
    changed: float
    """When it was changed last, in seconds since 1970."""


class Settled(Struct):
    """What one step of a watch has settled: kept together, or not at all."""

    conversations: list[WatchedConversation]
    traces: list[str]
    """Traces of which nothing more counts."""
    rows: list[int]
    """Rows of the inbox that are done with."""
    hours: dict[tuple[str, str, int], tuple[int, float]] = {}
    """By series, label and hour how many observations there were, and their sum."""
    counters: dict[str, int] = {}
    facts: dict[str, bytes] = {}
    alarms: list[tuple[str, float, bytes]] = []
    opinions: list[tuple[str, float, bytes]] = []
    files: dict[str, FilePlace] = {}


class WatchState:
    """One connection to the file. Each thread has one of its own."""

    def __init__(self, path: str, *, create: bool = True) -> None:
        """Open the file.

        Raises:
            UsageError: It is not there and is not to be made, or there is something else.
            StoreError: It cannot be used.
        """
        self.path = path
        self._connection = _open_file(path, create=create)

    def reopen(self) -> None:
        """Begin anew after a fault of the disk."""
        self._connection.close()
        self._connection = _open_file(self.path, create=True)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of what is written in the block, or nothing."""
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def receive(self, rows: Iterable[tuple[str, float, bytes]]) -> list[int]:
        """Put bodies into the inbox; returns their numbers when they are safe."""
        with self.transaction() as connection:
            return [insert_row(connection, *row) for row in rows]

    def inbox(self) -> Iterator[InboxRow]:
        """What is still in the inbox, in its order."""
        last = 0
        while True:
            row = self._connection.execute(
                "SELECT id, source, received, body FROM inbox WHERE id > ? ORDER BY id LIMIT 1", (last,)
            ).fetchone()
            if row is None:
                return
            with self.explained():
                found = msgspec.convert(row, tuple[int, str, float, bytes], builtin_types=(bytes,))
            last = found[0]
            yield InboxRow(*found)

    def settled_traces(self) -> list[str]:
        """The traces that were counted, in the order in which they were."""
        return [trace for (trace,) in self.execute("SELECT trace FROM settled ORDER BY number", types=tuple[str])]

    def settle(self, step: Settled) -> None:
        """Keep what a step has settled."""
        with self.transaction() as connection:
            connection.executemany(
                "INSERT INTO conversations(trace, session, agent, at, body) VALUES(?, ?, ?, ?, ?)",
                [
                    (each.trace, each.session, each.trajectory.agent, each.at, msgspec.json.encode(each.trajectory))
                    for each in step.conversations
                ],
            )
            last = connection.execute("SELECT coalesce(max(number), 0) FROM settled").fetchone()[0]
            connection.executemany(
                "INSERT OR IGNORE INTO settled VALUES(?, ?)",
                [(trace, last + number) for number, trace in enumerate(step.traces, 1)],
            )
            connection.execute("DELETE FROM settled WHERE number <= ?", (last + len(step.traces) - MAX_SETTLED,))
            connection.executemany("DELETE FROM inbox WHERE id = ?", [(row,) for row in step.rows])
            connection.executemany(
                "INSERT INTO hours VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                "SET count = count + excluded.count, total = total + excluded.total",
                [(*key, *amounts) for key, amounts in step.hours.items()],
            )
            connection.executemany("INSERT OR IGNORE INTO alarms(id, at, body) VALUES(?, ?, ?)", step.alarms)
            connection.executemany("INSERT OR REPLACE INTO opinions VALUES(?, ?, ?)", step.opinions)
            write_files(connection, step.files.values())
            write_counters(connection, step.counters)
            write_facts(connection, step.facts)
            connection.execute(
                "DELETE FROM conversations WHERE id <= (SELECT max(id) FROM conversations) - ?", (MAX_CONVERSATIONS,)
            )

    def fact(self, name: str) -> bytes | None:
        """A value that was kept under a name."""
        found = self.execute("SELECT value FROM facts WHERE name = ?", (name,), tuple[bytes | None])
        return found[0][0] if found else None

    def files(self) -> list[FilePlace]:
        """How far files are read."""
        rows = self.execute("SELECT * FROM files", types=tuple[str, int, int, int, float])
        return [FilePlace(*row) for row in rows]

    def receive_lines(self, source: str, received: float, body: bytes, place: FilePlace) -> int:
        """Put lines of a file into the inbox, and note that they were read."""
        with self.transaction() as connection:
            write_files(connection, [place])
            return insert_row(connection, source, received, body)

    def counters(self) -> dict[str, int]:
        """Everything that was counted."""
        return dict(self.execute("SELECT name, value FROM counters", types=tuple[str, int]))

    def execute(self, query: str, values: tuple[object, ...] = (), types: Any = tuple[Any, ...]) -> list[Any]:
        """The rows that a query gives, each of these types.

        Raises:
            StoreError: The file is damaged.
        """
        with self.explained():
            return msgspec.convert(
                self._connection.execute(query, values).fetchall(), list[types], builtin_types=(bytes,)
            )

    def explained(self) -> AbstractContextManager[None]:
        """Say of what the file holds that it is damaged, where it is."""
        return _explained(self.path)

    def conversation(self, trace: str) -> list[Trajectory]:
        """The conversations of a trace that are still kept."""
        rows = self.execute("SELECT body FROM conversations WHERE trace = ? ORDER BY id", (trace,), tuple[bytes])
        with self.explained():
            return [msgspec.json.decode(body, type=Trajectory) for (body,) in rows]


def insert_row(connection: sqlite3.Connection, source: str, received: float, body: bytes) -> int:
    """Put a body into the inbox, within a transaction; returns its number."""
    number = connection.execute(
        "INSERT INTO inbox(source, received, body) VALUES(?, ?, ?)", (source, received, body)
    ).lastrowid
    return number or 0


def write_files(connection: sqlite3.Connection, files: Iterable[FilePlace]) -> None:
    """Note how far files are read, within a transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO files VALUES(?, ?, ?, ?, ?)",
        [(each.path, each.inode, each.position, each.size, each.changed) for each in files],
    )


def write_counters(connection: sqlite3.Connection, counters: Mapping[str, int]) -> None:
    """Add to what is counted, within a transaction."""
    connection.executemany(
        "INSERT INTO counters VALUES(?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value",
        list(counters.items()),
    )


def write_facts(connection: sqlite3.Connection, facts: Mapping[str, bytes]) -> None:
    """Keep values under names, within a transaction."""
    connection.executemany("INSERT OR REPLACE INTO facts VALUES(?, ?)", list(facts.items()))


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Say of a file that cannot be read, or does not hold what it should, which it is.

    Raises:
        StoreError: It is such a file.
    """
    try:
        yield
    except sqlite3.Error as error:
        words = " ".join(str(error).split())[:MAX_WORDS]
        raise StoreError(f"{path}: the state of the watch cannot be used: {words}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, RefusedBodyError) as error:
        words = " ".join(str(error).split())[:MAX_WORDS]
        raise StoreError(
            f"{path}: the state of the watch is damaged: {words}; move it away to start a new one"
        ) from error


def _open_file(path: str, *, create: bool) -> sqlite3.Connection:
    """Open the state, and make one where there is none.

    Raises:
        UsageError: There is none and none is to be made, or there is something else.
        StoreError: It cannot be used.
    """
    file = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
    try:
        found = os.stat(file)
    except FileNotFoundError:
        if not create:
            raise UsageError(f"{path}: there is no state of a watch here; name its file with --state") from None
        _make(path, file)
    except (OSError, ValueError) as error:
        raise StoreError(f"{path[:MAX_WORDS]}: the state of the watch cannot be used: {_reason(error)}") from error
    else:
        if not stat.S_ISREG(found.st_mode):
            raise UsageError(f"{path}: this is not a regular file; name another one with --state")
    with _explained(path):
        connection = connect_unbelieving(file)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _make(path: str, file: Path) -> None:
    if (beside := database_beside(path)) is not None:
        raise UsageError(f"{path} belongs to {beside}; name another file with --state")
    try:
        make_default_folder(file.parent)
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return  # another process was faster
    except OSError as error:
        raise StoreError(f"{path}: the state of the watch cannot be used: {_reason(error)}") from error


def _reason(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    """Bring the file into its form, unless it is of another one.

    Raises:
        StoreError: It is.
    """
    # Views that never end, and triggers that do things, are found out before anything is asked for.
    found = _layout(connection)
    if not found <= _own_layout() or (not found and connection.execute(ANY).fetchone()[0]):
        raise StoreError(f"{path}: this is not the state of a watch; name another file with --state")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA journal_size_limit=67108864")
    connection.executescript(SCHEMA)
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    version = connection.execute("SELECT value FROM facts WHERE name = 'version'").fetchone()
    if version is None:
        connection.execute("INSERT OR IGNORE INTO facts VALUES('version', ?)", (VERSION,))
    elif version[0] != VERSION:
        raise StoreError(f"{path}: this state was written by another version of toolgauge")


def _layout(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    rows = connection.execute(OURS).fetchall()
    return frozenset((str(kind), str(name), " ".join(str(sql).split())) for kind, name, sql in rows)


@cache
def _own_layout() -> frozenset[tuple[str, str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(SCHEMA)
        return _layout(connection)
    finally:
        connection.close()
