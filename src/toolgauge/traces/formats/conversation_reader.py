"""A reader for formats of which every record holds a conversation, or a request and the reply to it.

A format says how its records become messages in the usual layout; putting together the requests of one conversation,
the order of the file, and what a record says of itself are the same for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import msgspec

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..identity import with_identity
from ..open_conversations import TraceGroups
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, record_of, text, trial_of
from .conversations import (
    Exchanges,
    InFileOrder,
    LoggedConversation,
    error_of,
    exchange_usage,
)
from .langchain import add_messages
from .messages import add_message
from .openai_messages import NO_TEXT
from .threads import Threads, thread_of
from .usual import LEFT_OUT

__all__ = ["Conversation", "ConversationReader", "GatheringReader", "Reply"]


UNNAMED = "\0"
"""How the names of conversations begin that have none of their own."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered to a request."""

    messages: Sequence[Record]
    """In the usual layout; mostly there is one."""
    state: State = "completed"


@dataclass(slots=True)
class Conversation:
    """What a record holds."""

    messages: list[Record]
    """In the usual layout, without the reply."""
    replies: Sequence[Reply] = ()
    """The replies that the model offered, where the record is a request with its reply, or a reply."""
    tokens: tuple[JsonValue, JsonValue] | None = None
    """Tokens in and out."""
    agent: str = ""
    state: State = "completed"
    error: str | None = None
    latency_ms: float | None = None
    answer: str | None = None
    """The answer, where it is recorded beside the messages."""
    cost_usd: float | None = None
    total: tuple[JsonValue, JsonValue] = (None, None)
    """Tokens in and out of all requests, where they do not stand with the messages."""
    requests: int = 0
    """How many requests these were, where that is known."""
    case: str = ""
    """An id that may well be that of the case, where nothing clearer is said."""
    session: str | None = None
    started: float | None = None
    """When it began, in milliseconds since 1970."""
    events: list[Record] = field(default_factory=list)


class ConversationReader:
    """Reads records with a conversation each, and puts together requests that repeat what was said."""

    title: ClassVar[str]

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._exchanges = Exchanges(context)
        self._order = InFileOrder(context, self._exchanges, self._logged)
        self._threads = Threads(context, add_message)

    @staticmethod
    def single(holder: Record) -> list[Record]:  # noqa: ARG004 - for those that look at it
        """The messages in the usual layout of a record that is one message; empty where it is none."""
        return []

    def conversation(self, holder: Record) -> Conversation:
        """What a record holds; each format has its own."""
        raise NotImplementedError

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        if isinstance(value, list):
            yield from self.read_record({"messages": value})
            return
        holder = record_of(value)
        found = self.single(holder)
        for message in found:
            yield from self._threads.add(holder, message)
        if not found:
            yield from self.read_record(holder)

    def read_record(self, holder: Record) -> Iterator[Trajectory]:
        """The same, for an object."""
        found = self.conversation(holder)
        spent = exchange_usage(holder, found.tokens)
        if not found.messages or not found.replies:
            logged = LoggedConversation(self._context.number, [holder], [spent], 0, [])
            yield from self._order.add(self._logged(logged))
            return
        asked = [_stand_in(message) for message in found.messages if message.get("role") != "system"]
        replies = [list(map(_stand_in, reply.messages)) for reply in found.replies]
        seed = case_of(holder, _metadata(holder), own_ids=False)
        yield from self._order.add_exchanges(self._exchanges.add(holder, asked, replies, spent, seed=seed))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        yield from self._order.finish()
        yield from self._threads.finish()

    def _logged(self, logged: LoggedConversation) -> Iterator[Trajectory]:
        holder = logged.records[-1]
        found = self.conversation(holder)
        metadata = _metadata(holder)
        error = found.error or error_of(holder, record_of(holder.get("response")))
        for index, reply in enumerate(found.replies or (Reply((), found.state),)):
            builder = TrajectoryBuilder(self._context)
            messages = [*found.messages, *reply.messages]
            agent, state = add_messages(builder, messages)
            if left_out := sum(map(_left_out, messages)):
                builder.note_loss(NO_TEXT, left_out)
            logged.add_usage_to(builder)
            if found.cost_usd is not None or found.total != (None, None):
                builder.add_usage(*found.total, cost_usd=found.cost_usd, requests=found.requests)
            for event in found.events:
                builder.add_event(str(event["kind"]), **{key: event[key] for key in event if key != "kind"})
            builder.output = found.answer or builder.output
            if builder.empty and error is None:
                self._context.note_loss("a conversation without messages is left out")
                continue
            yield builder.build(
                case=case_of(holder, metadata) or found.case,
                agent=text(holder.get("agent")) or text(metadata.get("agent")) or found.agent or agent,
                trial=index if len(found.replies) > 1 else trial_of(holder, metadata),
                state=state if reply.state == "completed" else reply.state,
                error=error,
                latency_ms=found.latency_ms if found.latency_ms is not None else logged.latency_ms(),
                meta=with_identity(
                    self._context.meta_of(holder, metadata), session=found.session, started=found.started
                ),
            )


class GatheringReader(ConversationReader):
    """Also reads conversations whose pieces stand one a line, and gathers them."""

    def __init__(self, context: ReadContext) -> None:
        super().__init__(context)
        self._groups = TraceGroups(context)
        self._current = 0
        """How many conversations without a name were begun."""

    @staticmethod
    def is_piece(value: JsonValue) -> bool:
        """Whether a record is a piece of a conversation; each format has its own."""
        raise NotImplementedError

    @staticmethod
    def begins(piece: Record) -> bool:
        """Whether a conversation begins with a piece, where pieces do not name theirs."""
        raise NotImplementedError

    @staticmethod
    def name_of(piece: Record) -> str | None:
        """The conversation that a piece names."""
        return thread_of(piece)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that had to make room."""
        if isinstance(value, list):
            yield from self.read_record({"pieces": value})
        elif not self.is_piece(value):
            yield from super().read(value)
        else:
            piece = record_of(value)
            name = self.name_of(piece)
            if name is None:
                self._current += self.begins(piece)
                name = f"{UNNAMED}{self._current}"
            for group in self._groups.add(name, piece):
                yield from self.read_record(self._gathered(group))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that are left."""
        for group in self._groups.rest():
            yield from self.read_record(self._gathered(group))
        yield from super().finish()

    def _gathered(self, group: list[Record]) -> Record:
        name = next((found for piece in group if (found := self.name_of(piece))), None)
        case = next((found for piece in group if (found := case_of(piece, own_ids=False))), name)
        return {"pieces": [*group], "case": case} if case else {"pieces": [*group]}


def _metadata(holder: Record) -> Record:
    return record_of(holder.get("metadata") or holder.get("meta") or at(holder, "request", "metadata"))


def _left_out(message: Record) -> int:
    found = message.get(LEFT_OUT)
    return found if isinstance(found, int) else 0


def _stand_in(message: Record) -> bytes:
    """What two recordings of a message have in common: all that was understood of it."""
    return msgspec.json.encode(message)
