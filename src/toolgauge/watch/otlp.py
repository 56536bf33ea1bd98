"""Bodies of OTLP requests: from bytes to spans, and the replies that OTLP defines.

Traces and logs, as protobuf or JSON, plain or packed with gzip. What is not OTLP is refused as a whole; of what is, a
span without valid ids is refused by itself, and counted in the reply.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from toolgauge.core import JsonValue
from toolgauge.files import BadJson, decode_json
from toolgauge.traces.formats.spans.records import log_spans, spans_of
from toolgauge.traces.formats.spans.span import (
    KEPT,
    PREFIXES,
    Span,
    pairs_of,
    take_events,
    take_status,
    weight_of,
)
from toolgauge.traces.values import Record, dicts, record_of

__all__ = [
    "LINES",
    "RESOURCE",
    "Encoding",
    "ReceivedSpans",
    "RefusedBodyError",
    "Signal",
    "decode_body",
    "encode_reply",
    "spans_of_lines",
    "unpack",
]

Signal: TypeAlias = Literal["traces", "logs"]
Encoding: TypeAlias = Literal["protobuf", "json"]

RESOURCE = "resource."
"""How the attributes of a span are named here that are those of its resource."""

LINES = "lines"
"""What rows of the inbox are called that are lines of a file."""

MAX_LABELS = 32
LONGEST_LABEL = 200
"""How many attributes of a resource are kept, and how long one may be."""

PIECE = 256 * 1024


class RefusedBodyError(Exception):
    """A body that is not what it should be, and the status that says so."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class ReceivedSpans(Struct, gc=False):
    """The spans of a body, and how many were refused."""

    spans: list[Span]
    refused: int = 0
    count: int = 0
    """How many spans or log records there were, also those that are of no use here."""


def unpack(body: bytes, max_bytes: int) -> bytes:
    """What gzip has packed, unless it is larger than it may be.

    Raises:
        RefusedBodyError: It is damaged, or too large.
    """
    unpacker = zlib.decompressobj(wbits=31)
    pieces: list[bytes] = []
    size = 0
    try:
        while body:
            piece = unpacker.decompress(body, PIECE)
            size += len(piece)
            if size > max_bytes:
                raise RefusedBodyError(413, "the body is too large when unpacked")
            pieces.append(piece)
            body = unpacker.unconsumed_tail
            if unpacker.eof and unpacker.unused_data:
                # Several packed texts one after the other are one text.
                body, unpacker = unpacker.unused_data, zlib.decompressobj(wbits=31)
    except zlib.error as error:
        raise RefusedBodyError(400, "the body is not gzip") from error
    if not unpacker.eof:
        raise RefusedBodyError(400, "the packed body is cut off")
    return b"".join(pieces)


def decode_body(signal: Signal, encoding: Encoding, body: bytes) -> ReceivedSpans:
    """The spans of a body.

    Raises:
        RefusedBodyError: It is not OTLP.
    """
    if encoding == "json":
        return _from_json(signal, body)
    return _traces_from_protobuf(body) if signal == "traces" else _logs_from_protobuf(body)


def _from_json(signal: Signal, body: bytes) -> ReceivedSpans:
    try:
        value = decode_json(body)
    except (BadJson, UnicodeDecodeError) as error:
        raise RefusedBodyError(400, "the body is not JSON") from error
    key = "resourceSpans" if signal == "traces" else "resourceLogs"
    if not isinstance(value, dict) or not isinstance(value.get(key, []), list):
        raise RefusedBodyError(400, f"the body has no list of {key}")
    received = ReceivedSpans([])
    for resource in dicts(value.get(key)):
        scopes, records = ("scopeSpans", "spans") if signal == "traces" else ("scopeLogs", "logRecords")
        count = sum(len(list(dicts(scope.get(records)))) for scope in dicts(resource.get(scopes)))
        whole: Record = {key: [resource]}
        found = list(spans_of(whole) if signal == "traces" else log_spans(whole))
        _label(found, _labels_of(pairs_of(record_of(resource.get("resource")).get("attributes")).items()))
        received.spans += found
        received.count += count
        received.refused += count - len(found) if signal == "traces" else 0
    return received


class SpanLines(Struct):
    """What lines of a file hold."""

    spans: list[Span]
    count: int
    """How many lines there are."""
    bad: list[int]
    """Which of them, from 1 on, cannot be read."""


def spans_of_lines(lines: bytes) -> SpanLines:
    """The spans of lines as exporters write them to files: a batch, or a span, a line."""
    found = SpanLines([], 0, [])
    for line in lines.splitlines():
        found.count += 1
        if not line or line.isspace():
            continue
        try:
            value = decode_json(line)
            if isinstance(value, dict) and any(key in value for key in ("resourceSpans", "resourceLogs")):
                found.spans += _from_json("logs" if "resourceLogs" in value else "traces", line).spans
            else:
                found.spans += [*spans_of(value), *log_spans(value)]
        except (BadJson, UnicodeDecodeError, RefusedBodyError):
            found.bad.append(found.count)
    return found


