"""What is usual in a series: counts by hour of day and part of week, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, floor, log, sqrt

from msgspec import Struct, field

from toolgauge.core import Estimate
from toolgauge.stats import share_interval
from toolgauge.stats.special import binomial_cdf

__all__ = ["Baseline", "bin_of", "cell_of", "median_estimate", "share_estimate", "value_of"]

_DAY, _HOUR = 86_400, 3_600
_HOURS = 24
_EPOCH_WEEKDAY = 3
"""1970 began on a Thursday."""
_LONGEST_GAP = 3 * _DAY
"""Of a longer time between two sessions only so much counts as watched: one wrong clock among thousands would otherwise
make a quiet stream of a busy one, and limits low."""
_ENOUGH = 8
"""Values of an hour are compared with themselves alone from so many sessions on; before, with those around them. A bet
is fair beside few sessions, too; beside hours that are always different it is fair on average only, and goes wrong in
runs."""
_ENOUGH_SHARES, _ENOUGH_EVENTS = 30, 5.0
"""The same of shares, from so many events on, and as many that are none. A share of few sessions says little, and what
has changed would soon be all that a new hour knows."""
_LN_GROWTH = log(1.02)
"""Values are told apart to two parts in a hundred."""
_TAIL = 0.025


def cell_of(at: float, utc_offset: float) -> int:
    """The hour of day of a time, plus 24 at weekends."""
    local = at + utc_offset * _HOUR
    weekday = (floor(local / _DAY) + _EPOCH_WEEKDAY) % 7
    return floor(local % _DAY / _HOUR) + (_HOURS if weekday >= 5 else 0)


_WIDTHS = (1, 3, 6, _HOURS, 2 * _HOURS)
"""An hour is compared with itself, or three hours, six hours, its part of the week, all: so many cells."""
_LADDERS = tuple(tuple(width * 100 + cell // width for width in _WIDTHS) for cell in range(2 * _HOURS))
"""By cell the groups it is in, from itself to all."""
_ALL = _LADDERS[0][-1]


def bin_of(value: float) -> int:
    """The number of the bin that a value falls into; bins are as wide as a fiftieth of the value."""
    if not value:
        return 0
    # Beyond what any clock or counter gives, values are one bin.
    size = max(1, min(4_000, 2_000 + round(log(min(abs(value), 1e300)) / _LN_GROWTH)))
    return size if value > 0 else -size


def value_of(number: int) -> float:
    """The value in the middle of a bin."""
    return 0.0 if not number else (1 if number > 0 else -1) * exp((abs(number) - 2_000) * _LN_GROWTH)


class Baseline(Struct):
    """The sessions that a series is told from."""

    last: float = 0.0
    elapsed: float = 0.0
    """How many seconds the sessions cover."""
    sessions: int = 0
    groups: dict[int, int] = field(default_factory=dict)
    """How many sessions each group of hours has."""
    shares: dict[str, dict[int, float]] = field(default_factory=dict)
    """By label the sum of shares in each group; a rate has the one label ""."""
    squares: dict[str, float] = field(default_factory=dict)
    """By label the sum of squares of shares."""
    bins: dict[int, dict[int, int]] = field(default_factory=dict)
    """By cell how many values each bin has."""

    def count(self, at: float, cell: int) -> None:
        """One more session."""
        gap = at - self.last if self.sessions else 0.0
        if gap > 0:
            self.elapsed += min(gap, _LONGEST_GAP)
        if not self.sessions or gap > 0 or gap < -_LONGEST_GAP:
            self.last = at
        self.sessions += 1
        for group in _LADDERS[cell]:
            self.groups[group] = self.groups.get(group, 0) + 1

    def add_share(self, cell: int, label: str, share: float) -> None:
        """What a session has of a label; those that have nothing need not be added."""
        if share:
            sums = self.shares.setdefault(label, {})
            for group in _LADDERS[cell]:
                sums[group] = sums.get(group, 0.0) + share
            self.squares[label] = self.squares.get(label, 0.0) + share * share

    def add_value(self, cell: int, number: int) -> None:
        """The bin of a session's value."""
        bins = self.bins.setdefault(cell, {})
        bins[number] = bins.get(number, 0) + 1

    def total(self, label: str) -> float:
        """The sum of shares of a label."""
        sums = self.shares.get(label)
        return sums[_ALL] if sums else 0.0

    def mean(self, label: str) -> float:
        """The mean share of a label over all sessions."""
        return self.total(label) / self.sessions if self.sessions else 0.0

    def usual_share(self, cell: int, label: str) -> float:
        """The mean share of a label in sessions of the same hours, of as few hours as there is enough to tell it by."""
        sums = self.shares.get(label)
        if sums is None:
            return 0.0
        rarer = min(mean := self.mean(label), 1 - mean)
        enough = max(_ENOUGH_SHARES, _ENOUGH_EVENTS / rarer) if rarer > 0 else float("inf")
        for group in _LADDERS[cell]:
            if self.groups[group] >= enough:
                return sums.get(group, 0.0) / self.groups[group]
        return mean

    def rank(self, cell: int, number: int) -> tuple[float, float]:
        """Between which shares of the sessions of the same hours a value lies that is one of them."""
        ladder = _LADDERS[cell]
        level = next((level for level, group in enumerate(ladder) if self.groups[group] >= _ENOUGH), len(ladder) - 1)
        first, width = cell - cell % _WIDTHS[level], _WIDTHS[level]
        below = equal = 0
        for each in range(first, first + width):
            bins = self.bins.get(each)
            if bins:
                below += sum([many for other, many in bins.items() if other < number])
                equal += bins.get(number, 0)
        total = self.groups[ladder[level]]
        return below / total, (below + equal) / total

    def all_bins(self) -> dict[int, int]:
        """How many values each bin has, over all hours."""
        found: dict[int, int] = {}
        for bins in self.bins.values():
            for number, many in bins.items():
                found[number] = found.get(number, 0) + many
        return found

    def merge_labels(self, labels: list[str], into: str) -> None:
        """Take several labels as one from now on."""
        # Squares of sums are more than sums of squares, by what is no longer known: the interval is a little narrow.
        for label in labels:
            for group, share in self.shares.pop(label, {}).items():
                sums = self.shares.setdefault(into, {})
                sums[group] = sums.get(group, 0.0) + share
            self.squares[into] = self.squares.get(into, 0.0) + self.squares.pop(label, 0.0)


