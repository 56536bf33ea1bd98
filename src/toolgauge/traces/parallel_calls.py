"""Calls that stand in another one: `multi_tool_use.parallel`, by which some models of OpenAI ask for several at once.

It is no tool. Some clients record it beside the calls that they take out of it, some by itself.
"""

from __future__ import annotations

from toolgauge.core import JsonValue

from .values import dicts, items_of, record_of, structured, text

__all__ = ["PARALLEL", "inner_calls", "inner_results"]

PARALLEL = frozenset({"multi_tool_use.parallel", "multi_tool_use_parallel", "multi_tool_use"})


def inner_calls(tool: str, arguments: JsonValue) -> list[tuple[str, JsonValue]]:
    """The names and the arguments of the calls that stand in one; empty where it is a call as any other."""
    if tool not in PARALLEL:
        return []
    return [
        (name, use.get("parameters", use.get("arguments")))
        for use in dicts(record_of(structured(arguments)).get("tool_uses"))
        if (name := text(use.get("recipient_name")) or text(use.get("name")))
    ]


def inner_results(value: JsonValue, count: int) -> list[JsonValue]:
    """The result of each of so many calls: the parts of a list with as many, else the whole for each."""
    listed = items_of(structured(value))
    return listed if len(listed) == count else [value] * count
