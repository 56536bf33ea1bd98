"""Trajectories keep the order of the file and the numbers of their trials, whatever their format."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces import read_traces
from toolgauge.traces.context import ReadContext
from toolgauge.traces.formats.conversations import Exchanges, ExchangeUsage, InFileOrder, LoggedConversation
from toolgauge.traces.formats.openai_chat import OpenAIChatReader

from .formats.spoiling import read


def asked(question: str) -> JsonValue:
    return {"role": "user", "content": question}


def called(question: str) -> list[JsonValue]:
    """A conversation that ends in the result of a tool."""
    function: JsonValue = {"name": "get_weather", "arguments": '{"city":"Hanoi"}'}
    return [
        asked(question),
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": "31"},
    ]


def answered(question: str) -> list[JsonValue]:
    return [asked(question), {"role": "assistant", "content": "31"}]


def written(tmp_path: Path, *records: JsonValue) -> list[Trajectory]:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, records)))
    return list(read_traces(path))


def test_a_conversation_that_ends_in_a_result_keeps_its_place(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        {"messages": answered("1")},
        {"messages": called("2")},
        {"messages": answered("3")},
        {"messages": called("4")},
        {"messages": answered("5")},
    )
    assert [one.input for one in found] == ["1", "2", "3", "4", "5"]


def test_exchanges_among_whole_conversations_keep_their_places(tmp_path: Path) -> None:
    reply: JsonValue = {"choices": [{"message": {"role": "assistant", "content": "31"}}]}
    found = written(
        tmp_path,
        {"messages": [asked("1")], "response": reply},
        {"messages": answered("2")},
        {"messages": [asked("3")], "response": reply},
        {"messages": answered("4")},
    )
    assert [one.input for one in found] == ["1", "2", "3", "4"]


def test_anthropic_exchanges_keep_their_places(tmp_path: Path) -> None:
    blocks: list[JsonValue] = [{"type": "tool_use", "id": "c1", "name": "get_weather", "input": {}}]
    reply: JsonValue = {"type": "message", "role": "assistant", "stop_reason": "tool_use", "content": blocks}
    found = written(
        tmp_path,
        {"messages": [asked("1")], "response": reply},
        {"messages": [asked("2"), {"role": "assistant", "content": blocks}]},
    )
    assert [one.input for one in found] == ["1", "2"]


def test_a_conversation_that_continues_stands_where_it_ends() -> None:
    first = called("1")
    later: list[JsonValue] = [*first, {"role": "assistant", "content": "31 °C."}]
    found, _ = read(OpenAIChatReader, {"messages": first}, {"messages": answered("2")}, {"messages": later})
    assert [(one.input, one.output) for one in found] == [("2", "31"), ("1", "31 °C.")]


def test_what_waits_is_bounded() -> None:
    context = ReadContext()
    exchanges = Exchanges(context)

    def build(logged: LoggedConversation) -> object:
        return iter([Trajectory(case=f"open {logged.number}")])

    order = InFileOrder(context, exchanges, build, max_bytes=100)  # type: ignore[arg-type]  # an iterator it is
    context.number, context.size = 1, 10
    assert list(exchanges.add({}, ["a"], [], ExchangeUsage())) == []
    names: list[str] = []
    for number in range(2, 20):
        context.number = number
        names += [one.case for one in order.add([Trajectory(case=str(number))])]
    assert names == ["open 1", *map(str, range(2, 20))]
    assert list(order.finish()) == []


@pytest.mark.parametrize("place", ["record", "metadata"])
@pytest.mark.parametrize("messages", [answered("1"), called("1")])
def test_the_trial_of_a_chat_record_is_kept(messages: list[JsonValue], place: str, tmp_path: Path) -> None:
    said: list[dict[str, JsonValue]] = [{"trial": 2}, {"trial": 0}]
    records: list[JsonValue] = [
        {"case": "a", "messages": messages, **(each if place == "record" else {"metadata": {**each}})} for each in said
    ]
    found = written(tmp_path, {"case": "a", "messages": answered("0")}, *records)
    assert [one.trial for one in found] == [-1, 2, 0]


SAID: list[JsonValue] = [
    {"trial": 3, "items": [asked("1"), {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]},
    {"trial": "3", "messages": [asked("1"), {"role": "assistant", "content": [{"type": "thinking", "thinking": ""}]}]},
    {"trial_number": 3, "messages": [{"type": "human", "content": "1"}, {"type": "ai", "content": "2"}]},
    {"trial": 3, "messages": [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "1"}]}]},
    {"trial": 3, "input": "1", "new_items": [], "final_output": "2"},
]


@pytest.mark.parametrize("record", SAID)
def test_the_trial_of_records_of_other_vendors_is_kept(record: JsonValue, tmp_path: Path) -> None:
    assert [one.trial for one in written(tmp_path, record, record)] == [3, 3]
