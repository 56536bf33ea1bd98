"""The scores as a document, which reports draw in all their formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from toolgauge.catalogue import Lang, Words
from toolgauge.report import FORMATS
from toolgauge.report import render as draw
from toolgauge.report.blocks import Block, Column, Heading, Line, Paragraph, Table
from toolgauge.report.display import visible
from toolgauge.report.json import indented_json
from toolgauge.stats.power import ALPHA

from .scoring import Result, SplitResult
from .uncertainty import PairedScores

__all__ = ["FORMATS", "Format", "InfoSeekDocument", "notes", "render"]

Format: TypeAlias = str
"""One of `FORMATS`, or the name of a plugin."""

_MAX_NAMED = 10
"""How many items that cannot be scored are named."""

_NOTHING = "–"
"""Stands where a split has no question of a type; a 0 there would look like a result."""


_PAIRED = ("both", "only_first", "only_second", "neither", "difference")
"""The columns of a comparison."""

_NARROW = 8
"""The narrowest column of figures in plain text."""

_COLUMNS = {
    "split": "infoseek.column.split",
    "all": "infoseek.column.all",
    "interval": "column.interval",
    "time": "infoseek.column.time",
    "number": "infoseek.column.number",
    "string": "infoseek.column.string",
    "items": "infoseek.column.items",
}


@dataclass(frozen=True, slots=True)
class InfoSeekDocument:
    """The scores of predictions, in percent."""

    result: Result
    paired: PairedScores | None = None
    """The same predictions beside others, where there are others."""
    other: Result | None = None
    """How those did by themselves."""
    names: tuple[str, str] = ("", "")
    """What the two are called."""
    intervals: bool = False
    """Whether programs get the intervals, too; people always do."""
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
        titles = [words(_COLUMNS[name]) for name in _COLUMNS]
        widths = [max(_NARROW, *(len(line.cells[place]) for line in lines), len(titles[place])) for place in range(7)]
        figures = (Column(title, width=width) for title, width in zip(titles[1:], widths[1:], strict=True))
        yield Heading(self.title(words), 1, underlined=False)
        yield Table((Column(titles[0], "left", key=True), *figures), lines, name="scores")
        yield Paragraph(_final(self.result, words))
        if self.paired is not None and self.other is not None:
            yield from _comparison(self.paired, self.other, self.names, words)

    def json(self, words: Words) -> Iterator[str]:  # noqa: ARG002 - it is the same in every language
        """The scores under the names of the benchmark."""
        scores = self.result.as_dict()
        if self.intervals or self.paired is not None:
            scores["intervals"] = {
                "final_score": self.result.final_interval,
                **{f"{split.name}_score": split.intervals for split in self.result.splits},
            }
        if self.paired is not None and self.other is not None:
            scores["against"] = self.other.as_dict()
            scores["comparison"] = self.paired.as_dict()
        yield indented_json(scores)

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per split, and the final score."""
        names = ("", "_time", "_num", "_string")
        titles = (f"score{name}" for name in names), (f"items{name}" for name in names)
        yield ["split", *titles[0], *titles[1], "score_low", "score_high"]
        for split in self.result.splits:
            counts = (sum(split.total), *split.total)
            bounds = split.intervals["score"] or ("", "")
            yield [split.name, *map(repr, split.scores.values()), *map(str, counts), *map(str, bounds)]
        final = self.result.final_interval or ("", "")
        empty = [""] * 3
        count = str(self.result.count)
        yield ["final", repr(self.result.final_score), *empty, count, *empty, *map(str, final)]


def render(result: Result, form: Format, lang: Lang = "en") -> str:
    """The scores in one of the formats."""
    return "".join(draw(InfoSeekDocument(result), form, lang=lang))


def _final(result: Result, words: Words) -> str:
    low, high = result.final_interval or (None, None)
    return words(
        "infoseek.final",
        score=words.number(f"{result.final_score:.2f}"),
        low=None if low is None else words.number(f"{low:.2f}"),
        high=None if high is None else words.number(f"{high:.2f}"),
    )


def _comparison(paired: PairedScores, other: Result, names: tuple[str, str], words: Words) -> Iterator[Block]:
    """The verdict in a sentence, and a line per split."""
    first, second = (visible(name) for name in names)
    found = paired.difference()
    significant = found.p <= ALPHA
    yield Heading(words("infoseek.against", first=first, second=second))
    verdict = "no_evidence" if not significant else "better" if found.value > 0 else "worse"
    yield Paragraph(
        words(
            f"infoseek.verdict.{verdict}",
            first=first,
            second=second,
            before=words.number(f"{found.first:.2f}"),
            now=words.number(f"{found.second:.2f}"),
            low=None if found.low is None else words.number(f"{found.low:+.2f}"),
            high=None if found.high is None else words.number(f"{found.high:+.2f}"),
            p=_p(found.p, words),
            items=words.number(f"{paired.items:,}"),
        )
    )
    titles = ("infoseek.column.split", *(f"infoseek.column.{name}" for name in _PAIRED), "column.interval")
    columns = (Column(words(titles[0]), "left", key=True), *(Column(words(title)) for title in titles[1:]), Column("p"))
    lines = []
    for name, row in paired.as_dict()["splits"].items():
        bounds = [] if row["low"] is None else [words.number(f"{bound:+.2f}") for bound in (row["low"], row["high"])]
        interval = words("compare.interval", low=bounds[0], high=bounds[1]) if bounds else _NOTHING
        numbers = (words.number(f"{row[key]:,}") for key in _PAIRED[:-1])
        difference = words.number(f"{row['difference']:+.2f}")
        cells = (words(f"infoseek.split.{name}"), *numbers, difference, interval, _p(row["p"], words))
        lines.append(Line(cells, name=name))
    yield Table(columns, tuple(lines), name="comparison")
    times = words.number(f"{found.drawn:,}")
    drawn = words("infoseek.drawn", times=times) if found.drawn else words("infoseek.counted")
    left_out = words("infoseek.left_out", number=words.number(f"{paired.left_out:,}")) if paired.left_out else ""
    yield Paragraph(" ".join(part for part in (drawn, words("infoseek.splits"), left_out) if part))
    yield Paragraph(words("infoseek.other", name=second, final=_final(other, words)))


def _p(value: float, words: Words) -> str:
    return f"< {words.number('0.001')}" if value < 0.001 else words.number(f"{value:.3f}")


def _figures(split: SplitResult, words: Words) -> tuple[str, str, str, str, str, str]:
    scores = split.scores
    shown = [
        words.number(f"{scores[name]:.2f}") if total else _NOTHING
        for name, total in zip(
            ("score", "score_time", "score_num", "score_string"), (sum(split.total), *split.total), strict=True
        )
    ]
    bounds = split.intervals["score"]
    interval = _NOTHING if bounds is None else "–".join(words.number(f"{bound:.2f}") for bound in bounds)
    return shown[0], interval, shown[1], shown[2], shown[3], words.number(f"{sum(split.total):,}")


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
