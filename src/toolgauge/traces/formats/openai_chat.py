"""Chat messages in OpenAI's layout, which most servers and many loggers speak.

A record is a list of messages, an object that holds one, a logged exchange of request and response, or a line of a
batch output.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..conversation import Conversation, Reading
from ..values import Record, at, case_of, dicts, milliseconds, record_of, text, texts

__all__ = ["OpenAIChatReader", "tell_message"]

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
CUT_OFF = frozenset({"length", "max_tokens"})


class OpenAIChatReader:
    """One conversation a record."""

    title: ClassVar[str] = "OpenAI chat messages"

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A list of messages with roles, under `messages`, `request.messages`, by itself, or the choices of a reply."""
        found = _messages(value)
        if found:
            return all(isinstance(message, dict) and message.get("role") in ROLES for message in found[:3])
        return isinstance(_response(value).get("choices"), list)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record."""
        conversation = Conversation(self._reading)
        for message in dicts(_messages(value)):
            tell_message(conversation, message)
        finish = _tell_response(conversation, _response(value))
        if conversation.empty:
            self._reading.lose("a conversation without messages is left out")
            return
        holder = record_of(value)
        metadata = record_of(holder.get("metadata") or holder.get("meta"))
        state: State = "limit" if finish in CUT_OFF else "completed"
        error = at(holder, "error", "message") or holder.get("error")
        yield conversation.finish(
            case=case_of(holder, metadata),
            agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
            state=state,
            error=text(error),
            latency_ms=_latency(holder),
            meta=metadata,
        )

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every record is a conversation."""
        return iter(())


def tell_message(conversation: Conversation, message: Record) -> None:
    """Tell a conversation one message: a question, an answer with its calls, or a result."""
    role = message.get("role")
    if role == "user":
        conversation.ask(texts(message.get("content")))
    elif role == "assistant":
        conversation.begin_turn()
        conversation.say(texts(message.get("content")) or text(message.get("refusal")))
        for call in dicts(message.get("tool_calls")):
            function = record_of(call.get("function") or call.get("custom"))
            arguments = function.get("arguments", function.get("input"))
            conversation.call(function.get("name"), arguments, id=call.get("id"))
        older = message.get("function_call")
        if isinstance(older, dict):
            conversation.call(older.get("name"), older.get("arguments"))
    elif role in ("tool", "function"):
        content = message.get("content")
        status = message.get("status")
        failed = True if message.get("is_error") is True or status == "error" else None
        result = texts(content) if isinstance(content, list) else content
        conversation.result(result, id=message.get("tool_call_id"), tool=message.get("name"), failed=failed)


def _tell_response(conversation: Conversation, response: Record) -> JsonValue:
    """Tell a conversation the reply of the provider; returns why the model stopped."""
    finish: JsonValue = None
    for choice in dicts(response.get("choices")) if isinstance(response.get("choices"), list) else ():
        tell_message(conversation, {"role": "assistant", **record_of(choice.get("message"))})
        finish = choice.get("finish_reason")
        break
    usage = response.get("usage")
    if isinstance(usage, dict):
        conversation.spend(usage.get("prompt_tokens"), usage.get("completion_tokens"))
    return finish


def _messages(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, list):
        return value
    holder = record_of(value)
    for found in (holder.get("messages"), at(holder, "request", "messages"), at(holder, "body", "messages")):
        if isinstance(found, list):
            return found
    return []


def _response(value: JsonValue) -> Record:
    holder = record_of(value)
    for found in (at(holder, "response", "body"), holder.get("response"), holder):
        if isinstance(found, dict) and isinstance(found.get("choices"), list):
            return found
    return record_of(holder.get("response"))


def _latency(holder: Record) -> float | None:
    latency = holder.get("latency_ms", holder.get("duration_ms"))
    if isinstance(latency, (int, float)) and not isinstance(latency, bool):
        return float(latency)
    begin, end = milliseconds(holder.get("start_time")), milliseconds(holder.get("end_time"))
    return end - begin if begin is not None and end is not None and end >= begin else None
