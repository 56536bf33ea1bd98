"""A watch in a process of its own, and spans to send to it."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from toolgauge.core import Trajectory
from toolgauge.watch import WatchState

__all__ = ["Running", "batch", "post", "started", "trace"]

READY = re.compile(r"http://127\.0\.0\.1:(\d+)")
BEGIN = 1_790_000_000_000_000_000
PROTOBUF = "application/x-protobuf"


class Running:
    """A watch that is running."""

    def __init__(self, process: subprocess.Popen[str], port: int, folder: Path) -> None:
        self.process = process
        self.port = port
        self.folder = folder

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def state(self) -> WatchState:
        return WatchState(str(self.folder / "watch.db"), create=False)

    def conversations(self, count: int, seconds: float = 30.0) -> list[Trajectory]:
        """The conversations that are settled, once there are so many."""
        deadline = time.monotonic() + seconds
        while True:
            state = self.state()
            traces = [row[0] for row in state.execute("SELECT DISTINCT trace FROM conversations ORDER BY id")]
            found = [each for name in traces for each in state.conversation(name)]
            state.close()
            if len(found) >= count or time.monotonic() > deadline:
                return found
            time.sleep(0.1)

    def metrics(self) -> str:
        status, body = get(self.port, "/metrics")
        assert status == 200
        return body.decode()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)


@contextmanager
def started(folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> Iterator[Running]:
    """A watch with its state in a folder, which ends with the block."""
    command = [sys.executable, "-m", "toolgauge", "watch", "--otlp", "--port", "0", "--window", "0.5s", *options]
    process = subprocess.Popen(
        [*command, "--state", str(folder / "watch.db")],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
    )
    try:
        yield Running(process, _port(process), folder)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if found := READY.search(line):
            return int(found[1])
    raise AssertionError(f"the watch did not begin: {said}")


def trace(
    number: int, calls: int = 1, *, error: str = "", session: str = "", began: int = BEGIN
) -> list[dict[str, object]]:
    """The spans of a conversation, as arguments of `batch`: an agent that calls a tool some times."""
    name = number.to_bytes(16, "big")
    begin = began + number % 1_000_000 * 1_000_000_000
    agent: dict[str, str | int] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk"}
    if session:
        agent["gen_ai.conversation.id"] = session
    spans: list[dict[str, object]] = [
        {
            "trace_id": name,
            "span_id": (1).to_bytes(8, "big"),
            "start": begin,
            "end": begin + 500_000_000,
            "attributes": agent,
        }
    ]
    for call in range(calls):
        attributes: dict[str, str | int] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "get_weather",
            "gen_ai.tool.call.id": f"c{call}",
            "gen_ai.tool.call.arguments": f'{{"city": "Hanoi", "day": {call}}}',
        }
        if error:
            attributes["error.type"] = error
        else:
            attributes["gen_ai.tool.call.result"] = '{"celsius": 31}'
        spans.append(
            {
                "trace_id": name,
                "span_id": (call + 2).to_bytes(8, "big"),
                "parent_span_id": (1).to_bytes(8, "big"),
                "start": begin + 1_000_000 * (call + 1),
                "end": begin + 1_000_000 * (call + 2),
                "attributes": attributes,
            }
        )
    return spans


def batch(spans: Sequence[Mapping[str, object]], resource: Mapping[str, str] | None = None) -> bytes:
    """A request with these spans, as protobuf."""
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    for key, value in (resource or {}).items():
        pair = group.resource.attributes.add()
        pair.key, pair.value.string_value = key, value
    scope = group.scope_spans.add()
    for given in spans:
        span = scope.spans.add()
        span.trace_id, span.span_id = given["trace_id"], given["span_id"]
        span.parent_span_id = given.get("parent_span_id", b"")
        span.start_time_unix_nano, span.end_time_unix_nano = given["start"], given["end"]
        attributes = given["attributes"]
        assert isinstance(attributes, Mapping)
        for key, value in attributes.items():
            pair = span.attributes.add()
            pair.key, pair.value.string_value = str(key), str(value)
    written: bytes = request.SerializeToString()
    return written


def post(port: int, body: bytes, path: str = "/v1/traces", **headers: str) -> tuple[int, bytes]:
    """What is answered to a body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        connection.request("POST", path, body, {"Content-Type": PROTOBUF, **named})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
