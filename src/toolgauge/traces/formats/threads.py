"""Putting conversations together of which every message is a record of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from toolgauge.core import Trajectory

from ..context import ReadContext
from ..identity import with_identity
from ..open_conversations import OpenConversations
from ..trajectory_builder import TrajectoryBuilder
from ..values import CASE_KEYS, TRIAL_KEYS, Record, case_of, milliseconds, record_of, text, trial_of

__all__ = ["Threads", "thread_of"]

THREAD_KEYS = (
    "conversation_id",
    "conversationId",
    "thread_id",
    "threadId",
    "session_id",
    "sessionId",
    "chat_id",
    "chatId",
    "dialogue_id",
    "run_id",
    "trace_id",
)
"""Where recorders write which conversation a message belongs to."""

TIMES = ("timestamp", "created_at", "createdAt", "time", "created")
READ_KEYS = frozenset({*TIMES, *CASE_KEYS[:-1], *TRIAL_KEYS, "metadata", "agent"})
MAX_REMEMBERED = 10_000


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

    builder: TrajectoryBuilder
    name: str | None
    owner: Threads
    """Who gives it in the end."""
    begins_with_rules: bool = False
    answered: bool = False
    case: str = ""
    agent: str = ""
    trial: int | None = None
    meta: Record = field(default_factory=dict)
    first_ms: float | None = None
    last_ms: float | None = None

    def look_at(self, record: Record) -> None:
        """Take from a record what it says of the whole conversation."""
        if READ_KEYS.isdisjoint(record) and self.builder.context.kept_key not in record:
            return
        metadata = self.builder.context.meta_of(record, record_of(record.get("metadata")))
        self.case = self.case or case_of(record, metadata, own_ids=False)
        self.agent = self.agent or text(record.get("agent")) or text(metadata.get("agent")) or ""
        self.trial = trial_of(record, metadata) if self.trial is None else self.trial
        self.meta = self.meta or metadata
        moment = next((found for key in TIMES if (found := milliseconds(record.get(key))) is not None), None)
        if moment is not None:
            self.first_ms = moment if self.first_ms is None else self.first_ms
            self.last_ms = moment

    def finish(self) -> Trajectory:
        """The trajectory, as far as it came."""
        first, last = self.first_ms, self.last_ms
        return self.builder.build(
            case=self.case or self.name or "",
            agent=self.agent,
            trial=self.trial,
            latency_ms=last - first if first is not None and last is not None and last > first else None,
            meta=with_identity(self.meta, session=self.name, started=first),
        )


class _OpenThreads:
    """The conversations of a file of which more may come."""

    def __init__(self) -> None:
        self.named: OpenConversations[_Thread] = OpenConversations()
        self.current: _Thread | None = None
        self.left: list[_Thread] = []
        """Those of other readers, when one of them finished."""
        self.given: dict[str, None] = {}
        """Conversations that were given away, in case that more of them comes."""


class Threads:
    """Conversations by the id that their messages carry, or one after the other where they carry none.

    Where there are no ids, rules of the system begin a conversation. Where it began without any, so does a user who
    speaks after the final answer: nothing else would ever end it.

    Messages with nothing but a role and a text look the same everywhere. So all readers of a file add to the same
    conversations, and those are given by whoever knew a message by more than that.
    """

    def __init__(
        self,
        context: ReadContext,
        add_message: Callable[[TrajectoryBuilder, Record], None],
        *,
        knows_plain: bool = False,
    ) -> None:
        """Share the conversations of a file.

        Args:
            context: The file.
            add_message: Adds a message to a trajectory.
            knows_plain: Whether messages come here that could be anybody's.
        """
        self._context = context
        self._add_message = add_message
        self._knows_plain = knows_plain
        found = context.shared.setdefault("threads", _OpenThreads())
        self._open = found if isinstance(found, _OpenThreads) else _OpenThreads()

    def add(self, record: Record, message: Record) -> Iterator[Trajectory]:
        """Add a message; gives the conversations that are over, as far as can be known.

        Args:
            record: What the line holds: the message, or what it is wrapped in.
            message: The message.
        """
        name = thread_of(record)
        if name is None:
            yield from self._add_unnamed(record, message)
            return
        thread = self._open.named.get(name)
        if thread is None:
            if name in self._open.given:
                self._context.note_loss(
                    "a conversation continued after very many others; the rest is read as another one"
                )
            thread = _Thread(TrajectoryBuilder(self._context), name, self)
        self._add_to(thread, record, message)
        for over in self._open.named.keep(name, thread, self._context.size):
            yield from self._give(over)

    def _add_unnamed(self, record: Record, message: Record) -> Iterator[Trajectory]:
        thread = self._open.current
        role = message.get("role")
        rules = role in ("system", "developer")
        if thread is not None and not thread.builder.empty:
            asked_again = role == "user" and thread.answered and not thread.begins_with_rules
            if asked_again:
                self._context.report.remark(
                    "messages name no conversation: each user message after an answer is assumed to begin a new one"
                )
            if rules or asked_again:
                yield from self._give(thread)
                thread = None
        if thread is None:
            thread = self._open.current = _Thread(TrajectoryBuilder(self._context), None, self)
        thread.begins_with_rules = thread.begins_with_rules or (rules and thread.builder.empty)
        self._add_to(thread, record, message)

    def _add_to(self, thread: _Thread, record: Record, message: Record) -> None:
        thread.look_at(record)
        if not self._knows_plain:
            thread.owner = self
        self._add_message(thread.builder, message)
        thread.answered = thread.builder.output is not None

    def _give(self, thread: _Thread) -> Iterator[Trajectory]:
        if thread.name is not None and len(self._open.given) < MAX_REMEMBERED:
            self._open.given[thread.name] = None
        if not thread.builder.empty:
            yield thread.finish()

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that are left."""
        left = [*self._open.left, *self._open.named.all()]
        if self._open.current is not None:
            left.append(self._open.current)
            self._open.current = None
        self._open.left = [thread for thread in left if thread.owner is not self]
        for thread in left:
            if thread.owner is self:
                yield from self._give(thread)
