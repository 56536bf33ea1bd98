"""Tools out of plain Python functions: the JSON schema comes from signature, type hints and docstring."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from toolgauge.core import JsonValue, ToolDefinition
from toolgauge.errors import UsageError

from .docstrings import describe
from .threads import run_in_thread

__all__ = ["FunctionTool", "definition_of", "from_function"]

KINDS_WITHOUT_NAMES = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A Python function as a tool. One that is not `async` runs in a thread, so that it holds nobody up."""

    function: Callable[..., object]
    definition: ToolDefinition
    hints: Mapping[str, Any]
    """The types that arguments are turned into before the call, where the function says so."""
    timeout_seconds: float | None = None
    """How long a call may take; None: as long as any."""

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """The result of the function."""
        converted = {name: _converted(value, self.hints.get(name), name) for name, value in args.items()}
        if inspect.iscoroutinefunction(self.function):
            return typing.cast(JsonValue, await self.function(**converted))
        result = await run_in_thread(self.function, converted)
        if inspect.isawaitable(result):
            result = await result
        return typing.cast(JsonValue, result)


def from_function(
    function: Callable[..., object], *, name: str | None = None, timeout_seconds: float | None = None
) -> FunctionTool:
    """A tool that calls a function.

    Args:
        function: Any function or bound method whose parameters have names.
        name: What the tool is called; default: the name of the function.
        timeout_seconds: How long a call may take; default: what the box of tools says.

    Raises:
        UsageError: The function cannot be called with named arguments.
    """
    definition, hints = _read(function, name)
    return FunctionTool(function, definition, hints, timeout_seconds)


def definition_of(function: Callable[..., object], name: str | None = None) -> ToolDefinition:
    """Name, description and JSON schema of a function."""
    return _read(function, name)[0]


def _read(function: Callable[..., object], name: str | None) -> tuple[ToolDefinition, dict[str, Any]]:
    called = name or getattr(function, "__name__", "") or type(function).__name__
    summary, words = describe(function)
    hints = _hints(function)
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    definitions: dict[str, JsonValue] = {}
    open_ended = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            open_ended = True
            continue
        if parameter.kind in KINDS_WITHOUT_NAMES:
            what = f"parameter {parameter.name!r} of {called!r} has no name to be called by"
            raise UsageError(f"{what}; tools are called with named arguments only")
        schema, more = _schema(hints.get(parameter.name, Any))
        definitions.update(more)
        description = _written_beside(hints.get(parameter.name)) or words.get(parameter.name)
        if description:
            schema = {**schema, "description": description}
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
        else:
            schema = _with_default(schema, parameter.default)
        properties[parameter.name] = schema
    whole: dict[str, JsonValue] = {"type": "object", "properties": properties, "additionalProperties": open_ended}
    if required:
        whole["required"] = required
    if definitions:
        whole["$defs"] = definitions
    return ToolDefinition(called, summary, whole), hints


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    target = function if inspect.isroutine(function) else type(function).__call__
    try:
        hints = get_type_hints(target, include_extras=True)
    except (NameError, TypeError, AttributeError):
        # Hints that name what is imported for type checkers only say nothing at run time.
        return {}
    hints.pop("return", None)
    return hints


def _schema(hint: Any) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    try:
        (schema,), definitions = msgspec.json.schema_components([hint], ref_template="#/$defs/{name}")
    except (TypeError, ValueError):
        return {}, {}  # a type that JSON has no counterpart for: anything goes
    return dict(schema), dict(definitions)


def _written_beside(hint: Any) -> str:
    """The text in `Annotated[str, "which city"]`."""
    if get_origin(hint) is not Annotated:
        return ""
    return next((item for item in get_args(hint)[1:] if isinstance(item, str)), "")


def _with_default(schema: dict[str, JsonValue], default: object) -> dict[str, JsonValue]:
    if default is None or isinstance(default, (str, int, float, bool)):
        return {**schema, "default": default}
    return schema


def _converted(value: JsonValue, hint: Any, name: str) -> object:
    if hint is None or hint is Any:
        return value
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as error:
        raise ValueError(f"argument {name!r}: {error}") from error
    except TypeError:
        return value  # a type that msgspec does not know
