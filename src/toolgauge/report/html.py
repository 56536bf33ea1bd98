"""HTML in one file: no scripts, no images, nothing loaded; every text is escaped, and a policy forbids the rest."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape as escape_html
from typing import assert_never

from toolgauge.catalogue import Lang

from .blocks import Block, Bullets, Findings, Heading, Paragraph, SideBySide, Table
from .display import visible
from .render import Document, RenderOptions

__all__ = ["FORMAT"]

_STYLE = """
:root{color-scheme:light dark;--line:#8884;--good:#15803d;--bad:#b91c1c;--warn:#a16207;--dim:#6b7280}
@media(prefers-color-scheme:dark){:root{--good:#4ade80;--bad:#f87171;--warn:#facc15;--dim:#9ca3af}}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem}
.table{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5rem 0}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
th{border-bottom-width:2px}.right{text-align:right}
.strong{font-weight:600}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}.dim{color:var(--dim)}
"""


class Html:
    """Any document as a page."""

    suffix = "html"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece."""
        words = options.words
        return _page(document.blocks(words), document.title(words), words.lang)


FORMAT = Html()


def _page(blocks: Iterable[Block], title: str, lang: Lang) -> Iterator[str]:
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    yield f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    yield f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">\n"
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    for number, block in enumerate(blocks):
        if number == 0 and not (isinstance(block, Heading) and block.level == 1):
            yield f"<h1>{_text(title)}</h1>\n"
        yield from _draw(block)
    yield "</body>\n</html>\n"


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
            yield f'<div class="table"><table>\n<tr><th scope="col">{_text(block.left)}</th><td></td>'
            yield f'<th scope="col">{_text(block.right)}</th></tr>\n'
            for line in block.lines:
                cells = "".join(f"<td>{_text(text)}</td>" for text in (line.left, line.mark, line.right))
                yield f'<tr class="{line.tone}">{cells}</tr>\n'
            yield "</table></div>\n"
        case Findings():
            yield f'<h2 class="{block.tone}">{_text(block.title)}</h2>\n'
            titles = "".join(f'<th scope="col">{_text(title)}</th>' for title in block.titles)
            yield f'<div class="table"><table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n'
            for entry in block.entries:
                fields = (entry.place, entry.subject, entry.path, entry.kind, entry.text)
                yield f"<tr>{''.join(f'<td>{_text(field)}</td>' for field in fields)}</tr>\n"
            yield "</tbody>\n</table></div>\n"
        case _:
            assert_never(block)


def _table(table: Table) -> Iterator[str]:
    classes = [' class="right"' if column.align == "right" else "" for column in table.columns]
    titles = "".join(
        f'<th scope="col"{kind}>{_text(column.title)}</th>' for column, kind in zip(table.columns, classes, strict=True)
    )
    yield f'<div class="table"><table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n'
    for line in table.lines:
        cells = "".join(f"<td{kind}>{_text(text)}</td>" for text, kind in zip(line.cells, classes, strict=True))
        yield f'<tr class="{line.tone}">{cells}</tr>\n'
    yield "</tbody>\n</table></div>\n"
