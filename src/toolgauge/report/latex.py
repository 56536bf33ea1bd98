r"""LaTeX for papers: sections, lists and `tabular` tables that need no package.

The text is a fragment to be read with `\input`. Vietnamese letters stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from .blocks import Block, Bullets, Column, Heading, Line, Paragraph, SideBySide, Table, portions
from .display import visible

__all__ = ["draw_latex", "escape"]

_LINES_OF_A_TABLE = 40
"""A `tabular` does not continue on the next page, so a long table becomes several."""

_OPENING = (
    "% Read this with \\input from a document of your own. It needs no package; for Vietnamese letters, compile with\n"
    "% XeLaTeX or LuaLaTeX, or load fontenc with the option T5.\n"
)

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
        # After the end of a row these two would belong to the command.
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        # Signs of ours that not every font has.
        "–": "--",
        "…": r"\ldots{}",
        "⏎": r"$\hookleftarrow$",
        "→": r"$\rightarrow$",
        "✗": r"$\times$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "∩": r"$\cap$",
        "−": "$-$",
        "≥": r"$\geq$",
    }
)


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, on one line."""
    return visible(text).translate(_ESCAPES)


def draw_latex(blocks: Iterable[Block]) -> Iterator[str]:
    """Draw blocks as LaTeX, piece by piece."""
    yield _OPENING
    for block in blocks:
        yield "\n"
        yield from _draw(block)


def _draw(block: Block) -> Iterator[str]:
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
            yield from _table(block)
        case SideBySide():
            rows = (Line((line.left, line.mark, line.right)) for line in block.lines)
            titles = (block.left, "", block.right)
            for portion in portions(rows, _LINES_OF_A_TABLE):
                yield from _tabular("p{0.44\\linewidth}cp{0.44\\linewidth}", titles, portion)
        case _:
            assert_never(block)


def _table(table: Table) -> Iterator[str]:
    layout = "".join(map(_letter, table.columns))
    titles = [column.title for column in table.columns]
    for portion in portions(table.lines, _LINES_OF_A_TABLE):
        yield from _tabular(layout, titles, portion)


def _letter(column: Column) -> str:
    return "r" if column.align == "right" else "l"


def _tabular(layout: str, titles: Iterable[str], lines: Iterable[Line]) -> Iterator[str]:
    yield f"{{\\small\n\\begin{{tabular}}{{{layout}}}\n\\hline\n{_row(titles)}\\hline\n"
    yield from (_row(line.cells) for line in lines)
    yield "\\hline\n\\end{tabular}\\par}\n"


def _row(cells: Iterable[str]) -> str:
    return " & ".join(map(escape, cells)) + " \\\\\n"
