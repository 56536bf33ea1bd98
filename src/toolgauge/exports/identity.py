"""What a trajectory is known by elsewhere: its trace, its span, its session. And ids that are always the same."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import Struct

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces.identity import SESSION_ID, STARTED_AT, TRACE_ID

__all__ = ["TraceReference", "digest", "hexadecimal_span", "hexadecimal_trace", "moment_in_utc", "trace_of", "writable"]

SPAN_ID = "span_id"
"""The key of the metadata under which a recorder may keep the span that a trajectory is."""

HEXADECIMAL_TRACE = re.compile(r"(?:tr-)?([0-9a-fA-F]{32})")
"""An OpenTelemetry trace id, also as MLflow writes it."""
UUID = re.compile(r"([0-9a-fA-F]{8})-([0-9a-fA-F]{4})-([0-9a-fA-F]{4})-([0-9a-fA-F]{4})-([0-9a-fA-F]{12})")
HEXADECIMAL_SPAN = re.compile(r"[0-9a-fA-F]{16}")

LATEST = 32_503_680_000_000
"""The year 3000, in milliseconds since 1970: a number that is larger is no time."""


class TraceReference(Struct, frozen=True, gc=False):
    """Where a trajectory is found in the system that recorded it."""

    trace_id: str
    span_id: str = ""
    session_id: str = ""
    started: str = ""
    """When it began, as an ISO 8601 time in UTC; empty: not known."""


def trace_of(trajectory: Trajectory) -> TraceReference | None:
    """The trace of a trajectory, as its reader kept it; None: there is none."""
    meta = trajectory.meta
    trace = _id(meta.get(TRACE_ID))
    if not trace:
        return None
    return TraceReference(trace, _id(meta.get(SPAN_ID)), _id(meta.get(SESSION_ID)), moment_in_utc(meta.get(STARTED_AT)))


def _id(value: JsonValue) -> str:
    """An id, which some recorders write as a number; empty: there is none."""
    return writable(str(value).strip()) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def writable(text: str) -> str:
    """The text as files and requests can hold it: half a surrogate pair as its escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def moment_in_utc(value: JsonValue) -> str:
    """A time in UTC with milliseconds, of an ISO 8601 text or of milliseconds since 1970; empty: it is none."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        elif isinstance(value, (int, float)) and 0 < value < LATEST:
            moment = datetime.fromtimestamp(value / 1000, UTC)
        else:
            return ""
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def digest(*parts: str) -> str:
    """32 hexadecimal digits that stand for these texts, and for no others."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def hexadecimal_trace(trace_id: str) -> str | None:
    """A trace id as OpenTelemetry writes it: 32 hexadecimal digits; None: it is of another kind."""
    found = HEXADECIMAL_TRACE.fullmatch(trace_id)
    if found is not None:
        return found[1].lower()
    found = UUID.fullmatch(trace_id)
    return None if found is None else "".join(found.groups()).lower()


def hexadecimal_span(span_id: str) -> str | None:
    """A span id as OpenTelemetry writes it: 16 hexadecimal digits; None: there is none, or it is of another kind."""
    return span_id.lower() if HEXADECIMAL_SPAN.fullmatch(span_id) else None
