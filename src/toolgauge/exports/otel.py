"""OpenTelemetry: an event `gen_ai.evaluation.result` for each evaluation, as log records to `/v1/logs`.

Names are those of the semantic conventions for generative AI. A log record has no id of its own; `log.record.uid` is
the attribute by which receivers tell a record that comes twice.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.models import Retries
from toolgauge.version import VERSION

from .evaluation import Evaluation
from .http import DELIVERY_RETRIES, DeliveryError, HttpClient
from .identity import hexadecimal_span, hexadecimal_trace
from .target import header_list, variable

__all__ = ["OtelTarget", "otlp_logs"]

EVENT = "gen_ai.evaluation.result"
INFO = 9
"""The severity of an event that says how something went."""
SAMPLED = 1

Fields = dict[str, JsonValue]


class OtelTarget:
    """A receiver of OTLP logs over HTTP, such as an OpenTelemetry Collector."""

    name = "otel"

    def __init__(
        self, endpoint: str | None, environment: Mapping[str, str], retries: Retries = DELIVERY_RETRIES
    ) -> None:
        """Find the receiver: an endpoint is its address without `/v1/logs`.

        Raises:
            UsageError: The address, the headers or the protocol cannot be used.
        """
        whole = "" if endpoint else variable(environment, "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT")
        usual = variable(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", default="http://localhost:4318")
        url = whole or (endpoint or usual).rstrip("/").removesuffix("/v1/logs") + "/v1/logs"
        headers = header_list(environment, "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_LOGS_HEADERS")
        self._client = HttpClient(url, headers, retries=retries)
        self._encode = _encoder(environment)

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        return self._client.address

    def takes(self, evaluation: Evaluation) -> bool:
        """Whether its trace id is one of OpenTelemetry."""
        return hexadecimal_trace(evaluation.trace_id) is not None

    def send(self, evaluations: Sequence[Evaluation]) -> None:
        """Send events.

        Raises:
            DeliveryError: They were not delivered, or not all of them were taken.
        """
        if self._encode is not None:
            self._client.request("POST", "", self._encode(otlp_logs(evaluations)), "application/x-protobuf")
            return
        reply = self._client.request("POST", "", msgspec.json.encode(otlp_logs(evaluations)))
        said = reply.json() if reply.body.strip() else {}
        partial = said.get("partialSuccess") if isinstance(said, dict) else None
        rejected = partial.get("rejectedLogRecords") if isinstance(partial, dict) else None
        if rejected not in (None, 0, "0"):
            raise DeliveryError(f"{self.address}: {rejected} of {len(evaluations)} events were rejected", "refused")

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()


def _encoder(environment: Mapping[str, str]) -> Callable[[Fields], bytes] | None:
    """What makes protobuf of a request; None: JSON is wanted, which needs no library."""
    protocol = variable(
        environment, "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL", default="http/json"
    )
    if protocol == "http/json":
        return None
    if protocol != "http/protobuf":
        raise UsageError(f"OTEL_EXPORTER_OTLP_PROTOCOL: {protocol!r} is not supported; use http/json or http/protobuf")
    try:
        from google.protobuf.json_format import ParseDict
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
    except ImportError as error:
        raise UsageError("OTLP as http/protobuf needs toolgauge[watch]; install it, or use http/json") from error

    def encode(request: Fields) -> bytes:
        data: bytes = ParseDict(_with_base64(request), ExportLogsServiceRequest()).SerializeToString()
        return data

    return encode


def otlp_logs(evaluations: Sequence[Evaluation]) -> Fields:
    """An `ExportLogsServiceRequest` in the JSON of OTLP, where ids are hexadecimal."""
    resource: Fields = {"attributes": _attributes({"service.name": "toolgauge", "service.version": VERSION})}
    records: list[JsonValue] = [_record(one) for one in evaluations]
    scope: Fields = {"name": "toolgauge", "version": VERSION}
    return {"resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": records}]}]}


def _record(evaluation: Evaluation) -> Fields:
    nanoseconds = str(_nanoseconds(evaluation.at))
    record: Fields = {
        "timeUnixNano": nanoseconds,
        "observedTimeUnixNano": nanoseconds,
        "severityNumber": INFO,
        "eventName": EVENT,
        "attributes": _attributes(_said(evaluation)),
        "traceId": hexadecimal_trace(evaluation.trace_id),
        "flags": SAMPLED,
    }
    span = hexadecimal_span(evaluation.span_id)
    return record if span is None else {**record, "spanId": span}


def _said(evaluation: Evaluation) -> dict[str, str | float]:
    said: dict[str, str | float] = {"gen_ai.evaluation.name": evaluation.name}
    if evaluation.value is not None:
        said["gen_ai.evaluation.score.value"] = evaluation.value
    more = {
        "gen_ai.evaluation.score.label": evaluation.label,
        "gen_ai.evaluation.explanation": evaluation.explanation,
        "gen_ai.conversation.id": evaluation.session_id,
        "log.record.uid": evaluation.id,
        "toolgauge.source": evaluation.source,
        "toolgauge.by": evaluation.by,
        **{f"toolgauge.{key}": value for key, value in evaluation.metadata.items()},
    }
    return said | {key: value for key, value in more.items() if value}


def _attributes(values: Mapping[str, str | float]) -> list[JsonValue]:
    return [
        {"key": key, "value": {"stringValue": value} if isinstance(value, str) else {"doubleValue": value}}
        for key, value in values.items()
    ]


def _nanoseconds(written: str) -> int:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return 0  # unknown, as OTLP has it
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000) * 1_000_000


def _with_base64(value: JsonValue) -> JsonValue:
    """The same in the JSON of protobuf, where ids are base64."""
    if isinstance(value, list):
        return [_with_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode()
        if key in ("traceId", "spanId") and isinstance(item, str)
        else _with_base64(item)
        for key, item in value.items()
    }
