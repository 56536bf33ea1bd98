"""Runs of the OpenAI Agents SDK become the same trajectories as items, as saved states and as traces."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces import from_messages

from .disturbance import convert, reads_any_record
from .vendor import vendor

FAILURE = "An error occurred while running the tool. Please try again."


def item(kind: str, raw: JsonValue, agent: str = "weather", **more: JsonValue) -> dict[str, JsonValue]:
    return {"type": kind, "raw_item": raw, "agent": {"name": agent}, **more}


def call(id: str, name: str, arguments: str) -> JsonValue:  # noqa: A002 - the SDK's word
    return {"type": "function_call", "call_id": id, "id": id, "name": name, "arguments": arguments}


def output(id: str, words: str) -> JsonValue:  # noqa: A002 - the SDK's word
    return {"type": "function_call_output", "call_id": id, "output": words}


ANSWER: JsonValue = {
    "type": "message",
    "id": "m1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hanoi has 31 °C.", "annotations": []}],
}
ITEMS: list[JsonValue] = [
    item("tool_call_item", call("c1", "get_weather", '{"city":"Hanoi"}')),
    item("tool_call_item", call("c2", "get_weather", '{"city":"Atlantis"}')),
    item("tool_call_output_item", output("c1", '{"celsius": 31}'), output='{"celsius": 31}'),
    item("tool_call_output_item", output("c2", FAILURE), output=FAILURE),
    item("handoff_call_item", call("c3", "transfer_to_helper", "{}")),
    item(
        "handoff_output_item",
        output("c3", '{"assistant": "helper"}'),
        source_agent={"name": "weather"},
        target_agent={"name": "helper"},
    ),
    item("message_output_item", ANSWER, "helper"),
]
STATE: dict[str, JsonValue] = {
    "$schemaVersion": "1.0",
    "original_input": "How warm is it?",
    "generated_items": ITEMS,
    "model_responses": [],
    "context": {"usage": {"requests": 3, "input_tokens": 30, "output_tokens": 9, "total_tokens": 39}},
    "trace": None,
}
RUN: dict[str, JsonValue] = {"input": "How warm is it?", "new_items": ITEMS, "final_output": "Hanoi has 31 °C."}
CALLS = (
    Call("get_weather", {"city": "Hanoi"}, id="c1", turn=1, result={"celsius": 31}),
    Call("get_weather", {"city": "Atlantis"}, id="c2", turn=1, error=FAILURE),
)
HANDOFF: dict[str, JsonValue] = {"kind": "handoff", "from": "weather", "to": "helper"}
EXPECTED = Trajectory(
    agent="weather", input="How warm is it?", calls=CALLS, output="Hanoi has 31 °C.", events=(HANDOFF,)
)


def span(id: str, parent: str | None, begin: int, end: int, data: JsonValue, error: JsonValue = None) -> JsonValue:  # noqa: A002 - the SDK's word
    return {
        "object": "trace.span",
        "id": id,
        "trace_id": "trace_1",
        "parent_id": parent,
        "started_at": f"2026-01-31T08:00:00.{begin:03}000+00:00",
        "ended_at": f"2026-01-31T08:00:00.{end:03}000+00:00",
        "span_data": data,
        "error": error,
    }


def function(name: str, given: str | None, result: str | None) -> JsonValue:
    return {"type": "function", "name": name, "input": given, "output": result, "mcp_data": None}


ASKS: JsonValue = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Hanoi"}'}},
        {"id": "c2", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Atlantis"}'}},
    ],
}
TRACE: list[JsonValue] = [
    {
        "object": "trace",
        "id": "trace_1",
        "workflow_name": "Agent workflow",
        "group_id": None,
        "metadata": {"case": "k1"},
    },
    span(
        "g1",
        "a1",
        1,
        10,
        {
            "type": "generation",
            "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How warm is it?"}],
            "output": [ASKS],
            "model": "a-model",
            "usage": {"input_tokens": 10, "output_tokens": 4},
        },
    ),
    span("f1", "a1", 12, 20, function("get_weather", '{"city":"Hanoi"}', '{"celsius": 31}')),
    span(
        "f2",
        "a1",
        11,
        31,
        function("get_weather", '{"city":"Atlantis"}', FAILURE),
        {"message": "Error running tool (non-fatal)", "data": {"tool_name": "get_weather", "error": "no such city"}},
    ),
    span("h1", "a1", 32, 33, {"type": "handoff", "from_agent": "weather", "to_agent": "helper"}),
    span("a1", None, 0, 34, {"type": "agent", "name": "weather", "handoffs": ["helper"], "tools": ["get_weather"]}),
    span(
        "g2",
        "a2",
        36,
        50,
        {
            "type": "generation",
            "input": [],
            "output": [{"role": "assistant", "content": "Hanoi has 31 °C."}],
            "usage": {"input_tokens": 20, "output_tokens": 5},
        },
    ),
    span("a2", None, 35, 51, {"type": "agent", "name": "helper", "handoffs": [], "tools": []}),
]
TOLD = Trajectory(
    case="k1",
    agent="weather",
    input="How warm is it?",
    calls=(
        Call(
            "get_weather",
            {"city": "Atlantis"},
            id="c2",
            turn=1,
            result=FAILURE,
            error="no such city",
            started_ms=11.0,
            duration_ms=20.0,
        ),
        Call(
            "get_weather",
            {"city": "Hanoi"},
            id="c1",
            turn=1,
            result={"celsius": 31},
            started_ms=12.0,
            duration_ms=8.0,
        ),
    ),
    output="Hanoi has 31 °C.",
    events=(HANDOFF,),
    latency_ms=51.0,
    usage=Usage(2, 30, 9),
    meta={"case": "k1"},
)
SAMPLES: list[JsonValue] = [ITEMS, STATE, RUN, *TRACE]


def test_the_items_of_a_run_are_a_trajectory() -> None:
    trajectories, report = convert([ITEMS, RUN])
    assert trajectories == [replace(EXPECTED, input=None), EXPECTED]
    assert report.lines() == ["read 2 trajectories with 4 calls as OpenAI Agents SDK runs"]


def test_a_saved_state_knows_what_the_run_cost() -> None:
    (trajectory,), _ = convert([STATE])
    assert trajectory == replace(EXPECTED, usage=Usage(3, 30, 9))


def test_an_answer_that_is_no_text_is_written_as_json() -> None:
    (trajectory,), _ = convert([{**RUN, "new_items": ITEMS[:4], "final_output": {"celsius": 31}}])
    assert trajectory.output == '{"celsius":31}'


def test_a_trace_is_put_together_from_its_spans() -> None:
    trajectories, report = convert(TRACE)
    assert trajectories == [TOLD]
    assert report.lost == {}


def test_spans_may_come_in_any_order_and_twice_and_between_those_of_other_traces() -> None:
    other = json.loads(json.dumps(TRACE).replace("trace_1", "trace_2").replace("k1", "k2"))
    mixed = [record for pair in zip(reversed(TRACE), other, strict=True) for record in pair]
    trajectories, _ = convert([*mixed, TRACE[1], TRACE[3]])
    expected = {"k1": TOLD, "k2": replace(TOLD, case="k2", meta={"case": "k2"})}
    assert {trajectory.case: trajectory for trajectory in trajectories} == expected


def test_a_trace_that_was_cut_off_keeps_the_calls_of_which_nothing_more_is_known() -> None:
    (trajectory,), report = convert(TRACE[:3])
    assert [(each.tool, each.args, each.result) for each in trajectory.calls] == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31}),
        ("get_weather", {"city": "Atlantis"}, None),
    ]
    assert report.lost == {"a call has no recorded result": 1}


def test_calls_of_an_agent_that_is_used_as_a_tool_are_not_those_of_the_one_that_uses_it() -> None:
    inner = [
        span("a9", "f1", 13, 19, {"type": "agent", "name": "inner"}),
        span("f9", "a9", 14, 18, function("look_up", "{}", "x")),
    ]
    (trajectory,), _ = convert([*TRACE, *inner])
    assert trajectory == replace(TOLD, events=({"kind": "inner_call", "tool": "look_up"}, HANDOFF))


def test_a_failing_agent_is_an_error() -> None:
    failing = span(
        "a1", None, 0, 34, {"type": "agent", "name": "weather"}, {"message": "Max turns exceeded", "data": {}}
    )
    (trajectory,), _ = convert([*TRACE[:3], failing])
    assert (trajectory.state, trajectory.error) == ("error", "Max turns exceeded")


def test_a_huge_result_is_kept_whole() -> None:
    huge = "x" * 10_000_000
    (trajectory,), _ = convert([TRACE[0], span("f1", None, 1, 2, function("read", "{}", huge))])
    assert trajectory.calls[0].result == huge


def test_arguments_that_are_no_json_are_kept_as_an_event() -> None:
    (trajectory,), _ = convert([[item("tool_call_item", call("c1", "get_weather", "Hanoi"))]])
    assert trajectory.calls == (Call("get_weather", {}, id="c1", turn=1),)
    assert trajectory.events == ({"kind": "invalid_arguments", "call": 0, "arguments": "Hanoi"},)


def test_outputs_without_calls_or_ids_are_told_of() -> None:
    (trajectory,), report = convert([[item("tool_call_output_item", output("c9", "31")), ITEMS[-1]]])
    assert trajectory.calls == ()
    assert list(report.lost) == ["a tool result belongs to no call and names no tool; it is left out"]
    (joined,), _ = convert([[item("tool_call_item", {"name": "f"}), item("tool_call_output_item", {"output": "31"})]])
    assert joined.calls == (Call("f", None, turn=1, result="31"),)


@settings(max_examples=examples(150), deadline=None)
@given(st.randoms(use_true_random=False))
def test_no_record_makes_the_reader_fail(random: Random) -> None:
    assert reads_any_record(SAMPLES, "openai-agents", random)


def weather(agents: Any) -> Any:
    """A tool that knows one city."""

    @agents.function_tool  # type: ignore[untyped-decorator]  # the SDK need not be installed
    def get_weather(city: str) -> str:
        """How warm it is in a city."""
        if city != "Hanoi":
            raise ValueError("no such city")
        return '{"celsius": 31}'

    return get_weather


def collect(agents: Any) -> list[JsonValue]:
    """Have the traces of the SDK written into a list instead of being sent away."""
    exported: list[JsonValue] = []

    class Collector(agents.tracing.TracingProcessor):  # type: ignore[misc]  # the SDK need not be installed
        def on_trace_start(self, trace: Any) -> None:
            exported.append(json.loads(json.dumps(trace.export())))

        def on_span_end(self, span: Any) -> None:
            exported.append(json.loads(json.dumps(span.export())))

        def on_trace_end(self, trace: Any) -> None: ...
        def on_span_start(self, span: Any) -> None: ...
        def shutdown(self) -> None: ...
        def force_flush(self) -> None: ...

    agents.set_trace_processors([Collector()])
    return exported


@pytest.mark.deep
def test_a_real_run_is_read_the_same_from_its_result_its_items_its_state_and_its_trace() -> None:
    agents = import_module("agents")
    testing = import_module("agents.testing")
    exported = collect(agents)
    helper = agents.Agent(name="helper", model=testing.ScriptedModel([[testing.assistant_message("Hanoi has 31 °C.")]]))
    asks = [
        testing.function_call("get_weather", {"city": "Hanoi"}, call_id="c1"),
        testing.function_call("get_weather", {"city": "Atlantis"}, call_id="c2"),
    ]
    hands_over = [testing.function_call("transfer_to_helper", {}, call_id="c3")]
    agent = agents.Agent(
        name="weather",
        tools=[weather(agents)],
        handoffs=[helper],
        model=testing.ScriptedModel([asks, hands_over]),
    )
    settings = agents.RunConfig(trace_metadata={"case": "k1"})
    result = asyncio.run(agents.Runner.run(agent, "How warm is it?", run_config=settings))
    agents.set_trace_processors([])

    expected = replace(EXPECTED, usage=Usage(3, 0, 0))
    assert from_messages(result) == expected
    (saved,), _ = convert([json.loads(json.dumps(result.to_state().to_json()))])
    assert replace(saved, case="", meta={}) == expected
    assert from_messages(result.new_items) == replace(EXPECTED, input=None)

    handed_over = Call("transfer_to_helper", {}, id="c3", turn=2, result={"assistant": "helper"})
    listed = from_messages(result.to_input_list(), agent="weather")
    assert listed == replace(EXPECTED, calls=(*CALLS, handed_over), events=())

    (traced,), _ = convert(exported)
    assert [(each.tool, each.args, each.turn, each.result, bool(each.error)) for each in traced.calls] == [
        ("get_weather", {"city": "Hanoi"}, 1, {"celsius": 31}, False),
        ("get_weather", {"city": "Atlantis"}, 1, FAILURE, True),
    ]
    assert (traced.case, traced.agent, traced.events, traced.usage) == ("k1", "weather", (HANDOFF,), Usage(3, 0, 0))


@pytest.mark.deep
def test_a_real_trace_of_a_chat_model_is_read_with_its_words() -> None:
    agents = import_module("agents")
    openai = import_module("openai")
    exported = collect(agents)

    def reply(message: JsonValue) -> JsonValue:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "a-model",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
        }

    async def run(url: str) -> None:
        async with openai.AsyncOpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0) as client:
            model = agents.OpenAIChatCompletionsModel(model="a-model", openai_client=client)
            agent = agents.Agent(name="weather", tools=[weather(agents)], model=model)
            await agents.Runner.run(agent, "How warm is it?")

    with vendor(reply(ASKS), reply({"role": "assistant", "content": "Hanoi has 31 °C."})) as provider:
        asyncio.run(run(provider.url))
    agents.set_trace_processors([])
    (traced,), _ = convert(exported)
    assert (traced.input, traced.output, traced.usage) == ("How warm is it?", "Hanoi has 31 °C.", Usage(2, 20, 8))
    assert [(each.id, each.args, each.turn, bool(each.error)) for each in traced.calls] == [
        ("c1", {"city": "Hanoi"}, 1, False),
        ("c2", {"city": "Atlantis"}, 1, True),
    ]
