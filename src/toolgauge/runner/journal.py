"""What is recorded of a trial before it is over, so that whoever resumes a run knows how far it had come."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, Trajectory, TrialKey
from toolgauge.models import Retry
from toolgauge.secrets import Secrets

from .persist import RunRecorder
from .plain import storable
from .store_calls import StoreCalls

__all__ = ["TrialJournal", "answer_event", "answered_before", "attempts", "earlier_tries", "retry_event"]

EARLIER = ("state", "error", "calls", "output", "latency_ms", "usage", "events")
"""What is kept of an earlier try of a trial; whose it is, the later one says."""

ANSWERED = "answered"
"""The event of the journal that says that an agent is done, and what came of it, before models are asked about it."""


def answer_event(key: TrialKey, done: Trajectory, secrets: Secrets) -> dict[str, JsonValue]:
    """The event that keeps what an agent did."""
    whole = storable(replace(done, case=key[1], agent=key[0], trial=key[2]), secrets)
    return {"kind": ANSWERED, "trajectory": msgspec.to_builtins(whole)}


def retry_event(retry: Retry) -> dict[str, JsonValue]:
    """The event of a trajectory that says that a model was asked again, and why."""
    known: dict[str, JsonValue] = msgspec.to_builtins(retry)
    return {**known, "kind": "retry", "reason": retry.kind}


def answered_before(events: Sequence[Mapping[str, JsonValue]] | None) -> Trajectory | None:
    """What an agent had done when a run ended while models were asked about it."""
    for event in reversed(events or ()):
        if event.get("kind") == ANSWERED:
            return msgspec.convert(event["trajectory"], Trajectory)
    return None


class TrialJournal:
    """Records what cannot be undone, before it is done: first that the trial was begun, then each call."""

    __slots__ = ("_attempt", "_begun", "_calls", "_harmless", "_key", "_recorder")

    def __init__(
        self, recorder: RunRecorder, calls: StoreCalls, key: TrialKey, attempt: int, harmless: Collection[str]
    ) -> None:
        """Make ready.

        Args:
            recorder: Where it is recorded.
            calls: How the recorder is called.
            key: The trial.
            attempt: The how many-th attempt this is.
            harmless: Tools that change nothing, so that nobody has to know of a call that was cut short.
        """
        self._recorder = recorder
        self._calls = calls
        self._key = key
        self._attempt = attempt
        self._harmless = harmless
        self._begun = False

    async def begin(self) -> None:
        """Record that the trial was begun, once."""
        if not self._begun:
            self._begun = True
            await self._calls.make(self._recorder.begin, self._key, self._attempt)

    async def __call__(self, event: Mapping[str, JsonValue]) -> None:
        """Record a call that is about to be made."""
        if event["tool"] not in self._harmless:
            await self.begin()
            await self._calls.make(self._recorder.journal, self._key, event)


def attempts(events: list[dict[str, JsonValue]] | None, ended: Trajectory | None) -> int:
    """How often a trial was begun before."""
    begun = sum(event.get("kind") == "begun" for event in events) if events else 0
    return begun if ended is None else begun + 1 + sum(event.get("kind") == "retried" for event in ended.events)


def earlier_tries(ended: Trajectory) -> list[dict[str, JsonValue]]:
    """What is kept of a trial that is run again: the tries before it, and it itself as it ended."""
    before = [event for event in ended.events if event.get("kind") == "retried"]
    rest = tuple(event for event in ended.events if event.get("kind") != "retried")
    told: dict[str, JsonValue] = msgspec.to_builtins(replace(ended, events=rest))
    told = {name: told[name] for name in EARLIER if name in told}
    return [*before, {"kind": "retried", "trajectory": told}]
