"""Sessions of Claude Code and of the Claude Agent SDK, which write every message, or part of one, as a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from toolgauge.core import JsonValue, State, Trajectory

from ..conversation import Conversation, Reading
from ..gathering import Gathering
from ..values import Record, at, case_of, dicts, items_of, milliseconds, record_of, text
from .anthropic_blocks import tell_blocks, tell_message, tokens_of

__all__ = ["Sessions", "is_session_line"]

BESIDES = frozenset({"summary", "file-history-snapshot", "queue-operation", "progress", "custom-title", "ai-title"})
"""Kinds of lines that hold nothing that was said or done."""


def is_session_line(value: JsonValue) -> bool:
    """Whether a record is a line of a session."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str):
        return False
    if _session(value) is None:
        return kind in BESIDES and ("leafUuid" in value or "messageId" in value)
    if kind in ("user", "assistant"):
        return isinstance(value.get("message"), dict)
    return kind in BESIDES or (kind == "system" and ("subtype" in value or "uuid" in value)) or _is_end(value)


def _is_end(record: Record) -> bool:
    return record.get("type") == "result" and "subtype" in record


def _session(record: Record) -> str | None:
    return text(record.get("sessionId")) or text(record.get("session_id"))


@dataclass(slots=True)
class _Session:
    """A session as far as it came."""

    conversation: Conversation
    name: str
    number: int
    message: JsonValue = None
    """The id of the answer at hand, of which more lines may come."""
    seen: set[str] = field(default_factory=set)
    """What was told of it already: calls by their id, words as they are."""
    tokens: tuple[JsonValue, JsonValue] | None = None
    first_ms: float | None = None
    last_ms: float | None = None
    stopped: JsonValue = None

    def add(self, record: Record) -> None:
        """Add a message, or a part of one."""
        moment = milliseconds(record.get("timestamp"))
        if moment is not None:
            self.first_ms = moment if self.first_ms is None else self.first_ms
            self.last_ms = moment
        message = record_of(record.get("message"))
        if record.get("type") == "assistant":
            self._add_answer(message)
        elif record.get("isMeta") is not True:
            self.close_answer()
            tell_message(self.conversation, {"role": "user", "content": message.get("content")})

    def _add_answer(self, message: Record) -> None:
        key = message.get("id")
        if key is None or key != self.message:
            self.close_answer()
            self.message = key
            self.conversation.begin_turn()
        # Every line of an answer repeats its usage, and the last one is right.
        self.tokens = tokens_of(message.get("usage")) or self.tokens
        self.stopped = message.get("stop_reason") or self.stopped
        content = message.get("content")
        blocks: JsonValue = [{"type": "text", "text": content}] if isinstance(content, str) else content
        fresh: list[JsonValue] = [block for block in dicts(blocks) if self._is_new(block)]
        tell_blocks(self.conversation, fresh)

    def _is_new(self, block: Record) -> bool:
        mark = text(block.get("id")) or text(block.get("tool_use_id")) or text(block.get("text"))
        if mark is None:
            return True
        new = mark not in self.seen
        self.seen.add(mark)
        return new

    def close_answer(self) -> None:
        """The answer at hand is over: count what it cost."""
        if self.tokens is not None:
            self.conversation.spend(*self.tokens)
        self.message, self.tokens = None, None
        self.seen.clear()

    def finish(self, end: Record) -> Trajectory:
        """The trajectory, with what the last line says of the whole."""
        state: State = "limit" if self.stopped in ("max_tokens", "model_context_window_exceeded") else "completed"
        subtype = text(end.get("subtype")) or ""
        error: str | None = None
        if subtype.startswith("error_max"):
            state = "limit"
        elif end.get("is_error") is True:
            state = "error"
            error = text(end.get("result")) or next(map(text, items_of(end.get("errors"))), None) or subtype
        duration = end.get("duration_ms")
        if not isinstance(duration, (int, float)) or isinstance(duration, bool):
            first, last = self.first_ms, self.last_ms
            duration = last - first if first is not None and last is not None and last > first else None
        metadata = record_of(end.get("metadata"))
        return self.conversation.finish(
            case=case_of(metadata, own_ids=False) or self.name,
            state=state,
            error=error,
            latency_ms=duration,
            meta=metadata,
        )


class Sessions:
    """The sessions of a file."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._waiting: Gathering[_Session] = Gathering()

    def add(self, record: Record) -> Iterator[Trajectory]:
        """Add a line; gives the sessions that are over, or had to make room."""
        name = _session(record) or ""
        if record.get("isSidechain") is True or text(record.get("parent_tool_use_id")):
            self._reading.lose("what a sub-agent said and called within a session is left out")
            return
        if _is_end(record):
            yield from self._end(name, record)
            return
        if record.get("type") not in ("user", "assistant"):
            return
        session = self._waiting.get(name) or _Session(Conversation(self._reading), name, self._reading.number)
        session.add(record)
        for over in self._waiting.keep(name, session, self._reading.size):
            yield from self._give(over, {})

    def _end(self, name: str, record: Record) -> Iterator[Trajectory]:
        session = self._waiting.take(name) or _Session(Conversation(self._reading), name, self._reading.number)
        conversation = session.conversation
        if conversation.output is None:
            conversation.say(text(record.get("result")) if record.get("is_error") is not True else None)
        cost = record.get("total_cost_usd")
        if isinstance(cost, (int, float)) and not isinstance(cost, bool) and 0 <= cost <= 10**15:
            conversation.spend(cost_usd=float(cost), requests=0)
        yield from self._give(session, record)

    def _give(self, session: _Session, end: Record) -> Iterator[Trajectory]:
        session.close_answer()
        if not session.conversation.empty or at(end, "is_error") is True:
            yield session.finish(end)

    def finish(self) -> Iterator[Trajectory]:
        """The sessions that are left."""
        for session in self._waiting.all():
            yield from self._give(session, {})
