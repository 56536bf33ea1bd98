"""Whether any value can satisfy both a rule of a suite and the schema of the argument.

The answer is "impossible" only where that can be shown; where it cannot be told, a rule counts as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf

from toolgauge.core import JsonValue
from toolgauge.matchers import NOTHING_BEFORE, Fitting, compile_rule, fitting

from .schemas import ArgumentSchema

__all__ = ["impossible"]


def impossible(rule: JsonValue | Callable[[JsonValue], bool], schema: ArgumentSchema, locale: str | None) -> bool:
    """Whether no value can both fit the rule and be valid.

    Args:
        rule: A literal, a matcher or a Python callable.
        schema: The schema of the argument.
        locale: The locale of the case, for dates.
    """
    if callable(rule):
        return False
    known = fitting(rule)
    if known.values is not None:
        return not any(map(schema.allows, known.values))
    if known.options is not None:
        return all(impossible(option, schema, locale) for option in known.options)
    if known.types == frozenset():
        return False  # the argument is to be left out, and its schema says nothing about that
    if schema.choices is not None:
        return not _fits_some(rule, schema.choices, locale)
    return (
        _wrong_type(known, schema)
        or _out_of_range(known, schema)
        or _wrong_length(known, schema)
        or _impossible_part(known, schema, locale)
    )


def _fits_some(rule: JsonValue, choices: list[JsonValue], locale: str | None) -> bool:
    compiled = compile_rule(rule, locale)
    return compiled.looks_back or any(compiled.fits(choice, NOTHING_BEFORE) for choice in choices)


def _wrong_type(known: Fitting, schema: ArgumentSchema) -> bool:
    declared = schema.types
    if declared is None or known.types is None:
        return False
    return not known.types & (declared | {"integer"} if "number" in declared else declared)


def _number(value: JsonValue, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise


def _out_of_range(known: Fitting, schema: ArgumentSchema) -> bool:
    """Whether the numbers that fit and the numbers that are valid have none in common."""
    if known.bounds is None:
        return False
    low, high = known.bounds
    lowest = max(low, _number(schema.keys.get("minimum"), -inf))
    highest = min(high, _number(schema.keys.get("maximum"), inf))
    above = _number(schema.keys.get("exclusiveMinimum"), -inf)
    below = _number(schema.keys.get("exclusiveMaximum"), inf)
    if lowest > highest or highest <= above or lowest >= below:
        return True
    whole = schema.types == frozenset(["integer"])
    return whole and lowest != -inf and highest != inf and ceil(lowest) > floor(highest)


def _wrong_length(known: Fitting, schema: ArgumentSchema) -> bool:
    """Whether a list that fits has more or fewer items than a valid one."""
    at_most, at_least = _number(schema.keys.get("maxItems"), inf), _number(schema.keys.get("minItems"), -inf)
    return known.min_items > at_most or known.max_items < at_least


def _impossible_part(known: Fitting, schema: ArgumentSchema, locale: str | None) -> bool:
    """Whether some item or key that has to be there cannot be."""
    items = schema.part(schema.keys.get("items", True))
    return any(impossible(item, items, locale) for item in known.items) or any(
        _impossible_key(key, rule, schema, locale) for key, rule in known.keys.items()
    )


def _impossible_key(key: str, rule: JsonValue, schema: ArgumentSchema, locale: str | None) -> bool:
    listed = schema.keys.get("properties")
    if isinstance(listed, dict) and key in listed:
        return impossible(rule, schema.part(listed[key]), locale)
    refused = schema.keys.get("additionalProperties") is False and "patternProperties" not in schema.keys
    return refused and not compile_rule(rule, locale).absent_fits
