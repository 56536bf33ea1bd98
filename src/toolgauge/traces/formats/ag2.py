"""Events of AG2: those that a run of version 0 gives one after the other, and the log that version 1 keeps of a stream.

An event of version 0 is a type with what it is about; the first who speaks is the user, as in its chats. A log of
version 1 names the class of each event, and tells calls and results more than once: those of the replies and of the
tools count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..values import Record, at, dicts, items_of, list_at, milliseconds, record_of, text, texts
from .autogen import add_cost, without_ending
from .conversation_reader import Conversation, GatheringReader
from .usual import call, result, said

__all__ = ["Ag2Reader"]

PATHS = (("pieces",), ("events",), ("messages",))
PACKAGE = "ag2."
ENDS = "run_completion"
RESULTS = ("ToolResultEvent", "ToolErrorEvent", "ToolNotFoundEvent", "BuiltinToolResultEvent")


class Ag2Reader(GatheringReader):
    """One conversation a run, or a log."""

    title: ClassVar[str] = "AG2 events"

    def __init__(self, context: ReadContext) -> None:
        super().__init__(context)
        self._ended = False
        """Whether the event before was the last one of its run."""

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Events with a type and what they are about, which has an id; or with the name of a class of AG2."""
        events = value if isinstance(value, list) else list_at(value, *PATHS)
        return _is_event(value) or (bool(events) and all(map(_is_event, events[:3])))

    @staticmethod
    def is_piece(value: JsonValue) -> bool:
        """Whether a record is an event."""
        return _is_event(value)

    @staticmethod
    def begins(piece: Record) -> bool:  # noqa: ARG004 - an event does not say so
        """Events do not say that they are the first: the last one of a run does."""
        return False

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that had to make room."""
        if self._ended and _is_event(value):
            self._current += 1
        self._ended = at(value, "type") == ENDS
        yield from super().read(value)

    def conversation(self, holder: Record) -> Conversation:
        """What was said, called and answered."""
        events = list(dicts(list_at(holder, *PATHS)))
        found = Conversation([])
        first = next((text(at(event, "content", "sender")) for event in events if event.get("type") == "text"), None)
        answered: set[JsonValue] = set()
        for event in events:
            kind, content = str(event.get("type")), record_of(event.get("content"))
            if kind.startswith(PACKAGE):
                found.messages += _logged(kind.rpartition(".")[2], record_of(event.get("data")), answered)
                continue
            found.messages += _streamed(kind, content, first, answered)
            if kind == ENDS:
                add_cost(found, content.get("cost"))
            elif kind == "error":
                found.error = text(content.get("error")) or "failed"
            if not found.agent and (sender := text(content.get("sender"))) not in (None, first):
                found.agent = sender or ""
        moments = [moment for event in events if (moment := milliseconds(at(event, "data", "created_at"))) is not None]
        found.latency_ms = max(moments) - min(moments) if len(moments) > 1 else None
        return found


def _is_event(value: JsonValue) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str):
        return False
    if kind.startswith(PACKAGE):
        return isinstance(value.get("data"), dict)
    content = value.get("content")
    return isinstance(content, dict) and isinstance(content.get("uuid"), str) and "role" not in value


def _streamed(kind: str, content: Record, first: str | None, answered: set[JsonValue]) -> list[Record]:
    """What an event of version 0 amounts to."""
    words = texts(content.get("content"))
    if kind == "text":
        who = "user" if content.get("sender") == first else "assistant"
        return [said(who, without_ending(words))]
    if kind in ("tool_call", "function_call"):
        asked = [*dicts(content.get("tool_calls"))] or [{"function": content.get("function_call")}]
        calls = [
            call(at(each, "function", "name"), at(each, "function", "arguments"), each.get("id")) for each in asked
        ]
        return [said("assistant", words, calls)]
    if kind == "executed_function":
        key = text(content.get("call_id"))
        answered.add(key)
        failed = content.get("is_exec_success") is False
        return [result(content.get("content"), id=key, tool=content.get("func_name"), failed=failed)]
    if kind == "tool_response":
        rest = [each for each in dicts(content.get("tool_responses")) if text(each.get("tool_call_id")) not in answered]
        return [result(each.get("content"), id=each.get("tool_call_id")) for each in rest]
    return []


def _logged(kind: str, data: Record, answered: set[JsonValue]) -> list[Record]:
    """What an event of version 1 amounts to."""
    if kind == "ModelRequest":
        return [said("user", _words(data.get("parts")))]
    if kind == "ModelResponse":
        asked = dicts(at(data, "tool_calls", "calls"))
        calls = [call(each.get("name"), each.get("arguments"), each.get("id")) for each in asked]
        message = said("assistant", text(at(data, "message", "content")), calls)
        message["usage"] = at(data, "usage", "data")
        return [message]
    if kind == "BuiltinToolCallEvent":
        return [said("assistant", None, [call(data.get("name"), data.get("arguments"), data.get("id"))])]
    if kind not in RESULTS or text(data.get("parent_id")) in answered:
        return []
    answered.add(text(data.get("parent_id")))
    error = data.get("error")
    return [
        result(
            _value(at(data, "result", "data", "parts")),
            id=data.get("parent_id"),
            tool=data.get("name"),
            failed=error is not None,
            error=text(at(error, "message")) or text(at(error, "__exception__")),
        )
    ]


def _words(parts: JsonValue) -> str | None:
    said_ = [words for part in dicts(parts) if (words := text(part.get("content")))]
    return "\n".join(said_) or None


def _value(parts: JsonValue) -> JsonValue:
    """What a tool returned: data as they are, else what its texts say."""
    given = [part["data"] for part in dicts(parts) if "data" in part]
    if given and len(given) == len(items_of(parts)):
        return given[0] if len(given) == 1 else given
    return _words(parts)