def _label(spans: Iterable[Span], labels: dict[str, str]) -> None:
    for span in spans:
        span.attributes.update(labels)


def _labels_of(attributes: Iterable[tuple[str, JsonValue]]) -> dict[str, str]:
    """The attributes of a resource, as they are put to those of its spans."""
    found: dict[str, str] = {}
    for key, value in attributes:
        if isinstance(value, (str, int, float)) and len(found) < MAX_LABELS and len(key) <= LONGEST_LABEL:
            written = str(value).lower() if isinstance(value, bool) else str(value)
            found[RESOURCE + key] = written[:LONGEST_LABEL]
    return found


def _parse(message: Any, body: bytes) -> Any:
    from google.protobuf.message import DecodeError

    try:
        message.ParseFromString(body)
    except (DecodeError, RecursionError) as error:
        raise RefusedBodyError(400, "the body is not protobuf of this kind") from error
    return message


def _traces_from_protobuf(body: bytes) -> ReceivedSpans:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    received = ReceivedSpans([])
    for resource in _parse(ExportTraceServiceRequest(), body).resource_spans:
        labels = _labels_of((pair.key, _plain(pair.value)) for pair in resource.resource.attributes)
        for scope in resource.scope_spans:
            for record in scope.spans:
                received.count += 1
                span = _span(record)
                if span is None:
                    received.refused += 1
                    continue
                span.attributes.update(labels)
                received.spans.append(span)
    return received


def _span(record: Any) -> Span | None:
    trace, identity = record.trace_id, record.span_id
    if len(trace) != 16 or len(identity) != 8 or not any(trace) or not any(identity):
        return None
    parent = record.parent_span_id
    span = Span(trace.hex(), identity.hex(), parent.hex() if any(parent) else None, record.name, {})
    span.start = record.start_time_unix_nano or None
    span.end = record.end_time_unix_nano or None
    for pair in record.attributes:
        key = pair.key
        kept = KEPT.get(key)
        if kept is None:
            if not key.startswith(PREFIXES):
                continue
            kept = key
            span.numbered = True
        value = span.attributes[kept] = _plain(pair.value)
        span.size += weight_of(value)
    if record.HasField("status"):
        take_status(span, record.status.code, record.status.message)
    if record.events:
        take_events(span, [_event(event) for event in record.events])
    span.take_error_type()
    return span


def _event(event: Any) -> JsonValue:
    return {"name": event.name, "attributes": {pair.key: _plain(pair.value) for pair in event.attributes}}


def _plain(value: Any) -> JsonValue:
    """A typed value as a plain one."""
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array_value":
        return [_plain(item) for item in value.array_value.values]
    if kind == "kvlist_value":
        return {pair.key: _plain(pair.value) for pair in value.kvlist_value.values}
    found: JsonValue = value.bytes_value.hex() if kind == "bytes_value" else getattr(value, kind)
    return found


def _logs_from_protobuf(body: bytes) -> ReceivedSpans:
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    received = ReceivedSpans([])
    for resource in _parse(ExportLogsServiceRequest(), body).resource_logs:
        labels = _labels_of((pair.key, _plain(pair.value)) for pair in resource.resource.attributes)
        for scope in resource.scope_logs:
            received.count += len(scope.log_records)
            records: list[JsonValue] = [found for each in scope.log_records if (found := _log(each)) is not None]
            whole: Record = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
            spans = list(log_spans(whole))
            _label(spans, labels)
            received.spans += spans
    return received


def _log(record: Any) -> JsonValue:
    """A log record of a model's messages; None where it is of anything else, as most are."""
    name = record.event_name
    attributes = {pair.key: _plain(pair.value) for pair in record.attributes}
    name = name or attributes.get("event.name")
    if not isinstance(name, str) or not name.startswith("gen_ai."):
        return None
    return {
        "traceId": record.trace_id.hex(),
        "spanId": record.span_id.hex(),
        "eventName": name,
        "attributes": [{"key": key, "value": value} for key, value in attributes.items()],
        "body": _plain(record.body),
    }


def encode_reply(signal: Signal, encoding: Encoding, refused: int) -> bytes:
    """The reply to a request that was taken, as far as it could be used."""
    if not refused:
        return b"" if encoding == "protobuf" else b"{}"
    why = "without the ids of a trace and of a span"
    key = "rejectedSpans" if signal == "traces" else "rejectedLogRecords"
    if encoding == "json":
        return msgspec.json.encode({"partialSuccess": {key: str(refused), "errorMessage": why}})
    if signal == "traces":
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

        reply: Any = ExportTraceServiceResponse()
        reply.partial_success.rejected_spans = refused
    else:
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

        reply = ExportLogsServiceResponse()
        reply.partial_success.rejected_log_records = refused
    reply.partial_success.error_message = why
    written: bytes = reply.SerializeToString()
    return written
