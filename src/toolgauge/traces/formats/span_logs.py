"""Log records that belong to spans: older conventions tell the messages of a model in them."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import JsonValue

from ..values import Record, dicts
from .spans import (
    LOG_RESOURCES,
    MOST_NESTING,
    Span,
    first_of,
    identity_of,
    pairs_of,
    plain_value,
    take_nested,
    weight_of,
)

__all__ = ["log_spans"]

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
    # The newer event tells all messages of a span at once, as attributes.
    take_nested(span, attributes, "", MOST_NESTING)
    span.size += weight_of(held)
    return span
