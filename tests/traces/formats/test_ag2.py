"""Events that AG2 wrote: those of a run of version 0, and the log of version 1."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.ag2 import Ag2Reader
from toolgauge.traces.formats.autogen import AutogenReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("ag2")
QUESTION = "How warm is it in Hanoi?"
CALLS = (
    Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31"),
    Call("get_weather", {"city": "Atlantis"}, "c2", 1, error="Error: no such city"),
)
SPENT = Usage(None, 40, 16, 7.2e-05)


@pytest.mark.parametrize("records", [[REAL["events"]], REAL["events"], [{"events": REAL["events"]}]])
def test_events_of_a_run(records: list[JsonValue]) -> None:
    found = read_one(Ag2Reader, *records)
    assert (found.calls, found.input, found.output) == (CALLS, QUESTION, "31 °C.")
    assert (found.agent, found.usage) == ("weather", SPENT)


def test_runs_one_after_the_other() -> None:
    found, report = convert([*REAL["events"], *REAL["events"]])
    assert [one.calls for one in found] == [CALLS, CALLS]
    assert list(report.formats) == [Ag2Reader.title]


def test_an_event_that_is_missing_leaves_what_the_response_says() -> None:
    events = [event for event in REAL["events"] if event["type"] != "executed_function"]
    assert read_one(Ag2Reader, events).calls == CALLS


@pytest.mark.parametrize("records", [[REAL["log"]], REAL["log"]])
def test_the_log_of_a_stream(records: list[JsonValue]) -> None:
    found, report = convert(records)
    assert (len(found), report.lost, list(report.formats)) == (1, {}, [Ag2Reader.title])
    assert found[0].calls[0] == CALLS[0]
    assert (found[0].calls[1].id, found[0].calls[1].error) == ("c2", "no such city")
    assert (found[0].input, found[0].output, found[0].usage) == (QUESTION, "31 °C.", Usage(2, 40, 16))
    assert found[0].latency_ms is not None


def test_data_that_a_tool_returned() -> None:
    part: JsonValue = {"__event__": "ag2.events.input_events.DataInput", "data": {"celsius": 31}}
    data: JsonValue = {"parent_id": "c1", "name": "get_weather", "result": {"data": {"parts": [part]}}}
    returned: JsonValue = {"type": "ag2.events.tool_events.ToolResultEvent", "data": data}
    found, _ = convert([[*REAL["log"][:3], returned]])
    assert found[0].calls[0].result == {"celsius": 31}


@pytest.mark.parametrize("key", ["chat02", "chat", "run"])
def test_the_result_of_a_chat_is_read_as_one_of_autogen(key: str) -> None:
    found, report = convert([REAL[key]])
    assert [(one.calls, one.input, one.output, one.usage) for one in found] == [(CALLS, QUESTION, "31 °C.", SPENT)]
    assert list(report.formats) == [AutogenReader.title]


SAMPLES: list[JsonValue] = [REAL["events"], *REAL["events"], REAL["log"], *REAL["log"]]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(Ag2Reader, SAMPLES, seed)
