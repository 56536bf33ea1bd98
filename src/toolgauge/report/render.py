"""Drawing a report in any format, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolgauge.catalogue import Lang, words_of
from toolgauge.core import Run
from toolgauge.errors import UsageError, did_you_mean

from .document import Report, case_document, document, find_case

if TYPE_CHECKING:
    from rich.console import Console

    from .blocks import Block

__all__ = ["FORMATS", "render", "render_case", "show"]

FORMATS = ("text", "md", "json", "csv", "latex")
"""The formats that a report can be drawn in."""


def render(report: Report, format: str) -> Iterator[str]:  # noqa: A002 - the name of the option
    """Draw a report as pieces of text; the single cases are read while they are drawn.

    Args:
        report: What is to be drawn.
        format: One of `FORMATS`.

    Raises:
        UsageError: There is no such format or language.
    """
    _check(format, report.lang)
    if format == "json":
        from .json import report_json

        return report_json(report)
    if format == "csv":
        from .csv import cases_csv, rows_csv

        return cases_csv(report.run) if report.details else rows_csv(report.run.summary)
    return _draw(format, document(report))


def render_case(run: Run, case_id: str, lang: Lang = "en", format: str = "text") -> Iterator[str]:  # noqa: A002
    """Draw one case with what every agent did in every trial.

    Args:
        run: The run that holds it.
        case_id: Id of the case.
        lang: The language.
        format: One of `FORMATS`.

    Raises:
        UsageError: There is no such case, format or language.
    """
    _check(format, lang)
    case = find_case(run, case_id)
    if format == "json":
        from .json import case_json

        return case_json(run, case, lang)
    if format == "csv":
        from .csv import case_csv

        return case_csv(run, case)
    return _draw(format, case_document(run, case, lang))


def show(report: Report, console: Console) -> None:
    """Print the text report on a terminal, with colours and boxes."""
    from .terminal import draw_terminal

    words_of(report.lang)
    draw_terminal(document(report), console)


def _check(format: str, lang: str) -> None:  # noqa: A002
    """Say no at once, not when the first piece is drawn."""
    words_of(lang)
    if format not in FORMATS:
        hint = did_you_mean(format, FORMATS)
        raise UsageError(f"a report cannot be drawn as {format!r}" + (f"; {hint}" if hint else ""))


def _draw(format: str, blocks: Iterator[Block]) -> Iterator[str]:  # noqa: A002
    if format == "md":
        from .markdown import draw_markdown

        return draw_markdown(blocks)
    if format == "latex":
        from .latex import draw_latex

        return draw_latex(blocks)
    from .text import draw_text

    return draw_text(blocks)
