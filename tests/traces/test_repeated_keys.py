"""Keys that stand twice in the arguments of a call: the last one counts, and that is said."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from toolgauge.core import JsonValue
from toolgauge.files import repeats_key
from toolgauge.traces import ReadOptions, read_traces

TWICE = '{"city": "Hue", "city": "Hanoi"}'
NESTED = '{"at": {"city": "Hue", "zip": 1, "city": "Hanoi"}}'
ESCAPED = '{"city": "Hue", "c\\u0069ty": "Hanoi"}'
AFTER_BLANK = '{"city" : "Hue", "city"\n: "Hanoi"}'
ONCE = '{"city": "Hanoi: \\"the\\": capital", "at": [{"a": 1}, {"a": 2}], "a": {"a": 1}}'

NATIVE = '{"case": "c", "agent": "a", "calls": [{"tool": "f", "args": ARGS}], "output": "x"}'
ANTHROPIC = (
    '{"messages": [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": '
    '[{"type": "tool_use", "id": "t1", "name": "f", "input": ARGS}]}, {"role": "user", "content": '
    '[{"type": "tool_result", "tool_use_id": "t1", "content": "fine"}]}, {"role": "assistant", "content": "Fine."}]}'
)
OPENAI = (
    '{"messages": [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": null, "tool_calls": '
    '[{"id": "t1", "type": "function", "function": {"name": "f", "arguments": ARGS}}]}, '
    '{"role": "tool", "tool_call_id": "t1", "content": "fine"}, {"role": "assistant", "content": "Fine."}]}'
)


def read(path: Path, text: str) -> tuple[list[dict[str, JsonValue] | None], list[str]]:
    """The arguments of all calls in a file, and what is said of it."""
    path.write_text(text, encoding="utf-8")
    options = ReadOptions()
    found = [call.args for trajectory in read_traces(path, options) for call in trajectory.calls]
    return found, [line for line in options.report.lines() if "duplicate" in line]


@pytest.mark.parametrize("args", [TWICE, NESTED, ESCAPED, AFTER_BLANK.replace("\n", " ")])
@pytest.mark.parametrize(
    ("record", "said"),
    [
        (NATIVE, "a line has a duplicate key; the last value counts (2 times)"),
        (ANTHROPIC, "a record has a duplicate key; the last value counts (2 times, first in line 1)"),
    ],
)
def test_keys_that_stand_twice_in_a_line_are_said(tmp_path: Path, record: str, said: str, args: str) -> None:
    line = record.replace("ARGS", args) + "\n"
    found, lines = read(tmp_path / "traces.jsonl", line + record.replace("ARGS", ONCE) + "\n" + line)
    assert found == [json.loads(args), json.loads(ONCE), json.loads(args)]
    assert lines == [said]


@pytest.mark.parametrize("record", [NATIVE, ANTHROPIC])
def test_keys_that_stand_twice_in_a_document_are_said(tmp_path: Path, record: str) -> None:
    path = tmp_path / "traces.json"
    found, lines = read(path, f"[\n{record.replace('ARGS', TWICE)},\n{record.replace('ARGS', ONCE)}\n]")
    assert found == [json.loads(TWICE), json.loads(ONCE)]
    assert lines == [f"{path}: an object has a duplicate key; the last value counts"]


@pytest.mark.parametrize("args", [TWICE, NESTED, ESCAPED, AFTER_BLANK])
def test_keys_that_stand_twice_in_arguments_written_as_text_are_said(tmp_path: Path, args: str) -> None:
    plain = OPENAI.replace("ARGS", json.dumps(ONCE)) + "\n"
    line = OPENAI.replace("ARGS", json.dumps(args)) + "\n"
    found, lines = read(tmp_path / "traces.jsonl", plain * 3 + line + plain + line)
    assert found[3] == json.loads(args)
    assert lines == ["the arguments of a call have a duplicate key; the last value counts (2 times, first in line 4)"]


def test_in_large_files_some_lines_are_looked_at(tmp_path: Path) -> None:
    line = NATIVE.replace("ARGS", TWICE) + "\n"
    found, lines = read(tmp_path / "traces.jsonl", line * 5_000)
    assert len(found) == 5_000
    assert lines
    assert "a line has a duplicate key; the last value counts" in lines[0]


@pytest.mark.parametrize("args", [ONCE, "{}", '{"a": "b:c:d"}', '{"a": 1%s}' % ("0" * 5000)])
def test_nothing_is_said_of_keys_that_stand_once(tmp_path: Path, args: str) -> None:
    assert not repeats_key(args, json.loads(ONCE) if args == ONCE else {"a": 1})
    if len(args) < 5000:
        decoded = msgspec.json.decode(args)
        assert not repeats_key(args, decoded)
        assert read(tmp_path / "t.jsonl", NATIVE.replace("ARGS", args) + "\n") == ([decoded], [])
