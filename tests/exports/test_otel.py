"""Events for OpenTelemetry: decoded by its own definitions, and beside what its own exporter sends."""

from __future__ import annotations

import base64
from contextlib import closing
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from toolgauge.errors import UsageError
from toolgauge.exports import Evaluation, Evaluations
from toolgauge.exports.http import DeliveryError
from toolgauge.exports.otel import OtelTarget

from .receiving import QUICK, TRACE, Received, Receiver, Replied, seen

SPAN = "b7ad6b7169203331"


def told() -> list[Evaluation]:
    return list(Evaluations([seen(city="Hue", span=SPAN)], suite="weather", created="2026-01-01"))


def sent(**environment: str) -> tuple[Received, Any]:
    """What a receiver gets, as it came and decoded."""
    with Receiver([Replied(body=b"")]) as server:
        target = OtelTarget(server.url, environment, QUICK)
        target.send(told())
        target.close()
    (request,) = server.received
    decoded = ExportLogsServiceRequest()
    if request.headers["content-type"] == "application/x-protobuf":
        decoded.ParseFromString(request.body)
    else:
        ParseDict(_with_base64(request.json), decoded)
    return request, decoded


def _with_base64(value: Any) -> Any:
    """OTLP writes ids in hexadecimal digits where the JSON of protobuf has base64."""
    if isinstance(value, list):
        return [_with_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in ("traceId", "spanId") else _with_base64(item)
        for key, item in value.items()
    }


def attributes(record: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in record.attributes}


@pytest.mark.parametrize("protocol", ["http/json", "http/protobuf"])
def test_an_event_has_the_names_of_the_conventions_and_the_ids_of_its_trace(protocol: str) -> None:
    request, decoded = sent(OTEL_EXPORTER_OTLP_PROTOCOL=protocol, OTEL_EXPORTER_OTLP_HEADERS="x-key=a%20b")
    assert (request.path, request.headers["x-key"]) == ("/v1/logs", "a b")
    (resource,) = decoded.resource_logs
    assert attributes(resource.resource)["service.name"] == "toolgauge"
    records = {attributes(record)["gen_ai.evaluation.name"]: record for record in resource.scope_logs[0].log_records}
    assert len(records) == len(told())
    passed = records["toolgauge.passed"]
    assert (passed.event_name, passed.trace_id.hex(), passed.span_id) == ("gen_ai.evaluation.result", TRACE, b"")
    assert passed.time_unix_nano == 1_760_000_000_123_000_000
    said = attributes(passed)
    assert said["gen_ai.evaluation.score.value"] == 0.0
    assert said["gen_ai.evaluation.score.label"] == "fail"
    assert said["gen_ai.evaluation.explanation"] == "wrong_arg get_weather.city"
    assert said["gen_ai.conversation.id"] == "s1"
    assert said["log.record.uid"] == next(one.id for one in told() if one.name == "toolgauge.passed")
    assert records["toolgauge.calls"].span_id.hex() == SPAN


def test_both_encodings_say_the_same() -> None:
    assert sent()[1] == sent(OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf")[1]


def test_events_that_are_rejected_are_not_taken_for_delivered() -> None:
    reply = b'{"partialSuccess": {"rejectedLogRecords": "2", "errorMessage": "no"}}'
    with Receiver([Replied(body=reply)]) as server, closing(OtelTarget(server.url, {}, QUICK)) as target:
        with pytest.raises(DeliveryError, match=f"2 of {len(told())} events were rejected"):
            target.send(told())
        assert len(server.received) == 1


def test_addresses_are_found_as_its_own_clients_find_them() -> None:
    both = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://all:4318/base/",
        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://logs:4318/custom",
    }
    assert OtelTarget(None, both).address == "http://logs:4318/custom"
    both.pop("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT")
    assert OtelTarget(None, both).address == "http://all:4318/base/v1/logs"
    assert OtelTarget(None, {}).address == "http://localhost:4318/v1/logs"
    assert OtelTarget("http://given:1/v1/logs", both).address == "http://given:1/v1/logs"


def test_what_cannot_be_spoken_is_refused() -> None:
    with pytest.raises(UsageError, match="use http/json or http/protobuf"):
        OtelTarget(None, {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"})
    with pytest.raises(UsageError, match="OTEL_EXPORTER_OTLP_HEADERS: write name=value"):
        OtelTarget(None, {"OTEL_EXPORTER_OTLP_HEADERS": "secret"})


@pytest.mark.deep
def test_the_records_are_shaped_as_those_of_opentelemetrys_own_exporter() -> None:
    from opentelemetry._logs import LogRecord, SeverityNumber
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    ours = sent(OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf")[1].resource_logs[0].scope_logs[0].log_records
    call = next(one for one in ours if attributes(one)["gen_ai.evaluation.name"] == "toolgauge.calls")
    with Receiver([Replied(body=b"")]) as server:
        provider = LoggerProvider(Resource({"service.name": "toolgauge"}))
        exporter = OTLPLogExporter(endpoint=f"{server.url}/v1/logs")
        provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
        span = SpanContext(int(TRACE, 16), int(SPAN, 16), is_remote=True, trace_flags=TraceFlags(1))
        provider.get_logger("toolgauge").emit(
            LogRecord(
                timestamp=call.time_unix_nano,
                observed_timestamp=call.observed_time_unix_nano,
                context=set_span_in_context(NonRecordingSpan(span)),
                severity_number=SeverityNumber.INFO,
                event_name="gen_ai.evaluation.result",
                attributes=attributes(call),
            )
        )
        provider.shutdown()
    theirs = ExportLogsServiceRequest.FromString(server.received[0].body)
    (record,) = theirs.resource_logs[0].scope_logs[0].log_records
    assert server.received[0].path == "/v1/logs"
    by_key = sorted(record.attributes, key=lambda one: one.key), sorted(call.attributes, key=lambda one: one.key)
    assert by_key[0] == by_key[1]
    for name in ("trace_id", "span_id", "flags", "event_name", "severity_number", "time_unix_nano"):
        assert getattr(record, name) == getattr(call, name), name
