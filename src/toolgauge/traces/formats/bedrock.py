"""Replies of Amazon Bedrock's Converse, its streams as events, and the logs of its invocations.

Messages of Converse by themselves are read as chat messages, among whose parts calls and results may stand.
"""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, at, record_of, structured
from .chat_provider import ChatProviderReader

__all__ = ["BedrockReader"]

EVENTS = frozenset(
    {
        *("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"),
        *("modelStreamErrorException", "internalServerException", "throttlingException", "validationException"),
    }
)


MAX_KEYS = 3


class BedrockReader(ChatProviderReader):
    """Reads replies, and what was streamed or logged."""

    title: ClassVar[str] = "Amazon Bedrock replies"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A reply with its message below `output`, a stream, or the log of an invocation."""
        if isinstance(value, list):
            return bool(value) and all(map(BedrockReader.is_event, value[:3]))
        if not isinstance(value, dict):
            return False
        if BedrockReader.is_event(value) or _is_response(value):
            return True
        if "schemaType" in value and isinstance(at(value, "input", "inputBodyJson"), dict):
            return isinstance(at(value, "input", "inputBodyJson", "messages"), list)
        return _is_stream(value.get("response"))

    @staticmethod
    def is_event(value: JsonValue) -> bool:
        """An event is an object with one key, which says what it is, and at most what a recorder put beside it."""
        if not isinstance(value, dict) or len(value) > MAX_KEYS:
            return False
        if "metadata" in value:
            counted = at(value, "metadata", "usage", "inputTokens")
            return isinstance(counted, int) or isinstance(at(value, "metadata", "metrics", "latencyMs"), int)
        return isinstance(value.get(_kind(value)), dict)

    @staticmethod
    def begins(event: Record) -> bool:
        """Whether a reply begins with an event."""
        return "messageStart" in event

    @classmethod
    def as_chat(cls, holder: Record) -> Record:
        """A record as one of chat messages."""
        logged = record_of(at(holder, "input", "inputBodyJson"))
        if logged:
            rest = {key: value for key, value in holder.items() if key not in ("input", "output")}
            replied = cls.response_of(structured(at(holder, "output", "outputBodyJson")))
            return {**rest, "request": logged, "response": replied}
        if _is_response(holder):
            return {**holder, "output": None, "response": holder}
        return {**holder, "response": cls.response_of(holder.get("response"))}

    @classmethod
    def streamed(cls, events: list[Record]) -> Record:
        """The reply that events come to."""
        blocks: dict[JsonValue, Record] = {}
        stopped: JsonValue = None
        metadata: Record = {}
        error: JsonValue = None
        for event in events:
            kind = _kind(event)
            held = record_of(event.get(kind))
            if kind == "contentBlockStart":
                blocks[_place(held)] = {"toolUse": {**record_of(at(held, "start", "toolUse")), "input": ""}}
            elif kind == "contentBlockDelta":
                _grow(blocks, _place(held), record_of(held.get("delta")))
            elif kind == "messageStop":
                stopped = held.get("stopReason")
            elif kind == "metadata":
                metadata = held
            elif kind.endswith("Exception"):
                error = held.get("message") or kind
        message: JsonValue = {"role": "assistant", "content": [*blocks.values()]}
        reply: Record = {"output": {"message": message}, "stopReason": stopped, **metadata}
        return {**reply, "error": error} if error is not None else reply


def _kind(event: Record) -> str:
    return next((key for key in event if key in EVENTS), "metadata")


def _is_response(value: JsonValue) -> bool:
    message = at(value, "output", "message")
    return isinstance(message, dict) and message.get("role") == "assistant" and isinstance(message.get("content"), list)


def _is_stream(value: JsonValue) -> bool:
    value = value.get("stream") if isinstance(value, dict) else value
    return isinstance(value, list) and bool(value) and all(map(BedrockReader.is_event, value[:3]))


def _place(held: Record) -> int:
    index = held.get("contentBlockIndex")
    return index if isinstance(index, int) else 0


def _grow(blocks: dict[JsonValue, Record], place: int, delta: Record) -> None:
    block = blocks.setdefault(place, {})
    words, piece = delta.get("text"), at(delta, "toolUse", "input")
    if isinstance(words, str):
        block["text"] = str(block.get("text", "")) + words
    elif isinstance(piece, str):
        use = record_of(block.get("toolUse"))
        block["toolUse"] = {**use, "input": str(use.get("input", "")) + piece}
    elif "reasoningContent" in delta:
        block["reasoningContent"] = {}
