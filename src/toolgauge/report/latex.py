r"""LaTeX for papers: tables with `booktabs`, a caption and a label, ready to be pasted.

The text is a fragment to be read with `\input`. Vietnamese letters stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import assert_never
from unicodedata import normalize

from .blocks import Block, Bullets, Column, Findings, Heading, Line, Paragraph, SideBySide, Table, portions
from .display import visible, width_of, wrap
from .render import Document, RenderOptions

__all__ = ["FORMAT", "escape"]

_LINES_OF_A_PAGE = 40
"""What is longer does not fit on a page, and is drawn so that it continues on the next one."""

_TITLE_WIDTH = 10
"""The titles of columns of figures are broken into lines of about as many characters."""

_SIZES = ((62, r"\small"), (78, r"\footnotesize"))
"""The size of letters in which tables of so many characters fit the page of an article; wider ones get the next."""

_SMALLEST = r"\scriptsize\setlength{\tabcolsep}{3pt}"

_LONGEST = 40
"""A cell of a column of text that is longer is broken into lines."""

_OPENING = r"""% Paste what you need into a document of your own, or read all of it with \input. It needs
%   \usepackage{booktabs,longtable}
% and for Vietnamese letters XeLaTeX or LuaLaTeX, or with pdfLaTeX also
%   \usepackage[utf8]{inputenc} \usepackage[T5]{fontenc}
"""

_COMMA = re.compile(r"(?<=\d),(?=\d)")

_MINUS = re.compile(r"(?<![\w-])-(?=\d)")
"""The sign of a number, for which a hyphen is too short."""

_SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection"}

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": "{`}",
        '"': r"\textquotedbl{}",
        # After the end of a row these two would belong to the command.
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        # Signs of ours that not every font has.
        "–": "--",
        "—": "---",
        "…": r"\ldots{}",
        "“": "``",
        "”": "''",
        "⏎": r"$\hookleftarrow$",
        "→": r"$\rightarrow$",
        "✓": r"$\surd$",
        "✗": r"$\times$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "±": r"$\pm$",
        "∞": r"$\infty$",
        "∩": r"$\cap$",
        "−": "$-$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "²": "$^2$",
    }
)


class Latex:
    """Any document as LaTeX; of tables that were picked nothing but the tables."""

    suffix = "tex"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece."""
        words = options.words
        drawn = _Drawing(document, document.title(words), tables_only=bool(options.tables)).draw(document.blocks(words))
        if words("number.decimal") != ",":
            return drawn
        # In formulas a comma between digits would be followed by a space.
        return (_COMMA.sub("{,}", piece) for piece in drawn)


