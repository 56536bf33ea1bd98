"""How soon a change is seen, by drift charts and by ADWIN and Page-Hinkley of river, at equal rates of false alarms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from statistics import median
from typing import NamedTuple, Protocol

import numpy as np
from river.drift import ADWIN, PageHinkley

from toolgauge.drift import Drift, DriftSettings, Observation

from .drift_streams import DAY, ERRORS, START, TOOLS, Change, Stream, over, sessions

SERIES = 9
"""Of how many series the one that is looked at is; they share one false alarm a month."""
LEARNED, AFTER = 28.0, 30.0
"""Days before the change and after it."""
ALARMS = 0.5
"""How many false alarms a month the charts raise of all series together, as `alarms` measures."""
QUIET = 30
"""On how many streams without change others are tuned."""
SETTINGS = DriftSettings(false_alarms=1 / SERIES)


@dataclass(frozen=True)
class Case:
    """A change, the series in which it shows, and the numbers by which other detectors can see it, one for each."""

    name: str
    stream: Stream
    numbers: Callable[[list[Observation]], list[float]]


def _mean(observed: list[Observation]) -> list[float]:
    return [sum(each.value for each in observed) / len(observed)]


def _log_median(observed: list[Observation]) -> list[float]:
    return [log(median(each.value for each in observed))]


def _shares(observed: list[Observation], labels: Sequence[str]) -> list[float]:
    """The share of each label, and of all others together."""
    shares = [sum(each.label == label for each in observed) / len(observed) for label in labels]
    return [*shares, 1 - sum(shares)]


_SHIFTED = (0.20, 0.30, 0.15, 0.12, 0.10, 0.08, 0.04, 0.01)
_GONE = (1 / 3, 2 / 9, 1 / 6, 2 / 15, 0.0, 4 / 45, 2 / 45, 1 / 90)
_PLAIN = Stream(LEARNED + AFTER, a_day=30, alike=0.2)

CASES = (
    Case(
        "fail rate from 2 % to 6 %",
        replace(_PLAIN, only="fail 0.02", change=Change(LEARNED, rate={0.02: 0.06})),
        _mean,
    ),
    Case("latency + 30 %", replace(_PLAIN, only="latency", change=Change(LEARNED, slower=1.3)), _log_median),
    Case(
        "a tool of 10 % disappears",
        replace(_PLAIN, only="tools", change=Change(LEARNED, shares=_GONE)),
        partial(_shares, labels=TOOLS),
    ),
    Case(
        "mix shifted by 10 points",
        replace(_PLAIN, only="tools", change=Change(LEARNED, shares=_SHIFTED)),
        partial(_shares, labels=TOOLS),
    ),
    Case(
        "a new error class, 5 % of errors",
        replace(_PLAIN, only="errors", change=Change(LEARNED, new_error=0.05)),
        partial(_shares, labels=ERRORS[:3]),
    ),
)


class Delay(NamedTuple):
    """What a detector did on one stream."""

    sessions: int | None
    """From the change to the alarm; None: none before the stream ended."""
    off: int | None = None
    """How many sessions after the change the estimated moment lies, or before it if negative."""
    held: bool = False
    """Whether the interval of the moment holds the change."""


def own_delay(seed: int, stream: Stream) -> Delay:
    """When the charts raise the first alarm after the change, and where they say that it was."""
    assert stream.change is not None
    changed = START + stream.change.day * DAY
    drift, begun = Drift(SETTINGS), []
    for observed in sessions(stream, seed):
        begun.append(observed[0].at)
        for alarm in [alarm for each in observed for alarm in drift.observe(each)]:
            if alarm.at >= changed:
                after = [at for at in begun if at >= changed]
                off = sum(changed <= at < alarm.changed_at for at in begun)
                off -= sum(alarm.changed_at <= at < changed for at in begun)
                held = alarm.changed_between[0] <= after[0] and alarm.changed_between[1] >= changed
                return Delay(sum(at <= alarm.at for at in after), off, held)
    return Delay(None)


class Detector(Protocol):
    """What river's detectors have."""

    drift_detected: bool

    def update(self, x: float) -> None:
        """One more number."""


Maker = Callable[[float, float], Detector]
"""A detector that is more cautious with a higher first number, for numbers with the second as standard deviation."""
Numbers = list[list[float]]
"""By what it is of, a number for each session."""


def adwin(setting: float, scale: float) -> Detector:
    """ADWIN; its chance of error is e to minus the setting."""
    del scale
    found: Detector = ADWIN(delta=float(np.exp(-setting)), clock=8)
    return found


def page_hinkley(setting: float, scale: float, *, delta: float) -> Detector:
    """Page-Hinkley in both directions."""
    found: Detector = PageHinkley(delta=delta * scale, threshold=setting * scale, mode="both")
    return found


