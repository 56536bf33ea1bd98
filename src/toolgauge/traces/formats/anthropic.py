"""Anthropic's messages: lists of them, response objects, logged exchanges, batch results, and Claude Code sessions.

Claude Code and the Claude Agent SDK write every message of a session, or part of one, as a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..identity import with_identity
from ..open_conversations import OpenConversations
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, dicts, items_of, list_at, milliseconds, record_of, text, trial_of
from .anthropic_blocks import add_blocks, add_message, stand_in, tokens_of
from .anthropic_stream import MessageStream, is_stream_event, streamed_message
from .conversations import (
    Exchanges,
    InFileOrder,
    LoggedConversation,
    error_of,
    exchange_usage,
    state_of,
)
from .dialects import dialect
from .fast.anthropic import REPLYING, read_fast
from .threads import Threads, thread_of

__all__ = ["AnthropicReader", "Sessions", "is_session_line"]

BATCH_STATES: dict[str, State] = {"canceled": "cancelled", "expired": "timeout", "errored": "error"}
"""How requests of a batch end that did not succeed."""


class AnthropicReader:
    """Reads conversations that stand in one record, and gathers those that are spread over several."""

    title: ClassVar[str] = "Anthropic messages"

    def __init__(self, context: ReadContext) -> None:
        self.independent = True
        """Whether every record so far stood for itself."""
        self._context = context
        self._exchanges = Exchanges(context)
        self._order = InFileOrder(context, self._exchanges, self._trajectories_of)
        self._threads = Threads(context, add_message)
        self._sessions = Sessions(context)
        self._stream = MessageStream()

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages with content blocks that only Anthropic has, a response object, or a line of a session."""
        if isinstance(value, list):
            return dialect(value) == "anthropic" and thread_of(record_of(value[0])) is None
        if not isinstance(value, dict) or "observations" in value or "calls" in value:
            return False
        if is_session_line(value) or is_stream_event(value) or _response(value):
            return True
        if _is_batch_line(value) or dialect(_messages(value)) == "anthropic":
            return True
        if "type" in value or "messages" in value:
            return False
        message = value.get("message") if thread_of(value) is not None and "role" not in value else value
        return isinstance(message, dict) and "role" in message and dialect([message]) == "anthropic"

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        if isinstance(value, list):
            yield from self._order.add(self._whole({"messages": value}))
            return
        holder = record_of(value)
        messages = _messages(holder)
        response = _response(holder)
        if is_session_line(holder):
            self.independent = False
            yield from self._sessions.add(holder)
        elif is_stream_event(holder):
            self.independent = False
            for message in self._stream.add(holder):
                yield from self._order.add(self._whole(message))
        elif messages and (response or "request" in holder):
            self.independent = False
            yield from self._exchange(holder, messages, response)
        elif messages or response or _is_batch_line(holder):
            yield from self._order.add(self._whole(holder))
        elif "role" in holder:
            self.independent = False
            yield from self._threads.add(holder, holder)
        elif isinstance(holder.get("message"), dict):
            self.independent = False
            yield from self._threads.add(holder, record_of(holder["message"]))
        else:
            yield from self._order.add(self._whole(holder))

    def read_line(self, line: bytes) -> list[Trajectory] | None:
        """The conversation of a record that is not decoded yet, where it can be read the fast way."""
        found = read_fast(line, self._context)
        if found is None:
            return None
        return [found] if self._order.idle else list(self._order.add([found]))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        for message in self._stream.rest():
            yield from self._order.add(self._whole(message))
        yield from self._order.finish()
        yield from self._threads.finish()
        yield from self._sessions.finish()

    def _exchange(self, holder: Record, messages: list[JsonValue], response: Record) -> Iterator[Trajectory]:
        asked = [stand_in(message) for message in messages]
        replies = [[stand_in({**response, "role": "assistant"})]] if response.get("content") else []
        seed = case_of(holder, _metadata(holder), own_ids=False)
        spent = exchange_usage(holder, tokens_of(response.get("usage")))
        yield from self._order.add_exchanges(self._exchanges.add(holder, asked, replies, spent, seed=seed))

    def _whole(self, holder: Record) -> Iterator[Trajectory]:
        spent = exchange_usage(holder, tokens_of(_response(holder).get("usage")))
        return self._trajectories_of(LoggedConversation(self._context.number, [holder], [spent], 0, []))

    def _trajectories_of(self, logged: LoggedConversation) -> Iterator[Trajectory]:
        holder = logged.records[-1]
        response = _response(holder)
        builder = TrajectoryBuilder(self._context)
        for message in dicts(_messages(holder)):
            add_message(builder, message)
            usage = message.get("usage")
            if usage and len(logged.usages) == 1 and (tokens := tokens_of(usage)) is not None:
                builder.add_usage(*tokens)
        if response:
            add_message(builder, {**response, "role": "assistant"})
        logged.add_usage_to(builder)
        ended = at(holder, "result", "type")
        state = BATCH_STATES.get(ended) if isinstance(ended, str) else None
        error = error_of(holder, record_of(holder.get("response")), record_of(holder.get("result")))
        if state is not None:
            error = error or f"the request of the batch was {ended}"
        if builder.empty and error is None:
            self._context.note_loss("a conversation without messages is left out")
            return
        metadata = _metadata(holder)
        yield builder.build(
            case=case_of(holder, metadata),
            agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
            trial=trial_of(holder, metadata),
            state=state or state_of(response.get("stop_reason")),
            error=error,
            latency_ms=logged.latency_ms(),
            meta=self._context.meta_of(holder, metadata),
        )


