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

__all__ = ["by_grid", "is_in_grid", "rows_beside"]

FEWEST = 3
"""Columns of a table whose lines say nothing by themselves; one with fewer is a list of labels as well."""
COUNT = re.compile(r"[0-9]{1,6}")
PRICED = re.compile(r"[+$€£]\s?[1-9]|[1-9][0-9.,]*\s?(?:đ\b|đồng|vnd|usd|k\b|€|£)", re.IGNORECASE)
STOCKED = frozenset(folded_words("còn have stock available left sẵn any"))
MOST_CELLS, MOST_WORDS = 400, 8
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
        row = _row(cells, asked)
        if row is None:
            continue
        found = _cell(page, [cell for cell in cells if cell.line == row and cell.place], asked)
        if found is None and max(cell.place for cell in cells) + 1 >= FEWEST:
            found = _held_there(page, cells, row, asked)
        if found is not None:
            yield found


def rows_beside(page: Page, asked: Asked) -> list[frozenset[str]]:
    """The words of the rows that the question does not name, of a table in which it names one."""
    found: list[frozenset[str]] = []
    tables: dict[int, list[Cell]] = {}
    for cell in page.cells if "|" in page.text else ():
        tables.setdefault(cell.table, []).append(cell)
    for cells in tables.values():
        row = _row(cells, asked)
        mine = {word for cell in cells if cell.line == row and not cell.place for word in folded_words(cell.row)}
        for cell in cells[:MOST_CELLS] if row is not None else ():
            words = frozenset(folded_words(cell.row)) - mine
            if cell.line != row and words and not cell.place and words.isdisjoint(asked.tokens):
                found.append(words)
    return found


def _held_there(page: Page, cells: Sequence[Cell], row: int, asked: Asked) -> tuple[Stance, Cell] | None:
    """Whether the cell that the question names holds what it asks for, where another cell of the table does."""
    shares = {cell.place: _likeness(cell.column, asked) for cell in cells if cell.line == row and cell.place}
    best = max(shares.values(), default=(0, 0))
    places = [place for place, share in shares.items() if share == best]
    if best <= (0, 0) or len(places) != 1:
        return None
    holding = {
        (cell.line, cell.place)
        for cell in cells[:MOST_CELLS]
        if cell.place and (words := folded_words(page.text[cell.start : cell.end])) and _asks_for(words, asked)
    }
    mine = next((cell for cell in cells if cell.line == row and cell.place == places[0]), None)
    if not holding or mine is None or not page.text[mine.start : mine.end].strip():
        return None
    value = (mine.line, mine.place) in holding
    return Stance(value is not asked.negated, WEIGHTS["cell"] - LESS, "cell"), mine


def _asks_for(words: Sequence[str], asked: Asked) -> bool:
    return all(stem(word) in asked.echo for word in words) and not all(word.isdigit() for word in words)


def _row(cells: Sequence[Cell], asked: Asked) -> int | None:
    """The only row whose first cells are most like the question."""
    shares: dict[int, tuple[int, int]] = {}
    for cell in cells:
        if cell.place == 0:
            shares[cell.line] = _likeness(cell.row, asked)
    best = max(shares.values(), default=(0, 0))
    rows = [line for line, share in shares.items() if share == best]
    return rows[0] if best > (0, 0) and len(rows) == 1 else None


def _likeness(text: str, asked: Asked) -> tuple[int, int]:
    """How many words, names and days of the question a label has, and how many others, below nought."""
    days = weekdays_in(f"{text}:")
    words = set(folded_words(text))
    shared = sum(stem(word) in asked.echo or word in asked.tokens for word in words)
    others = min(len(words), MOST_WORDS) - shared if shared else 0
    dates = {match.group() for match in DAY.finditer(text)} & asked.days
    score = shared + 2 * bool(days & asked.weekdays) + 2 * bool(dates) - 2 * bool(days and not days & asked.weekdays)
    return (score, -max(0, others)) if score > 0 else (score, 0)


def _cell(page: Page, row: Sequence[Cell], asked: Asked) -> tuple[Stance, Cell] | None:
    shares = [_likeness(cell.column, asked) for cell in row]
    best = max(shares, default=(0, 0))
    columns = [cell for cell, share in zip(row, shares, strict=True) if share == best]
    if len(columns) == 1 and (best > (0, 0) or len(row) == 1):
        text = page.text[columns[0].start : columns[0].end].strip()
        if COUNT.fullmatch(text) and not asked.tokens.isdisjoint(STOCKED):
            return Stance((float(text) > 0) is not asked.negated, WEIGHTS["cell"], "cell"), columns[0]
        if asked.objects and PRICED.search(text):
            return Stance(asked.negated, WEIGHTS["cell"], "cell"), columns[0]
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
