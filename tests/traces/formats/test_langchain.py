"""Messages of LangChain and states of LangGraph become trajectories."""

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
from toolgauge.traces.formats.langchain import LangchainReader

from .spoiling import read, read_one, survives

DUMPED: list[JsonValue] = [
    {"type": "system", "content": "Be brief.", "additional_kwargs": {}, "id": None},
    {"type": "human", "content": "Weather in Hanoi?", "additional_kwargs": {}, "id": "h1"},
    {
        "type": "ai",
        "content": "",
        "additional_kwargs": {},
        "response_metadata": {"finish_reason": "tool_calls"},
        "tool_calls": [
            {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1", "type": "tool_call"},
            {"name": "get_weather", "args": {"city": "Nowhere"}, "id": "c2", "type": "tool_call"},
        ],
        "invalid_tool_calls": [
            {"name": "get_time", "args": "{oops", "id": "c3", "error": "broken", "type": "invalid_tool_call"}
        ],
        "usage_metadata": {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13},
    },
    {
        "type": "tool",
        "content": '{"c": 31}',
        "tool_call_id": "c1",
        "name": "get_weather",
        "artifact": {"raw": 1},
        "status": "success",
    },
    {"type": "tool", "content": "no such city", "tool_call_id": "c2", "name": "get_weather", "status": "error"},
    {
        "type": "ai",
        "content": [{"type": "text", "text": "31 degrees."}],
        "tool_calls": [],
        "usage_metadata": {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24},
    },
]

EXPECTED = Trajectory(
    calls=(
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}),
        Call("get_weather", {"city": "Nowhere"}, "c2", 1, error="no such city"),
        Call("get_time", {}, "c3", 1, error="broken"),
    ),
    output="31 degrees.",
    usage=Usage(2, 30, 7),
    events=({"kind": "invalid_arguments", "call": 2, "arguments": "{oops"},),
    input="Weather in Hanoi?",
)

UNREAD = {"the arguments of a call are not a JSON object; the call is kept without them": 1}

CLASSES = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


def as_dicts(messages: list[JsonValue]) -> list[JsonValue]:
    return [{"type": message["type"], "data": message} for message in messages if isinstance(message, dict)]


def as_constructors(messages: list[JsonValue]) -> list[JsonValue]:
    return [
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", CLASSES[str(message["type"])]],
            "kwargs": {key: value for key, value in message.items() if key != "type"},
        }
        for message in messages
        if isinstance(message, dict)
    ]


STATE: JsonValue = {
    "messages": as_constructors(DUMPED),
    "metadata": {"case_id": "weather_1", "agent": "react"},
    "remaining_steps": 3,
}
SNAPSHOT: JsonValue = {"values": {"messages": DUMPED}, "next": [], "config": {"metadata": {"case": "weather_2"}}}
UPDATES: list[JsonValue] = [
    {"agent": {"messages": [DUMPED[2]]}},
    {"tools": {"messages": DUMPED[3:5]}},
    {"agent": {"messages": [DUMPED[5]]}},
]
OLDER: JsonValue = [
    {"type": "human", "data": {"content": "Rain?", "additional_kwargs": {}}},
    {
        "type": "ai",
        "data": {
            "content": "",
            "additional_kwargs": {
                "tool_calls": [{"id": "c1", "function": {"name": "rain", "arguments": '{"city": "Hue"}'}}]
            },
            "response_metadata": {"token_usage": {"prompt_tokens": 5, "completion_tokens": 1}},
        },
    },
    {"type": "tool", "data": {"content": "", "artifact": [1, 2], "tool_call_id": "c1"}},
    {
        "type": "ai",
        "data": {"content": "", "additional_kwargs": {"function_call": {"name": "rain", "arguments": "{}"}}},
    },
    {"type": "function", "data": {"content": "dry", "name": "rain"}},
    {"type": "ai", "data": {"content": "It is", "response_metadata": {"finish_reason": "length"}}},
]
SAMPLES: list[JsonValue] = [[*DUMPED], as_dicts(DUMPED), STATE, SNAPSHOT, *UPDATES, OLDER]


def test_dumped_messages_are_one_trajectory() -> None:
    records: list[JsonValue] = [[*DUMPED], as_dicts(DUMPED), as_constructors(DUMPED), {"messages": [*DUMPED]}]
    for record in records:
        found, lost = read(LangchainReader, record)
        assert found == [EXPECTED]
        assert lost == UNREAD


