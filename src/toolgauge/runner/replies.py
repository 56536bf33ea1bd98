"""What agents return, read as a trajectory: an answer, a trajectory, or messages in any layout that traces have."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from toolgauge.core import Replied, Trajectory
from toolgauge.errors import UsageError

__all__ = ["read_reply"]

FIELDS = frozenset(Trajectory.__struct_fields__)


def read_reply(replied: Replied) -> Trajectory:
    """The trajectory that a reply tells of. Whose it is, is not said yet.

    Raises:
        UsageError: It cannot be read.
    """
    if replied is None or isinstance(replied, str):
        return Trajectory(output=replied)
    if isinstance(replied, Trajectory):
        return replied
    if isinstance(replied, Mapping):
        return _read_mapping(replied)
    return _read_messages(replied)


def _read_mapping(replied: Mapping[str, object]) -> Trajectory:
    if "messages" in replied and not replied.keys() & {"calls", "state"}:
        read = _read_messages(replied["messages"])
        output = replied.get("output")
        return replace(read, output=output) if isinstance(output, str) else read
    if replied.keys() <= FIELDS and replied.keys() & {"output", "calls"}:
        try:
            return msgspec.convert(replied, Trajectory)
        except msgspec.ValidationError as error:
            raise UsageError(f"the agent returned a trajectory that cannot be read: {error}") from error
    return _read_messages(replied)


def _read_messages(messages: object) -> Trajectory:
    from toolgauge.traces import from_messages

    return from_messages(messages)
