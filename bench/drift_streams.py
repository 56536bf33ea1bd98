"""Streams of sessions as agents in production give them, from a seed: rates, quantities, mixes, with changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from toolgauge.drift import Kind, Observation

__all__ = ["DAY", "ERRORS", "RATES", "START", "TOOLS", "Change", "Stream", "over", "sessions"]

T = TypeVar("T")
DAY = 86_400.0
START = 1_767_571_200.0
"""A Monday."""
RATES = (0.001, 0.005, 0.02, 0.05, 0.2)
TOOLS = ("search", "read", "write", "list", "mail", "book", "sum", "rare")
SHARES = (0.30, 0.20, 0.15, 0.12, 0.10, 0.08, 0.04, 0.01)
ERRORS = ("timeout", "schema", "denied", "quota")
ODD = 0.002
Array: TypeAlias = Any  # an array of numpy, which need not be there for types to be checked
_BY_HOUR = 2 * np.pi / DAY


@dataclass(frozen=True)
class Change:
    """What is different from a day on."""

    day: float
    rate: dict[float, float] | None = None
    """By the usual rate the new one."""
    slower: float = 1.0
    """What durations are multiplied by."""
    shares: tuple[float, ...] | None = None
    """Shares of tools."""
    new_error: float = 0.0
    """The share of failures that are of an error class not seen before."""


@dataclass(frozen=True)
class Stream:
    """How sessions come and what they are like."""

    days: float
    a_day: float = 10.0
    """Sessions a day."""
    calls: float = 4.0
    """Calls a session, on average; 1: exactly one."""
    alike: float = 0.0
    """How alike calls of one session are: 0 not at all, near 1 as if they were one."""
    rhythm: float = 0.0
    """How far rates and durations go up and down in a day, as a share of their mean; traffic goes twice as far."""
    office: bool = False
    """Whether it is either day or night, from 9 to 18 o'clock and else; otherwise days come and go as waves do."""
    spread: float = 1.0
    """The standard deviation of the logarithm of durations."""
    tail: float = 0.0
    """0: durations are lognormal; else Pareto with this index, without a variance below 2."""
    change: Change | None = None
    only: str = ""
    """The one series that is observed; all if empty."""


def _wave(stream: Stream, times: Array) -> Array:
    """Where in its rhythm a stream is, from -1 to 1."""
    if not stream.office:
        return np.sin(_BY_HOUR * times)
    hours = times % DAY / 3600
    return np.where((hours >= 9) & (hours < 18), 1.0, -1.0)


def starts(stream: Stream, random: np.random.Generator) -> Array:
    """When sessions begin: by day more than at night, at weekends half as many, where there is a rhythm."""
    swing = min(0.9, 2 * stream.rhythm)
    most = stream.a_day * (1 + swing)
    times = np.sort(random.random(random.poisson(most * stream.days))) * stream.days * DAY
    weekend = (times // DAY) % 7 >= 5
    chance = (1 + swing * _wave(stream, times)) / (1 + swing) * np.where(weekend & (swing > 0), 0.5, 1.0)
    found: Array = times[random.random(len(times)) < chance]
    return found


def sessions(stream: Stream, seed: int) -> Iterator[list[Observation]]:
    """Session by session what is observed in it: five rates, two quantities, the tools and the classes of errors."""
    random = np.random.default_rng(seed)
    for number, at in enumerate(starts(stream, random)):
        changed = stream.change if stream.change and at >= stream.change.day * DAY else None
        yield _session(stream, changed, float(at), number, random)


def _session(
    stream: Stream, changed: Change | None, at: float, number: int, random: np.random.Generator
) -> list[Observation]:
    calls = 1 if stream.calls == 1 else int(random.geometric(1 / stream.calls))
    wave = 1 + stream.rhythm * float(_wave(stream, at))
    found: list[Observation] = []

    def observe(series: str, kind: Kind, values: Iterable[float] = (), labels: Iterable[str] = ()) -> None:
        moment, name, trace = START + at, f"s{number}", f"t{number}"
        found.extend(Observation(series, kind, moment, float(value), "", name, trace) for value in values)
        found.extend(Observation(series, kind, moment, 0.0, label, name, trace) for label in labels)

    def wanted(series: str) -> bool:
        return stream.only in ("", series)

    for rate in RATES:
        if wanted(f"fail {rate}"):
            observe(f"fail {rate}", "rate", _events(_rate(rate, changed) * wave, calls, stream.alike, random))
    if wanted("latency"):
        slower = (changed.slower if changed else 1.0) * wave
        observe("latency", "quantity", slower * _values(calls, stream, random))
    if wanted("tokens"):
        observe("tokens", "quantity", _values(calls, stream, random))
    if wanted("tools"):
        shares = changed.shares if changed and changed.shares else SHARES
        observe("tools", "mix", labels=(TOOLS[tool] for tool in _labels(shares, calls, stream.alike, random)))
    if wanted("errors"):
        # A session in which something failed; those that have no failures say nothing in this series.
        # Now and then there is an error of a class that comes once and never again.
        new = changed.new_error if changed else 0.0
        classes = (0.6 * (1 - new), 0.3 * (1 - new), 0.1 * (1 - new), new)
        label = ERRORS[int(_labels(classes, 1, 0.0, random)[0])]
        observe("errors", "mix", labels=[f"odd {number}" if random.random() < ODD else label])
    return found


def _rate(rate: float, changed: Change | None) -> float:
    return changed.rate.get(rate, rate) if changed and changed.rate else rate


def _events(rate: float, calls: int, alike: float, random: np.random.Generator) -> Array:
    """Whether each call fails; a session has a rate of its own, by a beta distribution."""
    if alike and 0 < rate < 1:
        size = (1 - alike) / alike
        rate = float(random.beta(rate * size, (1 - rate) * size))
    found: Array = random.random(calls) < min(1.0, rate)
    return found


def _values(calls: int, stream: Stream, random: np.random.Generator) -> Array:
    """Durations; a session has a pace of its own."""
    pace = np.exp(random.normal(0, 0.8 * stream.spread) * stream.alike**0.5) if stream.alike else 1.0
    values = 1 + random.pareto(stream.tail, calls) if stream.tail else random.lognormal(0, stream.spread, calls)
    found: Array = pace * values
    return found


def _labels(shares: tuple[float, ...], calls: int, alike: float, random: np.random.Generator) -> Array:
    """Tools; a session has a mix of its own, by a Dirichlet distribution."""
    mix = np.asarray(shares)
    if alike:
        size = (1 - alike) / alike
        some = mix > 0
        own = np.zeros(len(mix))
        own[some] = random.gamma(mix[some] * size) + 1e-300
        mix = own / own.sum()
    found: Array = random.choice(len(mix), size=calls, p=mix)
    return found


def over(work: Callable[[int], T], seeds: Iterable[int], processes: int) -> list[T]:
    """The work on each seed, in as many processes."""
    if processes == 1:
        return [work(seed) for seed in seeds]
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(work, seeds, chunksize=4))
