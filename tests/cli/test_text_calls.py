"""`--text-calls`, and what is said where texts look like calls and are not read as such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge import api
from toolgauge.core import JsonValue
from toolgauge.traces import ImportReport

from .running import toolgauge

SUITE = """
tools: [{name: get_weather, parameters: {type: object, properties: {city: {type: string}}}}]
cases:
  - {id: a, input: How warm?, expect: {calls: [{tool: get_weather, args: {city: Hanoi}}]}}
  - {id: b, input: How cold?, expect: {calls: [{tool: get_weather, args: {city: Hue}}]}}
"""
BARE = "get_weather(city='Hanoi')"


def chat(case: str, words: str) -> str:
    messages: list[JsonValue] = [{"role": "user", "content": "x"}, {"role": "assistant", "content": words}]
    return json.dumps({"case": case, "messages": messages}) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "chat.jsonl").write_text(chat("a", BARE) + chat("b", BARE.replace("Hanoi", "Hue")), encoding="utf-8")
    call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Hanoi"}}'
    native = json.dumps({"case": "a", "output": call}) + "\n"
    (tmp_path / "native.jsonl").write_text('{"case":"b","output":"Cold."}\n' + native, encoding="utf-8")
    return tmp_path


def test_a_text_that_looks_like_a_call_is_told_once_with_its_place_and_the_option(folder: Path) -> None:
    for command in (("score", "suite.yaml", "chat.jsonl"), ("gate", "chat.jsonl", "--suite", "suite.yaml")):
        done = toolgauge(*command, cwd=folder)
        said = [line for line in done.stderr.splitlines() if "look" in line]
        assert said == [
            "Note: 2 texts look like calls and are not read as such (first chat.jsonl, line 1: "
            "\"get_weather(city='Hanoi')\"); --text-calls python reads them"
        ]


def test_the_option_reads_them(folder: Path) -> None:
    done = toolgauge("score", "suite.yaml", "chat.jsonl", "--text-calls", "python", "--format", "json", cwd=folder)
    assert json.loads(done.stdout)["counts"]["passed"] == 2
    assert "2 calls are written as text (python)" in done.stderr
    assert "look" not in done.stderr


def test_answers_of_native_trajectories_are_told_of_and_read_where_asked_for(folder: Path) -> None:
    done = toolgauge("convert", "native.jsonl", cwd=folder)
    assert "1 text looks like a call and is not read as one (native.jsonl, line 2: '<tool_call>" in done.stderr
    assert "--text-calls hermes reads it" in done.stderr
    assert '"calls":[{' not in done.stdout
    done = toolgauge("convert", "native.jsonl", "--text-calls", "hermes", cwd=folder)
    assert json.loads(done.stdout.splitlines()[1])["calls"][0]["args"] == {"city": "Hanoi"}
    assert json.loads(done.stdout.splitlines()[0]) == {"case": "b", "output": "Cold."}


def test_off_reads_nothing_and_says_nothing(folder: Path) -> None:
    (folder / "chat.jsonl").write_text(chat("a", '<tool_call>{"name": "f", "arguments": {}}</tool_call>'), "utf-8")
    done = toolgauge("convert", "chat.jsonl", "--text-calls", "off", cwd=folder)
    assert (json.loads(done.stdout)["output"][:11], "look" in done.stderr) == ("<tool_call>", False)
    assert "calls are" not in done.stderr


def test_a_table_is_looked_through_as_well(folder: Path) -> None:
    (folder / "t.csv").write_text('input,output\nHow warm?,"get_weather(city=""Hanoi"")"\n', encoding="utf-8")
    done = toolgauge("convert", "t.csv", cwd=folder)
    assert "1 text looks like a call and is not read as one (t.csv, record 1: " in done.stderr


def test_a_style_that_there_is_not_is_refused(folder: Path) -> None:
    done = toolgauge("convert", "chat.jsonl", "--text-calls", "hermez", cwd=folder)
    assert done.returncode == 2
    assert "'hermez' is not a style of calls. Did you mean 'hermes'?" in done.stderr


def test_reports_of_several_files_are_one(folder: Path) -> None:
    (folder / "more.jsonl").write_text(chat("a", "[f(1)]"), encoding="utf-8")
    report = ImportReport()
    list(api.convert([folder / "chat.jsonl", folder / "more.jsonl"], report=report))
    assert report.doubts == {("python", True): 3}
    other = ImportReport()
    other.merge(report)
    assert (other.doubts, other.doubts_at, other.written) == (report.doubts, report.doubts_at, report.written)


UNDEFINED = SUITE.replace("{tool: get_weather, args: {city: Hue}}", "{tool: get_wether}")


def test_a_tool_that_the_suite_expects_and_does_not_define_is_told_of(folder: Path) -> None:
    (folder / "suite.yaml").write_text(UNDEFINED, encoding="utf-8")
    expected = (
        "the suite expects calls of 'get_wether', first in case 'b', but does not define this tool; "
        "did you mean 'get_weather'?"
    )
    done = toolgauge("score", "suite.yaml", "chat.jsonl", "--run-file", "r.jsonl", cwd=folder)
    assert done.stderr.count(expected) == 1
    done = toolgauge("gate", "chat.jsonl", "--suite", "suite.yaml", cwd=folder)
    assert done.stderr.count(expected) == 1
    done = toolgauge("gate", "r.jsonl", cwd=folder)
    assert done.stderr.count(expected) == 1


def test_a_suite_without_tools_says_nothing_of_them(folder: Path) -> None:
    (folder / "suite.yaml").write_text(UNDEFINED.replace("tools:", "#"), encoding="utf-8")
    assert "does not define" not in toolgauge("score", "suite.yaml", "chat.jsonl", cwd=folder).stderr


@pytest.mark.parametrize(
    "words",
    [
        *('["f(a=1)"]', 'functions.f({"a": 1})', "<<function>>f(a=1)", 'to=functions.f {"a": 1}', "Action: f(a=1)"),
        *('Tool: f\nArguments: {"a": 1}', "✿FUNCTION✿: f\n✿ARGS✿: {}", "<execute>ls</execute>", "Tool call: f(a=1)"),
        "<use_mcp_tool>\n<server_name>s</server_name>\n<tool_name>f</tool_name>\n</use_mcp_tool>",
    ],
)
def test_a_call_in_a_style_that_nobody_knows_is_told_of(tmp_path: Path, words: str) -> None:
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": words}]
    (tmp_path / "chat.jsonl").write_text(json.dumps({"messages": messages}), encoding="utf-8")
    done = toolgauge("convert", "chat.jsonl", cwd=tmp_path)
    assert done.returncode == 0
    assert "1 text looks like a call (in no style that is known) that cannot be read" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        *("Tools: a hammer and a saw.", "Function: it heats water (slowly).", "1 < 2 and f(x) = 2x", '["a", "b (c)"]'),
        *("Action: we should wait.", "Công cụ: tra cứu giá (nếu cần).", "<b>bold</b> text", "see {x: (1)})"),
    ],
)
def test_what_only_reminds_of_a_call_is_no_doubt(tmp_path: Path, words: str) -> None:
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": words}]
    (tmp_path / "chat.jsonl").write_text(json.dumps({"messages": messages}), encoding="utf-8")
    assert "looks like a call" not in toolgauge("convert", "chat.jsonl", cwd=tmp_path).stderr
