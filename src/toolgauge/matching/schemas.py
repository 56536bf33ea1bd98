"""JSON schemas, compiled in one way wherever they are asked: in arguments, in `$schema` and in the linter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolgauge.core import JsonValue

if TYPE_CHECKING:
    from jsonschema_rs import Validator

__all__ = ["compile_schema", "schema_fault"]


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
