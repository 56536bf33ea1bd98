"""Suites as YAML, JSON and JSONL documents, and everything that can be wrong in them."""

import json
from pathlib import Path

import pytest

from toolgauge.core import Case, Expect, ExpectedCall, Suite
from toolgauge.errors import InputError, NothingToDo, UsageError
from toolgauge.suites import load_suite

WEATHER = """\
name: weather
tools:
  - {name: anthropic, description: A, input_schema: {type: object}, cache_control: {type: ephemeral}}
  - {type: function, function: {name: chat, description: B, parameters: {type: object}, strict: true}}
  - {type: function, name: responses, parameters: {type: object}, strict: true}
  - {name: mcp, title: M, inputSchema: {type: object}, annotations: {readOnlyHint: true}}
  - {name: plain}
settings: {weights: {call_precision: 0.4, call_recall: 0.2}, threshold: 0.5}
cases:
  - id: 001
    input: no
    labels: {level: 3}
    locale: en
    now: 2026-01-31
    expect:
      calls:
        - {tool: plain, args: {city: Hà Nội, days: 1e1, code: 007}, times: 2, id: w}
        - {tool: chat, check: {units: {$one_of: [celsius, fahrenheit]}, any: {$any: }}, after: [w]}
      contains: [75]
      answer: {type: number, value: 31, tolerance: 10%}
  - {id: 2, input: What is climate?, expect: {calls: []}}
"""


def load(path: Path, text: str, input_format: str | None = None) -> Suite:
    path.write_bytes(text.encode())
    return load_suite(path, input_format=input_format)


def refusal(path: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(path, text)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]


def test_a_yaml_suite(tmp_path: Path) -> None:
    suite = load(tmp_path / "anything", WEATHER)
    assert suite.name == "weather"
    assert [tool.name for tool in suite.tools] == ["anthropic", "chat", "responses", "mcp", "plain"]
    assert [tool.description for tool in suite.tools] == ["A", "B", "", "", ""]
    assert [tool.parameters for tool in suite.tools] == [{"type": "object"}] * 4 + [None]
    assert suite.settings.weights.call_precision == 0.4
    first, second = suite.cases
    assert (first.id, first.input, first.labels) == ("001", "no", {"level": "3"})
    assert first.expect.calls is not None
    assert first.expect.calls[0].args == {"city": "Hà Nội", "days": 10.0, "code": "007"}
    assert first.expect.contains == ("75",)
    assert first.expect.answer == {"type": "number", "value": 31, "tolerance": "10%"}
    assert second.id == "2"
    assert second.expect.calls == ()


def test_json_and_jsonl_say_the_same_as_yaml(tmp_path: Path) -> None:
    cases = [{"id": "a", "input": "x", "expect": {"calls": [{"tool": "t"}]}}, {"id": "b"}]
    expected = (Case("a", "x", expect=Expect((ExpectedCall("t"),))), Case("b"))
    for text in (
        json.dumps({"cases": cases}),
        json.dumps({"cases": cases}, indent=2),
        "\n\n".join(map(json.dumps, cases)) + "\r\n",
        json.dumps({"cases": cases}, indent=1).replace("\n", "\r\n"),
    ):
        suite = load(tmp_path / "climate.suite.x", text)
        assert suite.cases == expected
        assert suite.name == "climate.suite"


def test_one_line_of_jsonl_is_a_suite_of_one_case(tmp_path: Path) -> None:
    assert load(tmp_path / "a", '{"id": "a"}').cases == (Case("a"),)


def test_f1_jsonl_names_line_and_column_of_up_to_ten_faults(tmp_path: Path) -> None:
    text = '{"id": "a"}\n\n{"id": 3}\r\n{"id": "b",,}\n{"id": "a"}\n{"id": "c", "inptu": ""}\n{"id": "d"'
    assert refusal(tmp_path / "a", text) == [
        "3:8: expected a string, found the number 3, at id; put it in quotes if the text is meant",
        "4:12: not valid JSON: expecting property name enclosed in double quotes",
        "5:8: the id 'a' is already used, by case 1, at id",
        "6:13: 'inptu' is not a known key, at inptu; did you mean 'input'?",
        "7:11: the JSON ends too early; the end seems to be cut off",
    ]
    many = refusal(tmp_path / "a", '{"id": "a"}\n' + "{x}\n" * 30)
    assert len(many) == 11
    assert many[-1].endswith("and more; these are the first 10")


def test_f6_all_faults_of_a_document_are_listed_with_place_path_and_hint(tmp_path: Path) -> None:
    text = (
        "cases:\n"
        "  - id: a\n"
        "    expct: {}\n"
        "  - expect: {order: stric, calls: [{tol: t}]}\n"
        "  - {id: c, expect: {calls: [{tool: t, times: {min: 2, max: 1}}]}}\n"
        "  - {id: a}\n"
    )
    assert refusal(tmp_path / "a", text) == [
        "3:5: 'expct' is not a known key, at cases[0].expct; did you mean 'expect'?",
        "4:5: the key 'id' is missing, at cases[1]",
        "4:21: expected one of any, strict, found 'stric', at cases[1].expect.order; did you mean 'strict'?",
        "4:36: the key 'tool' is missing, at cases[1].expect.calls[0]",
        "4:37: 'tol' is not a known key, at cases[1].expect.calls[0].tol; did you mean 'tool'?",
        "5:61: 'max' is 1, less than 'min', which is 2, at cases[2].expect.calls[0].times.max",
        "6:10: the id 'a' is already used by cases[0], at cases[3].id",
    ]


