"""Names in tables, numbered lists and rankings: which row and column the question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgauge.locale import fold_word, tokenise

from ..page import Cell, Page
from ..question import stem
from .roles import find_concepts
from .wanted import WantedName
from .words import Name

__all__ = ["Ranking"]

NUMBERED = re.compile(r"[ \t]*\(?([0-9]{1,2})[.)][ \t]+")
SUPERLATIVE = re.compile(r"[a-z]{3,}est")
TOLD = 0.35
"""How much figures count where a sentence behind the table names somebody."""
FIRST_WORD = re.compile(r"[^\W\d_]+|[0-9]+(?:[.,][0-9]+)*")
AMOUNT = re.compile(r"[0-9][0-9.,:]*[0-9]|[0-9]")


class Ranking:
    """What the layout says of each name."""

    def __init__(self, page: Page, wanted: WantedName, names: Sequence[Name]) -> None:
        self.page, self.wanted = page, wanted
        self.cells: list[Cell | None] = [None] * len(names)
        if "|" in page.text:
            self.cells = [page.cell_at(name.start) for name in names]
        self.names = names
        last = max((cell.end for cell in self.cells if cell is not None), default=len(page.text))
        self.told = last < len(page.text) and any(
            cell is None and name.start > last and self._is_of_it(name)
            for name, cell in zip(names, self.cells, strict=True)
        )
        """Whether a sentence behind the table names somebody: then that says who is meant, not the figures."""
        self.winners: dict[int, int | None] = {}
        self.columns: dict[int, int | None] = {}
        self.shares: dict[str, int] = {}

    def _is_of_it(self, name: Name) -> bool:
        """Whether a sentence is about what is asked, and not about the best by something else."""
        if not self.wanted.most:
            return True
        start, end = self.page.sentences[self.page.sentence_at(name.start)]
        tokens = tokenise(self.page.text[start:end])
        own = {stem(token.low) for token in tokens if token.kind == "word"} & self.wanted.words
        if any(not word.startswith("=") for word in own):
            return True
        headings = {cell.column for cell in self.page.cells}
        others = {stem(token.low) for heading in headings for token in tokenise(heading)} - self.wanted.words
        said = {stem(token.low) for token in tokens if token.kind == "word"}
        superlatives = sum(SUPERLATIVE.fullmatch(token.low) is not None for token in tokens)
        return said.isdisjoint(others) and not superlatives

    def rules(self, index: int) -> dict[str, float]:
        """The rules that hold for a name because of its place."""
        cell = self.cells[index]
        if cell is not None:
            return self._in_table(cell)
        return self._in_list(self.names[index]) if self.wanted.most or not self.wanted.known else {}

    def _in_list(self, name: Name) -> dict[str, float]:
        start, end = self.page.lines[self.page.line_at(name.start)]
        number = NUMBERED.match(self.page.text, start, end)
        if number is None or number.end() < name.start - 3:
            return {}
        return {"place in a ranking": 1.0 if number[1] == "1" else -1.0}

    def _in_table(self, cell: Cell) -> dict[str, float]:
        holds: dict[str, float] = {}
        column = self._asked_column(cell.table)
        if column is not None and cell.place != column:
            holds["other column"] = 1.0
        if self.wanted.most and (column is None or column == cell.place):
            winner = self._winner(cell.table)
            if winner is not None:
                share = TOLD if self.told else 1.0
                holds["best of the table" if cell.line == winner else "not the best of the table"] = share
        return holds

    def _cells(self, table: int) -> list[Cell]:
        return [cell for cell in self.page.cells if cell.table == table]

    def _share(self, heading: str) -> int:
        """How many words of the question a heading has."""
        if heading not in self.shares:
            self.shares[heading] = self._count(heading)
        return self.shares[heading]

    def _count(self, heading: str) -> int:
        tokens = tokenise(heading)
        folded = [fold_word(token.low) for token in tokens]
        words = {stem(token.low) if token.kind == "word" else token.text for token in tokens}
        words |= {said.what for said in find_concepts(folded)}
        return len(words & self.wanted.words)

    def _asked_column(self, table: int) -> int | None:
        """The column that holds names such as the question asks for: as a rule the first that is no number."""
        if table not in self.columns:
            texts: dict[int, str] = {}
            for cell in self._cells(table):
                words = self.page.text[cell.start : cell.end].strip()
                if cell.place not in texts and any(map(str.isalpha, words)) and not words[:1].isdigit():
                    texts[cell.place] = cell.column
            shares = {place: self._share(heading) for place, heading in texts.items()}
            given = self._given_columns(table)
            open_columns = [place for place in texts if place not in given] or list(texts)
            best = max(open_columns, key=lambda place: (shares[place], -place), default=None)
            self.columns[table] = best
        return self.columns[table]

    def _given_columns(self, table: int) -> set[int]:
        """Columns with a cell that the question names: what is asked stands in another one."""
        if self.wanted.options:
            return set()
        found: set[int] = set()
        for cell in self._cells(table):
            first = FIRST_WORD.search(self.page.text, cell.start, cell.end)
            if first is None or fold_word(first.group().lower()) not in self.wanted.own:
                continue  # most cells
            words = [fold_word(token.low) for token in tokenise(self.page.text[cell.start : cell.end])]
            if words and any(word[:1].isalpha() for word in words) and all(word in self.wanted.own for word in words):
                found.add(cell.place)
        return found

    def _winner(self, table: int) -> int | None:
        """The row with the highest or lowest number in the column that the question names."""
        if table not in self.winners:
            self.winners[table] = self._find_winner(table)
        return self.winners[table]

    def _find_winner(self, table: int) -> int | None:
        columns: dict[int, dict[int, float]] = {}
        headings: dict[int, str] = {}
        for cell in self._cells(table):
            amount = _amount(self.page.text[cell.start : cell.end])
            if amount is not None:
                columns.setdefault(cell.place, {})[cell.line] = amount
                headings[cell.place] = cell.column
        shares = {place: self._share(headings[place]) for place, rows in columns.items() if len(rows) > 1}
        if not shares:
            return None
        most = max(shares.values())
        best = [place for place, share in shares.items() if share == most]
        if len(best) > 1 and not most:
            best = best if len(shares) == 1 else []
        if len(best) != 1:
            return None
        rows = columns[best[0]]
        line = (max if self.wanted.most > 0 else min)(rows, key=lambda row: rows[row])
        return line if list(rows.values()).count(rows[line]) == 1 else None


def _amount(text: str) -> float | None:
    """The first figure of a cell; how it is grouped is told by what stands behind its signs."""
    match = AMOUNT.search(text)
    if match is None or sum(map(str.isalpha, text[: match.start()])) > 2:
        return None
    figure = match.group()
    if ":" in figure:
        hours, _, minutes = figure.partition(":")
        return float(hours or 0) * 60 + float(re.sub(r"[^0-9]", "", minutes)[:2] or 0) if hours.isdigit() else None
    parts = re.split(r"[.,]", figure)
    if len(parts) == 1:
        return float(figure)
    if len(parts[-1]) == 3 and parts[0] != "0":
        return float("".join(parts))
    return float("".join(parts[:-1]) + "." + parts[-1])
