"""The matchers `$schema` and `$regex`, and JSON schemas, compiled in one way wherever they are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolgauge.core import JsonValue
from toolgauge.files import Fault, Path, shorten

from .matcher import TEXT_SCHEMA, Earlier, Fits, Fitting, Matcher, Rule, RuleContext
from .schema_work import MOST_STEPS, SchemaGraph, TooMuchWork

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

__all__ = ["REGEX", "SCHEMA", "CompiledSchema", "SchemaBreach", "compile_schema", "schema_fault"]

MOST_LISTED_STEPS = 50_000
"""Steps of a check in which every breach is listed, which the engine does all at once."""

LONGEST_MESSAGE = 1_000
TOO_MUCH = "too much work to check this value"

_REPETITION = re.compile(r"\{([0-9]{1,9})(?:,([0-9]{0,9}))?\}")


@dataclass(frozen=True, slots=True)
class SchemaBreach:
    """One way in which a value breaks a schema."""

    message: str
    path: tuple[str | int, ...] = ()
    """Where in the value."""
    key: str | None = None
    """The key of the value that it is about, where there is one."""


class CompiledSchema:
    """A schema that values are checked by, in bounded time."""

    __slots__ = ("_engine", "_graph")

    def __init__(self, engine: Validator, graph: SchemaGraph | None) -> None:
        self._engine = engine
        self._graph = graph

    def is_valid(self, value: JsonValue) -> bool:
        """Whether the value keeps to the schema.

        Raises:
            TooMuchWork: To find out would take too long.
            UnicodeEncodeError, OverflowError: Half a surrogate pair, or a number without end, which no JSON holds.
        """
        if self._graph is not None and self._graph.work(value) > MOST_STEPS:
            raise TooMuchWork(TOO_MUCH)
        return self._engine.is_valid(value)

    def breaches(self, value: JsonValue, most: int) -> list[SchemaBreach]:
        """In what a value that is not valid breaks the schema: the first so many."""
        if self._graph is not None:
            work = self._graph.work(value)
            if work > MOST_LISTED_STEPS:
                what = TOO_MUCH if work > MOST_STEPS else "the value breaks the schema in too many ways to list"
                return [SchemaBreach(what)]
        found = self._engine.iter_errors(value)
        return [_breach(error) for _, error in zip(range(most), found, strict=False)]


def _breach(error: ValidationError) -> SchemaBreach:
    details = error.kind.as_dict()
    key = None
    if error.instance_path:
        key = str(error.instance_path[0])
    elif "property" in details:
        key = str(details["property"])
    elif details.get("unexpected"):
        key = str(details["unexpected"][0])
    message = error.message
    if len(message) > LONGEST_MESSAGE:
        half = LONGEST_MESSAGE // 2
        message = f"{message[:half]} … {message[-half:]}"
    return SchemaBreach(message, tuple(error.instance_path), key)


def compile_schema(schema: Mapping[str, JsonValue] | bool) -> CompiledSchema:
    """A validator that fetches nothing, whose patterns take linear time, and to which a `format` is a rule.

    A format that is not known, such as one of a vendor's own, says nothing. No check takes longer than a moment.

    Raises:
        ValueError: This is not a JSON schema, or one that would take too long to check by.
    """
    from jsonschema_rs import RegexOptions, validator_for

    written = schema if isinstance(schema, bool) else dict(schema)
    graph = None if isinstance(written, bool) else SchemaGraph(written)
    engine = validator_for(written, pattern_options=RegexOptions(), offline=True, validate_formats=True)
    return CompiledSchema(engine, None if graph is None or graph.harmless else graph)


def schema_fault(schema: Mapping[str, JsonValue] | bool) -> str | None:
    """Why this is not a JSON schema; None: it is one."""
    try:
        compile_schema(schema)
    except ValueError as error:
        return str(error).splitlines()[0]
    return None


def _asking_validator(validator: CompiledSchema) -> Fits:
    def fits(value: JsonValue, _: Earlier) -> bool:
        try:
            return validator.is_valid(value)
        except (TooMuchWork, UnicodeEncodeError, OverflowError):
            return False  # too much to find out, half a surrogate pair, or a number without end, which no JSON holds

    return fits


def _check_schema(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, "'$schema' takes a JSON schema")
    elif reason := schema_fault(value):
        yield Fault(path, f"this is not a JSON schema: {reason}")


def _compile_schema(schema: JsonValue, _: RuleContext) -> Rule:
    return Rule(_asking_validator(compile_schema(schema if isinstance(schema, dict) else {})))


SCHEMA = Matcher(
    "$schema",
    _compile_schema,
    _check_schema,
    {"description": "A value that this JSON schema allows.", "type": "object"},
    holds="syntax",
)


def _pattern(text: str) -> CompiledSchema:
    """A validator with an engine that takes linear time whatever the pattern."""
    return compile_schema({"pattern": text})


def _check_regex(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield Fault(path, "'$regex' takes a pattern as text")
        return
    try:
        _pattern(value)
    except ValueError:
        if _is_too_large(value):
            yield Fault(path, f"{shorten(value)} is too large a regular expression", "use smaller repetitions")
            return
        hint = "patterns run in linear time, without look-around or back-references"
        yield Fault(path, f"{shorten(value)} is not a regular expression", hint)


def _is_too_large(text: str) -> bool:
    """Whether a pattern that was refused would do if nothing in it were repeated."""

    def once(match: re.Match[str]) -> str:
        upside_down = match[2] and int(match[1]) > int(match[2])
        return match[0] if upside_down else "{1}"

    single = _REPETITION.sub(once, text)
    return single != text and schema_fault({"pattern": single}) is None


def _compile_regex(text: JsonValue, _: RuleContext) -> Rule:
    valid = _asking_validator(_pattern(str(text)))
    return Rule(lambda value, earlier: isinstance(value, str) and valid(value, earlier))


REGEX = Matcher(
    "$regex",
    _compile_regex,
    _check_regex,
    {
        "description": "A text in which the pattern is found, without look-around and back-references.",
        **TEXT_SCHEMA,
    },
    holds="syntax",
    fitting=lambda _: Fitting(types=frozenset(["string"])),
)
