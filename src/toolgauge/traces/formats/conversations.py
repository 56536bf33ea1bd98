"""Putting conversations together that are spread over several records.

Of logged exchanges each is a request with its reply. An application that talks to a model sends all that was said so
far with every request, or the id of the reply before. So an exchange whose request continues where an earlier one ended
belongs to the same conversation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..open_conversations import MAX_BYTES, OpenConversations
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, milliseconds, record_of, text

__all__ = [
    "TIMING",
    "ExchangeUsage",
    "Exchanges",
    "InFileOrder",
    "LoggedConversation",
    "error_of",
    "exchange_usage",
    "state_of",
    "without_rules",
]

RULES = ("system", "developer")
"""Who sets the rules of a conversation."""

BEGINNINGS = ("start_time", "startTime", "started_at", "start", "request_time")
ENDS = ("end_time", "endTime", "ended_at", "completed_at", "end", "response_time")
TIMING = frozenset({*BEGINNINGS, *ENDS, "latency_ms", "duration_ms"})


def without_rules(messages: Sequence[JsonValue]) -> list[JsonValue]:
    """The messages that a conversation is known by. Rules may differ each time, by the clock that stands in them."""
    return [message for message in messages if not isinstance(message, dict) or message.get("role") not in RULES]


@dataclass(frozen=True, slots=True)
class ExchangeUsage:
    """What one exchange cost."""

    counted: bool = False
    """Whether tokens were recorded."""
    input_tokens: JsonValue = None
    output_tokens: JsonValue = None
    latency_ms: float | None = None
    begin_ms: float | None = None
    end_ms: float | None = None


def exchange_usage(holder: Record, tokens: tuple[JsonValue, JsonValue] | None) -> ExchangeUsage:
    """What a record says of the cost of its exchange."""
    if TIMING.isdisjoint(holder):
        return ExchangeUsage(tokens is not None, *(tokens or (None, None)))
    begin = next((found for key in BEGINNINGS if (found := milliseconds(holder.get(key))) is not None), None)
    end = next((found for key in ENDS if (found := milliseconds(holder.get(key))) is not None), None)
    latency = holder.get("latency_ms", holder.get("duration_ms"))
    known = isinstance(latency, (int, float)) and not isinstance(latency, bool) and 0 <= latency <= 10**15
    return ExchangeUsage(
        tokens is not None,
        *(tokens or (None, None)),
        float(latency) if known else None,  # type: ignore[arg-type]  # a number, as was found
        begin,
        end,
    )


@dataclass(slots=True, eq=False)
class LoggedConversation:
    """A conversation as far as it was logged."""

    number: int
    """The record in which it was seen last."""
    records: list[Record]
    """What it is built from: the latest record where each repeats those before it, else all of them."""
    usages: list[ExchangeUsage]
    key: int
    ends: list[Hashable]
    """What a request has to begin with to continue from here."""

    def add_usage_to(self, builder: TrajectoryBuilder) -> None:
        """Add what all its exchanges cost."""
        for spent in self.usages:
            if spent.counted:
                builder.add_usage(spent.input_tokens, spent.output_tokens)

    def latency_ms(self) -> float | None:
        """How long it took, from its beginning to its end where these are known, else all exchanges together."""
        begin, end = self.usages[0].begin_ms, self.usages[-1].end_ms
        if begin is not None and end is not None:
            return end - begin if end >= begin else None
        latencies = [spent.latency_ms for spent in self.usages if spent.latency_ms is not None]
        return sum(latencies) if len(latencies) == len(self.usages) else None


class Exchanges:
    """The conversations that may continue."""

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._open: OpenConversations[LoggedConversation] = OpenConversations()
        self._ends: dict[Hashable, list[LoggedConversation]] = {}
        self._next = 0

    def add(
        self,
        record: Record,
        asked: Sequence[Hashable],
        replies: Sequence[Sequence[Hashable]],
        spent: ExchangeUsage,
        *,
        seed: str = "",
        id: JsonValue = None,  # noqa: A002 - the word that records use
        previous: JsonValue = None,
        longer: bool = False,
    ) -> Iterator[LoggedConversation]:
        """Add an exchange; gives the conversations that had to make room.

        Args:
            record: The exchange.
            asked: A stand-in for each message of the request.
            replies: Stand-ins for the messages of each reply that was offered.
            spent: What it cost.
            seed: What distinguishes conversations that begin with the same words.
            id: The id of the reply.
            previous: The id of the reply that the request continues without repeating what was said.
            longer: Whether something has to be new in the request; else one that was not answered may be made again.
        """
        sums = _running(hash(seed), asked)
        earlier = sums[1:-1] if longer else sums[1:]
        logged = self._after(("id", previous)) if isinstance(previous, str) and previous else None
        if logged is not None:
            logged.records.append(record)
        else:
            logged = next((found for total in reversed(earlier) if (found := self._after(total)) is not None), None)
            if logged is not None:
                logged.records = [record]
                self._open.take(logged.key)
            else:
                logged = LoggedConversation(0, [record], [], self._next, [])
                self._next += 1
        logged.usages.append(spent)
        logged.number = self._context.number
        self._forget(logged)
        # A request that was never answered may be made again, so it ends where it began.
        logged.ends = [_running(sums[-1], reply)[-1] for reply in replies] or [sums[-1]]
        if isinstance(id, str) and id:
            logged.ends.append(("id", id))
        for end in logged.ends:
            self._ends.setdefault(end, []).append(logged)
        for over in self._open.keep(logged.key, logged, self._context.size):
            self._forget(over)
            yield over

    @property
    def oldest(self) -> LoggedConversation | None:
        """The conversation that was added to the longest ago."""
        return self._open.oldest()

    def give_up(self, logged: LoggedConversation) -> None:
        """Keep a conversation no longer."""
        self._forget(logged)
        self._open.take(logged.key)

    def all(self) -> Iterator[LoggedConversation]:
        """The conversations that are left."""
        self._ends.clear()
        return self._open.all()

    def _after(self, end: Hashable) -> LoggedConversation | None:
        waiting = self._ends.get(end)
        return waiting[0] if waiting else None

    def _forget(self, logged: LoggedConversation) -> None:
        for end in logged.ends:
            waiting = self._ends.get(end, [])
            if logged in waiting:
                waiting.remove(logged)
            if not waiting:
                self._ends.pop(end, None)


class InFileOrder:
    """Gives trajectories in the order of their records, though some have to wait because they may continue.

    What comes after one that waits, waits with it. Where that takes too much memory, the one that waits the longest is
    given out as it is.
    """

    def __init__(
        self,
        context: ReadContext,
        exchanges: Exchanges,
        build: Callable[[LoggedConversation], Iterator[Trajectory]],
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._context = context
        self._exchanges = exchanges
        self._build = build
        self._max_bytes = max_bytes
        self._behind: deque[tuple[int, list[Trajectory], int]] = deque()
        """What stands behind a conversation that may continue: the number of the record, and its size."""
        self._size = 0

    @property
    def idle(self) -> bool:
        """Whether nothing waits, so that what is added is given at once."""
        return not self._behind and self._exchanges.oldest is None

    def add(self, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
        """Add what was read from the record at hand; gives what need not wait any longer."""
        if self.idle:
            yield from trajectories
            return
        self._behind.append((self._context.number, list(trajectories), self._context.size))
        self._size += self._context.size
        while self._size > self._max_bytes and (oldest := self._exchanges.oldest) is not None:
            self._exchanges.give_up(oldest)
            yield from self._built(oldest)
        yield from self._ready()

    def add_exchanges(self, over: Iterable[LoggedConversation]) -> Iterator[Trajectory]:
        """The conversations that had to make room, and what waited behind them."""
        for logged in over:
            yield from self._built(logged)
        yield from self._ready()

    def finish(self) -> Iterator[Trajectory]:
        """Everything that is left."""
        for logged in self._exchanges.all():
            yield from self._ready(logged.number)
            yield from self._built(logged)
        yield from self._ready()

    def _ready(self, before: int | None = None) -> Iterator[Trajectory]:
        if before is None:
            oldest = self._exchanges.oldest
            before = None if oldest is None else oldest.number
        while self._behind and (before is None or self._behind[0][0] < before):
            _, trajectories, size = self._behind.popleft()
            self._size -= size
            yield from trajectories

    def _built(self, logged: LoggedConversation) -> Iterator[Trajectory]:
        # What is lost is put down to the record in which it stands, not to the one that made it give way.
        number, self._context.number = self._context.number, logged.number
        trajectories = list(self._build(logged))
        self._context.number = number
        yield from trajectories


def _running(start: int, messages: Sequence[Hashable]) -> list[int]:
    """A number for each beginning of a list of messages, the whole list last; the first stands for none of them."""
    sums = [start]
    for message in messages:
        sums.append(hash((sums[-1], message)))
    return sums


def error_of(holder: Record, *others: Record) -> str | None:
    """What a record says went wrong with the agent or the request as a whole."""
    for record in (holder, *others):
        error = record.get("error")
        if not error:
            continue
        message = record_of(error).get("message")
        found = text(message) or text(error) or text(record_of(record_of(error).get("error")).get("message"))
        if found is not None:
            return found
        if isinstance(error, dict):
            return text(error.get("code")) or text(error.get("type")) or "failed"
    return None


def state_of(stopped: JsonValue) -> State:
    """How a trajectory ended whose model stopped for this reason."""
    cut_off = ("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded")
    return "limit" if stopped in cut_off else "completed"
