"""Dialogues of API-Bank."""

from __future__ import annotations

import json
from pathlib import Path

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import ImportReport, ReadOptions, read_traces

QUESTION = "How warm is it in Hanoi?"

API_BANK: list[JsonValue] = [
    {"role": "User", "text": QUESTION},
    {
        "role": "API",
        "api_name": "GetWeather",
        "param_dict": {"city": "Hanoi"},
        "result": {"api_name": "GetWeather", "input": {"city": "Hanoi"}, "output": "31", "exception": None},
    },
    {"role": "AI", "text": "31 °C. And else?"},
    {"role": "User", "text": "Delete it."},
    {
        "role": "API",
        "api_name": "DeleteAgenda",
        "param_dict": {"id": "1"},
        "result": {"api_name": "DeleteAgenda", "input": {}, "output": None, "exception": "no such agenda"},
    },
    {"role": "AI", "text": "It is not there."},
]
SAMPLES: list[JsonValue] = [*API_BANK, API_BANK]
API_CALLS = (
    Call("GetWeather", {"city": "Hanoi"}, turn=1, result="31"),
    Call("DeleteAgenda", {"id": "1"}, turn=3, error="no such agenda"),
)


def read(path: Path, *records: JsonValue) -> tuple[list[Trajectory], ImportReport]:
    report = ImportReport()
    (path / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return list(read_traces(path / "a.jsonl", ReadOptions(report=report))), report


def test_a_file_of_api_bank_is_one_dialogue(tmp_path: Path) -> None:
    (found,), report = read(tmp_path, *API_BANK)
    assert (found.input, found.calls, found.output) == (QUESTION, API_CALLS, "It is not there.")
    assert report.formats == {"API-Bank dialogues": [1, 2]}


def test_lists_of_api_bank_are_dialogues_of_their_own(tmp_path: Path) -> None:
    found, _ = read(tmp_path, API_BANK, API_BANK)
    assert [each.calls for each in found] == [API_CALLS, API_CALLS]
