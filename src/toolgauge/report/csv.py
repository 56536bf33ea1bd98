"""CSV for spreadsheets: one table of unrounded figures.

Cells from data never become formulas; figures that toolgauge computed stay numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite

from .display import visible
from .render import Document, RenderOptions

__all__ = ["FORMAT", "UNLABELLED", "cell_of", "harmless"]

UNLABELLED = "(none)"
"""What stands in the column of a label for cases that do not have it; the row of all cases has nothing there."""

_FORMULA = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x20\x7f-\xa0\xad\u061c\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3000\ufe00-\ufe0f\ufeff]*"
    "[=+\\-@\t\r\n＝＋－＠]"
)
"""What a spreadsheet may take for a formula, also behind characters that cannot be seen."""


class Csv:
    """The rows of a document."""

    suffix = "csv"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, a row at a time."""
        return _written(document.rows(options.words))


FORMAT = Csv()


def harmless(text: str) -> str:
    """Text that a spreadsheet shows as text: one that could be a formula gets a leading apostrophe."""
    shown = visible(text, one_line=False)
    return f"'{shown}" if _FORMULA.match(text) else shown


def cell_of(value: bool | float | str | None) -> str:
    """A cell: text that is made harmless, a number as it is, or nothing where there is none."""
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or not isfinite(value) else repr(value)


def _written(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The rows as CSV text, one after the other."""
    import csv
    from io import StringIO

    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
