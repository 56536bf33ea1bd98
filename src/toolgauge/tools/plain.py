"""Values of code that is not ours, copied into what JSON can hold and nobody else changes any more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from toolgauge.core import JsonValue, Unprintable, printed, readable, type_name
from toolgauge.files import MOST_DEPTH, BadJson, is_shallow

__all__ = ["NOT_JSON", "SpoiledArguments", "plain", "plain_arguments"]

DEEPEST = MOST_DEPTH - 20
"""So deep arguments and results may be nested: they stand inside calls, which stand inside events and lines."""

TOO_DEEP = f"[nested more than {DEEPEST} deep]"
IN_ITSELF = "[a value that contains itself]"

MOST_VALUES = 1_000_000
"""So many values are copied: where one value stands in many places, there may be more of them than there is memory."""

LARGEST_INTEGER = 2**63

NOT_JSON = (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError, BadJson)


def plain(value: object, convert: Callable[[object], object] | None = None) -> JsonValue:
    """A copy of the value that JSON can hold.

    Lone surrogates become escape sequences; numbers that are none, or too large, and whatever JSON does not know become
    their printed form; what is nested without end is cut. Of keys with the same text the later ones say their type.

    Args:
        value: Anything.
        convert: Makes something else of what JSON does not know; what it leaves as it is, is printed.
    """
    return _Copy(convert).of(value, DEEPEST)


class SpoiledArguments(dict[str, JsonValue]):
    """A copy of arguments that was made in another process, of which no tool can be called."""

    def __init__(self, copied: Mapping[str, JsonValue], fault: str) -> None:
        super().__init__(copied)
        self.fault = fault
        """Why not."""


def plain_arguments(given: Mapping[str, object]) -> tuple[dict[str, JsonValue], str]:
    """A copy of the arguments of a call: what a tool does to them does not change what was asked of it.

    Returns:
        The copy, and why no tool can be called with these arguments; empty: one can.
    """
    if isinstance(given, SpoiledArguments):
        return dict(given), given.fault
    quick = _copied_as_json(given)
    if quick is not None:
        return quick, ""
    copied = _Copy()
    return copied.object(given, DEEPEST), copied.fault


_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


def _copied_as_json(given: Mapping[str, object]) -> dict[str, JsonValue] | None:
    """A copy where there is nothing odd about the values, which takes a fraction of the time; None: look closer."""
    try:
        encoded = msgspec.json.encode(given)
        if b"null" in encoded or not is_shallow(encoded, DEEPEST):
            return None
        copied = _decode_object(encoded)
        # Of two keys with one text, such as 1 and "1", only one would be left.
        return copied if len(msgspec.json.encode(copied)) == len(encoded) else None
    except NOT_JSON:
        return None


class _Copy:
    """Copies values, no more than there is room for."""

    __slots__ = ("_convert", "_holders", "_left", "fault")

    def __init__(self, convert: Callable[[object], object] | None = None) -> None:
        self._convert = convert
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
            return _text(value)
        if isinstance(value, msgspec.Struct):
            value = {name: getattr(value, name) for name in value.__struct_fields__}
        if isinstance(value, Mapping) or (isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray))):
            return self._holder(value, depth)
        converted = value if self._convert is None or not depth else self._convert(value)
        return _printed(value) if converted is value else self.of(converted, depth - 1)

    def key(self, key: object) -> str:
        return _text(key) if isinstance(key, str) else _printed(key)

    def object(self, value: Mapping[Any, Any], depth: int) -> dict[str, JsonValue]:
        """An object with all its keys: what JSON would write alike is told apart by the types."""
        made: dict[str, JsonValue] = {}
        texts = {key for key in value if isinstance(key, str)}
        for key, item in value.items():
            if not self._room():
                break
            name = self.key(key)
            while name in made or (name in texts and not isinstance(key, str)):
                name = f"{name} ({type_name(key)})"
            made[name] = self.of(item, depth)
        return made

    def _holder(self, value: Mapping[Any, Any] | Iterable[Any], depth: int) -> JsonValue:
        if not depth:
            self.fault = f"they are nested more than {DEEPEST} deep"
            return TOO_DEEP
        if id(value) in self._holders:
            self.fault = "one of them contains itself"
            return IN_ITSELF
        self._holders.add(id(value))
        try:
            if isinstance(value, Mapping):
                return self.object(value, depth - 1)
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
    return readable(text)


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
        return printed(value)
    except Unprintable:
        return f"[{type_name(value)}]"
