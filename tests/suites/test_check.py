"""Rules of suites that cannot be told by types: what is refused, where, and what to do about it."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from toolgauge.core import Suite
from toolgauge.errors import InputError
from toolgauge.suites import load_suite

NAME = "thời_tiết"
APART = unicodedata.normalize("NFD", NAME)


def load(path: Path, text: str) -> Suite:
    path.write_text(text, encoding="utf-8")
    return load_suite(path)


def refusal(path: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(path, text)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]


@pytest.mark.parametrize("escaped", [True, False])
def test_every_name_comes_in_normal_form(tmp_path: Path, escaped: bool) -> None:
    call = {"tool": APART, "args": {APART: APART}, "check": {APART: {"$from": APART}}, "forbid_args": [f"{APART}2"]}
    expect = {
        "any_of": [{"calls": [{**call, "id": NAME}, {**call, "after": [APART]}]}],
        "neutral": [APART],
        "forbid": [APART],
    }
    case = {"id": APART, "labels": {APART: APART}, "expect": expect}
    schema = {"type": "object", "properties": {APART: {}}, "required": [APART]}
    suite = {"cases": [case], "tools": [{"name": APART, "parameters": schema}]}
    for text in (json.dumps(suite, ensure_ascii=escaped), json.dumps(case, ensure_ascii=escaped)):
        loaded = load(tmp_path / "s", text)
        found = loaded.cases[0]
        assert (found.id, found.labels) == (NAME, {NAME: NAME})
        assert (found.expect.neutral, found.expect.forbid) == ((NAME,), (NAME,))
        first, second = found.expect.any_of[0].calls
        assert (first.tool, first.args, first.check) == (NAME, {NAME: APART}, {NAME: {"$from": NAME}})
        assert (first.forbid_args, first.id, second.after) == ((f"{NAME}2",), NAME, (NAME,))
        for tool in loaded.tools:
            assert tool.name == NAME
            assert tool.parameters == {"type": "object", "properties": {NAME: {}}, "required": [NAME]}


def test_ids_in_two_normal_forms_are_one_id(tmp_path: Path) -> None:
    (line,) = refusal(tmp_path / "s", f"cases:\n  - id: {NAME}\n  - id: {APART}\n")
    assert "is already used by cases[0]" in line


@pytest.mark.parametrize("times", ["1001", "{min: 1001, max: 2000}", "{max: 100000000}"])
def test_more_than_a_thousand_times_is_refused(tmp_path: Path, times: str) -> None:
    lines = refusal(tmp_path / "s", f"cases:\n  - {{id: a, expect: {{calls: [{{tool: t, times: {times}}}]}}}}\n")
    assert all(line.startswith("2:") and "expected 1,000 or less, found" in line for line in lines)
    load(tmp_path / "s", "cases:\n  - {id: a, expect: {calls: [{tool: t, times: 1000}]}}\n")


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("calls:", "'calls' has no value, at {}expect.calls; write [] if no tool may be called"),
        ("any_of: []", "'any_of' has no plan to choose from, at {}expect.any_of; list the plans"),
    ],
)
def test_an_empty_value_does_not_pass_for_an_absent_one(tmp_path: Path, expect: str, message: str) -> None:
    (line,) = refusal(tmp_path / "s", f"cases:\n  - id: a\n    expect:\n      {expect}\n")
    assert line.startswith("4:7:")
    assert message.format("cases[0].") in line
    key, _, value = expect.partition(":")
    record = f'{{"id": "a", "expect": {{"{key}": {value.strip() or "null"}}}}}\n'
    for text in (record, '{"id": "b"}\n' + record):
        (line,) = refusal(tmp_path / "s", text)
        assert message.format("") in line
    lines = refusal(tmp_path / "s", f"nmae: x\ncases:\n  - id: a\n    expect:\n      {expect}\n")
    assert message.format("cases[0].") in lines[1]


@pytest.mark.parametrize("key", ["parameters", "input_schema", "inputSchema"])
def test_a_schema_that_is_none_is_refused_with_its_place(tmp_path: Path, key: str) -> None:
    text = f"cases: [{{id: a}}]\ntools:\n  - name: t\n    {key}: {{type: object, properties: {{x: {{type: strng}}}}}}\n"
    (line,) = refusal(tmp_path / "s", text)
    assert line.startswith("4:")
    assert "not a JSON schema" in line
    assert f"at tools[0].{key}" in line
    assert load_suite(tmp_path / "s", check_schemas=False).tools[0].name == "t"


TRACE = '{"case":"a","agent":"m","calls":[],"output":"x"}\n'


@pytest.mark.parametrize("text", [TRACE, TRACE * 20, f"[{TRACE}]", "- case: a\n  output: x\n" * 20])
def test_traces_in_place_of_the_suite_are_one_problem(tmp_path: Path, text: str) -> None:
    (line,) = refusal(tmp_path / "s", text)
    assert line == "1: this looks like traces; give the suite first, then the traces"


def test_a_run_file_in_place_of_the_suite_is_one_problem(tmp_path: Path) -> None:
    (line,) = refusal(tmp_path / "s", '{"schema":"toolgauge.run/1","suite":{}}\n' + TRACE)
    assert line == "1: this is a run file, which contains traces; give the suite first, then the traces"


@pytest.mark.parametrize("name", ["tool", "Tool", "tolls", "expected_tool"])
def test_a_column_that_is_nearly_tools_is_refused(tmp_path: Path, name: str) -> None:
    (line,) = refusal(tmp_path / "s", f"query,{name}\nwhy?,a\n")
    assert "is not a column with a known meaning; did you mean " in line
    # Where the tools are there, any other column is a label.
    assert load(tmp_path / "s", f"query,tools,{name}s2\nwhy?,a,b\n").cases[0].labels


def test_other_columns_with_a_slip_are_remarked_on(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "s"
    path.write_text("query,tools,dificulty,topic\nwhy?,a,easy,b\n", encoding="utf-8")
    load_suite(path, remark=said.append)
    assert said == [f"{path}: the column 'dificulty' is treated as a label; did you mean 'difficulty'?"]


def test_nan_in_a_cell_of_tools_says_nothing_about_tools(tmp_path: Path) -> None:
    suite = load(tmp_path / "s", "query,tools\nwhy?,nan\nwho?,NaN\nwhat?,[]\n")
    assert [case.expect.calls for case in suite.cases] == [None, None, ()]


BROKEN = {
    "id": "a",
    "lable": {"x": "y"},
    "now": "yesterday",
    "budget": {"calls": "five"},
    "expect": {
        "order": "stric",
        "answer": {"type": "numbr", "value": 1},
        "calls": [{"tool": "t", "args": {"x": {"$regx": "a"}}}, {"args": {"y": {"$range": [2, 1]}}, "times": "x"}],
    },
}


@pytest.mark.parametrize("text", [json.dumps({"cases": [BROKEN]}), json.dumps(BROKEN)])
def test_all_that_is_wrong_with_a_case_is_told_at_once(tmp_path: Path, text: str) -> None:
    told = "\n".join(refusal(tmp_path / "s", text))
    for part in (
        "'lable' is not a known key, at",
        "did you mean 'labels'?",
        "'yesterday' is not a day",
        "expected a whole number, found the string 'five'",
        "expected one of any, strict, found 'stric'",
        "answer type 'numbr' is not known",
        "'$regx' is not a matcher",
        "the key 'tool' is missing",
        "found the string 'x'",
        "the low bound of '$range' is above the high one",
    ):
        assert part in told
    assert "?'" not in told.replace("did you mean", "")


def test_an_order_is_not_blamed_for_an_id_that_could_not_be_read(tmp_path: Path) -> None:
    calls = [{"tool": "t", "id": {}}, {"tool": "u", "after": ["t"]}]
    (line,) = refusal(tmp_path / "s", json.dumps({"id": "a", "expect": {"calls": calls}}))
    assert "expected a string, found an object" in line


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("{type: number, value: five}", "answer.value"),
        ("{type: number, value: 5, tolerance: -1}", "answer.tolerance"),
        ("{type: number, value: 5, untit: kg}", "answer.untit"),
        ("{type: time, range: [2000, 1990]}", "answer.range"),
        ("{type: string, value: a, aliases: b}", "answer.aliases"),
        ("{type: number}", "answer"),
        ("{type: numbr, value: 5}", "answer"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told_at_its_key(tmp_path: Path, answer: str, place: str) -> None:
    (line,) = refusal(tmp_path / "s", f"cases:\n  - id: a\n    expect:\n      answer: {answer}\n")
    assert re.search(rf", at cases\[0\]\.expect\.{re.escape(place)}(;|$)", line)


def test_what_stands_in_a_literal_is_loaded_as_it_is(tmp_path: Path) -> None:
    rule = {"$literal": {"price": {"$gt": 5}, "$from": APART}}
    text = json.dumps({"cases": [{"id": "a", "expect": {"calls": [{"tool": "find", "args": {"where": rule}}]}}]})
    (case,) = load(tmp_path / "s", text).cases
    assert case.expect.plans[0].calls[0].args == {"where": rule}
