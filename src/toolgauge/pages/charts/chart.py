"""A chart as a value: what it shows, how it is drawn, and the table behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from toolgauge.catalogue import Words
from toolgauge.report.display import shorten, visible

from .drawing import PAPER, element, text

__all__ = ["Chart", "ChartTable", "Drawing", "metric_title"]

_MARGIN = 12
_LINE_WIDTH = 6.2
"""About how wide a letter of a note is."""


class Drawing(NamedTuple):
    """What is drawn, and how large it is."""

    width: float
    height: float
    parts: Sequence[str]


class ChartTable(NamedTuple):
    """The figures of a chart: names of columns, and rows of texts, the first cell of which says what a row is about."""

    columns: list[str]
    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of a run."""

    name: str
    """What `--chart` calls it."""
    title: Callable[[Words], str]
    note: Callable[[Words], str]
    """How to read it: units, and the kind of interval."""
    draw: Callable[[Words], Drawing]
    table: Callable[[Words], ChartTable]
    aside: Callable[[Words], str] = lambda words: ""  # noqa: ARG005 - most charts have none
    """What of its note is about this chart alone, where several on a page share the rest."""

    def json(self, words: Words) -> dict[str, object]:
        """The chart as part of a page."""
        table, aside = self.table(words), self.aside(words)
        return {
            "title": self.title(words),
            "note": self.note(words),
            **({"aside": aside} if aside else {}),
            "svg": self.svg(words),
            "columns": table.columns,
            "rows": table.rows,
        }

    def svg(self, words: Words) -> str:
        """The chart as a part of a page, which has its title and its note beside it."""
        drawing = self.draw(words)
        return self._wrapped(drawing, "".join(drawing.parts), drawing.height, words)

    def file(self, words: Words) -> str:
        """The chart as a file of its own, with its title above and its note below, on white paper."""
        drawing = self.draw(words)
        width = drawing.width + 2 * _MARGIN
        notes = _broken(self.note(words), int(drawing.width / _LINE_WIDTH))
        height = drawing.height + 34 + 16 * len(notes) + 8
        inside = [
            element("rect", width=width, height=height, fill=PAPER),
            text(_MARGIN, 22, self.title(words), size=14),
            element("g", "".join(drawing.parts), transform=f"translate({_MARGIN} 34)"),
            *(
                text(_MARGIN, drawing.height + 34 + 16 * (number + 1), part, size=11, kind="quiet")
                for number, part in enumerate(notes)
            ),
        ]
        sized = drawing._replace(width=width)
        return self._wrapped(sized, "".join(inside), height, words) + "\n"

    def _wrapped(self, drawing: Drawing, inside: str, height: float, words: Words) -> str:
        head = (
            f'<title id="t-{self.name}">{escape(visible(self.title(words)))}</title>'
            f'<desc id="d-{self.name}">{escape(visible(self.note(words)))}</desc>'
        )
        return element(
            "svg",
            head + inside,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {drawing.width:g} {height:g}",
            width=drawing.width,
            height=height,
            role="group",
            aria_labelledby=f"t-{self.name}",
            aria_describedby=f"d-{self.name}",
            font_family="sans-serif",
        )


def _broken(note: str, width: int) -> list[str]:
    lines = [""]
    for word in note.split():
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if lines[-1] else []


def metric_title(metric: str, words: Words) -> str:
    """What a metric is called; that of a scorer by the name of the scorer."""
    title = words.known(f"compare.metric.{metric}", shorten(visible(metric), 40))
    return title[:1].upper() + title[1:]
