"""Responses of OpenAI that were streamed and recorded as events, put together again.

The last event holds the whole response. Where a stream was cut off before it, the items that were finished, and what
came of the others, are all there is.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import JsonValue

from ..values import Record, dicts, record_of, text

__all__ = ["ResponseStream", "is_stream_event", "streamed_response"]

LAST_EVENTS = frozenset({"response.completed", "response.done", "response.failed", "response.incomplete"})
"""The events of a stream that hold the whole response."""

FIRST_EVENTS = frozenset({"response.created", "response.queued"})
MARKS = frozenset({"response", "sequence_number", "item", "output_index", "item_id", "delta"})
"""Keys of which an event has some."""

DELTAS = {
    "response.function_call_arguments.delta": "arguments",
    "response.mcp_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
}
"""Events that bring a piece of what an item holds under this key."""


def is_stream_event(value: JsonValue) -> bool:
    """Whether a record is an event of a streamed response."""
    kind = value.get("type") if isinstance(value, dict) else None
    return (
        isinstance(value, dict)
        and isinstance(kind, str)
        and kind.startswith("response.")
        and not MARKS.isdisjoint(value)
    )


class ResponseStream:
    """The response that is being streamed, as far as it came."""

    def __init__(self) -> None:
        self._begun: Record = {}
        self._items: dict[JsonValue, Record] = {}
        self._words: dict[JsonValue, list[str]] = {}

    def add(self, event: Record) -> Iterator[Record]:
        """Add an event; gives the response that is whole with it, or that another one breaks off."""
        kind = text(event.get("type")) or ""
        response = event.get("response")
        if kind in FIRST_EVENTS:
            begun = record_of(response)
            if begun.get("id") != self._begun.get("id"):
                yield from self.rest()
            self._begun = begun
        elif kind in LAST_EVENTS:
            whole = record_of(response)
            if not whole.get("output"):
                whole = {**whole, "output": self._output()}
            self._clear()
            yield whole
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._items[_place(event)] = record_of(event.get("item"))
        elif kind in DELTAS:
            self._grow(event, DELTAS[kind])
        elif kind == "response.output_text.delta" and isinstance(event.get("delta"), str):
            self._words.setdefault(_place(event), []).append(str(event["delta"]))

    def rest(self) -> Iterator[Record]:
        """The response that was cut off, if there is one."""
        output = self._output()
        begun = self._begun
        self._clear()
        if output:
            yield {**begun, "object": "response", "output": output}

    def _clear(self) -> None:
        self._begun, self._items, self._words = {}, {}, {}

    def _grow(self, event: Record, key: str) -> None:
        item = self._items.get(_place(event))
        piece = event.get("delta")
        if item is not None and isinstance(piece, str):
            known = item.get(key)
            self._items[_place(event)] = {**item, key: (known if isinstance(known, str) else "") + piece}

    def _output(self) -> list[JsonValue]:
        found: list[JsonValue] = []
        for place, item in self._items.items():
            words = "".join(self._words.get(place, []))
            if item.get("type") == "message" and not item.get("content") and words:
                item = {**item, "content": [{"type": "output_text", "text": words}]}
            found.append(item)
        return found


def _place(event: Record) -> JsonValue:
    index = event.get("output_index")
    return (
        index if isinstance(index, int) else text(event.get("item_id")) or text(record_of(event.get("item")).get("id"))
    )


def streamed_response(value: JsonValue) -> Record | None:
    """The response of a list of events; None where it is no such list."""
    if not isinstance(value, list) or not value or not is_stream_event(value[0]):
        return None
    stream = ResponseStream()
    found = [response for event in dicts(value) for response in stream.add(event)]
    return next(iter([*found, *stream.rest()]), None)
