"""Tools that are Python objects, found by name: `module:object`. Importing runs code, so it has to be allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from msgspec import structs

from toolgauge.core import Annotations, Tool
from toolgauge.errors import UsageError
from toolgauge.plugins import load_object

from .child_process import Isolation
from .functions import FunctionTool, from_function
from .isolated import IsolatedTool, from_function_in_process

__all__ = ["annotated", "isolated", "load_tools", "tools_of"]


def load_tools(name: str, *, allow_code: bool, isolation: Isolation | None = None) -> list[Tool]:
    """The tools that a Python object stands for.

    Args:
        name: Where it is, as `module:object`.
        allow_code: Whether somebody said that it may be imported.
        isolation: What processes may have in which functions are called; default: they are called in this one.

    Raises:
        UsageError: Nobody allowed it, or it is no tool.
        PluginError: It cannot be imported.
    """
    tools = tools_of(load_object(name, allow_code=allow_code), name)
    return tools if isolation is None else isolated(tools, isolation)


def annotated(tools: Iterable[Tool], annotations: Annotations | None) -> list[Tool]:
    """The same tools, with what somebody says of what they do in their definitions.

    Raises:
        UsageError: One of them is no function, whose definition is its own.
    """
    if annotations is None:
        return list(tools)
    found: list[Tool] = []
    for tool in tools:
        if not isinstance(tool, (FunctionTool, IsolatedTool)):
            raise UsageError(f"the tool {tool.definition.name!r} is not a function; annotate its own definition")
        found.append(replace(tool, definition=structs.replace(tool.definition, annotations=annotations)))
    return found


def isolated(tools: Iterable[Tool], isolation: Isolation) -> list[Tool]:
    """The same tools, each called in a process of its own.

    Raises:
        UsageError: One of them is no function that another process could import.
    """
    return [tool if isinstance(tool, IsolatedTool) else _in_process(tool, isolation) for tool in tools]


def _in_process(tool: Tool, isolation: Isolation) -> Tool:
    if not isinstance(tool, FunctionTool):
        raise UsageError(f"the tool {tool.definition.name!r} cannot be isolated because it is not a function")
    return from_function_in_process(
        tool.function, name=tool.definition.name, timeout_seconds=tool.timeout_seconds, isolation=isolation
    )


def tools_of(value: object, name: str = "this object") -> list[Tool]:
    """The tools in a value: a function, a tool, or several of them in a list or under names.

    Raises:
        UsageError: It is none of these.
    """
    if hasattr(value, "definition") and callable(getattr(value, "call", None)):
        return [cast(Tool, value)]
    if isinstance(value, Mapping):
        found: list[Tool] = []
        for key, item in value.items():
            tools = tools_of(item, f"{name}[{key!r}]")
            found += [from_function(item, name=str(key))] if callable(item) and not hasattr(item, "call") else tools
        return found
    if callable(value):
        return [from_function(value)]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [tool for item in value for tool in tools_of(item, name)]
    raise UsageError(
        f"{name} is not a tool; a tool is a function, an object with 'definition' and 'call', or a list of these"
    )
