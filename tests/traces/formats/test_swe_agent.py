"""Trajectory files of SWE-agent and mini-swe-agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces import ImportReport, ReadOptions, read_traces
from toolgauge.traces.formats.swe_agent import SweAgentReader

from .recorded import recorded
from .spoiling import survives

REAL = recorded("swe_agent")
QUESTION = "Please solve this issue: Which files are there?"
MISSING = "cat: missing.txt: No such file or directory"
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo There is a.txt."
SWE: dict[str, JsonValue] = {
    "environment": "swe_main",
    "trajectory": [
        {
            "action": "ls -F\n",
            "observation": "a.py\n",
            "response": "I look.\n```\nls -F\n```",
            "thought": "I look.",
            "execution_time": 0.25,
            "state": {"working_dir": "/repo"},
        },
        {"action": "cat b.py", "observation": "Error: no such file", "response": "", "thought": ""},
        {"action": "", "observation": "", "response": "hm", "thought": "hm"},
        {"action": "submit", "observation": "diff", "response": "", "thought": ""},
    ],
    "history": [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "A demonstration", "is_demo": True},
        {"role": "user", "content": "Fix the bug."},
    ],
    "info": {
        "exit_status": "submitted",
        "submission": "diff --git a b",
        "model_stats": {"instance_cost": 0.5, "tokens_sent": 900, "tokens_received": 50, "api_calls": 4},
    },
}


def read(path: Path, value: JsonValue, name: str = "a.traj") -> tuple[list[Trajectory], ImportReport]:
    report = ImportReport()
    (path / name).write_text(json.dumps(value, indent=1), encoding="utf-8")
    return list(read_traces(path / name, ReadOptions(report=report))), report


def test_what_swe_agent_wrote(tmp_path: Path) -> None:
    (found,), report = read(tmp_path, REAL["swe"])
    assert found.calls == (
        Call("bash", {"command": "ls"}, turn=1, result="a.txt\n"),
        Call("bash", {"command": "cat missing.txt"}, turn=2, result=f"{MISSING}\n"),
        Call("bash", {"command": "submit"}, turn=3, result="There is a.txt."),
    )
    assert found.input == "ISSUE:\nWhich files are there?\n(Current directory: /workspace)\nbash-$"
    assert (found.output, found.state, report.lost) == ("There is a.txt.", "completed", {})


@pytest.mark.parametrize(("key", "end"), [("mini1", ""), ("mini2_text", "\n")])
def test_commands_that_mini_swe_agent_found_in_texts(key: str, end: str, tmp_path: Path) -> None:
    (found,), report = read(tmp_path, REAL[key], "a.traj.json")
    failed = Call("bash", {"command": "cat missing.txt"}, turn=2, result=f"{MISSING}{end}", error=found.calls[1].error)
    assert found.calls == (
        Call("bash", {"command": "ls"}, turn=1, result=f"a.txt{end}"),
        failed,
        Call("bash", {"command": SUBMIT}, turn=3, result="There is a.txt.\n"),
    )
    assert failed.error == "the command ended with code 1"
    assert (found.input, found.output, found.usage) == (QUESTION, "There is a.txt.\n", Usage(3, 60, 24, 0.0))
    assert (found.latency_ms is not None, report.lost) == (True, {})


@pytest.mark.parametrize("key", ["mini2", "mini2_responses"])
def test_calls_of_mini_swe_agent_by_an_interface(key: str, tmp_path: Path) -> None:
    (found,), report = read(tmp_path, REAL[key], "a.traj.json")
    code = "the command ended with code 1"
    assert found.calls == (
        Call("bash", {"command": "ls"}, "c1", 1, result="a.txt\n"),
        Call("bash", {"command": "cat missing.txt"}, "c2", 1, result=f"{MISSING}\n", error=code),
        Call("get_weather", {"city": "Hanoi"}, "c9", 2, error=found.calls[2].error),
        Call("bash", {"command": SUBMIT}, "c3", 3, result="There is a.txt.\n"),
    )
    assert "Unknown tool 'get_weather'" in (found.calls[2].error or "")
    assert (found.input, found.output, found.usage) == (QUESTION, "There is a.txt.\n", Usage(3, 60, 24, 0.0))
    assert report.lost == {}


def test_the_actions_of_swe_agent_are_calls_of_a_shell(tmp_path: Path) -> None:
    (found,), report = read(tmp_path, SWE)
    assert found.calls == (
        Call("bash", {"command": "ls -F"}, turn=1, result="a.py\n", duration_ms=250.0),
        Call("bash", {"command": "cat b.py"}, turn=2, error="Error: no such file"),
        Call("bash", {"command": "submit"}, turn=4, result="diff"),
    )
    assert (found.input, found.output, found.state) == ("Fix the bug.", "diff --git a b", "completed")
    assert found.usage == Usage(4, 900, 50, 0.5)
    assert report.formats == {"SWE-agent trajectories": [1, 3]}


def test_calls_by_an_interface_are_taken_as_they_are(tmp_path: Path) -> None:
    call: JsonValue = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    history: list[JsonValue] = [
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "content": "a.py", "tool_call_id": "c"},
    ]
    (found,), _ = read(tmp_path, {**SWE, "history": history})
    assert found.calls == (Call("bash", {"command": "ls"}, "c", 1, result="a.py"),)


def test_an_agent_that_was_stopped_or_broke_is_called_that(tmp_path: Path) -> None:
    states = []
    for status in ("exit_cost", "submitted (exit_context)", "exit_error", None):
        (found,), _ = read(tmp_path, {**SWE, "info": {"exit_status": status}})
        states.append((found.state, found.error))
    assert states == [("limit", None), ("completed", None), ("error", "exit_error"), ("completed", None)]


MESSAGES: list[JsonValue] = [
    {"role": "system", "content": "One command at a time."},
    {"role": "user", "content": "Fix it."},
    {"role": "assistant", "content": "THOUGHT: I look.\n\n```bash\nls\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\na.py</output>"},
    {"role": "assistant", "content": "Done.\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"},
]
CALLS = (
    Call("bash", {"command": "ls"}, turn=1, result="a.py"),
    Call("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}, turn=2),
)
MINI: dict[str, JsonValue] = {
    "info": {
        "exit_status": "Submitted",
        "submission": "diff",
        "mini_version": "1.9.0",
        "model_stats": {"instance_cost": 0.1, "api_calls": 2},
    },
    "messages": MESSAGES,
    "trajectory_format": "mini-swe-agent-1",
    "instance_id": "repo-1",
}


def test_the_blocks_of_mini_swe_agent_are_calls_of_a_shell(tmp_path: Path) -> None:
    (found,), report = read(tmp_path, MINI, "a.traj.json")
    assert (found.case, found.calls, found.output, found.input) == ("repo-1", CALLS, "diff", "Fix it.")
    assert found.usage == Usage(2, None, None, 0.1)
    assert report.written == {"bash": 2}


def test_older_files_of_mini_swe_agent_are_messages_alone(tmp_path: Path) -> None:
    (found,), _ = read(tmp_path, MESSAGES, "a.traj.json")
    assert found.calls == CALLS


def test_newer_files_of_mini_swe_agent_list_the_commands(tmp_path: Path) -> None:
    messages: list[JsonValue] = [
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "I look.", "extra": {"actions": [{"command": "ls"}], "cost": 0.1}},
        {"role": "user", "content": "a.py", "extra": {"returncode": 0}},
        {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted", "submission": "diff"}},
    ]
    record: JsonValue = {**MINI, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    (found,), _ = read(tmp_path, record, "a.traj.json")
    assert found.calls == (Call("bash", {"command": "ls"}, turn=1, result="a.py"),)
    assert found.output == "diff"


SAMPLES: list[JsonValue] = [SWE, MINI, *REAL.values()]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(SweAgentReader, SAMPLES, seed)
