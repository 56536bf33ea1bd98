"""Anthropic's messages: lists of them, response objects, logged exchanges, batch results, and Claude Code sessions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..conversation import Conversation, Reading
from ..values import Record, at, case_of, dicts, list_at, record_of, text
from .anthropic_blocks import stand_in, tell_message, tokens_of
from .claude_sessions import Sessions, is_session_line
from .dialects import dialect
from .exchanges import Exchanges, Held, error_of, spent_on, state_of
from .plain_anthropic import REPLYING, read_plainly
from .threads import Threads, thread_of

__all__ = ["AnthropicReader"]

BATCH_STATES: dict[str, State] = {"canceled": "cancelled", "expired": "timeout", "errored": "error"}
"""How requests of a batch end that did not succeed."""


class AnthropicReader:
    """Reads conversations that stand in one record, and gathers those that are spread over several."""

    title: ClassVar[str] = "Anthropic messages"

    def __init__(self, reading: Reading) -> None:
        self.independent = True
        """Whether every record so far stood for itself."""
        self._reading = reading
        self._exchanges = Exchanges(reading)
        self._threads = Threads(reading, tell_message)
        self._sessions = Sessions(reading)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages with content blocks that only Anthropic has, a response object, or a line of a session."""
        if isinstance(value, list):
            return dialect(value) == "anthropic" and thread_of(record_of(value[0])) is None
        if not isinstance(value, dict) or "observations" in value or "calls" in value:
            return False
        if is_session_line(value) or _response(value):
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
            yield from self._whole({"messages": value})
            return
        holder = record_of(value)
        messages = _messages(holder)
        response = _response(holder)
        if is_session_line(holder):
            self.independent = False
            yield from self._sessions.add(holder)
        elif messages and (response or "request" in holder):
            self.independent = False
            yield from self._exchange(holder, messages, response)
        elif messages or response or _is_batch_line(holder):
            yield from self._whole(holder)
        elif "role" in holder:
            self.independent = False
            yield from self._threads.add(holder, holder)
        elif isinstance(holder.get("message"), dict):
            self.independent = False
            yield from self._threads.add(holder, record_of(holder["message"]))
        else:
            yield from self._whole(holder)

    def read_line(self, line: bytes) -> list[Trajectory] | None:
        """The conversation of a record that is not decoded yet, where there is a shorter way to read it."""
        found = read_plainly(line, self._reading)
        return None if found is None else [found]

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have gone on."""
        for held in self._exchanges.all():
            yield from self._given(held)
        yield from self._threads.finish()
        yield from self._sessions.finish()

    def _exchange(self, holder: Record, messages: list[JsonValue], response: Record) -> Iterator[Trajectory]:
        asked = [stand_in(message) for message in messages]
        replies = [[stand_in({**response, "role": "assistant"})]] if response.get("content") else []
        seed = case_of(holder, _metadata(holder), own_ids=False)
        spent = spent_on(holder, tokens_of(response.get("usage")))
        for over in self._exchanges.add(holder, asked, replies, spent, seed=seed):
            yield from self._given(over)

    def _given(self, held: Held) -> Iterator[Trajectory]:
        # What is lost is put down to the record in which it stands, not to the one that made it give way.
        number, self._reading.number = self._reading.number, held.number
        trajectories = list(self._conversation(held))
        self._reading.number = number
        yield from trajectories

    def _whole(self, holder: Record) -> Iterator[Trajectory]:
        spent = spent_on(holder, tokens_of(_response(holder).get("usage")))
        return self._conversation(Held(self._reading.number, [holder], [spent], 0, []))

    def _conversation(self, held: Held) -> Iterator[Trajectory]:
        holder = held.records[-1]
        response = _response(holder)
        conversation = Conversation(self._reading)
        for message in dicts(_messages(holder)):
            tell_message(conversation, message)
            usage = message.get("usage")
            if usage and len(held.spent) == 1 and (tokens := tokens_of(usage)) is not None:
                conversation.spend(*tokens)
        if response:
            tell_message(conversation, {**response, "role": "assistant"})
        held.spend(conversation)
        ended = at(holder, "result", "type")
        state = BATCH_STATES.get(ended) if isinstance(ended, str) else None
        error = error_of(holder, record_of(holder.get("response")), record_of(holder.get("result")))
        if state is not None:
            error = error or f"the request of the batch was {ended}"
        if conversation.empty and error is None:
            self._reading.lose("a conversation without messages is left out")
            return
        metadata = _metadata(holder)
        yield conversation.finish(
            case=case_of(holder, metadata),
            agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
            state=state or state_of(response.get("stop_reason")),
            error=error,
            latency_ms=held.latency_ms(),
            meta=self._reading.meta_of(holder, metadata),
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
    for found in (holder, at(holder, "response", "body"), holder.get("response"), at(holder, "result", "message")):
        if isinstance(found, dict) and _is_response(found):
            return record_of(found.get("body") or found)
    return {}


def _is_batch_line(value: Record) -> bool:
    return "custom_id" in value and isinstance(at(value, "result", "type"), str)


def _metadata(holder: Record) -> Record:
    return record_of(holder.get("metadata") or at(holder, "request", "metadata"))
