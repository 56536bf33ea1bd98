"""Reviews in a SQLite file: a row for each case, agent and trial that somebody said something of."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from toolgauge.core import Review, Reviews
from toolgauge.store.rows import blob

__all__ = ["read_reviews", "save_reviews"]


def save_reviews(connection: sqlite3.Connection, run: int, reviews: Iterable[Review]) -> None:
    """Put reviews to a run, in place of earlier ones of the same; what is withdrawn goes."""
    for review in reviews:
        about = msgspec.json.encode(review.about).decode()
        connection.execute("DELETE FROM reviews WHERE run = ? AND about = ?", (run, about))
        if review.verdict is not None:
            row = (run, about, msgspec.json.encode(review))
            connection.execute("INSERT INTO reviews (run, about, review) VALUES (?, ?, ?)", row)


def read_reviews(connection: sqlite3.Connection, run: int) -> Reviews:
    """The reviews of a run, in the order in which they were written."""
    rows = connection.execute("SELECT review FROM reviews WHERE run = ? ORDER BY key", (run,))
    decode = msgspec.json.Decoder(Review).decode
    return Reviews([decode(blob(data)) for (data,) in rows])
