"""Plain text for pipes, files and mails: 80 columns, no colours. A table that is too wide is drawn in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from .blocks import Block, Bullets, Column, Entry, Findings, Heading, Paragraph, SideBySide, Table
from .display import pad, shorten, squeeze, visible, width_of, wrap
from .render import Document, RenderOptions

__all__ = ["FORMAT", "SIDE", "WIDTH", "ColumnGroup", "cell", "entry_lines", "header", "parts"]

WIDTH = 80
SIDE = 38
"""Width of each of two columns side by side."""

_GAP = 2
_INDENT = 2
_NARROW = 12
"""A column of text is not squeezed below this before the table is drawn in parts."""

_MAX_SIDE_LINES = 4


class Text:
    """Any document as plain text."""

    suffix = "txt"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece."""
        return _drawn(document.blocks(options.words))


FORMAT = Text()


def _drawn(blocks: Iterable[Block]) -> Iterator[str]:
    before: Block | None = None
    for block in blocks:
        if before is not None and _apart(before, block):
            yield "\n"
        yield from _draw(block)
        before = block


def _apart(before: Block, block: Block) -> bool:
    """Whether an empty line stands between two blocks."""
    if isinstance(before, Heading):
        return not before.underlined or (before.level == 2 and not isinstance(block, (Table, Bullets, Paragraph)))
    return isinstance(block, (Heading, Table, Findings)) or type(before) is not type(block)


