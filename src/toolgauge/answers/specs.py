"""What is wrong with the `answer` of a case, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolgauge.core import JsonValue
from toolgauge.errors import did_you_mean

from .number import read_tolerance
from .time import read_period

__all__ = ["KEYS", "check_spec"]

KEYS: dict[str, tuple[str, ...]] = {
    "number": ("value", "tolerance", "range", "unit"),
    "time": ("value", "range", "tolerance_years", "free_text"),
    "string": ("value", "aliases", "ignore_tones"),
    "list": ("value", "ignore_tones"),
    "boolean": ("value",),
    "text": ("contains",),
}


def check_spec(spec: Mapping[str, JsonValue]) -> list[str]:
    """Everything that is wrong with an `answer` mapping; empty where it can be used."""
    kind = spec.get("type")
    if kind is None:
        return [f"answer has no type; known: {', '.join(KEYS)}"]
    if not isinstance(kind, str) or kind not in KEYS:
        return [f"answer type {kind!r} is not known; {did_you_mean(str(kind), list(KEYS))}"]
    known = ("type", *KEYS[kind])
    problems = [f"a {kind} answer has no key {key!r}; {did_you_mean(key, known)}" for key in spec if key not in known]
    return problems + CHECKS[kind](spec)


def _is_number(value: JsonValue) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    try:
        return abs(float(value)) < float("inf")
    except (ValueError, OverflowError):
        return False


def _value_or_range(
    spec: Mapping[str, JsonValue], kind: str, is_one: Callable[[JsonValue], bool], form: str
) -> list[str]:
    """Exactly one of `value` and `range`, of the right form."""
    has_value, has_range = spec.get("value") is not None, spec.get("range") is not None
    if has_value == has_range:
        return [f"a {kind} answer needs either a value or a range"]
    if has_value:
        value = spec["value"]
        return [] if is_one(value) else [f"the value {value!r} is not {form}"]
    bounds = spec["range"]
    if not isinstance(bounds, list) or len(bounds) != 2 or not all(map(is_one, bounds)):
        return [f"a range is a list of two, from and to, each {form}"]
    return []


def _check_number(spec: Mapping[str, JsonValue]) -> list[str]:
    problems = _value_or_range(spec, "number", _is_number, "a number")
    bounds = spec.get("range")
    if not problems and isinstance(bounds, list) and float(str(bounds[0])) > float(str(bounds[1])):
        problems.append("a range goes from the lower to the higher number")
    if "tolerance" in spec:
        if spec.get("range") is not None:
            problems.append("a range takes no tolerance; widen the range instead")
        elif read_tolerance(spec["tolerance"]) is None:
            problems.append(
                f"the tolerance {spec['tolerance']!r} is neither a number from 0 nor a percentage such as 10%"
            )
    unit = spec.get("unit")
    if "unit" in spec and not (isinstance(unit, str) and unit.strip()):
        problems.append("a unit is a text such as °C, % or tỷ đồng")
    return problems


def _check_time(spec: Mapping[str, JsonValue]) -> list[str]:
    form = "a day (1975-04-30), a month (1975-04), a quarter (2024-Q2) or a year (1975)"
    problems = _value_or_range(spec, "time", lambda value: read_period(value) is not None, form)
    bounds = spec.get("range")
    if not problems and isinstance(bounds, list):
        first, last = read_period(bounds[0]), read_period(bounds[1])
        if first and last and first.low > last.high:
            problems.append("a range goes from the earlier to the later date")
    if "tolerance_years" in spec:
        years = spec["tolerance_years"]
        if spec.get("range") is not None:
            problems.append("a range takes no tolerance_years; widen the range instead")
        elif isinstance(years, bool) or not isinstance(years, int) or not 0 <= years <= 9998:
            problems.append(f"tolerance_years is a whole number of years from 0, not {years!r}")
    return problems + _check_switch(spec, "free_text")


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and bool(str(value).strip())


def _check_switch(spec: Mapping[str, JsonValue], key: str) -> list[str]:
    return [] if isinstance(spec.get(key, False), bool) else [f"{key} is true or false"]


def _check_string(spec: Mapping[str, JsonValue]) -> list[str]:
    problems = [] if _is_text(spec.get("value")) else ["a string answer needs a value that is a text"]
    aliases = spec.get("aliases", [])
    if not isinstance(aliases, list) or not all(map(_is_text, aliases)):
        problems.append("aliases is a list of texts")
    return problems + _check_switch(spec, "ignore_tones")


def _check_list(spec: Mapping[str, JsonValue]) -> list[str]:
    value = spec.get("value")
    problems = []
    if not isinstance(value, list) or not all(map(_is_text, value)):
        problems.append("a list answer needs a value that is a list of texts or numbers")
    return problems + _check_switch(spec, "ignore_tones")


def _check_boolean(spec: Mapping[str, JsonValue]) -> list[str]:
    return [] if isinstance(spec.get("value"), bool) else ["a boolean answer needs the value true or false"]


def _check_text(spec: Mapping[str, JsonValue]) -> list[str]:
    contains = spec.get("contains")
    if _is_text(contains) or (isinstance(contains, list) and contains and all(map(_is_text, contains))):
        return []
    return ["a text answer needs `contains`, a list of texts"]


CHECKS: dict[str, Callable[[Mapping[str, JsonValue]], list[str]]] = {
    "number": _check_number,
    "time": _check_time,
    "string": _check_string,
    "list": _check_list,
    "boolean": _check_boolean,
    "text": _check_text,
}
