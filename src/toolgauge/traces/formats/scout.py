"""Transcripts of Inspect Scout: rows of its databases, with the messages as Inspect has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..values import Record, record_of, structured, text
from .inspect_log import read_sample

__all__ = ["ScoutReader"]

OWN = frozenset(
    {"transcript_id", "source_type", "source_id", "source_uri", "date", "task_set", "task_id", "task_repeat", "agent"}
    | {"agent_args", "model", "model_options", "score", "score_explanation", "success", "message_count", "total_time"}
    | {"total_tokens", "error", "limit", "messages", "events", "timelines", "events_data"}
)
"""The columns that every transcript may have; all others are metadata."""


class ScoutReader:
    """One trajectory a transcript."""

    title: ClassVar[str] = "Inspect Scout transcripts"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A transcript has an id of its own, and its messages or where it comes from."""
        return isinstance(value, dict) and "transcript_id" in value and ("messages" in value or "source_type" in value)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The transcript in the record."""
        row = record_of(value)
        if not row:
            self._context.note_loss("a record without a transcript is left out")
            return
        header: Record = {"solver": row.get("agent"), "model": row.get("model")}
        yield read_sample(self._context, _sample(row), header)

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every transcript stands for itself."""
        return iter(())


def _sample(row: Record) -> Record:
    """A transcript as the sample that Inspect would have written."""
    limit = text(row.get("limit"))
    return {
        "id": row.get("task_id") or row.get("transcript_id"),
        "epoch": row.get("task_repeat"),
        "messages": _listed(row.get("messages")),
        "events": _listed(row.get("events")),
        "error": row.get("error"),
        "limit": {"type": limit} if limit else None,
        "total_time": row.get("total_time"),
        "metadata": {key: value for key, value in row.items() if key not in OWN and value is not None},
    }


def _listed(value: JsonValue) -> JsonValue:
    return structured(value) if isinstance(value, str) else value
