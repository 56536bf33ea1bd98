"""How much senders of traces may ask for."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["ReceiverLimits"]


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
