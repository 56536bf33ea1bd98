"""Calls that are recorded several times over count once: in streams, in wrappers, and after empty answers."""

from __future__ import annotations

import pytest

from toolgauge.core import JsonValue
from toolgauge.traces.formats.openai_chat import OpenAIChatReader
from toolgauge.traces.formats.openai_responses import OpenAIResponsesReader

from .disturbance import convert
from .spoiling import read, read_one

ASKED: JsonValue = {"role": "user", "content": "How warm is it?"}
CUSTOM: dict[str, JsonValue] = {
    "type": "custom_tool_call",
    "id": "ctc_1",
    "call_id": "c1",
    "name": "shell",
    "input": "date",
    "status": "completed",
}
SAID: dict[str, JsonValue] = {
    "type": "message",
    "id": "m1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "31"}],
}


def stream(*items: dict[str, JsonValue], numbered: bool = True, last: bool = True) -> list[JsonValue]:
    """The events by which a response is streamed."""
    response: dict[str, JsonValue] = {"id": "r1", "object": "response", "status": "in_progress", "output": []}
    events: list[dict[str, JsonValue]] = [{"type": "response.created", "response": response}]
    for index, item in enumerate(items):
        empty = {**item, "input": ""} if "input" in item else {**item, "content": []}
        events.append({"type": "response.output_item.added", "output_index": index, "item": empty})
        if "input" in item:
            delta = {"output_index": index, "item_id": item["id"], "delta": item["input"]}
            events.append({"type": "response.custom_tool_call_input.delta", **delta})
            events.append({"type": "response.custom_tool_call_input.done", "output_index": index, "input": "date"})
        else:
            events.append({"type": "response.output_text.delta", "output_index": index, "delta": "31"})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    if last:
        whole: JsonValue = {**response, "status": "completed", "output": [*items]}
        events.append({"type": "response.completed", "response": whole})
    return [{**event, "sequence_number": number} if numbered else {**event} for number, event in enumerate(events)]


@pytest.mark.parametrize("numbered", [True, False])
def test_a_custom_tool_call_in_a_stream_counts_once(numbered: bool) -> None:
    found, report = convert(stream(CUSTOM, SAID, numbered=numbered))
    assert [[(call.tool, call.args) for call in one.calls] for one in found] == [[("shell", {"input": "date"})]]
    assert found[0].output == "31"
    assert list(report.formats) == [OpenAIResponsesReader.title]


@pytest.mark.parametrize("kept", [3, 4, 5, 8])
def test_of_a_stream_that_was_cut_off_all_is_read_that_came(kept: int) -> None:
    found, _ = read(OpenAIResponsesReader, *stream(CUSTOM, SAID, last=False)[:kept])
    assert [(call.tool, call.args) for call in found[0].calls] == [("shell", {"input": "date"})]
    assert found[0].output == ("31" if kept == 8 else None)


def test_two_streams_of_which_the_first_was_cut_off() -> None:
    later = stream({**CUSTOM, "call_id": "c2"})
    for event in later:
        if isinstance(event, dict) and isinstance(event.get("response"), dict):
            event["response"]["id"] = "r2"  # type: ignore[index,call-overload]  # an object, as was found
    found, _ = read(OpenAIResponsesReader, *stream(CUSTOM, last=False), *later)
    assert [[call.id for call in one.calls] for one in found] == [["c1"], ["c2"]]


def test_a_logged_request_whose_reply_is_a_list_of_events() -> None:
    found, _ = read(OpenAIResponsesReader, {"request": {"input": [ASKED]}, "response": stream(CUSTOM)})
    assert (found[0].input, [call.tool for call in found[0].calls]) == ("How warm is it?", ["shell"])


@pytest.mark.parametrize("content", [[], "", [{"type": "output_text", "text": ""}], None])
def test_an_empty_answer_does_not_split_a_conversation(content: JsonValue) -> None:
    empty: JsonValue = {"type": "message", "role": "assistant", "content": content}
    call: JsonValue = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
    result: JsonValue = {"type": "function_call_output", "call_id": "c1", "output": "31"}

    def response(*output: JsonValue) -> JsonValue:
        return {"object": "response", "output": list(output)}

    found = read_one(
        OpenAIResponsesReader,
        {"request": {"input": [ASKED]}, "response": response(empty, call)},
        {"request": {"input": [ASKED, call, result]}, "response": response(SAID)},
    )
    assert ([call.tool for call in found.calls], found.output) == (["f"], "31")


USES: JsonValue = [
    {"recipient_name": "functions.get_weather", "parameters": {"city": "Hanoi"}},
    {"recipient_name": "functions.get_weather", "parameters": {"city": "Hue"}},
]
WRAPPER: JsonValue = {
    "type": "function_call",
    "call_id": "w",
    "name": "multi_tool_use.parallel",
    "arguments": {"tool_uses": USES},
}


def inner(key: str, city: str) -> JsonValue:
    return {"type": "function_call", "call_id": key, "name": "get_weather", "arguments": f'{{"city": "{city}"}}'}


def output(key: str, value: str) -> JsonValue:
    return {"type": "function_call_output", "call_id": key, "output": value}


ITEMS: list[list[JsonValue]] = [
    [WRAPPER, output("w", "[31, 33]")],
    [WRAPPER, inner("a", "Hanoi"), inner("b", "Hue"), output("a", "31"), output("b", "33")],
    [inner("a", "Hanoi"), inner("b", "Hue"), WRAPPER, output("a", "31"), output("b", "33")],
    [WRAPPER, inner("a", "Hanoi"), inner("b", "Hue"), output("w", "ok"), output("a", "31"), output("b", "33")],
]


@pytest.mark.parametrize("items", ITEMS)
def test_calls_in_a_wrapper_count_once_each_and_the_wrapper_not_at_all(items: list[JsonValue]) -> None:
    found = read_one(OpenAIResponsesReader, [ASKED, *items])
    assert [(call.tool, call.args) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}),
        ("get_weather", {"city": "Hue"}),
    ]
    if len(items) < 6:
        assert [str(call.result) for call in found.calls] == ["31", "33"]


def test_a_wrapper_among_chat_messages() -> None:
    function: JsonValue = {
        "name": "multi_tool_use.parallel",
        "arguments": '{"tool_uses": [{"recipient_name": "functions.f", "parameters": {"a": 1}}]}',
    }
    messages: list[JsonValue] = [
        ASKED,
        {"role": "assistant", "tool_calls": [{"id": "w", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "w", "content": "31"},
        {"role": "assistant", "content": "31"},
    ]
    found, _ = convert([{"messages": messages}, {"messages": messages}])
    assert [[(call.tool, call.args, call.result) for call in one.calls] for one in found] == [
        [("f", {"a": 1}, "31")]
    ] * 2
    assert read_one(OpenAIChatReader, {"messages": messages}).output == "31"
