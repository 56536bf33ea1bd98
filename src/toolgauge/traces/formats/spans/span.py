"""A span as a plain value: which of its attributes are kept, and how attributes, status and events are taken in."""

from __future__ import annotations

from sys import getsizeof
from typing import Any

import msgspec
from msgspec import Struct

from toolgauge.core import JsonValue
from toolgauge.files import BadJson, decode_json

from ...values import Record, dicts, items_of, record_of

__all__ = [
    "KEPT",
    "LATER",
    "MAX_NESTING",
    "PREFIXES",
    "SPAN_SIZE",
    "Span",
    "pairs_of",
    "plain_value",
    "take_events",
    "take_nested",
    "take_status",
    "weight_of",
]

GEN_AI = """
gen_ai.operation.name gen_ai.agent.name gen_ai.conversation.id gen_ai.request.model
gen_ai.tool.name gen_ai.tool.call.id gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.call.response
gen_ai.tool.arguments gen_ai.tool.result gen_ai.tool.response gen_ai.tool.input gen_ai.tool.output
gen_ai.input.messages gen_ai.output.messages gen_ai.prompt gen_ai.completion gen_ai.response.finish_reasons
gen_ai.usage.input_tokens gen_ai.usage.output_tokens gen_ai.usage.prompt_tokens gen_ai.usage.completion_tokens
gen_ai.aggregated_usage.input_tokens gen_ai.aggregated_usage.output_tokens gen_ai.usage.cost operation.cost
error.type
"""
"""OpenTelemetry, the current conventions and those before them."""

PYDANTIC_AI = """
agent_name all_messages_events pydantic_ai.all_messages pydantic_ai.new_message_index events final_result
tool_arguments tool_response logfire.span_type case_name
"""

TRACELOOP = """
traceloop.span.kind traceloop.entity.name traceloop.workflow.name traceloop.entity.input traceloop.entity.output
llm.request.type llm.usage.prompt_tokens llm.usage.completion_tokens
"""

OPENINFERENCE = """
openinference.span.kind input.value input.mime_type output.value output.mime_type llm.input_messages llm.output_messages
llm.token_count.prompt llm.token_count.completion llm.cost.total tool.name tool.parameters tool_call.id tool.id
tool_call.function.name tool_call.function.arguments agent.name session.id tag.tags
"""

ADK = """
gcp.vertex.agent.llm_request gcp.vertex.agent.llm_response gcp.vertex.agent.tool_call_args
gcp.vertex.agent.tool_response gcp.vertex.agent.session_id
"""
"""Google's Agent Development Kit."""

VERCEL = "ai.operationId ai.prompt ai.response.text ai.response.object ai.response.toolCalls ai.telemetry.functionId"
"""Vercel's AI SDK, as far as the conventions have no name for it."""

SAME = {
    "ai.prompt.messages": "gen_ai.input.messages",
    "ai.toolCall.name": "gen_ai.tool.name",
    "ai.toolCall.id": "gen_ai.tool.call.id",
    "ai.toolCall.args": "gen_ai.tool.call.arguments",
    "ai.toolCall.result": "gen_ai.tool.call.result",
}
"""What Vercel's AI SDK calls otherwise than the conventions."""

OWN = "metadata case case_id case.id test_case_id test_case task_id sample_id example_id question_id"
"""What people add to say which case a span is of."""

NAMES = " ".join((GEN_AI, PYDANTIC_AI, TRACELOOP, OPENINFERENCE, ADK, VERCEL, OWN)).split()
KEPT = {**{name: name for name in NAMES}, **SAME}
"""Every attribute that is kept, and the name it is kept under, as one text for all spans."""

LATER_ONES = """
gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.call.response gen_ai.tool.result gen_ai.tool.response
gen_ai.input.messages gen_ai.output.messages gen_ai.prompt gen_ai.completion all_messages_events
pydantic_ai.all_messages events tool_arguments tool_response traceloop.entity.input traceloop.entity.output input.value
output.value llm.input_messages llm.output_messages gen_ai.conversation.id gen_ai.agent.name agent_name metadata
gen_ai.request.model gen_ai.response.finish_reasons final_result gcp.vertex.agent.llm_request
gcp.vertex.agent.llm_response gcp.vertex.agent.tool_call_args gcp.vertex.agent.tool_response
ai.prompt ai.response.text ai.response.object ai.response.toolCalls
"""
LATER = frozenset(LATER_ONES.split())
"""Those that are long, or of use on few of the spans that have them; they are decoded when they are needed."""

PREFIXES = (
    "gen_ai.prompt.",
    "gen_ai.completion.",
    "llm.input_messages.",
    "llm.output_messages.",
    "metadata.",
    "traceloop.association.properties.",
    "ai.telemetry.metadata.",
)
"""How the names of attributes begin that number what they hold, or let people choose the rest."""

SPAN_SIZE = 1500
"""About how many bytes a span takes in memory, but for its long texts."""


LONG = 200


DETAILS = "gen_ai.client.inference.operation.details"
"""The event in which the current conventions record what was said, where attributes do not hold it."""


MAX_NESTING = 6
"""How deep attributes are looked for in nested objects."""


