"""When a series changed: the most likely moment, looking back from an alarm."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

__all__ = ["moment_of_ranks", "moment_of_shares"]


def moment_of_shares(shares: Sequence[float], sessions: int, total: float, *, rising: bool) -> int:
    """How many of the last sessions came after the change of a mean share.

    The likelihood of two rates, one before and one after, is largest for it among those that move in the direction.

    Args:
        shares: Of the last sessions, in order.
        sessions: How many there are in all, including these.
        total: The sum of all shares.
        rising: Whether the share went up.
    """
    best, found, after = 0.0, 1, 0.0
    for many, share in enumerate(reversed(shares), 1):
        after += share
        before = total - after
        if many >= sessions:
            break
        if (after / many > before / (sessions - many)) != rising:
            continue
        likelihood = _fit(after, many) + _fit(before, sessions - many)
        likelihood -= _fit(total, sessions)
        if likelihood > best:
            best, found = likelihood, many
    return found


def _fit(total: float, sessions: int) -> float:
    """The logarithm of the likelihood of shares at their own mean."""
    rate = min(1.0, max(0.0, total / sessions))
    if rate in (0.0, 1.0):
        return 0.0
    return sessions * (rate * log(rate) + (1 - rate) * log(1 - rate))


def moment_of_ranks(ranks: Sequence[float], *, rising: bool) -> int:
    """How many of the last sessions came after the change of a quantity, by their ranks among those before each.

    Ranks of an unchanged series have a mean of one half and all the same variance, so that the squared sum of what they
    are off by, divided by their number, is largest for the most likely moment.
    """
    best, found, off = 0.0, 1, 0.0
    for many, rank in enumerate(reversed(ranks), 1):
        off += rank - 0.5
        if (off > 0) == rising and off * off / many > best:
            best, found = off * off / many, many
    return found