def signals(make: Maker, setting: float, scales: list[float], numbers: Numbers) -> list[int]:
    """At which sessions one of the detectors, one for each row of numbers, says that something has changed."""
    found = set()
    for row, scale in zip(numbers, scales, strict=True):
        detector = make(setting, scale)
        for place, number in enumerate(row):
            detector.update(number)
            if detector.drift_detected:
                found.add(place)
    return sorted(found)


def tuned(make: Maker, scales: list[float], quiet: list[Numbers], allowed: int) -> tuple[float, int]:
    """The lowest setting with at most so many false alarms on streams without change, and how many it gives."""
    low, high, count = 0.0, 100.0, 0
    for _ in range(9):
        middle = (low + high) / 2
        now = sum(len(signals(make, middle, scales, numbers)) for numbers in quiet)
        if now > allowed:
            low = middle
        else:
            high, count = middle, now
    return high, count


def numbers_of(seed: int, case: Case, stream: Stream) -> tuple[Numbers, int]:
    """A stream as other detectors see it, and at which session the change is."""
    day = stream.change.day if stream.change else stream.days
    seen, before = [], 0
    for observed in sessions(stream, seed):
        seen.append(case.numbers(observed))
        before += observed[0].at < START + day * DAY
    return [list(row) for row in zip(*seen, strict=True)], before


def peer_delays(make: Maker, setting: float, scales: list[float], streams: list[tuple[Numbers, int]]) -> list[Delay]:
    """When detectors first say so after the change."""
    found = []
    for numbers, change in streams:
        later = [place for place in signals(make, setting, scales, numbers) if place >= change]
        found.append(Delay(later[0] - change + 1 if later else None))
    return found


def found_by(delays: list[Delay], share: float) -> str:
    """By how many sessions so many of the changes are found, those that were missed being found last."""
    ordered = sorted(each.sessions if each.sessions is not None else 10**9 for each in delays)
    value = ordered[int(share * (len(ordered) - 1))]
    return "never" if value == 10**9 else str(value)


def print_delays(runs: int, seed: int, processes: int, only: str) -> None:
    """How soon the charts see changes, and how far the estimated moment is from the truth."""
    print(f"Delays in sessions, {runs} streams each; 1 of {SERIES} series that share one false alarm a month")
    print("| change | half by | nine in ten by | not found | moment off by (5, 50, 95 %) | within its interval |")
    print("| --- | --- | --- | --- | --- | --- |")
    for place, case in enumerate(CASES):
        if only not in case.name:
            continue
        first = seed + 10_000_000 + 100_000 * place
        own = over(partial(own_delay, stream=case.stream), range(first, first + runs), processes)
        offs = sorted(each.off for each in own if each.off is not None)
        spread = ", ".join(f"{offs[int(share * (len(offs) - 1))]:+d}" for share in (0.05, 0.5, 0.95))
        held = sum(each.held for each in own)
        print(
            f"| {case.name} | {found_by(own, 0.5)} | {found_by(own, 0.9)} | {runs - len(offs)} of {runs} | {spread} | "
            f"{held} of {len(offs)} ({held / len(offs):.0%}) |",
            flush=True,
        )


def print_peers(runs: int, seed: int, processes: int, only: str) -> None:
    """Delays of other detectors that were tuned to as many false alarms, on streams without change."""
    print(f"Delays in sessions, half and nine in ten, and the settings of others at {_allowed()} false alarms or fewer")
    print("| change | charts | ADWIN | Page-Hinkley |\n| --- | --- | --- | --- |")
    places = [place for place, case in enumerate(CASES) if only in case.name]
    for row in over(partial(_peers_row, runs=runs, seed=seed), places, processes):
        print(row, flush=True)


def _peers_row(place: int, runs: int, seed: int) -> str:
    case, first = CASES[place], seed + 10_000_000 + 100_000 * place
    changing, still = range(first, first + runs), range(first + 50_000, first + 50_000 + QUIET)
    quiet = [numbers_of(one, case, replace(case.stream, change=None))[0] for one in still]
    scales = [float(np.std(np.concatenate(rows))) or 1.0 for rows in zip(*quiet, strict=True)]
    streams = [numbers_of(one, case, case.stream) for one in changing]
    cells = [_half_and_most([own_delay(one, case.stream) for one in changing])]
    for make in (adwin, partial(page_hinkley, delta=0.1)):
        setting, _ = tuned(make, scales, quiet, _allowed())
        cells.append(f"{_half_and_most(peer_delays(make, setting, scales, streams))} (at {setting:.1f})")
    return f"| {case.name} | {' | '.join(cells)} |"


def _half_and_most(delays: list[Delay]) -> str:
    return f"{found_by(delays, 0.5)}, {found_by(delays, 0.9)}"


def _allowed() -> int:
    """How many false alarms one series has on average on the streams that others are tuned on."""
    return round(ALARMS / SERIES * QUIET * (LEARNED + AFTER) / 30)
