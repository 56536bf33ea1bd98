"""What a watch is told: its sources, its charts, its alarms, and its limits."""

from __future__ import annotations

from msgspec import Struct

from toolgauge.drift import DriftSettings

from .state import DEFAULT_STATE, MAX_SETTLED

__all__ = ["ReceiverLimits", "WatchSettings"]


class ReceiverLimits(Struct, frozen=True):
    """How much a sender may ask for."""

    body: int = 16 * 1024 * 1024
    """Bytes of a body as it is sent."""
    unpacked: int = 64 * 1024 * 1024
    """Bytes of a body when it is unpacked."""
    in_flight: int = 128 * 1024 * 1024
    """Bytes of all bodies that are being received, or wait to be committed."""
    seconds: float = 30.0
    """In which a body has to arrive."""
    waiting_spans: int = 50_000
    """Spans that are committed and wait to be looked at."""
    connections: int = 2048
    """How many may be connected; beyond, the one that was silent longest is closed."""


class WatchSettings(Struct, frozen=True, kw_only=True):
    """Everything but what is watched."""

    state: str = DEFAULT_STATE
    drift: DriftSettings = DriftSettings()
    by: tuple[str, ...] = ()
    """Keys of the metadata or of the resource, or `agent`, that have series of their own."""
    window: float = 30.0
    """So many seconds after its last span a trace is settled."""
    max_bytes: int = 64 * 1024 * 1024
    """How many bytes open traces may take."""
    max_remembered: int = MAX_SETTLED
    max_series: int = 300
    save_seconds: float = 2.0
    """How often what was settled is written down; until then it is in the inbox."""
    grounding: bool = True
    live: bool = True
    """Whether what comes is of now: then a session that is silent for long is over though nothing else comes."""
    limits: ReceiverLimits = ReceiverLimits()
