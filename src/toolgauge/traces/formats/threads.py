"""Putting conversations together of which every message is a record of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from toolgauge.core import Trajectory

from ..conversation import Conversation, Reading
from ..gathering import Gathering
from ..values import CASE_KEYS, Record, case_of, milliseconds, record_of, text

__all__ = ["Threads", "thread_of"]

THREAD_KEYS = (
    "conversation_id",
    "conversationId",
    "thread_id",
    "threadId",
    "session_id",
    "sessionId",
    "chat_id",
    "dialogue_id",
    "run_id",
    "trace_id",
)
"""Where recorders write which conversation a message belongs to."""

TIMES = ("timestamp", "created_at", "createdAt", "time", "created")
TELLING = frozenset({*TIMES, *CASE_KEYS[:-1], "metadata", "agent"})
MOST_REMEMBERED = 10_000


def thread_of(record: Record) -> str | None:
    """The conversation that a message says it belongs to."""
    for key in THREAD_KEYS:
        found = record.get(key)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
    return None


@dataclass(slots=True)
class _Thread:
    """A conversation while more of it may come."""

    conversation: Conversation
    name: str | None
    begins_with_rules: bool = False
    answered: bool = False
    case: str = ""
    agent: str = ""
    meta: Record = field(default_factory=dict)
    first_ms: float | None = None
    last_ms: float | None = None

    def look_at(self, record: Record) -> None:
        """Take from a record what it says of the whole conversation."""
        if TELLING.isdisjoint(record) and self.conversation.reading.kept_key not in record:
            return
        metadata = self.conversation.reading.meta_of(record, record_of(record.get("metadata")))
        self.case = self.case or case_of(record, metadata, own_ids=False)
        self.agent = self.agent or text(record.get("agent")) or text(metadata.get("agent")) or ""
        self.meta = self.meta or metadata
        moment = next((found for key in TIMES if (found := milliseconds(record.get(key))) is not None), None)
        if moment is not None:
            self.first_ms = moment if self.first_ms is None else self.first_ms
            self.last_ms = moment

    def finish(self) -> Trajectory:
        """The trajectory, as far as it came."""
        first, last = self.first_ms, self.last_ms
        return self.conversation.finish(
            case=self.case or self.name or "",
            agent=self.agent,
            latency_ms=last - first if first is not None and last is not None and last > first else None,
            meta=self.meta,
        )


class Threads:
    """Conversations by the id that their messages carry, or one after the other where they carry none.

    Where there are no ids, rules of the system begin a conversation. Where it began without any, so does a user who
    speaks after the final answer: nothing else would ever end it.
    """

    def __init__(self, reading: Reading, tell: Callable[[Conversation, Record], None]) -> None:
        self._reading = reading
        self._tell = tell
        self._named: Gathering[_Thread] = Gathering()
        self._current: _Thread | None = None
        self._given: dict[str, None] = {}
        """Conversations that were given away, in case that more of them comes."""

    def add(self, record: Record, message: Record) -> Iterator[Trajectory]:
        """Add a message; gives the conversations that are over, as far as can be told.

        Args:
            record: What the line holds: the message, or what it is wrapped in.
            message: The message.
        """
        name = thread_of(record)
        if name is None:
            yield from self._add_unnamed(record, message)
            return
        thread = self._named.get(name)
        if thread is None:
            if name in self._given:
                self._reading.lose("a conversation went on after very many others; the rest of it stands by itself")
            thread = _Thread(Conversation(self._reading), name)
        self._add_to(thread, record, message)
        for over in self._named.keep(name, thread, self._reading.size):
            yield from self._give(over)

    def _add_unnamed(self, record: Record, message: Record) -> Iterator[Trajectory]:
        thread = self._current
        role = message.get("role")
        rules = role in ("system", "developer")
        if thread is not None and not thread.conversation.empty:
            asked_again = role == "user" and thread.answered and not thread.begins_with_rules
            if asked_again:
                self._reading.report.remark(
                    "messages name no conversation: each user message after an answer is taken to begin a new one"
                )
            if rules or asked_again:
                yield from self._give(thread)
                thread = None
        if thread is None:
            thread = self._current = _Thread(Conversation(self._reading), None)
        thread.begins_with_rules = thread.begins_with_rules or (rules and thread.conversation.empty)
        self._add_to(thread, record, message)

    def _add_to(self, thread: _Thread, record: Record, message: Record) -> None:
        thread.look_at(record)
        self._tell(thread.conversation, message)
        thread.answered = thread.conversation.output is not None

    def _give(self, thread: _Thread) -> Iterator[Trajectory]:
        if thread.name is not None and len(self._given) < MOST_REMEMBERED:
            self._given[thread.name] = None
        if not thread.conversation.empty:
            yield thread.finish()

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that are left."""
        for thread in self._named.all():
            yield from self._give(thread)
        if self._current is not None:
            yield from self._give(self._current)
            self._current = None
