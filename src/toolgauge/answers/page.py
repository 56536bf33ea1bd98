"""An answer as a reader sees it: text without markup, and what is emphasised, a heading, a table, a list."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from toolgauge.core import nfc

from .reading import MAX_CHARACTERS, STRONG, STRUCK, TAG, clean, last_marker, sentence_ends
from .surroundings import Surroundings

__all__ = ["Cell", "Page", "Span", "read_page"]

Span = tuple[int, int]
HEAD_CHARACTERS = 12_000
"""Of an answer that is too long, how much is read of its beginning; the rest is read of its end."""
HTML_ROW = re.compile(r"<tr\b[^<>]{0,200}>", re.IGNORECASE)
HTML_CELL_END = re.compile(r"</t[dh]>\s{0,20}", re.IGNORECASE)
HTML_ITEM = re.compile(r"<li\b[^<>]{0,200}>", re.IGNORECASE)
HTML_BREAK = re.compile(r"<br\s?/?>|</p>|</li>|</h[1-6]>|</?table\b[^<>]{0,200}>", re.IGNORECASE)
APART = re.compile(r"\|[ \t]*\n\s*\|")
HTML_STRONG = re.compile(r"</?(?:b|strong|mark|u)>", re.IGNORECASE)
HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,200}>", re.IGNORECASE)
HEADING = re.compile(r"\s{0,3}#{1,6}\s+(\S.*)")
ROW = re.compile(r"\s*\|?(?:[^|\n]*\|){1,40}[^|\n]*")
RULE = re.compile(r"[\s|:+-]+")
LIST_ITEM = re.compile(r"\s*(?:[-•+–*]|\(?[0-9]{1,3}[.)]|[a-zA-Z][.)])\s+(?=\S)")
LABEL = re.compile(
    r"\s*(?P<item>[-•+–*]\s+|\(?[0-9]{1,3}[.)]\s+)?(?:(?P<named>[^\s:|.!?](?:[^:|.!?\n]|\.(?=\w)){0,60}?)\s?(?::\s|:$|=\s|→\s)"
    r"|(?P<dashed>[^\W\d_][^:|.!?,;\d\n]{0,40}?)\s[–—-]\s)"
)
ITEM_LABEL = re.compile(r"\s*[-•+*▪◦]\s+(?P<label>[^\s(:|–—][^(:|\n–—,;!?]{0,40}?)(?:\s\(|\s[–—-]\s)")
"""The label of an item of a list whose value stands in brackets or behind a dash: `- 2.4 (11 Jul 2024)`."""
MOST_WORDS = 8
"""In a line that is no item of a list, more words before a colon are a sentence and no label."""
LONGEST_EMPHASIS = 90
"""A longer stretch is not emphasised, it is loud."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, with the words that say what it holds."""

    start: int
    end: int
    row: str
    """The other words of its row, as a rule the first cell."""
    column: str
    """The heading of its column."""
    table: int
    line: int
    """Which row of the table it is in, counted from its first one behind the heading."""
    place: int
    """Which column."""


