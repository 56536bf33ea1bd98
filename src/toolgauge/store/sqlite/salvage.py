"""Saving what can still be read of a damaged store into a new one, row by row."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from toolgauge.core import Suite, suite_hash
from toolgauge.errors import OutputError, StoreError, UsageError
from toolgauge.store.checks import LineChecks
from toolgauge.store.encoding import RunLine, Suites, with_suite
from toolgauge.store.rows import blob
from toolgauge.store.runs import Salvaged

from .database import connect, connect_unbelieving, explained, transaction
from .layout import upgrade
from .making import remove_store
from .place import MAGIC, prepare
from .rows import COLUMNS, read_row

__all__ = ["salvage_file"]

INCOMPLETE_BASELINES = """DELETE FROM baselines WHERE run IN (
    SELECT key FROM runs WHERE planned > (SELECT COUNT(*) FROM trajectories WHERE trajectories.run = runs.key)
)"""
"""A run that has lost trajectories would be too easy to keep up with."""

RENAMED = "-"
"""What the hash of a suite begins with while others may still have it."""

FARTHEST = 2**20
"""So far ahead a row is looked for behind one that cannot be read."""


def salvage_file(damaged: Path, target: Path) -> Salvaged:
    """Save what can be read of a store into a new file.

    Raises:
        UsageError: There is nothing to read, or something where the new file is to be.
        StoreError: Nothing could be read.
    """
    if not damaged.is_file():
        raise UsageError(f"{damaged}: there is no such file")
    if target.exists():
        raise UsageError(f"{target}: already exists; name a new file")
    unfinished = target.with_name(f"{target.name}.part")
    remove_store(unfinished)
    with TemporaryDirectory(prefix="toolgauge-") as folder:
        source = _open_copy(damaged, Path(folder))
        try:
            saved = _copy(source, unfinished)
        finally:
            source.close()
    if not saved.runs:
        remove_store(unfinished)
        raise StoreError(f"{damaged}: no run could be read; nothing was saved")
    for ending in ("-wal", "-shm"):
        Path(f"{unfinished}{ending}").unlink(missing_ok=True)
    try:
        unfinished.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}") from error
    return saved


def _open_copy(damaged: Path, folder: Path) -> sqlite3.Connection:
    """A copy of the damaged store that SQLite is willing to read. The original is never touched."""
    copy = folder / "copy.db"
    for ending in ("", "-wal"):
        part = Path(f"{damaged}{ending}")
        if part.exists():
            shutil.copyfile(part, f"{copy}{ending}")
    if not _begins_well(copy):
        _replace_first_page(copy, folder)
    connection = connect_unbelieving(copy)
    connection.execute("PRAGMA writable_schema = ON")  # go on where the layout itself looks odd
    return connection


def _begins_well(path: Path) -> bool:
    with path.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            return False
    connection = connect_unbelieving(path)
    try:
        return connection.execute("SELECT 1 FROM runs LIMIT 1").fetchall() is not None
    except sqlite3.DatabaseError as error:
        # Other pages may be broken as well, but the first one, with the layout, has to be read for anything else.
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT and _has_layout(connection)
    finally:
        connection.close()


def _has_layout(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0])
    except sqlite3.DatabaseError:
        return False


def _replace_first_page(copy: Path, folder: Path) -> None:
    """Give a file whose beginning is lost the one of a new store, which has its tables in the same places."""
    fresh = folder / "fresh.db"
    prepare(fresh)
    connection = connect(fresh)
    upgrade(connection, fresh)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    beginning = bytearray(fresh.read_bytes()[:4096])
    pages = max(1, copy.stat().st_size // len(beginning))
    beginning[28:32] = pages.to_bytes(4, "big")
    # No list of free pages is better than a wrong one.
    beginning[32:40] = bytes(8)
    with copy.open("r+b") as stream:
        stream.write(beginning)
    Path(f"{copy}-wal").unlink(missing_ok=True)


def _copy(source: sqlite3.Connection, target: Path) -> Salvaged:
    prepare(target)
    unreadable = 0
    with explained(target):
        connection = connect(target)
        try:
            upgrade(connection, target)
            with transaction(connection):
                for table, columns in COLUMNS.items():
                    for row in _rows(source, table, columns):
                        if row is None or not _fits(table, row):
                            unreadable += 1
                            continue
                        marks = ", ".join("?" * len(columns))
                        connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)  # noqa: S608
                _rename_suites(connection)
                connection.execute("DELETE FROM runs WHERE suite NOT IN (SELECT hash FROM suites)")
                for table in ("trajectories", "journal", "baselines", "reviews"):
                    connection.execute(f"DELETE FROM {table} WHERE run NOT IN (SELECT key FROM runs)")  # noqa: S608
                unreadable += _remove_false_lines(connection)
                connection.execute(INCOMPLETE_BASELINES)
                connection.execute("UPDATE runs SET state = 'interrupted' WHERE state = 'running'")
            runs = connection.execute("SELECT COUNT(*) FROM runs").fetchone()[0]
            trajectories = connection.execute("SELECT COUNT(*) FROM trajectories").fetchone()[0]
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
    return Salvaged(runs, trajectories, unreadable)


def _rename_suites(connection: sqlite3.Connection) -> None:
    """Keep each suite by its own hash, which a stranger's store may say of another one: later runs would take it."""
    for (said,) in connection.execute("SELECT hash FROM suites").fetchall():
        (data,) = connection.execute("SELECT suite FROM suites WHERE hash = ?", (said,)).fetchone()
        found = suite_hash(msgspec.json.decode(blob(data), type=Suite))
        if found != said:
            _rename_suite(connection, said, f"{RENAMED}{found}")  # the name may be taken by one still to be looked at
    for (renamed,) in connection.execute("SELECT hash FROM suites WHERE hash LIKE ?", (f"{RENAMED}%",)).fetchall():
        _rename_suite(connection, renamed, renamed.removeprefix(RENAMED))


