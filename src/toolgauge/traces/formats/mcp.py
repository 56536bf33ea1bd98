"""Sessions of the Model Context Protocol, as the messages between a client and its servers were recorded.

A session is a trajectory: which tools were called, with what, and what came back. What the agent said to its user does
not pass through the protocol, so there is no answer. Proxies, inspectors and clients wrap the JSON-RPC messages in
envelopes of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..identity import with_identity
from ..trajectory_builder import TrajectoryBuilder
from ..values import CASE_KEYS, Record, at, case_of, dicts, milliseconds, record_of, structured, text, texts

__all__ = ["CALL", "McpReader", "RecordedMessage", "is_message", "recorded_messages"]

MAX_SESSIONS = 1_000
"""How many sessions may be open at once; beyond that, the one that was quiet longest is ended."""

MAX_EARLY = 1_000
"""How many responses of a session may come before their requests."""

HANDSHAKES = frozenset({"initialize", "server/discover"})
ASKED_BY_SERVERS = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})
CLIENT = "io.modelcontextprotocol/clientInfo"
"""Where clients of the stateless protocol name themselves, in every request."""


class McpReader:
    """Gathers the messages of each session, and gives its trajectory at the end."""

    title: ClassVar[str] = "MCP sessions"

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._sessions: dict[str, _Session] = {}
        """Open sessions by their id, the one that was quiet longest first."""

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A JSON-RPC message, bare or in an envelope."""
        return is_message(value)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectories of the sessions that these messages show to be over."""
        count = 0
        for recorded in recorded_messages(value):
            count += 1
            session = self._sessions.pop(recorded.session, None)
            if session is not None and not recorded.session and session.ends_before(recorded):
                yield from session.finish()
                session = None
            if session is None:
                session = _Session(self._context, recorded.session)
            self._sessions[recorded.session] = session
            session.add(recorded)
        if not count:
            self._context.note_loss("a record is left out because it contains no protocol message")
        while len(self._sessions) > MAX_SESSIONS:
            self._context.note_loss("too many sessions are open at once; the one idle longest is treated as ended")
            yield from self._sessions.pop(next(iter(self._sessions))).finish()

    def finish(self) -> Iterator[Trajectory]:
        """The trajectories of the sessions that are still open."""
        while self._sessions:
            yield from self._sessions.pop(next(iter(self._sessions))).finish()


@dataclass(slots=True)
class _Pending:
    """A call that waits for its response."""

    id: str
    tool: str
    moment: float | None


@dataclass(slots=True)
class _Session:
    """What is known of a session so far."""

    context: ReadContext
    name: str
    case: str = ""
    agent: str = ""
    metadata: Record | None = None
    first: float | None = None
    last: float | None = None
    requests: int = 0
    open: dict[str, _Pending] = field(default_factory=dict)
    """Calls that wait, by the id of the request that will bring their result."""
    answered: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    """Requests other than calls."""
    of_servers: set[str] = field(default_factory=set)
    """Requests of servers, whose ids are counted by themselves."""
    tasks: dict[str, _Pending] = field(default_factory=dict)
    """Calls whose result is to be fetched, by the id of their task."""
    unfinished: dict[str, _Pending] = field(default_factory=dict)
    """Calls for which a server wants to know more first, by the name of the tool."""
    early: dict[str, RecordedMessage] = field(default_factory=dict)
    """Responses that came before their requests."""
    servers: set[str] = field(default_factory=set)
    """Servers of which tools were called."""
    builder: TrajectoryBuilder = field(init=False)

    def __post_init__(self) -> None:
        self.builder = TrajectoryBuilder(self.context)

    def ends_before(self, recorded: RecordedMessage) -> bool:
        """Whether a message begins another session, in a record that does not name sessions."""
        method = recorded.message.get("method")
        return isinstance(method, str) and method in HANDSHAKES and recorded.server in self.servers

    def add(self, recorded: RecordedMessage) -> None:
        """Take in a message."""
        self.case = self.case or recorded.case
        self.metadata = self.metadata or recorded.metadata
        if recorded.moment is not None:
            self.first = recorded.moment if self.first is None else min(self.first, recorded.moment)
            self.last = recorded.moment if self.last is None else max(self.last, recorded.moment)
        method = recorded.message.get("method")
        key = _key(recorded, recorded.message.get("id"))
        if isinstance(method, str):
            self._request(method, record_of(recorded.message.get("params")), key, recorded)
        elif "result" in recorded.message or "error" in recorded.message:
            self._response(key, recorded)

    def _request(self, method: str, params: Record, key: str, recorded: RecordedMessage) -> None:
        meta = record_of(params.get("_meta"))
        self.agent = self.agent or text(at(params, "clientInfo", "name")) or text(at(meta, CLIENT, "name")) or ""
        if method == CALL:
            self.case = self.case or case_of(meta)
            self._call(params, key, recorded)
        elif method == "notifications/cancelled":
            self._cancel(_key(recorded, params.get("requestId")), text(params.get("reason")))
        elif method in ASKED_BY_SERVERS:
            self.of_servers.add(key)
        elif method == "tasks/result" and (waiting := self.tasks.get(str(params.get("taskId")))) is not None:
            self.open[key] = waiting
        elif "id" in recorded.message:
            self.requests += 1
            self.others.add(key)

    def _call(self, params: Record, key: str, recorded: RecordedMessage) -> None:
        self.requests += 1
        self.servers.add(recorded.server)
        tool = params.get("name")
        if "inputResponses" in params or "requestState" in params:
            waiting = self.unfinished.pop(str(tool), None)
            if waiting is not None:
                self.open[key] = waiting
                return
        if key in self.open:
            self.context.note_loss("a call was recorded twice with the same id; the second one is left out")
            return
        started = recorded.moment - self.first if recorded.moment is not None and self.first is not None else None
        self.builder.add_call(tool, params.get("arguments", {}), id=key or None, started_ms=started)
        if not key:
            return
        self.open[key] = _Pending(key, str(tool), recorded.moment)
        self.answered.discard(key)
        if key in self.early:
            self._response(key, self.early.pop(key))

    def _response(self, key: str, recorded: RecordedMessage) -> None:
        result = recorded.message.get("result")
        if not key:
            # Without an id it is of the call that waits longest, if it is of a call.
            if _is_of_tool(result) or "error" in recorded.message:
                self._add_result(recorded, None)
        elif key in self.of_servers and not _is_of_tool(result):
            self.of_servers.discard(key)
        elif key in self.open:
            self._answer(key, recorded)
        elif key in self.others:
            self.others.discard(key)
        elif key in self.answered:
            self.context.note_loss("a response was recorded twice; the second one is left out")
        elif len(self.early) < MAX_EARLY:
            self.early[key] = recorded
        else:
            self.context.note_loss("a response belongs to no request; it is left out")

    def _answer(self, key: str, recorded: RecordedMessage) -> None:
        waiting = self.open.pop(key)
        result = record_of(recorded.message.get("result"))
        task = text(at(result, "task", "taskId"))
        if task is not None:
            self.tasks[task] = waiting
            return
        if result.get("resultType") == "input_required":
            self.unfinished[waiting.tool] = waiting
            self.builder.add_event("input_required", id=waiting.id)
            return
        self.answered.add(key)
        self._add_result(recorded, waiting)

    def _add_result(self, recorded: RecordedMessage, waiting: _Pending | None) -> None:
        """Add what came back, and how long it took."""
        began = None if waiting is None else waiting.moment
        took = recorded.moment - began if recorded.moment is not None and began is not None else None
        value, failed, error = _outcome(recorded.message)
        # An id that is of no call shall not lead to a call with another one.
        known = recorded.message.get("id") if waiting is None else waiting.id
        known = str(known) if isinstance(known, int) else known
        self.builder.add_result(value, id=known, failed=failed, error=error, duration_ms=took)

    def _cancel(self, key: str, reason: str | None) -> None:
        waiting = self.open.pop(key, None)
        if waiting is not None:
            self.answered.add(key)
            reason = f"cancelled: {reason}" if reason else "cancelled"
            self.builder.add_result(None, id=waiting.id, failed=True, error=reason)

    def finish(self) -> Iterator[Trajectory]:
        """The trajectory of the session, if there was one."""
        for recorded in self.early.values():
            if _is_of_tool(recorded.message.get("result")):
                self._add_result(recorded, None)
            else:
                self.context.note_loss("a response belongs to no request; it is left out")
        if not self.requests and not self.builder.calls:
            self.context.note_loss("a session without requests is left out")
            return
        yield self.builder.build(
            case=self.case or self.name,
            agent=self.agent,
            latency_ms=self.last - self.first if self.last is not None and self.first is not None else None,
            meta=with_identity(self.metadata or {}, session=self.name, started=self.first),
        )


def _key(recorded: RecordedMessage, number: JsonValue) -> str:
    """What a request is known by: its id, with the server where several are recorded."""
    if number is None or isinstance(number, (bool, list, dict)):
        return ""
    return f"{recorded.server}:{number}" if recorded.server else str(number)


def _is_of_tool(result: JsonValue) -> bool:
    """Whether a result is that of a call, by what it holds; what a model said for a server has a role."""
    if not isinstance(result, dict) or "role" in result:
        return False
    return isinstance(result.get("content"), list) or "structuredContent" in result or "isError" in result


def _outcome(message: Record) -> tuple[JsonValue, bool | None, str | None]:
    """What a call returned, whether the server says that it failed, and in which words."""
    error = message.get("error")
    if error is not None:
        code = at(error, "code")
        return None, True, text(at(error, "message")) or text(error) or f"error {code}"
    result = message.get("result")
    holder = record_of(result)
    said = holder.get("isError")
    failed = said if isinstance(said, bool) else None
    if holder.get("structuredContent") is not None:
        return holder["structuredContent"], failed, texts(holder.get("content")) if failed else None
    content = holder.get("content")
    if not isinstance(content, list):
        return result, failed, None
    only_text = all(part.get("type") == "text" for part in dicts(content))
    return texts(content) if only_text else content, failed, None


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
class RecordedMessage:
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


def recorded_messages(value: JsonValue) -> Iterator[RecordedMessage]:
    """The messages of a record, in their order."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from recorded_messages(item)
        return
    record = record_of(value)
    if "jsonrpc" in record or _is_bare(record):
        yield _recorded(record, record)
    elif "request" in record and not _is_inner(record.get("message")):
        yield from _exchange(record)
    else:
        key = next((key for key in HOLDERS if key in record and _is_inner(record[key])), None)
        inner = structured(record[key]) if key is not None else None
        if inner is not None:
            yield _recorded(record_of(inner), record)
            return
        batch = next((found for key in HOLDERS if isinstance(found := structured(record.get(key)), list)), [])
        for message in batch:
            if _is_inner(message):
                yield _recorded(record_of(message), record)


