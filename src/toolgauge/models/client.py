"""The HTTP client that providers are asked with: it remembers what they sent and mends what no JSON reader takes."""

from __future__ import annotations

import json
import re
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import httpx2

from toolgauge.files import BadJson, check_count, decode_json

from .connection import describe_redirect
from .prices import with_unknown_usage

__all__ = ["Client", "Received", "received", "take", "timeout_of"]

CONNECT_SECONDS = 10.0
POOL_SIZE = 8
"""How many requests one pool of connections has at a time. A pool looks at every connection it holds whenever a request
begins and ends, so that a large one costs more than the request itself; see docs/decisions/0017-small-pools.md."""
MAX_POOLS = 125
MAX_BYTES = 32 * 2**20
"""More than this no model says, but a server that has lost its way may."""
MAX_REMEMBERED = 4000
LONE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Received:
    """The last reply that a request got, as it came."""

    status: int | None = None
    text: str = ""
    redirect: str = ""
    """The status and where it points to, if it says that the model is somewhere else."""
    usage_unknown: bool = False
    """Whether it does not say what it took, or nothing that can be true."""


received: ContextVar[Received | None] = ContextVar("received", default=None)
"""Where the client leaves what it got, for whoever has to explain what was wrong with it."""


def take(status: int, body: bytes, location: str | None, asked: str) -> bytes:
    """Remember a reply, and make of its body what adapters can read."""
    mended = mend(_measured(body))
    unmeasured = with_unknown_usage(mended) if 200 <= status < 300 else None
    note = received.get()
    if note is not None:
        note.status = status
        note.text = body[:MAX_REMEMBERED].decode("utf-8", "backslashreplace")
        note.redirect = describe_redirect(status, location, asked)
        note.usage_unknown = note.usage_unknown or unmeasured is not None
    return mended if unmeasured is None else unmeasured


LOCATION = "location"


async def _put_redirect_aside(response: httpx2.Response) -> None:
    """Keep where a reply points to from the library, which raises where that is no address although it is not asked."""
    if LOCATION in response.headers:
        response.extensions[LOCATION] = response.headers.pop(LOCATION)


class Client(httpx2.AsyncClient):  # type: ignore[misc]  # types of that library are not looked at
    """A client without retries, whose replies are read whole, and whose connections are in many small pools."""

    def __init__(self, *, seconds: float, headers: dict[str, str] | None = None, pool_size: int = POOL_SIZE) -> None:
        self._options = {
            "timeout": timeout_of(seconds),
            "limits": httpx2.Limits(max_connections=pool_size, max_keepalive_connections=pool_size),
            "verify": httpx2.create_ssl_context(),
            "event_hooks": {"response": [_put_redirect_aside]},
        }
        self._pool_size = pool_size
        self._pools: list[httpx2.AsyncClient] = []
        self._active: list[int] = []
        super().__init__(headers=headers, **self._options)

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send a request; a reply that is not a stream of events is remembered, and mended where it has to be.

        A redirect is never followed: whoever it names would get the key.
        """
        options["follow_redirects"] = False
        number = self._free_pool()
        self._active[number] += 1
        try:
            response = await self._pools[number].send(request, stream=True, **options)
            if stream:
                return response
            try:
                body = await _read(response)
            finally:
                await response.aclose()
        finally:
            self._active[number] -= 1
        content = take(response.status_code, body, response.extensions.get(LOCATION), str(request.url))
        headers = [pair for pair in response.headers.multi_items() if pair[0].lower() not in _OF_THE_BODY]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=request)

    def _free_pool(self) -> int:
        """The first pool with room, so that connections which are open are used before others are opened."""
        for number, active in enumerate(self._active):
            if active < self._pool_size:
                return number
        if len(self._pools) < MAX_POOLS:
            self._pools.append(httpx2.AsyncClient(**self._options))
            self._active.append(0)
            return len(self._pools) - 1
        return min(range(len(self._active)), key=self._active.__getitem__)

    async def aclose(self) -> None:
        """Let go of all connections."""
        pools, self._pools, self._active = self._pools, [], []
        for pool in pools:
            await pool.aclose()
        await super().aclose()


def timeout_of(seconds: float) -> httpx2.Timeout:
    """How long a server may be silent, and how long it may take to be reached."""
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


async def _read(response: httpx2.Response) -> bytes:
    """The body, or as much of it as anybody would want; what is cut is no JSON, and told as such."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_BYTES:
            break
    return b"".join(chunks)


def _measured(body: bytes) -> bytes:
    """The body, or only its beginning where it holds so many values that to decode it would take gigabytes."""
    try:
        check_count(body)
    except BadJson:
        return body[:MAX_REMEMBERED]
    return body


_OF_THE_BODY = {"content-length", "content-encoding", "transfer-encoding"}


def mend(body: bytes) -> bytes:
    r"""The body with half surrogate pairs and bytes that are no UTF-8 written as text, such as `\ud83d` and `\udcff`.

    A model that is cut in the middle of a character sends these, and the reply is worth keeping. What is no JSON even
    so stays as it is. `\udcff` stands for the byte ff, as Python does when it has to keep such bytes.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = LONE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", body.decode("utf-8", "surrogateescape"))
    else:
        if "\\ud" not in text and "\\uD" not in text:
            return body
    try:
        return json.dumps(decode_json(text.encode("utf-8"))).encode("ascii")
    except BadJson:
        return body
