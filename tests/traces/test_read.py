"""Reading native traces: JSONL, JSON, YAML, run files."""

import json
from pathlib import Path

import pytest

from toolgauge.core import Call, Trajectory
from toolgauge.errors import InputError, NothingToDo
from toolgauge.traces import ImportReport, ReadOptions, read_traces


def read(path: Path, text: str) -> tuple[list[Trajectory], list[str]]:
    path.write_bytes(text.encode())
    report = ImportReport()
    found = list(read_traces(path, ReadOptions(report=report)))
    assert report.read == len(found)
    return found, report.lines()


def refusal(path: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(path, text)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]


RECORDS = [
    {"case": "a", "agent": "x", "calls": [{"tool": "t", "args": {"n": 1}}], "output": "Hà Nội"},
    {"input": "why?", "calls": []},
    {"case": "c", "error": "broke", "usage": {"input_tokens": 3}},
]
EXPECTED = [
    Trajectory("a", "x", calls=(Call("t", {"n": 1}),), output="Hà Nội"),
    Trajectory(input="why?"),
]


def test_jsonl_json_and_yaml_hold_the_same(tmp_path: Path) -> None:
    yaml = '- {case: a, agent: x, calls: [{tool: t, args: {n: 1}}], output: Hà Nội}\n- {input: "why?", calls: []}\n'
    yaml += "- {case: c, error: broke, usage: {input_tokens: 3}}\n"
    lines = "\r\n\n".join(json.dumps(record) for record in RECORDS)
    for text in (lines, json.dumps(RECORDS), json.dumps(RECORDS, indent=2), yaml, "\ufeff" + lines):
        found, notes = read(tmp_path / "a", text)
        assert found[:2] == EXPECTED
        assert (found[2].state, found[2].error) == ("error", "broke")
        assert notes == []


def test_a_single_object_is_one_trajectory(tmp_path: Path) -> None:
    assert read(tmp_path / "a", json.dumps(RECORDS[0], indent=2))[0] == EXPECTED[:1]
    assert read(tmp_path / "a", json.dumps(RECORDS[0]))[0] == EXPECTED[:1]


def test_in_yaml_text_stays_text(tmp_path: Path) -> None:
    found, _ = read(tmp_path / "a", "- {case: 001, output: 31, calls: [{tool: no, args: {n: 2}}]}\n")
    assert found == [Trajectory("001", output="31", calls=(Call("no", {"n": 2}),))]


def test_a_run_file_is_read_without_its_scores(tmp_path: Path) -> None:
    text = '{"schema":"toolgauge.run/1","suite":{"name":"s"}}\n{"case":"a","output":"x","score":{"passed":true}}\n'
    assert read(tmp_path / "a", text) == ([Trajectory("a", output="x")], [])


def test_a_run_file_of_another_version_is_refused(tmp_path: Path) -> None:
    lines = refusal(tmp_path / "a", '{"schema":"toolgauge.run/9"}\n{"case":"a","output":"x"}\n')
    assert "1: this file has the schema 'toolgauge.run/9', and this version reads 'toolgauge.run/1'" in lines[0]


def test_unknown_keys_are_counted_with_a_hint(tmp_path: Path) -> None:
    line = '{"case":"a","output":"x","latency":3,"calls":[{"tool":"t","reslt":1},{"tool":"t","reslt":1}]}\n'
    found, notes = read(tmp_path / "a", line * 50 + '{"case":"b","output":"x","latency":3}\n{"case":"c","calls":[]}\n')
    assert len(found) == 52
    assert notes == [
        "latency: not a key of a trajectory (did you mean 'latency_ms'?), ignored in 51 lines",
        "reslt: not a key of a call (did you mean 'result'?), ignored in 50 lines",
    ]


def test_f1_faults_of_jsonl_are_listed_together(tmp_path: Path) -> None:
    text = "\n".join(
        [
            '{"case":"a","output":"x"}',
            '{"case":"a","calls":[{"tol":"t"}]}',
            '{"case":"a"}\r',
            "",
            '{"output":"x"}',
            '{"case":"a","state":"eror","trial":-1}',
            '{"case":"a" "output":"x"}',
            '{"case":"a","calls"',
        ]
    )
    assert refusal(tmp_path / "a", text) == [
        "2:22: the key 'tool' is missing, at calls[0]",
        "3:1: neither 'calls' nor 'output' is there; an agent that called nothing has \"calls\": []",
        "5:1: neither 'case' nor 'input' says which case this is",
        "6:21: expected one of cancelled, completed, error, limit, not_run, timeout, found 'eror', at state; "
        "did you mean 'error'?",
        "6:36: expected 0 or more, found -1, at trial",
        "7:13: not valid JSON: expecting ',' delimiter",
        "8:20: the JSON ends too early; the end seems to be cut off",
    ]


def test_f1_what_came_before_a_fault_is_given_before_it_is_raised(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('{"case":"a","output":"x"}\n{\n{"case":"b","output":"x"}\n')
    traces = read_traces(tmp_path / "a")
    assert next(traces).case == "a"
    with pytest.raises(InputError):
        next(traces)


def test_f2_invalid_utf8_in_a_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'{"case":"a","output":"x"}\n{"case":"\xff","output":"x"}\n')
    with pytest.raises(InputError, match="a:2: byte 0xff at byte offset 35 is not UTF-8; save it as UTF-8"):
        list(read_traces(path))


def test_f6_faults_in_a_json_list_have_places(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", '[{"case":"a","output":"x"},\n{"case":"a","output":1}]') == [
        "2:22: expected a string, found the number 1, at [1].output; put it in quotes if the text is meant"
    ]


def test_a_lone_surrogate_is_kept_as_its_escape(tmp_path: Path) -> None:
    found, notes = read(tmp_path / "a", '{"case":"a","output":"\\ud800","odd":1}')
    assert found == [Trajectory("a", output="\\ud800")]
    assert len(notes) == 1


@pytest.mark.parametrize("text", ["", "\n \n", "[]", "case,output\n", '{"schema":"toolgauge.run/1"}\n'])
def test_f9_a_file_without_trajectories_is_nothing_to_do(tmp_path: Path, text: str) -> None:
    with pytest.raises(NothingToDo, match=r"traces\.jsonl: there are no trajectories in this file"):
        read(tmp_path / "traces.jsonl", text)


def test_words_are_no_trajectories(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", "hello")[0].startswith("1:1: these are not trajectories; ")
    assert refusal(tmp_path / "a", "- hello")[0].startswith("1:3: expected an object, found the string 'hello', at [0]")
