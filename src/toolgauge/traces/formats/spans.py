"""Spans as plain values, from every way in which they are written down.

OTLP JSON (camel or snake case, ids in hexadecimal or base64, `scopeSpans` or the older `instrumentationLibrarySpans`),
one span a line as `to_json()` of the SDKs prints it, and the exports of Phoenix with attributes flat, nested, or as
columns. Of a span only what is of use is kept, for many of them are kept at a time.
"""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Iterator
from sys import getsizeof
from typing import Any

import msgspec
from msgspec import Struct

from toolgauge.core import JsonValue
from toolgauge.files import BadJson, decode_json

from ..values import Record, dicts, items_of, milliseconds, record_of, structured
from .span_attributes import KEPT, PREFIXES

__all__ = [
    "LOG_RESOURCES",
    "MOST_NESTING",
    "SPAN_SIZE",
    "Span",
    "first_of",
    "identity_of",
    "is_openinference",
    "is_spans",
    "moment_of",
    "pairs_of",
    "plain_value",
    "spans_of",
    "take_events",
    "take_nested",
    "take_status",
    "weight_of",
]

RESOURCES = ("resourceSpans", "resource_spans", "batches")
SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
LOG_RESOURCES = ("resourceLogs", "resource_logs")
COLUMN = "attributes."
"""How the columns of a table of spans begin that hold attributes."""

PHOENIX_KINDS = (
    "LLM",
    "TOOL",
    "AGENT",
    "CHAIN",
    "RETRIEVER",
    "EMBEDDING",
    "RERANKER",
    "GUARDRAIL",
    "EVALUATOR",
    "UNKNOWN",
)

SPAN_SIZE = 1500
"""About how many bytes a span takes in memory, but for its long texts."""

LONG = 200
DETAILS = "gen_ai.client.inference.operation.details"
"""The event by which the current conventions tell what was said, where it is not told by attributes."""

MOST_NESTING = 6
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
    """The messages that it tells as events: their names and what they hold."""
    size: int = SPAN_SIZE
    """About how many bytes it takes."""
    numbered: bool = False
    """Whether there are attributes with numbers, or words of people's own, in their names."""
    logged: bool = False
    """Whether only log records told of it so far."""
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


def is_spans(value: JsonValue) -> bool:
    """Whether a record is a span, or holds spans or log records of a trace."""
    if not isinstance(value, dict):
        return False
    if any(key in value for key in (*RESOURCES[:2], *LOG_RESOURCES)):
        return True
    found = value.get("batches") or value.get("spans")
    if isinstance(found, list):
        first = record_of(found[0]) if found else {}
        return _is_span(first) or any(key in first for key in SCOPES)
    return _is_span(value)


def _is_span(record: Record) -> bool:
    if "traceId" in record or "trace_id" in record:
        return "spanId" in record or "span_id" in record
    context = record.get("context")
    if isinstance(context, dict):
        return "trace_id" in context and "span_id" in context
    return "context.trace_id" in record and "context.span_id" in record


def is_openinference(value: JsonValue) -> bool:
    """Whether the first spans of a record follow the conventions of OpenInference."""
    for looked_at, (record, scope) in enumerate(_records(value)):
        if scope.startswith("openinference.") or _has_openinference(record):
            return True
        if looked_at == 2:
            break
    return False


def _has_openinference(record: Record) -> bool:
    attributes = record.get("attributes")
    if isinstance(attributes, list):
        return any(item.get("key") == "openinference.span.kind" for item in attributes if isinstance(item, dict))
    if isinstance(attributes, dict) and ("openinference.span.kind" in attributes or "openinference" in attributes):
        return True
    return record.get("span_kind") in PHOENIX_KINDS or "attributes.openinference.span.kind" in record


def spans_of(value: JsonValue) -> Iterator[Span]:
    """The spans in a record. What has no ids is no span."""
    for record, _ in _records(value):
        span = _span(record)
        if span is not None:
            yield span


def _records(value: JsonValue) -> Iterator[tuple[Record, str]]:
    """Every span of a record as it is written, with the name of the instrumentation that made it."""
    if not isinstance(value, dict):
        return
    for key in RESOURCES:
        for resource in dicts(value.get(key)):
            for scope_key in SCOPES:
                for scope in dicts(resource.get(scope_key)):
                    name = record_of(scope.get("scope")).get("name")
                    maker = name if isinstance(name, str) else ""
                    for span in dicts(scope.get("spans")):
                        yield span, maker
    for span in dicts(value.get("spans")):
        yield span, ""
    if _is_span(value):
        yield value, ""


