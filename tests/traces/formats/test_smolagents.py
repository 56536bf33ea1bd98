"""Steps of agents of smolagents, as the library keeps them."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.smolagents import SmolagentsReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("smolagents")
QUESTION = "How warm is it in Hanoi?"
SAMPLES: list[JsonValue] = [REAL["tools"], REAL["code"], REAL["result"], *REAL["tools"]]


def test_an_agent_that_calls_tools() -> None:
    found = read_one(SmolagentsReader, REAL["tools"])
    assert found.calls == (
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31"),
        Call("get_weather", {"city": "Hue"}, "c2", 1, result="31"),
    )
    assert (found.input, found.output, found.usage) == (QUESTION, "31 °C.", Usage(2, 40, 16))
    assert found.latency_ms is not None


def test_an_agent_that_writes_code() -> None:
    found = read_one(SmolagentsReader, REAL["code"])
    assert [(call.tool, call.args) for call in found.calls] == [
        ("python_interpreter", {"code": "w = get_weather(city='Hanoi')\nprint(w)"})
    ]
    assert "31" in str(found.calls[0].result)
    assert (found.input, found.output) == (QUESTION, "31 °C.")


def test_the_result_of_a_run_and_steps_one_a_line() -> None:
    found = read_one(SmolagentsReader, {"case": "hanoi", "task": QUESTION, **REAL["result"]})
    assert (found.case, len(found.calls), found.output) == ("hanoi", 2, "31 °C.")
    spread, _ = convert([*REAL["tools"], *REAL["code"]])
    assert [(one.input, len(one.calls)) for one in spread] == [(QUESTION, 2), (QUESTION, 1)]


def test_a_task_without_images() -> None:
    bare: list[JsonValue] = [{key: step[key] for key in step if key != "task_images"} for step in REAL["tools"]]
    assert SmolagentsReader.recognises(bare)
    assert read_one(SmolagentsReader, bare) == read_one(SmolagentsReader, REAL["tools"])


def test_a_step_that_failed_is_a_failed_call() -> None:
    step = {**REAL["code"][1], "observations": None, "error": {"type": "AgentExecutionError", "message": "by zero"}}
    found = read_one(SmolagentsReader, [REAL["code"][0], step])
    assert (found.calls[0].error, found.state, found.error) == ("by zero", "error", "by zero")


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(SmolagentsReader, SAMPLES, seed)
