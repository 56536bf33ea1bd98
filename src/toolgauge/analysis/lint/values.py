"""Whether any value can satisfy both a rule of a suite and the schema of the argument.

The answer is "impossible" only where that can be shown; where it cannot be told, a rule counts as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf

from toolgauge.core import JsonValue, identity
from toolgauge.matching import NOTHING_BEFORE, compile_rule

from .schemas import ArgumentSchema
from .walk import matcher_of

__all__ = ["impossible", "is_literal"]

_NUMBERS = frozenset(["integer", "number"])
_TEXT = frozenset(["string"])
_LIST = frozenset(["array"])
_OBJECT = frozenset(["object"])

_TYPED = (None, "$regex", "$contains", "$approx", "$range", "$date", "$set", "$items", "$partial")
"""Matchers that only values of certain types fit, and literals with matchers in them. Of the others nothing but a list
of choices tells whether they can be met."""


def is_literal(rule: object) -> bool:
    """Whether a rule is a value that stands for itself, without any matcher in it."""
    if isinstance(rule, list):
        return all(map(is_literal, rule))
    if isinstance(rule, dict):
        return not any(key.startswith("$") for key in rule) and all(map(is_literal, rule.values()))
    return rule is None or isinstance(rule, (str, int, float))


def impossible(rule: JsonValue | Callable[[JsonValue], bool], schema: ArgumentSchema, locale: str | None) -> bool:
    """Whether no value can both fit the rule and be valid.

    Args:
        rule: A literal, a matcher or a Python callable.
        schema: The schema of the argument.
        locale: The locale of the case, for dates.
    """
    if callable(rule):
        return False
    name = matcher_of(rule)
    inner = rule[name] if isinstance(rule, dict) and name is not None else rule
    if name == "$literal" or is_literal(rule):
        return not schema.allows(inner)
    if name == "$one_of" and isinstance(inner, list):
        return all(impossible(option, schema, locale) for option in inner)
    if name == "$default":
        return impossible(inner, schema, locale)
    if name == "$absent":
        return False
    if schema.choices is not None:
        return not _fits_some(rule, schema.choices, locale)
    if name not in _TYPED:
        return False
    return (
        _wrong_type(_kinds(name, inner), schema)
        or _out_of_range(name, inner, schema)
        or _wrong_length(name, inner, schema)
        or _impossible_part(name, inner, schema, locale)
    )


def _fits_some(rule: JsonValue, choices: list[JsonValue], locale: str | None) -> bool:
    compiled = compile_rule(rule, locale)
    return compiled.looks_back or any(compiled.fits(choice, NOTHING_BEFORE) for choice in choices)


def _kinds(name: str | None, inner: JsonValue) -> frozenset[str]:
    """The JSON types of the values that can fit."""
    if name is None:
        return _LIST if isinstance(inner, list) else _OBJECT
    if name == "$regex":
        return _TEXT
    if name == "$contains":
        parts = inner if isinstance(inner, list) else [inner]
        return _LIST | _TEXT if all(isinstance(part, str) for part in parts) else _LIST
    if name == "$approx":
        return _NUMBERS
    if name == "$range":
        return _TEXT if any(isinstance(bound, str) for bound in _bounds(name, inner)) else _NUMBERS
    if name == "$date":
        return _TEXT | {"integer"} if _is_year(inner) else _TEXT
    return _OBJECT if name == "$partial" else _LIST


def _is_year(inner: JsonValue) -> bool:
    """Whether a date says no more than the year, so that a number can match it."""
    if isinstance(inner, dict):
        return inner.get("precision") == "year" or _is_year(inner.get("value"))
    return "-" not in str(inner)


def _wrong_type(kinds: frozenset[str], schema: ArgumentSchema) -> bool:
    declared = schema.types
    if declared is None:
        return False
    return not kinds & (declared | {"integer"} if "number" in declared else declared)


def _bounds(name: str, inner: JsonValue) -> tuple[JsonValue, JsonValue]:
    """The lowest and the highest value that fits; None: there is no bound."""
    if name == "$range":
        if isinstance(inner, dict):
            return inner.get("min"), inner.get("max")
        return (inner[0], inner[1]) if isinstance(inner, list) and len(inner) == 2 else (None, None)
    parts = inner if isinstance(inner, dict) else {"value": inner}
    value, relative, absolute = (_number(parts.get(key), 0.0) for key in ("value", "rel", "abs"))
    if "rel" not in parts and "abs" not in parts:
        relative = 1e-6
    # A hair wider than the matcher itself: in doubt a rule is possible.
    margin = max(relative * abs(value), absolute) * (1 + 1e-9) + 1e-9 * abs(value)
    return value - margin, value + margin


def _number(value: JsonValue, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise


def _out_of_range(name: str | None, inner: JsonValue, schema: ArgumentSchema) -> bool:
    """Whether the numbers that fit and the numbers that are valid have none in common."""
    if name not in ("$approx", "$range") or _kinds(name, inner) != _NUMBERS:
        return False
    low, high = _bounds(name, inner)
    least = max(_number(low, -inf), _number(schema.keys.get("minimum"), -inf))
    most = min(_number(high, inf), _number(schema.keys.get("maximum"), inf))
    above = _number(schema.keys.get("exclusiveMinimum"), -inf)
    below = _number(schema.keys.get("exclusiveMaximum"), inf)
    if least > most or most <= above or least >= below:
        return True
    whole = schema.types == frozenset(["integer"])
    return whole and least != -inf and most != inf and ceil(least) > floor(most)


def _wrong_length(name: str | None, inner: JsonValue, schema: ArgumentSchema) -> bool:
    """Whether a list that fits has more or fewer items than a valid one."""
    if not isinstance(inner, list) or name not in (None, "$set"):
        return False
    # One item can fit several matchers of a set, but only one of its literals.
    least = len(inner) if name is None else len({identity(item) for item in inner if is_literal(item)})
    if least > _number(schema.keys.get("maxItems"), inf):
        return True
    return name is None and least < _number(schema.keys.get("minItems"), -inf)


def _impossible_part(name: str | None, inner: JsonValue, schema: ArgumentSchema, locale: str | None) -> bool:
    """Whether some item or key that has to be there cannot be."""
    if isinstance(inner, list) and name in (None, "$set"):
        items = schema.keys.get("items", True)
        return any(impossible(item, schema.part(items), locale) for item in inner)
    if isinstance(inner, dict) and name in (None, "$partial"):
        return any(_impossible_key(key, item, schema, locale) for key, item in inner.items())
    return False


def _impossible_key(key: str, rule: JsonValue, schema: ArgumentSchema, locale: str | None) -> bool:
    listed = schema.keys.get("properties")
    if isinstance(listed, dict) and key in listed:
        return impossible(rule, schema.part(listed[key]), locale)
    refused = schema.keys.get("additionalProperties") is False and "patternProperties" not in schema.keys
    return refused and not compile_rule(rule, locale).absent_fits
