"""The state of a watch: one SQLite file, which survives a restart and a `kill -9`.

What was received lies in the inbox until every conversation in it is settled. What is told of settled conversations,
what the charts know of them, and that they left the inbox are one transaction, so that each counts once.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from toolgauge.core import Trajectory
from toolgauge.errors import StoreError, UsageError
from toolgauge.store.runs import DEFAULT_FOLDER

try:
    import fcntl
except ImportError:  # not on Windows
    LOCKS = False
else:
    LOCKS = True

__all__ = [
    "DEFAULT_STATE",
    "LOST",
    "FilePlace",
    "InboxRow",
    "Settled",
    "StateLock",
    "WatchState",
    "WatchedConversation",
]

LOST = "lost: "
"""How the names of counters begin that say what could not be used."""

DEFAULT_STATE = os.path.join(".toolgauge", "watch.db")
VERSION = 2
BUSY_SECONDS = 30.0

MAX_SETTLED = 200_000
"""Of how many traces it is remembered that they were counted."""

MAX_CONVERSATIONS = 10_000
"""How many conversations are kept to be looked at; of older ones only the figures are."""

HOURS_KEPT = 35 * 24
"""For so many hours figures are kept by the hour; before, by the day."""

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
    changed REAL NOT NULL, head TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs(
    id TEXT PRIMARY KEY, at REAL NOT NULL, body BLOB NOT NULL, accepted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS requests(id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, series TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS opinions(trace TEXT PRIMARY KEY, at REAL NOT NULL, body BLOB NOT NULL);
"""
OWN = {"facts", "inbox", "settled", "conversations", "hours", "counters", "alarms", "files", "runs", "requests"}
"""Tables that every state has; a database without them is of something else, and is left as it is."""


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
    head: str = ""
    """A digest of how it begins, up to `position`: another file may have the same inode later. Empty: not known."""


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
            UsageError: It is not there, and is not to be made.
            StoreError: It cannot be used.
        """
        self.path = path
        if not create and not os.path.exists(path):
            raise UsageError(f"{path}: there is no state of a watch here; name its file with --state")
        make_place(path)
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            if not (own := _tables(connection) >= OWN):
                self._check_empty(connection)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA journal_size_limit=67108864")
            if not own:
                # All of it, or nothing: whoever else opens it meanwhile waits.
                written = f"INSERT OR IGNORE INTO facts VALUES('version', {VERSION});"
                connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {written} COMMIT;")
            found = connection.execute("SELECT value FROM facts WHERE name = 'version'").fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: the state of the watch cannot be used: {error}") from error
        if found is None or found[0] != VERSION:
            connection.close()
            raise StoreError(f"{self.path}: this state was written by another version of toolgauge")
        return connection

    def _check_empty(self, connection: sqlite3.Connection) -> None:
        """Leave a database of something else as it is."""
        if _tables(connection):
            connection.close()
            raise StoreError(f"{self.path}: this is a database of something else; name another file with --state")

    def reopen(self) -> None:
        """Begin anew after a fault of the disk."""
        self._connection.close()
        self._connection = self._open()

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
            last = row[0]
            yield InboxRow(*row)

    def settled_traces(self) -> list[str]:
        """The traces that were counted, in the order in which they were."""
        return [trace for (trace,) in self._connection.execute("SELECT trace FROM settled ORDER BY number")]

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
            merge_hours(connection, {hour for _, _, hour in step.hours})
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
        found = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if found is None else found[0]

    def files(self) -> list[FilePlace]:
        """How far files are read."""
        return [FilePlace(*row) for row in self._connection.execute("SELECT * FROM files")]

    def receive_lines(self, source: str, received: float, body: bytes, place: FilePlace) -> int:
        """Put lines of a file into the inbox, and note that they were read."""
        with self.transaction() as connection:
            write_files(connection, [place])
            return insert_row(connection, source, received, body)

    def labels(self) -> list[tuple[str, str]]:
        """The labels of every mix."""
        return list(self._connection.execute("SELECT DISTINCT series, label FROM hours WHERE label != ''"))

    def counters(self) -> dict[str, int]:
        """Everything that was counted."""
        return dict(self._connection.execute("SELECT name, value FROM counters"))

    def execute(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows that a query gives."""
        return self._connection.execute(query, values).fetchall()

    def conversation(self, trace: str) -> list[Trajectory]:
        """The conversations of a trace that are still kept."""
        rows = self._connection.execute("SELECT body FROM conversations WHERE trace = ? ORDER BY id", (trace,))
        return [msgspec.json.decode(body, type=Trajectory) for (body,) in rows]


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def insert_row(connection: sqlite3.Connection, source: str, received: float, body: bytes) -> int:
    """Put a body into the inbox, within a transaction; returns its number."""
    number = connection.execute(
        "INSERT INTO inbox(source, received, body) VALUES(?, ?, ?)", (source, received, body)
    ).lastrowid
    return number or 0


def merge_hours(connection: sqlite3.Connection, hours: Collection[int]) -> None:
    """Merge what is old into days, within a transaction; looked at once for each day that is watched."""
    day = max(hours, default=0) // 24
    known = connection.execute("SELECT value FROM facts WHERE name = 'day'").fetchone()
    if known is not None and known[0] >= day:
        return
    connection.execute("INSERT OR REPLACE INTO facts VALUES('day', ?)", (day,))
    before = day * 24 - HOURS_KEPT
    connection.execute(
        "INSERT INTO hours SELECT series, label, hour - hour % 24, sum(count), sum(total) FROM hours "
        "WHERE hour < ?1 AND hour % 24 != 0 GROUP BY 1, 2, 3 "
        "ON CONFLICT DO UPDATE SET count = count + excluded.count, total = total + excluded.total",
        (before,),
    )
    connection.execute("DELETE FROM hours WHERE hour < ? AND hour % 24 != 0", (before,))


def write_files(connection: sqlite3.Connection, files: Iterable[FilePlace]) -> None:
    """Note how far files are read, within a transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO files VALUES(?, ?, ?, ?, ?, ?)",
        [(each.path, each.inode, each.position, each.size, each.changed, each.head) for each in files],
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


def make_place(path: str) -> None:
    """Make an empty file that only its owner can read, unless there is one; its folder too.

    Raises:
        StoreError: It cannot be made.
    """
    folder = Path(path).parent
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if folder.name == DEFAULT_FOLDER:
                # What people ask in production does not belong into a repository.
                (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"{path}: the state of the watch cannot be used: {error.strerror}") from error


class StateLock:
    """Keeps other watches from a state, as long as it is held; whoever is killed lets go of it."""

    def __init__(self, path: str) -> None:
        """Hold it.

        Raises:
            UsageError: Another watch does.
            StoreError: It cannot be held.
        """
        self._file: IO[bytes] | None = None
        if not LOCKS:
            return
        make_place(path)
        try:
            # A file beside it: to close one that SQLite has open, too, would let go of the locks of SQLite.
            descriptor = os.open(f"{path}-lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise StoreError(f"{path}: the state of the watch cannot be used: {error.strerror}") from error
        self._file = os.fdopen(descriptor, "rb")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise UsageError(f"{path}: another watch is using this state; end it, or name another --state") from error
        except OSError:
            self.release()  # a file system without locks

    def release(self) -> None:
        """Let go of it."""
        if self._file is not None:
            self._file.close()
            self._file = None
