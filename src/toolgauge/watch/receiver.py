"""The OTLP receiver: who may send, how much, and what is answered.

- `/v1/traces` and `/v1/logs`, POST, protobuf or JSON, plain or gzip; 200 only after the commit.
- On this machine whoever knows the name may send; elsewhere the token is needed, as `Authorization: Bearer TOKEN`.
- A body has a largest size, packed and unpacked, and a time to arrive in; all bodies together have a largest size.
- Where nothing more can be kept, 503 with `Retry-After`, as OTLP wants it: senders keep it, and send it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from typing import ClassVar

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from toolgauge.web import refuse, refuse_stranger

from .committing import Committer, NoRoomError
from .otlp import Encoding, RefusedBodyError, Signal, encode_reply
from .settings import ReceiverLimits

__all__ = ["Receiver"]

SIGNALS: dict[str, Signal] = {"/v1/traces": "traces", "/v1/logs": "logs"}
ENCODINGS: dict[str, Encoding] = {"application/x-protobuf": "protobuf", "application/json": "json"}
CONTENT_TYPES = {encoding: name for name, encoding in ENCODINGS.items()}
RETRY_SECONDS = 5


class Receiver:
    """The application that a server runs."""

    METHODS: ClassVar[tuple[str, ...]] = ("POST",)

    def __init__(
        self,
        committer: Committer,
        *,
        hosts: frozenset[str],
        token: str | None,
        waiting: Callable[[], int],
        pages: Mapping[str, Callable[[], Awaitable[str]]],
        limits: ReceiverLimits,
    ) -> None:
        """Take its place.

        Args:
            committer: Keeps what is sent.
            hosts: The values of Host that are answered.
            token: What has to be sent along; None: nothing.
            waiting: How many spans wait to be looked at.
            pages: What else can be read here, by path: `/metrics`.
            limits: How much may be sent.
        """
        self._committer = committer
        self._hosts = hosts
        self._token = token
        self._waiting = waiting
        self._pages = pages
        self._limits = limits
        self._in_flight = 0
        self.counts: dict[str, int] = {}
        """Answers by what was asked and by status."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        response = self._refusal(scope, headers)
        if response is None:
            page = self._pages.get(scope["path"])
            if page is not None:
                response = PlainTextResponse(await page(), media_type="text/plain; version=0.0.4; charset=utf-8")
            else:
                response = await self._take(SIGNALS[scope["path"]], headers, receive)
        if response.status_code >= 400:
            # What is left of the body is not read: the connection is of no more use.
            response.headers["connection"] = "close"
        self._count(scope["path"], response.status_code)
        await response(scope, receive, send)

    def _count(self, path: str, status: int) -> None:
        signal = SIGNALS.get(path, "other")
        key = f"{signal} {status}"
        self.counts[key] = self.counts.get(key, 0) + 1

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path, method = scope["path"], scope["method"]
        stranger = refuse_stranger(headers, method, self._hosts)
        if stranger is not None:
            return stranger
        if self._token is not None and not self._knows_token(headers):
            return refuse(401, "send the token as Authorization: Bearer TOKEN")
        if path in self._pages:
            return None if method == "GET" else refuse(405, "only GET is answered here")
        if path not in SIGNALS:
            return refuse(404, "there is nothing here; traces go to /v1/traces and logs to /v1/logs")
        return None if method == "POST" else refuse(405, "only POST is answered here")

    def _knows_token(self, headers: Headers) -> bool:
        given = headers.get("authorization", "").removeprefix("Bearer ").strip()
        return self._token is not None and compare_digest(given.encode(), self._token.encode())

    async def _take(self, signal: Signal, headers: Headers, receive: Receive) -> Response:
        encoding = ENCODINGS.get(headers.get("content-type", "").partition(";")[0].strip().lower())
        if encoding is None:
            return refuse(415, "send application/x-protobuf or application/json")
        packing = headers.get("content-encoding", "identity").strip().lower()
        if packing not in ("identity", "gzip", ""):
            return refuse(415, "send it plain or packed with gzip")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > self._limits.body:
            return refuse(413, f"a body may have {self._limits.body} bytes")
        if self._waiting() > self._limits.waiting_spans:
            return _later("more is received than can be looked at")
        try:
            return await self._receive(signal, encoding, receive, packed=packing == "gzip")
        except RefusedBodyError as error:
            return refuse(error.status, str(error))
        except NoRoomError as error:
            return _later(f"nothing can be kept at the moment: {error}")

    async def _receive(self, signal: Signal, encoding: Encoding, receive: Receive, *, packed: bool) -> Response:
        taken = _Taken()
        try:
            async with asyncio.timeout(self._limits.seconds):
                await self._read(receive, taken)
        except TimeoutError as error:
            self._in_flight -= taken.size
            raise RefusedBodyError(408, "the body took too long") from error
        except RefusedBodyError:
            self._in_flight -= taken.size
            raise
        try:
            received = await self._committer.commit(signal, encoding, b"".join(taken.pieces), packed=packed)
        finally:
            self._in_flight -= taken.size
        return Response(encode_reply(signal, encoding, received.refused), media_type=CONTENT_TYPES[encoding])

    async def _read(self, receive: Receive, taken: _Taken) -> None:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RefusedBodyError(400, "the sender has gone")
            piece = message.get("body", b"")
            taken.size += len(piece)
            self._in_flight += len(piece)
            if taken.size > self._limits.body:
                raise RefusedBodyError(413, f"a body may have {self._limits.body} bytes")
            if self._in_flight > self._limits.in_flight:
                raise RefusedBodyError(503, "too much is sent at once")
            taken.pieces.append(piece)
            if not message.get("more_body", False):
                return


class _Taken:
    """What has arrived of a body."""

    __slots__ = ("pieces", "size")

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0


def _later(why: str) -> Response:
    return JSONResponse({"error": why}, status_code=503, headers={"retry-after": str(RETRY_SECONDS)})