def share_estimate(sessions: int, total: float, squares: float) -> Estimate:
    """The mean of shares over sessions, with its interval."""
    if sessions <= 0:
        return Estimate(None)
    value = min(1.0, max(0.0, total / sessions))
    variance = max(0.0, squares - sessions * value * value) / max(1, sessions - 1)
    return Estimate(value, *share_interval(value, sqrt(variance / sessions), sessions, sessions), sessions)


def median_estimate(bins: Mapping[int, int]) -> Estimate:
    """The median of values in bins, with the interval between the two order statistics that hold it 95 times in 100."""
    sessions = sum(bins.values())
    if not sessions:
        return Estimate(None)
    outer = max(0, int(sessions / 2 - 0.98 * sqrt(sessions)) + 1)
    while outer > 0 and binomial_cdf(outer - 1, sessions) > _TAIL:
        outer -= 1
    ranks = (max(1, outer), (sessions + 1) // 2, min(sessions, sessions + 1 - outer))
    low, middle, high = (_at_rank(bins, rank) for rank in ranks)
    return Estimate(middle, low, high, sessions)


def _at_rank(bins: Mapping[int, int], rank: int) -> float:
    passed = 0
    for number in sorted(bins):
        passed += bins[number]
        if passed >= rank:
            break
    return value_of(number)
