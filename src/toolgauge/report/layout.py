"""How wide the columns of a table are, and how a table that is too wide is drawn in parts below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .blocks import Column
from .display import pad, shorten, squeeze, visible, width_of, wrap

__all__ = ["Part", "cell", "header", "parts"]

_NARROW = 12
"""A column of text is not squeezed below this before the table is drawn in parts."""


@dataclass(frozen=True, slots=True)
class Part:
    """Columns that are drawn side by side."""

    columns: tuple[int, ...]
    """Their places in the table."""
    widths: tuple[int, ...]


def parts(columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int, gap: int) -> list[Part]:
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
        if _total(longer, least, gap) > room and len(groups[-1]) > len(keys):
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


def _total(group: Sequence[int], widths: Sequence[int], gap: int) -> int:
    return sum(widths[index] for index in group) + gap * (len(group) - 1)


def _part(group: list[int], columns: Sequence[Column], natural: Sequence[int], room: int, gap: int) -> Part:
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
    return Part(tuple(group), tuple(widths[index] for index in group))


def cell(text: str, column: Column, width: int) -> str:
    """A cell of exactly the width; names are cut in their middle, other text at its end."""
    cut = squeeze(text, width) if column.key else shorten(text, width)
    return pad(cut, width, right=column.align == "right")


def header(part: Part, columns: Sequence[Column]) -> list[list[str]]:
    """The titles in as many lines as the longest needs, standing at the bottom."""
    titles = [wrap(columns[index].title, width, most=4) for index, width in zip(part.columns, part.widths, strict=True)]
    height = max(map(len, titles))
    return [
        [
            cell(visible(([""] * (height - len(title)) + title)[line]), columns[index], width)
            for title, index, width in zip(titles, part.columns, part.widths, strict=True)
        ]
        for line in range(height)
    ]
