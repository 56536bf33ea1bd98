"""Messages of AutoGen: events that the library wrote, and dicts of its version 0.2."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.autogen import AutogenReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("autogen")
QUESTION = "How warm is it in Hanoi?"
CALL: JsonValue = {
    "id": "c1",
    "type": "function",
    "function": {"name": "get_weather", "arguments": '{"city": "Hanoi"}'},
}
OLDER: list[JsonValue] = [
    {"content": QUESTION, "role": "assistant", "name": "user_proxy"},
    {"content": None, "tool_calls": [CALL], "role": "assistant", "name": "weather"},
    {
        "content": "31",
        "tool_responses": [{"tool_call_id": "c1", "role": "tool", "content": "31"}],
        "role": "tool",
        "name": "user_proxy",
    },
    {"content": "31 °C. TERMINATE", "role": "user", "name": "weather"},
]
"""A chat as the one who asks sees it, so that the roles are the wrong way round."""

RESULT: JsonValue = {"chat_id": 1, "chat_history": OLDER, "summary": "31 °C.", "cost": {}, "human_input": []}
SAMPLES: list[JsonValue] = [REAL["task"], REAL["task"]["messages"], REAL["state"], REAL["swarm"], OLDER, RESULT]
CALLS = (
    Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31"),
    Call("get_weather", {"city": "Atlantis"}, "c2", 1, error="no such city"),
)


def test_the_result_of_a_task() -> None:
    found = read_one(AutogenReader, REAL["task"])
    assert (found.calls, found.output, found.input, found.agent) == (CALLS, "31 °C.", QUESTION, "weather")
    assert found.usage == Usage(2, 40, 16)


def test_what_an_agent_keeps_for_models() -> None:
    found = read_one(AutogenReader, REAL["state"])
    assert (found.calls, found.output, found.input) == (CALLS, "31 °C.", QUESTION)


def test_a_handoff_in_a_swarm() -> None:
    found = read_one(AutogenReader, REAL["swarm"])
    assert [call.tool for call in found.calls] == ["transfer_to_expert", "get_weather"]
    assert found.events == ({"kind": "handoff", "from": "front", "to": "expert"},)
    assert (found.agent, found.output) == ("front", "31 °C.")


@pytest.mark.parametrize("record", [OLDER, {"messages": OLDER}, RESULT])
def test_dicts_of_version_0_2(record: JsonValue) -> None:
    found, report = convert([record])
    assert [(one.calls, one.output, one.input) for one in found] == [(CALLS[:1], "31 °C.", QUESTION)]
    assert list(report.formats) == [AutogenReader.title]


def test_a_last_message_that_only_ends_the_chat_is_no_answer() -> None:
    ends: JsonValue = {"content": "TERMINATE", "role": "user", "name": "weather"}
    said: JsonValue = {"content": "31 °C.", "role": "user", "name": "weather"}
    assert read_one(AutogenReader, [*OLDER[:3], said, ends]).output == "31 °C."


@pytest.mark.parametrize("key", ["task", "swarm"])
def test_events_one_a_line(key: str) -> None:
    found, report = convert(REAL[key]["messages"])
    assert [(len(one.calls), one.input, one.output) for one in found] == [(2, QUESTION, "31 °C.")]
    assert list(report.formats) == [AutogenReader.title]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(AutogenReader, SAMPLES, seed)
