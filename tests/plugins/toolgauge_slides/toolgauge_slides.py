"""A report format that another package brings: slides, one for each heading, with its tables as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.report import Document, RenderOptions, visible
from toolgauge.report.blocks import Bullets, Heading, Paragraph, Table

__all__ = ["NOTHING", "SLIDES", "ClumsyFormat", "Slides"]

NOTHING = object()


class Slides:
    """Slides as plain text."""

    suffix = "slides"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, a slide at a time."""
        yield f"=== {visible(document.title(options.words))} ({document.name}, {options.lang})\n"
        for block in document.blocks(options.words):
            match block:
                case Heading():
                    yield f"--- {visible(block.text)}\n"
                case Paragraph():
                    yield f"{visible(block.text)}\n"
                case Bullets():
                    yield from (f"* {visible(item.text)}\n" for item in block.items)
                case Table():
                    yield from (f"{' / '.join(map(visible, line.cells))}\n" for line in block.lines)


SLIDES = Slides()


class ClumsyFormat:
    """One that fails."""

    suffix = "clumsy"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Begins, and fails."""
        yield "so far so good\n"
        raise KeyError(document.name)
