"""A table of trajectories with their scores, as a Parquet file: a row for each case, agent and trial."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from toolgauge.core import MEASURES, Measured, Reviews, RunHeader, Scored
from toolgauge.errors import UsageError
from toolgauge.files import replace_file

from .identity import trace_of, writable

__all__ = ["COLUMNS", "write_parquet"]

ROWS = 5_000
"""How many rows are held at once; each such group can be read by itself."""

COLUMNS = {
    **dict.fromkeys(("case", "agent"), "text"),
    "trial": "integer",
    **dict.fromkeys(("trace_id", "span_id", "session_id"), "text"),
    "started_at": "time",
    **dict.fromkeys(("input", "output", "state"), "text"),
    "passed": "flag",
    **dict.fromkeys(MEASURES, "number"),
    "answer": "text",
    **dict.fromkeys(("issues", "failing_issues", "tools"), "texts"),
    **dict.fromkeys(("calls", "failed_calls"), "integer"),
    "latency_ms": "number",
    **dict.fromkeys(("input_tokens", "output_tokens"), "integer"),
    "cost_usd": "number",
    **dict.fromkeys(("review", "reviewed_by"), "text"),
    "labels": "texts_by_key",
    "scorers": "numbers_by_key",
}
"""By name the columns and what they hold, as docs/export.md describes them. What is not known is null."""


def write_parquet(path: str, header: RunHeader, scored: Iterable[Scored], reviews: Reviews | None = None) -> int:
    """Write the trajectories of a run, whether or not a trace is known of them.

    Args:
        path: The file, which is there as a whole or not at all.
        header: What the run is, with its suite.
        scored: Its trajectories with their scores.
        reviews: What people say of them.

    Returns:
        How many rows there are.

    Raises:
        UsageError: pyarrow is not installed.
        OutputError: The file could not be written.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow; install toolgauge[parquet]") from error
    schema = _schema(pyarrow, header)
    labels = {case.id: case.labels for case in header.suite.cases}
    rows = (_row(one, labels.get(one.score.case, {}), reviews or Reviews()) for one in scored)
    count = 0
    with replace_file(path) as stream, parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for several in _in_groups(rows):
            writer.write_table(pyarrow.Table.from_pylist(several, schema=schema))
            count += len(several)
    return count


def _in_groups(rows: Iterable[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    left = iter(rows)
    while several := list(islice(left, ROWS)):
        yield several


def _schema(pyarrow: Any, header: RunHeader) -> Any:
    kinds = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "flag": pyarrow.bool_(),
        "time": pyarrow.timestamp("ms", tz="UTC"),
        "texts": pyarrow.list_(pyarrow.string()),
        "texts_by_key": pyarrow.map_(pyarrow.string(), pyarrow.string()),
        "numbers_by_key": pyarrow.map_(pyarrow.string(), pyarrow.float64()),
    }
    about = {"toolgauge": header.toolgauge, "suite": header.suite.name, "created": header.created}
    return pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()], metadata=about)


def _row(one: Scored, labels: dict[str, str], reviews: Reviews) -> dict[str, object]:
    score, trajectory = one.score, one.trajectory
    usage = trajectory.usage
    review = reviews.of(score.case, score.agent, score.trial)
    return {
        "case": _text(score.case),
        "agent": _text(score.agent),
        "trial": score.trial,
        **_trace(one),
        "input": _text(trajectory.input),
        "output": _text(trajectory.output),
        "state": score.state,
        "passed": score.passed,
        **{name: getattr(score, name) for name in MEASURES},
        "answer": None if score.answer is None else score.answer.verdict,
        "issues": list(dict.fromkeys(issue.kind for issue in score.issues)),
        "failing_issues": list(dict.fromkeys(issue.kind for issue in score.issues if issue.failing)),
        "tools": [_text(call.tool) for call in trajectory.calls],
        "calls": len(trajectory.calls),
        "failed_calls": sum(call.error is not None for call in trajectory.calls),
        "latency_ms": trajectory.latency_ms,
        "input_tokens": None if usage is None else usage.input_tokens,
        "output_tokens": None if usage is None else usage.output_tokens,
        "cost_usd": None if usage is None else usage.cost_usd,
        "review": None if review is None else review.verdict,
        "reviewed_by": None if review is None else _text(review.by) or None,
        "labels": [(_text(key), _text(value)) for key, value in labels.items()],
        "scorers": [
            (_text(name), found.value) for name, found in score.outcomes.items() if isinstance(found, Measured)
        ],
    }


def _trace(one: Scored) -> dict[str, object]:
    from datetime import datetime

    found = trace_of(one.trajectory)
    if found is None:
        return {}
    return {
        "trace_id": found.trace_id,
        "span_id": found.span_id or None,
        "session_id": found.session_id or None,
        "started_at": datetime.fromisoformat(found.started) if found.started else None,
    }


def _text(text: str | None) -> str | None:
    return None if text is None else writable(text)
