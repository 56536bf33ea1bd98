"""Servers that enforce the schema of a reply which they are sent, as providers and local servers with a grammar do.

What the script wants to say is brought into the schema: what it forbids is taken away, what it requires is made up. A
schema that the provider would refuse is refused: one that is called strict and is not, an open object at Anthropic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from toolgauge.core import ModelReply

from .anthropic_messages import AnthropicServer
from .chat_completions import OpenAIServer
from .script import Asked, Request
from .serving import BadRequest

__all__ = ["EnforcingAnthropic", "EnforcingOpenAI", "constrained"]


class EnforcingOpenAI(OpenAIServer):
    """Chat completions with `response_format`."""

    def understand(self, request: Request, number: int) -> Asked:
        wanted = _chat_schema(request)
        if wanted is not None:
            _check_schema(wanted["schema"])
            if wanted.get("strict"):
                _check_closed(wanted["schema"], all_required=True)
        return super().understand(request, number)

    def write(self, reply: ModelReply, asked: Asked) -> object:
        wanted = _chat_schema(asked.request)
        return super().write(reply if wanted is None else _in_schema(reply, wanted["schema"]), asked)


class EnforcingAnthropic(AnthropicServer):
    """Messages with `output_config`, and with tools of which one has to be called."""

    def understand(self, request: Request, number: int) -> Asked:
        wanted = (request.json.get("output_config") or {}).get("format")
        if wanted is not None:
            _check_schema(wanted["schema"])
            _check_closed(wanted["schema"])
        return super().understand(request, number)

    def write(self, reply: ModelReply, asked: Asked) -> object:
        body = asked.request.json
        wanted = (body.get("output_config") or {}).get("format")
        if wanted is not None:
            return super().write(_in_schema(reply, wanted["schema"]), asked)
        if (body.get("tool_choice") or {}).get("type") not in ("any", "tool"):
            return super().write(reply, asked)
        (tool,) = body["tools"]
        said: Any = super().write(ModelReply(), asked)
        made = json.loads(_in_schema(reply, tool["input_schema"]).text)
        said["content"] = [{"type": "tool_use", "id": f"toolu_{asked.number}", "name": tool["name"], "input": made}]
        said["stop_reason"] = "tool_use"
        return said


def _chat_schema(request: Request) -> Any:
    wanted = request.json.get("response_format")
    return None if wanted is None else wanted["json_schema"]


def _check_schema(schema: Any) -> None:
    try:
        jsonschema_rs.validator_for(schema)
    except jsonschema_rs.ValidationError as error:
        raise BadRequest(f"the schema is none: {error}") from error


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)


def _check_closed(schema: Any, *, all_required: bool = False) -> None:
    for one in _objects(schema):
        if one.get("additionalProperties") is not False:
            raise BadRequest("For 'object' type, 'additionalProperties' must be explicitly set to false")
        if all_required and set(one.get("properties", {})) != set(one.get("required", ())):
            raise BadRequest("'required' is required to be supplied and to include every key in properties")


def _in_schema(reply: ModelReply, schema: Any) -> ModelReply:
    try:
        meant = json.loads(reply.text)
    except ValueError:
        meant = None
    said = constrained(schema, meant)
    problems = [str(error) for error in jsonschema_rs.validator_for(schema).iter_errors(said)]
    assert not problems, problems
    return ModelReply(json.dumps(said, ensure_ascii=False), usage=reply.usage)


def constrained(schema: Any, meant: Any) -> Any:
    """What a model that means this can say under a schema."""
    if schema is True or not schema:
        return meant
    if isinstance(schema.get("anyOf"), list):
        told = [constrained(option, meant) for option in schema["anyOf"]]
        return max(told, key=lambda one: _likeness(one, meant))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return meant if meant in schema["enum"] else schema["enum"][0]
    kinds = schema.get("type")
    kind = _kind(meant, [kinds] if isinstance(kinds, str) else kinds or ["object"])
    if kind == "object":
        return _object(schema, meant if isinstance(meant, dict) else {})
    if kind == "array":
        return [constrained(schema.get("items", {}), one) for one in meant] if isinstance(meant, list) else []
    if kind == "string":
        text = meant if isinstance(meant, str) else ""
        return "#E1" if schema.get("pattern", "").startswith("^#E") and not text.startswith("#E") else text
    if kind == "boolean":
        return meant is True
    if kind in ("number", "integer"):
        return meant if isinstance(meant, (int, float)) else schema.get("minimum", 0)
    return None


def _object(schema: dict[str, Any], meant: dict[str, Any]) -> dict[str, Any]:
    known = schema.get("properties", {})
    said = {name: constrained(known[name], meant.get(name)) for name in known if name in meant}
    said |= {name: constrained(known[name], None) for name in schema.get("required", ()) if name not in said}
    if schema.get("additionalProperties", True) is not False:
        said |= {name: value for name, value in meant.items() if name not in known}
    return said


KINDS: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int,
}  # fmt: skip


def _kind(meant: Any, kinds: list[str]) -> str:
    return next((kind for kind in kinds if kind in KINDS and isinstance(meant, KINDS[kind])), kinds[0])


def _likeness(said: Any, meant: Any) -> float:
    """How much of what was meant is in what was said."""
    if said == meant:
        return 1.0
    if isinstance(said, dict) and isinstance(meant, dict) and meant:
        return sum(_likeness(said.get(name), value) for name, value in meant.items()) / (len(meant) + 1)
    if isinstance(said, list) and isinstance(meant, list) and meant and len(said) == len(meant):
        return sum(map(_likeness, said, meant)) / (len(meant) + 1)
    return 0.0
