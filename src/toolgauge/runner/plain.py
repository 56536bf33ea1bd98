"""What agents did, in a form that JSON can hold, every reader can stand, and nobody changes any more."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, Trajectory
from toolgauge.files import MOST_DEPTH, BadJson, check_depth, is_shallow
from toolgauge.secrets import Secrets

__all__ = ["FRAMES", "clean_event", "plain", "plain_arguments", "storable", "unscorable"]

DEEPEST = MOST_DEPTH - 20
"""So deep arguments and results may be nested: they stand inside calls, which stand inside events and lines."""

TOO_DEEP = f"[nested more than {DEEPEST} deep]"
IN_ITSELF = "[a value that holds itself]"

MOST_VALUES = 1_000_000
"""So many values are copied: where one value stands in many places, there may be more of them than there is memory."""

LARGEST_INTEGER = 2**63

FRAMES = -8
"""How many of the innermost places of a traceback are kept."""

NOT_JSON = (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError, BadJson)


def plain(value: object) -> JsonValue:
    """A copy of the value that JSON can hold.

    Lone surrogates become escape sequences; numbers that are none, or too large, and whatever JSON does not know become
    their printed form; what is nested without end is cut.
    """
    return _Copy().of(value, DEEPEST)


def plain_arguments(given: Mapping[str, object]) -> tuple[dict[str, JsonValue], str]:
    """A copy of the arguments of a call: what a tool does to them does not change what was asked of it.

    Returns:
        The copy, and why no tool can be called with these arguments; empty: one can.
    """
    quick = _copied_as_json(given)
    if quick is not None:
        return quick, ""
    copied = _Copy()
    return {copied.key(name): copied.of(value, DEEPEST) for name, value in given.items()}, copied.fault


_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def _copied_as_json(given: Mapping[str, object]) -> dict[str, JsonValue] | None:
    """A copy where there is nothing odd about the values, which takes a fraction of the time; None: look closer."""
    try:
        encoded = msgspec.json.encode(given)
        return _decode_object(encoded) if b"null" not in encoded and is_shallow(encoded, DEEPEST) else None
    except NOT_JSON:
        return None


class _Copy:
    """Copies values, no more than there is room for."""

    __slots__ = ("_holders", "_left", "fault")

    def __init__(self) -> None:
        self.fault = ""
        """Why not all of it could be copied."""
        self._left = MOST_VALUES
        self._holders: set[int] = set()
        """The lists and objects that are being copied."""

    def of(self, value: Any, depth: int) -> JsonValue:
        kind = value.__class__
        if kind is str:
            return _text(value)
        if value is None or kind is bool:
            return value  # type: ignore[no-any-return]  # None or a boolean
        if isinstance(value, (int, float)):
            return _number(value)
        if isinstance(value, str):
            return _text(str(value))
        if isinstance(value, msgspec.Struct):
            value = {name: getattr(value, name) for name in value.__struct_fields__}
        if isinstance(value, Mapping) or (isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray))):
            return self._holder(value, depth)
        return _printed(value)

    def key(self, key: object) -> str:
        return _text(key) if isinstance(key, str) else _printed(key)

    def _holder(self, value: Mapping[Any, Any] | Iterable[Any], depth: int) -> JsonValue:
        if not depth:
            self.fault = f"they are nested more than {DEEPEST} deep"
            return TOO_DEEP
        if id(value) in self._holders:
            self.fault = "one of them holds itself"
            return IN_ITSELF
        self._holders.add(id(value))
        try:
            if isinstance(value, Mapping):
                return {self.key(key): self.of(item, depth - 1) for key, item in value.items() if self._room()}
            return [self.of(item, depth - 1) for item in value if self._room()]
        except Exception:  # noqa: BLE001 - an object of somebody's own that cannot even be gone through
            return _printed(value)
        finally:
            self._holders.discard(id(value))

    def _room(self) -> bool:
        self._left -= 1
        if self._left < 0:
            self.fault = f"they have more than {MOST_VALUES:,} values"
        return self._left >= 0


def _text(text: str) -> str:
    if text.isascii():
        return str(text)
    return text.encode("utf-8", "backslashreplace").decode()


def _number(value: float) -> JsonValue:
    if isinstance(value, int):
        if -LARGEST_INTEGER <= value < LARGEST_INTEGER:
            return int(value)
        try:
            return str(int(value))
        except ValueError:
            return f"[an integer of {value.bit_length():,} bits]"  # Python prints only so many digits
    return float(value) if math.isfinite(value) else str(float(value))


def _printed(value: object) -> str:
    try:
        return _text(str(value))
    except Exception:  # noqa: BLE001 - an object of somebody's own that cannot even be printed
        return f"[{type(value).__qualname__}]"


def storable(trajectory: Trajectory, secrets: Secrets) -> Trajectory:
    """The trajectory as it will be read from the store: without credentials, and with nothing that JSON cannot hold.

    It shares nothing with what the agent returned. What cannot be kept is an error of the agent.
    """
    try:
        encoded = msgspec.json.encode(trajectory)
        check_depth(encoded)
        if b"null" in encoded and any(_loses(call.args) for call in trajectory.calls):
            raise ValueError("a number that is none would become null")
        kept = msgspec.json.decode(encoded, type=Trajectory)
    except NOT_JSON:
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
    copied = plain(trajectory)
    try:
        return msgspec.convert(copied, Trajectory)
    except msgspec.ValidationError as error:
        words = f"the agent returned a trajectory that cannot be kept: {error}"
        events: tuple[dict[str, JsonValue], ...] = ({"kind": "unreadable", "trajectory": plain(copied)},)
        bare = Trajectory(trajectory.case, trajectory.agent, trajectory.trial, "error", error=words)
        return replace(bare, events=events)


def unscorable(trajectory: Trajectory, error: Exception) -> Trajectory:
    """The trajectory of a case that could not be scored, as an error of that case; what the agent did is an event."""
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    event: dict[str, JsonValue] = {
        "kind": "unscored",
        "trace": "".join(traceback.format_exception(error, limit=FRAMES)),
        "calls": plain(trajectory.calls),
        "output": trajectory.output,
    }
    return replace(
        trajectory,
        state="error",
        error=f"what the agent did could not be scored: {words}",
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
