"""CSV for spreadsheets: a line per row of figures, or per case.

Cells from data never become formulas; figures that toolgauge computed stay numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isfinite

from toolgauge.core import MEASURES, Case, Counts, Estimate, Run, Score, Scored, Summary
from toolgauge.metrics import METRICS

from .display import visible

__all__ = ["case_csv", "cases_csv", "harmless", "rows_csv"]

UNLABELLED = "(none)"
"""What stands in the column of the label for cases that do not have it; the line of all cases has nothing there."""

_FORMULA = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x20\x7f-\xa0\xad\u061c\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3000\ufe00-\ufe0f\ufeff]*"
    "[=+\\-@\t\r\n＝＋－＠]"
)
"""What a spreadsheet may take for a formula, also behind characters that cannot be seen."""


def harmless(text: str) -> str:
    """Text that a spreadsheet shows as text: one that could be a formula gets a leading apostrophe."""
    shown = visible(text, one_line=False)
    return f"'{shown}" if _FORMULA.match(text) else shown


def _number(value: float | None) -> str:
    return "" if value is None or not isfinite(value) else repr(value)


def _write(lines: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines as CSV text, one after the other."""
    import csv
    from io import StringIO

    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for line in lines:
        writer.writerow(list(line))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def rows_csv(summary: Summary) -> Iterator[str]:
    """A line per agent and group. The line of an agent as a whole has no label."""
    return _write(_rows(summary))


def _rows(summary: Summary) -> Iterator[list[str]]:
    metrics = list(
        dict.fromkeys([*(metric.name for metric in METRICS), *(name for row in summary.rows for name in row.metrics)])
    )
    spread = {metric.name for metric in METRICS if metric.percentiles}
    titles = ["n", *Counts.__struct_fields__]
    for name in metrics:
        titles.extend((name, f"{name}_low", f"{name}_high"))
        if name in spread:
            titles.extend((f"{name}_p50", f"{name}_p95"))
    by = summary.by
    label = [] if by is None else [f"label {by}" if by == "agent" or by in titles else by]
    yield list(map(harmless, ["agent", *label, *titles]))
    for row in summary.rows:
        cells = [harmless(row.agent)]
        if by is not None:
            cells.append(harmless(", ".join(value or UNLABELLED for value in row.group.values())))
        cells.extend((str(row.n), *(str(getattr(row.counts, name)) for name in Counts.__struct_fields__)))
        for name in metrics:
            cells.extend(_estimate(row.metrics.get(name, Estimate(None)), spread=name in spread))
        yield cells


def _estimate(estimate: Estimate, *, spread: bool) -> Iterator[str]:
    there = estimate.value is not None and isfinite(estimate.value)
    names = ("value", "low", "high", "p50", "p95") if spread else ("value", "low", "high")
    for name in names:
        yield _number(getattr(estimate, name)) if there else ""


def cases_csv(run: Run) -> Iterator[str]:
    """A line per case, agent and trial."""
    return _write(_cases(run.scored))


def case_csv(run: Run, case: Case) -> Iterator[str]:
    """The lines of one case."""
    return _write(_cases(item for item in run.scored if item.score.case == case.id))


def _cases(scored: Iterable[Scored]) -> Iterator[list[str]]:
    yield ["id", "agent", "trial", "state", "passed", *MEASURES, "answer", "issues"]
    for item in scored:
        yield _case(item.score)


def _case(score: Score) -> list[str]:
    return [
        harmless(score.case),
        harmless(score.agent),
        str(score.trial),
        score.state,
        "true" if score.passed else "false",
        *(_number(getattr(score, name)) for name in MEASURES),
        "" if score.answer is None else score.answer.verdict or "",
        " ".join(issue.kind for issue in score.issues),
    ]
