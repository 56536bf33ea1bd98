"""Dialogues of API-Bank: a file for each, with one turn a line, of the user, the model or an API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, case_of, record_of, text

__all__ = ["ApiBankReader"]


class ApiBankReader:
    """All lines of a file are one dialogue."""

    title: ClassVar[str] = "API-Bank dialogues"

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._builder: TrajectoryBuilder | None = None
        self._case = ""

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A turn, with its speaker in capital letters, or a list of them."""
        if isinstance(value, list):
            return bool(value) and all(map(_is_turn, value)) and any(map(_is_call, value))
        return _is_turn(value)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """Nothing yet, for the dialogue may continue; a list is a dialogue of its own."""
        if isinstance(value, list):
            builder = TrajectoryBuilder(self._context)
            for turn in value:
                _add(builder, record_of(turn))
            yield builder.build()
            return
        if self._builder is None:
            self._builder = TrajectoryBuilder(self._context)
        turn = record_of(value)
        self._case = self._case or case_of(turn, own_ids=False)
        _add(self._builder, turn)

    def finish(self) -> Iterator[Trajectory]:
        """The dialogue of the file."""
        if self._builder is not None and not self._builder.empty:
            yield self._builder.build(case=self._case)
        self._builder = None


def _is_turn(value: JsonValue) -> bool:
    if not isinstance(value, dict) or value.get("role") not in ("User", "AI", "API"):
        return False
    return _is_call(value) if value["role"] == "API" else isinstance(value.get("text"), str)


def _is_call(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("api_name"), str) and "param_dict" in value


def _add(builder: TrajectoryBuilder, turn: Record) -> None:
    speaker = turn.get("role")
    if speaker == "User":
        builder.add_user_message(text(turn.get("text")))
    elif speaker == "AI":
        builder.begin_turn()
        builder.add_agent_message(text(turn.get("text")))
    elif speaker == "API":
        answered = turn.get("result")
        outcome = record_of(answered)
        exception = text(outcome.get("exception"))
        builder.begin_turn()
        builder.add_call(turn.get("api_name"), turn.get("param_dict"))
        builder.add_result(
            outcome.get("output", answered),
            failed=True if exception is not None else None,
            error=exception,
        )
