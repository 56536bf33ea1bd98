"""Records that something went wrong with, for tests that no reader may fail on."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import chain
from random import Random

import msgspec

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces import ImportReport
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.foreign import ForeignRecords

from .spoiling import without_identity

__all__ = ["convert", "disturbed", "reads_any_record"]

SCALARS: list[JsonValue] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**30,
    "",
    "x",
    "{",
    '{"a": 1}',
    "[1]",
    "2026-01-31T08:00:00Z",
]
HOLDERS: list[JsonValue] = [[], {}, [None], [[]], [{}], {"type": "text"}, {"role": "user"}, [{"type": "tool_use"}]]


def convert(records: Sequence[JsonValue], only: str | None = None) -> tuple[list[Trajectory], ImportReport]:
    """What becomes of records that stand one a line, without the ids of their traces."""
    report = ImportReport()
    lines = ((number, msgspec.json.encode(record)) for number, record in enumerate(records, 1))
    found = ForeignRecords(ReadContext(ReadOptions(report=report)), only).lines(lines)
    return list(map(without_identity, chain.from_iterable(found))), report


def disturbed(records: Sequence[JsonValue], random: Random) -> list[JsonValue]:
    """The records, with values replaced, keys and items gone, lists out of order, and whatever else happens."""
    whole: list[JsonValue] = copy.deepcopy(list(records))
    for _ in range(random.randint(1, 4)):
        holders = list(_holders(whole))
        _disturb(random.choice(holders), random, holders)
    return whole


def _holders(value: JsonValue) -> list[list[JsonValue] | dict[str, JsonValue]]:
    found: list[list[JsonValue] | dict[str, JsonValue]] = []
    open_values: list[JsonValue] = [value]
    while open_values:
        value = open_values.pop()
        if isinstance(value, (list, dict)):
            found.append(value)
            open_values.extend(value.values() if isinstance(value, dict) else value)
    return found


def _disturb(holder: list[JsonValue] | dict[str, JsonValue], random: Random, others: Sequence[JsonValue]) -> None:
    value = copy.deepcopy(random.choice([*SCALARS, *HOLDERS, random.choice(others)]))
    if isinstance(holder, dict):
        key = random.choice([*holder, "type", "content"])
        if random.random() < 0.4:
            holder.pop(key, None)
        else:
            holder[key] = value
    elif not holder or random.random() < 0.2:
        holder.insert(random.randint(0, len(holder)), value)
    elif random.random() < 0.4:
        random.shuffle(holder)
    elif random.random() < 0.5:
        holder.pop(random.randrange(len(holder)))
    else:
        holder[random.randrange(len(holder))] = value


def reads_any_record(samples: Sequence[JsonValue], name: str, random: Random) -> bool:
    """Whether reading samples to which something happened ends in trajectories that can be written and read again."""
    first = random.randrange(len(samples))
    records = disturbed(samples[first : first + 4], random)
    found = [trajectory for only in (None, name) for trajectory in convert(records, only)[0]]
    return [msgspec.json.decode(msgspec.json.encode(one), type=Trajectory) for one in found] == list(found)
