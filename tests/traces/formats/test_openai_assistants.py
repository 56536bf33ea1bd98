"""Threads of OpenAI's Assistants, built of the types of its client."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.openai_assistants import OpenAIAssistantsReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("assistants")
ITEMS: list[JsonValue] = [*REAL["messages"]["data"], *REAL["steps"]["data"], REAL["run"]]
EXPECTED = Trajectory(
    "hanoi",
    calls=(
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31"),
        Call("code_interpreter", {"code": "print(31)"}, "c2", 1, result="31"),
    ),
    output="31 °C.",
    input="How warm is it in Hanoi?",
    usage=Usage(2, 40, 16),
    meta={"case": "hanoi"},
)
SAMPLES: list[JsonValue] = [REAL, *REAL.values(), *ITEMS, ITEMS]


@pytest.mark.parametrize("records", [[REAL], [*REAL.values()], ITEMS, ITEMS[::-1], [ITEMS]])
def test_a_thread_in_whichever_pieces(records: list[JsonValue]) -> None:
    assert read_one(OpenAIAssistantsReader, *records) == EXPECTED


def test_threads_are_told_apart() -> None:
    other = [{**item, "thread_id": "thread_2", "id": f"{item['id']}b"} for item in ITEMS if isinstance(item, dict)]
    found, _ = convert([record for pair in zip(ITEMS, other, strict=True) for record in pair])
    assert [one.input for one in found] == ["How warm is it in Hanoi?"] * 2


def test_events_of_a_stream_name_what_they_hold() -> None:
    events: list[JsonValue] = []
    for item in ITEMS:
        assert isinstance(item, dict)
        events += [{"event": f"{item['object']}.{state}", "data": {**item}} for state in ("created", "completed")]
    found, report = convert([*events, {"event": "thread.message.delta", "data": {"object": "thread.message.delta"}}])
    assert found[:1] == [EXPECTED]
    assert list(report.formats) == [OpenAIAssistantsReader.title]


def test_a_run_that_waits_for_results_or_failed() -> None:
    call: JsonValue = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    action: JsonValue = {"type": "submit_tool_outputs", "submit_tool_outputs": {"tool_calls": [call]}}
    waiting, _ = convert([{**REAL["run"], "status": "requires_action", "required_action": action}])
    assert [call.tool for call in waiting[0].calls] == ["f"]
    error: JsonValue = {"code": "server_error", "message": "broken"}
    failed, _ = convert([ITEMS[1], {**REAL["run"], "status": "failed", "last_error": error}])
    assert (failed[0].state, failed[0].error) == ("error", "broken")
    expired, _ = convert([ITEMS[1], {**REAL["run"], "status": "expired"}])
    assert expired[0].state == "timeout"


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(OpenAIAssistantsReader, SAMPLES, seed)
