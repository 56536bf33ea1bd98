"""Runs, comparisons and verdicts in a notebook: as HTML without scripts, and as rows for a data frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

from toolgauge.analysis.headline import headline
from toolgauge.catalogue import Words, language, words_of
from toolgauge.core import MEASURES, Comparison, Run, Verdict
from toolgauge.errors import UsageError
from toolgauge.report import ComparisonDocument, Document, RunDocument, VerdictDocument
from toolgauge.report.html import draw_blocks

from .cases import result_row
from .charts import run_charts

__all__ = ["frame_of", "html_of"]


def html_of(value: object) -> str:
    """What a notebook shows of a value, in the language of the environment; texts from data are escaped."""
    return "".join(_parts(value, words_of(language())))


def _parts(value: object, words: Words) -> Iterator[str]:
    yield "<div>\n"
    yield from _blocks(value, words)
    yield "</div>\n"


def _blocks(value: object, words: Words) -> Iterator[str]:
    if isinstance(value, Run):
        run = value if value.headline is not None else replace(value, headline=headline(value))
        yield from _drawn(RunDocument(run, full=False), words)
        yield from (f"{chart.svg(words)}\n" for chart in run_charts(run.summary, ())[:1])
    elif isinstance(value, Comparison):
        yield from _drawn(ComparisonDocument(value, full=False), words)
    elif isinstance(value, Verdict):
        yield from _drawn(VerdictDocument(value), words)


def _drawn(document: Document, words: Words) -> Iterator[str]:
    return draw_blocks(document.blocks(words), document.title(words))


def frame_of(run: Run, form: str) -> Any:
    """The trajectories of a run: a row for each case, agent and trial.

    Args:
        run: The run.
        form: `dicts`, `pandas` or `polars`.

    Raises:
        UsageError: The library is not installed.
    """
    rows = list(_rows(run))
    if form == "dicts":
        return rows
    try:
        library = import_module(form)
    except ImportError as error:
        raise UsageError(f"{form} is not installed; install it, or use to_dicts()") from error
    return library.DataFrame(rows)


def _rows(run: Run) -> Iterator[dict[str, object]]:
    labels = {case.id: case.labels for case in run.header.suite.cases}
    for item in run.scored:
        named = {f"label_{key}": value for key, value in labels.get(item.score.case, {}).items()}
        measures = {name: getattr(item.score, name) for name in MEASURES}
        yield {"case": item.score.case, **result_row(item), **measures, **named}
