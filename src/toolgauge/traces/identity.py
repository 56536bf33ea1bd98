"""Which trace and which session a trajectory was recorded in, and when it began: kept in its metadata.

A score can be written back to its trace by this, an alarm can lead to it, and a record that was sent twice is known
again. The span of a call is kept with the call; a call began `started_ms` after `started_at`.
"""

from __future__ import annotations

from toolgauge.core import JsonValue

from .values import Record

__all__ = ["SESSION_ID", "SPAN_ID", "STARTED_AT", "TRACE_ID", "identity_in", "with_identity"]

TRACE_ID, SPAN_ID, SESSION_ID, STARTED_AT = "trace_id", "span_id", "session_id", "started_at"
"""The keys of the metadata; a moment is in milliseconds since 1970."""

TRACES = ("trace_id", "traceId")
SESSIONS = (
    *("session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "threadId"),
    *("chat_id", "chatId"),
)
KEYS = frozenset((*TRACES, *SESSIONS))


def with_identity(
    meta: Record,
    *,
    trace: JsonValue = None,
    span: JsonValue = None,
    session: JsonValue = None,
    started: float | None = None,
) -> Record:
    """The metadata with what is known of these. What the recorder has under these names already is kept.

    Args:
        meta: What else is recorded.
        trace: The id of the trace.
        span: The id of its outermost span.
        session: The id of the session, or of the conversation.
        started: When it began, in milliseconds since 1970.
    """
    known: Record = {}
    if _is_id(trace):
        known[TRACE_ID] = trace
    if _is_id(span):
        known[SPAN_ID] = span
    if _is_id(session):
        known[SESSION_ID] = session
    if started is not None:
        known[STARTED_AT] = started
    return {**known, **meta} if known else meta


def identity_in(record: Record, meta: Record) -> Record:
    """The metadata with the ids that a record names beside its messages."""
    if KEYS.isdisjoint(record):
        return meta
    return with_identity(meta, trace=_first(record, TRACES), session=_first(record, SESSIONS))


def _first(record: Record, keys: tuple[str, ...]) -> JsonValue:
    return next((found for key in keys if _is_id(found := record.get(key))), None)


def _is_id(value: JsonValue) -> bool:
    return (isinstance(value, str) and bool(value)) or (isinstance(value, int) and not isinstance(value, bool))
