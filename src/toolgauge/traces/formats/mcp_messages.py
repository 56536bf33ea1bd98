"""Finding the JSON-RPC messages of a tool protocol in what proxies, inspectors and clients write around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolgauge.core import JsonValue

from ..values import CASE_KEYS, Record, at, case_of, milliseconds, record_of, structured, text

__all__ = ["CALL", "Heard", "heard_in", "is_message"]

HOLDERS = ("message", "payload", "data", "body", "msg", "rpc", "frame", "content", "request", "response")
"""Where recorders put the message, or the text of it, among what they say of it."""

SESSIONS = ("sessionId", "session_id", "session", "mcp_session_id", "mcp-session-id", "Mcp-Session-Id", "connectionId")
MOMENTS = frozenset({"timestamp", "time", "ts", "created_at", "createdAt", "date"})
SERVERS = frozenset({"server", "serverName", "server_name"})
METADATA = frozenset({"metadata", "meta"})
CASES = frozenset(CASE_KEYS) - {"id"}

MARK = '"jsonrpc"'
NEAR = 2_000
"""The mark is looked for in so many characters at the beginning of a text."""

METHODS = ("tools/", "resources/", "prompts/", "notifications/", "initialize", "server/discover")
"""How the methods of the protocol begin."""

CALL = "tools/call"
"""The request that calls a tool."""


@dataclass(slots=True)
class Heard:
    """A message, and what its recorder says of it."""

    message: Record
    session: str = ""
    server: str = ""
    moment: float | None = None
    """When it passed, in milliseconds."""
    case: str = ""
    metadata: Record | None = None


def is_message(value: JsonValue) -> bool:
    """Whether this is a message of the protocol, bare or in an envelope, or a batch of such."""
    if isinstance(value, list):
        return bool(value) and isinstance(value[0], dict) and is_message(value[0])
    if not isinstance(value, dict):
        return False
    if "jsonrpc" in value or _is_bare(value):
        return True
    return any(_is_inner(value[key]) for key in HOLDERS if key in value)


def _is_inner(inner: JsonValue) -> bool:
    if isinstance(inner, dict):
        return "jsonrpc" in inner or _is_bare(inner)
    if isinstance(inner, str) and inner.startswith("{"):
        return MARK in inner[:NEAR] or ('"method"' in inner[:NEAR] and _is_bare(record_of(structured(inner))))
    return False


def _is_bare(value: Record) -> bool:
    """Whether a message that leaves out the name of the protocol is one of it by what it holds."""
    method = value.get("method")
    if isinstance(method, str):
        return method.startswith(METHODS) and isinstance(value.get("params"), dict)
    if "id" not in value or len(value) > 3:
        return False
    return isinstance(at(value, "result", "content"), list) and "role" not in record_of(value.get("result"))


def heard_in(value: JsonValue) -> Iterator[Heard]:
    """The messages of a record, in their order."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from heard_in(item)
        return
    record = record_of(value)
    if "jsonrpc" in record or _is_bare(record):
        yield _heard(record, record)
    elif "request" in record and not _is_inner(record.get("message")):
        yield from _exchange(record)
    else:
        key = next((key for key in HOLDERS if key in record and _is_inner(record[key])), None)
        inner = structured(record[key]) if key is not None else None
        if inner is not None:
            yield _heard(record_of(inner), record)
            return
        batch = next((found for key in HOLDERS if isinstance(found := structured(record.get(key)), list)), [])
        for message in batch:
            if _is_inner(message):
                yield _heard(record_of(message), record)


def _exchange(record: Record) -> Iterator[Heard]:
    """A request together with its response, as inspectors keep them."""
    request = record_of(structured(record.get("request")))
    response = structured(record.get("response"))
    if isinstance(request.get("method"), str):
        yield _heard(request, record)
    # Without an id nothing tells the response to another request from the result of a call.
    if not isinstance(response, dict) or not (request.get("method") == CALL or "id" in response or "id" in request):
        return
    if not ("result" in response or "error" in response):
        response = {"result": response}
    yield _heard({"id": request.get("id"), **response}, record)


def _heard(message: Record, envelope: Record) -> Heard:
    heard = Heard(message)
    if message is envelope:
        return heard
    heard.session = _session(envelope)
    for key, value in envelope.items():
        if key in MOMENTS:
            if heard.moment is None:
                heard.moment = milliseconds(value)
        elif key in SERVERS:
            heard.server = heard.server or text(value) or ""
        elif key in METADATA and isinstance(value, dict):
            heard.metadata = value
    if heard.metadata is not None or not CASES.isdisjoint(envelope):
        # What an envelope calls its id is the number of the record, not of a case.
        heard.case = case_of(heard.metadata, {**envelope, "id": None})
    return heard


def _session(envelope: Record) -> str:
    for holder in (envelope, envelope.get("metadata"), envelope.get("headers")):
        if not isinstance(holder, dict):
            continue
        for key in SESSIONS:
            if key not in holder:
                continue
            found = holder[key]
            if isinstance(found, dict):
                found = found.get("id")
            if isinstance(found, (str, int)) and not isinstance(found, bool) and found != "":
                return str(found)
    return ""
