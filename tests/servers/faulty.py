"""A server between a client and another one on loopback, which answers some requests badly."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, cast

Fault = Literal["slow", "failing", "throttled", "truncated", "vanished", "forbidden", "replaced", "fine"]

HOP = frozenset({"connection", "transfer-encoding", "content-length", "date", "server"})
STATUS = {"failing": 500, "throttled": 503, "vanished": 404, "forbidden": 403}


class FaultyServer(ThreadingHTTPServer):
    """Passes requests on to a port of this machine."""

    daemon_threads = True

    def __init__(self, behind: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = behind
        self.faults: deque[Fault] = deque()
        """What happens to the next requests for objects; afterwards, all is well."""
        self.always: Fault = "fine"
        self.asked: list[str] = []
        """The ranges that were asked for."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def next_fault(self) -> Fault:
        return self.faults.popleft() if self.faults else self.always


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self) -> None:
        server = cast(FaultyServer, self.server)
        is_object = self.command == "GET" and "list-type" not in self.path
        fault: Fault = server.next_fault() if is_object else "forbidden" if server.always == "forbidden" else "fine"
        if is_object:
            server.asked.append(self.headers.get("Range", ""))
        if fault in STATUS:
            self._answer(STATUS[fault], [], b"")
            return
        if fault == "slow":
            time.sleep(0.3)
        length = int(self.headers.get("Content-Length") or 0)
        connection = HTTPConnection("127.0.0.1", server.behind, timeout=60)
        connection.request(self.command, self.path, self.rfile.read(length), dict(self.headers))
        answer = connection.getresponse()
        data = answer.read()
        headers = [(key, value) for key, value in answer.getheaders() if key.lower() not in HOP]
        if fault == "replaced":
            headers = [(key, '"another"' if key.lower() == "etag" else value) for key, value in headers]
        if self.command == "HEAD":
            size = answer.getheader("Content-Length") or "0"
            self._answer(answer.status, headers, b"", size)
        elif fault == "truncated":
            self._answer(answer.status, headers, data[: len(data) // 2], str(len(data)))
            self.close_connection = True
        else:
            self._answer(answer.status, headers, data)
        connection.close()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request  # noqa: N815 - as the library names them

    def _answer(self, status: int, headers: list[tuple[str, str]], data: bytes, length: str | None = None) -> None:
        self.send_response(status)
        for key, value in headers:
            self.send_header(key, value)
        self.send_header("Content-Length", length or str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library names it
        """Say nothing."""


@contextmanager
def faulty_server(behind: int) -> Iterator[FaultyServer]:
    """The server, while it is needed."""
    server = FaultyServer(behind)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
