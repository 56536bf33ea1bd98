"""An HTTP/1.1 server with an event loop in a thread of its own, able to misbehave in every way a script asks for."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
import threading
from abc import ABC, abstractmethod
from http import HTTPStatus
from types import TracebackType
from typing import Self

from toolgauge.core import ModelReply

from .script import Answer, Asked, BreaksOff, Dribbles, Later, Reply, Request, Resets, Script, Silent, play

__all__ = ["BadRequest", "Server", "check_name", "unused_port"]

LINGER_NOT = struct.pack("ii", 1, 0)
"""What makes closing a socket a reset."""


class BadRequest(Exception):  # noqa: N818 - a statement of what it is
    """A request that the provider would refuse."""


def check_name(name: str) -> None:
    """Refuse the name of a tool that the providers refuse, on offer as well as in earlier calls."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise BadRequest(f"{name!r} is no name of a tool")


class Server(ABC):
    """A provider on loopback; use it in a `with` block."""

    path: str
    """Where requests are posted to."""

    def __init__(self, script: Script, *, key: str | None = None) -> None:
        self.requests: list[Request] = []
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._answer = play(script)
        self._key = key
        self._now = 0
        self._loop = asyncio.new_event_loop()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name=type(self).__name__, daemon=True)
        self.port = 0

    @property
    @abstractmethod
    def base_url(self) -> str:
        """What a client is to be told."""

    @abstractmethod
    def understand(self, request: Request, number: int) -> Asked:
        """Read a request; raises BadRequest where the provider would refuse it."""

    @abstractmethod
    def write(self, reply: ModelReply, asked: Asked) -> object:
        """A reply in the layout of the provider."""

    @abstractmethod
    def error(self, status: int, message: str) -> object:
        """An error in the layout of the provider."""

    @abstractmethod
    def given_key(self, request: Request) -> str:
        """The key that a request carries."""

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=1024)

    async def _close(self) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (request := await _read_request(reader)) is not None:
                if not await self._serve(request, writer):
                    break
        except (OSError, asyncio.IncompleteReadError):
            return  # the client went away, which is its right
        except asyncio.CancelledError:
            return  # the server is being closed
        finally:
            self._connections.discard(task)
            writer.transport.abort() if writer.transport.is_closing() else writer.close()

    async def _serve(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False: the connection is of no more use."""
        self.requests.append(request)
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            asked, answer = self._decide(request)
            if isinstance(answer, Later):
                await asyncio.sleep(answer.seconds)
                answer = answer.answer
            return await self._send(asked, answer, writer)
        finally:
            self._now -= 1

    def _decide(self, request: Request) -> tuple[Asked | None, Answer]:
        if self._key is not None and self.given_key(request) != self._key:
            return None, Reply(401, self.error(401, "the key is wrong"))
        if request.method != "POST" or request.path.partition("?")[0] != self.path:
            return None, Reply(404, self.error(404, f"nothing is at {request.path}"))
        try:
            asked = self.understand(request, len(self.asked))
        except BadRequest as problem:
            return None, Reply(400, self.error(400, str(problem)))
        self.asked.append(asked)
        return asked, self._answer(asked)

    async def _send(self, asked: Asked | None, answer: Answer, writer: asyncio.StreamWriter) -> bool:
        if isinstance(answer, Silent):
            await asyncio.Event().wait()
        if isinstance(answer, Dribbles):
            await _dribble(writer, answer.seconds)
        if isinstance(answer, BreaksOff | Resets):
            await _break(writer, answer)
            return False
        if isinstance(answer, ModelReply):
            assert asked is not None
            answer = Reply(200, self.write(answer, asked))
        assert isinstance(answer, Reply)
        writer.write(self._whole(answer))
        await writer.drain()
        return True

    def _whole(self, reply: Reply) -> bytes:
        body = reply.body
        if body is None:
            body = b"" if reply.status < 400 else self.error(reply.status, HTTPStatus(reply.status).phrase)
        if isinstance(body, str):
            body = body.encode()
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **reply.headers, "Content-Length": str(len(body))}
        return _head(reply.status, headers) + body


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None: the client closed it."""
    first = await reader.readline()
    if not first.strip():
        return None
    method, path, _ = first.decode("ascii").split()
    headers: dict[str, str] = {}
    while (line := (await reader.readline()).decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _dribble(writer: asyncio.StreamWriter, seconds: float) -> None:
    writer.write(_head(200, {"Content-Type": "application/json", "Content-Length": "1000000"}) + b'{"id": "')
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(seconds)


async def _break(writer: asyncio.StreamWriter, answer: BreaksOff | Resets) -> None:
    if answer.sent:
        body = b'{"id": "' + b"x" * 200
        writer.write(_head(200, {"Content-Type": "application/json", "Content-Length": "400"}) + body[: answer.sent])
        await writer.drain()
    if isinstance(answer, Resets):
        raw: socket.socket = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
        writer.transport.abort()


def unused_port() -> int:
    """A port on loopback that refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
