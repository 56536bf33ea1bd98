"""Spans to build tests with, as OTLP JSON writes them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from toolgauge.core import JsonValue

__all__ = ["BEGIN", "TRACE", "answered", "asked", "otlp", "said", "span", "typed", "written"]

BEGIN = 1_790_000_000_000_000_000
"""When traces begin, in nanoseconds since 1970."""

TRACE = "5b8efff798038103d269b633813fc60c"


def typed(value: JsonValue) -> JsonValue:
    """A value as OTLP writes it, with its type."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": typed(item)} for key, item in value.items()]}}
    return {"stringValue": value}


def span(
    number: int,
    attributes: Mapping[str, JsonValue],
    *,
    parent: int | None = 1,
    begin: float = 0,
    end: float = 1,
    name: str = "",
    trace: str = TRACE,
    **more: JsonValue,
) -> dict[str, JsonValue]:
    """A span. Its number is its id; it begins and ends so many milliseconds after the trace."""
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": "" if parent is None else f"{parent:016x}",
        "name": name,
        "kind": 1,
        "startTimeUnixNano": str(BEGIN + round(begin * 1e6)),
        "endTimeUnixNano": str(BEGIN + round(end * 1e6)),
        "attributes": [{"key": key, "value": typed(value)} for key, value in attributes.items()],
        **more,
    }


def otlp(*spans: JsonValue) -> dict[str, JsonValue]:
    """An export of spans."""
    resource: JsonValue = {"attributes": [{"key": "service.name", "value": {"stringValue": "desk"}}]}
    return {
        "resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "desk"}, "spans": list(spans)}]}]
    }


def said(role: str, words: str) -> dict[str, JsonValue]:
    """A message of the current conventions."""
    return {"role": role, "parts": [{"type": "text", "content": words}]}


def asked(*calls: tuple[str | None, str, JsonValue]) -> dict[str, JsonValue]:
    """A message that asks for calls: their ids, tools and arguments."""
    parts: list[JsonValue] = [
        {"type": "tool_call", "id": key, "name": tool, "arguments": arguments} for key, tool, arguments in calls
    ]
    return {"role": "assistant", "parts": parts}


def answered(*answers: tuple[str | None, JsonValue]) -> dict[str, JsonValue]:
    """A message with what tools answered, by the ids of the calls."""
    parts: list[JsonValue] = [{"type": "tool_call_response", "id": key, "response": value} for key, value in answers]
    return {"role": "tool", "parts": parts}


def written(*messages: JsonValue) -> str:
    """Messages as the text that most exporters write."""
    return msgspec.json.encode(messages).decode()
