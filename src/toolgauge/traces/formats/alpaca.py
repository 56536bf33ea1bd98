"""Rows of an instruction and its output, as Alpaca's data have them, and the predictions that LLaMA-Factory writes.

Calls are written in the output, in whatever style the model has for them; nothing is known of their results. What was
said before (`history`) is no part of what the row answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..trajectory_builder import TrajectoryBuilder
from ..values import case_of, record_of, text

__all__ = ["AlpacaReader"]

OTHERS = frozenset({"messages", "conversations", "calls", "case", "trajectory", "steps"})
"""Keys of records in which an instruction stands beside something else."""

PREDICTED = "predict"


class AlpacaReader:
    """One question a row."""

    title: ClassVar[str] = "Alpaca rows"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """An instruction with an output, or a prompt with what was predicted."""
        if not isinstance(value, dict) or not OTHERS.isdisjoint(value):
            return False
        asked, answered = ("prompt", PREDICTED) if PREDICTED in value else ("instruction", "output")
        return isinstance(value.get(asked), str) and isinstance(value.get(answered), str)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The instruction with its input, and what the output calls or says."""
        record = record_of(value)
        predicted = PREDICTED in record
        asked = [text(record.get(key)) for key in (("prompt",) if predicted else ("instruction", "input"))]
        builder = TrajectoryBuilder(self._context)
        builder.add_user_message("\n".join(filter(None, asked)) or None)
        builder.add_agent_message(text(record.get(PREDICTED if predicted else "output")))
        if builder.empty:
            self._context.note_loss("a row without an instruction is left out")
            return
        metadata = record_of(record.get("metadata"))
        yield builder.build(
            case=case_of(record, metadata), meta=self._context.meta_of(record, metadata), answered=False
        )

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every row stands for itself."""
        return iter(())
