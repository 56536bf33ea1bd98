"""The SQLite file behind a store: opened, brought to the newest version, and its errors put into words."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from toolgauge.errors import StoreError, StoreLost

from .place import create_file, damaged, free_space

__all__ = ["VERSION", "FileWatch", "connect", "connect_to_read", "explained", "make", "transaction", "upgrade"]

BUSY_SECONDS = 30.0
"""How long a writer waits for another one; each holds the file for a fraction of a millisecond."""

MIGRATIONS = (
    (
        "CREATE TABLE suites (hash TEXT PRIMARY KEY, suite BLOB NOT NULL)",
        """CREATE TABLE runs (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            created TEXT NOT NULL,
            state TEXT NOT NULL,
            planned INTEGER NOT NULL,
            suite TEXT NOT NULL REFERENCES suites (hash),
            header BLOB NOT NULL,
            settings BLOB NOT NULL
        )""",
        """CREATE TABLE trajectories (
            key INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (key),
            agent TEXT NOT NULL,
            case_id TEXT NOT NULL,
            trial INTEGER NOT NULL,
            state TEXT NOT NULL,
            passed INTEGER NOT NULL,
            line BLOB NOT NULL,
            UNIQUE (run, agent, case_id, trial)
        )""",
        "CREATE INDEX trajectories_by_state ON trajectories (run, state, passed)",
    ),
    (
        """CREATE TABLE journal (
            key INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (key),
            agent TEXT NOT NULL,
            case_id TEXT NOT NULL,
            trial INTEGER NOT NULL,
            event BLOB NOT NULL
        )""",
        "CREATE INDEX journal_by_case ON journal (run, agent, case_id, trial)",
        """CREATE TABLE leases (
            run INTEGER PRIMARY KEY REFERENCES runs (key),
            pid INTEGER NOT NULL,
            process TEXT NOT NULL,
            host TEXT NOT NULL,
            boot TEXT NOT NULL,
            beat REAL NOT NULL
        )""",
    ),
    (
        """CREATE TABLE baselines (
            name TEXT PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (key),
            since TEXT NOT NULL
        )""",
    ),
    (
        """CREATE TABLE reviews (
            key INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (key),
            about TEXT NOT NULL,
            review BLOB NOT NULL,
            UNIQUE (run, about)
        )""",
    ),
)
"""What each version of the layout adds to the one before: the runs, journals and leases, baselines, reviews."""

VERSION = len(MIGRATIONS)

APPLICATION = 0x746F6F6C
"""What SQLite keeps in a file to tell whose it is: the word `tool`."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that reads and writes."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    # A kill loses nothing with this; a power cut may lose the last moments, and never damages the file.
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, for whoever looks at runs while they are being made."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def make(path: Path) -> None:
    """Make an empty store, which is there as a whole or not at all.

    Several processes may do so at the same moment, and any of them may be killed: nobody ever finds a store that is not
    finished, and whoever comes second takes the one that is there.

    Raises:
        UsageError: Nothing can be written there.
        StoreError: There is no room for it.
    """
    draft = path.with_name(f"{path.name}.new-{secrets.token_hex(4)}")
    create_file(draft, path)
    try:
        with explained(path):
            connection = connect(draft)
            try:
                upgrade(connection, draft, fresh=True)
            finally:
                connection.close()
        _put(draft, path)
    finally:
        for ending in ("", "-wal", "-shm"):
            Path(f"{draft}{ending}").unlink(missing_ok=True)


def _put(draft: Path, path: Path) -> None:
    """Give a file its name, unless another has it."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:
        # Where a file cannot have two names for a moment, it has to be renamed.
        if not path.exists():
            draft.rename(path)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what is written in here is kept, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def upgrade(connection: sqlite3.Connection, path: Path, *, fresh: bool) -> None:
    """Bring a store to the newest version: each step as a whole or not at all, with a copy kept of the old file.

    Raises:
        StoreError: It was written by a later version of toolgauge, or is no store of ours.
    """
    version = _version(connection)
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1").fetchone():
        # No store of ours has any: a stranger's would do things when somebody looks at it, or writes a review.
        raise StoreError(f"{path}: this store has triggers or views, which toolgauge never makes; do not use it")
    if version > VERSION:
        raise StoreError(
            f"{path}: this store has version {version}, and this toolgauge knows {VERSION}; update toolgauge"
        )
    if version == VERSION:
        return
    if not fresh and version == 0 and _has_tables(connection):
        raise StoreError(f"{path}: this is a database of another program; choose another --store")
    if version:
        _back_up(connection, path, version)
    with transaction(connection):
        # Another process may have done it in the meantime.
        for number in range(_version(connection), VERSION):
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # From here on the layout is in the file itself, whatever becomes of the file that holds the latest changes.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Copy the store as it is, unless an earlier try did so already."""
    backup = path.with_name(f"{path.name}.version-{version}")
    if backup.exists():
        return
    unfinished = path.with_name(f"{backup.name}.part")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    copy = sqlite3.connect(unfinished)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    shutil.move(unfinished, backup)


class FileWatch:
    """Notices when the file of a store is not the one any more that was opened: a connection writes on into nowhere."""

    __slots__ = ("_known", "path", "shown")

    def __init__(self, path: Path) -> None:
        self.shown = path
        self.path = path.absolute()
        """Where it is, wherever the process goes."""
        self._known = self._found()

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @property
    def lost(self) -> bool:
        """Whether it was removed, renamed or replaced."""
        return self._found() != self._known

    def check(self) -> None:
        """Make sure that what was written is where others will look for it.

        Raises:
            StoreLost: It is not.
        """
        if self.lost:
            raise StoreLost(f"{self.shown}: the store was removed, renamed or replaced while it was written")


class explained:  # noqa: N801 - reads like a function, and is cheaper than one with a generator around every row
    """Turn what SQLite says into what a person can do something about; a context manager.

    Raises:
        StoreError: The store cannot be used.
    """

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, sqlite3.Error):
            raise _in_words(self._path, error) from error


def _in_words(path: Path, error: sqlite3.Error) -> StoreError:
    words = str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path, words)
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        room = free_space(path)
        # Where there is no room for a file beside the store, SQLite calls that an error of the disk.
        full = code == sqlite3.SQLITE_FULL or room.startswith("0.0 ")
        hint = "make room, then continue with --resume" if full else "check the disk"
        return StoreError(f"{path}: the store cannot be written: {words}; {room}; {hint}")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        what = f"another process has held it for {BUSY_SECONDS:g} s"
        return StoreError(f"{path}: the store cannot be written: {what}")
    return StoreError(f"{path}: the store cannot be used: {words}")
