"""A bare server on loopback that answers chat completions after a while: with a call, and once it has the result, with
words. It runs in a process of its own, so that what it takes is not counted.

`python bench/transport_server.py SECONDS` prints its port and serves until its standard input is closed.
"""

from __future__ import annotations

import asyncio
import json
import sys

ARGUMENTS = json.dumps({"city": "Hanoi"})
CALL = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": ARGUMENTS}}


def answer(message: dict[str, object], ended: str) -> bytes:
    """A whole response with this message."""
    reply = {
        "id": "1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": ended}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    body = json.dumps(reply).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


CALLED = answer({"content": None, "tool_calls": [CALL]}, "tool_calls")
SAID = answer({"content": "It is 31."}, "stop")


class Answers(asyncio.Protocol):
    """One connection; requests come one at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found:
            return
        length = next(
            (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
        )
        if len(body) >= length:
            self._got = body[length:]
            reply = SAID if b'"tool_call_id"' in body else CALLED
            asyncio.get_running_loop().call_later(self._seconds, self._answer, reply)

    def _answer(self, reply: bytes) -> None:
        if isinstance(self._transport, asyncio.WriteTransport) and not self._transport.is_closing():
            self._transport.write(reply)


async def serve(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Answers(seconds), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
