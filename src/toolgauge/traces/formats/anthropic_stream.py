"""Replies of Anthropic that were streamed and recorded as events, put together again."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import JsonValue

from ..values import Record, dicts, record_of

__all__ = ["MessageStream", "is_stream_event", "streamed_message"]

EVENTS = {
    "message_start": "message",
    "content_block_start": "content_block",
    "content_block_delta": "delta",
    "content_block_stop": "index",
    "message_delta": "delta",
}
"""Kinds of events, and the key that each of them has."""

DELTAS = {"text_delta": "text", "input_json_delta": "partial_json"}
"""Kinds of pieces, and the key that holds them."""


def is_stream_event(value: JsonValue) -> bool:
    """Whether a record is an event of a streamed reply."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str):
        return False
    if kind in ("message_stop", "ping"):
        return len(value) <= MAX_KEYS
    return kind in EVENTS and EVENTS[kind] in value


MAX_KEYS = 3
"""The last event, and those that keep a connection open, say little more than what they are."""


class MessageStream:
    """The reply that is being streamed, as far as it came."""

    def __init__(self) -> None:
        self._message: Record | None = None
        self._blocks: dict[JsonValue, Record] = {}
        self._pieces: dict[JsonValue, list[str]] = {}

    def add(self, event: Record) -> Iterator[Record]:
        """Add an event; gives the reply that is over with it, or that another one breaks off."""
        kind = event.get("type")
        index = event.get("index")
        place = index if isinstance(index, int) else len(self._blocks)
        if kind == "message_start":
            yield from self.rest()
            self._message = record_of(event.get("message"))
        elif kind == "content_block_start":
            self._blocks[place] = record_of(event.get("content_block"))
        elif kind == "content_block_delta":
            delta = record_of(event.get("delta"))
            piece = delta.get(DELTAS.get(str(delta.get("type")), ""))
            if isinstance(piece, str):
                self._pieces.setdefault(place, []).append(piece)
        elif kind == "message_delta":
            known = self._message or {}
            usage: Record = {**record_of(known.get("usage")), **record_of(event.get("usage"))}
            self._message = {**known, **record_of(event.get("delta")), "usage": usage}
        elif kind == "message_stop":
            yield from self.rest()

    def rest(self) -> Iterator[Record]:
        """The reply, as it would have come in one piece, if one was begun."""
        message, blocks = self._message, [self._block(place) for place in self._blocks]
        self._message, self._blocks, self._pieces = None, {}, {}
        if message is not None or blocks:
            whole: Record = {"stop_reason": None, **(message or {})}
            yield {**whole, "type": "message", "role": "assistant", "content": [*blocks]}

    def _block(self, place: JsonValue) -> Record:
        block, pieces = self._blocks[place], self._pieces.get(place)
        if pieces is None:
            return block
        if block.get("type") == "text":
            begun = block.get("text")
            return {**block, "text": (begun if isinstance(begun, str) else "") + "".join(pieces)}
        return {**block, "input": "".join(pieces)} if "input" in block else block


def streamed_message(value: JsonValue) -> Record | None:
    """The reply of a list of events; None where it is no such list."""
    if not isinstance(value, list) or not value or not is_stream_event(value[0]):
        return None
    stream = MessageStream()
    found = [message for event in dicts(value) for message in stream.add(event)]
    return next(iter([*found, *stream.rest()]), None)
