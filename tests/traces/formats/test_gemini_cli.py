"""Sessions that Gemini CLI and Qwen Code wrote, and more after the types in which they are recorded."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.anthropic import AnthropicReader
from toolgauge.traces.formats.gemini_cli import GeminiCliReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("gemini_cli")
FILES = "Which files are there?"
NOT_FOUND = "File not found: /workspace/missing.txt"
QUESTION = "How warm is it in Hanoi?"
RESPONSE: JsonValue = {"id": "c1", "name": "get_weather", "response": {"output": "31"}}
TOOL_CALL: dict[str, JsonValue] = {
    "id": "c1",
    "name": "get_weather",
    "args": {"city": "Hanoi"},
    "result": [{"functionResponse": RESPONSE}],
    "status": "success",
    "timestamp": "2026-01-02T03:04:06Z",
    "resultDisplay": "31",
}
MESSAGES: list[JsonValue] = [
    {"id": "m1", "timestamp": "2026-01-02T03:04:05Z", "type": "user", "content": QUESTION},
    {
        "id": "m2",
        "timestamp": "2026-01-02T03:04:06Z",
        "type": "gemini",
        "content": "",
        "toolCalls": [TOOL_CALL],
        "thoughts": [{"subject": "s", "description": "d", "timestamp": "2026-01-02T03:04:06Z"}],
        "tokens": {"input": 20, "output": 8, "cached": 0, "total": 28},
        "model": "gemini-2.5-pro",
    },
    {"id": "m3", "timestamp": "2026-01-02T03:04:07Z", "type": "gemini", "content": "31 °C.", "tokens": None},
]
HEAD: dict[str, JsonValue] = {"sessionId": "s1", "projectHash": "h", "startTime": "2026-01-02T03:04:05Z"}
SESSION: JsonValue = {**HEAD, "lastUpdated": "2026-01-02T03:04:07Z", "messages": MESSAGES}


def line(kind: str, role: str, *parts: JsonValue, **more: JsonValue) -> JsonValue:
    """A line of Qwen Code."""
    message: JsonValue = {"role": role, "parts": list(parts)}
    return {"uuid": "u", "parentUuid": None, "sessionId": "s1", "type": kind, "cwd": "/", "message": message, **more}


QWEN: list[JsonValue] = [
    line("user", "user", {"text": QUESTION}),
    line(
        "assistant",
        "model",
        {"functionCall": {"id": "c1", "name": "get_weather", "args": {"city": "Hanoi"}}},
        usageMetadata={"promptTokenCount": 20, "candidatesTokenCount": 8},
    ),
    line("tool_result", "user", {"functionResponse": RESPONSE}, toolCallResult={"callId": "c1", "status": "success"}),
    {"uuid": "u", "sessionId": "s1", "type": "system", "subtype": "ui_telemetry", "systemPayload": {}},
    line("assistant", "model", {"text": "31 °C."}),
]
STREAM: list[JsonValue] = [
    {"type": "init", "timestamp": "2026-01-02T03:04:05Z", "session_id": "s1", "model": "m"},
    {"type": "message", "role": "user", "content": QUESTION, "timestamp": "2026-01-02T03:04:05Z"},
    {
        "type": "tool_use",
        "tool_name": "get_weather",
        "tool_id": "c1",
        "parameters": {"city": "Hanoi"},
        "timestamp": "t",
    },
    {"type": "tool_result", "tool_id": "c1", "status": "success", "output": "31", "timestamp": "t"},
    {"type": "message", "role": "assistant", "content": "31 ", "delta": True, "timestamp": "t"},
    {"type": "message", "role": "assistant", "content": "°C.", "delta": True, "timestamp": "t"},
    {"type": "result", "status": "success", "stats": {"total_tokens": 28}, "timestamp": "t"},
]
SAMPLES: list[JsonValue] = [
    SESSION,
    HEAD,
    *MESSAGES,
    *QWEN,
    *STREAM,
    QWEN,
    *REAL["session"],
    *REAL["stream"],
    REAL["qwen"],
]
CALL = Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31")


def test_a_session_that_gemini_cli_wrote() -> None:
    found, report = convert(REAL["session"])
    assert [(call.tool, call.args, call.turn, call.result, call.error) for call in found[0].calls] == [
        ("list_directory", {"dir_path": "."}, 1, "Directory listing for /workspace:\na.txt (2 bytes)", None),
        ("read_file", {"file_path": "missing.txt"}, 1, None, NOT_FOUND),
    ]
    assert (found[0].input, found[0].output, found[0].usage) == (FILES, "There is a.txt.", Usage(2, 40, 16))
    assert (found[0].case, report.lost) == (REAL["session"][0]["sessionId"], {})
    assert list(report.formats) == [GeminiCliReader.title]


def test_events_that_gemini_cli_streamed() -> None:
    found, report = convert(REAL["stream"])
    assert [(call.tool, call.args, call.turn, call.result, call.error) for call in found[0].calls] == [
        ("list_directory", {"dir_path": "."}, 1, None, None),
        ("read_file", {"file_path": "missing.txt"}, 1, "File not found.", NOT_FOUND),
    ]
    assert (found[0].input, found[0].output, found[0].usage) == (FILES, "There is a.txt.", Usage(None, 40, 16))
    assert (len(found), report.lost, list(report.formats)) == (1, {}, [GeminiCliReader.title])


def test_a_session_that_qwen_code_wrote() -> None:
    found = read_one(GeminiCliReader, *REAL["qwen"])
    assert found.calls == (
        Call("list_directory", {"path": "/workspace"}, "c1", 1, result="Listed 1 item(s) in /workspace:\n---\na.txt"),
        Call("read_file", {"file_path": "/workspace/missing.txt"}, "c2", 1, error=NOT_FOUND),
    )
    assert (found.input, found.output, found.usage) == (FILES, "There is a.txt.", Usage(2, 40, 16))


def test_what_qwen_code_streams_is_laid_out_as_by_claude_code() -> None:
    found, report = convert(REAL["qwen_stream"])
    assert [(call.tool, call.id, call.error) for call in found[0].calls] == [
        ("list_directory", "c1", None),
        ("read_file", "c2", NOT_FOUND),
    ]
    assert (found[0].output, list(report.formats)) == ("There is a.txt.", [AnthropicReader.title])


def test_what_was_taken_back_is_not_read() -> None:
    again: list[JsonValue] = [{"$rewindTo": "m2"}, {**MESSAGES[2], "id": "m9", "content": "No."}]  # type: ignore[dict-item]
    found = read_one(GeminiCliReader, HEAD, *MESSAGES, *again)
    assert (found.calls, found.input, found.output) == ((), QUESTION, "No.")
    replaced: JsonValue = {"$set": {"messages": MESSAGES[:1]}}
    assert read_one(GeminiCliReader, HEAD, *MESSAGES, replaced).output is None


@pytest.mark.parametrize("records", [[SESSION], [HEAD, *MESSAGES], QWEN, [QWEN], STREAM])
def test_a_session(records: list[JsonValue]) -> None:
    found = read_one(GeminiCliReader, *records)
    assert (found.case, found.calls, found.input, found.output) == ("s1", (CALL,), QUESTION, "31 °C.")
    assert found.usage == (None if records is STREAM else Usage(1, 20, 8))


def test_lines_are_recognised_and_sessions_told_apart() -> None:
    for records in ([HEAD, *MESSAGES] * 2, STREAM * 2):
        found, report = convert(records)
        assert [one.calls for one in found] == [(CALL,), (CALL,)]
        assert list(report.formats) == [GeminiCliReader.title]
    found, report = convert([*QWEN, *({**each, "sessionId": "s2"} for each in QWEN if isinstance(each, dict))])
    assert [one.case for one in found] == ["s1", "s2"]
    assert list(report.formats) == [GeminiCliReader.title]


def test_a_call_that_failed() -> None:
    failed: JsonValue = {
        **TOOL_CALL,
        "status": "error",
        "result": [{"functionResponse": {"response": {"error": "no"}}}],
    }
    message: JsonValue = {"type": "gemini", "content": "", "toolCalls": [failed]}
    assert read_one(GeminiCliReader, {**HEAD, "messages": [message]}).calls[0].error == "no"


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(GeminiCliReader, SAMPLES, seed)
