"""Spans from every layout in which they are recorded.

OTLP JSON (camel or snake case, ids in hexadecimal or base64, `scopeSpans` or the older `instrumentationLibrarySpans`),
one span a line as `to_json()` of the SDKs prints it, the exports of Phoenix with attributes flat, nested, or as
columns, and log records, in which older conventions keep the messages of a model. Of a span only what is of use is
kept, for many of them are kept at a time.
"""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Iterator

from toolgauge.core import JsonValue

from ...values import Record, dicts, milliseconds, record_of, structured
from .span import (
    KEPT,
    MAX_NESTING,
    PREFIXES,
    Span,
    pairs_of,
    plain_value,
    take_events,
    take_nested,
    take_status,
    weight_of,
)

__all__ = ["identity_of", "is_openinference", "is_spans", "log_spans", "moment_of", "spans_of"]

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


def _take_status(span: Span, record: Record) -> None:
    status = record.get("status")
    if isinstance(status, dict):
        code = status.get("code", status.get("status_code"))
        message = status.get("message", status.get("description"))
    else:
        code, message = record.get("status_code", status), record.get("status_message")
    take_status(span, code, message)


LOG_SCOPES = ("scopeLogs", "scope_logs")


def log_spans(value: JsonValue) -> Iterator[Span]:
    """What log records say of the spans they belong to: messages, as events of a span without times."""
    for key in LOG_RESOURCES if isinstance(value, dict) else ():
        for resource in dicts(value.get(key)):  # type: ignore[union-attr]  # an object, as asked above
            for scope_key in LOG_SCOPES:
                for scope in dicts(resource.get(scope_key)):
                    for record in dicts(scope.get("logRecords", scope.get("log_records"))):
                        span = _logged(record)
                        if span is not None:
                            yield span


def _logged(record: Record) -> Span | None:
    trace = identity_of(first_of(record, {}, "traceId", "trace_id"))
    identity = identity_of(first_of(record, {}, "spanId", "span_id"))
    attributes = pairs_of(record.get("attributes"))
    name = record.get("eventName") or record.get("event_name") or attributes.get("event.name")
    if trace is None or identity is None or not isinstance(name, str) or not name.startswith("gen_ai."):
        return None
    body = record.get("body")
    span = Span(trace, identity, None, "")
    span.logged = True
    held = plain_value(body) if isinstance(body, dict) else body
    span.events = ((name, held if isinstance(held, dict) else {"content": held}),)
    # The newer event holds all messages of a span at once, as attributes.
    take_nested(span, attributes, "", MAX_NESTING)
    span.size += weight_of(held)
    return span
