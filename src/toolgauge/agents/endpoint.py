"""Agents behind HTTP: a question is posted, and the reply is a trajectory, messages or an answer."""

from __future__ import annotations

import base64
import email.message
import http.client
import json
import os
import re
import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import msgspec

from toolgauge.core import Case, JsonValue, Replied, Toolbox
from toolgauge.errors import AgentUnreachable, UsageError
from toolgauge.files import shorten

from .calling import in_thread
from .loop import AgentFailure

__all__ = ["HttpAgent", "pick", "read_headers"]

SECONDS = 600.0
"""How long a connection may be silent; the limits of the case are usually shorter."""

LARGEST_REPLY = 64 * 1024 * 1024

SHOWN = 200
"""How many characters of a reply that cannot be used are shown."""

MAX_KEYS = 8

UNREACHABLE_HINT = "check that the agent is running, and its address"

WEB_PAGES = ("text/html", "application/xhtml+xml")

HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VARIABLE = re.compile(r"\$(?:\$|\{(?P<braced>\w+)\}|(?P<plain>[A-Za-z_]\w*))")
INDEX = re.compile(r"\[(-?[0-9]+)\]")
NUMBER = re.compile(r"-?[0-9]{1,9}")


class HttpAgent:
    """An agent at an address. It runs its own tools; it is told which ones the suite defines."""

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
        field: str | None = None,
        conversation: str | None = None,
    ) -> None:
        """Say where it is, and how it is asked.

        Args:
            url: Its address.
            name: What it is called; default: host and path.
            headers: What it is asked with; the values are not shown.
            field: Where in its reply the answer, the messages or the trajectory are, such as `data.answer` or
                `choices.0.message`; default: the reply is that.
            conversation: Under which name it gets the id of a conversation, one for each trial; what it replies with
                under that name is recorded. Default: it gets none.

        Raises:
            UsageError: This is no address of HTTP.
        """
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            good = False
        if not good:
            raise UsageError(f"{url!r} is not the address of an agent; write http://host:port/path")
        self.url = url
        self.name = name or f"{parts.hostname}{parts.path.rstrip('/')}"
        self.headers = dict(headers or {})
        self.field = field
        self.conversation = conversation
        self._reached = False
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self.headers.setdefault("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}")

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What tells this agent from others, without credentials."""
        parts = urlsplit(self.url)
        said: dict[str, JsonValue] = {"url": f"{parts.scheme}://{parts.hostname}:{parts.port or ''}{parts.path}"}
        if self.field is not None:
            said["field"] = self.field
        if self.conversation is not None:
            said["conversation"] = self.conversation
        return said

    async def __call__(self, case: Case, tools: Toolbox) -> Replied:
        """Post the case, and read the reply.

        Raises:
            AgentFailure: There is no reply, or it says that something is wrong.
            AgentUnreachable: There was never a connection, and there is none now.
        """
        shown: list[JsonValue] = [
            {"name": tool.name, "description": tool.description, "parameters": msgspec.to_builtins(tool.parameters)}
            for tool in tools.definitions
        ]
        asked: dict[str, JsonValue] = {"case": case.id, "input": case.input, "tools": shown}
        if self.conversation is not None:
            asked[self.conversation] = uuid4().hex
        exchange = _Exchange(self.url, self.headers, msgspec.json.encode(asked))
        try:
            value = _read(*await in_thread(exchange.perform))
        except AgentUnreachable as error:
            if self._reached:
                raise AgentFailure(str(error)) from error  # others may get through
            raise
        finally:
            self._reached = self._reached or exchange.reached
            exchange.close()
        if self.conversation is not None:
            value = _without_conversation(value, self.conversation, asked[self.conversation], tools)
        if self.field is not None:
            value = pick(value, self.field)
            if isinstance(value, (bool, int, float)):
                return msgspec.json.encode(value).decode()  # somebody says that this is the answer
        return _replied(value)


def read_headers(given: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """Headers with the variables of the environment filled in: `$NAME` or `${NAME}`; `$$` is a dollar sign.

    Args:
        given: By name, or as `Name: value`.

    Raises:
        UsageError: One cannot be read. Its value is not in the message.
    """
    written = given.items() if isinstance(given, Mapping) else [line.partition(":")[::2] for line in given]
    read: dict[str, str] = {}
    for number, (name, value) in enumerate(written, 1):
        header = name.strip()
        if not HEADER_NAME.fullmatch(header) or not value:
            raise UsageError(f"--agent-header, the {number}. one: write 'Name: value', such as 'X-Api-Key: $MY_KEY'")
        filled = VARIABLE.sub(partial(_variable, header), value.strip())
        if not filled.isascii() or not filled.isprintable():
            raise UsageError(f"--agent-header {header}: its value has characters that no header can have")
        read[header] = filled
    return read


def _variable(header: str, found: re.Match[str]) -> str:
    name = found["braced"] or found["plain"]
    if name is None:
        return "$"
    if name not in os.environ:
        raise UsageError(f"--agent-header {header}: the environment has no variable {name}; set it, or write $$ for $")
    return os.environ[name]


def pick(value: JsonValue, path: str) -> JsonValue:
    """The part of a value at a path such as `data.answer`, `choices.0.text` or `choices[-1].text`.

    Raises:
        AgentFailure: There is no such part.
    """
    found = value
    done: list[str] = []
    for step in filter(None, INDEX.sub(r".\1", path).split(".")):
        if isinstance(found, dict) and step in found:
            found = found[step]
        elif isinstance(found, list) and NUMBER.fullmatch(step) and -len(found) <= int(step) < len(found):
            found = found[int(step)]
        else:
            where = ".".join(done) or "the reply"
            raise AgentFailure(f"the reply has no {path}: {where} is {_outline(found)}")
        done.append(step)
    return found


def _outline(value: JsonValue) -> str:
    if isinstance(value, dict):
        keys = ", ".join(list(value)[:MAX_KEYS]) + (", ..." if len(value) > MAX_KEYS else "")
        return f"an object with {keys}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "null" if value is None else f"a {type(value).__name__}"


def _without_conversation(value: JsonValue, path: str, sent: JsonValue, tools: Toolbox) -> JsonValue:
    """The reply without the id of its conversation, which is recorded beside the one that was sent."""
    replied: JsonValue = None
    if isinstance(value, dict):
        with suppress(AgentFailure):
            replied = pick(value, path)
        value = {key: item for key, item in value.items() if key != path}
    if isinstance(replied, (str, int)):
        tools.tell("conversation", sent=sent, replied=replied)
    else:
        tools.tell("conversation", sent=sent)
    return value


class _Exchange:
    """One request and its reply. Closing it from another thread ends the wait."""

    def __init__(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        parts = urlsplit(url)
        self._url = url
        self.reached = False
        """Whether there was a connection."""
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

    def perform(self) -> tuple[bytes, str]:
        try:
            self._connection.connect()
            self.reached = True
            self._connection.request("POST", self._target, self._body, self._headers)
            with self._lock:
                if self._closed:
                    raise AgentFailure("the request was abandoned")
            response = self._connection.getresponse()
            body = response.read(LARGEST_REPLY + 1)
        except (OSError, http.client.HTTPException) as error:
            raise self._failure(error) from error
        if response.status // 100 == 3:
            self._refuse_redirect(response)
        if response.status // 100 != 2:
            raise AgentFailure(f"HTTP {response.status}: {_beginning(body)}")
        if len(body) > LARGEST_REPLY:
            raise AgentFailure(f"the reply is larger than {LARGEST_REPLY:,} bytes")
        return body, response.headers.get("Content-Type") or ""

    def _refuse_redirect(self, response: http.client.HTTPResponse) -> None:
        from toolgauge.models import REDIRECT_HINT, describe_redirect

        redirect = describe_redirect(response.status, response.headers.get("Location"), self._url)
        if redirect:
            raise AgentFailure(f"redirected: {redirect}; {REDIRECT_HINT}")

    def _failure(self, error: Exception) -> AgentFailure | AgentUnreachable:
        if self.reached or self._closed:
            return AgentFailure(f"connection: {type(error).__name__}: {error}")
        from toolgauge.models import describe_fault, shown_address

        words = f"cannot reach {shown_address(self._url)}: {describe_fault(error).reason}"
        return AgentUnreachable(f"{words}; {UNREACHABLE_HINT}")

    def close(self) -> None:
        with self._lock:
            self._closed = True
        sock = self._connection.sock
        if sock is not None:
            import socket

            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits for the reply
        self._connection.close()


def _read(body: bytes, content_type: str) -> JsonValue:
    """What a reply says: a JSON value, or a text where it says that it is one, or does not look like anything else."""
    message = email.message.Message()
    message["Content-Type"] = content_type or "application/octet-stream"
    kind = message.get_content_type()
    if kind in WEB_PAGES:
        raise AgentFailure(f"the reply is a web page: {_beginning(body)}")
    try:
        value: JsonValue = json.loads(body)
    except RecursionError as error:
        raise AgentFailure("the reply is nested too deeply to be read") from error
    except ValueError as error:
        said_text = kind.startswith("text/")
        looks_like_text = not content_type and body.lstrip()[:1] not in (b"", b"<", b"{", b"[")
        if not said_text and not looks_like_text:
            raise AgentFailure(f"the reply is not JSON ({error}): {_beginning(body)}") from error
        return _text(body, message.get_content_charset("utf-8"))
    if kind.startswith("text/") and not isinstance(value, (list, dict)):
        return _text(body, message.get_content_charset("utf-8"))  # a number, or a word in quotes, is what it says
    return value


def _text(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _replied(value: JsonValue) -> Replied:
    if value is None or isinstance(value, (str, list, dict)):
        return value
    raise AgentFailure(f"the reply is neither a trajectory nor messages: {shorten(value)}")


def _beginning(body: bytes) -> str:
    return ascii(body[: SHOWN * 4].decode("utf-8", "replace")[:SHOWN])