def _messages(holder: Record) -> list[JsonValue]:
    paths = (("messages",), ("request", "messages"), ("params", "messages"), ("request", "body", "messages"))
    return list_at(holder, *paths)


def _is_response(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    body = value.get("body")
    value = body if isinstance(body, dict) else value
    return value.get("type") == "message" and "stop_reason" in value and isinstance(value.get("content"), list)


def _response(holder: Record) -> Record:
    """The response object of a record: the record itself, or what it holds."""
    if REPLYING.isdisjoint(holder):
        return {}
    streamed = streamed_message(holder.get("response"))
    for found in (
        streamed,
        holder,
        at(holder, "response", "body"),
        holder.get("response"),
        at(holder, "result", "message"),
    ):
        if isinstance(found, dict) and _is_response(found):
            return record_of(found.get("body") or found)
    return {}


def _is_batch_line(value: Record) -> bool:
    return "custom_id" in value and isinstance(at(value, "result", "type"), str)


def _metadata(holder: Record) -> Record:
    return record_of(holder.get("metadata") or at(holder, "request", "metadata"))


BESIDES = frozenset(
    {"summary", "file-history-snapshot", "queue-operation", "progress", "custom-title", "ai-title", "stream_event"}
)
"""Kinds of lines that hold nothing that was said or done."""


def is_session_line(value: JsonValue) -> bool:
    """Whether a record is a line of a session."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str) or "systemPayload" in value:
        return False
    if kind in ("user", "assistant"):
        message = value.get("message")
        return isinstance(message, dict) and "parts" not in message and ("content" in message or "role" in message)
    if _session(value) is None:
        # A session need not say its name; a line of it that says nothing else is known by its ids.
        if kind in BESIDES or kind == "system":
            return any(key in value for key in ("leafUuid", "messageId", "parentUuid", "subtype"))
        return _is_end(value) and "num_turns" in value
    return kind in BESIDES or (kind == "system" and ("subtype" in value or "uuid" in value)) or _is_end(value)


def _is_end(record: Record) -> bool:
    return record.get("type") == "result" and "subtype" in record


def _session(record: Record) -> str | None:
    return text(record.get("sessionId")) or text(record.get("session_id"))


@dataclass(slots=True)
class _Session:
    """A session as far as it came."""

    builder: TrajectoryBuilder
    name: str
    number: int
    message: JsonValue = None
    """The id of the answer at hand, of which more lines may come."""
    seen: set[str] = field(default_factory=set)
    """What was added of it already: calls by their id, words as they are."""
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
            add_message(self.builder, {"role": "user", "content": message.get("content")})

    def _add_answer(self, message: Record) -> None:
        key = message.get("id")
        if key is None or key != self.message:
            self.close_answer()
            self.message = key
            self.builder.begin_turn()
        # Every line of an answer repeats its usage, and the last one is right.
        self.tokens = tokens_of(message.get("usage")) or self.tokens
        self.stopped = message.get("stop_reason") or self.stopped
        content = message.get("content")
        blocks: JsonValue = [{"type": "text", "text": content}] if isinstance(content, str) else content
        fresh: list[JsonValue] = [block for block in dicts(blocks) if self._is_new(block)]
        add_blocks(self.builder, fresh)

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
            self.builder.add_usage(*self.tokens)
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
        return self.builder.build(
            case=case_of(metadata, own_ids=False) or self.name,
            state=state,
            error=error,
            latency_ms=duration,
            meta=with_identity(metadata, session=self.name, started=self.first_ms),
        )


class Sessions:
    """The sessions of a file."""

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._waiting: OpenConversations[_Session] = OpenConversations()

    def add(self, record: Record) -> Iterator[Trajectory]:
        """Add a line; gives the sessions that are over, or had to make room."""
        name = _session(record) or ""
        if record.get("isSidechain") is True or text(record.get("parent_tool_use_id")):
            self._context.note_loss("messages and calls of a sub-agent within a session are left out")
            return
        if _is_end(record):
            yield from self._end(name, record)
            return
        if record.get("type") not in ("user", "assistant"):
            return
        if not name and record.get("type") == "user" and record.get("parentUuid", name) is None:
            # The first line of a session; where none has a name, it ends the one before.
            before = self._waiting.get(name)
            if before is not None and before.builder.output is not None:
                self._waiting.take(name)
                yield from self._give(before, {})
        session = self._waiting.get(name) or _Session(TrajectoryBuilder(self._context), name, self._context.number)
        session.add(record)
        for over in self._waiting.keep(name, session, self._context.size):
            yield from self._give(over, {})

    def _end(self, name: str, record: Record) -> Iterator[Trajectory]:
        session = self._waiting.take(name) or _Session(TrajectoryBuilder(self._context), name, self._context.number)
        builder = session.builder
        if builder.output is None:
            builder.add_agent_message(text(record.get("result")) if record.get("is_error") is not True else None)
        cost = record.get("total_cost_usd")
        if isinstance(cost, (int, float)) and not isinstance(cost, bool) and 0 <= cost <= 10**15:
            builder.add_usage(cost_usd=float(cost), requests=0)
        yield from self._give(session, record)

    def _give(self, session: _Session, end: Record) -> Iterator[Trajectory]:
        session.close_answer()
        if not session.builder.empty or at(end, "is_error") is True:
            yield session.finish(end)

    def finish(self) -> Iterator[Trajectory]:
        """The sessions that are left."""
        for session in self._waiting.all():
            yield from self._give(session, {})
