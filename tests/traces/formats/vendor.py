"""A provider on this machine that answers as it is told, so that the real client libraries have somebody to talk to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from toolgauge.core import JsonValue

__all__ = ["Vendor", "vendor"]


class Vendor:
    """What the provider will answer, and what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: list[JsonValue] = []
        """An object is answered as it is, a list as a stream of events."""
        self.requests: list[JsonValue] = []


@contextmanager
def vendor(*answers: JsonValue) -> Iterator[Vendor]:
    """Run the provider for the time of a block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            known.requests.append(json.loads(self.rfile.read(length)))
            answer = known.answers.pop(0)
            streamed = isinstance(answer, list)
            body = _events(answer) if isinstance(answer, list) else json.dumps(answer)
            data = body.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
            """Keep quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    known = Vendor(f"http://127.0.0.1:{server.server_port}")
    known.answers.extend(answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield known
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _events(chunks: list[JsonValue]) -> str:
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
