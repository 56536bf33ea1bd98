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

from ..context import Reading
from ..trajectory_builder import Conversation
from ..values import CASE_KEYS, Record, at, case_of, dicts, milliseconds, record_of, structured, text, texts

__all__ = ["CALL", "Heard", "McpReader", "heard_in", "is_message"]

MOST_SESSIONS = 1_000
"""How many sessions may be open at once; beyond that, the one that was quiet longest is ended."""

MOST_EARLY = 1_000
"""How many responses of a session may come before their requests."""

HANDSHAKES = frozenset({"initialize", "server/discover"})
ASKED_BY_SERVERS = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})
CLIENT = "io.modelcontextprotocol/clientInfo"
"""Where clients of the stateless protocol name themselves, in every request."""


class McpReader:
    """Gathers the messages of each session, and gives its trajectory at the end."""

    title: ClassVar[str] = "MCP sessions"

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._sessions: dict[str, _Session] = {}
        """Open sessions by their id, the one that was quiet longest first."""

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A JSON-RPC message, bare or in an envelope."""
        return is_message(value)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectories of the sessions that these messages show to be over."""
        count = 0
        for heard in heard_in(value):
            count += 1
            session = self._sessions.pop(heard.session, None)
            if session is not None and not heard.session and session.ends_before(heard):
                yield from session.finish()
                session = None
            if session is None:
                session = _Session(self._reading, heard.session)
            self._sessions[heard.session] = session
            session.hear(heard)
        if not count:
            self._reading.lose("a record is left out, for it holds no message of the protocol")
        while len(self._sessions) > MOST_SESSIONS:
            self._reading.lose("more sessions are open at once than are kept; the one quiet longest is taken as ended")
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

    reading: Reading
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
    early: dict[str, Heard] = field(default_factory=dict)
    """Responses that came before their requests."""
    servers: set[str] = field(default_factory=set)
    """Servers of which tools were called."""
    conversation: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.conversation = Conversation(self.reading)

    def ends_before(self, heard: Heard) -> bool:
        """Whether a message begins another session, in a record that does not name sessions."""
        method = heard.message.get("method")
        return isinstance(method, str) and method in HANDSHAKES and heard.server in self.servers

    def hear(self, heard: Heard) -> None:
        """Take in a message."""
        self.case = self.case or heard.case
        self.metadata = self.metadata or heard.metadata
        if heard.moment is not None:
            self.first = heard.moment if self.first is None else min(self.first, heard.moment)
            self.last = heard.moment if self.last is None else max(self.last, heard.moment)
        method = heard.message.get("method")
        key = _key(heard, heard.message.get("id"))
        if isinstance(method, str):
            self._request(method, record_of(heard.message.get("params")), key, heard)
        elif "result" in heard.message or "error" in heard.message:
            self._response(key, heard)

    def _request(self, method: str, params: Record, key: str, heard: Heard) -> None:
        meta = record_of(params.get("_meta"))
        self.agent = self.agent or text(at(params, "clientInfo", "name")) or text(at(meta, CLIENT, "name")) or ""
        if method == CALL:
            self.case = self.case or case_of(meta)
            self._call(params, key, heard)
        elif method == "notifications/cancelled":
            self._cancel(_key(heard, params.get("requestId")), text(params.get("reason")))
        elif method in ASKED_BY_SERVERS:
            self.of_servers.add(key)
        elif method == "tasks/result" and (waiting := self.tasks.get(str(params.get("taskId")))) is not None:
            self.open[key] = waiting
        elif "id" in heard.message:
            self.requests += 1
            self.others.add(key)

    def _call(self, params: Record, key: str, heard: Heard) -> None:
        self.requests += 1
        self.servers.add(heard.server)
        tool = params.get("name")
        if "inputResponses" in params or "requestState" in params:
            waiting = self.unfinished.pop(str(tool), None)
            if waiting is not None:
                self.open[key] = waiting
                return
        if key in self.open:
            self.reading.lose("a call was recorded twice with the same id; the second one is left out")
            return
        started = heard.moment - self.first if heard.moment is not None and self.first is not None else None
        self.conversation.call(tool, params.get("arguments", {}), id=key or None, started_ms=started)
        if not key:
            return
        self.open[key] = _Pending(key, str(tool), heard.moment)
        self.answered.discard(key)
        if key in self.early:
            self._response(key, self.early.pop(key))

    def _response(self, key: str, heard: Heard) -> None:
        result = heard.message.get("result")
        if not key:
            # Without an id it is of the call that waits longest, if it is of a call.
            if _is_of_tool(result) or "error" in heard.message:
                self._tell(heard, None)
        elif key in self.of_servers and not _is_of_tool(result):
            self.of_servers.discard(key)
        elif key in self.open:
            self._answer(key, heard)
        elif key in self.others:
            self.others.discard(key)
        elif key in self.answered:
            self.reading.lose("a response was recorded twice; the second one is left out")
        elif len(self.early) < MOST_EARLY:
            self.early[key] = heard
        else:
            self.reading.lose("a response belongs to no request; it is left out")

    def _answer(self, key: str, heard: Heard) -> None:
        waiting = self.open.pop(key)
        result = record_of(heard.message.get("result"))
        task = text(at(result, "task", "taskId"))
        if task is not None:
            self.tasks[task] = waiting
            return
        if result.get("resultType") == "input_required":
            self.unfinished[waiting.tool] = waiting
            self.conversation.happen("input_required", id=waiting.id)
            return
        self.answered.add(key)
        self._tell(heard, waiting)

    def _tell(self, heard: Heard, waiting: _Pending | None) -> None:
        """Tell the conversation what came back, and how long it took."""
        began = None if waiting is None else waiting.moment
        took = heard.moment - began if heard.moment is not None and began is not None else None
        value, failed, error = _outcome(heard.message)
        # An id that is of no call shall not lead to a call with another one.
        known = heard.message.get("id") if waiting is None else waiting.id
        known = str(known) if isinstance(known, int) else known
        self.conversation.result(value, id=known, failed=failed, error=error, duration_ms=took)

    def _cancel(self, key: str, reason: str | None) -> None:
        waiting = self.open.pop(key, None)
        if waiting is not None:
            self.answered.add(key)
            told = f"cancelled: {reason}" if reason else "cancelled"
            self.conversation.result(None, id=waiting.id, failed=True, error=told)

    def finish(self) -> Iterator[Trajectory]:
        """The trajectory of the session, if there was one."""
        for heard in self.early.values():
            if _is_of_tool(heard.message.get("result")):
                self._tell(heard, None)
            else:
                self.reading.lose("a response belongs to no request; it is left out")
        if not self.requests and not self.conversation.calls:
            self.reading.lose("a session without requests is left out")
            return
        yield self.conversation.finish(
            case=self.case or self.name,
            agent=self.agent,
            latency_ms=self.last - self.first if self.last is not None and self.first is not None else None,
            meta=self.metadata,
        )


def _key(heard: Heard, number: JsonValue) -> str:
    """What a request is known by: its id, with the server where several are recorded."""
    if number is None or isinstance(number, (bool, list, dict)):
        return ""
    return f"{heard.server}:{number}" if heard.server else str(number)


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
