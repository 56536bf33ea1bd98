"""The schema of a tool's arguments, asked about one argument at a time, and whether any value satisfies a rule as well.

The answer is "impossible" only where that can be shown; where it cannot be told, a rule counts as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import ceil, floor, inf

from toolgauge.core import JsonValue, ToolDefinition
from toolgauge.matchers import (
    NOTHING_BEFORE,
    CompiledSchema,
    Fitting,
    TooMuchWork,
    compile_rule,
    compile_schema,
    fitting,
    schema_fault,
)

__all__ = ["ArgumentSchema", "ToolSchema", "impossible"]

_SHARED = ("$schema", "$defs", "definitions")
"""What a part of a schema may refer to, and so takes along."""

_OPEN = ("patternProperties", "anyOf", "oneOf", "allOf", "if", "dependentSchemas", "$ref", "$dynamicRef")
"""Keys with which a schema may know arguments that `properties` does not list."""

_SHOWN = ("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern")
_SHOWN_LENGTHS = ("minLength", "maxLength", "minItems", "maxItems", "multipleOf")

_MAX_REFERENCES = 10


class ToolSchema:
    """What a tool says of its arguments."""

    def __init__(self, tool: ToolDefinition) -> None:
        self.name = tool.name
        self._schema: Mapping[str, JsonValue] = tool.parameters or {}
        self._arguments: dict[str, ArgumentSchema] = {}

    @cached_property
    def fault(self) -> str | None:
        """Why this is not a JSON schema; None: it is one."""
        return schema_fault(self._schema)

    @property
    def names(self) -> list[str]:
        """The arguments that are listed."""
        return list(_object(self._schema.get("properties")))

    @property
    def required(self) -> list[str]:
        """The arguments that every call has to give."""
        listed = self._schema.get("required")
        return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []

    @property
    def lists_all(self) -> bool:
        """Whether an argument that is not listed is unknown, and not merely described somewhere else."""
        more = self._schema.get("additionalProperties")
        return (
            isinstance(self._schema.get("properties"), dict)
            and not isinstance(more, dict)
            and more is not True
            and not any(key in self._schema for key in _OPEN)
        )

    @property
    def refuses_others(self) -> bool:
        """Whether a call with an argument that is not listed is invalid."""
        return self._schema.get("additionalProperties") is False

    def argument(self, name: str) -> ArgumentSchema | None:
        """The schema of an argument, where it is listed."""
        if name not in self._arguments:
            listed = _object(self._schema.get("properties"))
            if name not in listed:
                return None
            self._arguments[name] = ArgumentSchema(listed[name], self._schema)
        return self._arguments[name]


class ArgumentSchema:
    """The schema of one value: an argument, or a part of one."""

    def __init__(self, schema: JsonValue, root: Mapping[str, JsonValue]) -> None:
        self._root = root
        self.schema = _resolved(schema, root)

    @property
    def keys(self) -> dict[str, JsonValue]:
        """The keywords of the schema."""
        return _object(self.schema)

    @cached_property
    def types(self) -> frozenset[str] | None:
        """The JSON types a value may have; None: nothing is said about it."""
        return _types(self.keys)

    @property
    def choices(self) -> list[JsonValue] | None:
        """The only values there are; None: they are not listed."""
        if "const" in self.keys:
            return [self.keys["const"]]
        listed = self.keys.get("enum")
        return listed if isinstance(listed, list) else None

    def allows(self, value: JsonValue) -> bool:
        """Whether a value is valid; true as well where that cannot be told."""
        try:
            return True if self._validator is None else self._validator.is_valid(value)
        except TooMuchWork:
            return True

    @cached_property
    def _validator(self) -> CompiledSchema | None:
        if not isinstance(self.schema, dict):
            return compile_schema(self.schema if isinstance(self.schema, bool) else True)
        shared = {key: self._root[key] for key in _SHARED if key in self._root}
        try:
            return compile_schema({**shared, **self.schema})
        except ValueError:
            # A reference to elsewhere in the schema: the part cannot be judged by itself.
            return None

    def part(self, schema: JsonValue) -> ArgumentSchema:
        """The schema of a value inside this one."""
        return ArgumentSchema(schema, self._root)

    def summary(self) -> dict[str, JsonValue]:
        """What it mainly says, to be shown."""
        return {key: self.keys[key] for key in (*_SHOWN, *_SHOWN_LENGTHS) if key in self.keys}


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _resolved(schema: JsonValue, root: Mapping[str, JsonValue]) -> JsonValue:
    """The schema itself, where there is only a reference to it."""
    for _ in range(_MAX_REFERENCES):
        reference = _object(schema).get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/") or len(_object(schema)) > 1:
            return schema
        found: JsonValue = dict(root)
        for step in reference[2:].split("/"):
            found = _object(found).get(step.replace("~1", "/").replace("~0", "~"), True)
        schema = found
    return True


def _types(schema: dict[str, JsonValue]) -> frozenset[str] | None:
    named = schema.get("type")
    if isinstance(named, str):
        return frozenset([named])
    if isinstance(named, list):
        return frozenset(str(name) for name in named)
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list):
            kinds = [_types(_object(option)) for option in options]
            known = [kind for kind in kinds if kind is not None]
            return frozenset().union(*known) if known and len(known) == len(kinds) else None
    return None


# --- whether a rule can be met


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
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise


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
