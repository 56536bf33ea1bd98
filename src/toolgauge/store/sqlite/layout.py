"""The tables of a store: what each version of the layout adds, and whether a file has exactly that and nothing else."""

from __future__ import annotations

import os
import shutil
import sqlite3
from functools import cache
from pathlib import Path

from toolgauge.errors import StoreError

from .database import transaction
from .place import damaged

__all__ = ["MIGRATIONS", "VERSION", "check_layout", "upgrade"]

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

LAYOUT = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
"""Everything that a file has but what SQLite makes for itself."""


def check_layout(connection: sqlite3.Connection, path: Path) -> int:
    """Make sure that a file has the tables of a store and nothing else, before anything in it is asked for.

    A stranger's triggers would do things when somebody writes a review, and views or other columns may never end.

    Returns:
        The version of the layout; 0: the file has no tables yet.

    Raises:
        StoreError: It was written by a later version of toolgauge, is no store of ours, or has more in it.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    found = _layout(connection)
    if version > VERSION:
        raise StoreError(
            f"{path}: this store has version {version}, and this toolgauge supports {VERSION}; update toolgauge"
        )
    if version <= 0 and found:
        raise StoreError(f"{path}: this database belongs to another program; choose another --store")
    wanted = _layout_of(version)
    if added := found - wanted:
        kind, name, *_ = min(added)
        known = {known for _, known, *_ in wanted}
        what = "is not as toolgauge creates it" if name in known else "is not one that toolgauge creates"
        raise StoreError(f"{path}: this store cannot be trusted: its {kind} {name!r} {what}; do not use it")
    if wanted - found:
        raise damaged(path, f"it has no {min(wanted - found)[1]!r}")
    return version


def _layout(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str, str]]:
    rows = connection.execute(LAYOUT).fetchall()
    return frozenset((str(kind), str(name), str(table), " ".join(str(sql).split())) for kind, name, table, sql in rows)


@cache
def _layout_of(version: int) -> frozenset[tuple[str, str, str, str]]:
    """What a store of that version has, found out by making one in memory."""
    connection = sqlite3.connect(":memory:")
    try:
        for statements in MIGRATIONS[: max(0, version)]:
            for statement in statements:
                connection.execute(statement)
        return _layout(connection)
    finally:
        connection.close()


def upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a store to the newest version: each step as a whole or not at all, with a copy kept of the old file.

    Raises:
        StoreError: It was written by a later version of toolgauge, or is no store of ours.
    """
    version = check_layout(connection, path)
    if version == VERSION:
        return
    if version:
        _back_up(connection, path, version)
    with transaction(connection):
        # Another process may have done it in the meantime.
        for number in range(int(connection.execute("PRAGMA user_version").fetchone()[0]), VERSION):
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # From here on the layout is in the file itself, whatever becomes of the file that holds the latest changes.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


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
