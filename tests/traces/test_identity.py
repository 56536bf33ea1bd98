"""Which trace, session and span a trajectory comes from, and when: every reader keeps what its source says."""

from __future__ import annotations

import msgspec
import pytest

from tests.traces.formats.span_builders import BEGIN, TRACE, otlp
from tests.traces.formats.spans.test_otel import ROOT, SPANS, printed, snake
from tests.traces.formats.spoiling import read_whole
from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces.formats import built_in
from toolgauge.traces.native import encode_trajectory

TOOLS = ("0000000000000003", "0000000000000004")
MOMENT = "2026-01-02T03:04:05Z"
MOMENT_MS = 1767323045000.0


def whole(reader: str, *records: JsonValue) -> Trajectory:
    (found,), _ = read_whole(built_in(reader), *records)
    assert msgspec.json.decode(encode_trajectory(found), type=Trajectory) == found
    return found


@pytest.mark.parametrize(
    "records",
    [[otlp(*SPANS)], [snake(otlp(*SPANS))], [otlp(each) for each in SPANS], list(map(printed, SPANS))],
    ids=["OTLP", "snake case", "a span a line", "printed"],
)
def test_spans_in_every_layout_keep_their_ids_and_times(records: list[JsonValue]) -> None:
    found = whole("otel", *records)
    assert found.meta == {"trace_id": TRACE, "span_id": ROOT["spanId"], "session_id": "T001", "started_at": BEGIN / 1e6}
    assert tuple(call.span_id for call in found.calls) == TOOLS
    assert [call.started_ms for call in found.calls] == [12.0, 13.0]


def test_the_full_reader_keeps_what_the_fast_one_keeps() -> None:
    failing: JsonValue = {**ROOT, "status": {"code": 2, "message": "gone"}}
    assert whole("otel", otlp(*SPANS[:-1], failing)).meta == whole("otel", otlp(*SPANS)).meta


def test_openinference_spans_keep_the_session() -> None:
    attributes: list[JsonValue] = [
        {"key": "openinference.span.kind", "value": {"stringValue": "TOOL"}},
        {"key": "session.id", "value": {"stringValue": "s1"}},
        {"key": "tool.name", "value": {"stringValue": "get_weather"}},
        {"key": "input.value", "value": {"stringValue": "{}"}},
        {"key": "output.value", "value": {"stringValue": "31"}},
    ]
    assert isinstance(SPANS[1], dict)
    span: JsonValue = {**SPANS[1], "parentSpanId": "", "attributes": attributes}
    found = whole("openinference", otlp(span))
    assert found.meta == {"trace_id": TRACE, "span_id": TOOLS[0], "session_id": "s1", "started_at": BEGIN / 1e6 + 12}
    assert [call.span_id for call in found.calls] == [TOOLS[0]]


def test_langfuse_observations() -> None:
    tool: JsonValue = {"id": "o1", "traceId": "t1", "type": "TOOL", "name": "f", "startTime": MOMENT, "input": {"a": 1}}
    trace: dict[str, JsonValue] = {"id": "t1", "sessionId": "s1", "timestamp": MOMENT, "input": "?", "output": "!"}
    found = whole("langfuse", {**trace, "observations": [tool]})
    assert found.meta == {"trace_id": "t1", "session_id": "s1", "started_at": MOMENT_MS}
    assert [(call.span_id, call.started_ms) for call in found.calls] == [("o1", 0.0)]


def test_langsmith_runs() -> None:
    run: JsonValue = {
        "id": "r1",
        "trace_id": "t1",
        "run_type": "tool",
        "name": "f",
        "start_time": MOMENT,
        "inputs": {"a": 1},
        "outputs": {"output": "x"},
        "extra": {"metadata": {"thread_id": "s1"}},
    }
    found = whole("langsmith", run)
    assert found.meta == {"trace_id": "t1", "session_id": "s1", "started_at": MOMENT_MS, "thread_id": "s1"}
    assert [call.span_id for call in found.calls] == ["r1"]


def test_traces_of_the_openai_agents_sdk() -> None:
    trace: JsonValue = {"object": "trace", "id": "trace_1", "workflow_name": "w", "group_id": "s1"}
    span: JsonValue = {
        "object": "trace.span",
        "id": "span_1",
        "trace_id": "trace_1",
        "started_at": MOMENT,
        "ended_at": MOMENT,
        "span_data": {"type": "function", "name": "f", "input": "{}", "output": "x"},
    }
    found = whole("openai-agents", trace, span)
    assert found.meta == {"trace_id": "trace_1", "session_id": "s1", "started_at": MOMENT_MS}
    assert [call.span_id for call in found.calls] == ["span_1"]


def test_messages_of_pydantic_ai_name_their_conversation() -> None:
    asked: JsonValue = {"part_kind": "user-prompt", "content": "?", "timestamp": MOMENT}
    request: JsonValue = {"kind": "request", "parts": [asked], "conversation_id": "s1"}
    reply: JsonValue = {"kind": "response", "parts": [{"part_kind": "text", "content": "!"}]}
    assert whole("pydantic-ai", [request, reply]).meta == {"session_id": "s1", "started_at": MOMENT_MS}


@pytest.mark.parametrize("key", ["session_id", "sessionId", "conversation_id", "threadId"])
@pytest.mark.parametrize(
    ("reader", "messages"),
    [
        ("openai-chat", [{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}]),
        ("langchain", [{"type": "human", "content": "?"}, {"type": "ai", "content": "!"}]),
        (
            "anthropic",
            [{"role": "user", "content": "?"}, {"role": "assistant", "content": [{"type": "text", "text": "!"}]}],
        ),
    ],
)
def test_chats_keep_the_ids_beside_their_messages(reader: str, messages: list[JsonValue], key: str) -> None:
    found = whole(reader, {"messages": messages, key: "s1", "trace_id": "t1"})
    assert (found.meta["session_id"], found.meta["trace_id"]) == ("s1", "t1")


def test_messages_one_a_line_keep_the_session_and_the_time_of_the_first() -> None:
    lines: list[JsonValue] = [
        {"session_id": "s1", "timestamp": MOMENT, "role": "user", "content": "?"},
        {"session_id": "s1", "timestamp": MOMENT, "role": "assistant", "content": "!"},
    ]
    assert whole("openai-chat", *lines).meta == {"session_id": "s1", "started_at": MOMENT_MS}


def test_what_the_recorder_calls_its_trace_is_kept() -> None:
    record: JsonValue = {
        "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}],
        "trace_id": "beside",
        "metadata": {"trace_id": "own"},
    }
    assert whole("openai-chat", record).meta == {"trace_id": "own"}