def _exchange(record: Record) -> Iterator[RecordedMessage]:
    """A request together with its response, as inspectors keep them."""
    request = record_of(structured(record.get("request")))
    response = structured(record.get("response"))
    if isinstance(request.get("method"), str):
        yield _recorded(request, record)
    # Without an id nothing tells the response to another request from the result of a call.
    if not isinstance(response, dict) or not (request.get("method") == CALL or "id" in response or "id" in request):
        return
    if not ("result" in response or "error" in response):
        response = {"result": response}
    yield _recorded({"id": request.get("id"), **response}, record)


def _recorded(message: Record, envelope: Record) -> RecordedMessage:
    recorded = RecordedMessage(message)
    if message is envelope:
        return recorded
    recorded.session = _session(envelope)
    for key, value in envelope.items():
        if key in MOMENTS:
            if recorded.moment is None:
                recorded.moment = milliseconds(value)
        elif key in SERVERS:
            recorded.server = recorded.server or text(value) or ""
        elif key in METADATA and isinstance(value, dict):
            recorded.metadata = value
    if recorded.metadata is not None or not CASES.isdisjoint(envelope):
        # What an envelope calls its id is the number of the record, not of a case.
        recorded.case = case_of(recorded.metadata, {**envelope, "id": None})
    return recorded


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
