"""Sessions of Google's Agent Development Kit: an object with its events, or the events by themselves.

An event is a content of Gemini with its author and the actions that it brings about, such as a transfer to another
agent. Events that stand one a line belong together by their invocation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..open_conversations import TraceGroups
from ..values import Record, dicts, either, milliseconds, record_of, text
from .conversation_reader import Conversation, ConversationReader
from .gemini import tokens_of
from .gemini_parts import content_messages

__all__ = ["AdkReader"]

OWN_CALLS = "adk_request_"
"""How the names begin of calls by which the kit itself asks for a credential or a confirmation."""

FAILURES = ("errorMessage", "errorCode")
"""Where an event says why the model did not answer."""


class AdkReader(ConversationReader):
    """Reads sessions, and gathers events."""

    title: ClassVar[str] = "Google ADK sessions"

    def __init__(self, context: ReadContext) -> None:
        super().__init__(context)
        self._groups = TraceGroups(context)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Events with an author and an invocation, in a session, in a list, or one."""
        if isinstance(value, list):
            return bool(value) and all(map(_is_event, value[:3]))
        if not isinstance(value, dict):
            return False
        events = value.get("events")
        if isinstance(events, list):
            return all(map(_is_event, events[:3])) if events else either(value, "appName") is not None
        return _is_event(value)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that had to make room for an event."""
        if isinstance(value, list):
            yield from self.read_record({"events": value})
        elif _is_event(value):
            event = record_of(value)
            name = text(either(event, "sessionId")) or text(either(event, "invocationId")) or ""
            for group in self._groups.add(name, event):
                yield from self.read_record(_session(name, group))
        else:
            yield from self.read_record(record_of(value))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that are left."""
        for group in self._groups.rest():
            name = text(either(group[0], "sessionId")) or ""
            yield from self.read_record(_session(name, group))
        yield from super().finish()

    def conversation(self, holder: Record) -> Conversation:
        """What was said in the events, and who handed over to whom."""
        found = Conversation([])
        current = ""
        moments: list[float] = []
        for event in dicts(holder.get("events")):
            if event.get("partial") is True:
                continue
            author = text(event.get("author")) or ""
            if author not in ("user", "", current):
                if current:
                    found.events.append({"kind": "handoff", "from": current, "to": author})
                found.agent, current = found.agent or author, author
            found.messages += _messages(event, author)
            target = text(either(record_of(event.get("actions")), "transferToAgent"))
            if target is not None and target != current:
                found.events.append({"kind": "handoff", "from": current, "to": target})
                current = target
            if (moment := milliseconds(event.get("timestamp"))) is not None:
                moments.append(moment)
            found.error = next((reason for key in FAILURES if (reason := text(either(event, key)))), None)
        found.started = min(moments, default=None)
        found.session = next(
            (name for event in dicts(holder.get("events")) if (name := text(either(event, "sessionId")))),
            text(holder.get("id")) if either(holder, "appName") is not None else None,
        )
        if len(moments) > 1:
            found.latency_ms = max(moments) - min(moments)
        return found


def _is_event(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("author"), str):
        return False
    if not isinstance(either(value, "invocationId"), str):
        return False
    return "content" in value or "actions" in value or any(either(value, key) is not None for key in FAILURES)


def _session(name: str, events: list[Record]) -> Record:
    return {"events": [*events], "id": name} if name else {"events": [*events]}


def _messages(event: Record, author: str) -> list[Record]:
    messages = content_messages(record_of(event.get("content")), "user" if author == "user" else "model")
    tokens = tokens_of(either(event, "usageMetadata"))
    for message in messages:
        if message.get("role") == "assistant":
            calls = message.get("tool_calls")
            message["tool_calls"] = [call for call in dicts(calls) if not str(call.get("name")).startswith(OWN_CALLS)]
            if tokens is not None:
                message["usage"] = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
    return [message for message in messages if not str(message.get("name")).startswith(OWN_CALLS)]