def _draw(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield from _heading(block)
        case Paragraph(wrapped=False):
            yield visible(block.text) + "\n"
        case Paragraph():
            yield from _lines(block.text, "", "")
        case Bullets():
            for item in block.items:
                yield from _lines(item.text, "- ", "  ")
        case Table():
            yield from _table(block)
        case SideBySide():
            yield from _sides(block)
        case Findings():
            yield visible(block.title) + "\n"
            for entry in block.entries:
                place, found = entry_lines(entry)
                yield f"{place}\n"
                yield from _lines(found, "    ", "    ")
        case _:
            assert_never(block)


def _heading(block: Heading) -> Iterator[str]:
    lines = wrap(visible(block.text), WIDTH, max_lines=3)
    yield from (f"{line}\n" for line in lines)
    if block.level < 3 and block.underlined:
        yield ("=" if block.level == 1 else "-") * max(map(width_of, lines)) + "\n"


def _lines(text: str, first: str, others: str) -> Iterator[str]:
    for index, line in enumerate(wrap(visible(text), WIDTH - len(first))):
        yield f"{others if index else first}{line}".rstrip() + "\n"


def _table(table: Table) -> Iterator[str]:
    columns = table.columns
    if table.streamed:
        (part, *_) = parts(columns, (), WIDTH, _GAP)
        yield from _header(part, columns, "")
        for line in table.lines:
            yield _row([visible(text) for text in line.cells], part, columns, "")
        return
    rows = [tuple(map(visible, line.cells)) for line in table.lines]
    if not table.grouped:
        yield from _measured(columns, rows)
        return
    indent = " " * _INDENT
    rest = [row[1:] for row in rows]
    for index, part in enumerate(parts(columns[1:], rest, WIDTH - _INDENT, _GAP)):
        if index:
            yield "\n"
        yield from _header(part, columns[1:], indent)
        above = None
        for row in rows:
            if row[0] != above:
                yield squeeze(row[0], WIDTH) + "\n"
                above = row[0]
            yield _row(row[1:], part, columns[1:], indent)


def _measured(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for index, part in enumerate(parts(columns, rows, WIDTH, _GAP)):
        if index:
            yield "\n"
        yield from _header(part, columns, "")
        for row in rows:
            yield _row(row, part, columns, "")


def _header(part: ColumnGroup, columns: Sequence[Column], indent: str) -> Iterator[str]:
    for titles in header(part, columns):
        yield (indent + (" " * _GAP).join(titles)).rstrip() + "\n"


def _row(row: Sequence[str], part: ColumnGroup, columns: Sequence[Column], indent: str) -> str:
    cells = (cell(row[index], columns[index], width) for index, width in zip(part.columns, part.widths, strict=True))
    return (indent + (" " * _GAP).join(cells)).rstrip() + "\n"


def _sides(block: SideBySide) -> Iterator[str]:
    yield _side_line(visible(block.left), " ", visible(block.right))
    for line in block.lines:
        left = wrap(visible(line.left), SIDE, max_lines=_MAX_SIDE_LINES)
        right = wrap(visible(line.right), SIDE, max_lines=_MAX_SIDE_LINES)
        for index in range(max(len(left), len(right))):
            yield _side_line(
                left[index] if index < len(left) else "",
                " " if index else line.mark or " ",
                right[index] if index < len(right) else "",
            )


def _side_line(left: str, mark: str, right: str) -> str:
    return f"{pad(left, SIDE)} {mark} {right}".rstrip() + "\n"


def entry_lines(entry: Entry) -> tuple[str, str]:
    """What was found, in two lines: where, which editors can jump to, and what."""
    about = " ".join(part for part in (entry.subject, entry.path, f"[{entry.kind}]") if part)
    return visible(f"  {entry.place}: {about}"), visible(entry.text)


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns that are drawn side by side."""

    columns: tuple[int, ...]
    """Their places in the table."""
    widths: tuple[int, ...]


def parts(columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int, gap: int) -> list[ColumnGroup]:
    """Lay a table out in the room there is.

    Columns of text give way first; if that is not enough, the figures continue in another part, which repeats the
    columns that say what a row is about.

    Args:
        columns: The columns.
        rows: What stands in them.
        room: Cells from the left to the right edge.
        gap: Cells between two columns.
    """
    widths = [_natural(column, index, rows) for index, column in enumerate(columns)]
    least = [
        min(width, _NARROW) if column.align == "left" else width for column, width in zip(columns, widths, strict=True)
    ]
    keys = [index for index, column in enumerate(columns) if column.key]
    others = [index for index, column in enumerate(columns) if not column.key]
    groups: list[list[int]] = [list(keys)]
    for index in others:
        longer = [*groups[-1], index]
        if _total_width(longer, least, gap) > room and len(groups[-1]) > len(keys):
            groups.append([*keys, index])
        else:
            groups[-1] = longer
    return [_part(sorted(group), columns, widths, room, gap) for group in groups]


def _natural(column: Column, index: int, rows: Sequence[Sequence[str]]) -> int:
    """The width of the widest cell; a title may be broken between words."""
    if column.width is not None:
        return column.width
    title = max(map(width_of, column.title.split(" ")))
    return max([title, *(width_of(row[index]) for row in rows)])


def _total_width(group: Sequence[int], widths: Sequence[int], gap: int) -> int:
    return sum(widths[index] for index in group) + gap * (len(group) - 1)


def _part(group: list[int], columns: Sequence[Column], natural: Sequence[int], room: int, gap: int) -> ColumnGroup:
    """Squeeze the widest column of text, again and again, until all fit."""
    widths = {index: natural[index] for index in group}
    over = sum(widths.values()) + gap * (len(group) - 1) - room
    flexible = [index for index in group if columns[index].align == "left"] or group
    while over > 0:
        widest = max(flexible, key=lambda index: widths[index])
        if widths[widest] <= 1:
            break
        widths[widest] -= 1
        over -= 1
    return ColumnGroup(tuple(group), tuple(widths[index] for index in group))


def cell(text: str, column: Column, width: int) -> str:
    """A cell of exactly the width; names are cut in their middle, other text at its end."""
    cut = squeeze(text, width) if column.key else shorten(text, width)
    return pad(cut, width, right=column.align == "right")


def header(part: ColumnGroup, columns: Sequence[Column]) -> list[list[str]]:
    """The titles in as many lines as the longest needs, standing at the bottom."""
    titles = [
        wrap(columns[index].title, width, max_lines=4) for index, width in zip(part.columns, part.widths, strict=True)
    ]
    height = max(map(len, titles))
    return [
        [
            cell(visible(([""] * (height - len(title)) + title)[line]), columns[index], width)
            for title, index, width in zip(titles, part.columns, part.widths, strict=True)
        ]
        for line in range(height)
    ]