class Span(Struct, eq=False, gc=False):
    """One span, or what log records say of one. Moments are nanoseconds since 1970."""

    trace: str
    id: str
    parent: str | None
    name: str
    attributes: dict[str, Any] = {}
    """What is kept of the attributes. Long values may still be encoded, as bytes; `value` decodes them."""
    start: int | None = None
    end: int | None = None
    failed: bool = False
    """Whether the status says that it failed, or an exception left it."""
    error: str | None = None
    """Why it failed, in the words of the exception or of the status."""
    events: tuple[tuple[str, Record], ...] = ()
    """The messages that it records as events: their names and what they hold."""
    size: int = SPAN_SIZE
    """About how many bytes it takes."""
    numbered: bool = False
    """Whether there are attributes with numbers, or words of people's own, in their names."""
    logged: bool = False
    """Whether only log records mentioned it so far."""
    kind: str = "other"
    """Whether it is of a model, a tool or an agent; found when its trace is complete, as are the next three."""
    order: int = 0
    """Where it stands among the spans of its trace, by the time at which they began."""
    owner: Span | None = None
    """The next span above it that is of a model, a tool or an agent."""
    scope: Span | None = None
    """The next span above it that is of an agent."""

    def value(self, key: str) -> JsonValue:
        """The value of an attribute; None where it is not there."""
        found: JsonValue | bytes = self.attributes.get(key)
        if not isinstance(found, bytes):
            return found
        try:
            value: JsonValue = _decode_text(found).text
        except (msgspec.MsgspecError, ValueError):
            value = _decoded_slowly(found)
        self.attributes[key] = value
        return value

    def take_error_type(self) -> None:
        """Count a span as failed that names the type of its error."""
        error = self.attributes.get("error.type")
        if isinstance(error, str) and error:
            self.failed = True
            self.error = self.error or error


class _Text(Struct, gc=False):
    text: str = msgspec.field(name="stringValue")


_decode_text = msgspec.json.Decoder(_Text).decode


def _decoded_slowly(data: bytes) -> JsonValue:
    """The value of an attribute that was kept as it is written. A byte that is not UTF-8 does not spoil the rest."""
    try:
        value = decode_json(data)
    except UnicodeDecodeError:
        return _decoded_slowly(data.decode("utf-8", "replace").encode())
    except BadJson:
        return None
    return plain_value(value) if isinstance(value, dict) else value


def plain_value(value: Record) -> JsonValue:
    """A typed value of OTLP as a plain one."""
    for key, item in value.items():
        if key in ("stringValue", "string_value", "boolValue", "bool_value", "doubleValue", "double_value"):
            return item
        if key in ("intValue", "int_value"):
            return int(item) if isinstance(item, str) and item.lstrip("-").isdecimal() and len(item) < 25 else item
        if key in ("arrayValue", "array_value"):
            values = record_of(item).get("values")
            return [plain_value(inner) if isinstance(inner, dict) else inner for inner in items_of(values)]
        if key in ("kvlistValue", "kvlist_value"):
            return pairs_of(record_of(item).get("values"))
        if key in ("bytesValue", "bytes_value"):
            return item
    return value or None


def pairs_of(listed: JsonValue) -> Record:
    """A list of keys and typed values as an object."""
    found: Record = {}
    for pair in dicts(listed):
        key, value = pair.get("key"), pair.get("value")
        if isinstance(key, str):
            found[key] = plain_value(value) if isinstance(value, dict) else value
    return found


def take_nested(span: Span, holder: Record, prefix: str, depth: int) -> None:
    """Attributes as an object, with flat keys or nested ones."""
    for key, value in holder.items():
        name = prefix + key
        if name in KEPT or name.startswith(PREFIXES):
            if value is not None:
                span.attributes[KEPT.get(name, name)] = value
                span.numbered = span.numbered or name not in KEPT
                span.size += weight_of(value)
        elif isinstance(value, dict) and depth < MAX_NESTING:
            take_nested(span, value, f"{name}.", depth + 1)


def weight_of(value: JsonValue) -> int:
    """About how many bytes a value takes."""
    if isinstance(value, str):
        return getsizeof(value) if len(value) > LONG else 0
    if isinstance(value, dict):
        return 64 + sum(100 + weight_of(item) for item in value.values())
    return 64 + sum(100 + weight_of(item) for item in value) if isinstance(value, list) else 0


def take_status(span: Span, code: JsonValue, message: JsonValue) -> None:
    """Take in the status of a span, by its code or the name of that."""
    if code in (2, "2") or (isinstance(code, str) and code.rpartition("_")[2].rpartition(".")[2].upper() == "ERROR"):
        span.failed = True
        span.error = message if isinstance(message, str) and message else None


def take_events(span: Span, events: JsonValue) -> None:
    """Take in the events of a span: why it failed, and messages."""
    for event in dicts(events):
        name = event.get("name")
        if not isinstance(name, str):
            continue
        listed = event.get("attributes")
        held = pairs_of(listed) if isinstance(listed, list) else record_of(listed)
        if name == "exception":
            span.failed = True
            message = held.get("exception.message") or held.get("exception.type")
            if isinstance(message, str) and message:
                span.error = message
        elif name == DETAILS:
            # The newer event holds all messages of a span at once, as attributes.
            take_nested(span, held, "", MAX_NESTING)
        elif name.startswith("gen_ai."):
            span.events += ((name, held),)
            span.size += weight_of(held)
