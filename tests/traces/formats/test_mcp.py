"""Sessions of the Model Context Protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import ImportReport, ReadOptions, read_traces
from toolgauge.traces.formats import mcp

from .disturbance import convert as convert_records
from .disturbance import reads_any_record
from .spoiling import without_identity


def convert(*records: JsonValue) -> tuple[list[Trajectory], list[str]]:
    """What becomes of records, and what is said to be lost."""
    found, report = convert_records(records)
    return found, list(report.lost)


def request(number: JsonValue, tool: str, **arguments: JsonValue) -> dict[str, JsonValue]:
    params: dict[str, JsonValue] = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def response(number: JsonValue, words: str, **more: JsonValue) -> dict[str, JsonValue]:
    result: dict[str, JsonValue] = {"content": [{"type": "text", "text": words}], **more}
    return {"jsonrpc": "2.0", "id": number, "result": result}


def wrapped(message: JsonValue, second: float, **more: JsonValue) -> dict[str, JsonValue]:
    stamp = f"2026-01-31T08:00:{second:06.3f}Z"
    return {"timestamp": stamp, "direction": "client->server", "message": message, **more}


HELLO: dict[str, JsonValue] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "desk", "version": "1"}},
}
WELCOME: dict[str, JsonValue] = {"jsonrpc": "2.0", "id": 0, "result": {"serverInfo": {"name": "weather"}}}

SAMPLES: list[JsonValue] = [
    HELLO,
    WELCOME,
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    request(1, "get_weather", city="Hanoi"),
    response(1, '{"celsius": 31}', structuredContent={"celsius": 31}, isError=False),
    wrapped(request(2, "get_weather", city="Huế"), 1, sessionId="s1"),
    {"type": "response", "sessionId": "s1", "payload": json.dumps(response(2, "30"))},
    {"request": request(3, "say", words="hi"), "response": response(3, "hi")},
    [request(4, "say", words="a"), request(5, "say", words="b")],
    {"id": 6, "method": "tools/call", "params": {"name": "say", "arguments": {}}},
    {"id": 6, "result": {"content": []}},
]


def test_calls_and_results_of_a_session_without_envelopes() -> None:
    listed: JsonValue = {"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}
    found, lost = convert(
        HELLO,
        WELCOME,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        listed,
        request(3, "get_weather", city="Hanoi"),
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 3, "progress": 1}},
        response(3, '{"celsius": 31}', structuredContent={"celsius": 31}, isError=False),
        request("x", "get_weather", city="Atlantis"),
        response("x", "no such city", isError=True),
        request(5, "nothing"),
        {"jsonrpc": "2.0", "id": 5, "error": {"code": -32602, "message": "Unknown tool: nothing"}},
    )
    assert lost == []
    assert found == [
        Trajectory(
            agent="desk",
            calls=(
                Call("get_weather", {"city": "Hanoi"}, "3", 1, result={"celsius": 31}),
                Call("get_weather", {"city": "Atlantis"}, "x", 2, error="no such city"),
                Call("nothing", {}, "5", 3, error="Unknown tool: nothing"),
            ),
        )
    ]


def test_interleaved_sessions_are_told_apart_and_timed() -> None:
    found, lost = convert(
        wrapped(request(1, "a"), 1, sessionId="s1", metadata={"case_id": "T1", "team": "x"}),
        wrapped(request(1, "b"), 2, sessionId="s2"),
        wrapped(response(1, "of b"), 2.5, sessionId="s2"),
        wrapped(response(1, "of a"), 4, sessionId="s1"),
    )
    assert lost == []
    assert found == [
        Trajectory(
            "s2",
            calls=(Call("b", {}, "1", 1, result="of b", started_ms=0.0, duration_ms=500.0),),
            latency_ms=500.0,
        ),
        Trajectory(
            "T1",
            calls=(Call("a", {}, "1", 1, result="of a", started_ms=0.0, duration_ms=3000.0),),
            latency_ms=3000.0,
            meta={"case_id": "T1", "team": "x"},
        ),
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1_794_781_485, 1_794_781_487.5),
        (1_794_781_485_000, 1_794_781_487_500),
        ("2026-01-31T08:00:00Z", "2026-01-31T08:00:02.500Z"),
    ],
)
def test_moments_are_seconds_milliseconds_or_dates(first: JsonValue, second: JsonValue) -> None:
    (found,), _ = convert({"ts": first, "message": request(1, "a")}, {"ts": second, "message": response(1, "r")})
    assert (found.calls[0].duration_ms, found.latency_ms) == (2500.0, 2500.0)


def test_responses_may_come_in_any_order_even_before_their_requests() -> None:
    (found,), lost = convert(
        request(1, "a"),
        request(2, "b"),
        response(2, "second"),
        response(1, "first"),
        response(3, "third"),
        request(3, "c"),
    )
    assert lost == []
    assert found.calls == (
        Call("a", {}, "1", 1, result="first"),
        Call("b", {}, "2", 1, result="second"),
        Call("c", {}, "3", 2, result="third"),
    )


def test_another_greeting_after_calls_begins_another_session() -> None:
    found, _ = convert(HELLO, request(1, "a"), response(1, "r"), HELLO, request(1, "b"), response(1, "s"))
    assert [[call.tool for call in trajectory.calls] for trajectory in found] == [["a"], ["b"]]
    named = [wrapped(message, 1, sessionId="s") for message in (HELLO, request(1, "a"), response(1, "r"), HELLO)]
    assert len(convert(*named)[0]) == 1


def test_servers_count_their_requests_by_themselves() -> None:
    two: list[JsonValue] = [
        {"server": "x", "message": request(1, "a")},
        {"server": "y", "message": request(1, "b")},
        {"server": "y", "message": response(1, "of b")},
        {"server": "x", "message": response(1, "of a")},
    ]
    (found,), _ = convert(*two)
    assert [(call.tool, call.id, call.result) for call in found.calls] == [("a", "x:1", "of a"), ("b", "y:1", "of b")]
    sampled: JsonValue = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "hm"}}
    (found,), _ = convert(
        request(1, "a"),
        {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "result": sampled},
        response(1, "done"),
    )
    assert found.calls == (Call("a", {}, "1", 1, result="done"),)


def test_a_call_that_asks_back_and_a_task_are_one_call_each() -> None:
    again = request(2, "book", seat=1)
    again["params"] = {"name": "book", "arguments": {"seat": 1}, "requestState": "abc", "inputResponses": {}}
    (found,), lost = convert(
        request(1, "book", seat=1),
        {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "input_required", "requestState": "abc"}},
        again,
        response(2, "booked"),
        request(3, "slow"),
        {"jsonrpc": "2.0", "id": 3, "result": {"task": {"taskId": "t1", "status": "working"}}},
        {"jsonrpc": "2.0", "id": 4, "method": "tasks/result", "params": {"taskId": "t1"}},
        response(4, "at last"),
    )
    assert lost == []
    assert found.calls == (
        Call("book", {"seat": 1}, "1", 1, result="booked"),
        Call("slow", {}, "3", 2, result="at last"),
    )
    assert found.events == ({"kind": "input_required", "id": "1"},)


def test_a_cancelled_call_failed() -> None:
    cancelled: JsonValue = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1, "reason": "too slow"},
    }
    (found,), _ = convert(request(1, "a"), cancelled, response(1, "late"))
    assert found.calls == (Call("a", {}, "1", 1, error="cancelled: too slow"),)


def test_histories_of_inspectors_need_no_ids() -> None:
    asked: JsonValue = {"method": "tools/call", "params": {"name": "a", "arguments": {"n": 1}}}
    listed: JsonValue = {"method": "tools/list", "params": {}}
    (found,), lost = convert(
        {"request": json.dumps(listed), "response": json.dumps({"tools": []})},
        {"request": json.dumps(asked), "response": json.dumps({"content": [{"type": "text", "text": "one"}]})},
        {"request": asked, "response": {"error": {"code": 1, "message": "broken"}}},
    )
    assert lost == []
    assert found.calls == (Call("a", {"n": 1}, None, 1, result="one"), Call("a", {"n": 1}, None, 2, error="broken"))


def test_what_is_missing_or_twice_is_told() -> None:
    (found,), lost = convert(
        request(1, "a"),
        request(1, "a"),
        response(1, "r"),
        response(1, "r"),
        response(9, "of nothing"),
        request(2, "b"),
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "c", "arguments": "{not JSON"}},
        response(3, "x" * 1_000_000),
    )
    assert [(call.tool, call.args) for call in found.calls] == [("a", {}), ("b", {}), ("c", {})]
    assert [call.result for call in found.calls] == ["r", None, "x" * 1_000_000]
    assert lost == [
        "a call was recorded twice with the same id; the second one is left out",
        "a response was recorded twice; the second one is left out",
        "the arguments of a call are not a JSON object; the call is kept without them",
        "a tool result belongs to no call and names no tool; it is left out",
        "a call has no recorded result",
    ]


def test_results_that_are_not_text_are_kept_as_they_are() -> None:
    image: JsonValue = [{"type": "image", "data": "AA==", "mimeType": "image/png"}, {"type": "text", "text": "a dot"}]
    (found,), _ = convert(request(1, "draw"), {"jsonrpc": "2.0", "id": 1, "result": {"content": image}})
    assert found.calls[0].result == image


def test_no_more_sessions_are_kept_open_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "MAX_SESSIONS", 2)
    records: list[JsonValue] = [{"sessionId": f"s{n}", "message": request(1, "a")} for n in range(4)]
    found, lost = convert(*records)
    assert [trajectory.case for trajectory in found] == ["s0", "s1", "s2", "s3"]
    assert "too many sessions are open at once; the one idle longest is treated as ended" in lost


def test_a_session_without_calls_is_one_in_which_nothing_was_called() -> None:
    assert convert(HELLO, WELCOME)[0] == [Trajectory(agent="desk")]
    found, lost = convert({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
    assert (found, lost) == ([], ["a session without requests is left out"])


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(100), deadline=None)
def test_nothing_that_is_wrong_in_a_record_stops_the_reader(random: Random) -> None:
    assert reads_any_record(SAMPLES, "mcp", random)


RECORDER = """
import json, subprocess, sys, threading, time

