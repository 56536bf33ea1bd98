"""Lines of OTLP JSON as most exporters write them, decoded at once to the spans they hold.

Long attributes, most of which are never looked at, are kept as they are written. A line with anything unusual in it is
left to those who decode every value of it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from ..spans.records import identity_of, moment_of
from ..spans.span import KEPT, LATER, PREFIXES, SPAN_SIZE, Span, plain_value, take_events, take_status

__all__ = ["decode_spans"]

USUAL, LAST = 10**18, 10**19
"""Nanoseconds since 1970 from the year 2001 to 2286."""

DROPPED = ("", False, False)
MAX_FATES = 10_000
"""Of how many attributes it is remembered whether they are of use."""

_fates: dict[str, tuple[str, bool, bool]] = {}

Uses: TypeAlias = tuple[tuple[int, str, bool, bool], ...]
"""Of which attributes use is made: their positions, and their fates."""

MAX_USES = 1_000
"""Of how many lists of attributes that is remembered: spans of one kind have the same ones, in the same order."""

LONGEST_KEYS = 4_000
"""Lists with longer names than this in all are not remembered."""

_uses: dict[tuple[str, ...], Uses] = {}


class _Value(Struct, gc=False, rename="camel"):
    string_value: str | None = None
    int_value: int | None = None


class _Attribute(Struct, gc=False):
    key: str
    value: Raw = Raw(b"null")


class _Status(Struct, gc=False):
    code: int | str = 0
    message: str | None = None


class _Span(Struct, gc=False, rename="camel"):
    trace_id: str
    span_id: str
    parent_span_id: str | None = None
    name: str = ""
    start_time_unix_nano: int | None = None
    end_time_unix_nano: int | None = None
    attributes: list[_Attribute] = []
    events: list[Any] = []
    status: _Status | None = None


class _Scope(Struct, gc=False):
    spans: list[_Span]


class _Resource(Struct, gc=False):
    scopes: list[_Scope] = msgspec.field(name="scopeSpans")


class _Export(Struct, gc=False):
    resources: list[_Resource] = msgspec.field(name="resourceSpans")


# Exporters write numbers of 64 bits as texts.
_decode_export = msgspec.json.Decoder(_Export, strict=False).decode
_decode_value = msgspec.json.Decoder(_Value, strict=False).decode


def decode_spans(line: bytes) -> list[Span] | None:
    """The spans of a line; None where it is not in the usual layout."""
    try:
        export = _decode_export(line)
        return [
            span
            for resource in export.resources
            for scope in resource.scopes
            for record in scope.spans
            if (span := _span(record)) is not None
        ]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _span(record: _Span) -> Span | None:
    trace, identity, parent = record.trace_id, record.span_id, record.parent_span_id
    if not trace or trace[0] == "0" or trace[-1] == "=" or not identity or identity[0] == "0" or identity[-1] == "=":
        # Any other id is what it is, but for capital letters.
        trace, identity = identity_of(trace) or "", identity_of(identity) or ""
        if not trace or not identity:
            return None
    start, end = record.start_time_unix_nano, record.end_time_unix_nano
    found: dict[str, Any] = {}
    size, many = SPAN_SIZE, False
    attributes = record.attributes
    keys = tuple([attribute.key for attribute in attributes])
    uses = _uses.get(keys)
    for position, key, later, numbered in _uses_of(keys) if uses is None else uses:
        written = attributes[position].value
        if later:
            found[key] = data = bytes(written)
            size += len(data)
            many = many or numbered
            continue
        value = _decode_value(written)
        if value.string_value is not None:
            found[key] = value.string_value
        elif value.int_value is not None:
            found[key] = value.int_value
        else:
            found[key] = _other_value(written)
    span = Span(
        trace.lower(),
        identity.lower(),
        identity_of(parent) if parent else None,
        record.name,
        found,
        start if start is not None and USUAL < start < LAST else moment_of(start),
        end if end is not None and USUAL < end < LAST else moment_of(end),
    )
    span.size, span.numbered = size, many
    _take_end(span, record)
    return span


def _uses_of(keys: tuple[str, ...]) -> Uses:
    """Which of these attributes are of use, and how."""
    fates = [_fates.get(key) or _fate(key) for key in keys]
    uses = tuple([(position, *fate) for position, fate in enumerate(fates) if fate is not DROPPED])
    if len(_uses) < MAX_USES and sum(map(len, keys)) <= LONGEST_KEYS:
        _uses[keys] = uses
    return uses


def _take_end(span: Span, record: _Span) -> None:
    """Take in how a span ended, which is rarely worth a word."""
    status = record.status
    if status is not None and status.code:
        take_status(span, status.code, status.message)
    if record.events:
        take_events(span, record.events)
    if "error.type" in span.attributes:
        span.take_error_type()


def _fate(key: str) -> tuple[str, bool, bool]:
    """What becomes of an attribute: the name to keep it under, whether it is decoded later, and is one of many."""
    kept = KEPT.get(key)
    if kept is not None:
        fate = (kept, kept in LATER, False)
    else:
        fate = (key, True, True) if key.startswith(PREFIXES) else DROPPED
    if len(_fates) < MAX_FATES:
        _fates[key] = fate
    return fate


def _other_value(raw: Raw) -> Any:
    decoded = msgspec.json.decode(raw)
    return plain_value(decoded) if isinstance(decoded, dict) else decoded
