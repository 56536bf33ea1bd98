"""Documents that can be searched: an index in memory that finds Vietnamese words with their marks or without."""

from __future__ import annotations

import re
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from toolgauge.core import nfc
from toolgauge.errors import PluginError
from toolgauge.files import read_json_lines
from toolgauge.locale import fold_tones

__all__ = ["Index", "IndexedDocument", "read_documents"]

WORD = re.compile(r"[^\W_]+")

MARKED = 1.0
"""How much a word counts that is written with the same marks, beside the same word without any."""

TITLE = 2.0
"""How much more a word in the title counts."""


class IndexedDocument(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A short text of the collection."""

    id: str
    kind: str
    """concept, analysis or news."""
    title: str
    text: str
    date: str = ""
    """The day it was published; concepts have none."""


def read_documents(name: str) -> list[IndexedDocument]:
    """The documents of a file that lies beside this one, one a line."""
    return list(read_json_lines(Path(__file__).with_name(name), IndexedDocument))


class Index:
    """Documents by their words. Marks count where they are written, and never keep a document from being found."""

    def __init__(self, documents: Iterable[IndexedDocument]) -> None:
        """Build the index.

        Raises:
            PluginError: This Python comes without the full-text search of SQLite.
        """
        self.documents = tuple(documents)
        self._titles: dict[str, list[int]] = {}
        for position, document in enumerate(self.documents):
            self._titles.setdefault(" ".join(_words(fold_tones(document.title))), []).append(position)
        self._lock = threading.Lock()
        # Tools may be called from any thread, one after the other: the lock sees to that.
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._database.close)  # from Python 3.13 on one that nobody closes is complained about
        try:
            self._database.execute(
                "CREATE VIRTUAL TABLE texts USING fts5(title, body, marked, tokenize='unicode61 remove_diacritics 0')"
            )
        except sqlite3.OperationalError as error:
            what = f"the SQLite {sqlite3.sqlite_version} of this Python has no full-text search (FTS5)"
            raise PluginError(f"{what}; use a Python that has it") from error
        self._database.executemany(
            "INSERT INTO texts (rowid, title, body, marked) VALUES (?, ?, ?, ?)",
            [(number, *_columns(document)) for number, document in enumerate(self.documents)],
        )

    def find(self, query: str, most: int) -> list[int]:
        """Positions of the documents that fit a query best, best first; before all, one whose title it is."""
        plain = _words(fold_tones(query))
        marked = _words(nfc(query).lower())
        if not plain:
            return []
        terms = [f'{{title body}}: "{word}"' for word in plain] + [f'marked: "{word}"' for word in marked]
        statement = (
            f"SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, {TITLE}, 1.0, {MARKED}), rowid LIMIT ?"  # noqa: S608 - constants of this module
        )
        with self._lock:
            found = [row[0] for row in self._database.execute(statement, (" OR ".join(terms), most))]
        named = [position for position in self._titles.get(" ".join(plain), ()) if position not in found[:1]]
        return [*named, *(position for position in found if position not in named)][:most]

    def close(self) -> None:
        """Let go of the index."""
        with self._lock:
            self._database.close()


def _columns(document: IndexedDocument) -> tuple[str, str, str]:
    whole = nfc(f"{document.title} {document.text}").lower()
    return fold_tones(document.title), fold_tones(document.text), whole


def _words(text: str) -> Sequence[str]:
    """Each word once, in order; what is no letter or digit parts words, so that no sign is taken for an operator."""
    return list(dict.fromkeys(WORD.findall(text)))
