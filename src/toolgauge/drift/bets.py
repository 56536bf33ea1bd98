"""How much a session speaks for a change: the charts that a series has, and the evidence that each adds up.

Each is a bet that is fair while nothing has changed: what it pays is 1 on average, given the sessions seen so far in
whatever order they came. A chart adds up the logarithms and never falls below nothing (CUSUM). What is usual is told
from all sessions including the one that is judged, so that the bet is fair from the first session on, and how little is
known about the usual is part of it: beside few sessions no session is very unusual.
"""

from __future__ import annotations

from math import expm1, log, log1p

from .run_length import limit_in, rank_table, tilt_limit
from .values import Direction, Kind

__all__ = ["NEW", "OTHER", "RANK_BETS", "Bet", "RankBet", "TailBet", "TiltBet", "bets_of", "share_bets"]

NEW, OTHER = "(new)", "(other)"
"""Labels of a mix that were not there while it was learned; those that were there, and have no charts of their own."""


class TiltBet:
    """That the odds of an event are so many times what they were.

    Args:
        odds: Above 1 for a rise, below for a fall.
    """

    def __init__(self, odds: float) -> None:
        self.odds = odds
        self.direction: Direction = "up" if odds > 1 else "down"
        self.name = f"odds x {odds:g}"

    def evidence(self, share: float, usual: float) -> float:
        """What a session says in which this share of events happened, where `usual` is the mean share."""
        more = self.odds - 1
        return log1p(more * share) - log1p(more * usual)

    def limit(self, run_length: float, usual: float) -> float:
        """Where the chart raises an alarm, so that false ones are so many sessions apart."""
        return tilt_limit(self.odds, usual, run_length)


class RankBet:
    """That values lie higher (or lower) among those of before: an exponential tilt of their ranks.

    Args:
        tilt: How strongly; 1 is made for a shift by a quarter of a standard deviation, 4 for one by a whole one.
        direction: Which values count.
    """

    def __init__(self, tilt: float, direction: Direction) -> None:
        self.tilt = tilt
        self.direction = direction
        self.name = f"ranks {direction} {tilt:g}"

    def evidence(self, low: float, high: float) -> float:
        """What a session says whose value ranks between these shares of all, being equal to those in between."""
        if self.direction == "down":
            low, high = 1 - high, 1 - low
        width = high - low
        return self.tilt * low + log(expm1(self.tilt * width) / (width * expm1(self.tilt)))

    def limit(self, run_length: float) -> float:
        """Where the chart raises an alarm; the same for every distribution."""
        return limit_in(rank_table(self.tilt), run_length)


class TailBet:
    """That the highest tenth of values has more than a tenth of them: for upper quantiles.

    Args:
        share: Which part of the values is meant.
        odds: How many times the odds of it.
    """

    direction: Direction = "up"

    def __init__(self, share: float, odds: float) -> None:
        self.share = share
        self.odds = odds
        self.name = f"highest {share:.0%} x {odds:g}"

    def evidence(self, low: float, high: float) -> float:
        """What a session says whose value ranks between these shares of all, being equal to those in between."""
        inside = max(0.0, high - max(low, 1 - self.share)) / (high - low)
        more = self.odds - 1
        return log1p(more * inside) - log1p(more * self.share)

    def limit(self, run_length: float) -> float:
        """Where the chart raises an alarm; the same for every distribution."""
        return tilt_limit(self.odds, self.share, run_length)


Bet = TiltBet | RankBet | TailBet

RANK_BETS: tuple[RankBet | TailBet, ...] = (
    RankBet(1, "up"),
    RankBet(4, "up"),
    TailBet(0.1, 4),
    RankBet(1, "down"),
    RankBet(4, "down"),
)
"""The charts of a quantity."""

_RATE = (TiltBet(2), TiltBet(5), TiltBet(25), TiltBet(1 / 2), TiltBet(1 / 5))
_LABEL = (TiltBet(2), TiltBet(8), TiltBet(1 / 2), TiltBet(1 / 8))
_NEW = (TiltBet(8), TiltBet(25))


def bets_of(kind: Kind, label: str = "") -> tuple[Bet, ...]:
    """The charts of a series, or of one label of a mix."""
    return RANK_BETS if kind == "quantity" else share_bets(kind, label)


def share_bets(kind: Kind, label: str) -> tuple[TiltBet, ...]:
    """The charts of a rate, or of one label of a mix."""
    if kind == "rate":
        return _RATE
    return _NEW if label == NEW else _LABEL
