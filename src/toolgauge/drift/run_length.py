"""How many sessions pass between false alarms of a CUSUM chart: run lengths, by solving the equations of its states.

A chart starts at nothing, adds what each session says for a change, and never falls below nothing. In a state s the
expected number of sessions until the limit is one more than that of the state after the next session. For steps on a
lattice these are linear equations; none of the limits here is simulated or taken from a table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, expm1, log, sqrt

__all__ = [
    "cusum_run_length",
    "falling_run_lengths",
    "lattice_run_length",
    "limit_in",
    "rank_run_length",
    "rank_table",
    "rising_run_lengths",
    "solve",
    "tilt_limit",
]

LONGEST = 1e9
"""Run lengths are computed up to here, in sessions."""
_FEWEST = 2e-3
"""Rarer events are charted as if they were so frequent and sessions fewer: only events are counted, as in a Poisson
process."""
_GRID = 0.1
"""Rates are rounded to steps of a tenth, so that charts of many series share their run lengths."""
_WIDE = 8
"""From such a ratio of the two steps on, one of them is taken as a whole multiple of the other."""
_FINE = 12
"""How many units of the lattice there are in a unit of evidence, where the steps are of like size."""
_APART = 0.5
"""Units of evidence between limits whose run lengths are computed, where there is no pass for all of them."""
_SOLVED = 8.0
"""Up to which limit they are, in units of evidence."""
_SLACK = 0.97
"""The run length is kept by so much of the limit, since steps on the lattice are not quite those of the chart: where
run lengths grow in stairs, a hair less would be a whole stair too low."""
_STAIR = 3.0
"""How long the steps of a stair can be, in units of evidence."""
_CELLS = 32
"""Into how many cells the range of one rank's evidence is divided."""


def rising_run_lengths(rate: float, step: int, longest: float = LONGEST) -> list[float]:
    """Run lengths of the chart that goes up by `step` at an event and else down by 1, by its limit: 1, 2, 3 and so on.

    Counted from the limit downwards each state is one more than a multiple of the next lower, α + (1 - γ) f, whatever
    the limit, so that one pass has the run lengths of all limits. No two like numbers are subtracted.

    Args:
        rate: How often the event happens in a session.
        step: From 1.
        longest: Where to stop.
    """
    window = _Window()
    found: list[float] = []
    while not found or found[-1] < longest:
        constant, escape = window.composed if len(found) >= step else (0.0, 1.0)
        above = 1 + rate * constant
        found.append(above / (rate * escape))
        if len(found) > step:
            window.drop()
        below = 1 - rate + rate * escape
        window.add(above / below, rate * escape / below)
    return found


class _Window:
    """Affine maps x → α + (1 - γ) x, of which the last so many are composed, in constant time for each."""

    def __init__(self) -> None:
        self._old: list[tuple[float, float]] = []
        self._new: deque[tuple[float, float]] = deque()
        self._newer = (0.0, 0.0)

    def add(self, constant: float, escape: float) -> None:
        """One more, which is applied before the others."""
        self._new.append((constant, escape))
        self._newer = _compose(self._newer, (constant, escape))

    def drop(self) -> None:
        """Leave out the one that was added first."""
        if not self._old:
            part = (0.0, 0.0)
            while self._new:
                part = _compose(self._new.pop(), part)
                self._old.append(part)
            self._newer = (0.0, 0.0)
        self._old.pop()

    @property
    def composed(self) -> tuple[float, float]:
        return _compose(self._old[-1], self._newer) if self._old else self._newer


def _compose(outer: tuple[float, float], inner: tuple[float, float]) -> tuple[float, float]:
    return outer[0] + (1 - outer[1]) * inner[0], outer[1] + inner[1] - outer[1] * inner[1]


