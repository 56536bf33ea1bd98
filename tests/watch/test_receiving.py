"""What is sent to a watch that is running: kept before it is answered, counted once, refused within limits."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from tests.traces.formats.span_builders import otlp
from tests.traces.formats.spans.test_otel import SPANS

from .running import batch, get, post, started, trace


def test_spans_become_conversations_with_calls_results_errors_and_ids(tmp_path: Path) -> None:
    with started(tmp_path) as watch:
        assert post(watch.port, batch(trace(1, 2, session="s1"), {"service.name": "desk"})) == (200, b"")
        assert post(watch.port, batch(trace(2, error="timeout")))[0] == 200
        first, second = watch.conversations(2)
    assert [(call.tool, call.args, call.result, call.span_id) for call in first.calls] == [
        ("get_weather", {"city": "Hanoi", "day": 0}, {"celsius": 31}, "0000000000000002"),
        ("get_weather", {"city": "Hanoi", "day": 1}, {"celsius": 31}, "0000000000000003"),
    ]
    assert (first.agent, first.meta["trace_id"], first.meta["session_id"], first.meta["service.name"]) == (
        "desk",
        f"{1:032x}",
        "s1",
        "desk",
    )
    assert [call.error for call in second.calls] == ["timeout"]


def test_json_is_read_as_protobuf_is_and_both_may_be_packed(tmp_path: Path) -> None:
    with started(tmp_path) as watch:
        body = json.dumps(otlp(*SPANS)).encode()
        assert post(watch.port, body, Content_Type="application/json") == (200, b"{}")
        packed = gzip.compress(batch(trace(7)))
        assert post(watch.port, packed, Content_Encoding="gzip")[0] == 200
        found = watch.conversations(2)
    assert sorted(len(each.calls) for each in found) == [1, 2]


def test_the_same_batch_counts_once_late_and_out_of_order_spans_are_joined(tmp_path: Path) -> None:
    spans = trace(1, 5)
    with started(tmp_path) as watch:
        for span in reversed(spans):
            assert post(watch.port, batch([span]))[0] == 200
        assert post(watch.port, batch(spans))[0] == 200
        (found,) = watch.conversations(1)
        assert len(found.calls) == 5
        assert post(watch.port, batch(spans))[0] == 200, "a retry after it was settled"
        time.sleep(1.5)
        assert len(watch.conversations(1)) == 1
        time.sleep(2.5)
        metrics = watch.metrics()
    assert "toolgauge_watch_conversations_total 1\n" in metrics
    assert 'reason="a span of a tool call came long after the rest of its trace; it is left out"} 5' in metrics


def test_log_records_add_messages_to_their_spans(tmp_path: Path) -> None:
    record = {
        "traceId": f"{3:032x}",
        "spanId": f"{9:016x}",
        "eventName": "gen_ai.user.message",
        "body": {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "How warm is it?"}}]}},
    }
    model = {
        "trace_id": (3).to_bytes(16, "big"),
        "span_id": (9).to_bytes(8, "big"),
        "start": 1_790_000_000_000_000_000,
        "end": 1_790_000_001_000_000_000,
        "attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "large"},
    }
    with started(tmp_path) as watch:
        body = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}).encode()
        assert post(watch.port, body, "/v1/logs", Content_Type="application/json") == (200, b"{}")
        assert post(watch.port, batch([model]))[0] == 200
        (found,) = watch.conversations(1)
    assert found.input == "How warm is it?"


def test_spans_without_ids_are_refused_by_themselves(tmp_path: Path) -> None:
    spans = trace(1)
    spans.append({**spans[1], "span_id": b""})
    with started(tmp_path) as watch:
        status, body = post(watch.port, batch(spans))
    reply = ExportTraceServiceResponse()
    reply.ParseFromString(body)
    assert (status, reply.partial_success.rejected_spans) == (200, 1)
    assert reply.partial_success.error_message


def test_what_was_answered_with_200_is_there_after_a_kill(tmp_path: Path) -> None:
    answered: list[int] = []
    stop = threading.Event()

    def send(first: int) -> None:
        number = first
        while not stop.is_set():
            try:
                if post(watch.port, batch(trace(number)))[0] == 200:
                    answered.append(number)
            except (OSError, http.client.HTTPException):
                return
            number += 4

    with started(tmp_path, "--window", "2s") as watch:
        senders = [threading.Thread(target=send, args=(first,)) for first in range(1, 5)]
        for sender in senders:
            sender.start()
        time.sleep(3)
        watch.kill()
        stop.set()
        for sender in senders:
            sender.join()
    assert len(answered) > 20
    with started(tmp_path, "--window", "2s") as watch:
        found = watch.conversations(len(answered))
        traces = [each.meta["trace_id"] for each in found]
    assert len(traces) == len(set(traces)), "nothing counts twice"
    assert {f"{number:032x}" for number in answered} <= set(traces)


def test_when_the_disk_is_full_503_is_answered_and_it_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with started(tmp_path) as watch:
        assert post(watch.port, batch(trace(1)))[0] == 200
        pid = watch.process.pid
        soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        largest = max(file.stat().st_size for file in tmp_path.iterdir())
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, hard))
        statuses = [post(watch.port, batch(trace(number, 50)))[0] for number in range(2, 30)]
        assert 503 in statuses
        refused = [number for number, status in enumerate(statuses, 2) if status == 503]
        assert set(statuses) <= {200, 503}
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
        for number in refused:
            assert post(watch.port, batch(trace(number, 50)))[0] == 200, "sent again, as OTLP wants it"
        found = watch.conversations(29)
    traces = [str(each.meta["trace_id"]) for each in found]
    assert sorted(traces) == [f"{number:032x}" for number in range(1, 30)]


def bomb(size: int) -> bytes:
    return gzip.compress(b"\0" * size, mtime=0)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"\xff\xff\xff not protobuf", {}, 400),
        (b"{ not json", {"Content_Type": "application/json"}, 400),
        (b"[1, 2]", {"Content_Type": "application/json"}, 400),
        (b"[" * 100_000, {"Content_Type": "application/json"}, 400),
        (b"not gzip", {"Content_Encoding": "gzip"}, 400),
        (gzip.compress(b"cut off", mtime=0)[:-9], {"Content_Encoding": "gzip"}, 400),
        (bomb(200 * 1024 * 1024), {"Content_Encoding": "gzip"}, 413),
        (b"x", {"Content_Length": str(10**10)}, 413),
        (b"x", {"Content_Type": "text/html"}, 415),
        (b"x", {"Content_Encoding": "br"}, 415),
        (b"x", {"Host": "attacker.example"}, 400),
        (b"x", {"Origin": "http://attacker.example"}, 403),
        (b"x", {"Sec_Fetch_Site": "cross-site"}, 403),
    ],
)
def test_what_is_not_otlp_is_refused_and_the_rest_goes_on(
    hostile: int, body: bytes, headers: dict[str, str], status: int
) -> None:
    assert post(hostile, body, **headers)[0] == status
    assert post(hostile, batch(trace(random.getrandbits(60))))[0] == 200


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> object:
    with started(tmp_path_factory.mktemp("hostile")) as watch:
        yield watch.port


def test_other_paths_and_methods_are_refused(hostile: int) -> None:
    assert post(hostile, b"", "/v1/metrics")[0] == 404
    assert get(hostile, "/v1/traces")[0] == 405
    assert get(hostile, "/../etc/passwd")[0] == 404


def test_elsewhere_than_on_this_machine_the_token_is_needed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "toolgauge", "watch", "--otlp", "--port", "0", "--host", "0.0.0.0"]  # noqa: S104 - all addresses are what is tried
    process = subprocess.Popen(
        [*command, "--state", str(tmp_path / "watch.db")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline().rpartition(":")[2])
        token = process.stdout.readline().partition(": ")[2].strip()
        assert post(port, batch(trace(1)))[0] == 401
        assert post(port, batch(trace(1)), Authorization="Bearer wrong")[0] == 401
        assert post(port, batch(trace(1)), Authorization=f"Bearer {token}")[0] == 200
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        process.stdout.close()
