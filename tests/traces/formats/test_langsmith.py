"""Runs that LangSmith exports become trajectories."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.langsmith import LangSmithReader

from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("langsmith")


def run(id_: str, kind: str, name: str, second: int, **more: JsonValue) -> dict[str, JsonValue]:
    return {
        "id": id_,
        "run_type": kind,
        "name": name,
        "trace_id": "t1",
        "parent_run_id": "t1",
        "start_time": f"2026-01-02T03:04:{second:02}",
        "end_time": f"2026-01-02T03:04:{second + 1:02}",
        "error": None,
        **more,
    }


def generated(**message: JsonValue) -> JsonValue:
    wrapped = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "AIMessage"],
        "kwargs": message,
    }
    return {"generations": [[{"text": "", "message": wrapped}]], "llm_output": None}  # type: ignore[dict-item]


ROOT: JsonValue = {
    **run("t1", "chain", "LangGraph", 0),
    "parent_run_id": None,
    "end_time": "2026-01-02T03:04:09",
    "inputs": {"messages": [{"type": "human", "content": "Weather in Hanoi?"}]},
    "outputs": {
        "messages": [{"type": "human", "content": "Weather in Hanoi?"}, {"type": "ai", "content": "31 degrees."}]
    },
    "extra": {"metadata": {"case": "weather_1", "agent": "react"}},
    "tags": ["nightly"],
}
ASKS: JsonValue = run(
    "m1",
    "llm",
    "Chat",
    1,
    inputs={"messages": [[{"type": "human", "content": "Weather in Hanoi?"}]]},
    outputs=generated(
        content="",
        tool_calls=[
            {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1"},
            {"name": "get_weather", "args": {"city": "Nowhere"}, "id": "c2"},
        ],
        usage_metadata={"input_tokens": 10, "output_tokens": 3},
    ),
)
WORKS: JsonValue = run(
    "x1",
    "tool",
    "get_weather",
    3,
    inputs={"input": "{'city': 'Hanoi'}"},
    outputs={"output": {"type": "tool", "content": '{"c": 31}', "tool_call_id": "c1", "status": "success"}},
)
FAILS: JsonValue = {
    **run("x2", "tool", "get_weather", 4, inputs={"city": "Nowhere"}, outputs={}),
    "error": "ValueError('no such city')",
    "extra": {"tool_call_id": "c2"},
}
SAYS: JsonValue = run(
    "m2",
    "llm",
    "Chat",
    6,
    inputs={"messages": []},
    outputs=generated(content="31 degrees."),
    prompt_tokens=20,
    completion_tokens=4,
)
RUNS: list[JsonValue] = [ROOT, ASKS, WORKS, FAILS, SAYS]

NESTED: JsonValue = {**ROOT, "child_runs": [ASKS, WORKS, FAILS, SAYS]}  # type: ignore[dict-item]  # an object
TRACED: JsonValue = {
    "id": "r9",
    "run_type": "tool",
    "name": "lookup",
    "inputs": {"word": "sun"},
    "outputs": {"output": "a star"},
    "start_time": "2026-01-02T03:04:05",
}
SAMPLES: list[JsonValue] = [*RUNS, NESTED, TRACED, REAL["multipart"], *REAL["batch"], *REAL["runs"]]

EXPECTED = Trajectory(
    case="weather_1",
    agent="react",
    calls=(
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}, started_ms=3000.0, duration_ms=1000.0),
        Call(
            "get_weather",
            {"city": "Nowhere"},
            "c2",
            1,
            error="ValueError('no such city')",
            started_ms=4000.0,
            duration_ms=1000.0,
        ),
    ),
    output="31 degrees.",
    latency_ms=9000.0,
    usage=Usage(2, 30, 7),
    input="Weather in Hanoi?",
    meta={"case": "weather_1", "agent": "react", "tags": ["nightly"]},
)


def test_runs_of_a_trace_are_one_trajectory_in_any_order() -> None:
    assert read_one(LangSmithReader, *RUNS) == EXPECTED
    assert read_one(LangSmithReader, *reversed(RUNS)) == EXPECTED
    assert read_one(LangSmithReader, NESTED) == EXPECTED


def test_a_function_that_was_traced_by_itself_is_a_call() -> None:
    assert read_one(LangSmithReader, TRACED) == Trajectory(
        case="r9", calls=(Call("lookup", {"word": "sun"}, turn=1, result="a star", started_ms=0.0),)
    )


def test_messages_of_the_root_tell_what_no_run_of_a_model_does() -> None:
    said: list[JsonValue] = [
        {"type": "ai", "content": "", "tool_calls": [{"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1"}]},
        {"type": "tool", "content": '{"c": 31}', "tool_call_id": "c1"},
        {"type": "ai", "content": "31 degrees."},
    ]
    assert isinstance(ROOT, dict)
    root: JsonValue = {**ROOT, "outputs": {"messages": said}}
    found = read_one(LangSmithReader, root, WORKS)
    assert found.calls == (Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}),)
    assert found.output == "31 degrees."


@pytest.mark.deep
def test_a_real_trace_is_the_trajectory_that_one_would_write_by_hand() -> None:
    messages = import_module("langchain_core.messages")
    fakes = import_module("langchain_core.language_models.fake_chat_models")
    runnables = import_module("langchain_core.runnables")
    tools = import_module("langchain_core.tools")
    collector = import_module("langchain_core.tracers.run_collector")

    def get_weather(city: str) -> dict[str, int]:
        """The weather of a city."""
        if city == "Nowhere":
            raise ValueError("no such city")
        return {"c": 31}

    cities = {"c1": "Hanoi", "c2": "Nowhere"}
    calls = [{"name": "get_weather", "args": {"city": city}, "id": id_} for id_, city in cities.items()]
    usage = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}
    replies = [messages.AIMessage("", tool_calls=calls, usage_metadata=usage), messages.AIMessage("31 degrees.")]
    model = fakes.GenericFakeChatModel(messages=iter(replies))
    tool = tools.tool(get_weather)

    def loop(question: str) -> str:
        said = [messages.HumanMessage(question), model.invoke([messages.HumanMessage(question)])]
        for call in said[-1].tool_calls:
            try:
                said.append(tool.invoke(call))
            except ValueError as error:
                said.append(messages.ToolMessage(str(error), tool_call_id=call["id"], status="error"))
        return str(model.invoke(said).content)

    recorded = collector.RunCollectorCallbackHandler()
    runnables.RunnableLambda(loop).invoke(
        "Weather in Hanoi?", config={"callbacks": [recorded], "metadata": {"case": "weather_1"}, "tags": ["nightly"]}
    )

    def flat(run: Any) -> list[Any]:
        return [
            json.loads(run.model_dump_json(exclude={"child_runs"})),
            *(item for child in run.child_runs for item in flat(child)),
        ]

    records = flat(recorded.traced_runs[0])
    assert all(map(LangSmithReader.recognises, records))
    found = read_one(LangSmithReader, *records)
    assert found.latency_ms is not None
    assert all(call.duration_ms is not None for call in found.calls)
    assert (found.calls[1].error or "").startswith("ValueError('no such city')")
    expected = replace(
        EXPECTED,
        agent="",
        latency_ms=found.latency_ms,
        usage=Usage(1, 10, 3),
        meta=found.meta,
        calls=tuple(
            replace(call, started_ms=real.started_ms, duration_ms=real.duration_ms, error=real.error)
            for call, real in zip(EXPECTED.calls, found.calls, strict=True)
        ),
    )
    assert found == expected
    assert (found.meta["case"], found.meta["tags"]) == ("weather_1", ["nightly"])


def test_traces_may_be_mixed_cut_and_doubled() -> None:
    other = [
        {**record, "trace_id": "t2", "parent_run_id": "t2"} for record in (ASKS, WORKS) if isinstance(record, dict)
    ]
    found, lost = read(LangSmithReader, ROOT, other[0], ASKS, WORKS, other[1], WORKS, FAILS, SAYS)
    assert found[0] == EXPECTED
    assert [(call.tool, call.result, call.error) for call in found[1].calls] == [
        ("get_weather", {"c": 31}, None),
        ("get_weather", None, None),
    ]
    assert lost == {
        "a run was recorded twice; the more complete one is kept": 1,
        "a trace has no root run; the rest is kept": 1,
        "a call has no recorded result": 1,
    }


def test_an_error_of_the_root_is_one_of_the_agent() -> None:
    record: JsonValue = {**ROOT, "error": "GraphRecursionError", "outputs": None}  # type: ignore[dict-item]  # an object
    found = read_one(LangSmithReader, record)
    assert (found.state, found.error, found.output) == ("error", "GraphRecursionError", None)


def test_other_records_are_not_recognised() -> None:
    others: list[JsonValue] = [{"run_type": 1, "inputs": {}}, {"run_type": "llm"}, {"messages": []}, [], None]
    assert not any(map(LangSmithReader.recognises, others))
    assert all(map(LangSmithReader.recognises, SAMPLES))


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_breaks_the_reader(seed: int) -> None:
    assert survives(LangSmithReader, SAMPLES, seed)


def began(key: str, kind: str, **more: JsonValue) -> dict[str, JsonValue]:
    """A run as it is sent when it begins."""
    parent = None if key == "t1" else "t1"
    return {
        "id": key,
        "trace_id": "t1",
        "parent_run_id": parent,
        "dotted_order": f"20260102T030405{key}",
        "run_type": kind,
        "name": "agent" if kind == "chain" else "get_weather",
        "start_time": "2026-01-02T03:04:05Z",
        **more,
    }


def ended(key: str, outputs: JsonValue) -> dict[str, JsonValue]:
    """What is sent when it ends."""
    return {
        "id": key,
        "trace_id": "t1",
        "dotted_order": f"20260102T030405{key}",
        "end_time": "2026-01-02T03:04:07Z",
        "outputs": outputs,
    }


POST = [
    began("t1", "chain", inputs={"input": "How warm is it?"}, extra={"metadata": {"case": "hanoi"}}),
    began("t2", "tool", inputs={"input": '{"city": "Hanoi"}'}),
]
PATCH = [ended("t2", {"output": "31"}), ended("t1", {"output": "31 °C."})]
PARTS: dict[str, JsonValue] = {
    **{f"post.{run['id']}": {key: run[key] for key in run if key != "inputs"} for run in POST},
    **{f"post.{run['id']}.inputs": run["inputs"] for run in POST},
    **{f"patch.{run['id']}": {key: run[key] for key in run if key != "outputs"} for run in PATCH},
    **{f"patch.{run['id']}.outputs": run["outputs"] for run in PATCH},
}
INGESTED: list[list[JsonValue]] = [
    [{"post": [*POST], "patch": [*PATCH]}],
    [{"post": [*POST], "patch": []}, {"post": [], "patch": [*PATCH]}],
    [{"patch": [*PATCH]}, {"post": [*POST]}],
    [PARTS],
    [*POST, *PATCH],
]


@pytest.mark.parametrize("records", INGESTED)
def test_bodies_that_are_sent_to_langsmith(records: list[JsonValue]) -> None:
    found = read_one(LangSmithReader, *records)
    assert [(call.tool, call.args, call.result) for call in found.calls] == [("get_weather", {"city": "Hanoi"}, "31")]
    assert (found.case, found.input, found.output) == ("hanoi", "How warm is it?", "31 °C.")
    assert all(LangSmithReader.recognises(record) for record in records)


@pytest.mark.parametrize("records", [[REAL["multipart"]], REAL["batch"], REAL["runs"], [*reversed(REAL["runs"])]])
def test_what_the_client_sent(records: list[JsonValue]) -> None:
    found = read_one(LangSmithReader, *records)
    assert [(call.tool, call.args, call.id, call.result) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}, "c1", "31"),
        ("get_weather", {"city": "Atlantis"}, "c2", None),
    ]
    assert (found.calls[1].error or "").startswith("ValueError('no such city')")
    assert all(call.duration_ms is not None for call in found.calls)
    assert (found.case, found.input, found.output) == ("hanoi", "How warm is it in Hanoi?", "31 °C.")
    assert found.usage == Usage(2, 40, 16)
