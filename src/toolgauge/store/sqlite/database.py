"""The SQLite file behind a store: connections to it, and its errors put into words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from toolgauge.errors import StoreError, StoreLost

from .place import damaged, free_space, has_changes

__all__ = ["FileWatch", "clear_log", "connect", "connect_to_read", "connect_unbelieving", "explained", "transaction"]

BUSY_SECONDS = 30.0
"""How long a writer waits for another one; each holds the file for a fraction of a millisecond."""

MAX_WORDS = 200

LEAST_STEPS = 50_000_000
STEPS_A_BYTE = 20
STEPS_AT_ONCE = 100_000
"""How many steps of SQLite's machine a statement may take: some, and more for each byte of the file. A row of some
dozen bytes is read in some dozen steps."""


class BoundedConnection(sqlite3.Connection):
    """A connection on which no statement goes on for ever, whatever a damaged file leads it into."""

    _left = 0
    _whole = 0

    def bound(self, path: Path) -> None:
        """Let each statement do what a file of this size may ask for many times over, and no more."""
        try:
            size = path.stat().st_size
        except OSError:
            size = 0
        self._whole = self._left = LEAST_STEPS + STEPS_A_BYTE * size
        self.set_progress_handler(self._step, STEPS_AT_ONCE)

    def _step(self) -> bool:
        self._left -= STEPS_AT_ONCE
        return self._left < 0

    def execute(self, *args: Any) -> sqlite3.Cursor:
        """Begin a statement, which may take as long as any."""
        self._left = self._whole
        try:
            return super().execute(*args)
        except UnicodeDecodeError as error:
            # What SQLite says of a damaged file may quote it.
            raise sqlite3.DatabaseError("its content cannot be read") from error


def connect(path: Path) -> sqlite3.Connection:
    """A connection that reads and writes."""
    connection = _bounded(path, path)
    connection.execute("PRAGMA journal_mode=WAL")
    # A kill loses nothing with this; a power cut may lose the last moments, and never damages the file.
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, for whoever looks at runs while they are being made, or may not write there."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    if not os.access(path.parent, os.W_OK) and not has_changes(path):
        # SQLite would make a file beside it. Where nobody can, and there are no latest changes, the file is all.
        address += "&immutable=1"
    return _bounded(address, path)


def clear_log(path: Path) -> None:
    """Remove the log beside a store if it is empty and nobody uses it.

    SQLite needs it to read, too, and removes it when the last connection is closed, unless that one may not write.
    """
    with suppress(OSError, sqlite3.Error):
        if os.stat(f"{path}-wal").st_size or os.path.exists(f"{path}-journal") or not os.access(path, os.W_OK):
            return
        with closing(_bounded(f"{path.absolute().as_uri()}?mode=rw", path)) as connection:
            connection.execute("PRAGMA schema_version")  # SQLite opens the file when it has to read it


def connect_unbelieving(path: Path) -> sqlite3.Connection:
    """A connection to a file that may be anything, for whoever reads what is left in it."""
    return _bounded(path, path)


def _bounded(address: str | Path, path: Path) -> BoundedConnection:
    connection = sqlite3.connect(
        address,
        uri=isinstance(address, str),
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=BoundedConnection,
    )
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.bound(path)
    return connection


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
        if isinstance(error, msgspec.MsgspecError | UnicodeDecodeError | RecursionError):
            raise damaged(self._path, f"a row has invalid content: {str(error)[:MAX_WORDS]}") from error


def _in_words(path: Path, error: sqlite3.Error) -> StoreError:
    words = " ".join(str(error).split())[:MAX_WORDS]  # which may quote what is in a damaged file
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_FORMAT):
        return damaged(path, words)
    if code == sqlite3.SQLITE_INTERRUPT:
        return damaged(path, "reading it never ends")
    if isinstance(error.__cause__, UnicodeDecodeError):
        return damaged(path, words)
    if isinstance(error, sqlite3.OperationalError) and words.startswith("Could not decode to UTF-8"):
        return damaged(path, "a text in it is not valid text")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(f"{path}: the store cannot be written; check the permissions of the file and its directory")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        room = free_space(path)
        # Where there is no room for a file beside the store, SQLite calls that an error of the disk.
        full = code == sqlite3.SQLITE_FULL or room.startswith("0.0 ")
        hint = "free some space, then continue with --resume" if full else "check the disk"
        return StoreError(f"{path}: the store cannot be written: {words}; {room}; {hint}")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        what = f"another process has held it for {BUSY_SECONDS:g} s"
        return StoreError(f"{path}: the store cannot be written: {what}")
    return StoreError(f"{path}: the store cannot be used: {words}")
