"""Sessions of the Model Context Protocol, as the messages between a client and its servers were recorded.

A session is a trajectory: which tools were called, with what, and what came back. What the agent said to its user does
not pass through the protocol, so there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..conversation import Conversation, Reading
from ..values import Record, at, case_of, dicts, record_of, text, texts
from .mcp_messages import CALL, Heard, heard_in, is_message

__all__ = ["McpReader"]

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