def _span(record: Record) -> Span | None:
    context = record_of(record.get("context"))
    trace = identity_of(first_of(record, context, "traceId", "trace_id", "context.trace_id"))
    identity = identity_of(first_of(record, context, "spanId", "span_id", "context.span_id"))
    if trace is None or identity is None:
        return None
    parent = identity_of(first_of(record, {}, "parentSpanId", "parent_span_id", "parent_id", "parentId"))
    name = record.get("name")
    span = Span(trace, identity, parent, name if isinstance(name, str) else "")
    span.start = moment_of(first_of(record, {}, "startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"))
    span.end = moment_of(first_of(record, {}, "endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime"))
    _take_attributes(span, record)
    _take_status(span, record)
    events = structured(record.get("events"))
    if events:
        take_events(span, events)
    span.take_error_type()
    return span


def first_of(record: Record, other: Record, *keys: str) -> JsonValue:
    """What stands under the first of these keys that either object has."""
    for key in keys:
        if key in record:
            return record[key]
        if key in other:
            return other[key]
    return None


def identity_of(value: JsonValue) -> str | None:
    """An id in one way of writing; None where there is none, or it is all zeros."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        return None
    if value[0] != "0" and value[-1] != "=":
        return value.lower()
    if value[-1] == "=":
        return _from_base64(value)
    value = value.lower().removeprefix("0x")
    return value if value.strip("0") else None


def _from_base64(value: str) -> str:
    try:
        return a2b_base64(value).hex() or value
    except ValueError:
        return value


def moment_of(value: JsonValue) -> int | None:
    """Nanoseconds since 1970."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, int) and value >= 10**17:
        return value if value < 10**20 else None
    found = milliseconds(value)
    return None if found is None or found == 0 else round(found * 1000) * 1000


def _take_attributes(span: Span, record: Record) -> None:
    attributes = structured(record.get("attributes"))
    if isinstance(attributes, list):
        _take_listed(span, attributes)
    elif isinstance(attributes, dict):
        take_nested(span, attributes, "", 0)
    else:
        columns = {key[len(COLUMN) :]: item for key, item in record.items() if key.startswith(COLUMN)}
        take_nested(span, columns, "", 0)
    kind = record.get("span_kind")
    if kind in PHOENIX_KINDS and "openinference.span.kind" not in span.attributes:
        span.attributes["openinference.span.kind"] = kind


def _take_listed(span: Span, listed: list[JsonValue]) -> None:
    """Attributes as OTLP writes them, a list of keys and typed values."""
    for item in dicts(listed):
        key, value = item.get("key"), item.get("value")
        if not isinstance(key, str):
            continue
        kept = KEPT.get(key)
        if kept is None:
            if not key.startswith(PREFIXES):
                continue
            kept = key
            span.numbered = True
        span.attributes[kept] = plain_value(value) if isinstance(value, dict) else value
        span.size += weight_of(span.attributes[kept])


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
        elif isinstance(value, dict) and depth < MOST_NESTING:
            take_nested(span, value, f"{name}.", depth + 1)


def weight_of(value: JsonValue) -> int:
    """About how many bytes a value takes."""
    if isinstance(value, str):
        return getsizeof(value) if len(value) > LONG else 0
    if isinstance(value, dict):
        return 64 + sum(100 + weight_of(item) for item in value.values())
    return 64 + sum(100 + weight_of(item) for item in value) if isinstance(value, list) else 0


def _take_status(span: Span, record: Record) -> None:
    status = record.get("status")
    if isinstance(status, dict):
        code = status.get("code", status.get("status_code"))
        message = status.get("message", status.get("description"))
    else:
        code, message = record.get("status_code", status), record.get("status_message")
    take_status(span, code, message)


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
            # The newer event tells all messages of a span at once, as attributes.
            take_nested(span, held, "", MOST_NESTING)
        elif name.startswith("gen_ai."):
            span.events += ((name, held),)
            span.size += weight_of(held)
