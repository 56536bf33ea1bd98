"""When a series changed: the likely moments, looking back from an alarm.

Each moment is as likely as the sessions are if the series had one level before it and another from it on, what is not
known about the new level being averaged over. The middle of these chances is the estimate: the single most likely
moment is often that of the burst that carried the chart over its limit.

An alarm comes after sessions that happen to speak for a change more than others, so that the chances are too sure of
themselves: as they are, the interval holds the truth in 77 to 90 of 100 cases where a quantity changed a little or a
label is new. For the interval the sessions count for four fifths of what they say, which was found on simulated streams
other than those that `python -m bench.drift delays` measures it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

__all__ = ["Moment", "moment_of_ranks", "moment_of_shares"]

_OUTER = 0.05
_CREDIT = 0.8
"""How much of what the sessions say counts for the interval."""


class Moment(NamedTuple):
    """How many of the last sessions came after a change."""

    middle: int
    fewest: int
    """It was no later than this, 95 times in 100."""
    most: int
    """It was no earlier than this, 95 times in 100."""


def moment_of_shares(shares: Sequence[float], sessions: int, total: float, *, rising: bool) -> Moment:
    """When a mean share changed.

    Args:
        shares: Of the last sessions, in order.
        sessions: How many there are in all, including these.
        total: The sum of all shares.
        rising: Whether the share went up.
    """
    found, after = [], 0.0
    for many, share in enumerate(reversed(shares), 1):
        after += share
        before = total - after
        if many >= sessions:
            break
        if (after / many > before / (sessions - many)) == rising:
            found.append((many, _fit(after, many) + _fit(before, sessions - many)))
    return _moment(found)


def _fit(total: float, sessions: int) -> float:
    """The logarithm of the likelihood of shares at their own mean."""
    rate = min(1.0, max(0.0, total / sessions))
    if rate in (0.0, 1.0):
        return 0.0
    return sessions * (rate * log(rate) + (1 - rate) * log(1 - rate))


def moment_of_ranks(ranks: Sequence[float], *, rising: bool) -> Moment:
    """When a quantity changed, by the ranks of the last sessions, each among those until then.

    Ranks of an unchanged series have a mean of one half and a variance of one twelfth.
    """
    found, off = [], 0.0
    for many, rank in enumerate(reversed(ranks), 1):
        off += rank - 0.5
        if (off > 0) == rising:
            found.append((many, 6 * off * off / many))
    return _moment(found)


def _moment(likelihoods: Sequence[tuple[int, float]]) -> Moment:
    """The middle and the outer moments of those whose log-likelihoods these are."""
    if not likelihoods:
        return Moment(1, 1, 1)
    (middle,) = _quantiles(likelihoods, 1.0, (0.5,))
    fewest, most = _quantiles(likelihoods, _CREDIT, (_OUTER, 1 - _OUTER))
    return Moment(middle, min(fewest, middle), max(most, middle))


def _quantiles(likelihoods: Sequence[tuple[int, float]], credit: float, shares: Sequence[float]) -> list[int]:
    """The moments up to which these shares of all chances lie."""
    best = max(likelihood for _, likelihood in likelihoods)
    # An unknown level costs half the logarithm of the number of sessions that tell it.
    chances = [(many, exp(credit * (likelihood - best)) / many**0.5) for many, likelihood in likelihoods]
    total = sum(chance for _, chance in chances)
    found, passed = [], 0.0
    wanted = list(shares)
    for many, chance in chances:
        passed += chance / total
        while wanted and passed >= wanted[0] - 1e-12:
            found.append(many)
            wanted.pop(0)
    return found + [chances[-1][0]] * len(wanted)
