"""Where finished trajectories go: into a store, or into memory; made storable and free of credentials before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast

import msgspec

from toolgauge.core import JsonValue, Scored, Trajectory
from toolgauge.pipeline import ResultSink
from toolgauge.secrets import Secrets
from toolgauge.store import RunWriter

__all__ = ["MemoryRecorder", "RunRecorder", "StoreRecorder", "clean_event", "storable"]

Key = tuple[str, str, int]


class RunRecorder(ResultSink, Protocol):
    """Records what happens in a run, at once, and keeps the trajectories that are finished."""

    def begin(self, key: Key, attempt: int) -> None:
        """Record that a trial begins."""

    def journal(self, key: Key, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""

    def beat(self) -> None:
        """Say that the run is still being written."""


class MemoryRecorder(list[Scored]):
    """Keeps trajectories in a list, for runs that are not stored."""

    def begin(self, key: Key, attempt: int) -> None:
        """No-op: a run in memory has no journal."""

    def journal(self, key: Key, event: Mapping[str, JsonValue]) -> None:
        """No-op: a run in memory has no journal."""

    def beat(self) -> None:
        """No-op: a run in memory has no lease."""


class StoreRecorder:
    """Keeps trajectories in a store. Each call returns when what it was given is kept."""

    def __init__(self, writer: RunWriter, secrets: Secrets) -> None:
        self._writer = writer
        self._secrets = secrets

    def begin(self, key: Key, attempt: int) -> None:
        """Record that a trial begins."""
        self._writer.begin_case(*key, attempt)

    def journal(self, key: Key, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""
        self._writer.journal(*key, clean_event(event, self._secrets))

    def append(self, scored: Scored, /) -> None:
        """Keep a finished trajectory with its score, in one transaction."""
        self._writer.save(scored)

    def beat(self) -> None:
        """Hold the lease."""
        self._writer.heartbeat()


def storable(trajectory: Trajectory, secrets: Secrets) -> Trajectory:
    """The trajectory without credentials, and with nothing in it that JSON cannot hold."""
    try:
        encoded = msgspec.json.encode(trajectory)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        encoded = msgspec.json.encode(_plain(msgspec.to_builtins(trajectory, enc_hook=str)))
        trajectory = msgspec.json.decode(encoded, type=Trajectory)
    redacted = secrets.redact(encoded)
    return trajectory if redacted is encoded else secrets.redact_struct(trajectory)


def clean_event(event: Mapping[str, JsonValue], secrets: Secrets) -> Mapping[str, JsonValue]:
    """The event without credentials, and with nothing in it that JSON cannot hold."""
    try:
        encoded = msgspec.json.encode(event)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        event = cast(Mapping[str, JsonValue], _plain(event))
        encoded = msgspec.json.encode(event)
    redacted = secrets.redact(encoded)
    return event if redacted is encoded else msgspec.json.decode(redacted)


def _plain(value: Any, depth: int = 100) -> JsonValue:
    """The value with lone surrogates as escape sequences, and the printed form of what JSON does not know."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)
    if depth and isinstance(value, Mapping):
        return {str(_plain(str(key))): _plain(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return [_plain(item, depth - 1) for item in value]
    return _plain(str(value))
