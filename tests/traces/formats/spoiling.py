"""Reading records with one reader, and records that were spoiled at random."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.formats import Reader

__all__ = ["read", "read_one", "read_whole", "survives", "without_identity"]

VALUES: list[JsonValue] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    "",
    "x",
    "{",
    "[]",
    [],
    {},
    [[]],
    {"a": []},
    [None],
    ["x"],
    "é",
]


IDENTITY = ("trace_id", "span_id", "session_id", "started_at")


def without_identity(trajectory: Trajectory) -> Trajectory:
    """A trajectory without what tells it apart from others that are alike; `tests/traces/test_identity.py` has that."""
    meta = {key: value for key, value in trajectory.meta.items() if key not in IDENTITY}
    return replace(trajectory, meta=meta, calls=tuple(replace(call, span_id=None) for call in trajectory.calls))


def read(kind: type[Reader], *records: JsonValue, known: Sequence[str] = ()) -> tuple[list[Trajectory], dict[str, int]]:
    """The trajectories in records, without their ids, and what was lost on the way."""
    found, lost = read_whole(kind, *records, known=known)
    return list(map(without_identity, found)), lost


def read_whole(
    kind: type[Reader], *records: JsonValue, known: Sequence[str] = ()
) -> tuple[list[Trajectory], dict[str, int]]:
    """The trajectories in records as they are, and what was lost on the way."""
    reading = ReadContext(ReadOptions(known_tools=known))
    reader = kind(reading)
    found: list[Trajectory] = []
    for number, record in enumerate(records, 1):
        reading.number, reading.size = number, len(msgspec.json.encode(record))
        found += reader.read(record)
    found += reader.finish()
    return found, reading.report.lost


def read_one(kind: type[Reader], *records: JsonValue, known: Sequence[str] = ()) -> Trajectory:
    """The one trajectory in records of which nothing is lost."""
    found, lost = read(kind, *records, known=known)
    assert lost == {}
    assert len(found) == 1
    return found[0]


def survives(kind: type[Reader], samples: Sequence[JsonValue], seed: int) -> bool:
    """Whether reading some records that are spoilt ends in trajectories that can be written."""
    random = Random(seed)
    records = [copy.deepcopy(random.choice(samples)) for _ in range(random.randint(1, 3))]
    for _ in range(random.randint(1, 4)):
        chosen = random.randrange(len(records))
        records[chosen] = _spoiled(records[chosen], samples, random)
    found, _ = read(kind, *records)
    again = [msgspec.json.decode(msgspec.json.encode(trajectory), type=Trajectory) for trajectory in found]
    return (
        {kind.recognises(record) for record in records} <= {True, False}
        and all(isinstance(trajectory, Trajectory) for trajectory in found)
        and [trajectory.case for trajectory in again] == [trajectory.case for trajectory in found]
    )


def _spoiled(record: JsonValue, samples: Sequence[JsonValue], random: Random) -> JsonValue:
    places = list(_places(record))
    if not places or random.random() < 0.02:
        return copy.deepcopy(random.choice(VALUES))
    holder, key = random.choice(places)
    how = random.randrange(5)
    if isinstance(holder, dict):
        if how == 0:
            del holder[key]
        elif how == 1:
            holder[key] = copy.deepcopy(random.choice(list(holder.values())))
        else:
            holder[key] = copy.deepcopy(random.choice(VALUES))
    elif isinstance(holder, list):
        if how == 0:
            del holder[key]
        elif how == 1:
            holder.append(copy.deepcopy(random.choice(holder)))
        elif how == 2:
            random.shuffle(holder)
        elif how == 3:
            holder[key] = copy.deepcopy(random.choice(samples))
        else:
            holder[key] = copy.deepcopy(random.choice(VALUES))
    return record


def _places(value: JsonValue) -> Iterator[tuple[JsonValue, Any]]:
    """Every object and list in a value, with each of its keys."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield value, key
            yield from _places(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield value, index
            yield from _places(item)