def test_f6_json_faults_have_places_too(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", '{"nam": "x",\n "cases": [{"id": "a",\n  "labels": {"level": 3}}]}') == [
        "1:2: 'nam' is not a known key, at nam; did you mean 'name'?",
        "3:23: expected a string, found the number 3, at cases[0].labels.level; put it in quotes if the text is meant",
    ]
    assert refusal(tmp_path / "a", '{"cases": [\n {"id": "a", "id": "b"}]}') == ["2:14: duplicate key 'id'"]


@pytest.mark.parametrize("text", ["", "  \n", "cases: []", "cases:\n", '{"cases": []}', "query,tools\n", "# nothing\n"])
def test_f9_a_suite_without_cases_names_its_file_and_exits_5(tmp_path: Path, text: str) -> None:
    with pytest.raises(NothingToDo, match=r"empty\.yaml: there are no cases in this suite") as caught:
        load(tmp_path / "empty.yaml", text)
    assert caught.value.exit_code == 5


def case(expect: str) -> str:
    return f"cases:\n  - {{id: a, expect: {expect}}}\n"


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("{calls: [], any_of: [{calls: []}]}", "'calls' and 'any_of' cannot both be given, at cases[0].expect.any_of"),
        ("{calls: [{tool: t, times: 0}]}", "expected 1 or more, found 0, at cases[0].expect.calls[0].times"),
        ("{calls: [{tool: ' '}]}", "the name of the tool is empty, at cases[0].expect.calls[0].tool"),
        ("{calls: [{tool: t, id: x}, {tool: t, id: x}]}", "there is already an expected call with the id 'x'"),
        ("{calls: [{tool: t, after: [x]}]}", "no expected call here has the id 'x'"),
        ("{calls: [{tool: t, id: first}, {tool: t, after: [frist]}]}", "did you mean 'first'?"),
        ("{calls: [{tool: t, id: x, after: [x]}]}", "a call cannot come after itself"),
        (
            "{any_of: [{calls: [{tool: t, id: x, after: [z]}, {tool: t, id: y, after: [x]}, "
            "{tool: t, id: z, after: [y]}]}]}",
            "'after' is circular: no order can satisfy it, at cases[0].expect.any_of[0].calls[0].after",
        ),
        ("{calls: [{tool: t, args: {a: {$one_off: [1]}}}]}", "'$one_off' is not a matcher"),
        ("{calls: [{tool: t, args: {a: {$one_of: []}}}]}", "'$one_of' takes a list with at least one value"),
        ("{calls: [{tool: t, check: {a: [{b: {$any: 3}}]}}]}", "'$any' takes nothing"),
        ("{calls: [{tool: t, args: {a: {$any: true, b: 1}}}]}", "a matcher must be alone in its object"),
        ("{calls: [{tool: t, args: {$any: true}}]}", "'$any' is where the name of an argument is expected"),
        ("{calls: [{tool: t, args: {a: {$one_of: [{b: {$x: 1}}]}}}]}", ".args.a.$one_of[0].b.$x"),
    ],
)
def test_rules_beyond_types(tmp_path: Path, expect: str, message: str) -> None:
    lines = refusal(tmp_path / "a", case(expect))
    assert len(lines) == 1
    assert lines[0].startswith("2:")
    assert message in lines[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("settings: {weights: {content: 0.2}}\ncases: [{id: a}]", "1:21: the weights sum to 1.1, not to 1"),
        ("tools: [{name: a}, {name: a}]\ncases: [{id: a}]", "1:27: there is already a tool called 'a'"),
        ("tools: [{description: a}]\ncases: [{id: a}]", "1:9: the tool has no name"),
        (
            "tools: ['mod:obj']\ncases: [{id: a}]",
            "1:9: 'mod:obj' names a Python object, and this command loads no code",
        ),
        ("cases: [{id: ''}]", "1:14: the id is empty"),
        ("cases: [{id: a, now: yesterday}]", "1:22: 'yesterday' is not a day"),
        ("name: x", "1:1: the key 'cases' is missing"),
        ("just words", "1:1: expected an object, found the string 'just words'"),
        ("[]", "1:1: expected an object, found a list"),
    ],
)
def test_more_rules(tmp_path: Path, text: str, message: str) -> None:
    lines = refusal(tmp_path / "a", text)
    assert len(lines) == 1
    assert message in lines[0]


def test_orders_without_a_circle_are_fine(tmp_path: Path) -> None:
    suite = load(
        tmp_path / "a",
        case("{calls: [{tool: t, id: x}, {tool: t, id: y, after: [x]}, {tool: t, id: z, after: [x, y]}]}"),
    )
    assert suite.cases[0].expect.calls is not None
    assert suite.cases[0].expect.calls[0] == ExpectedCall("t", id="x")


def test_a_format_can_be_forced_and_has_to_exist(tmp_path: Path) -> None:
    assert load(tmp_path / "a", "{cases: [{id: a}]}", "yaml").cases == (Case("a"),)
    with pytest.raises(UsageError, match="did you mean 'jsonl'"):
        load(tmp_path / "a", "x", "jsnl")
