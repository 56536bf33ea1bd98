"""The matchers `$schema` and `$regex`, and JSON schemas, compiled in one way wherever they are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from toolgauge.core import JsonValue
from toolgauge.files import Fault, Path, shorten

from .matcher import TEXT_SCHEMA, Earlier, Fits, Fitting, Matcher, Rule, RuleContext

if TYPE_CHECKING:
    from jsonschema_rs import Validator

__all__ = ["REGEX", "SCHEMA", "compile_schema", "schema_fault"]

_REPETITION = re.compile(r"\{([0-9]{1,9})(?:,([0-9]{0,9}))?\}")


def compile_schema(schema: Mapping[str, JsonValue] | bool) -> Validator:
    """A validator that fetches nothing, whose patterns take linear time, and to which a `format` is a rule.

    A format that is not known, such as one of a vendor's own, says nothing.

    Raises:
        ValueError: This is not a JSON schema.
    """
    from jsonschema_rs import RegexOptions, validator_for

    written = schema if isinstance(schema, bool) else dict(schema)
    return validator_for(written, pattern_options=RegexOptions(), offline=True, validate_formats=True)


def schema_fault(schema: Mapping[str, JsonValue] | bool) -> str | None:
    """Why this is not a JSON schema; None: it is one."""
    try:
        compile_schema(schema)
    except ValueError as error:
        return str(error).splitlines()[0]
    return None


def _asking_validator(validator: Validator) -> Fits:
    def fits(value: JsonValue, _: Earlier) -> bool:
        try:
            return validator.is_valid(value)
        except (UnicodeEncodeError, OverflowError):
            return False  # half a surrogate pair, or a number without end, which no JSON holds

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


def _pattern(text: str) -> Validator:
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
        hint = "the engine takes linear time and has no look-around and no back-references"
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
        "description": "A text in which the pattern is found. There is no look-around and no back-reference.",
        **TEXT_SCHEMA,
    },
    holds="syntax",
    fitting=lambda _: Fitting(types=frozenset(["string"])),
)
