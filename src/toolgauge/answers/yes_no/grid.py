"""What the cell of a table says to a yes-or-no question that names its row and its column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..page import Cell, Page
from ..question import stem
from .opposites import folded_words
from .outright import verdicts_in
from .polar import Stance, stance_of
from .subjects import DAY, Asked
from .weekdays import weekdays_in

__all__ = ["by_grid", "is_in_grid"]

FEWEST = 3
"""Columns of a table that is read by row and column; one with fewer is a list of labels."""
WEIGHTS = {"cell": 3.5}
LESS = 1.0
"""How much less a cell says whose column the question does not name."""
HOURS = re.compile(r"\s*[0-9]{1,2}(?:[:h.][0-9]{0,2})?\s?(?:[ap]\.?m\.?)?\s?[-–—]\s?[0-9]")
YES_SIGN = re.compile(r"\W*(?:[✅✔✓●☑]|x\b|o\b|có\b|yes\b|y\b|đạt\b|pass(?:ed)?\b|ok\b|rồi\b|true\b)", re.IGNORECASE)
NO_SIGN = re.compile(
    r"\W*(?:[❌✗✘☒]|không\b|no\b|n\b|chưa\b|fail(?:ed)?\b|none\b|n/a\b|false\b)|\s*[-–—]?\s*$", re.IGNORECASE
)


def is_in_grid(page: Page, place: int) -> bool:
    """Whether a place lies in a table of several columns, whose lines say nothing by themselves."""
    if "|" not in page.text:
        return False
    first, last = page.lines[page.line_at(place)]
    return page.text.count("|", first, last) >= FEWEST + 1


def by_grid(page: Page, asked: Asked) -> Iterator[tuple[Stance, Cell]]:
    """The cells that the question names by row and column, with what they say to it."""
    if "|" not in page.text:
        return
    tables: dict[int, list[Cell]] = {}
    for cell in page.cells:
        tables.setdefault(cell.table, []).append(cell)
    for cells in tables.values():
        if max(cell.place for cell in cells) + 1 < FEWEST:
            continue
        row = _row(cells, asked)
        if row is None:
            continue
        found = _cell(page, [cell for cell in cells if cell.line == row and cell.place], asked)
        if found is not None:
            yield found


def _row(cells: Sequence[Cell], asked: Asked) -> int | None:
    """The only row whose first cells are most like the question."""
    shares: dict[int, int] = {}
    for cell in cells:
        if cell.place == 0:
            shares[cell.line] = _likeness(cell.row, asked)
    best = max(shares.values(), default=0)
    rows = [line for line, share in shares.items() if share == best]
    return rows[0] if best and len(rows) == 1 else None


def _likeness(text: str, asked: Asked) -> int:
    """How many words, names and days of the question a label has."""
    days = weekdays_in(f"{text}:")
    shared = sum(stem(word) in asked.echo or word in asked.tokens for word in set(folded_words(text)))
    dates = {match.group() for match in DAY.finditer(text)} & asked.days
    return shared + 2 * bool(days & asked.weekdays) + 2 * bool(dates) - 2 * bool(days and not days & asked.weekdays)


def _cell(page: Page, row: Sequence[Cell], asked: Asked) -> tuple[Stance, Cell] | None:
    shares = [_likeness(cell.column, asked) for cell in row]
    best = max(shares, default=0)
    columns = [cell for cell, share in zip(row, shares, strict=True) if share == best]
    if best > 0 and len(columns) == 1:
        value = _read(page.text[columns[0].start : columns[0].end], columns[0].column, asked)
        if value is not None:
            return Stance(value, WEIGHTS["cell"], "cell"), columns[0]
    said = [(value, cell) for cell in row if (value := _read_status(page, cell, asked)) is not None]
    if said and len({value for value, _ in said}) == 1:
        return Stance(said[-1][0], WEIGHTS["cell"] - LESS, "cell"), said[-1][1]
    return None


def _read_status(page: Page, cell: Cell, asked: Asked) -> bool | None:
    text = page.text[cell.start : cell.end].strip()
    found = stance_of(text, asked) if text and len(text) < 60 else None
    return None if found is None or found.rule == "repeated" else found.value


def _read(text: str, column: str, asked: Asked) -> bool | None:
    """What a cell says: by a sign, by yes or no, by the words of the question or their contraries, by hours."""
    found = stance_of(text, asked)
    if found is not None and found.rule != "repeated":
        return found.value
    contrary = stance_of(column, asked)
    flips = asked.negated or (contrary is not None and not contrary.value)
    if YES_SIGN.match(text):
        return not flips
    if NO_SIGN.match(text):
        return flips
    said = next(verdicts_in(text), None)
    if said is not None and said.start == 0:
        return said.value is not flips
    if asked.weekdays and HOURS.match(text):
        return not asked.negated
    return None
