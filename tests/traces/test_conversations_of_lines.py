"""Conversations that stand one message a line, some of which could be anybody's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import ReadOptions, read_traces

ASKED: JsonValue = {"role": "user", "content": "q?"}
DONE: JsonValue = {"role": "assistant", "content": "done"}
ITEM: JsonValue = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"x": 1}'}
OUTPUT: JsonValue = {"type": "function_call_output", "call_id": "c1", "output": "ok"}
USED: JsonValue = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {"x": 1}}]}
GIVEN: JsonValue = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]}
CALLED: JsonValue = {"role": "assistant", "function_call": {"name": "f", "arguments": '{"x": 1}'}}
FINISH: JsonValue = {"name": "Finish", "arguments": '{"final_answer": "done"}'}
HANDED_IN: JsonValue = {"role": "assistant", "function_call": FINISH}
EMPTY: JsonValue = {"type": "message", "role": "assistant", "content": []}


def read(path: Path, *records: JsonValue) -> tuple[list[Trajectory], str]:
    """What is read of a file with a record a line, and what is said about it."""
    file = path / "log.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    options = ReadOptions()
    return list(read_traces(file, options=options)), "\n".join(options.report.lines())


@pytest.mark.parametrize(
    ("records", "title"),
    [
        ([ASKED, USED, GIVEN, DONE], "Anthropic messages"),
        ([ASKED, ITEM, OUTPUT, DONE], "OpenAI Responses items"),
        ([ASKED, EMPTY, ITEM, OUTPUT, DONE], "OpenAI Responses items"),
        ([{"type": "message", "role": "user", "content": "q?"}, ITEM, OUTPUT, DONE], "OpenAI Responses items"),
    ],
)
def test_plain_messages_belong_to_the_conversation_around_them(
    tmp_path: Path, records: list[JsonValue], title: str
) -> None:
    found, said = read(tmp_path, *records, *records)
    assert [(each.input, each.output, len(each.calls)) for each in found] == [("q?", "done", 1)] * 2
    assert [call.args for each in found for call in each.calls] == [{"x": 1}] * 2
    assert "left out" not in said
    assert f"read 1 trajectory with 1 call as {title}" in read(tmp_path, *records)[1]


def test_named_conversations_of_several_formats_are_all_given(tmp_path: Path) -> None:
    records = [
        {**record, "conversation_id": name}
        for name, records in (("a", [ASKED, USED, GIVEN, DONE]), ("b", [ASKED, DONE]), ("c", [ASKED, ITEM, OUTPUT]))
        for record in records
        if isinstance(record, dict)
    ]
    found, _ = read(tmp_path, *records)
    assert sorted((each.case, len(each.calls)) for each in found) == [("a", 1), ("b", 0), ("c", 1)]


@pytest.mark.parametrize(
    ("record", "calls", "output"),
    [
        pytest.param(
            {
                "answer_generation": {
                    "query": "q?",
                    "train_messages": [
                        [ASKED],
                        [
                            ASKED,
                            CALLED,
                            {"role": "function", "name": "f", "content": "ok"},
                            HANDED_IN,
                        ],
                    ],
                }
            },
            [Call("f", {"x": 1}, None, 1, result="ok")],
            "done",
            id="toolbench",
        ),
        pytest.param(
            {
                "task_name": "k",
                "trajectory": {
                    "schema_version": "ATIF-v1.5",
                    "agent": {"name": "a"},
                    "steps": [
                        {"step_id": 1, "source": "user", "message": "q?"},
                        {"step_id": 2, "source": "agent", "message": "done"},
                    ],
                },
            },
            [],
            "done",
            id="atif in an envelope",
        ),
        pytest.param(
            {"key": "k", "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": "done"}]}}]}},
            [],
            "done",
            id="gemini batch",
        ),
    ],
)
def test_records_in_what_benchmarks_put_around_them(
    tmp_path: Path, record: JsonValue, calls: list[Call], output: str
) -> None:
    (found,), _ = read(tmp_path, record)
    assert (list(found.calls), found.output) == (calls, output)


def test_a_call_in_a_sentence_is_told(tmp_path: Path) -> None:
    written = 'Sure! Here is the call: {"name": "f", "arguments": {"x": 1}}'
    (found,), said = read(tmp_path, {"messages": [ASKED, {"role": "assistant", "content": written}]})
    assert not found.calls
    assert "1 text looks like a call" in said
    assert "--text-calls json" in said


RUN: JsonValue = {
    "id": 1,
    "source": "agent",
    "action": "run",
    "args": {"x": 1},
    "tool_call_metadata": {"function_name": "f", "tool_call_id": "c1"},
}
RAN: JsonValue = {"id": 2, "source": "agent", "observation": "run", "content": "ok", "cause": 1}
TOOL: JsonValue = {"tool_name": "f", "tool_kwargs": {"x": 1}, "tool_id": "c1"}
TOLD: JsonValue = {
    "tool_name": "f",
    "tool_kwargs": {"x": 1},
    "tool_id": "c1",
    "tool_output": {"content": "ok", "tool_name": "f", "raw_output": "ok", "is_error": False},
}
START: JsonValue = {
    "contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "c1", "name": "f"}}}
}
DELTA: JsonValue = {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": '{"x": 1}'}}}}
STREAM: list[JsonValue] = [{"messageStart": {"role": "assistant"}}, START, DELTA, {"messageStop": {}}]


@pytest.mark.parametrize(
    ("records", "count", "result"),
    [
        pytest.param([RUN, RAN], 1, "ok", id="openhands by the cause"),
        pytest.param([TOOL, TOLD], 1, "ok", id="llama-index without replies"),
        pytest.param([[*STREAM, *STREAM]], 2, None, id="two streams in a list"),
        pytest.param([{"request": {"messages": [ASKED]}, "response": {"stream": [*STREAM]}}], 1, None, id="boto3"),
    ],
)
def test_each_call_is_read_once_with_its_arguments(
    tmp_path: Path, records: list[JsonValue], count: int, result: JsonValue
) -> None:
    found, _ = read(tmp_path, *records)
    calls = [(call.tool, call.args, call.result) for each in found for call in each.calls]
    assert calls == [("f", {"x": 1}, result)] * count


def test_a_broken_call_of_gemini_is_an_error(tmp_path: Path) -> None:
    reply: JsonValue = {"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed function call: f("}
    (found,), _ = read(tmp_path, {"contents": [{"role": "user", "parts": [{"text": "q?"}]}], "candidates": [reply]})
    assert (found.state, found.error) == ("error", "Malformed function call: f(")
