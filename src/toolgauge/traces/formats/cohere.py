"""Replies of Cohere's chat, version 2, and its streams as events; requests are read as chat messages."""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, at, record_of, structured, text
from .chat_provider import ChatProviderReader

__all__ = ["CohereReader", "is_reply"]

REASONS = frozenset({"COMPLETE", "STOP_SEQUENCE", "MAX_TOKENS", "TOOL_CALL", "ERROR", "TIMEOUT"})
EVENTS = (
    *("message-start", "content-start", "content-delta", "content-end", "tool-plan-delta", "tool-call-start"),
    *("tool-call-delta", "tool-call-end", "citation-start", "citation-end", "message-end"),
)


def is_reply(value: JsonValue) -> bool:
    """Whether a value is a reply: a message beside the reason why the model stopped, which is in capitals."""
    if not isinstance(value, dict) or not isinstance(value.get("message"), dict) or "choices" in value:
        return False
    reason = value.get("finish_reason")
    return isinstance(reason, str) and reason in REASONS and at(value, "message", "role") == "assistant"


class CohereReader(ChatProviderReader):
    """Reads replies, by themselves or with their requests, and streams."""

    title: ClassVar[str] = "Cohere chat replies"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A reply, one under `response`, or events of a stream."""
        if isinstance(value, list):
            return bool(value) and all(map(CohereReader.is_event, value[:3]))
        if not isinstance(value, dict):
            return False
        response = structured(value.get("response"))
        if CohereReader.is_event(value) or is_reply(value) or is_reply(response):
            return True
        return isinstance(response, list) and bool(response) and all(map(CohereReader.is_event, response[:3]))

    @staticmethod
    def is_event(value: JsonValue) -> bool:
        """An event says its type, and mostly has a delta or an index."""
        if not isinstance(value, dict) or value.get("type") not in EVENTS:
            return False
        return "delta" in value or "index" in value

    @staticmethod
    def begins(event: Record) -> bool:
        """Whether a reply begins with an event."""
        return event.get("type") == "message-start"

    @classmethod
    def as_chat(cls, holder: Record) -> Record:
        """A record as one of chat messages."""
        if is_reply(holder):
            rest = {key: value for key, value in holder.items() if key not in ("message", "finish_reason", "usage")}
            return {**rest, "response": _as_completion(holder)}
        response = cls.response_of(structured(holder.get("response")))
        return {**holder, "response": _as_completion(record_of(response))}

    @classmethod
    def streamed(cls, events: list[Record]) -> Record:
        """The reply that events come to."""
        words: list[str] = []
        calls: dict[JsonValue, Record] = {}
        reply: Record = {"finish_reason": "COMPLETE"}
        for event in events:
            kind, delta = event.get("type"), record_of(event.get("delta"))
            held = record_of(delta.get("message"))
            if kind == "message-start":
                reply["id"] = event.get("id")
            elif kind in ("content-start", "content-delta"):
                words.append(text(at(held, "content", "text")) or "")
            elif kind == "tool-call-start":
                calls[str(event.get("index"))] = record_of(held.get("tool_calls"))
            elif kind == "tool-call-delta":
                _grow(calls, str(event.get("index")), at(held, "tool_calls", "function", "arguments"))
            elif kind == "message-end":
                reply.update({key: delta[key] for key in ("finish_reason", "usage") if key in delta})
        content: JsonValue = "".join(words)
        return {**reply, "message": {"role": "assistant", "content": content, "tool_calls": [*calls.values()]}}


def _grow(calls: dict[JsonValue, Record], place: str, piece: JsonValue) -> None:
    call = calls.get(place)
    if call is not None and isinstance(piece, str):
        function = record_of(call.get("function"))
        calls[place] = {**call, "function": {**function, "arguments": str(function.get("arguments") or "") + piece}}


def _as_completion(reply: Record) -> Record:
    """A reply as OpenAI would have given it."""
    stopped = "length" if reply.get("finish_reason") == "MAX_TOKENS" else reply.get("finish_reason")
    tokens = record_of(at(reply, "usage", "tokens"))
    usage: JsonValue = {"prompt_tokens": tokens.get("input_tokens"), "completion_tokens": tokens.get("output_tokens")}
    failed = {"error": "the model stopped with an error"} if stopped in ("ERROR", "TIMEOUT") else {}
    choice: JsonValue = {"message": reply.get("message"), "finish_reason": stopped}
    return {"choices": [choice], "usage": usage if tokens else None, **failed}
