"""Event logs of OpenHands: what its server and its SDK wrote, and more after their types."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.openhands import OpenHandsReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("openhands")
MISSING = "The path /workspace/missing.txt does not exist. Please provide a valid path."
QUESTION = "Which files are there?"


def asked(key: str, name: str, arguments: str) -> JsonValue:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


REPLY: JsonValue = {
    "id": "r1",
    "choices": [
        {
            "message": {
                "role": "assistant",
                "tool_calls": [
                    asked("c1", "execute_bash", '{"command": "ls"}'),
                    asked("c2", "think", '{"thought": "hm"}'),
                ],
            }
        }
    ],
}


def metadata(key: str, name: str) -> JsonValue:
    return {"function_name": name, "tool_call_id": key, "model_response": REPLY, "total_calls_in_response": 2}


def event(number: int, source: str, **more: JsonValue) -> dict[str, JsonValue]:
    return {"id": number, "timestamp": f"2026-01-02T03:04:0{number}", "source": source, "message": "", **more}


RUN: dict[str, JsonValue] = {
    "command": "ls",
    "thought": "I look.",
    "blocking": False,
    "confirmation_state": "confirmed",
}
LOG: list[JsonValue] = [
    event(0, "agent", action="system", args={"content": "Be helpful."}),
    event(1, "user", action="message", args={"content": QUESTION, "image_urls": None}),
    event(2, "environment", observation="agent_state_changed", content="", extras={"agent_state": "running"}),
    event(3, "agent", action="run", args=RUN, tool_call_metadata=metadata("c1", "execute_bash")),
    event(
        4,
        "agent",
        observation="run",
        content="a.txt",
        cause=3,
        extras={"exit_code": 0},
        tool_call_metadata=metadata("c1", "execute_bash"),
    ),
    event(5, "agent", action="think", args={"thought": "hm"}, tool_call_metadata=metadata("c2", "think")),
    event(
        6,
        "agent",
        observation="think",
        content="logged",
        cause=5,
        extras={},
        tool_call_metadata=metadata("c2", "think"),
    ),
    event(7, "agent", action="finish", args={"final_thought": "There is a.txt.", "outputs": {}}),
]
TEXTUAL: list[JsonValue] = [
    event(1, "user", action="message", args={"content": QUESTION}),
    event(2, "agent", action="run", args=RUN),
    event(3, "agent", observation="error", content="no such command", cause=2, extras={}),
    event(4, "agent", action="message", args={"content": "I cannot say."}),
]
"""Of an agent whose model writes actions as text."""

TYPED: list[JsonValue] = [
    {"kind": "SystemPromptEvent", "id": "e0", "timestamp": "2026-01-02T03:04:05", "source": "agent"},
    {
        "kind": "MessageEvent",
        "source": "user",
        "llm_message": {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    },
    {
        "kind": "ActionEvent",
        "source": "agent",
        "thought": [{"type": "text", "text": "I look."}],
        "action": {"command": "ls", "kind": "TerminalAction"},
        "tool_name": "terminal",
        "tool_call_id": "c1",
        "tool_call": {"id": "c1", "name": "terminal", "arguments": '{"command": "ls"}'},
        "llm_response_id": "r1",
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "tool_name": "terminal",
        "tool_call_id": "c1",
        "observation": {
            "content": [{"type": "text", "text": "a.txt"}],
            "is_error": False,
            "kind": "TerminalObservation",
        },
        "action_id": "e2",
    },
    {
        "kind": "ActionEvent",
        "source": "agent",
        "action": {"message": "There is a.txt.", "kind": "FinishAction"},
        "tool_name": "finish",
        "tool_call_id": "c2",
        "tool_call": {"id": "c2", "name": "finish", "arguments": '{"message": "There is a.txt."}'},
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "tool_name": "finish",
        "tool_call_id": "c2",
        "observation": {},
    },
]
SAMPLES: list[JsonValue] = [
    LOG,
    TEXTUAL,
    TYPED,
    {"instance_id": "i1", "history": LOG},
    *LOG,
    *TYPED,
    REAL["server"],
    REAL["sdk"],
]
CALLS = (
    Call("execute_bash", {"command": "ls"}, "c1", 1, result="a.txt"),
    Call("think", {"thought": "hm"}, "c2", 1, result="logged"),
)


@pytest.mark.parametrize("records", [[REAL["server"]], REAL["server"]])
def test_what_the_server_wrote(records: list[JsonValue]) -> None:
    found = read_one(OpenHandsReader, *records)
    risk = {"security_risk": "LOW"}
    viewed = {"command": "view", "path": "/workspace/missing.txt", **risk}
    assert [(call.tool, call.args, call.turn, call.result) for call in found.calls] == [
        ("execute_bash", {"command": "ls", **risk}, 1, "a.txt\n"),
        ("str_replace_editor", viewed, 1, None),
        ("execute_bash", {"command": "cat missing.txt", **risk}, 2, None),
        ("think", {"thought": "hm"}, 2, "Your thought has been logged."),
        ("get_weather", {"city": "Hanoi"}, 3, None),
    ]
    assert [call.error for call in found.calls[:4]] == [
        None,
        f"ERROR:\nInvalid `path` parameter: /workspace/missing.txt. {MISSING}",
        "cat: missing.txt: No such file or directory\n",
        None,
    ]
    assert (found.calls[4].error or "").startswith("Tool get_weather is not registered.")
    assert (found.input, found.output) == (QUESTION, "There is a.txt.")
    # What the sum of all tokens grew by, which includes the reply with the tool that there is not.
    assert found.usage == Usage(3, 80, 32)


STATS = REAL["sdk_stats"]["stats"]
SENT = {"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "stats", "value": STATS}


@pytest.mark.parametrize(
    ("records", "usage"),
    [
        ([REAL["sdk"]], None),
        (REAL["sdk"], None),
        ([{**REAL["sdk_stats"], "events": REAL["sdk"]}], Usage(3, 60, 24)),
        ([*REAL["sdk"], SENT], Usage(3, 60, 24)),
    ],
)
def test_what_the_sdk_wrote(records: list[JsonValue], usage: Usage | None) -> None:
    found = read_one(OpenHandsReader, *records)
    viewed: dict[str, JsonValue] = {"command": "view", "path": "/workspace/missing.txt"}
    assert found.calls == (
        Call("terminal", {"command": "ls"}, "c1", 1, result="a.txt"),
        Call("file_editor", viewed, "c2", 1, error=f"Invalid `path` parameter: /workspace/missing.txt. {MISSING}"),
        Call("terminal", {"command": "cat missing.txt"}, "c3", 2, error="cat: missing.txt: No such file or directory"),
        Call("get_weather", {"city": "Hanoi"}, "c4", 2, error=found.calls[3].error),
    )
    assert (found.calls[3].error or "").startswith("Tool 'get_weather' not found.")
    assert (found.input, found.output, found.usage) == (QUESTION, "There is a.txt.", usage)


def test_a_command_that_still_runs_did_not_fail() -> None:
    observed = event(
        4, "agent", observation="run", content="…", cause=3, extras={"metadata": {"exit_code": -1}}, success=False
    )
    assert read_one(OpenHandsReader, [*LOG[:4], observed]).calls[0].error is None


@pytest.mark.parametrize("records", [[LOG], LOG, [{"history": LOG}], [{"history": [LOG[:2], LOG[2:4], LOG[4:]]}]])
def test_a_log_of_the_server(records: list[JsonValue]) -> None:
    found = read_one(OpenHandsReader, *records)
    assert (found.calls, found.input, found.output) == (CALLS, QUESTION, "There is a.txt.")
    assert found.latency_ms == 7000.0


def test_actions_that_are_no_calls_of_functions_are_calls_all_the_same() -> None:
    found = read_one(OpenHandsReader, {"instance_id": "i1", "history": TEXTUAL})
    assert [(call.tool, call.args, call.error) for call in found.calls] == [
        ("run", {"command": "ls"}, "no such command")
    ]
    assert (found.case, found.output) == ("i1", "I cannot say.")


@pytest.mark.parametrize("records", [[TYPED], TYPED])
def test_events_of_the_sdk(records: list[JsonValue]) -> None:
    found = read_one(OpenHandsReader, *records)
    assert found.calls == (Call("terminal", {"command": "ls"}, "c1", 1, result="a.txt"),)
    assert (found.input, found.output) == (QUESTION, "There is a.txt.")


def test_an_error_of_the_agent_is_that_of_its_call() -> None:
    error: JsonValue = {
        "kind": "AgentErrorEvent",
        "source": "agent",
        "tool_name": "terminal",
        "tool_call_id": "c1",
        "error": "no such tool",
    }
    found, report = convert([*TYPED[:3], error])
    assert [call.error for call in found[0].calls] == ["no such tool"]
    assert list(report.formats) == [OpenHandsReader.title]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(OpenHandsReader, SAMPLES, seed)
