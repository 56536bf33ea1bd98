"""A server on loopback that keeps what it is sent, and answers as it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

from toolgauge.core import Call, Case, Expect, ExpectedCall, JsonValue, Scored, Trajectory
from toolgauge.models import Retries
from toolgauge.scoring import score

__all__ = ["QUICK", "TRACE", "Received", "Receiver", "Replied", "seen"]

TRACE = "0af7651916cd43dd8448eb211c80319c"
QUICK = Retries(tries=3, first_wait=0.01, longest_wait=2.0, attempt_seconds=2.0, total_seconds=10.0)


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    """By names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        """What it says."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Replied:
    """What is answered."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Whether the connection is closed before all of it was sent."""


Answering: TypeAlias = Callable[[Received], Replied]


class Receiver:
    """Use it in a `with` block; what is not in the script is answered with 200."""

    def __init__(self, script: Sequence[Replied] = (), *, answering: Answering | None = None) -> None:
        self.received: list[Received] = []
        left = list(script)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Received(self.command, self.path, headers, self.rfile.read(length))
                receiver.received.append(request)
                reply = left.pop(0) if left else answering(request) if answering else Replied()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
                self.end_headers()
                self.wfile.write(reply.body)
                self.close_connection = reply.cut

            do_GET = do_POST = do_PATCH = _answer  # noqa: N815 - the names that the library looks for

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def seen(
    case: str = "now", *, city: str = "Hanoi", trace: str | None = TRACE, agent: str = "react", span: str | None = None
) -> Scored:
    """A trajectory that should have asked for Hanoi, with its score."""
    wanted = Case(case, "How is the weather?", expect=Expect((ExpectedCall("get_weather", {"city": "Hanoi"}),)))
    meta: dict[str, JsonValue] = {"session_id": "s1", "started_at": 1_760_000_000_123.0}
    meta |= {} if trace is None else {"trace_id": trace}
    calls = (Call("get_weather", {"city": city}, result={"c": 31}, span_id=span),)
    done = Trajectory(case, agent, 1, calls=calls, output="31 °C", input=wanted.input, meta=meta)
    return Scored(done, score(wanted, done))
