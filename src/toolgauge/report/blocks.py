"""The document model: what a report consists of, before it is drawn in some format.

Blocks hold plain text, partly from data; each renderer makes it harmless in its own way. Only the rows of a table may
come one by one, so that a report of a million cases never holds them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

__all__ = [
    "Align",
    "Block",
    "Bullets",
    "Column",
    "Heading",
    "Item",
    "Line",
    "Paragraph",
    "SideBySide",
    "SideLine",
    "Table",
    "Tone",
    "portions",
]

Tone = Literal["plain", "strong", "good", "bad", "warn", "dim"]
"""How something should strike the eye, where a format has colours."""

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A title: level 1 once, level 2 for sections, level 3 inside them."""

    text: str
    level: Literal[1, 2, 3] = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Item:
    """One point of a list."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of points."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    title: str
    align: Align = "right"
    key: bool = False
    """Whether it says what a row is about; repeated where a wide table is drawn in parts."""
    width: int | None = None
    """A fixed width in cells; needed in every column of a table whose rows come one by one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table."""

    cells: tuple[str, ...]
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header."""

    columns: tuple[Column, ...]
    lines: Iterable[Line]
    grouped: bool = False
    """Whether the first column holds the same value for several lines, which may be written once above them."""

    @property
    def streamed(self) -> bool:
        """Whether the lines have to be drawn as they come."""
        return all(column.width is not None for column in self.columns)


@dataclass(frozen=True, slots=True)
class SideLine:
    """What stands on the left, a mark of how it compares, and what stands on the right."""

    left: str
    mark: str
    right: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two columns to be compared line by line."""

    left: str
    right: str
    lines: tuple[SideLine, ...]


Block: TypeAlias = Heading | Paragraph | Bullets | Table | SideBySide


def portions(lines: Iterable[Line], size: int) -> Iterator[tuple[Line, ...]]:
    """The lines in portions of at most the size, at least one portion even without lines."""
    rest = iter(lines)
    portion = tuple(islice(rest, size))
    yield portion
    while portion := tuple(islice(rest, size)):
        yield portion
