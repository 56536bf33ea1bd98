"""Writing trajectories as native JSONL, one object a line."""

from __future__ import annotations

import msgspec

from toolgauge.core import Trajectory

__all__ = ["encode_trajectory"]

_encode = msgspec.json.Encoder().encode


def encode_trajectory(trajectory: Trajectory) -> bytes:
    """The line of a trajectory, which can be read again as the same trajectory."""
    data = _encode(trajectory)
    if not trajectory.calls and trajectory.output is None and trajectory.state == "completed":
        # What is empty is left out, but a line has to say that nothing was called.
        return b'{"calls":[]' + (b"," if len(data) > 2 else b"") + data[1:] + b"\n"
    return data + b"\n"
