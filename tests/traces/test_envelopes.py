"""Records that loggers wrap in something, and files that begin with something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.errors import InputError
from toolgauge.traces import ImportReport, ReadOptions, foreign, read_traces

ASKS: JsonValue = {
    "role": "assistant",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}],
}
MESSAGES: list[JsonValue] = [
    {"role": "user", "content": "How warm?"},
    ASKS,
    {"role": "tool", "tool_call_id": "c1", "content": "31"},
    {"role": "assistant", "content": "31 °C."},
]
EXPECTED = Trajectory(
    input="How warm?", calls=(Call("get_weather", {}, id="c1", turn=1, result="31"),), output="31 °C."
)
RECORD = json.dumps({"messages": MESSAGES})
NATIVE = '{"case":"n","output":"o"}'


def read(path: Path, text: str) -> tuple[list[Trajectory], list[str]]:
    path.write_text(text, encoding="utf-8")
    report = ImportReport()
    return list(read_traces(path, ReadOptions(report=report))), report.lines()


ENVELOPES: list[JsonValue] = [
    {"data": {"messages": MESSAGES}},
    {"conversation": {"messages": MESSAGES}},
    {"conversation": MESSAGES},
    {"history": MESSAGES},
    {"chat": MESSAGES},
    {"trajectory": MESSAGES},
    {"data": {"payload": {"history": MESSAGES}}},
    {"messages": json.dumps(MESSAGES)},
    {"data": json.dumps({"messages": MESSAGES})},
    {"conversations": [{"messages": MESSAGES}]},
    [{"messages": MESSAGES}],
    {
        "request": json.dumps({"messages": MESSAGES[:3]}),
        "response": json.dumps({"choices": [{"message": MESSAGES[3]}]}),
    },
    {"messages": MESSAGES[:3], "response": "31 °C."},
    {"messages": MESSAGES[:3], "output": "31 °C."},
    {"messages": MESSAGES, "output": "31 °C."},
    {
        "messages": [
            {"role": "User", "content": "How warm?"},
            {**ASKS, "role": "Assistant"},  # type: ignore[dict-item]  # an object, as written above
            *MESSAGES[2:],
        ]
    },
]


@pytest.mark.parametrize("envelope", ENVELOPES, ids=range(len(ENVELOPES)))
def test_what_is_wrapped_around_a_record_is_taken_off(tmp_path: Path, envelope: JsonValue) -> None:
    for text in (f"{json.dumps(envelope)}\n" * 2, json.dumps(envelope, indent=1)):
        found, notes = read(tmp_path / "a", text)
        assert set(map(repr, found)) == {repr(EXPECTED)}
        assert [note for note in notes if not note.startswith("read ")] == []


def test_an_envelope_says_the_case_of_what_is_in_it(tmp_path: Path) -> None:
    assert read(tmp_path / "a", json.dumps({"case": "k1", "data": {"messages": MESSAGES}}))[0][0].case == "k1"


@pytest.mark.parametrize("records", [{"messages": MESSAGES}, MESSAGES])
def test_records_under_their_ids_are_of_these_cases(tmp_path: Path, records: JsonValue) -> None:
    for indent in (None, 1):
        found, _ = read(tmp_path / "a", json.dumps({"q1": records, "q2": records}, indent=indent))
        assert [(trajectory.case, len(trajectory.calls)) for trajectory in found] == [("q1", 1), ("q2", 1)]


def test_conversations_of_training_files_are_read(tmp_path: Path) -> None:
    record = {
        "id": "k1",
        "conversations": [
            {"from": "human", "value": "How warm?"},
            {"from": "function_call", "value": '{"name": "get_weather", "arguments": {"city": "Hue"}}'},
            {"from": "observation", "value": "31"},
            {"from": "gpt", "value": "31 °C."},
        ],
    }
    found, notes = read(tmp_path / "a", json.dumps(record))
    assert found == [
        Trajectory(
            "k1", input="How warm?", calls=(Call("get_weather", {"city": "Hue"}, turn=1, result="31"),), output="31 °C."
        )
    ]
    assert notes == ["read 1 trajectory with 1 call as OpenAI chat messages"]


@pytest.mark.parametrize(
    ("first", "lost"),
    [
        (RECORD[:40], "because it is not JSON: "),
        ('{"resourceMetrics":[]}', "because its format is not known (in line 1)"),
        ("null", "because its format is not known (in line 1)"),
        ("[]", "because its format is not known (in line 1)"),
        ("INFO the agent starts, with tools", "because it is not JSON: "),
        (NATIVE, "read 1 trajectory with 0 calls as toolgauge trajectories"),
        ('{"case":"n","output":"o","more":1}', "read 1 trajectory with 0 calls as toolgauge trajectories"),
    ],
)
def test_the_first_line_does_not_decide_for_the_others(tmp_path: Path, first: str, lost: str) -> None:
    found, notes = read(tmp_path / "a", f"{first}\n{RECORD}\n{RECORD}\n")
    assert [trajectory for trajectory in found if trajectory.case != "n"] == [EXPECTED, EXPECTED]
    assert any(lost in note for note in notes), notes


@pytest.mark.parametrize("line", [NATIVE, '{"case":"n","state":"timeout"}', '{"case":"n","error":"x"}'])
def test_a_native_line_among_others_needs_no_calls(tmp_path: Path, line: str) -> None:
    found, notes = read(tmp_path / "a", f"{RECORD}\n{line}\n")
    assert [trajectory.case for trajectory in found] == ["", "n"]
    assert len(notes) == 2


@pytest.mark.parametrize("text", ['{"a":1}\n{"a":2}\n', '{"a":1}', '[{"a":1}]', '{"resourceMetrics":[]}'])
def test_a_file_of_no_known_format_is_called_that(tmp_path: Path, text: str) -> None:
    with pytest.raises(
        InputError, match=r"no record of this file is of a known format: .*; --input-format NAME .*connect"
    ):
        read(tmp_path / "a", text)


def test_a_packed_file_that_is_damaged_is_called_that(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x1f\x8b\x08\x00rest")
    with pytest.raises(InputError, match="this gzip file is damaged"):
        list(read_traces(tmp_path / "a"))


def test_whole_records_of_a_list_that_is_cut_off_are_read(tmp_path: Path) -> None:
    for separator in (",", ",\n"):
        text = f"[{RECORD}{separator}{RECORD}{separator}{RECORD[:50]}"
        found, notes = read(tmp_path / "a", text)
        assert found == [EXPECTED, EXPECTED]
        assert notes[0].endswith("complete records are read, 1 broken one is left out")


def test_documents_one_after_the_other_are_read(tmp_path: Path) -> None:
    whole = json.dumps({"messages": MESSAGES}, indent=2)
    found, notes = read(tmp_path / "a", f"{whole}\n{whole}\n{whole[:60]}\n{whole}\n")
    assert found == [EXPECTED] * 3
    assert notes[0].endswith("complete records are read, 1 broken one is left out")


@pytest.mark.parametrize("text", ['[{"case":"a","output":"x"},{"case"', "[" * 100, "[" * 5_000 + "{", '[{"a":1},{"a'])
def test_a_cut_document_without_records_of_others_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        read(tmp_path / "a", text)


def test_readers_of_other_packages_are_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def find(kind: str) -> list[str]:
        asked.append(kind)
        return []

    monkeypatch.setattr(foreign, "find_plugins", find)
    text = f"{RECORD}\n" + '{"step": 1, "content": ["x"]}\n' * 50
    found, said = read(tmp_path / "mixed.jsonl", text)
    assert found == [EXPECTED]
    assert any("50" in line for line in said)
    assert asked == ["traces"]
