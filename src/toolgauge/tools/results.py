"""What tools return, made into JSON values of a bounded size."""

from __future__ import annotations

from typing import Literal, overload

import msgspec

from toolgauge.core import JsonValue

__all__ = ["as_json", "shortened"]


@overload
def as_json(value: object, *, text: Literal[False] = ...) -> JsonValue: ...
@overload
def as_json(value: object, *, text: Literal[True]) -> str: ...
def as_json(value: object, *, text: bool = False) -> JsonValue:
    """The value as JSON, or as the text of that; what has no counterpart there becomes its printed form."""
    if isinstance(value, str) and not text:
        return _readable(value)
    try:
        if value is None or isinstance(value, (bool, int)):
            plain: JsonValue = value
            written = msgspec.json.encode(plain).decode()
            return written if text else plain
        encoded = msgspec.json.encode(value, enc_hook=_plain)
        if text:
            return encoded.decode()
        decoded: JsonValue = msgspec.json.decode(encoded)
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError, msgspec.MsgspecError):
        return _readable(_printed(value))
    return decoded


def _readable(words: str) -> str:
    """The text with lone surrogates, which no file can hold, as escape sequences."""
    try:
        words.encode()
    except UnicodeEncodeError:
        return words.encode("utf-8", "backslashreplace").decode()
    return words


def _printed(value: object) -> str:
    try:
        return str(value)
    except (RecursionError, ValueError):  # nested without end, or a number of too many digits
        return f"[a result of type {type(value).__qualname__} that cannot be printed]"


def _plain(value: object) -> object:
    """Objects of other libraries say themselves what they are as JSON; the rest is printed."""
    for method in ("model_dump", "to_dict", "_asdict"):
        dump = getattr(value, method, None)
        if callable(dump):
            try:
                return dump()
            except TypeError:
                continue
    if isinstance(value, (set, frozenset)):
        return list(value)
    return str(value)


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
