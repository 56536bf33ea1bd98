"""What a watch is told: its sources, its charts, its alarms, and its limits."""

from __future__ import annotations

from msgspec import Struct

from toolgauge.drift import DriftSettings

from .receiver_limits import ReceiverLimits
from .state import DEFAULT_STATE, MAX_SETTLED

__all__ = ["WatchSettings"]


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
