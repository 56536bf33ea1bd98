"""What a worker on another machine asks of the process that keeps the run, and how it waits for the answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from toolgauge.core import JsonValue, RequestLimits, RequestTurn, RunHeader, Scored, Trajectory, TrialKey
from toolgauge.errors import StoreLost
from toolgauge.store import RunState

__all__ = ["Claimed", "Desk", "DeskAnswer", "DeskRequest", "RemotePacing", "RemoteRecorder"]

ASK_SECONDS = 1.0
"""So long it is waited for requests before somebody hears that there are none."""


class DeskRequest(NamedTuple):
    """Something that a worker wants to be done."""

    number: int
    what: str
    args: tuple[Any, ...]


class DeskAnswer(NamedTuple):
    """What came of it."""

    number: int
    value: Any = None
    error: Exception | None = None


class Claimed(NamedTuple):
    """A trial that a worker is to run."""

    key: TrialKey
    begun: list[dict[str, JsonValue]] | None
    """What had happened in it when whoever had it before was lost."""
    ended: Trajectory | None
    """How it ended before, where it is run again all the same."""


class Desk:
    """Holds requests until somebody fetches them, and whoever made them until there are answers."""

    def __init__(self) -> None:
        self._new = threading.Condition()
        self._requests: list[DeskRequest] = []
        self._waiting: dict[int, Future[Any]] = {}
        self._made = 0
        self._closed = False

    def ask(self, what: str, *args: Any) -> Any:
        """Want something done, and wait for what comes of it. Whatever that raises there, is raised here."""
        answer: Future[Any] = Future()
        with self._new:
            self._made += 1
            self._waiting[self._made] = answer
            self._requests.append(DeskRequest(self._made, what, args))
            self._new.notify()
        return answer.result()

    def exchange(self, answers: Iterable[DeskAnswer]) -> list[DeskRequest] | None:
        """Hand over answers, and take the requests that are there; None: there will be no more."""
        for number, value, error in answers:
            waiting = self._waiting.pop(number)
            if error is None:
                waiting.set_result(value)
            else:
                waiting.set_exception(error)
        with self._new:
            if not self._requests and not self._closed:
                self._new.wait(ASK_SECONDS)
            found, self._requests = self._requests, []
            return None if self._closed and not found else found

    def close(self) -> None:
        """Make no more requests."""
        with self._new:
            self._closed = True
            self._new.notify()


class RemoteRecorder:
    """A recorder behind a desk: nothing is kept here."""

    run_id: str | None = None
    done: Iterable[TrialKey] = ()
    lost: StoreLost | None = None
    shared = True

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.interrupted: dict[TrialKey, list[dict[str, JsonValue]]] = {}
        self.retried: dict[TrialKey, Trajectory] = {}
        self.spent: Callable[[], float] = float
        """Says what the trials in progress have taken so far, in dollars."""

    def claim(self, most: int, having: Collection[TrialKey]) -> list[TrialKey]:  # noqa: ARG002 - of the protocol
        """Take trials that nobody else has."""
        claimed: list[Claimed] = self._desk.ask("claim", most, self.spent())
        for key, begun, ended in claimed:
            self.interrupted.pop(key, None)
            self.retried.pop(key, None)
            if begun is not None:
                self.interrupted[key] = begun
            if ended is not None:
                self.retried[key] = ended
        return [one.key for one in claimed]

    def left(self) -> bool:
        """Whether some trial is not finished."""
        return bool(self._desk.ask("left"))

    def begin(self, key: TrialKey, attempt: int) -> None:
        """Record that a trial begins."""
        self._desk.ask("begin", key, attempt)

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""
        self._desk.ask("journal", key, dict(event))

    def append(self, scored: Scored, /) -> None:
        """Keep a finished trajectory with its score."""
        self._desk.ask("append", scored, self.spent())

    def extend(self, several: Iterable[Scored], /) -> None:
        """The same for some of them."""
        for scored in several:
            self.append(scored)

    def beat(self) -> None:
        """No-op: whoever keeps the run does that."""

    def rescue(self) -> str:
        """No-op: whoever keeps the run does that."""
        return ""

    def kept(self) -> tuple[RunHeader, Iterable[Scored]]:
        """Nothing is kept here.

        Raises:
            LookupError: Always.
        """
        raise LookupError

    def finish(self, state: RunState) -> None:
        """No-op: whoever keeps the run does that."""


class RemotePacing:
    """Says whose turn it is, to all workers of a run: whoever keeps it decides."""

    elsewhere = True

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def take(self, endpoint: str, limits: RequestLimits, tokens: float) -> RequestTurn:
        """Ask for a turn."""
        return RequestTurn(*self._desk.ask("take", endpoint, limits, tokens))

    def give_back(self, endpoint: str, limits: RequestLimits, turn: RequestTurn, more: float) -> None:
        """End a turn."""
        self._desk.ask("give_back", endpoint, limits, turn, more)
