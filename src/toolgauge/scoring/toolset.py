"""The tools that a suite defines, as scoring sees them: their names, and what their schemas say of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from toolgauge.core import Call, Issue, JsonValue, ToolDefinition
from toolgauge.matchers import compile_schema

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

__all__ = ["NO_TOOLS", "Toolset"]

MOST_ERRORS = 5
"""How many faults of one call are named."""


class Toolset:
    """The defined tools. Schemas are compiled when they are first needed."""

    def __init__(self, tools: Sequence[ToolDefinition]) -> None:
        self.names = frozenset(tool.name for tool in tools)
        self._definitions = {tool.name: tool for tool in tools}
        self._validators: dict[str, Validator | None] = {}
        self._checks: dict[str, Callable[[dict[str, JsonValue]], bool]] = {}
        """By tool what says whether arguments are valid; of tools that were called."""

    def __bool__(self) -> bool:
        return bool(self.names)

    def accepts(self, call: Call) -> bool:
        """Whether the tool is defined and the arguments keep to its schema."""
        is_valid = self._checks.get(call.tool)
        if is_valid is None:
            if call.tool not in self.names:
                return False
            validator = self._validator(call.tool)
            is_valid = self._checks[call.tool] = _anything if validator is None else validator.is_valid
        if call.args is None:
            return True
        try:
            return is_valid(call.args)
        except (UnicodeEncodeError, OverflowError):
            return True  # half a surrogate pair, or a number without end: no JSON, and not for a schema to judge

    def issues(self, calls: Sequence[Call]) -> Iterator[Issue]:
        """The faults of calls by the definitions: unknown tools, and arguments that break a schema."""
        if not self.names:
            return
        for index, call in enumerate(calls):
            if call.tool not in self.names:
                yield Issue("unknown_tool", tool=call.tool, call=index)
            elif not self.accepts(call):
                yield from self._schema_issues(call, index)

    def _schema_issues(self, call: Call, index: int) -> Iterator[Issue]:
        validator = self._validator(call.tool)
        errors = iter(()) if validator is None else validator.iter_errors(call.args)
        for _, error in zip(range(MOST_ERRORS), errors, strict=False):
            argument, got = _place(error, call.args or {})
            yield Issue("schema_error", call.tool, argument, index, want=error.message, got=got)

    def _validator(self, tool: str) -> Validator | None:
        if tool not in self._validators:
            schema = self._definitions[tool].parameters
            self._validators[tool] = None if schema is None else compile_schema(schema)
        return self._validators[tool]


def _anything(_: dict[str, JsonValue]) -> bool:
    """Without a schema, all arguments are valid."""
    return True


def _place(error: ValidationError, args: dict[str, JsonValue]) -> tuple[str | None, JsonValue]:
    """The argument that an error is about, and its value."""
    details = error.kind.as_dict()
    if error.instance_path:
        name = str(error.instance_path[0])
    elif "property" in details:
        name = str(details["property"])
    elif details.get("unexpected"):
        name = str(details["unexpected"][0])
    else:
        return None, None
    return name, args.get(name)


NO_TOOLS = Toolset(())
