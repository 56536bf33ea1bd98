"""Filling in the variables of a template, as far as it is only that."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolgauge.core import JsonValue

__all__ = ["fill", "fill_all"]

_VARIABLE = re.compile(r"\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}")


def fill(text: str, values: Mapping[str, JsonValue]) -> str | None:
    """A text with its variables filled in; None where it is a template of another kind, or a variable is missing."""
    known = {name: str(value) for name, value in values.items() if isinstance(value, (str, int, float))}
    if any(name not in known for name in _VARIABLE.findall(text)):
        return None
    rest = _VARIABLE.sub("", text)
    if "{{" in rest or "{%" in rest:
        return None
    return _VARIABLE.sub(lambda match: known[match[1]], text)


def fill_all(value: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """A value with the variables in all its texts filled in; a text for which that cannot be done stays as it is."""
    if isinstance(value, str):
        filled = fill(value, values)
        return value if filled is None else filled
    if isinstance(value, list):
        return [fill_all(item, values) for item in value]
    if isinstance(value, dict):
        return {key: fill_all(item, values) for key, item in value.items()}
    return value