@dataclass
class Page:
    """The text of an answer and how it is laid out."""

    text: str
    emphasised: list[Span]
    """Bold and code, in order."""
    around: Surroundings = field(init=False)

    def __post_init__(self) -> None:
        self.around = Surroundings(self.text)

    @cached_property
    def sentences(self) -> list[Span]:
        """Where sentences and lines stand."""
        spans: list[Span] = []
        begin = 0
        for end in (*sentence_ends(self.text), len(self.text)):
            if self.text[begin:end].strip():
                spans.append((begin, end))
            begin = end
        return spans

    def sentence_at(self, place: int) -> int:
        """Which sentence a place lies in."""
        return max(0, bisect_right(self.sentences, (place, len(self.text) + 1)) - 1)

    def emphasis_at(self, start: int, end: int) -> Span | None:
        """The bold or code that a stretch lies in; a whole paragraph of it emphasises nothing."""
        for begin, stop in self.emphasised_from(start):
            shared = min(end, stop) - max(start, begin)
            if 2 * shared >= end - start and stop - begin <= LONGEST_EMPHASIS:
                is_label = ":" in self.text[max(end, stop - 1) : stop + 1]
                return None if is_label else (begin, stop)
        return None

    def emphasised_from(self, place: int) -> list[Span]:
        """The bold or code that a place lies in, or the next one."""
        first = max(0, bisect_right(self.emphasised, (place, len(self.text) + 1)) - 1)
        return self.emphasised[first : first + 2]

    @cached_property
    def lines(self) -> list[Span]:
        """Where the lines stand, without their ends."""
        spans: list[Span] = []
        begin = 0
        for line in self.text.split("\n"):
            spans.append((begin, begin + len(line)))
            begin += len(line) + 1
        return spans

    def line_at(self, place: int) -> int:
        """Which line a place lies in."""
        return max(0, bisect_right(self.lines, (place, len(self.text) + 1)) - 1)

    def is_item(self, line: int) -> bool:
        """Whether a line is one of a list, of labels and values, or of a table."""
        start, end = self.lines[line]
        text = self.text[start:end]
        return "|" in text or LIST_ITEM.match(text) is not None or LABEL.match(text) is not None

    @cached_property
    def headings(self) -> list[str]:
        """For each line the words of the heading above it; a line that ends in a colon is one for the list below it."""
        found: list[str] = []
        title = lead = ""
        for start, end in self.lines:
            line = self.text[start:end]
            match = HEADING.fullmatch(line)
            if match:
                title, lead = match[1], ""
            elif self._is_title(start, end):
                title, lead = line, ""
            found.append(f"{title} {lead}".strip())
            if line.rstrip().endswith(":"):
                lead = line
            elif line.strip() and not LIST_ITEM.match(line) and "|" not in line:
                lead = ""
        return found

    def _is_title(self, start: int, end: int) -> bool:
        """Whether a line is nothing but a few emphasised words."""
        line = self.text[start:end].strip().rstrip(":")
        if not line or len(line) > 60 or line[-1] in ".!?":
            return False
        begin = start + len(self.text[start:end]) - len(self.text[start:end].lstrip())
        return self.emphasis_at(begin, begin + len(line)) is not None and not any(letter.isdigit() for letter in line)

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells of all tables, in order."""
        found: list[Cell] = []
        rows: list[list[Span]] = []
        ruled = False
        table = 0
        for start, end in (*self.lines, (len(self.text), len(self.text))):
            line = self.text[start:end]
            if "|" in line and ROW.fullmatch(line):
                if not RULE.fullmatch(line):
                    rows.append(_cell_spans(line, start))
                    continue
                if ruled and len(rows) > 1:  # the heading of a second table, right behind the first one
                    found += self._table(rows[:-1], table)
                    rows, table = rows[-1:], table + 1
                ruled = True
            elif line.strip() or end == len(self.text):
                if len(rows) > 1:
                    found += self._table(rows, table)
                    table += 1
                rows, ruled = [], False
        return found

    def _table(self, rows: list[list[Span]], table: int) -> list[Cell]:
        heads = [self.text[start:end].strip() for start, end in rows[0]]
        cells: list[Cell] = []
        for number, row in enumerate(rows[1:]):
            label = self._label(heads, row)
            for place, (start, end) in enumerate(row):
                column = heads[place] if place < len(heads) else ""
                cells.append(Cell(start, end, label, column, table, number, place))
        return cells

    def _label(self, heads: list[str], row: list[Span]) -> str:
        """What a row is about: its first cell, with the heading over it where that is a mere number."""
        cells = [self.text[start:end].strip() for start, end in row[:2]]
        if not cells:
            return ""
        if not _is_counter(cells[0]):
            return cells[0]
        return " | ".join([f"{heads[0] if heads else ''} {cells[0]}", *cells[1:]])

    def caption(self, cell: Cell) -> str:
        """The line that stands above a table."""
        line = self.line_at(cell.start)
        while line and ("|" in self._line(line) or not self._line(line).strip()):
            line -= 1
        return self._line(line)

    def _line(self, line: int) -> str:
        return self.text[self.lines[line][0] : self.lines[line][1]]

    def other_cells(self, cell: Cell) -> list[tuple[str, str]]:
        """The headings and texts of the other cells in a row, but for the first one."""
        return [
            (other.column, self.text[other.start : other.end].strip())
            for other in self._rows.get((cell.table, cell.line), ())
            if other.place not in (0, cell.place)
        ]

    def corner(self, cell: Cell) -> str:
        """The heading over the first column of a table, which may state the unit of all others."""
        return self._rows[cell.table, cell.line][0].column

    def first_cell(self, cell: Cell) -> Cell:
        """The first cell in the row of a cell."""
        return self._rows[cell.table, cell.line][0]

    def stripped(self, cell: Cell) -> Span:
        """Where the words of a cell stand, without the spaces around them."""
        words = self.text[cell.start : cell.end]
        return cell.start + len(words) - len(words.lstrip()), cell.end - len(words) + len(words.rstrip())

    @cached_property
    def _rows(self) -> dict[tuple[int, int], list[Cell]]:
        rows: dict[tuple[int, int], list[Cell]] = {}
        for cell in self.cells:
            rows.setdefault((cell.table, cell.line), []).append(cell)
        return rows

    def cell_at(self, place: int) -> Cell | None:
        """The cell that a place lies in."""
        index = bisect_right(self.cells, place, key=lambda cell: cell.start) - 1
        return self.cells[index] if index >= 0 and place <= self.cells[index].end else None

    def is_label(self, start: int, end: int) -> bool:
        """Whether a place lies in what a line says of the value behind it."""
        first, last = self.lines[self.line_at(start)]
        match = LABEL.match(self.text, first, last)
        return match is not None and bool(match["item"]) and end <= match.end() < last

    def label_at(self, place: int) -> str:
        """What a line says of the value behind it: `Bán ra` in `- Bán ra: 85,2`."""
        start, end = self.lines[self.line_at(place)]
        match = LABEL.match(self.text, start, end)
        if match is None or match.end() > place + 1:
            item = ITEM_LABEL.match(self.text, start, end)
            return item["label"] if item and item.end() <= place and len(item["label"].split()) <= MOST_WORDS else ""
        label = match["named"] or match["dashed"]
        if self.sentence_at(match.end() - 1) != self.sentence_at(place):
            return ""
        return label if match["item"] or len(label.split()) <= MOST_WORDS else ""

    @cached_property
    def marker(self) -> re.Match[str] | None:
        """The last words that announce the answer."""
        return last_marker(self.text)


def _is_counter(label: str) -> bool:
    return label.rstrip(".)").isdigit() and len(label) <= 3


def _cell_spans(line: str, start: int) -> list[Span]:
    """Where the cells of a row stand; strokes at either end of the line open and close none."""
    spans: list[Span] = []
    begin = 0
    for index, letter in enumerate(line):
        if letter == "|":
            spans.append((start + begin, start + index))
            begin = index + 1
    spans.append((start + begin, start + len(line)))
    if not line[: spans[0][1] - start].strip():
        spans = spans[1:]
    if spans and not line[spans[-1][0] - start :].strip():
        spans = spans[:-1]
    return spans


def read_page(output: str) -> Page:
    """Lay out an answer; of a very long one the beginning and the end."""
    text = nfc(output)
    if len(text) > MAX_CHARACTERS:
        head, tail = text[:HEAD_CHARACTERS], text[HEAD_CHARACTERS - MAX_CHARACTERS :]
        text = f"{head.rpartition(' ')[0] or head}\n\n{tail.partition(' ')[2] or tail}"
    if "<" in text:
        text = STRUCK.sub(" ", text)
        text = HTML_HEADING.sub(lambda match: "\n" + "#" * int(match[1]) + " ", text)
        text = HTML_STRONG.sub("**", HTML_ITEM.sub("\n- ", HTML_CELL_END.sub(" | ", HTML_ROW.sub("\n| ", text))))
        text = APART.sub("|\n|", TAG.sub(" ", HTML_BREAK.sub("\n", text)))
    text = clean(text, keep_strong=True)
    pieces: list[str] = []
    emphasised: list[Span] = []
    place = length = 0
    opened: tuple[str, int] | None = None
    for match in STRONG.finditer(text):
        pieces.append(text[place : match.start()])
        length += match.start() - place
        place = match.end()
        if opened is None:
            opened = (match.group()[0], length)
        elif match.group()[0] == opened[0]:
            emphasised.append((opened[1], length))
            opened = None
    pieces.append(text[place:])
    return Page("".join(pieces), emphasised)
