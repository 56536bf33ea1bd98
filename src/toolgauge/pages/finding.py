"""What a page in one file is searched by: every word of its cases, with the cases that have it.

Texts are many times as large as their words, and unpacking and folding them takes seconds, so the words come along.
What is typed is found wherever it stands within a word; `static/find.js` reads this, and looks into the texts
themselves only for what this does not tell: words with signs in them, and cases with something too long to be a word.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from toolgauge.core import JsonValue

from .folding import fold

__all__ = ["MAX_WORD", "WordIndex", "searched_texts"]

MAX_WORD = 80
"""Longer words are looked for in the texts."""

_BREAKS = re.compile('[ \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff,"\\[\\]{}();<>=|]+')
"""What stands between words: blanks as JavaScript knows them, and the signs of JSON, which tools often answer with."""


class WordIndex:
    """Words with the numbers of the cases that have them."""

    def __init__(self) -> None:
        self._cases: dict[str, int | array[int]] = {}
        """Most words are those of one case: its number, and no list."""
        self.long: list[int] = []
        """The cases with something that is too long to be a word."""

    def add(self, number: int, texts: Iterable[str]) -> None:
        """Add a case; their numbers only grow."""
        found = set(_BREAKS.split(fold("\n".join(texts))))
        found.discard("")
        short = {word for word in found if len(word) <= MAX_WORD}
        if len(short) < len(found):
            self.long.append(number)
        for word in short:
            known = self._cases.get(word)
            if known is None:
                self._cases[word] = number
            elif isinstance(known, int):
                self._cases[word] = array("I", (known, number))
            else:
                known.append(number)

    def vocabulary(self) -> str:
        """The words in their order, one a line."""
        return "\n".join(sorted(self._cases))

    def postings(self) -> bytes:
        """For each word, in the same order, how many cases have it, and the gaps between their numbers."""
        written = bytearray()
        for word in sorted(self._cases):
            known = self._cases[word]
            numbers: Sequence[int] = (known,) if isinstance(known, int) else known
            _write(written, len(numbers))
            last = -1
            for number in numbers:
                _write(written, number - last - 1)
                last = number
        return bytes(written)


def _write(written: bytearray, value: int) -> None:
    """Seven bits a byte, the lowest first; the eighth says that there are more."""
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)


def searched_texts(row: dict[str, object], page: dict[str, object]) -> Iterator[str]:
    """What is looked through of a case: question, labels, arguments, results, errors and answers.

    Args:
        row: The case as the list shows it.
        page: The case with everything that was done on it.
    """
    yield from _texts([row["id"], row["input"], row["labels"]])
    for one in page["trajectories"]:  # type: ignore[attr-defined]  # values that JSON holds
        raw = one["raw"]
        for call in raw.get("calls", ()):
            yield from _texts([call["tool"], call.get("error"), call.get("args"), call.get("result")])
        yield from _texts([raw.get("output"), raw.get("error")])


def _texts(value: object) -> Iterator[str]:
    """All texts and numbers in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield _number(value)


def _number(value: JsonValue) -> str:
    """A number as JavaScript writes it."""
    if not isinstance(value, float):
        return str(value)
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    if 1e-6 <= abs(value) < 1e21:
        return f"{Decimal(repr(value)):f}"
    return re.sub(r"e([+-])0+", r"e\1", repr(value))