def _rename_suite(connection: sqlite3.Connection, before: str, now: str) -> None:
    connection.execute("UPDATE OR IGNORE suites SET hash = ? WHERE hash = ?", (now, before))
    connection.execute("UPDATE runs SET suite = ? WHERE suite = ?", (now, before))
    connection.execute("DELETE FROM suites WHERE hash = ?", (before,))


def _remove_false_lines(connection: sqlite3.Connection) -> int:
    """Remove trajectories that cannot be true of their runs, as whoever reads them would refuse them; how many."""
    query = "SELECT runs.key, header, suites.suite FROM runs JOIN suites ON suites.hash = runs.suite ORDER BY runs.key"
    suites, false = Suites(), []
    for run, header, suite in connection.execute(query).fetchall():
        faults = LineChecks(with_suite(blob(header), blob(suite), suites)).faults
        for key, data in connection.execute("SELECT key, line FROM trajectories WHERE run = ? ORDER BY key", (run,)):
            line = msgspec.json.decode(blob(data), type=RunLine)
            if faults(line, line.score):
                false.append((key,))
    connection.executemany("DELETE FROM trajectories WHERE key = ?", false)
    return len(false)


def _rows(source: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...] | None]:
    """The rows of a table in order; None for each place behind which reading had to begin anew."""
    listed = ", ".join(columns)
    query = f"SELECT rowid, {listed} FROM {table} WHERE rowid >= ? ORDER BY rowid"  # noqa: S608 - names of ours
    start, step = 1, 1
    while step <= FARTHEST:
        try:
            for rowid, *row in source.execute(query, (start,)):
                if rowid < start:
                    raise sqlite3.DatabaseError("a page leads back to an earlier one")
                start, step = rowid + 1, 1
                yield tuple(row)
            return
        except (sqlite3.DatabaseError, OverflowError) as error:
            if isinstance(error, sqlite3.OperationalError) and str(error).startswith("no such table"):
                return  # an older version, which did not have this table
            if step == 1:
                yield None
            # The row at hand cannot be read; a page holds several, so the steps grow.
            start += step
            step *= 2


def _fits(table: str, row: tuple[Any, ...]) -> bool:
    """Whether a row that could be read holds what it should."""
    try:
        read_row(table, row)
    except (msgspec.MsgspecError, TypeError, UnicodeDecodeError, RecursionError):
        return False
    return True
