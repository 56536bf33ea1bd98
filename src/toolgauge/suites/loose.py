"""Expected calls as other tools write them: a name and literal arguments, under one of several keys."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from toolgauge.core import ExpectedCall, JsonValue, nfc
from toolgauge.matchers import taken_literally

__all__ = ["call_of", "literals"]

NAME_KEYS = ("tool", "name", "tool_name", "toolName")
ARGUMENT_KEYS = (
    "args",
    "arguments",
    "input_parameters",
    "inputParameters",
    "tool_input",
    "toolInput",
    "parameters",
    "input",
)


def call_of(item: JsonValue) -> ExpectedCall | None:
    """The expected call that a value stands for: a name, or an object with a name; None where there is no name."""
    if isinstance(item, str):
        name = nfc(item.strip())
        return ExpectedCall(name) if name else None
    if not isinstance(item, dict):
        return None
    function = item.get("function")
    if isinstance(function, dict):
        return call_of(function)
    named = next((item[key] for key in NAME_KEYS if isinstance(item.get(key), str)), None)
    if not isinstance(named, str) or not named.strip():
        return None
    given = next((found for key in ARGUMENT_KEYS if (found := _object(item.get(key))) is not None), {})
    return ExpectedCall(nfc(named.strip()), literals(given))


def _object(value: JsonValue) -> dict[str, JsonValue] | None:
    """The value if it is an object, or a text that holds one, as chat models write arguments."""
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return None
    return value if isinstance(value, dict) else None


def literals(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Arguments of which each has to be exactly this; what no suite can name, as it begins with `$`, is left out."""
    return {name: taken_literally(value) for name, value in values.items() if not name.startswith("$")}
