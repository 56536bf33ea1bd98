"""Phoenix's and MLflow's own servers on loopback, from the environment that has them, with a folder of their own."""

from __future__ import annotations

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

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

__all__ = ["get", "mlflow", "phoenix", "put_trace"]

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
    sent = urllib.request.Request(  # noqa: S310 - loopback
        f"{server}/v1/traces",
        data=request.SerializeToString(),
        headers={"Content-Type": "application/x-protobuf", **(headers or {})},
    )
    with urllib.request.urlopen(sent, timeout=30) as reply:  # noqa: S310 - loopback
        assert reply.status == 200
