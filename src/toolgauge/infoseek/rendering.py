"""The scores as a document, which reports draw in all their formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from toolgauge.catalogue import Lang, Words
from toolgauge.report import FORMATS
from toolgauge.report import render as draw
from toolgauge.report.blocks import Block, Column, Heading, Line, Paragraph, Table
from toolgauge.report.json import indented_json

from .scoring import Result, SplitResult

__all__ = ["FORMATS", "Format", "InfoSeekDocument", "notes", "render"]

Format: TypeAlias = str
"""One of `FORMATS`, or the name of a plugin."""

_MAX_NAMED = 10
"""How many items that cannot be scored are named."""

_NOTHING = "–"
"""Stands where a split has no question of a type; a 0 there would look like a result."""


_NARROW = 8
"""The narrowest column of figures in plain text."""

_COLUMNS = ("split", "all", "time", "number", "string", "items")


@dataclass(frozen=True, slots=True)
class InfoSeekDocument:
    """The scores of predictions, in percent."""

    result: Result
    name: ClassVar[str] = "infoseek"

    def title(self, words: Words) -> str:
        """What the figures are."""
        return words("infoseek.title")

    def blocks(self, words: Words) -> Iterator[Block]:
        """A line per split, and the final score."""
        lines = tuple(
            Line((words(f"infoseek.split.{split.name}"), *_figures(split, words)), name=split.name)
            for split in self.result.splits
        )
        titles = [words(f"infoseek.column.{name}") for name in _COLUMNS]
        widths = [max(_NARROW, *(len(line.cells[place]) for line in lines), len(titles[place])) for place in range(6)]
        figures = (Column(title, width=width) for title, width in zip(titles[1:], widths[1:], strict=True))
        yield Heading(self.title(words), 1, underlined=False)
        yield Table((Column(titles[0], "left", key=True), *figures), lines, name="scores")
        yield Paragraph(words("infoseek.final", score=words.number(f"{self.result.final_score:.2f}")))

    def json(self, words: Words) -> Iterator[str]:  # noqa: ARG002 - it is the same in every language
        """The scores under the names of the benchmark."""
        yield indented_json(self.result.as_dict())

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per split, and the final score."""
        names = ("", "_time", "_num", "_string")
        yield ["split", *(f"score{name}" for name in names), *(f"items{name}" for name in names)]
        for split in self.result.splits:
            counts = (sum(split.total), *split.total)
            yield [split.name, *map(repr, split.scores.values()), *map(str, counts)]
        yield ["final", repr(self.result.final_score), "", "", "", str(self.result.count), "", "", ""]


def render(result: Result, form: Format, lang: Lang = "en") -> str:
    """The scores in one of the formats."""
    return "".join(draw(InfoSeekDocument(result), form, lang=lang))


def _figures(split: SplitResult, words: Words) -> tuple[str, str, str, str, str]:
    scores = split.scores
    shown = [
        words.number(f"{scores[name]:.2f}") if total else _NOTHING
        for name, total in zip(
            ("score", "score_time", "score_num", "score_string"), (sum(split.total), *split.total), strict=True
        )
    ]
    return shown[0], shown[1], shown[2], shown[3], words.number(f"{sum(split.total):,}")


def notes(result: Result) -> list[str]:
    """What a person should know besides the scores, each in a sentence."""
    found = [f"{fault.item}: counted as wrong: {fault.reason}" for fault in result.faults[:_MAX_NAMED]]
    if result.fault_count > _MAX_NAMED:
        found.append(
            f"{result.fault_count - _MAX_NAMED:,} more items are counted as wrong, since they cannot be scored"
        )
    if result.in_order_of is not None and result.in_order_of[0] != result.in_order_of[1]:
        predictions, references = result.in_order_of
        found.append(f"{predictions:,} predictions for {references:,} references: paired in order, the rest left out")
    elif result.missing:
        found.append(f"references without a prediction, left out: {result.missing:,}")
    if result.skipped:
        found.append(f"predictions without a reference, left out: {result.skipped:,}")
    for split in result.splits:
        if not sum(split.total):
            found.append(f"no prediction for the split {split.name}: it counts as 0 in the harmonic mean")
    return found
