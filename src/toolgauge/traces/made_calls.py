"""A call while its trajectory is put together: its result may still come."""

from __future__ import annotations

import msgspec

from toolgauge.core import Call, JsonValue

from .values import Record

__all__ = ["MadeCall", "key_of"]


class MadeCall(msgspec.Struct, gc=False):
    """A call whose result may still come."""

    tool: str
    original: str | None
    args: Record | None
    id: str | None
    turn: int | None
    round: int | None
    started_ms: float | None
    duration_ms: float | None
    answered: bool = False
    result: JsonValue = None
    error: str | None = None
    wrapped: bool = False
    """Whether it is known only from a call that several stand in."""
    span_id: str | None = None

    def note_run(self, started_ms: float | None, duration_ms: float | None, span_id: str | None) -> None:
        """Note when the tool was run, how long it took, and in which span, as far as that is told."""
        if duration_ms is not None and duration_ms >= 0:
            self.duration_ms = duration_ms
        self.started_ms = self.started_ms if started_ms is None else started_ms
        self.span_id = self.span_id or span_id

    def finished(self) -> Call:
        """The call as the trajectory has it."""
        return Call(
            self.tool,
            self.args,
            self.id,
            self.turn,
            self.round,
            self.result,
            self.error,
            self.started_ms,
            self.duration_ms,
            self.original,
            self.span_id,
        )


def key_of(identity: JsonValue) -> str | None:
    """The id that a call is known by, which may be recorded as a number; None where there is none."""
    if isinstance(identity, str) and identity:
        return identity
    return str(identity) if isinstance(identity, int) and not isinstance(identity, bool) else None