FORMAT = Latex()


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, on one line; a letter and its accents are one character."""
    return normalize("NFC", visible(text)).translate(_ESCAPES)


class _Drawing:
    """What is known while a document is drawn: the headings above a table, and the labels that are taken."""

    def __init__(self, document: Document, title: str, *, tables_only: bool) -> None:
        self._name = document.name
        self._title = title
        self._tables_only = tables_only
        self._headings: dict[int, str] = {}
        self._labels: Counter[str] = Counter()

    def draw(self, blocks: Iterable[Block]) -> Iterator[str]:
        yield _OPENING
        for block in blocks:
            if isinstance(block, Heading):
                self._headings = {level: text for level, text in self._headings.items() if level < block.level}
                self._headings[block.level] = block.text
            if not self._tables_only or not isinstance(block, Heading) or block.name:
                yield "\n"
                yield from self._draw(block)

    def _draw(self, block: Block) -> Iterator[str]:
        match block:
            case Heading():
                yield f"\\{_SECTIONS[block.level]}*{{{escape(block.text)}}}\n"
            case Paragraph():
                yield f"{escape(block.text)}\\par\n"
            case Bullets():
                yield "\\begin{itemize}\n"
                yield from (f"  \\item {escape(item.text)}\n" for item in block.items)
                yield "\\end{itemize}\n"
            case Table():
                yield from self._table(block)
            case SideBySide():
                yield from _sides(block)
            case Findings():
                lines = tuple(
                    Line((entry.place, entry.subject, f"{entry.text} ({entry.kind})")) for entry in block.entries
                )
                titles = (block.titles[0], block.titles[1], block.titles[4])
                columns = tuple(Column(title, "left", key=index < 2) for index, title in enumerate(titles))
                yield from self._table(Table(columns, lines, name=block.name), block.title)
            case _:
                assert_never(block)

    def _table(self, table: Table, heading: str | None = None) -> Iterator[str]:
        """A float, or what continues on the next page where there are too many lines for one."""
        caption, label = self._caption(heading), self._label(table.name)
        lines = iter(table.lines)
        first = list(islice(lines, _LINES_OF_A_PAGE + 1))
        rows = _rows(table, chain(first, lines))
        size = _size(table.columns, first)
        titles = " & ".join(map(_title, table.columns)) + " \\\\\n"
        if len(first) > _LINES_OF_A_PAGE or any(_is_text(column, first, place) for place, column in _places(table)):
            layout = "".join(_letter(column, text=_is_text(column, first, place)) for place, column in _places(table))
            yield f"{{{size}\n\\begin{{longtable}}{{@{{}}{layout}@{{}}}}\n"
            yield f"\\caption{{{caption}}}\\label{{{label}}}\\\\\n"
            yield f"\\toprule\n{titles}\\midrule\n\\endfirsthead\n\\toprule\n{titles}\\midrule\n\\endhead\n"
            yield "\\bottomrule\n\\endfoot\n"
            yield from rows
            yield "\\end{longtable}}\n"
            return
        layout = "".join(map(_letter, table.columns))
        yield f"\\begin{{table}}[!htbp]\n\\centering\n\\caption{{{caption}}}\n\\label{{{label}}}\n"
        yield f"{size}\n\\begin{{tabular}}{{@{{}}{layout}@{{}}}}\n\\toprule\n{titles}\\midrule\n"
        yield from rows
        yield "\\bottomrule\n\\end{tabular}\n\\end{table}\n"

    def _caption(self, heading: str | None) -> str:
        below = [text for level, text in self._headings.items() if level > 1]
        return escape(". ".join([*below, *([heading] if heading else []), self._title]))

    def _label(self, name: str) -> str:
        """One that no other table of the document has."""
        label = f"tab:{self._name}-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-') or 'table'}"
        self._labels[label] += 1
        return label if self._labels[label] == 1 else f"{label}-{self._labels[label]}"


def _places(table: Table) -> Iterator[tuple[int, Column]]:
    return enumerate(table.columns)


def _is_text(column: Column, lines: Sequence[Line], place: int) -> bool:
    """Whether a column holds sentences, which have to be broken, and not names."""
    return column.align == "left" and not column.key and any(len(line.cells[place]) > _LONGEST for line in lines)


def _letter(column: Column, *, text: bool = False) -> str:
    if text:
        return "p{0.5\\linewidth}"
    return "r" if column.align == "right" else "l"


def _title(column: Column) -> str:
    lines = wrap(column.title, max(_TITLE_WIDTH, *(map(width_of, column.title.split(" ")))))
    if len(lines) < 2:
        return escape(column.title)
    stacked = "\\\\".join(map(escape, lines))
    return f"\\shortstack[{column.align[0]}]{{{stacked}}}"


def _size(columns: Sequence[Column], lines: Sequence[Line]) -> str:
    """The letters in which a table is likely to fit the page."""
    total = 0
    for place, column in enumerate(columns):
        title = max(map(width_of, column.title.split(" ")))
        total += max([title, *(min(_LONGEST, width_of(line.cells[place])) for line in lines)])
    return next((size for room, size in _SIZES if total + 2 * len(columns) <= room), _SMALLEST)


def _rows(table: Table, lines: Iterable[Line]) -> Iterator[str]:
    """The rows; what several of them have in common is written once."""
    above: str | None = None
    for line in lines:
        cells = list(line.cells)
        if table.grouped:
            if cells[0] == above:
                cells[0] = ""
            else:
                if above is not None:
                    yield "\\addlinespace\n"
                above = cells[0]
        yield _row(cells)


def _row(cells: Iterable[str]) -> str:
    return " & ".join(_MINUS.sub("$-$", escape(cell)) for cell in cells) + " \\\\\n"


def _sides(block: SideBySide) -> Iterator[str]:
    """Two columns to be compared, where they stand; long names may be broken."""
    rows = (Line((line.left, line.mark, line.right)) for line in block.lines)
    for portion in portions(rows, _LINES_OF_A_PAGE):
        yield "{\\small\n\\begin{tabular}{@{}p{0.42\\linewidth}cp{0.42\\linewidth}@{}}\n\\toprule\n"
        yield f"{_row((block.left, '', block.right))}\\midrule\n"
        for line in portion:
            yield _row(line.cells).replace("\\_", "\\_\\allowbreak{}")
        yield "\\bottomrule\n\\end{tabular}\\par}\n"
