"""The blocks of a document as HTML: every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape as escape_html
from typing import assert_never

from .blocks import Block, Bullets, Findings, Heading, Paragraph, SideBySide, Table
from .display import visible

__all__ = ["draw_blocks"]


def draw_blocks(blocks: Iterable[Block], title: str) -> Iterator[str]:
    """The blocks as HTML, below a title where they do not begin with one."""
    for number, block in enumerate(blocks):
        if number == 0 and not (isinstance(block, Heading) and block.level == 1):
            yield f"<h1>{_text(title)}</h1>\n"
        yield from _draw(block)


def _text(text: str) -> str:
    return escape_html(visible(text))


def _draw(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"<h{block.level}>{_text(block.text)}</h{block.level}>\n"
        case Paragraph():
            yield f'<p class="{block.tone}">{_text(block.text)}</p>\n'
        case Bullets():
            yield "<ul>\n"
            for item in block.items:
                yield f'<li class="{item.tone}">{_text(item.text)}</li>\n'
            yield "</ul>\n"
        case Table():
            yield from _table(block)
        case SideBySide():
            yield f'<div class="scroll" tabindex="0"><table>\n<tr><th scope="col">{_text(block.left)}</th><td></td>'
            yield f'<th scope="col">{_text(block.right)}</th></tr>\n'
            for line in block.lines:
                cells = "".join(f"<td>{_text(text)}</td>" for text in (line.left, line.mark, line.right))
                yield f'<tr class="{line.tone}">{cells}</tr>\n'
            yield "</table></div>\n"
        case Findings():
            yield f'<h2 class="{block.tone}">{_text(block.title)}</h2>\n'
            titles = "".join(f'<th scope="col">{_text(title)}</th>' for title in block.titles)
            yield f'<div class="scroll" tabindex="0"><table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n'
            for entry in block.entries:
                fields = (entry.place, entry.subject, entry.path, entry.kind, entry.text)
                yield f"<tr>{''.join(f'<td>{_text(field)}</td>' for field in fields)}</tr>\n"
            yield "</tbody>\n</table></div>\n"
        case _:
            assert_never(block)


def _table(table: Table) -> Iterator[str]:
    classes = [' class="num"' if column.align == "right" else "" for column in table.columns]
    titles = "".join(
        f'<th scope="col"{kind}>{_text(column.title)}</th>' for column, kind in zip(table.columns, classes, strict=True)
    )
    yield f'<div class="scroll" tabindex="0"><table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n'
    for line in table.lines:
        cells = "".join(f"<td{kind}>{_text(text)}</td>" for text, kind in zip(line.cells, classes, strict=True))
        yield f'<tr class="{line.tone}">{cells}</tr>\n'
    yield "</tbody>\n</table></div>\n"
