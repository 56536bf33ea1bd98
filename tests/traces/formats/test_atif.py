"""Trajectories of ATIF that Harbor wrote and made of the logs of agents, and more after its published schema."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.atif import AtifReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("atif")
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
SAMPLES: list[JsonValue] = [RUN, {"steps": RUN["steps"]}, *REAL.values()]


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


def test_what_terminus_2_wrote() -> None:
    found = read_one(AtifReader, REAL["terminus_2"])
    assert [(call.tool, call.args, call.turn) for call in found.calls] == [
        ("bash_command", {"keystrokes": "ls\n", "duration": 0.5}, 1),
        ("bash_command", {"keystrokes": "cat missing.txt\n", "duration": 0.5}, 1),
        ("mark_task_complete", {}, 2),
        ("mark_task_complete", {}, 3),
    ]
    shown = [str(call.result) for call in found.calls[:2]]
    assert shown[0] == shown[1]
    assert "a.txt" in shown[0]
    assert "No such file" in shown[0]
    assert (found.agent, found.usage) == ("terminus-2", Usage(3, 60, 24))
    assert (found.input or "").endswith("Which files are there?")


def test_what_harbor_made_of_a_session_of_claude_code() -> None:
    found = read_one(AtifReader, REAL["claude_code"])
    assert found.calls == (
        Call("Bash", {"command": "ls"}, "c1", 1, result="a.txt"),
        Call("Read", {"file_path": "/workspace/missing.txt"}, "c2", 1, error=found.calls[1].error),
    )
    assert (found.calls[1].error or "").startswith("File does not exist.")
    assert (found.case, found.agent, found.usage) == ("s1", "claude-code", Usage(2, 40, 16))
    assert (found.input, found.output, found.latency_ms) == ("Which files are there?", "There is a.txt.", 3000.0)


def test_what_harbor_made_of_a_session_of_gemini_cli() -> None:
    found = read_one(AtifReader, REAL["gemini_cli"])
    # Harbor leaves out what a failed call of Gemini CLI answered.
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("list_directory", {"dir_path": "."}, "Directory listing for /workspace:\na.txt (2 bytes)"),
        ("read_file", {"file_path": "missing.txt"}, None),
    ]
    assert (found.input, found.output, found.usage) == ("Which files are there?", "There is a.txt.", Usage(2, 40, 16))


def test_what_harbor_made_of_trajectories_of_mini_swe_agent() -> None:
    (found,), lost = read(AtifReader, REAL["mini_swe_agent"])
    printed = {"returncode": 1, "output": "cat: missing.txt: No such file or directory\n"}
    assert [(call.tool, call.id, call.result) for call in found.calls] == [
        ("bash", "c1", {"returncode": 0, "output": "a.txt\n"}),
        ("bash", "c2", printed),
        ("bash", "c3", None),
    ]
    # That a call was sent back is told without the call.
    assert lost == {
        "a tool result belongs to no call and names no tool; it is left out": 1,
        "a call has no recorded result": 1,
    }


def test_commands_in_words_are_calls_where_a_shell_answers() -> None:
    (found,), lost = read(AtifReader, REAL["mini_swe_agent_text"])
    assert [(call.tool, call.turn, call.result, call.error) for call in found.calls] == [
        ("bash", 1, "a.txt", None),
        ("bash", 2, "cat: missing.txt: No such file or directory", "the command ended with code 1"),
        ("bash", 3, None, None),
    ]
    assert [call.args for call in found.calls[:2]] == [{"command": "ls"}, {"command": "cat missing.txt"}]
    assert (found.usage, lost) == (Usage(3, 60, 24), {"a call has no recorded result": 1})


def test_tokens_of_the_whole_where_no_step_has_any() -> None:
    steps: list[JsonValue] = [
        {key: step[key] for key in step if key != "metrics"} for step in REAL["claude_code"]["steps"]
    ]
    assert read_one(AtifReader, {**REAL["claude_code"], "steps": steps}).usage == Usage(None, 40, 16)


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
