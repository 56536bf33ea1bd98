"""Writing trajectories as native JSONL, one object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from toolgauge.core import Trajectory

__all__ = ["Written", "count_of", "encode_trajectories", "encode_trajectory"]

MANY = 64 * 1024
"""So many bytes of lines are handed over at once, since each that is written by itself costs a call of the system."""

_encode = msgspec.json.Encoder().encode


class Written(Struct, frozen=True, gc=False):
    """Trajectories that are encoded already."""

    count: int
    calls: int
    lines: int
    """How many lines of the log they were read from."""
    data: bytes


def count_of(item: Trajectory | list[Trajectory] | Written) -> int:
    """How many trajectories an item of a stream holds."""
    if isinstance(item, list):
        return len(item)
    return item.count if isinstance(item, Written) else 1


def encode_trajectory(trajectory: Trajectory) -> bytes:
    """The line of a trajectory, which can be read again as the same trajectory."""
    return _encoded(trajectory) + b"\n"


def encode_trajectories(trajectories: Iterable[Trajectory | Written]) -> Iterator[bytes]:
    """The lines of many trajectories, in pieces of several lines, or of a part of one that is very long."""
    pieces: list[bytes] = []
    size = 0
    for trajectory in trajectories:
        if isinstance(trajectory, Written):
            yield b"".join(pieces)
            pieces, size = [], 0
            yield trajectory.data
            continue
        data = _encoded(trajectory)
        size += len(data)
        if size < MANY:
            pieces += (data, b"\n")
            continue
        # What is very long is not copied once more.
        yield b"".join(pieces)
        pieces, size = [b"\n"], 0
        yield data
    yield b"".join(pieces)


def _encoded(trajectory: Trajectory) -> bytes:
    data = _encode(trajectory)
    if not trajectory.calls and trajectory.output is None and trajectory.state == "completed":
        # What is empty is left out, but a line has to say that nothing was called.
        return b'{"calls":[]' + (b"," if len(data) > 2 else b"") + data[1:]
    return data
