"""Messages of pydantic-ai become trajectories."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.pydantic_ai import PydanticAIReader

from .spoiling import read, read_one, survives


def request(*parts: JsonValue, **more: JsonValue) -> JsonValue:
    return {"kind": "request", "parts": [*parts], "instructions": "Be brief.", **more}


def response(*parts: JsonValue, **more: JsonValue) -> JsonValue:
    usage: JsonValue = {"input_tokens": 50, "output_tokens": 5, "details": {}}
    return {"kind": "response", "parts": [*parts], "usage": usage, "model_name": "m", **more}


def asks(tool: str, args: JsonValue, id_: str) -> JsonValue:
    return {"part_kind": "tool-call", "tool_name": tool, "args": args, "tool_call_id": id_}


def returns(tool: str, content: JsonValue, id_: str, outcome: str = "success") -> JsonValue:
    return {
        "part_kind": "tool-return",
        "tool_name": tool,
        "content": content,
        "tool_call_id": id_,
        "timestamp": "2026-01-02T03:04:06Z",
        "outcome": outcome,
    }


def text(content: str) -> JsonValue:
    return {"part_kind": "text", "content": content}


def user(content: JsonValue) -> JsonValue:
    return {"part_kind": "user-prompt", "content": content, "timestamp": "2026-01-02T03:04:05Z"}


RUN: JsonValue = [
    request({"part_kind": "system-prompt", "content": "Be kind."}, user("Weather in Hanoi?")),
    response(
        {"part_kind": "thinking", "content": "Hm."},
        text("Let me see."),
        asks("get_weather", {"city": "Hanoi"}, "c1"),
        asks("get_weather", '{"city": "Nowhere"}', "c2"),
    ),
    request(returns("get_weather", {"c": 31}, "c1"), returns("get_weather", "no such city", "c2", "retried")),
    response(text("31 degrees."), timestamp="2026-01-02T03:04:07Z"),
]

EXPECTED = Trajectory(
    calls=(
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}),
        Call("get_weather", {"city": "Nowhere"}, "c2", 1, error="no such city"),
    ),
    output="31 degrees.",
    latency_ms=2000.0,
    usage=Usage(2, 100, 10),
    input="Weather in Hanoi?",
)

OLDER: JsonValue = {
    "case_id": "weather_1",
    "agent": "helper",
    "metadata": {"git": "abc"},
    "messages": [
        {
            "kind": "request",
            "parts": [{"part_kind": "user-prompt", "content": ["Look:", {"kind": "image-url", "url": "…"}]}],
        },
        {
            "kind": "response",
            "parts": [asks("get_weather", '{"town": 1}', "c1")],
            "usage": {"requests": 1, "request_tokens": 7, "response_tokens": 2},
        },
        {
            "kind": "request",
            "parts": [
                {
                    "part_kind": "retry-prompt",
                    "tool_name": "get_weather",
                    "tool_call_id": "c1",
                    "content": [{"type": "missing", "loc": ["city"], "msg": "Field required"}],
                }
            ],
        },
        {"kind": "response", "parts": [text("")]},
        {"kind": "request", "parts": [{"part_kind": "retry-prompt", "tool_name": None, "content": "Say something."}]},
        {"kind": "response", "parts": [text("I do not"), text("know.")], "finish_reason": "length"},
    ],
}

STRUCTURED: JsonValue = [
    request(user("How warm?")),
    response(asks("final_result", {"degrees": "x"}, "f1")),
    request(returns("final_result", "not a number", "f1", "retried")),
    response(asks("submit", '{"degrees":31}', "f2"), asks("late", {}, "c9")),
    request(
        returns("submit", "Final result processed.", "f2"),
        returns("late", "Tool not executed - a final result was already processed.", "c9"),
    ),
]

BUILT_IN: JsonValue = [
    request(user("News?")),
    response(
        {"part_kind": "builtin-tool-call", "tool_name": "web_search", "args": {"query": "news"}, "tool_call_id": "b1"},
        {"part_kind": "builtin-tool-return", "tool_name": "web_search", "content": ["x"], "tool_call_id": "b1"},
        text("Nothing new."),
    ),
]

SINGLE: list[JsonValue] = [
    request(user("Hi"), conversation_id="k1", metadata={"case": "one"}),
    response(text("Hello."), conversation_id="k1"),
]

SAMPLES: list[JsonValue] = [RUN, OLDER, STRUCTURED, BUILT_IN, *SINGLE]


@pytest.mark.deep
def test_a_real_run_is_the_trajectory_that_one_would_write_by_hand() -> None:
    library = import_module("pydantic_ai")
    parts = import_module("pydantic_ai.messages")
    models = import_module("pydantic_ai.models.function")

    def reply(messages: list[Any], info: Any) -> Any:
        if len(messages) > 1:
            return parts.ModelResponse(parts=[parts.TextPart("31 degrees.")])
        calls = [
            parts.ToolCallPart("get_weather", {"city": "Hanoi"}, tool_call_id="c1"),
            parts.ToolCallPart("get_weather", '{"city": "Nowhere"}', tool_call_id="c2"),
        ]
        return parts.ModelResponse(parts=[parts.ThinkingPart("Hm."), parts.TextPart("Let me see."), *calls])

    def get_weather(city: str) -> dict[str, int]:
        if city == "Nowhere":
            raise library.ModelRetry("no such city")
        return {"c": 31}

    agent = library.Agent(models.FunctionModel(reply), system_prompt="Be kind.", instructions="Be brief.")
    agent.tool_plain(get_weather)
    run = agent.run_sync("Weather in Hanoi?")
    record = msgspec.json.decode(run.all_messages_json())
    assert PydanticAIReader.recognises(record)
    found = read_one(PydanticAIReader, record)
    assert found.latency_ms is not None
    assert replace(found, latency_ms=2000.0) == replace(
        EXPECTED, usage=Usage(run.usage.requests, run.usage.input_tokens, run.usage.output_tokens)
    )


@pytest.mark.deep
def test_a_real_structured_result_is_the_answer() -> None:
    library = import_module("pydantic_ai")
    models = import_module("pydantic_ai.models.test")

    def add(a: int, b: int) -> int:
        return a + b

    agent = library.Agent(models.TestModel(custom_output_args={"degrees": 31}), output_type=dict[str, int])
    agent.tool_plain(add)
    run = agent.run_sync("How warm?")
    found = read_one(PydanticAIReader, {"id": "s1", "messages": msgspec.json.decode(run.all_messages_json())})
    assert [(call.tool, call.args, call.result) for call in found.calls] == [("add", {"a": 0, "b": 0}, 0)]
    assert (found.case, found.output) == ("s1", '{"degrees":31}')
    assert run.output == {"degrees": 31}


def test_a_list_of_messages_is_one_trajectory() -> None:
    assert read_one(PydanticAIReader, RUN) == EXPECTED


def test_older_retries_and_usage_are_understood() -> None:
    found = read_one(PydanticAIReader, OLDER)
    reason = '[{"type":"missing","loc":["city"],"msg":"Field required"}]'
    assert found == Trajectory(
        case="weather_1",
        agent="helper",
        state="limit",
        calls=(
            Call(
                "get_weather",
                {"town": 1},
                "c1",
                1,
                result=[{"type": "missing", "loc": ["city"], "msg": "Field required"}],
                error=reason,
            ),
        ),
        output="I do not\n\nknow.",
        usage=Usage(1, 7, 2),
        events=({"kind": "retry", "reason": "Say something."},),
        input="Look:",
        meta={"git": "abc"},
    )


def test_the_tool_that_hands_in_a_result_is_no_call() -> None:
    assert read_one(PydanticAIReader, STRUCTURED) == Trajectory(
        calls=(Call("late", {}, "c9", 2, error="Tool not executed - a final result was already processed."),),
        output='{"degrees":31}',
        latency_ms=1000.0,
        usage=Usage(2, 100, 10),
        events=({"kind": "retry", "reason": "not a number"},),
        input="How warm?",
    )


def test_tools_of_the_provider_belong_to_the_reply() -> None:
    assert read_one(PydanticAIReader, BUILT_IN) == Trajectory(
        calls=(Call("web_search", {"query": "news"}, "b1", 1, result=["x"]),),
        output="Nothing new.",
        usage=Usage(1, 50, 5),
        input="News?",
    )


def test_messages_one_a_record_are_gathered_by_their_conversation() -> None:
    other = request(user("Bye"), conversation_id="k2")
    found, lost = read(PydanticAIReader, SINGLE[0], other, SINGLE[1])
    assert [(item.case, item.input, item.output) for item in found] == [("one", "Hi", "Hello."), ("", "Bye", None)]
    assert lost == {}


def test_what_is_broken_is_kept_as_far_as_it_goes() -> None:
    found, lost = read(
        PydanticAIReader,
        [
            request(user("Hi"), returns("lost", "x" * 1_000_000, "zz")),
            response(asks("f", "{oops", "c1"), asks("f", "{oops", "c1"), {"part_kind": "tool-call", "tool_name": "g"}),
            request({"part_kind": "tool-return", "content": "Error: no"}),
        ],
        [],
        [request()],
    )
    assert [(call.tool, call.args, call.error) for call in found[0].calls] == [
        ("lost", None, None),
        ("f", {}, "Error: no"),
        ("g", None, None),
    ]
    assert len(found) == 1
    assert lost == {
        "the arguments of a call are not a JSON object; the call is kept without them": 2,
        "a call was recorded twice with the same id; the second one is left out": 1,
        "a tool result belongs to no recorded call; the call is added without arguments": 1,
        "a call has no recorded result": 1,
        "a conversation without messages is left out": 2,
    }


def test_other_records_are_not_recognised() -> None:
    others: list[JsonValue] = [[{"kind": "request"}], {"parts": []}, {"messages": [{"role": "user"}]}, [], {}, None]
    assert not any(map(PydanticAIReader.recognises, others))
    assert all(map(PydanticAIReader.recognises, SAMPLES))


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_breaks_the_reader(seed: int) -> None:
    assert survives(PydanticAIReader, SAMPLES, seed)
