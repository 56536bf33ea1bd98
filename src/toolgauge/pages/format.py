"""The format `html`: a run, or one case of it, as pages in one file; the rest as one page without scripts."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.report import CaseDocument, Document, RenderOptions, RunDocument
from toolgauge.report.html import draw_blocks

from .data import PageData
from .onefile import one_case, one_file, plain_page
from .two_runs import TwoRunsDocument

__all__ = ["FORMAT"]


class Html:
    """Any document as a page."""

    suffix = "html"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece."""
        if isinstance(document, RunDocument):
            return one_file(PageData.of(document.run), options.lang)
        if isinstance(document, CaseDocument):
            return one_case(document.run, document.case, options.lang)
        if isinstance(document, TwoRunsDocument):
            return document.pages(options.lang)
        title = document.title(options.words)
        return plain_page(title, draw_blocks(document.blocks(options.words), title), options.lang)


FORMAT = Html()
