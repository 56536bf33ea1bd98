"""How often a provider may be asked: limits, and whoever says whose turn it is."""

from __future__ import annotations

from typing import NamedTuple, Protocol

__all__ = ["Pacing", "RequestLimits", "RequestTurn"]


class RequestLimits(NamedTuple):
    """What a provider takes; None: as much as there is."""

    requests: float | None = None
    """Requests a minute, evenly spread."""
    tokens: float | None = None
    """Tokens a minute, in and out together."""
    concurrent: int | None = None
    """Requests at a time."""


class RequestTurn(NamedTuple):
    """Whether and when a request may be made."""

    id: str
    """What it is given back by; empty: there is no place at the moment, ask again later."""
    wait: float
    """Seconds until it may be made, or until it is worth asking again."""


class Pacing(Protocol):
    """Says whose turn it is, to one process or to all who share a store."""

    @property
    def elsewhere(self) -> bool:
        """Whether somebody else has to be asked, who may be away for a while."""

    def take(self, endpoint: str, limits: RequestLimits, tokens: float) -> RequestTurn:
        """Ask for a turn.

        Args:
            endpoint: Who is to be asked, without credentials.
            limits: What that one takes.
            tokens: How many tokens it is likely to be.
        """

    def give_back(self, endpoint: str, limits: RequestLimits, turn: RequestTurn, more: float) -> None:
        """End a turn.

        Args:
            endpoint: Who was asked.
            limits: What that one takes.
            turn: The turn.
            more: How many tokens more it was than was likely; negative: fewer.
        """
