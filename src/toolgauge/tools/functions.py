"""Tools out of plain Python functions: the JSON schema comes from signature, type hints and docstring."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from toolgauge.core import JsonValue, ToolDefinition
from toolgauge.errors import UsageError

from .threads import run_in_thread

__all__ = ["FunctionTool", "definition_of", "describe", "from_function"]

KINDS_WITHOUT_NAMES = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A Python function as a tool. One that is not `async` runs in a thread, so that it does not block."""

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
            what = f"parameter {parameter.name!r} of {called!r} is positional-only"
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


GOOGLE = re.compile(r"^(Args|Arguments|Parameters|Params):\s*$")
NUMPY = re.compile(r"^(Parameters|Other Parameters)\s*$")
UNDERLINE = re.compile(r"^-{3,}\s*$")
HEADING = re.compile(r"^[A-Z][A-Za-z ]{2,30}:\s*$")
GOOGLE_ITEM = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(\([^)]*\))?\s*:\s*(?P<text>.*)$")
NUMPY_ITEM = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(:.*)?$")
REST_ITEM = re.compile(r"^:param\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)$")
REST_FIELD = re.compile(r"^:\w+[^:]*:")


def describe(function: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """What the function is for, and what each parameter is, as far as its docstring says so."""
    text = inspect.getdoc(function) or ""
    lines = text.splitlines()
    found = dict(_google(lines)) or dict(_numpy(lines)) or dict(_rest(lines))
    return _summary(lines), found


def _summary(lines: list[str]) -> str:
    """Everything before the first section."""
    kept: list[str] = []
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if HEADING.match(line) or REST_FIELD.match(line) or (line.strip() and UNDERLINE.match(below)):
            break
        kept.append(line)
    return "\n".join(kept).strip()


def _google(lines: list[str]) -> Iterator[tuple[str, str]]:
    start = next((index + 1 for index, line in enumerate(lines) if GOOGLE.match(line)), len(lines))
    body = []
    for line in lines[start:]:
        if line.strip() and not line.startswith(" "):
            break
        body.append(line)
    yield from _items(body, GOOGLE_ITEM)


def _numpy(lines: list[str]) -> Iterator[tuple[str, str]]:
    for index, line in enumerate(lines[:-1]):
        if NUMPY.match(line) and UNDERLINE.match(lines[index + 1]):
            body = []
            for position, below in enumerate(lines[index + 2 :], index + 2):
                if position + 1 < len(lines) and below.strip() and UNDERLINE.match(lines[position + 1]):
                    break
                body.append(below)
            yield from _items(body, NUMPY_ITEM)


def _rest(lines: list[str]) -> Iterator[tuple[str, str]]:
    name, words = "", ""
    for line in lines:
        item = REST_ITEM.match(line.strip())
        if item or REST_FIELD.match(line.strip()):
            if name:
                yield name, words
            name, words = (item["name"], item["text"].strip()) if item else ("", "")
        elif name and line.strip():
            words = f"{words} {line.strip()}".strip()
    if name:
        yield name, words


def _items(lines: list[str], pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Parameters of a section: each begins where the indentation is that of the first."""
    filled = [line for line in lines if line.strip()]
    margin = len(filled[0]) - len(filled[0].lstrip()) if filled else 0
    name, words = "", ""
    for line in filled:
        begins = len(line) - len(line.lstrip()) == margin
        item = pattern.match(line.strip()) if begins else None
        if item:
            if name:
                yield name, words
            name = item["name"]
            words = (item.groupdict().get("text") or "").strip()
        elif name:
            words = f"{words} {line.strip()}".strip()
    if name:
        yield name, words
