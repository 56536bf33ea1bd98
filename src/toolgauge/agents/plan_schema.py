"""The JSON schema of a plan: which steps there can be with these tools, and what their arguments look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from toolgauge.core import JsonValue, ToolDefinition

__all__ = ["plan_schema"]

MAX_BYTES = 24_000
"""Where the arguments of all tools take more than this, they are left to the prompt, which has them anyway."""

MAX_DEPTH = 6
"""Deeper than this a value may be anything."""

REFERENCE: dict[str, JsonValue] = {"type": "string", "pattern": "^#E[0-9]+.*$"}
"""The result of another step, or a part of it, which may stand in place of any value."""

ANY_OBJECT: dict[str, JsonValue] = {"type": "object", "additionalProperties": True}

KEPT = ("type", "enum", "const", "required")
"""What is kept of the schema of a value. What else can be said of one, servers that make a grammar of a schema read in
different ways or not at all; the prompt has it in full."""

POINTERS = {"$ref", "$dynamicRef", "allOf", "oneOf", "not", "if", "patternProperties", "dependentSchemas"}
"""With these a schema cannot be told in part."""


def plan_schema(tools: Sequence[ToolDefinition]) -> dict[str, JsonValue]:
    """What a plan looks like: for each tool a kind of step, with the arguments of that tool."""
    steps: list[JsonValue] = [_step([tool.name], _arguments(tool.parameters)) for tool in tools]
    if not steps or len(msgspec.json.encode(steps)) > MAX_BYTES:
        steps = [_step([tool.name for tool in tools], ANY_OBJECT)]
    items: JsonValue = steps[0] if len(steps) == 1 else {"anyOf": steps}
    return {
        "type": "object",
        "properties": {"steps": {"type": "array", "items": items}},
        "required": ["steps"],
        "additionalProperties": False,
    }


def _step(names: list[str], args: JsonValue) -> dict[str, JsonValue]:
    tool: dict[str, JsonValue] = {"type": "string"}
    if names:
        tool["enum"] = list[JsonValue](names)
    return {
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^#E[0-9]+$"},
            "thought": {"type": "string"},
            "tool": tool,
            "args": args,
        },
        "required": ["id", "tool", "args"],
        "additionalProperties": False,
    }


def _arguments(parameters: Mapping[str, JsonValue] | None) -> JsonValue:
    """The arguments of a tool, any of which may be the result of another step."""
    if not parameters or not isinstance(parameters.get("properties"), dict) or not parameters["properties"]:
        return ANY_OBJECT
    told = _outline(dict(parameters), MAX_DEPTH)
    return told if isinstance(told, dict) and told.get("type") == "object" else ANY_OBJECT


def _outline(schema: JsonValue, depth: int) -> JsonValue:
    """As much of a schema as every server understands. It allows whatever the schema allows; {} takes anything."""
    if not isinstance(schema, dict) or not depth or schema.keys() & POINTERS:
        return {}
    told: dict[str, JsonValue] = {key: schema[key] for key in KEPT if key in schema}
    properties, items, options = schema.get("properties"), schema.get("items"), schema.get("anyOf")
    if isinstance(properties, dict):
        told.setdefault("type", "object")
        told["properties"] = {name: _value(one, depth - 1) for name, one in properties.items()}
        told["additionalProperties"] = schema.get("additionalProperties") is not False
    elif told.get("type") == "object":
        told["additionalProperties"] = True
    if isinstance(items, dict):
        told["items"] = _value(items, depth - 1)
    if isinstance(options, list):
        told["anyOf"] = [_outline(one, depth - 1) for one in options]
    return told


def _value(schema: JsonValue, depth: int) -> JsonValue:
    """A value, or the result of a step in its place."""
    told = _outline(schema, depth)
    if not isinstance(told, dict) or not told or told == {"type": "string"}:
        return told
    return {"anyOf": [told, REFERENCE]}
