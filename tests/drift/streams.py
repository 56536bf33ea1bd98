"""Small streams of observations for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from toolgauge.drift import Alarm, Drift, Observation

__all__ = ["START", "alarms_of", "mixes", "quantities", "rates"]

START = 1_767_571_200.0
"""A Monday."""


def rates(chances: Iterable[float], *, seed: int = 0, calls: int = 1, every: float = 1200.0) -> Iterator[Observation]:
    """A session for each chance, with so many calls that fail by it."""
    random = Random(seed)
    for number, chance in enumerate(chances):
        for call in range(calls):
            at = START + number * every + call
            failed = float(random.random() < chance)
            yield Observation("fails", "rate", at, failed, session=f"s{number}", trace=f"t{number}")


def quantities(scales: Iterable[float], *, seed: int = 0, every: float = 1200.0) -> Iterator[Observation]:
    """A session for each scale, with one lognormal duration."""
    random = Random(seed)
    for number, scale in enumerate(scales):
        value = scale * random.lognormvariate(0, 1)
        yield Observation(
            "latency", "quantity", START + number * every, value, session=f"s{number}", trace=f"t{number}"
        )


def mixes(
    weights: Iterable[dict[str, float]], *, seed: int = 0, calls: int = 2, every: float = 1200.0
) -> Iterator[Observation]:
    """A session for each set of weights, with so many labels drawn by them."""
    random = Random(seed)
    for number, each in enumerate(weights):
        for call, label in enumerate(random.choices(list(each), list(each.values()), k=calls)):
            at = START + number * every + call
            yield Observation("tools", "mix", at, label=label, session=f"s{number}", trace=f"t{number}")


def alarms_of(drift: Drift, observations: Iterable[Observation]) -> list[Alarm]:
    """All alarms of a stream, up to its end."""
    found = [alarm for observation in observations for alarm in drift.observe(observation)]
    return [*found, *drift.finish()]
