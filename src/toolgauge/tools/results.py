"""What tools return, made into JSON values of a bounded size."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Literal, overload
from uuid import UUID

import msgspec

from toolgauge.core import JsonValue, printed, readable

from .plain import plain

__all__ = ["as_json", "shortened"]


@overload
def as_json(value: object, *, text: Literal[False] = ...) -> JsonValue: ...
@overload
def as_json(value: object, *, text: Literal[True]) -> str: ...
def as_json(value: object, *, text: bool = False) -> JsonValue:
    """The value as JSON, or as the text of that; what has no counterpart there becomes its printed form.

    No key is lost, and a number that is none is written out: `nan`, `inf`.

    Raises:
        Unprintable: Something in it cannot even be printed.
    """
    if isinstance(value, str) and not text:
        return readable(value)
    try:
        if value is None or isinstance(value, (bool, int)):
            plain_value: JsonValue = value
            written = msgspec.json.encode(plain_value).decode()
            return written if text else plain_value
        encoded = msgspec.json.encode(value, enc_hook=_hooked)
        decoded: JsonValue = msgspec.json.decode(encoded)
        if b"null" in encoded or len(msgspec.json.encode(decoded)) != len(encoded):
            # A number that is none may have become null, and of two keys with one text only one is left.
            decoded = plain(value, _known)
            encoded = msgspec.json.encode(decoded)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        words = printed(value)
        return words if not text else msgspec.json.encode(words).decode()
    return encoded.decode() if text else decoded


def _known(value: object) -> object:
    """What an object of another library, a dataclass or a set says that it is; itself where it says nothing."""
    for method in ("model_dump", "to_dict", "_asdict"):
        dump = getattr(value, method, None)
        if callable(dump):
            try:
                return dump()
            except TypeError:
                continue
    if isinstance(value, (set, frozenset)):
        return list(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, (datetime, date, time, UUID, Enum, Decimal, bytes)):
        return msgspec.to_builtins(value)
    return value


def _hooked(value: object) -> object:
    found = _known(value)
    return printed(value) if found is value else found


def shortened(value: JsonValue, most: int) -> tuple[JsonValue, int | None]:
    """The value, or the beginning of its text where it is too large, with the size of the whole in bytes."""
    if value is None or isinstance(value, (bool, int, float)):
        return value, None
    if isinstance(value, str):
        if len(value) * 4 <= most:
            return value, None
        encoded = value.encode()
    else:
        encoded = msgspec.json.encode(value)
    if len(encoded) <= most:
        return value, None
    return encoded[:most].decode("utf-8", "ignore"), len(encoded)
