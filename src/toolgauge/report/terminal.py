"""The text report on a terminal: the same blocks in colours and boxes, drawn by rich.

Rich is imported here only. It is given `Text` objects, never strings with markup: `[bold red]` in a name is a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, assert_never

from rich import box
from rich.console import Group
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from .blocks import Block, Bullets, Findings, Heading, Line, Paragraph, SideBySide, Table, Tone, portions
from .display import visible
from .text import ColumnGroup, cell, entry_lines, header, parts

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["draw_terminal"]

_STYLES: dict[Tone, str] = {
    "plain": "",
    "strong": "bold",
    "good": "green",
    "bad": "red",
    "warn": "yellow",
    "dim": "dim",
}
_GAP = 3
_EDGES = 4
_LINES_OF_A_TABLE = 200
"""A box cannot be drawn before it is full, so a long table becomes several."""


def draw_terminal(blocks: Iterable[Block], console: Console) -> None:
    """Print blocks on a console, piece by piece."""
    for block in blocks:
        for piece in _draw(block, console.width):
            console.print(piece)


def _text(text: str, tone: Tone = "plain") -> Text:
    return Text(visible(text), style=_STYLES[tone])


def _draw(block: Block, width: int) -> Iterator[RenderableType]:
    match block:
        case Heading(level=1):
            yield Rule(Text(visible(block.text), style="bold"), align="left", style="dim")
        case Heading():
            yield Group(Text(), Text(visible(block.text), style="bold cyan" if block.level == 2 else "bold"))
        case Paragraph():
            yield _text(block.text, block.tone)
        case Bullets():
            yield Group(*(_bullet(item.text, item.tone) for item in block.items))
        case Table():
            for portion in portions(block.lines, _LINES_OF_A_TABLE):
                yield from _table(block, portion, width)
        case SideBySide():
            yield _sides(block)
        case Findings():
            yield Text(visible(block.title), style=f"bold {_STYLES[block.tone]}".strip())
            for place, found in map(entry_lines, block.entries):
                yield Group(Text(place, style="dim"), Padding(Text(found), (0, 0, 0, 4)))
            yield Text()
        case _:
            assert_never(block)


def _bullet(text: str, tone: Tone) -> RenderableType:
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=1)
    grid.add_column()
    grid.add_row(Text("•", style="dim"), _text(text, tone))
    return Padding(grid, (0, 0, 0, 1))


def _table(table: Table, lines: Sequence[Line], width: int) -> Iterator[RenderableType]:
    rows = [tuple(map(visible, line.cells)) for line in lines]
    for part in parts(table.columns, rows, width - _EDGES, _GAP):
        yield _part(table, part, lines, rows)


def _part(table: Table, part: ColumnGroup, lines: Sequence[Line], rows: Sequence[Sequence[str]]) -> Grid:
    """A box of columns that fit; cells are cut to size before rich sees them."""
    grid = Grid(box=box.ROUNDED, border_style="dim", header_style="bold")
    titles = zip(*header(part, table.columns), strict=True)
    for title, width in zip(titles, part.widths, strict=True):
        grid.add_column(Text("\n".join(title)), width=width, no_wrap=True)
    for number, (line, row) in enumerate(zip(lines, rows, strict=True)):
        repeated = table.grouped and number > 0 and rows[number - 1][0] == row[0]
        if table.grouped and number > 0 and not repeated:
            grid.add_section()
        grid.add_row(
            *(
                Text(
                    cell("" if repeated and index == 0 else row[index], table.columns[index], width),
                    style=_STYLES[line.tone],
                )
                for index, width in zip(part.columns, part.widths, strict=True)
            )
        )
    return grid


def _sides(block: SideBySide) -> Grid:
    grid = Grid(box=box.ROUNDED, border_style="dim", header_style="bold", expand=True, show_lines=False)
    grid.add_column(Text(visible(block.left)), ratio=1, overflow="fold")
    grid.add_column(Text(""), width=1)
    grid.add_column(Text(visible(block.right)), ratio=1, overflow="fold")
    for line in block.lines:
        grid.add_row(_text(line.left), _text(line.mark, line.tone), _text(line.right, line.tone))
    return grid
