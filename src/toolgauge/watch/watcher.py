"""The heart of a watch: what was received becomes conversations, observations, and alarms.

One thread calls `step`. Everything it settles is kept in memory until `save`, which writes it in one transaction with
what the charts know; what is killed before that is made again from the inbox, and comes out the same.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import msgspec

from toolgauge.core import Scored, Trajectory
from toolgauge.drift import Alarm, Drift, Observation
from toolgauge.errors import StoreError
from toolgauge.traces.context import ReadOptions
from toolgauge.traces.identity import SESSION_ID, STARTED_AT, TRACE_ID

from .alarms import Teller, apply_requests
from .channels import describe_label
from .committing import Delivery
from .gathering import SpanGatherer
from .matching import SuiteMatcher
from .measures import Measurer
from .notes import WatchNotes
from .otlp import LINES, Encoding, Signal, decode_body, spans_of_lines
from .settings import WatchSettings
from .state import LOST, FilePlace, Settled, WatchedConversation, WatchState

__all__ = ["WatchEngine"]

DRIFT = "drift"
HOUR = 3600
SAVING_SHARE = 20
"""Writing down what was settled may take one part in so many of the time; until then it is in the inbox."""

FORGOTTEN = 86_400.0
"""A session of which nothing was seen for so many seconds is over, also where what there is is looked at now and then.
Until then it may go on in what is looked at next, and counts once."""

LATEST = 32_503_680_000.0
"""The year 3000: a later beginning of a conversation is none."""

Judge = Callable[[Sequence[WatchedConversation]], list[tuple[WatchedConversation, float, bytes]]]


class WatchEngine:
    """Makes conversations of what is delivered, measures them, and raises alarms."""

    def __init__(
        self,
        settings: WatchSettings,
        state: WatchState,
        teller: Teller,
        matcher: SuiteMatcher | None = None,
        *,
        judge: Judge | None = None,
        notes: WatchNotes | None = None,
    ) -> None:
        """Begin where the state ends.

        Args:
            settings: How it is watched.
            state: A connection of its own.
            teller: Tells of alarms.
            matcher: Scores what a suite has cases for.
            judge: Asks a model for its opinion on some of the conversations, and gives what it said of earlier ones.
            notes: What there is to say beside alarms.
        """
        self._settings = settings
        self._state = state
        self._teller = teller
        self._matcher = matcher or SuiteMatcher()
        self._judge = judge
        self._notes = notes if notes is not None else WatchNotes()
        self._waiting: deque[Delivery] = deque()
        self._waiting_spans = 0
        self._lock = threading.Lock()
        known = state.fact(DRIFT)
        with state.explained():
            self.drift = Drift(settings.drift) if known is None else Drift.decode(known)
        self.drift.adopt(settings.drift)
        self._seen = set(self.drift.first_seen())
        """New labels that were noted, or were there before."""
        self._measurer = Measurer(
            self._matcher.suite.tools, by=settings.by, max_series=settings.max_series, grounding=settings.grounding
        )
        self._measurer.know({reading.series for reading in self.drift.readings()})
        self._gatherer = SpanGatherer(
            ReadOptions(known_tools=[tool.name for tool in self._matcher.suite.tools]),
            window=settings.window,
            max_bytes=settings.max_bytes,
            max_remembered=settings.max_remembered,
            settled=state.settled_traces(),
        )
        self._unsaved = _nothing()
        self._unsaved_requests: list[int] = []
        self._reported: dict[str, int] = {}
        """What the gatherer has lost so far, as far as it is counted."""
        self._saved_at = 0.0
        self._save_cost = 0.0
        """How many seconds it took last."""
        self.conversations = 0
        """How many were settled since it began."""
        self.alarms: list[Alarm] = []
        """Those that were raised since it began."""
        self.readings = self.drift.readings()
        """Where the charts stood when they were written down last."""
        self.save_failures = 0

    # --- what comes in

    def deliver(self, delivery: Delivery) -> None:
        """Take spans that are safe; any thread may call this."""
        with self._lock:
            self._waiting.append(delivery)
            self._waiting_spans += len(delivery.spans.spans)

    def waiting_spans(self) -> int:
        """How many spans wait to be looked at."""
        return self._waiting_spans

    def restore(self) -> int:
        """Take up what is left in the inbox; returns how many rows that are."""
        rows = 0
        for row in self._state.inbox():
            signal, _, encoding = row.source.partition(" ")
            with self._state.explained():
                if signal == LINES:
                    spans = spans_of_lines(row.body).spans
                else:
                    spans = decode_body(_signal(signal), _encoding(encoding), row.body).spans
            self._gatherer.add(row.id, spans, row.received, again=True)
            rows += 1
        return rows

    # --- what becomes of it

    def step(self, now: float, *, rest: bool = False) -> int:
        """Look at what was delivered; returns how many conversations were settled.

        Args:
            now: The time, in seconds since 1970.
            rest: Settle what is complete as far as can be told: it is not waited for what may still come. Traces
                without a root span and sessions that may go on are kept for the next time.
        """
        self._take_deliveries()
        gathered = list(self._gatherer.settle(now))
        if rest:
            gathered += self._gatherer.rooted()
        conversations = [
            conversation_of(trajectory, each.received, settled=True)
            for each in gathered
            for trajectory in each.trajectories
        ]
        self._unsaved.traces += [each.trace for each in gathered]
        self._unsaved.rows += self._gatherer.done_rows()
        self.settle(conversations)
        self._unsaved_requests += apply_requests(self._state, self.drift) if not self._unsaved_requests else []
        over = self.drift.finish(now - FORGOTTEN) if rest else self.drift.advance(self._drift_time(now))
        self._raise(over)
        urgent = bool(self._unsaved.alarms) or rest or bool(self._unsaved_requests)
        if urgent or now - self._saved_at >= max(self._settings.save_seconds, SAVING_SHARE * self._save_cost):
            self.save(now)
        return len(conversations)

    def _drift_time(self, now: float) -> float:
        """What time it is for the charts: that of the conversations, where a record of the past is replayed."""
        return now if self._settings.live else 0.0

    def settle(self, conversations: Sequence[WatchedConversation], file: FilePlace | None = None) -> None:
        """Measure conversations that are over, and feed the charts with what they say.

        Args:
            conversations: They count once with this.
            file: How far the file is read that they came from.
        """
        if file is not None:
            self._unsaved.files[file.path] = file
        if not conversations and self._judge is None:
            return
        ordered = sorted(conversations, key=lambda each: each.at)
        scored = self._matcher.scored([each.trajectory for each in ordered])
        for conversation, one in zip(ordered, scored, strict=True):
            self._observe(conversation, one)
        self._end(each.session for each in ordered if each.alone)
        if self._judge is not None:
            self._take_opinions(self._judge(ordered))
        self._matcher.pass_on([each.trajectory for each in ordered], scored)
        self._unsaved.conversations += ordered
        self.conversations += len(ordered)
        self._count("conversations", len(ordered))

    def is_new(self, trace: str) -> bool:
        """Whether a conversation was not counted before; from now on it was."""
        if self._gatherer.is_settled(trace):
            return False
        self._gatherer.remember(trace)
        self._unsaved.traces.append(trace)
        return True

    def _take_deliveries(self) -> None:
        while self._waiting:
            with self._lock:
                delivery = self._waiting.popleft()
                self._waiting_spans -= len(delivery.spans.spans)
            self._gatherer.add(delivery.row, delivery.spans.spans, delivery.received)
            self._count("spans", delivery.spans.count)
            self._count("refused_spans", delivery.spans.refused)

    def _observe(self, conversation: WatchedConversation, scored: Scored | None) -> None:
        found = self._measurer.observe(
            conversation.trajectory, conversation.at, conversation.session, conversation.trace
        )
        if scored is not None:
            passed = self._measurer.of_score(
                scored.score.passed, conversation.at, conversation.session, conversation.trace
            )
            found.append(passed)
        self._feed(found)

    def _take_opinions(self, opinions: Iterable[tuple[WatchedConversation, float, bytes]]) -> None:
        for conversation, score, body in opinions:
            at, session, trace = conversation.at, conversation.session, conversation.trace
            self._feed([self._measurer.of_opinion(score, at, session, trace)])
            self._unsaved.opinions.append((trace, at, body))
            self._end([session] if conversation.alone else [])

    def _end(self, sessions: Iterable[str]) -> None:
        """Take sessions as over that are of one conversation, which is settled."""
        for session in dict.fromkeys(sessions):
            self._raise(self.drift.end(session))

    def _feed(self, observations: Iterable[Observation]) -> None:
        hours = self._unsaved.hours
        for observation in observations:
            key = (observation.series, observation.label, int(observation.at // HOUR))
            count, total = hours.get(key, (0, 0.0))
            hours[key] = (count + 1, total + observation.value)
            self._raise(self.drift.observe(observation))

    def _raise(self, alarms: Iterable[Alarm]) -> None:
        for alarm in alarms:
            self.alarms.append(alarm)
            self._unsaved.alarms.append((alarm.id, alarm.at, msgspec.json.encode(alarm)))

    def observe_all(self, observations: Sequence[Observation]) -> None:
        """Feed the charts with what was not seen in a conversation: what runs on a schedule say, which are over."""
        self._feed(observations)
        self._end(observation.session for observation in observations)

    def add_alarm(self, alarm: Alarm) -> None:
        """Raise an alarm that no chart has raised: of a scheduled run that is worse than the last accepted one."""
        self._raise([alarm])

    def note_loss(self, what: str, times: int) -> None:
        """Count what could not be used of a file."""
        self._count(f"{LOST}{what}", times)

    def _note_first_seen(self) -> None:
        for seen in self.drift.first_seen():
            if seen not in self._seen:
                self._seen.add(seen)
                self._notes.add(describe_label(seen))

    def _count(self, name: str, times: int) -> None:
        if times:
            self._unsaved.counters[name] = self._unsaved.counters.get(name, 0) + times

    # --- what is kept

    def save(self, now: float) -> bool:
        """Write down what was settled, and tell of alarms. Where there is no room, it is tried again later."""
        self._count_losses()
        self._note_first_seen()
        step, requests = self._unsaved, self._unsaved_requests
        self._saved_at = now
        began = time.perf_counter()
        try:
            if step != _nothing() or requests:
                step.facts[DRIFT] = self.drift.encode()
                self._state.settle(step)
                self._unsaved = _nothing()
                self.readings = self.drift.readings()
            if requests:
                with self._state.transaction() as connection:
                    connection.executemany("DELETE FROM requests WHERE id = ?", [(number,) for number in requests])
                self._unsaved_requests = []
            self._save_cost = time.perf_counter() - began
            self._teller.tell(self._state, now)
        except (sqlite3.Error, OSError, StoreError):
            self.save_failures += 1
            return False
        return True

    def _count_losses(self) -> None:
        for what, times in self._gatherer.lost.items():
            new = times - self._reported.get(what, 0)
            self.note_loss(what, new)
            self._reported[what] = times
            if new and not self._settings.live:
                self._notes.add(what, times=new)
        left_out, closed = self._measurer.left_out, self.drift.closed_early
        for name, total in (("observations without a series", left_out), ("sessions closed early", closed)):
            self._count(name, total - self._reported.get(name, 0))
            self._reported[name] = total

    def gauges(self) -> dict[str, float]:
        """Where it stands."""
        return {
            "open_traces": self._gatherer.open_traces,
            "open_bytes": self._gatherer.open_bytes,
            "waiting_spans": self._waiting_spans,
            "save_failures": self.save_failures,
        }


def _nothing() -> Settled:
    return Settled([], [], [])


def _signal(text: str) -> Signal:
    return "logs" if text == "logs" else "traces"


def _encoding(text: str) -> Encoding:
    return "json" if text == "json" else "protobuf"


def conversation_of(
    trajectory: Trajectory, received: float, key: str = "", *, settled: bool = False
) -> WatchedConversation:
    """A conversation with what it is known by.

    Args:
        trajectory: What was done.
        received: When it came, in seconds since 1970; that counts where it does not say when it began.
        key: What it is known by where it does not say which trace it is.
        settled: Whether nothing more counts of its trace.
    """
    meta = trajectory.meta
    started = meta.get(STARTED_AT)
    at = received
    if isinstance(started, (int, float)) and 0 < started / 1000 < LATEST:
        at = started / 1000
    known, session = meta.get(TRACE_ID), meta.get(SESSION_ID)
    trace = str(known or key)
    return WatchedConversation(trajectory, at, trace, str(session or trace), not session and (settled or not known))
