"""What the process of a job does, by the kind of the job."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolgauge.agents import ToolsAgent
from toolgauge.cli import main
from toolgauge.core import Case, Toolbox
from toolgauge.models import Retries, open_model

from .jobs import Job, Kind

__all__ = ["ADDRESS", "PROGRAMS", "asks_model"]

ADDRESS = "{address}"
"""Stands in arguments for the address of the server that replies."""

RETRIES = Retries(tries=2, first_wait=0.001, longest_wait=0.01, attempt_seconds=2.0, total_seconds=5.0)

ADDRESS_VARIABLE = "FUZZ_ADDRESS"


async def asks_model(case: Case, tools: Toolbox) -> str:
    """An agent whose model is the server that replies, and is not waited for long."""
    model = open_model("openai:any", base_url=f"{os.environ[ADDRESS_VARIABLE]}/v1", retries=RETRIES)
    return await ToolsAgent(model)(case, tools)


def _run_command(job: Job) -> None:
    sys.argv = ["toolgauge", *job.arguments]
    main()


def _run_with_server(job: Job) -> None:
    with _replying(job.sent) as address:
        os.environ[ADDRESS_VARIABLE] = address
        sys.argv = ["toolgauge", *(word.replace(ADDRESS, address) for word in job.arguments)]
        main()


def _ask_viewer(job: Job) -> None:
    from tests.viewer.serving import viewing

    token = {"X-Toolgauge-Token": ""}
    with viewing(Path("runs.db"), cases_file=Path("cases.yaml")) as viewer:
        token["X-Toolgauge-Token"] = viewer.place.token
        for sent in job.sent:
            method, _, rest = sent.partition(b" ")
            target, _, body = rest.partition(b"\n")
            _check(viewer.place.port, method.decode(), target, body, token)


def _send_to_watch(job: Job) -> None:
    from toolgauge.watch import Watch, WatchOptions, WatchSettings
    from toolgauge.web import listen

    watch = Watch(WatchOptions(settings=WatchSettings(state="watch.db", window=0.0)))
    place = listen("127.0.0.1", 0)
    failures: list[Exception] = []

    def send() -> None:
        try:
            for sent in job.sent:
                target, _, rest = sent.partition(b"\n")
                headers, _, body = rest.partition(b"\n")
                named = dict(line.split(": ", 1) for line in headers.decode().split("; "))
                _check(place.port, "POST", target, body, named)
        except Exception as error:  # noqa: BLE001 - raised where it is seen
            failures.append(error)
        os.kill(os.getpid(), signal.SIGINT)

    with suppress(KeyboardInterrupt):
        watch.run(place, threading.Thread(target=send, daemon=True).start, lambda *_, **__: None)
    for failure in failures:
        raise failure


def _check(port: int, method: str, target: bytes, body: bytes, headers: dict[str, str]) -> None:
    """Send a request; an answer that admits a fault of the server's own is one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection._validate_path = lambda _: None  # type: ignore[attr-defined]  # what is sent is not made nicer
    connection._encode_request = lambda line: line.encode("latin-1")  # type: ignore[attr-defined]  # as above
    try:
        connection.putrequest(method, target.decode("latin-1"), skip_accept_encoding=True)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        connection.endheaders(body or None)
        answer = connection.getresponse()
        if "event-stream" not in answer.headers.get("Content-Type", ""):
            answer.read()
        if answer.status == 500:
            raise AssertionError(f"answered with 500: {method} {target!r}")
    except (ConnectionError, http.client.BadStatusLine):
        return  # it refuses to talk to whoever sends this
    finally:
        connection.close()


@contextmanager
def _replying(replies: tuple[bytes, ...]) -> Iterator[str]:
    """A server that replies with these bodies, the last one again and again."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        left = list(replies)

        def reply(connection: socket.socket) -> None:
            with connection:
                connection.settimeout(5)
                _read_request(connection)
                body = left.pop(0) if len(left) > 1 else left[0]
                head, found, rest = body.partition(b"\n\n")
                kind = head if found and head.startswith(b"text/") else b"application/json"
                body = rest if kind is head else body
                lines = (
                    b"HTTP/1.1 200 OK",
                    b"Content-Type: " + kind,
                    b"Content-Length: %d" % len(body),
                    b"Connection: close",
                )
                connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=_quietly, args=(reply, connection), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def _quietly(reply: Callable[[socket.socket], None], connection: socket.socket) -> None:
    try:
        reply(connection)
    except OSError:
        return  # whoever asked has gone


def _read_request(connection: socket.socket) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)


PROGRAMS: dict[Kind, Callable[[Job], None]] = {
    "command": _run_command,
    "http_agent": _run_with_server,
    "model": _run_with_server,
    "viewer": _ask_viewer,
    "otlp": _send_to_watch,
}
