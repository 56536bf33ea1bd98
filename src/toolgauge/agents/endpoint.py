"""Agents behind HTTP: a question is posted, and the reply is a trajectory, messages or an answer."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import unquote, urlsplit

import msgspec

from toolgauge.core import Case, JsonValue, Replied, Toolbox
from toolgauge.errors import UsageError

from .calling import in_thread
from .loop import AgentFailure

__all__ = ["HttpAgent"]

SECONDS = 600.0
"""How long a connection may be silent; the limits of the case are usually shorter."""

LARGEST_REPLY = 64 * 1024 * 1024

SHOWN = 200
"""How many characters of a reply that cannot be used are shown."""


class HttpAgent:
    """An agent at an address. It runs its own tools; it is told which ones the suite defines."""

    def __init__(self, url: str, *, name: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        """Say where it is.

        Raises:
            UsageError: This is no address of HTTP.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{url!r} is not the address of an agent; write http://host:port/path")
        self.url = url
        self.name = name or f"{parts.hostname}{parts.path.rstrip('/')}"
        self.headers = dict(headers or {})
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self.headers.setdefault("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}")

    @property
    def settings(self) -> dict[str, str]:
        """What tells this agent from others, without credentials."""
        parts = urlsplit(self.url)
        return {"url": f"{parts.scheme}://{parts.hostname}:{parts.port or ''}{parts.path}"}

    async def __call__(self, case: Case, tools: Toolbox) -> Replied:
        """Post the case, and read the reply.

        Raises:
            AgentFailure: There is no reply, or it says that something is wrong.
        """
        shown = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in tools.definitions
        ]
        body = msgspec.json.encode({"case": case.id, "input": case.input, "tools": shown})
        exchange = _Exchange(self.url, self.headers, body)
        try:
            return _read(await in_thread(exchange.perform))
        finally:
            exchange.close()


class _Exchange:
    """One request and its reply. Closing it from another thread ends the wait."""

    def __init__(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        parts = urlsplit(url)
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        self._body = body
        self._lock = threading.Lock()
        self._closed = False
        host = parts.hostname or ""
        if parts.scheme == "https":
            context = ssl.create_default_context()
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, parts.port, timeout=SECONDS, context=context
            )
        else:
            self._connection = http.client.HTTPConnection(host, parts.port, timeout=SECONDS)

    def perform(self) -> bytes:
        try:
            self._connection.request("POST", self._target, self._body, self._headers)
            with self._lock:
                if self._closed:
                    raise AgentFailure("the request was given up")
            response = self._connection.getresponse()
            body = response.read(LARGEST_REPLY + 1)
        except (OSError, http.client.HTTPException) as error:
            raise AgentFailure(f"connection: {type(error).__name__}: {error}") from error
        if response.status // 100 != 2:
            raise AgentFailure(f"HTTP {response.status}: {_beginning(body)}")
        if len(body) > LARGEST_REPLY:
            raise AgentFailure(f"the reply is larger than {LARGEST_REPLY:,} bytes")
        return body

    def close(self) -> None:
        with self._lock:
            self._closed = True
        sock = self._connection.sock
        if sock is not None:
            import socket

            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits for the reply
        self._connection.close()


def _read(body: bytes) -> Replied:
    try:
        value: JsonValue = json.loads(body)
    except ValueError as error:
        raise AgentFailure(f"the reply is not JSON ({error}): {_beginning(body)}") from error
    if value is None or isinstance(value, (str, list, dict)):
        return value
    raise AgentFailure(f"the reply is neither a trajectory nor messages: {_beginning(body)}")


def _beginning(body: bytes) -> str:
    return ascii(body[: SHOWN * 4].decode("utf-8", "replace")[:SHOWN])