@pytest.mark.deep
def test_real_messages_are_the_trajectory_that_one_would_write_by_hand() -> None:
    messages = import_module("langchain_core.messages")
    load = import_module("langchain_core.load")
    said = [
        messages.SystemMessage("Be brief."),
        messages.HumanMessage("Weather in Hanoi?"),
        messages.AIMessage(
            "",
            tool_calls=[
                {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1"},
                {"name": "get_weather", "args": {"city": "Nowhere"}, "id": "c2"},
            ],
            invalid_tool_calls=[{"name": "get_time", "args": "{oops", "id": "c3", "error": "broken"}],
            usage_metadata={"input_tokens": 10, "output_tokens": 3, "total_tokens": 13},
        ),
        messages.ToolMessage('{"c": 31}', tool_call_id="c1", name="get_weather", artifact={"raw": 1}),
        messages.ToolMessage("no such city", tool_call_id="c2", status="error"),
        messages.AIMessage(
            [{"type": "text", "text": "31 degrees."}],
            usage_metadata={"input_tokens": 20, "output_tokens": 4, "total_tokens": 24},
        ),
    ]
    for record in (
        messages.messages_to_dict(said),
        load.dumpd(said),
        load.dumpd({"messages": said}),
        [message.model_dump() for message in said],
    ):
        plain = json.loads(json.dumps(record))
        assert LangchainReader.recognises(plain)
        found, lost = read(LangchainReader, plain)
        assert found == [EXPECTED]
        assert lost == UNREAD


@pytest.mark.deep
def test_a_real_graph_is_the_same_by_its_state_its_values_and_its_updates() -> None:
    messages = import_module("langchain_core.messages")
    load = import_module("langchain_core.load")
    tools = import_module("langchain_core.tools")
    graphs = import_module("langgraph.graph")
    prebuilt = import_module("langgraph.prebuilt")

    def get_weather(city: str) -> dict[str, int]:
        """The weather of a city."""
        if city == "Nowhere":
            raise ValueError("no such city")
        return {"c": 31}

    def agent(state: dict[str, Any]) -> dict[str, Any]:
        if len(state["messages"]) > 1:
            return {"messages": [messages.AIMessage("31 degrees.")]}
        cities = {"c1": "Hanoi", "c2": "Nowhere"}
        calls = [{"name": "get_weather", "args": {"city": city}, "id": id_} for id_, city in cities.items()]
        usage = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}
        return {"messages": [messages.AIMessage("", tool_calls=calls, usage_metadata=usage)]}

    def has_calls(state: dict[str, Any]) -> str:
        return "tools" if state["messages"][-1].tool_calls else str(graphs.END)

    graph = graphs.StateGraph(graphs.MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", prebuilt.ToolNode([tools.tool(get_weather)], handle_tool_errors="no such city"))
    graph.add_edge(graphs.START, "agent")
    graph.add_conditional_edges("agent", has_calls)
    graph.add_edge("tools", "agent")
    compiled = graph.compile()
    asked = {"messages": [messages.HumanMessage("Weather in Hanoi?")]}
    expected = replace(EXPECTED, calls=EXPECTED.calls[:2], usage=Usage(1, 10, 3), events=())

    def plain(value: object) -> Any:
        return json.loads(json.dumps(load.dumpd(value)))

    assert read_one(LangchainReader, plain(compiled.invoke(asked))) == expected
    assert read_one(LangchainReader, *map(plain, compiled.stream(asked, stream_mode="values"))) == expected
    updates = map(plain, compiled.stream(asked, stream_mode="updates"))
    assert read_one(LangchainReader, *updates) == replace(expected, input=None)


def test_a_state_says_its_case_and_agent() -> None:
    found, _ = read(LangchainReader, STATE, SNAPSHOT)
    assert found == [
        replace(EXPECTED, case="weather_1", agent="react", meta={"case_id": "weather_1", "agent": "react"}),
        replace(EXPECTED, case="weather_2"),
    ]


def test_a_state_that_goes_on_takes_the_place_of_the_one_before() -> None:
    states: list[JsonValue] = [{"messages": DUMPED[1:length]} for length in range(2, len(DUMPED) + 1)]
    found, _ = read(LangchainReader, *states, {"messages": [DUMPED[1]]})
    assert found == [EXPECTED, Trajectory(input="Weather in Hanoi?")]


def test_equal_conversations_without_ids_are_two_trials() -> None:
    record: JsonValue = [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello."}]
    found, lost = read(LangchainReader, record, record)
    assert len(found) == 2
    assert lost == {}


def test_updates_are_one_conversation_until_the_answer() -> None:
    found, _ = read(LangchainReader, *UPDATES, *UPDATES)
    assert found == [replace(EXPECTED, input=None)] * 2


def test_updates_of_threads_may_be_mixed() -> None:
    mixed: list[JsonValue] = []
    for update in UPDATES:
        for thread in ("t1", "t2"):
            mixed.append({"thread_id": thread, "metadata": {"case": thread}, **update})  # type: ignore[dict-item]
    found, _ = read(LangchainReader, *mixed)
    assert found == [replace(EXPECTED, case=name, input=None, meta={"case": name}) for name in ("t1", "t2")]


def test_older_messages_are_understood() -> None:
    assert read_one(LangchainReader, OLDER) == Trajectory(
        state="limit",
        calls=(
            Call("rain", {"city": "Hue"}, "c1", 1, result=[1, 2]),
            Call("rain", {}, None, 2, result="dry"),
        ),
        output="It is",
        usage=Usage(1, 5, 1),
        input="Rain?",
    )


def test_a_hand_off_is_an_event() -> None:
    found = read_one(
        LangchainReader,
        [
            {"type": "human", "content": "Hi"},
            {
                "type": "ai",
                "content": "",
                "name": "boss",
                "tool_calls": [{"name": "transfer_to_expert", "args": {}, "id": "c1"}],
            },
            {"type": "tool", "content": "done", "tool_call_id": "c1"},
            {"type": "ai", "content": "Hello.", "name": "expert"},
        ],
    )
    assert found.agent == "boss"
    assert found.events == ({"kind": "handoff", "to": "expert"},)


def test_tools_of_the_provider_belong_to_the_reply() -> None:
    found = read_one(
        LangchainReader,
        [
            {"type": "human", "content": "News?"},
            {
                "type": "ai",
                "content": [
                    {"type": "server_tool_call", "id": "s1", "name": "web_search", "args": {"query": "news"}},
                    {"type": "server_tool_result", "tool_call_id": "s1", "output": ["x"], "status": "success"},
                    {"type": "text", "text": "Nothing new."},
                ],
            },
        ],
    )
    assert found.calls == (Call("web_search", {"query": "news"}, "s1", 1, result=["x"]),)
    assert found.output == "Nothing new."


def test_what_is_broken_is_kept_as_far_as_it_goes() -> None:
    broken: list[JsonValue] = [
        {"type": "tool", "content": "x" * 1_000_000, "tool_call_id": "zz", "name": "lost"},
        {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": None}, {"name": "g", "args": {}}]},
        {"type": "tool", "content": "Error: no", "tool_call_id": None},
    ]
    found, lost = read(LangchainReader, broken, {"messages": []})
    assert [(call.tool, call.error) for call in found[0].calls] == [("lost", None), ("f", "Error: no"), ("g", None)]
    assert lost == {
        "a tool result belongs to no recorded call; the call is added without arguments": 1,
        "a call has no recorded result": 1,
        "a conversation without messages is left out": 1,
    }


def test_results_that_came_first_find_their_calls() -> None:
    found, lost = read(LangchainReader, [DUMPED[1], *DUMPED[3:5], DUMPED[2], DUMPED[5]])
    assert [(call.tool, call.args, call.result, call.error) for call in found[0].calls] == [
        ("get_weather", {"city": "Hanoi"}, {"c": 31}, None),
        ("get_weather", {"city": "Nowhere"}, None, "no such city"),
        ("get_time", {}, None, "broken"),
    ]
    assert lost == UNREAD


def test_other_records_are_not_recognised() -> None:
    others: list[JsonValue] = [
        [{"role": "user", "content": "x"}],
        [{"type": "message", "role": "user", "content": "x"}],
        {"messages": [{"role": "assistant", "type": "ai", "content": "x"}]},
        {"agent": {"messages": []}},
        [],
        None,
    ]
    assert not any(map(LangchainReader.recognises, others))
    assert all(map(LangchainReader.recognises, SAMPLES))


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_breaks_the_reader(seed: int) -> None:
    assert survives(LangchainReader, SAMPLES, seed)


def test_messages_one_a_line_are_divided_where_a_user_speaks_after_an_answer() -> None:
    messages: list[tuple[str, dict[str, JsonValue]]] = [
        ("SystemMessage", {"content": "Be brief."}),
        ("HumanMessage", {"content": "How warm?"}),
        ("AIMessage", {"content": "", "tool_calls": [{"name": "t", "args": {}, "id": "c1"}]}),
        ("ToolMessage", {"content": "31", "tool_call_id": "c1"}),
        ("AIMessage", {"content": "31 °C."}),
    ]
    lines: list[JsonValue] = [
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": fields}
        for name, fields in messages
    ]
    assert all(map(LangchainReader.recognises, lines))
    found, lost = read(LangchainReader, *lines, *lines)
    assert [(each.input, len(each.calls), each.output) for each in found] == [("How warm?", 1, "31 °C.")] * 2
    assert lost == {}