log = open(sys.argv[1], "a", buffering=1)
server = subprocess.Popen([sys.executable, *sys.argv[2:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def pass_on(source, target, direction):
    for line in source:
        record = {"timestamp": time.time(), "direction": direction, "message": json.loads(line)}
        log.write(json.dumps(record) + "\\n")
        target.write(line)
        target.flush()
    target.close()


threading.Thread(target=pass_on, args=(sys.stdin.buffer, server.stdin, "in"), daemon=True).start()
pass_on(server.stdout, sys.stdout.buffer, "out")
"""

WEATHER = """
import logging
try:
    from mcp.server.mcpserver import MCPServer
except ImportError:
    from mcp.server.fastmcp import FastMCP as MCPServer

server = MCPServer("weather")


@server.tool()
def get_weather(city: str) -> dict[str, int]:
    \"\"\"The weather of a city.\"\"\"
    return {"celsius": {"Hanoi": 31}[city]}


logging.disable()
server.run()
"""

CLIENT = """
import sys

import anyio
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.session import ClientSession


async def main():
    server = StdioServerParameters(command=sys.executable, args=sys.argv[1:])
    async with stdio_client(server) as (source, target), ClientSession(source, target) as session:
        await session.initialize()
        await session.list_tools()
        await session.call_tool("get_weather", {"city": "Hanoi"})
        await session.call_tool("get_weather", {"city": "Atlantis"})


anyio.run(main)
"""


@pytest.mark.deep
def test_a_real_session_is_read_as_one_written_by_hand(tmp_path: Path) -> None:
    for name, code in (("recorder.py", RECORDER), ("weather.py", WEATHER), ("client.py", CLIENT)):
        (tmp_path / name).write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "client.py", "recorder.py", "session.jsonl", "weather.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    report = ImportReport()
    (found,) = map(without_identity, read_traces(tmp_path / "session.jsonl", ReadOptions(report=report)))
    assert report.lost == {}
    assert report.formats == {"MCP sessions": [1, 2]}
    first, second = found.calls
    assert found.latency_ms is not None
    for call in found.calls:
        assert call.duration_ms is not None
        assert call.started_ms is not None
        assert 0 <= call.started_ms <= found.latency_ms
    expected = Trajectory(
        agent="mcp",
        calls=(
            Call(
                "get_weather",
                {"city": "Hanoi"},
                first.id,
                1,
                result={"celsius": 31},
                started_ms=first.started_ms,
                duration_ms=first.duration_ms,
            ),
            Call(
                "get_weather",
                {"city": "Atlantis"},
                second.id,
                2,
                error="Error executing tool get_weather",
                started_ms=second.started_ms,
                duration_ms=second.duration_ms,
            ),
        ),
        latency_ms=found.latency_ms,
    )
    assert found == expected
    assert first.id != second.id
