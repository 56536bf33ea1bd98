"""What a request through HTTP costs in processor time, by how connections are kept: in one pool, or in small ones.

`python -m bench.transport` measures all ways in turn, each in a process of its own, at 200 requests at a time.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from .measuring import ROOT, Part, run

__all__ = ["measure", "serving"]

COUNT, CONCURRENCY, SECONDS, ROUNDS = 2_000, 200, 0.05, 3

WAYS = {
    "bare sockets, JSON read": "bare",
    "httpx2, one pool": "client 1000",
    "httpx2, pools of 32": "client 32",
    "httpx2, pools of 8": "client 8",
    "httpx2, pools of 2": "client 2",
    "httpx2 over asyncio streams": "streams",
    "toolgauge, one pool": "model 1000",
    "toolgauge, pools of 8": "model 8",
    "toolgauge over asyncio streams": "model streams",
}


@contextmanager
def serving(seconds: float) -> Iterator[int]:
    """The bare server in a process of its own; gives its port."""
    command = [sys.executable, str(ROOT / "bench" / "transport_server.py"), str(seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.stdin.close()


def measure() -> Part:
    """Measure each way in turn, several times."""
    taken: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, way in WAYS.items():
            ran = run([sys.executable, "-m", "bench.transport", *way.split()])
            figure = float(ran.output.split()[-1])
            taken[name] = min(figure, taken.get(name, figure))
    bare = taken["bare sockets, JSON read"]
    rows = [(name, f"{1000 * figure:.2f} ms", f"{figure / bare:.1f} ×") for name, figure in taken.items()]
    about = (
        f"{COUNT:,} chat completions, {CONCURRENCY} at a time, at a bare server in another process that takes "
        f"{1000 * SECONDS:.0f} ms; each way in a process of its own, the best of {ROUNDS} rounds in turn."
    )
    return Part("Requests through HTTP", about, ("way", "processor a request", "of bare sockets"), rows)


def streams_transport() -> Any:
    """Another transport for httpx2: streams of asyncio, the last connection that was used first, no pool to look at."""
    import httpx2

    class Streams(httpx2.AsyncBaseTransport):  # type: ignore[misc]  # types of that library are not looked at
        def __init__(self) -> None:
            self._idle: deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = deque()

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            url = request.url
            held = self._idle.pop() if self._idle else await asyncio.open_connection(url.host, url.port)
            reader, writer = held
            body = await request.aread()
            lines = [f"{request.method} {url.raw_path.decode()} HTTP/1.1".encode()]
            lines += [name + b": " + value for name, value in request.headers.raw]
            writer.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            head = await reader.readuntil(b"\r\n\r\n")
            status, *rest = head[:-4].split(b"\r\n")
            headers = [tuple(line.split(b": ", 1)) for line in rest]
            length = next(int(value) for name, value in headers if name.lower() == b"content-length")
            content = await reader.readexactly(length)
            self._idle.append(held)
            return httpx2.Response(int(status.split()[1]), headers=headers, stream=httpx2.ByteStream(content))

        async def aclose(self) -> None:
            for _, writer in self._idle:
                writer.close()

    return Streams()


async def taken_by(ask: Callable[[], Awaitable[object]]) -> float:
    """Seconds of processor time a request, when all connections are open."""

    async def work(left: Iterator[int]) -> None:
        for _ in left:
            await ask()

    await asyncio.gather(*(work(iter(range(1))) for _ in range(CONCURRENCY)))
    left = iter(range(COUNT))
    began = time.process_time()
    await asyncio.gather(*(work(left) for _ in range(CONCURRENCY)))
    return (time.process_time() - began) / COUNT


@asynccontextmanager
async def bare(port: int) -> AsyncIterator[Callable[[], Awaitable[object]]]:
    """The request as bytes, the reply as JSON."""
    body = json.dumps(BODY).encode()
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask() -> object:
        held = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        reader, writer = held
        writer.write(head + body)
        said = await reader.readuntil(b"\r\n\r\n")
        length = int(said.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        reply: object = json.loads(await reader.readexactly(length))
        idle.append(held)
        return reply

    yield ask
    for _, writer in idle:
        writer.close()


BODY = {
    "model": "m",
    "messages": [{"role": "system", "content": "You answer."}, {"role": "user", "content": "How warm is Hanoi?"}],
}


async def perform(kind: str, more: str, port: int) -> float:
    from toolgauge.core import Message, ModelRequest
    from toolgauge.models import client, direct, open_model

    url = f"http://127.0.0.1:{port}/v1"
    if kind == "bare":
        async with bare(port) as ask:
            return await taken_by(ask)
    if kind in ("client", "streams"):
        import httpx2

        size = int(more or 0)
        asker: Any = (
            client.Client(seconds=60, pool_size=size) if size else httpx2.AsyncClient(transport=streams_transport())
        )

        async def post() -> object:
            return (await asker.post(f"{url}/chat/completions", json=BODY)).json()

        figure = await taken_by(post)
        await asker.aclose()
        return figure

    class Chosen(client.Client):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options, pool_size=1000 if more == "streams" else int(more))
            if more == "streams":
                import httpx2

                self._pools, self._active = [httpx2.AsyncClient(transport=streams_transport())], [0]

    setattr(direct, "Client", Chosen)  # noqa: B010 - to see what another one would do
    model: Any = open_model("openai:m", base_url=url, api_key="none")
    request = ModelRequest((Message("system", "You answer."), Message("user", "How warm is Hanoi?")))
    figure = await taken_by(lambda: model.ask(request))
    await model.close()
    return figure


def main() -> None:
    kind, more = [*sys.argv, "", ""][1:3]
    if not kind:
        from .__main__ import as_text

        print(as_text(measure()))
        return
    with serving(SECONDS) as port:
        print(asyncio.run(perform(kind, more, port)))


if __name__ == "__main__":
    main()
