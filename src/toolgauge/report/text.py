"""Plain text for pipes, files and mails: 80 columns, no colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from .blocks import Block, Bullets, Column, Heading, Paragraph, SideBySide, Table
from .display import pad, squeeze, visible, width_of, wrap
from .layout import Part, cell, header, parts

__all__ = ["SIDE", "WIDTH", "draw_text"]

WIDTH = 80
SIDE = 38
"""Width of each of two columns side by side."""

_GAP = 2
_INDENT = 2
_MOST_SIDE_LINES = 4


def draw_text(blocks: Iterable[Block]) -> Iterator[str]:
    """Draw blocks as plain text, piece by piece."""
    before: Block | None = None
    for block in blocks:
        if before is not None and _apart(before, block):
            yield "\n"
        yield from _draw(block)
        before = block


def _apart(before: Block, block: Block) -> bool:
    """Whether an empty line stands between two blocks."""
    if isinstance(before, Heading):
        return before.level == 2 and not isinstance(block, (Table, Bullets, Paragraph))
    return isinstance(block, (Heading, Table)) or type(before) is not type(block)


def _draw(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield from _heading(block)
        case Paragraph():
            yield from _lines(block.text, "", "")
        case Bullets():
            for item in block.items:
                yield from _lines(item.text, "- ", "  ")
        case Table():
            yield from _table(block)
        case SideBySide():
            yield from _sides(block)
        case _:
            assert_never(block)


def _heading(block: Heading) -> Iterator[str]:
    lines = wrap(visible(block.text), WIDTH, most=3)
    yield from (f"{line}\n" for line in lines)
    if block.level < 3:
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


def _header(part: Part, columns: Sequence[Column], indent: str) -> Iterator[str]:
    for titles in header(part, columns):
        yield (indent + (" " * _GAP).join(titles)).rstrip() + "\n"


def _row(row: Sequence[str], part: Part, columns: Sequence[Column], indent: str) -> str:
    cells = (cell(row[index], columns[index], width) for index, width in zip(part.columns, part.widths, strict=True))
    return (indent + (" " * _GAP).join(cells)).rstrip() + "\n"


def _sides(block: SideBySide) -> Iterator[str]:
    yield _side_line(visible(block.left), " ", visible(block.right))
    for line in block.lines:
        left = wrap(visible(line.left), SIDE, most=_MOST_SIDE_LINES)
        right = wrap(visible(line.right), SIDE, most=_MOST_SIDE_LINES)
        for index in range(max(len(left), len(right))):
            yield _side_line(
                left[index] if index < len(left) else "",
                " " if index else line.mark or " ",
                right[index] if index < len(right) else "",
            )


def _side_line(left: str, mark: str, right: str) -> str:
    return f"{pad(left, SIDE)} {mark} {right}".rstrip() + "\n"
