"""Taking apart the column of failed tools in the published comparison layout.

A cell holds `name: message` items separated by commas, but messages hold commas too, and sometimes `, word: ...`. Where
each item begins is decided by how many there are said to be and by which names are known as tools.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from toolgauge.core import Call

__all__ = ["UNNAMED", "split_failures"]

UNNAMED = "unnamed"
"""The tool of a failed call that has no name."""

NO_MESSAGE = "failed without a message"

START = re.compile(r"(?:^|,)\s*(?P<name>[^\W\d][\w.\-]*)\s*:(?!//)")
LIKE_A_TOOL = re.compile(r"[_.\-\d]|[a-z][A-Z]")


def split_failures(text: str, count: int | None, known: Collection[str]) -> list[Call]:
    """The failed calls of a cell, in the order written.

    Args:
        text: The cell, trimmed.
        count: How many there are said to be, if at all.
        known: Names that are known to be tools.
    """
    starts = list(START.finditer(text))
    if not starts or text[: starts[0].start("name")].strip():
        return [_call(UNNAMED, text)] if text or count else []
    chosen = [starts[0], *_later(starts[1:], count, {*known, starts[0]["name"]})]
    ends = [start.start() for start in chosen[1:]] + [len(text)]
    return [_call(start["name"], text[start.end() : end]) for start, end in zip(chosen, ends, strict=True)]


def _later(starts: list[re.Match[str]], count: int | None, known: Collection[str]) -> list[re.Match[str]]:
    """Which of the possible beginnings after the first one are beginnings."""
    if not count:
        return [start for start in starts if start["name"] in known]
    best = sorted(starts, key=lambda start: _doubt(start["name"], known))[: count - 1]
    return sorted(best, key=lambda start: start.start())


def _doubt(name: str, known: Collection[str]) -> int:
    """How little a word looks like the name of a tool."""
    if name in known:
        return 0
    return 1 if LIKE_A_TOOL.search(name) else 2


def _call(tool: str, message: str) -> Call:
    return Call(tool, None, error=message.strip() or NO_MESSAGE)