def falling_run_lengths(rate: float, step: int, longest: float = LONGEST) -> list[float]:
    """Run lengths of the chart that goes down by `step` at an event and else up by 1, by its limit: 1, 2, 3 and so on.

    With d(s) for how much sooner the limit is reached from s than from nothing,
    (1 - p) d(s + 1) = 1 + d(s) - p d(s - step).
    """
    sooner = [0.0]
    while sooner[-1] < longest:
        at = len(sooner) - 1
        fallen = sooner[at - step] if at > step else 0.0
        sooner.append((1 + sooner[at] - rate * fallen) / (1 - rate))
    return sooner[1:]


def solve(rows: list[list[float]], values: list[float], lower: int, upper: int) -> list[float]:
    """Solve linear equations whose numbers lie in a band about the diagonal, each of which has most weight on it.

    Args:
        rows: Changed.
        values: The right-hand sides; changed.
        lower: How far below the diagonal there are numbers.
        upper: How far above it.
    """
    size = len(values)
    for pivot in range(size):
        row, end = rows[pivot], min(size, pivot + upper + 1)
        head = row[pivot:end]
        for other in range(pivot + 1, min(size, pivot + lower + 1)):
            factor = rows[other][pivot] / head[0]
            if factor:
                changed = rows[other]
                changed[pivot:end] = [a - factor * b for a, b in zip(changed[pivot:end], head, strict=True)]
                values[other] -= factor * values[pivot]
    for at in range(size - 1, -1, -1):
        row, end = rows[at], min(size, at + upper + 1)
        known = sum(a * b for a, b in zip(row[at + 1 : end], values[at + 1 : end], strict=True))
        values[at] = (values[at] - known) / row[at]
    return values


def lattice_run_length(rate: float, up: int, down: int, limit: int) -> float:
    """The run length of the chart that goes up by `up` at an event and else down by `down`."""
    rows = []
    for state in range(limit):
        row = [0.0] * limit
        row[state] = 1.0
        row[max(0, state - down)] -= 1 - rate
        if state + up < limit:
            row[state + up] -= rate
        rows.append(row)
    return solve(rows, [1.0] * limit, down, up)[0]


def rank_run_length(tilt: float, limit: float, cells: int = _CELLS) -> float:
    """The run length of the chart that adds the logarithm of the exponential tilt λ exp(λ u) / (exp λ - 1) of ranks u.

    Ranks of an unchanged series are uniform between 0 and 1, so that this holds for every distribution.
    """
    low = log(tilt / expm1(tilt))
    return cusum_run_length(lambda x: min(1.0, max(0.0, (x - low) / tilt)), (low, low + tilt), limit, cells)


def cusum_run_length(
    below: Callable[[float], float], between: tuple[float, float], limit: float, cells: int = _CELLS
) -> float:
    """The run length of a chart that adds up independent steps of any continuous distribution.

    States are cells of equal width, each taken at its middle; the lowest state is nothing itself.

    Args:
        below: The chance that a step is at most so large.
        between: The smallest step and the largest.
        limit: Where the chart raises an alarm.
        cells: Into how many cells the range of a step is divided.
    """
    low, high = between
    states = ceil(limit * cells / (high - low))
    width = limit / states
    starts = [0.0, *((cell + 0.5) * width for cell in range(states))]
    rows = []
    for at, start in enumerate(starts):
        edges = [below(cell * width - start) for cell in range(states + 1)]
        row = [-edges[0], *(a - b for a, b in pairwise(edges))]
        row[at] += 1
        rows.append(row)
    return solve(rows, [1.0] * len(rows), ceil(-low / width) + 2, ceil(high / width) + 2)[0]


def tilt_limit(odds: float, rate: float, run_length: float) -> float:
    """The limit of a CUSUM chart of a rate that keeps a run length.

    The chart adds the logarithm of how much likelier a session is if the odds of the event are `odds` times as high:
    log(odds / (1 + (odds - 1) p)) at an event and log(1 / (1 + (odds - 1) p)) else.

    Args:
        odds: Above 1 for a chart of rises, below for one of falls.
        rate: The usual rate p, between 0 and 1.
        run_length: Sessions between false alarms that there should be at least.
    """
    if rate > 0.5:
        return tilt_limit(1 / odds, 1 - rate, run_length)
    rounded = min(0.5, exp(round(log(max(rate, _FEWEST)) / _GRID) * _GRID))
    sessions = run_length * min(1.0, rate / rounded)
    return limit_in(_table(odds, rounded), sessions) / _SLACK


