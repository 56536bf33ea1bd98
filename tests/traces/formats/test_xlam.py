"""Rows of xLAM's data for function calling."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import ImportReport, ReadOptions, read_traces

QUESTION = "How warm is it in Hanoi?"
CALL = '{"name": "get_weather", "arguments": {"city": "Hanoi"}}'
TOOLS = '[{"name": "get_weather", "description": "x", "parameters": {"city": {"type": "str"}}}]'
SAMPLES: list[JsonValue] = [{"id": 7, "query": QUESTION, "tools": TOOLS, "answers": f"[{CALL}]"}]


def read(path: Path, *records: JsonValue) -> tuple[list[Trajectory], ImportReport]:
    report = ImportReport()
    (path / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return list(read_traces(path / "a.jsonl", ReadOptions(report=report))), report


@pytest.mark.parametrize("answers", [f"[{CALL}]", [{"name": "get_weather", "arguments": {"city": "Hanoi"}}]])
def test_a_row_of_xlam_is_a_question_with_its_calls(answers: JsonValue, tmp_path: Path) -> None:
    (found, none), report = read(
        tmp_path,
        {"id": 7, "query": QUESTION, "tools": TOOLS, "answers": answers},
        {"id": 8, "query": "Hello", "tools": TOOLS, "answers": "[]"},
    )
    assert (found.case, found.input, found.output) == ("7", QUESTION, None)
    assert found.calls == (Call("get_weather", {"city": "Hanoi"}, turn=1),)
    assert (none.case, none.calls) == ("8", ())
    assert report.lines() == ["read 2 trajectories with 1 call as xLAM rows"]
