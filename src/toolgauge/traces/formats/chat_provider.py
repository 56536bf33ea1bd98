"""A reader for providers whose messages are like OpenAI's chat messages, and whose replies and streams are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..values import Record, dicts, record_of
from .openai_chat import OpenAIChatReader

__all__ = ["ChatProviderReader"]


class ChatProviderReader:
    """Writes records as chat records, and puts together replies that were streamed and recorded as events."""

    title: ClassVar[str]

    def __init__(self, context: ReadContext) -> None:
        self._chat = OpenAIChatReader(context)
        self._events: list[Record] = []

    @staticmethod
    def is_event(value: JsonValue) -> bool:
        """Whether a value is an event of a streamed reply; each provider has its own."""
        raise NotImplementedError

    @staticmethod
    def begins(event: Record) -> bool:
        """Whether a reply begins with an event."""
        raise NotImplementedError

    @classmethod
    def as_chat(cls, holder: Record) -> Record:
        """A record as one of chat messages, with the reply, if there is one, under `response`."""
        raise NotImplementedError

    @classmethod
    def streamed(cls, events: list[Record]) -> Record:
        """The reply that events come to, as it would have come in one piece."""
        raise NotImplementedError

    @classmethod
    def response_of(cls, value: JsonValue) -> JsonValue:
        """A reply that may be a list of events, by itself or under `stream`, in one piece."""
        value = stream if isinstance(stream := record_of(value).get("stream"), list) else value
        if isinstance(value, list) and value and cls.is_event(value[0]):
            return cls.streamed([event for event in value if isinstance(event, dict)])
        return value

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        if isinstance(value, list):
            for event in dicts(value):
                if self.begins(event):
                    yield from self._give_stream()
                self._events.append(event)
            yield from self._give_stream()
            return
        holder = record_of(value)
        if self.is_event(holder):
            if self.begins(holder):
                yield from self._give_stream()
            self._events.append(holder)
            return
        yield from self._give_stream()
        yield from self._chat.read(self.as_chat(holder))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        yield from self._give_stream()
        yield from self._chat.finish()

    def _give_stream(self) -> Iterator[Trajectory]:
        events, self._events = self._events, []
        if events:
            yield from self._chat.read(self.as_chat(self.streamed(events)))
