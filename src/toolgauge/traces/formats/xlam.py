"""Rows of data for function calling in the layout of xLAM's: a question, the tools, and the calls that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..textcalls.values import calls_in_value
from ..trajectory_builder import TrajectoryBuilder
from ..values import case_of, record_of, structured, text

__all__ = ["XlamReader"]


class XlamReader:
    """One question a record; nothing is known of results and answers."""

    title: ClassVar[str] = "xLAM rows"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A query, tools and answers, where the answers are calls, perhaps as JSON in a text."""
        if not isinstance(value, dict) or not isinstance(value.get("query"), str) or "tools" not in value:
            return False
        answers = structured(value.get("answers"))
        return isinstance(answers, list) and calls_in_value(answers, sure=False) is not None

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The question with its calls."""
        record = record_of(value)
        builder = TrajectoryBuilder(self._context)
        builder.add_user_message(text(record.get("query")))
        builder.begin_turn()
        for call in calls_in_value(structured(record.get("answers")), sure=False) or ():
            builder.add_call(call.name, call.arguments, id=call.id)
        if builder.empty:
            self._context.note_loss("a row without a query is left out")
            return
        metadata = record_of(record.get("metadata"))
        yield builder.build(
            case=case_of(record, metadata), meta=self._context.meta_of(record, metadata), answered=False
        )

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every record is a question."""
        return iter(())
