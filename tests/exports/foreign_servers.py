"""Phoenix's and MLflow's own servers on loopback, from the environment that has them, with a folder of their own."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

__all__ = ["agent_spans", "get", "mlflow", "otlp_json", "phoenix", "put_request", "put_trace"]

SERVERS = Path(sys.prefix) / "servers" / "bin"
STARTING = 240
"""So many seconds a server may take to start on a machine that has much else to do."""

QUIET = {
    "DO_NOT_TRACK": "true",
    "PHOENIX_TELEMETRY_ENABLED": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "PHOENIX_ENABLE_PROMETHEUS": "false",
    "GIT_PYTHON_REFRESH": "quiet",
}
"""They write to nobody but us."""


@contextmanager
def phoenix(folder: Path) -> Iterator[str]:
    """The address of a server of Phoenix."""
    port, grpc = _free_ports(2)
    environment = {
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(grpc),
    }
    with _running([str(SERVERS / "phoenix"), "serve"], folder, environment, f"http://127.0.0.1:{port}/healthz"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def mlflow(folder: Path) -> Iterator[str]:
    """The address of a tracking server of MLflow."""
    (port,) = _free_ports(1)
    options = {
        "--host": "127.0.0.1",
        "--port": str(port),
        "--workers": "1",
        "--backend-store-uri": f"sqlite:///{folder / 'mlflow.db'}",
        "--artifacts-destination": str(folder / "artifacts"),
    }
    command = [str(SERVERS / "mlflow"), "server", *(word for pair in options.items() for word in pair)]
    with _running(command, folder, {}, f"http://127.0.0.1:{port}/health"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _running(command: list[str], folder: Path, environment: Mapping[str, str], health: str) -> Iterator[None]:
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **QUIET, "HOME": str(folder), **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait(process, health, folder / "server.log")
            yield
        finally:
            # Its workers are of its session, and of nobody else's.
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(20)


def _wait(process: subprocess.Popen[bytes], health: str, log: Path) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text(errors="replace")[-2000:]
        try:
            get(health)
        except OSError:
            time.sleep(0.3)
        else:
            return
    raise AssertionError(log.read_text(errors="replace")[-2000:])


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


def get(url: str) -> bytes:
    """What is there."""
    with urllib.request.urlopen(url, timeout=30) as reply:  # noqa: S310 - loopback
        data: bytes = reply.read()
    return data


def put_trace(server: str, trace: str, spans: Mapping[str, str], headers: Mapping[str, str] | None = None) -> None:
    """Send a trace by OTLP, as an instrumented agent does: by the ids of its spans their names, the root first."""
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    now = time.time_ns()
    root = next(iter(spans))
    for identity, name in spans.items():
        span = scope.spans.add()
        span.trace_id, span.span_id, span.name = bytes.fromhex(trace), bytes.fromhex(identity), name
        if identity != root:
            span.parent_span_id = bytes.fromhex(root)
        span.start_time_unix_nano, span.end_time_unix_nano = now - 10**9, now
    put_request(server, request, headers)


def put_request(server: str, request: Any, headers: Mapping[str, str] | None = None) -> None:
    """Send spans by OTLP."""
    sent = urllib.request.Request(  # noqa: S310 - loopback
        f"{server}/v1/traces",
        data=request.SerializeToString(),
        headers={"Content-Type": "application/x-protobuf", **(headers or {})},
    )
    with urllib.request.urlopen(sent, timeout=30) as reply:  # noqa: S310 - loopback
        assert reply.status == 200


def agent_spans(trace: str, question: str, city: str) -> Any:
    """A conversation as an instrumented agent records it: its own span, and that of a tool which it called."""
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    said = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "react",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": question}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "31"}]}]),
    }
    called = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_weather",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": json.dumps({"city": city}),
        "gen_ai.tool.call.result": "31",
    }
    for identity, parent, attributes in (("c" * 16, "", said), ("d" * 16, "c" * 16, called)):
        span = scope.spans.add(name=attributes["gen_ai.operation.name"])
        span.trace_id, span.span_id, span.parent_span_id = map(bytes.fromhex, (trace, identity, parent))
        span.start_time_unix_nano, span.end_time_unix_nano = 1_760_000_000 * 10**9, 1_760_000_001 * 10**9
        for key, value in attributes.items():
            span.attributes.add(key=key).value.string_value = value
    return request


def otlp_json(request: Any) -> str:
    """The same as a collector writes it to a file."""
    written: dict[str, Any] = MessageToDict(request)
    for span in written["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for key in ("traceId", "spanId", "parentSpanId"):
            if key in span:
                span[key] = base64.b64decode(span[key]).hex()
    return json.dumps(written)
