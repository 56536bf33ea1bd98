"""JSON values: their type and what it means for two of them to be the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["JsonValue", "identity", "nfc", "same"]

if TYPE_CHECKING:
    JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
else:
    JsonValue = Any
"""Any JSON value. To msgspec it is `Any`, which decodes fastest."""


def nfc(text: str) -> str:
    """The text in Unicode normal form C, in which an accented letter is one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def same(left: JsonValue, right: JsonValue) -> bool:
    """Whether two JSON values are equal without mixing up types.

    Numbers are equal by value (`75` and `75.0`), but a boolean is no number and a string is neither. Strings are
    compared in normal form C. Lists are equal item by item, objects key by key.
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, str):
        return isinstance(right, str) and (left == right or nfc(left) == nfc(right))
    if isinstance(left, list):
        return (
            isinstance(right, list)
            and len(left) == len(right)
            and all(same(a, b) for a, b in zip(left, right, strict=True))
        )
    if isinstance(left, dict):
        if not isinstance(right, dict) or len(left) != len(right):
            return False
        for key, item in left.items():
            if key in right:
                if not same(item, right[key]):
                    return False
            elif key.isascii() and all(map(str.isascii, right)):
                return False
            else:
                return identity(left) == identity(right)
        return True
    if isinstance(right, (str, list, dict)):
        return False
    return left == right


def identity(value: JsonValue) -> Hashable:
    """A hashable stand-in: two values have equal stand-ins exactly when they are the `same`."""
    kind = value.__class__
    if kind is str:
        return nfc(value)  # type: ignore[arg-type]  # a str by its class
    if kind is int or kind is float:
        return value  # type: ignore[return-value]  # a number by its class
    if isinstance(value, dict):
        return ("object", frozenset([(nfc(key), identity(item)) for key, item in value.items()]))
    if isinstance(value, list):
        return ("list", *map(identity, value))
    return ("boolean", value) if isinstance(value, bool) else value
