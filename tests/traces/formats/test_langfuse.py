"""Traces and observations of Langfuse become trajectories."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.langfuse import LangfuseReader

from .spoiling import read, read_one, survives


def observation(id_: str, kind: str, name: str, second: int, **more: JsonValue) -> dict[str, JsonValue]:
    return {
        "id": id_,
        "traceId": "t1",
        "type": kind,
        "name": name,
        "projectId": "p1",
        "parentObservationId": "o0",
        "startTime": f"2026-01-02T03:04:{second:02}.000Z",
        "endTime": f"2026-01-02T03:04:{second + 1:02}.000Z",
        "level": "DEFAULT",
        "statusMessage": None,
        **more,
    }


def wish(id_: str, city: str) -> JsonValue:
    return {"id": id_, "type": "function", "function": {"name": "get_weather", "arguments": json.dumps({"city": city})}}


ROOT: JsonValue = {
    **observation("o0", "AGENT", "react", 0),
    "parentObservationId": None,
    "endTime": "2026-01-02T03:04:09.000Z",
    "input": "Weather in Hanoi?",
    "output": "31 degrees.",
    "metadata": {"case": "weather_1"},
}
ASKS: JsonValue = observation(
    "o1",
    "GENERATION",
    "chat",
    1,
    model="m",
    input=[{"role": "user", "content": "Weather in Hanoi?"}],
    output={"role": "assistant", "content": None, "tool_calls": [wish("c1", "Hanoi"), wish("c2", "Nowhere")]},
    usageDetails={"input": 10, "output": 3, "total": 13},
    costDetails={"total": 0.5},
)
WORKS: JsonValue = observation(
    "o2", "TOOL", "get_weather", 3, input={"city": "Hanoi"}, output={"c": 31}, metadata={"tool_call_id": "c1"}
)
FAILS: JsonValue = observation(
    "o3", "SPAN", "tool: get_weather", 4, input='{"city": "Nowhere"}', level="ERROR", statusMessage="no such city"
)
SAYS: JsonValue = observation(
    "o4", "GENERATION", "chat", 6, input=[], output="31 degrees.", usage={"promptTokens": 20, "completionTokens": 4}
)
OBSERVATIONS: list[JsonValue] = [ROOT, ASKS, WORKS, FAILS, SAYS]

TRACE: JsonValue = {
    "id": "t1",
    "timestamp": "2026-01-02T03:04:00.000Z",
    "name": "weather",
    "sessionId": "s1",
    "input": {"question": "Weather in Hanoi?"},
    "output": "31 degrees.",
    "metadata": {"case": "weather_1"},
    "tags": ["nightly"],
    "latency": 9.0,
    "observations": OBSERVATIONS,
}
BARE: JsonValue = {
    "id": "t2",
    "timestamp": "2026-01-02T03:04:00.000Z",
    "name": "weather",
    "sessionId": None,
    "input": {"args": ["Hi"], "kwargs": {}},
    "output": "Hello.",
    "observations": [],
}
PAGE: JsonValue = {"data": OBSERVATIONS, "meta": {"page": 1}}


def snake(value: JsonValue) -> JsonValue:
    """A record as the export of the user interface writes it: keys in snake case, inputs and outputs as text."""
    if not isinstance(value, dict):
        return value
    renamed = {re.sub("([A-Z])", r"_\1", key).lower(): item for key, item in value.items()}
    return {
        key: json.dumps(item) if key in ("input", "output", "metadata") and isinstance(item, (dict, list)) else item
        for key, item in renamed.items()
    }


MESSAGES_ONLY: JsonValue = {
    "id": "t3",
    "timestamp": "2026-01-02T03:04:00.000Z",
    "input": None,
    "output": None,
    "observations": [
        {
            **observation("g1", "GENERATION", "chat", 1),
            "parentObservationId": None,
            "input": {
                "messages": [
                    {"role": "user", "content": "Rain in Hue?"},
                    {
                        "role": "assistant",
                        "content": [{"type": "tool_use", "id": "c1", "name": "rain", "input": {"city": "Hue"}}],
                    },
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "dry"}]},
                ]
            },
            "output": {"role": "assistant", "content": [{"type": "text", "text": "It is dry."}]},
        }
    ],
}

SAMPLES: list[JsonValue] = [TRACE, BARE, PAGE, *OBSERVATIONS, *map(snake, OBSERVATIONS), MESSAGES_ONLY]

EXPECTED = Trajectory(
    case="weather_1",
    agent="react",
    calls=(
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}, started_ms=3000.0, duration_ms=1000.0),
        Call("get_weather", {"city": "Nowhere"}, "c2", 1, error="no such city", started_ms=4000.0, duration_ms=1000.0),
    ),
    output="31 degrees.",
    latency_ms=9000.0,
    usage=Usage(2, 30, 7, 0.5),
    input="Weather in Hanoi?",
    meta={"case": "weather_1"},
)


def test_a_trace_with_its_observations_is_one_trajectory() -> None:
    assert read_one(LangfuseReader, TRACE) == replace(EXPECTED, meta={"case": "weather_1", "tags": ["nightly"]})


def test_observations_are_gathered_by_their_trace() -> None:
    assert read_one(LangfuseReader, *OBSERVATIONS) == EXPECTED
    assert read_one(LangfuseReader, *reversed(OBSERVATIONS)) == EXPECTED
    assert read_one(LangfuseReader, PAGE) == EXPECTED
    assert read_one(LangfuseReader, *map(snake, OBSERVATIONS)) == EXPECTED


def test_a_trace_and_its_observations_may_be_records_of_their_own() -> None:
    assert isinstance(TRACE, dict)
    alone: JsonValue = {**TRACE, "observations": ["o0", "o1"]}
    assert read_one(LangfuseReader, alone, *OBSERVATIONS) == read_one(LangfuseReader, TRACE)


def test_a_trace_without_observations_is_its_question_and_answer() -> None:
    assert read_one(LangfuseReader, BARE) == Trajectory(case="t2", output="Hello.", input="Hi")


def test_a_trace_with_no_observations_in_it_is_what_its_messages_say() -> None:
    asked: JsonValue = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    said: list[JsonValue] = [
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": "c1", "content": "2"},
        {"role": "assistant", "content": "Two."},
    ]
    trace: JsonValue = {"id": "t1", "input": "One?", "output": {"messages": said}, "observations": []}
    assert LangfuseReader.recognises(trace)
    found = read_one(LangfuseReader, trace)
    assert found.calls == (Call("f", {"a": 1}, "c1", 1, result="2"),)
    assert (found.input, found.output) == ("One?", "Two.")


def test_messages_of_generations_tell_what_no_observation_of_a_tool_does() -> None:
    assert read_one(LangfuseReader, MESSAGES_ONLY) == Trajectory(
        case="t3",
        calls=(Call("rain", {"city": "Hue"}, "c1", 1, result="dry"),),
        output="It is dry.",
        latency_ms=1000.0,
        input="Rain in Hue?",
    )


def test_results_are_found_in_the_next_request_where_tools_are_not_observed() -> None:
    answers: list[JsonValue] = [
        {"role": "tool", "tool_call_id": "c1", "content": '{"c": 31}'},
        {"role": "tool", "tool_call_id": "c2", "content": "Error: no such city"},
    ]
    assert isinstance(SAYS, dict)
    found = read_one(LangfuseReader, ROOT, ASKS, {**SAYS, "input": answers})
    assert [(call.result, call.error) for call in found.calls] == [({"c": 31}, None), (None, "Error: no such city")]


def test_a_span_that_is_named_like_an_open_call_is_its_run() -> None:
    assert isinstance(FAILS, dict)
    found = read_one(LangfuseReader, ROOT, ASKS, WORKS, {**FAILS, "name": "get_weather"}, SAYS)
    assert found == EXPECTED


@pytest.mark.deep
def test_pages_that_the_real_client_fetched_are_the_trajectory_that_one_would_write_by_hand() -> None:
    clients = import_module("langfuse.api.client")

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(PAGE).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - as in the base class
            """Nothing is printed."""

    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            client = clients.LangfuseAPI(base_url=f"http://127.0.0.1:{server.server_port}", username="a", password="b")  # noqa: S106 - not a real one
            page = client.observations.get_many(trace_id="t1", fields="core,basic,io,usage,metadata")
        finally:
            server.shutdown()
            thread.join()
    whole = msgspec.json.decode(page.model_dump_json())
    lines = [msgspec.json.decode(item.model_dump_json()) for item in page.data]
    assert all(map(LangfuseReader.recognises, [whole, *lines]))
    assert read_one(LangfuseReader, whole) == EXPECTED
    assert read_one(LangfuseReader, *lines) == EXPECTED


def test_traces_may_be_mixed_cut_and_doubled() -> None:
    other = [{**item, "traceId": "t2"} for item in (ASKS, WORKS) if isinstance(item, dict)]
    found, lost = read(LangfuseReader, ROOT, other[0], ASKS, WORKS, other[1], WORKS, FAILS, SAYS)
    assert found[0] == EXPECTED
    assert [(call.tool, call.result) for call in found[1].calls] == [("get_weather", {"c": 31}), ("get_weather", None)]
    assert (found[1].case, found[1].input) == ("t2", "Weather in Hanoi?")
    assert lost == {
        "an observation was recorded twice; the later one is kept": 1,
        "a trace has no root observation; the rest is kept": 1,
        "a call has no recorded result": 1,
    }


def test_an_error_of_the_root_is_one_of_the_agent() -> None:
    assert isinstance(ROOT, dict)
    found = read_one(LangfuseReader, {**ROOT, "level": "ERROR", "statusMessage": "too many steps", "output": None})
    assert (found.state, found.error, found.output) == ("error", "too many steps", None)


def test_what_is_broken_is_kept_as_far_as_it_goes() -> None:
    found, lost = read(
        LangfuseReader,
        {
            "id": "t1",
            "timestamp": "x",
            "observations": [
                {"type": "TOOL", "name": "f", "input": "not an object", "output": "x" * 1_000_000},
                {"type": "TOOL"},
            ],
        },
        {"data": [], "meta": {}},
        {},
    )
    assert [(call.tool, call.args) for call in found[0].calls] == [("f", {}), ("unnamed", None)]
    assert found[0].calls[0].result == "x" * 1_000_000
    assert lost == {
        "the arguments of a call are not a JSON object; the call is kept without them": 1,
        "a record without a trace is left out": 2,
    }


def test_other_records_are_not_recognised() -> None:
    others: list[JsonValue] = [
        {"type": "SPAN"},
        {"traceId": "a", "type": "other"},
        {"data": [{"id": 1}], "meta": {}},
        {"id": "x", "observations": [1]},
        {"messages": []},
        [],
        None,
    ]
    assert not any(map(LangfuseReader.recognises, others))
    assert all(map(LangfuseReader.recognises, SAMPLES))


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_breaks_the_reader(seed: int) -> None:
    assert survives(LangfuseReader, SAMPLES, seed)


QUOTED: list[tuple[JsonValue, JsonValue]] = [
    ('"How warm is it?"', '"31 °C."'),
    ('{"question": "How warm is it?"}', '{"answer": "31 °C."}'),
    ('[{"role": "user", "content": "How warm is it?"}]', '{"role": "assistant", "content": "31 °C."}'),
    ('"[{\\"role\\": \\"user\\", \\"content\\": \\"How warm is it?\\"}]"', '[{"type": "text", "text": "31 °C."}]'),
    ("How warm is it?", "31 °C."),
]


@pytest.mark.parametrize(("question", "answer"), QUOTED)
def test_questions_and_answers_of_an_export_are_texts(question: JsonValue, answer: JsonValue) -> None:
    tool: JsonValue = {"id": "o1", "traceId": "t1", "type": "TOOL", "name": "f", "input": "{}", "output": '"31"'}
    model: JsonValue = {
        "id": "o2",
        "traceId": "t1",
        "type": "GENERATION",
        "name": "m",
        "input": question,
        "output": answer,
    }
    for trace in ({"input": question, "output": answer}, {"input": None, "output": None}):
        found = read_one(LangfuseReader, {"id": "t1", **trace, "observations": [tool, model]})
        assert (found.input, found.output) == ("How warm is it?", "31 °C.")
        assert found.calls[0].result == "31"
