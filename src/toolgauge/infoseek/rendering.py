"""The scores as text, JSON, CSV or LaTeX."""

from __future__ import annotations

import json
from typing import Literal, TypeAlias, get_args

from toolgauge.catalogue import Lang, words_of

from .scoring import Result, SplitResult

__all__ = ["FORMATS", "Format", "notes", "render"]

Format: TypeAlias = Literal["text", "json", "csv", "latex"]
FORMATS: tuple[Format, ...] = get_args(Format)

_MOST_NAMED = 10
"""How many items that cannot be scored are named."""

_NOTHING = "–"
"""Stands where a split has no question of a type; a 0 there would look like a result."""


_COLUMNS = ("split", "all", "time", "number", "string", "items")


def render(result: Result, form: Format, lang: Lang = "en") -> str:
    """The scores in one of the formats; only text has words that depend on the language."""
    if form == "text":
        return _text(result, lang)
    if form == "json":
        return json.dumps(result.as_dict(), indent=2) + "\n"
    return _csv(result) if form == "csv" else _latex(result)


def _text(result: Result, lang: Lang) -> str:
    words = words_of(lang)
    titles = tuple(words(f"infoseek.column.{name}").replace("\u00a0", " ") for name in _COLUMNS)
    rows = [titles, *((words(f"infoseek.split.{split.name}"), *_figures(split)) for split in result.splits)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [words("infoseek.title"), ""]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells.extend(cell.rjust(max(width, 8)) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join(cells))
    lines += ["", words("infoseek.final", score=f"{result.final_score:.2f}")]
    return "\n".join(lines) + "\n"


def _figures(split: SplitResult) -> tuple[str, str, str, str, str]:
    scores = split.scores
    shown = [
        f"{scores[name]:.2f}" if total else _NOTHING
        for name, total in zip(
            ("score", "score_time", "score_num", "score_string"), (sum(split.total), *split.total), strict=True
        )
    ]
    return shown[0], shown[1], shown[2], shown[3], f"{sum(split.total):,}"


def _csv(result: Result) -> str:
    lines = ["split,score,score_time,score_num,score_string,items,items_time,items_num,items_string"]
    for split in result.splits:
        counts = (sum(split.total), *split.total)
        lines.append(",".join([split.name, *map(repr, split.scores.values()), *map(str, counts)]))
    lines.append(f"final,{result.final_score!r},,,,{result.count},,,")
    return "\n".join(lines) + "\n"


def _latex(result: Result) -> str:
    lines = [r"\begin{tabular}{lrrrr}", r"\hline", r"Split & All & Time & Number & String \\", r"\hline"]
    for split in result.splits:
        figures = [figure.replace(_NOTHING, "--") for figure in _figures(split)[:4]]
        lines.append(" & ".join([words_of("en")(f"infoseek.split.{split.name}"), *figures]) + r" \\")
    lines += [r"\hline", rf"Final & {result.final_score:.2f} & & & \\", r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def notes(result: Result) -> list[str]:
    """What a person should know besides the scores, each in a sentence."""
    found = [f"{fault.item}: counted as wrong: {fault.reason}" for fault in result.faults[:_MOST_NAMED]]
    if result.fault_count > _MOST_NAMED:
        found.append(
            f"{result.fault_count - _MOST_NAMED:,} more items are counted as wrong, since they cannot be scored"
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
