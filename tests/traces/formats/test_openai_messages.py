"""Calls and results among the parts of messages, and other ways in which loggers write what OpenAI writes once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces.formats import BUILT_IN, built_in
from toolgauge.traces.formats.openai_chat import OpenAIChatReader

from .disturbance import convert
from .spoiling import read, read_one

EXPECTED = Trajectory(
    input="How warm?",
    calls=(
        Call("get_weather", {"city": "Hanoi"}, id="c1", turn=1, result={"celsius": 31}),
        Call("get_weather", {"city": "Nowhere"}, id="c2", turn=1, error="no such city"),
    ),
    output="31 °C.",
)

BEDROCK: list[JsonValue] = [
    {"role": "user", "content": [{"text": "How warm?"}]},
    {
        "role": "assistant",
        "content": [
            {"text": "Let me look."},
            {"toolUse": {"toolUseId": "c1", "name": "get_weather", "input": {"city": "Hanoi"}}},
            {"toolUse": {"toolUseId": "c2", "name": "get_weather", "input": {"city": "Nowhere"}}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"toolResult": {"toolUseId": "c2", "content": [{"text": "no such city"}], "status": "error"}},
            {"toolResult": {"toolUseId": "c1", "content": [{"json": {"celsius": 31}}], "status": "success"}},
        ],
    },
    {"role": "assistant", "content": [{"text": "31 °C."}]},
]


def vercel(arguments: str, output: str) -> list[JsonValue]:
    """Messages of one version of the AI SDK, which called arguments and results otherwise than the next."""
    newer = output == "output"
    answer: JsonValue = {"type": "json", "value": {"celsius": 31}} if newer else {"celsius": 31}
    failure: dict[str, JsonValue] = (
        {"output": {"type": "error-text", "value": "no such city"}}
        if newer
        else {"result": "no such city", "isError": True}
    )
    return [
        {"role": "user", "content": "How warm?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me look."},
                {"type": "tool-call", "toolCallId": "c1", "toolName": "get_weather", arguments: {"city": "Hanoi"}},
                {"type": "tool-call", "toolCallId": "c2", "toolName": "get_weather", arguments: {"city": "Nowhere"}},
            ],
        },
        {
            "role": "tool",
            "content": [
                {"type": "tool-result", "toolCallId": "c2", "toolName": "get_weather", **failure},
                {"type": "tool-result", "toolCallId": "c1", "toolName": "get_weather", output: answer},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "31 °C."}]},
    ]


@pytest.mark.parametrize("messages", [BEDROCK, vercel("args", "result"), vercel("input", "output")])
def test_calls_and_results_among_the_parts_are_read(messages: JsonValue) -> None:
    assert read_one(OpenAIChatReader, messages) == EXPECTED
    assert read_one(OpenAIChatReader, {"messages": messages}) == EXPECTED
    assert [name for name in BUILT_IN if built_in(name).recognises({"messages": messages})] == ["openai-chat"]


def test_a_logged_reply_of_bedrock_ends_the_conversation() -> None:
    record: JsonValue = {
        "messages": BEDROCK[:3],
        "response": {"output": {"message": BEDROCK[3]}, "stopReason": "end_turn", "usage": {"inputTokens": 9}},
    }
    found = read_one(OpenAIChatReader, record)
    assert (found.calls, found.output) == (EXPECTED.calls, EXPECTED.output)
    assert found.usage is not None
    assert found.usage.input_tokens == 9


def ask(*ids: JsonValue, **more: JsonValue) -> dict[str, Any]:
    calls = [{"id": each, "type": "function", "function": {"name": f"t{each}", "arguments": "{}"}} for each in ids]
    return {"role": "assistant", "tool_calls": calls, **more}


def answer(key: JsonValue, content: str) -> JsonValue:
    return {"role": "tool", "tool_call_id": key, "content": content}


QUESTION: JsonValue = {"role": "user", "content": "q"}
DONE: JsonValue = {"role": "assistant", "content": "done"}


def test_results_find_calls_whose_ids_are_numbers() -> None:
    found = read_one(OpenAIChatReader, [QUESTION, ask(1, 2), answer(2, "of t2"), answer(1, "of t1"), DONE])
    assert [(call.id, call.tool, call.result) for call in found.calls] == [("1", "t1", "of t1"), ("2", "t2", "of t2")]
    items: list[JsonValue] = [
        QUESTION,
        {"type": "function_call", "call_id": 1, "name": "a", "arguments": "{}"},
        {"type": "function_call", "call_id": 2, "name": "b", "arguments": "{}"},
        {"type": "function_call_output", "call_id": 2, "output": "of b"},
        {"type": "function_call_output", "call_id": 1, "output": "of a"},
    ]
    trajectories, _ = convert([items])
    assert [(call.tool, call.result) for call in trajectories[0].calls] == [("a", "of a"), ("b", "of b")]


def test_calls_as_a_text_are_calls() -> None:
    asks = ask("c1")
    asks["tool_calls"] = json.dumps(asks["tool_calls"])
    found = read_one(OpenAIChatReader, [QUESTION, asks, answer("c1", "31"), DONE])
    assert [(call.tool, call.result) for call in found.calls] == [("tc1", "31")]


def test_a_call_that_is_written_in_both_ways_is_one() -> None:
    asks = ask("c1", function_call={"name": "tc1", "arguments": "{}"})
    assert len(read_one(OpenAIChatReader, [QUESTION, asks, answer("c1", "31"), DONE]).calls) == 1


def rules(moment: int) -> JsonValue:
    return {"role": "system", "content": f"It is {moment} o'clock."}


def test_rules_that_change_with_every_request_do_not_divide_a_conversation() -> None:
    asks = ask("c1")
    found = read_one(
        OpenAIChatReader,
        {"request": {"messages": [rules(1), QUESTION]}, "response": {"choices": [{"message": asks}]}},
        {
            "request": {"messages": [rules(2), QUESTION, asks, answer("c1", "31")]},
            "response": {"choices": [{"message": DONE}]},
        },
    )
    assert (len(found.calls), found.output) == (1, "done")


def test_records_that_repeat_what_was_said_and_add_to_it_are_one_conversation() -> None:
    whole: list[JsonValue] = [rules(1), QUESTION, ask("c1"), answer("c1", "31"), DONE]
    other: list[JsonValue] = [{"role": "user", "content": "another"}, DONE]
    records: list[JsonValue] = [
        {"messages": whole[:2]},
        {"messages": other},
        {"messages": [rules(2), *whole[1:3]]},
        {"messages": whole[:4]},
        {"messages": whole},
    ]
    found, report = convert(records)
    assert report.lost == {}
    assert [(each.input, len(each.calls), each.output) for each in found] == [("another", 0, "done"), ("q", 1, "done")]


def test_equal_conversations_and_those_of_other_cases_stay_apart() -> None:
    assert len(read(OpenAIChatReader, [QUESTION], [QUESTION])[0]) == 2
    assert len(read(OpenAIChatReader, [QUESTION, DONE], [QUESTION, DONE, QUESTION, DONE])[0]) == 2
    assert (
        len(read(OpenAIChatReader, {"id": 1, "messages": [QUESTION]}, {"id": 2, "messages": [QUESTION, DONE]})[0]) == 2
    )
