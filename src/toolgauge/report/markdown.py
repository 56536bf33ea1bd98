"""Markdown with real tables, for pull requests and wikis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from .blocks import Block, Bullets, Entry, Findings, Heading, Paragraph, SideBySide, Table
from .display import visible
from .render import Document, RenderOptions

__all__ = ["FORMAT", "escape"]

_SPECIAL = re.compile(r"[\\`*\[|~$]|(?<![^\W_])_|_(?![^\W_])")
"""What has a meaning anywhere; an underscore inside a name has none."""

_ENTITY = re.compile(r"&(?=#?\w+;)")
_REFERENCE = re.compile(r"[#@](?=\w)")
"""What GitHub and GitLab take for an issue, or for somebody to notify, even where it is escaped."""

_AT_START = re.compile(r"^(?:(?=#{1,6}(?:\s|$))|(?=[+\-](?:\s|$))|(?=[=\-]{2})|(?=[:=])|\d+(?=[.)]))")
"""Where a line would begin a heading, a list or a rule: before its sign, or behind its number."""

_NO_WIDTH = "\u200b"


def escape(text: str) -> str:
    """Text that Markdown shows as it is: on one line, without markup, without HTML and without references."""
    text = _ENTITY.sub("&amp;", visible(text)).replace("<", "&lt;").replace(">", "&gt;")
    text = _SPECIAL.sub(r"\\\g<0>", text)
    # A space without width in between keeps `#1` a number and `@somebody` a text.
    return _REFERENCE.sub(rf"\g<0>{_NO_WIDTH}", text)


def _alone(text: str) -> str:
    """Escaped text at the start of a line, where some more characters have a meaning."""
    return _AT_START.sub(r"\g<0>\\", escape(text.strip()))


class Markdown:
    """Any document as Markdown."""

    suffix = "md"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece."""
        return _drawn(document.blocks(options.words))


FORMAT = Markdown()


def _drawn(blocks: Iterable[Block]) -> Iterator[str]:
    for index, block in enumerate(blocks):
        if index:
            yield "\n"
        yield from _draw(block)


def _draw(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {_alone(block.text)}\n"
        case Paragraph():
            yield f"{_alone(block.text)}\n"
        case Bullets():
            for item in block.items:
                yield f"- {_alone(item.text)}\n"
        case Table():
            yield from _table(block)
        case SideBySide():
            yield _row((block.left, "", block.right))
            yield "| --- | :-: | --- |\n"
            for line in block.lines:
                yield _row((line.left, line.mark, line.right))
        case Findings():
            yield f"## {_alone(block.title)}\n\n"
            yield from map(_entry, block.entries)
        case _:
            assert_never(block)


def _entry(entry: Entry) -> str:
    subject = f"**{escape(entry.subject)}**" if entry.subject else ""
    where = " ".join(part for part in (subject, escape(entry.path)) if part)
    return f"- {where + ': ' if where else ''}{escape(entry.text)} ({escape(entry.kind)}, {escape(entry.place)})\n"


def _table(table: Table) -> Iterator[str]:
    yield _row([column.title for column in table.columns])
    yield "| " + " | ".join("---:" if column.align == "right" else "---" for column in table.columns) + " |\n"
    for line in table.lines:
        yield _row(line.cells)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(escape(text).strip() for text in cells) + " |\n"
