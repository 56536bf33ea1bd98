"""Trajectories of ATIF, after its published schema."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.atif import AtifReader

from .disturbance import convert
from .spoiling import read_one, survives

QUESTION = "How warm is it in Hanoi?"
CALLED: dict[str, JsonValue] = {
    "step_id": 3,
    "timestamp": "2026-01-02T03:04:06Z",
    "source": "agent",
    "model_name": "m",
    "message": "I look.",
    "reasoning_content": "Which city?",
    "tool_calls": [
        {"tool_call_id": "c1", "function_name": "get_weather", "arguments": {"city": "Hanoi"}},
        {"tool_call_id": "c2", "function_name": "get_time", "arguments": {}},
    ],
    "observation": {
        "results": [{"source_call_id": "c2", "content": "3:04"}, {"source_call_id": "c1", "content": "31"}],
    },
    "metrics": {"prompt_tokens": 20, "completion_tokens": 8, "cost_usd": 0.001},
}
RUN: dict[str, JsonValue] = {
    "schema_version": "ATIF-v1.4",
    "session_id": "s1",
    "agent": {"name": "terminus-2", "version": "1.0", "model_name": "m"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "Be helpful.", "timestamp": "2026-01-02T03:04:05Z"},
        {"step_id": 2, "source": "user", "message": QUESTION},
        CALLED,
        {"step_id": 4, "timestamp": "2026-01-02T03:04:07Z", "source": "agent", "message": "31 °C."},
    ],
    "final_metrics": {"total_prompt_tokens": 20, "total_completion_tokens": 8, "total_cost_usd": 0.001},
}
SAMPLES: list[JsonValue] = [RUN, {"steps": RUN["steps"]}]


def test_a_trajectory() -> None:
    assert read_one(AtifReader, RUN) == Trajectory(
        "s1",
        "terminus-2",
        calls=(
            Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31"),
            Call("get_time", {}, "c2", 1, result="3:04"),
        ),
        output="31 °C.",
        input=QUESTION,
        latency_ms=2000.0,
        usage=Usage(1, 20, 8, 0.001),
    )


def test_an_observation_that_names_no_call_belongs_to_the_step() -> None:
    observed: JsonValue = {"results": [{"content": [{"type": "text", "text": "31"}]}]}
    asked: list[JsonValue] = [{"tool_call_id": "c1", "function_name": "get_weather", "arguments": {"city": "Hanoi"}}]
    step: JsonValue = {**CALLED, "tool_calls": asked, "observation": observed}
    found, report = convert([{**RUN, "task_id": "hanoi", "trial": 2, "steps": [step]}])
    assert [(one.case, one.trial, one.calls[0].result) for one in found] == [("hanoi", 2, "31")]
    assert list(report.formats) == [AtifReader.title]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(AtifReader, SAMPLES, seed)
