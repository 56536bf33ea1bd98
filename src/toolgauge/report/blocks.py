"""The document model: what a report consists of, before it is drawn in some format.

Blocks hold plain text, partly from data; each renderer makes it harmless in its own way. Only the rows of a table may
come one by one, so that a report of a million cases never holds them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, TypeAlias

from toolgauge.errors import UsageError, did_you_mean

__all__ = [
    "Align",
    "Block",
    "Bullets",
    "Column",
    "Entry",
    "Findings",
    "Heading",
    "Item",
    "Line",
    "Paragraph",
    "SideBySide",
    "SideLine",
    "Table",
    "Tone",
    "pick",
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
    underlined: bool = True
    """Whether plain text draws a line below it, instead of leaving one empty."""
    name: str = ""
    """What the section below it is picked by, where it is more than a table."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str
    tone: Tone = "plain"
    wrapped: bool = True
    """Whether plain text may break it into lines; a place that editors jump to has to stay whole."""


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
    name: str = ""
    """The metric whose figures stand in it, by which the column can be picked."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table."""

    cells: tuple[str, ...]
    tone: Tone = "plain"
    name: str = ""
    """The metric that it is about, by which the row can be picked."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header."""

    columns: tuple[Column, ...]
    lines: Iterable[Line]
    grouped: bool = False
    """Whether the first column holds the same value for several lines, which may be written once above them."""
    name: str = ""
    """What the table is picked by, and referred to in a paper."""

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
    name: str = "side_by_side"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that was found in a file."""

    place: str
    """The file, and the line where it is known."""
    subject: str
    """What it is about, such as the id of a case; may be empty."""
    path: str
    """Where it is in there; may be empty."""
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Findings:
    """A list of what was found in a file, with its places."""

    title: str
    titles: tuple[str, str, str, str, str]
    """What the fields of an entry are called, for formats that draw them as a table."""
    entries: tuple[Entry, ...]
    tone: Tone = "plain"
    name: str = "findings"


Block: TypeAlias = Heading | Paragraph | Bullets | Table | SideBySide | Findings


def portions(lines: Iterable[Line], size: int) -> Iterator[tuple[Line, ...]]:
    """The lines in portions of at most the size, at least one portion even without lines."""
    rest = iter(lines)
    portion = tuple(islice(rest, size))
    yield portion
    while portion := tuple(islice(rest, size)):
        yield portion


def pick(blocks: Iterable[Block], wanted: Sequence[str]) -> Iterator[Block]:
    """Some of the sections and tables, by their names or by the metrics in them, each below its headings.

    Args:
        blocks: A document.
        wanted: Names of sections and tables, which are drawn whole, or of metrics, of which the columns or rows are.

    Raises:
        UsageError: One of them is not there.
    """
    headings: list[Heading] = []
    known: dict[str, None] = {}
    sections: dict[str, None] = {}
    inside: int | None = None
    for block in blocks:
        if isinstance(block, Heading):
            headings = [*(above for above in headings if above.level < block.level), block]
            sections.update({block.name: None} if block.name else {})
            if inside is not None and block.level <= inside:
                inside = None
            if inside is None and block.name in wanted and block.name:
                inside = block.level
        if isinstance(block, Table | SideBySide | Findings):
            known.update(dict.fromkeys(_names(block)))
        if inside is not None:
            headings = []
            yield block
        elif isinstance(block, Table | SideBySide | Findings):
            narrow = block if block.name in wanted else _narrowed(block, wanted)
            if narrow is not None:
                yield from (above for above in headings if above.level > 1)
                headings = []
                yield narrow
    for name in wanted:
        if name not in known and name not in sections:
            there = (*known, *sections)
            near = did_you_mean(name, there)
            hint = near if near.startswith("did you mean") else f"known here: {', '.join(there)}"
            raise UsageError(f"there is no table or metric {name!r} here; {hint}")


def _names(block: Table | SideBySide | Findings) -> Iterator[str]:
    """What a table can be picked by: its own name, and the metrics in it."""
    if block.name:
        yield block.name
    if isinstance(block, Table):
        yield from (column.name for column in block.columns if column.name)
        if isinstance(block.lines, tuple):
            yield from (line.name for line in block.lines if line.name)


def _narrowed(block: Table | SideBySide | Findings, wanted: Sequence[str]) -> Table | None:
    """A table with the rows, or the columns, of the wanted metrics alone; None where it has none of them."""
    if not isinstance(block, Table) or not any(name in wanted for name in _names(block)):
        return None
    lines = tuple(block.lines)
    if any(line.name in wanted for line in lines):
        return replace(block, lines=tuple(line for line in lines if line.name in wanted))
    places = [place for place, column in enumerate(block.columns) if column.key or column.name in wanted]
    columns = tuple(block.columns[place] for place in places)
    return replace(
        block,
        columns=columns,
        lines=tuple(replace(line, cells=tuple(line.cells[place] for place in places)) for line in lines),
    )
