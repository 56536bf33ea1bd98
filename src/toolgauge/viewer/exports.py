"""What is filtered, to take along: a table for spreadsheets, or the lines of a run file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

import msgspec

from toolgauge.report.csv import cell_of

from .query import MAX_ROWS, CaseQuery
from .view import RunView

__all__ = ["csv_lines", "json_lines"]

RESULT = ("agent", "trial", "state", "outcome", "passed", "score", "answer", "issues", "tools")
FIGURES = ("latency_ms", "calls", "tokens", "cost")


def csv_lines(view: RunView, query: CaseQuery) -> Iterator[str]:
    """A line per case, agent and trial, below the titles; no cell is a formula."""
    yield _line(["id", "input", "labels", *RESULT, *FIGURES])
    offset = 0
    while True:
        found = view.cases(replace(query, offset=offset, limit=MAX_ROWS))
        for row in found.rows:
            case = msgspec.convert(row, type=_Row)
            labels = "; ".join(f"{key}={value}" for key, value in case.labels.items())
            head = [cell_of(case.id), cell_of(case.input), cell_of(labels)]
            for result in case.results:
                yield _line([*head, *(_cell(result.get(name)) for name in (*RESULT, *FIGURES))])
        offset += MAX_ROWS
        if offset >= found.filtered:
            return


class _Row(msgspec.Struct):
    id: str
    input: str
    labels: dict[str, str]
    results: list[dict[str, str | int | float | bool | list[str] | None]]


def _cell(value: str | int | float | bool | list[str] | None) -> str:
    return cell_of(" ".join(value) if isinstance(value, list) else value)


def _line(cells: list[str]) -> str:
    buffer = StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


def json_lines(view: RunView, query: CaseQuery) -> Iterator[str]:
    """The trajectories with their scores, which every command that reads traces reads, too."""
    for line in view.numbered(query):
        yield line.decode("utf-8", "replace") + "\n"
