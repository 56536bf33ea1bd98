"""Trajectories as rows of a transcript database of Inspect Scout."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from toolgauge.core import UNSAID, Call, JsonValue, Trajectory

from .native import encode_trajectory
from .values import Record

__all__ = ["transcript_rows"]

LIMITS = {"timeout": "time", "limit": "custom"}
"""What Scout calls the limits that end a trajectory."""


def transcript_rows(trajectories: Iterable[Trajectory]) -> Iterator[Record]:
    """A row for each trajectory; what is not known is left out."""
    for number, trajectory in enumerate(trajectories):
        yield {key: value for key, value in _row(number, trajectory).items() if value is not None}


def _row(number: int, trajectory: Trajectory) -> Record:
    messages = list(_messages(trajectory))
    usage = trajectory.usage
    return {
        "transcript_id": _name(number, trajectory),
        "source_type": "toolgauge",
        "task_id": trajectory.case or None,
        "task_repeat": None if trajectory.trial == UNSAID else trajectory.trial,
        "agent": trajectory.agent or None,
        "message_count": len(messages),
        "total_time": None if trajectory.latency_ms is None else trajectory.latency_ms / 1000,
        "total_tokens": None if usage is None else usage.tokens,
        "error": trajectory.error,
        "limit": LIMITS.get(trajectory.state),
        "messages": msgspec.json.encode(messages).decode(),
    }


def _name(number: int, trajectory: Trajectory) -> str:
    """An id that the same trajectory at the same place always gets, and no other does."""
    return hashlib.sha256(b"%d " % number + encode_trajectory(trajectory)).hexdigest()[:32]


def _messages(trajectory: Trajectory) -> Iterator[Record]:
    if trajectory.input:
        yield {"role": "user", "content": trajectory.input}
    numbered = enumerate(trajectory.calls)
    for _, group in groupby(numbered, key=lambda pair: pair[0] if pair[1].turn is None else -1 - pair[1].turn):
        calls = [(call.id or f"call_{number}", call) for number, call in group]
        yield {"role": "assistant", "content": "", "tool_calls": [_asked(key, call) for key, call in calls]}
        yield from (_answered(key, call) for key, call in calls)
    if trajectory.output is not None:
        yield {"role": "assistant", "content": trajectory.output}


def _asked(key: str, call: Call) -> JsonValue:
    return {"id": key, "function": call.tool, "arguments": call.args or {}, "type": "function"}


def _answered(key: str, call: Call) -> Record:
    result = call.result
    content = result if isinstance(result, str) else "" if result is None else msgspec.json.encode(result).decode()
    message: Record = {"role": "tool", "tool_call_id": key, "function": call.tool, "content": content}
    if call.error is not None:
        message["error"] = {"type": "unknown", "message": call.error}
    return message