def limit_in(table: tuple[float, Sequence[float]], run_length: float) -> float:
    """The limit that keeps a run length, by a unit of evidence and the run lengths of limits of so many units."""
    unit, lengths = table
    run_length = min(run_length, LONGEST)
    place = bisect_left(lengths, run_length)
    if place == 0 or place == len(lengths):
        return unit * min(place + 1, len(lengths))
    low, high = log(lengths[place - 1]), log(lengths[place])
    part = (log(run_length) - low) / (high - low) if high > low else 1.0
    return unit * (place + part)


@lru_cache(maxsize=2048)
def _table(odds: float, rate: float) -> tuple[float, Sequence[float]]:
    """A unit of evidence, and the run lengths of the limits that are one, two, three such units and so on."""
    event, other = abs(log(odds / (1 + (odds - 1) * rate))), abs(log(1 + (odds - 1) * rate))
    if event >= _WIDE * other:
        ratio = round(event / other)
        lengths = rising_run_lengths if odds > 1 else falling_run_lengths
        near = _odds_with(rate, ratio, rising=odds > 1)
        return abs(log(1 + (near - 1) * rate)), lengths(rate, ratio)
    return _coarse_table(odds, rate, event, other)


def _odds_with(rate: float, ratio: float, *, rising: bool) -> float:
    """The odds whose step at an event is so many times the other one, which is what makes the lattice.

    The ratio falls from without end, at odds of nothing, through (1 - p) / p at 1 to nothing.
    """
    low, high = (1.0 + 1e-9, 1e9) if rising else (1e-12, 1.0 - 1e-9)
    for _ in range(200):
        middle = sqrt(low * high)
        event, other = log(middle / (1 + (middle - 1) * rate)), log(1 + (middle - 1) * rate)
        if abs(event) > ratio * abs(other):
            low = middle
        else:
            high = middle
    return sqrt(low * high)


def _coarse_table(odds: float, rate: float, event: float, other: float) -> tuple[float, Sequence[float]]:
    """The same where the steps are of like size: the smaller one is several units of the lattice."""
    parts = max(1, round(_FINE * min(event, other)))
    ratio = round(parts * max(event, other) / min(event, other)) / parts
    near = _odds_with(rate, ratio if event >= other else 1 / ratio, rising=odds > 1)
    event, other = abs(log(near / (1 + (near - 1) * rate))), abs(log(1 + (near - 1) * rate))
    fine = min(event, other) / parts
    chance, up, down = (rate, event, other) if odds > 1 else (1 - rate, other, event)
    every = max(1, round(_APART / fine))
    limits = range(every, round(_SOLVED / fine) + 1, every)
    lengths = [lattice_run_length(chance, round(up / fine), round(down / fine), limit) for limit in limits]
    return every * fine, _extended(lengths, every * fine)


def _extended(lengths: list[float], unit: float) -> list[float]:
    """The same up to the longest run length.

    Evidence is the logarithm of a fair bet, so that run lengths grow e-fold with each unit of it but for a part that
    vanishes. The last few are averaged, as those of a lattice grow in stairs.
    """
    few = min(len(lengths), ceil(_STAIR / unit))
    first = len(lengths) - few
    level = sum(log(lengths[first + step]) - unit * step for step in range(few)) / few
    found = list(lengths)
    while found[-1] < LONGEST:
        found.append(max(found[-1], exp(level + unit * (len(found) - first))))
    return found


@lru_cache(maxsize=64)
def rank_table(tilt: float) -> tuple[float, Sequence[float]]:
    """A unit of evidence, and the run lengths of charts of ranks by limits that are so many units."""
    solved = [rank_run_length(tilt, _APART * number) for number in range(1, round(_SOLVED / _APART) + 1)]
    return _APART, _extended(solved, _APART)
