"""Stores that were damaged: bytes that are others, files that were cut, and rows that a stranger has written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random

from .mutation import NUMBERS, TEXTS, spoil_bytes, spoil_json

__all__ = ["spoil_store"]

PAGE = 4096

WAL_MARK = slice(18, 20)
"""Where a file says that changes go to a log beside it, which a database in memory cannot have."""

STATEMENTS = (
    "CREATE TRIGGER t AFTER INSERT ON reviews BEGIN DELETE FROM runs; END",
    "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    "DROP TABLE reviews",
    "DELETE FROM suites",
    "PRAGMA user_version = 7",
    "UPDATE runs SET id = 'x'",
)


def spoil_store(data: bytes, dice: Random) -> bytes:
    """A store with bytes flipped, pages exchanged, an end missing, or values changed in its rows."""
    way = dice.randrange(5)
    if way == 0:
        return spoil_bytes(data, dice)
    if way == 1:
        changed = bytearray(data)
        for _ in range(dice.choice((1, 3, 10, 60))):
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        return bytes(changed)
    if way == 2:
        pages = [data[begin : begin + PAGE] for begin in range(0, len(data), PAGE)]
        first, second = dice.randrange(len(pages)), dice.randrange(len(pages))
        pages[first] = dice.choice((pages[second], bytes(PAGE), dice.randbytes(PAGE)))
        return b"".join(pages[: dice.choice((len(pages), len(pages), second + 1))])
    return _with_rows_changed(data, dice)


def _with_rows_changed(data: bytes, dice: Random) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data[: WAL_MARK.start] + b"\1\1" + data[WAL_MARK.stop :])
        for _ in range(dice.randint(1, 3)):
            try:
                if dice.random() < 0.15:
                    connection.execute(dice.choice(STATEMENTS))
                else:
                    _change_value(connection, dice)
            except sqlite3.Error:
                continue  # a rule of the layout forbids it; others come to it by changed bytes
        connection.commit()
        written = connection.serialize()
        return written[: WAL_MARK.start] + data[WAL_MARK] + written[WAL_MARK.stop :]


def _change_value(connection: sqlite3.Connection, dice: Random) -> None:
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    table = dice.choice(tables)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    rows = connection.execute(f'SELECT rowid, * FROM "{table}"').fetchall()  # noqa: S608 - the names are the store's own
    if not rows or not columns:
        return
    row = dice.choice(rows)
    place = dice.randrange(len(columns))
    old = row[place + 1]
    if isinstance(old, str | bytes) and len(old) > 1 and dice.random() < 0.7:
        spoiled = spoil_json(old.encode() if isinstance(old, str) else old, dice)
        new: object = spoiled.decode("utf-8", "replace") if isinstance(old, str) else spoiled
    else:
        number = dice.choice([value for value in NUMBERS if abs(value) < 2**63])
        new = dice.choice((None, number, dice.randbytes(8), dice.choice(TEXTS).encode("utf-8", "replace").decode()))
    statement = f'UPDATE "{table}" SET "{columns[place]}" = ? WHERE rowid = ?'  # noqa: S608 - as above
    connection.execute(statement, (new, row[0]))
