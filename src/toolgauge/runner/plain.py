"""What agents did, in a form that JSON can hold, every reader can stand, and nobody changes any more."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, Trajectory, cut, described, traced
from toolgauge.files import check_depth
from toolgauge.secrets import Secrets
from toolgauge.tools import NOT_JSON, plain, plain_arguments

__all__ = ["clean_event", "storable", "unscorable"]


def storable(trajectory: Trajectory, secrets: Secrets) -> Trajectory:
    """The trajectory as it will be read from the store: without credentials, and with nothing that JSON cannot hold.

    It shares nothing with what the agent returned. What cannot be kept is an error of the agent.
    """
    try:
        encoded = msgspec.json.encode(trajectory)
        check_depth(encoded)
        if b"null" in encoded and any(_loses(call.args) or _loses(call.result) for call in trajectory.calls):
            raise ValueError("NaN or infinity would become null")
        kept = msgspec.json.decode(encoded, type=Trajectory)
        if len(msgspec.json.encode(kept)) < len(encoded):
            raise ValueError("two keys have the same text, so only one would be kept")
    except Exception:  # noqa: BLE001 - values of somebody's own may raise anything
        kept = _made_storable(trajectory)
        encoded = msgspec.json.encode(kept)
    redacted = secrets.redact(encoded)
    return kept if redacted is encoded else secrets.redact_struct(kept)


def _loses(value: object) -> bool:
    """Whether there is a number in it that JSON has no word for."""
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, dict):
        return any(map(_loses, value.values()))
    return isinstance(value, list) and any(map(_loses, value))


def _made_storable(trajectory: Trajectory) -> Trajectory:
    copied: JsonValue = None
    try:
        copied = plain(trajectory)
        return msgspec.convert(copied, Trajectory)
    except Exception as error:  # noqa: BLE001 - as above
        words = f"the agent returned a trajectory that cannot be kept: {cut(str(error))}"
        events: tuple[dict[str, JsonValue], ...] = ({"kind": "unreadable", "trajectory": plain(copied)},)
        bare = Trajectory(trajectory.case, trajectory.agent, trajectory.trial, "error", error=words)
        return replace(bare, events=events)


def unscorable(trajectory: Trajectory, error: Exception) -> Trajectory:
    """The trajectory of a case that could not be kept, as an error of that case; what the agent did is an event."""
    event: dict[str, JsonValue] = {
        "kind": "unscored",
        "trace": traced(error),
        "calls": plain(trajectory.calls),
        "output": trajectory.output,
    }
    return replace(
        trajectory,
        state="error",
        error=f"what the agent did could not be kept: {described(error)}",
        calls=(),
        output=None,
        events=(*trajectory.events, event),
    )


def clean_event(event: Mapping[str, JsonValue], secrets: Secrets) -> Mapping[str, JsonValue]:
    """The event without credentials, and with nothing in it that JSON cannot hold."""
    try:
        encoded = msgspec.json.encode(event)
        check_depth(encoded)
    except NOT_JSON:
        event, _ = plain_arguments(event)
        encoded = msgspec.json.encode(event)
    redacted = secrets.redact(encoded)
    return event if redacted is encoded else msgspec.json.decode(redacted)
