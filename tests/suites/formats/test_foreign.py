"""Suites of other tools: what is mapped, what is left out and counted, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge.core import Budget, ExpectedCall, JsonValue, Suite, Times
from toolgauge.errors import InputError
from toolgauge.suites import load_suite

PROMPTFOO = """\
description: shop
prompts: ["{{question}}"]
providers:
  - id: openai:gpt-5
    config:
      tools:
        - type: function
          function: {name: search_orders, parameters: {type: object, properties: {order_id: {type: string}}}}
        - {name: compose_reply, input_schema: {type: object}}
defaultTest:
  assert:
    - {type: latency, threshold: 5000}
    - type: llm-rubric
      value: is polite
tests:
  - description: looks the order up
    vars: {question: "Where is order {{n}}?", order: "123"}
    metadata: {difficulty: easy}
    assert:
      - {type: icontains, value: "order {{order}}"}
      - {type: contains-all, value: [on its way, 3]}
      - type: trajectory:tool-used
        value: [search_orders, compose_reply]
      - type: trajectory:tool-args-match
        value: {name: search_orders, args: {order_id: "{{order}}", filter: {open: true}}}
      - {type: is-valid-openai-tools-call}
      - {type: not-trajectory:tool-used, value: delete_order}
  - vars: {question: [How many?, How much?]}
    assert:
      - {type: equals, value: 42}
      - {type: tool-call-f1, value: "search_orders, count", threshold: 0.8}
      - {type: javascript, value: output.length > 3}
  - vars: {question: In order}
    assert:
      - type: trajectory:tool-sequence
        value: {mode: exact, steps: [a, b, a]}
      - type: trajectory:tool-args-match
        value: {name: b, mode: exact, args: {x: 1}, defaults: {page: 1}, ignore: cursor}
  - vars: {question: Loosely}
    assert:
      - {type: trajectory:tool-used, value: {name: c, min: 2, max: 3}}
      - {type: trajectory:tool-used, value: {pattern: "d*", min: 1}}
      - {type: trajectory:tool-sequence, value: {steps: [a, b]}}
"""


def load(path: Path, text: str | JsonValue) -> tuple[Suite, list[str]]:
    path.write_text(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False), encoding="utf-8")
    remarks: list[str] = []
    return load_suite(path, remark=remarks.append), remarks


def test_a_promptfoo_configuration(tmp_path: Path) -> None:
    suite, remarks = load(tmp_path / "promptfooconfig.yaml", PROMPTFOO)
    assert suite.name == "shop"
    assert [tool.name for tool in suite.tools] == ["search_orders", "compose_reply"]
    first, many, much, ordered, loose = suite.cases
    assert (first.id, first.input, first.labels) == (
        "looks the order up",
        "Where is order {{n}}?",
        {"difficulty": "easy"},
    )
    assert first.budget == Budget(latency_ms=5000)
    assert first.expect.contains == ("order 123", "on its way", "3")
    assert first.expect.calls == (
        ExpectedCall("search_orders", {"order_id": "123", "filter": {"$partial": {"open": True}}}),
        ExpectedCall("compose_reply"),
    )
    assert (first.expect.extra, first.expect.forbid) == ("allow", ("delete_order",))
    assert [(case.id, case.input) for case in (many, much)] == [("q2", "How many?"), ("q3", "How much?")]
    assert many.expect.answer == {"type": "number", "value": 42}
    assert many.expect.calls == (ExpectedCall("search_orders"), ExpectedCall("count"))
    assert many.expect.extra == "penalise"
    exact = ExpectedCall("b", {"x": 1}, {"cursor": {"$any": True}, "page": 1}, ("*",))
    assert ordered.expect.calls == (ExpectedCall("a"), exact, ExpectedCall("a"))
    assert (ordered.expect.order, ordered.expect.extra) == ("strict", "forbid")
    assert loose.expect.calls == (
        ExpectedCall("c", times=Times(2, 3)),
        ExpectedCall("a", id="step1"),
        ExpectedCall("b", id="step2", after=("step1",)),
    )
    assert remarks == [
        "promptfoo assertion 'llm-rubric' has no counterpart here, left out in 5 cases",
        "the threshold of promptfoo assertion 'tool-call-f1' has no counterpart here, left out in 2 cases",
        "promptfoo assertion 'javascript' has no counterpart here, left out in 2 cases",
        "promptfoo assertion 'trajectory:tool-used' of this form has no counterpart here, left out in 1 case",
    ]


def test_promptfoo_tests_in_a_list_of_their_own_and_in_another_file(tmp_path: Path) -> None:
    tests: JsonValue = [
        {"vars": {"task": "Do it", "fixture": "a.docx"}, "assert": [{"type": "is-valid-openai-tools-call"}]}
    ]
    suite, remarks = load(tmp_path / "tests.json", tests)
    assert [case.input for case in suite.cases] == ["Do it"]
    assert remarks == ["promptfoo assertion 'is-valid-openai-tools-call' has no counterpart here, left out in 1 case"]
    with pytest.raises(InputError, match=r"the tests are in another file, at tests; give that file instead"):
        load(tmp_path / "c.yaml", "prompts: [x]\ntests: file://tests.yaml\n")


def test_faults_of_a_promptfoo_test_have_a_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path / "c.yaml", "prompts: [x]\ntests:\n  - vars: {q: 1}\n    assert:\n      - {value: 3}\n")
    assert "c.yaml:5:9: an assertion without a type, at tests[0].assert[0]" in str(caught.value)
    with pytest.raises(InputError) as caught:
        load(tmp_path / "c.yaml", f"tests: [{{vars: {{a: {[*range(50)]}, b: {[*range(50)]}}}}}]\n")
    assert "the values of this test make more than 1,000 combinations" in str(caught.value)


GOLDENS: list[JsonValue] = [
    {
        "input": "Weather in Huế?",
        "expected_output": "Sunny",
        "name": "weather",
        "expected_tools": [
            {"name": "get_weather", "type": "FUNCTION", "inputParameters": {"city": "Huế", "q": {"$gt": 1}}},
            {"name": "log", "input_parameters": None, "output": "ok"},
        ],
        "additional_metadata": {"difficulty": "easy", "long": "x" * 200},
    },
    {"input": "Hi", "actual_output": None, "expected_tools": None},
    {"input": "Nothing", "expectedTools": []},
    {"input": "Names", "expected_tools": ["a", "b"]},
]


@pytest.mark.parametrize("form", ["list", "lines", "dataset"])
def test_deepeval_goldens(tmp_path: Path, form: str) -> None:
    documents: dict[str, JsonValue] = {
        "list": GOLDENS,
        "lines": "\n".join(map(json.dumps, GOLDENS)),
        "dataset": {"goldens": GOLDENS},
    }
    suite, remarks = load(tmp_path / "goldens", documents[form])
    assert [case.id for case in suite.cases] == ["weather", "q2", "q3", "q4"]
    assert suite.cases[0].labels == {"difficulty": "easy"}
    assert [case.expect.calls for case in suite.cases] == [
        (ExpectedCall("get_weather", {"city": "Huế", "q": {"$literal": {"$gt": 1}}}), ExpectedCall("log")),
        None,
        (),
        (ExpectedCall("a"), ExpectedCall("b")),
    ]
    assert remarks == [
        "deepeval key 'expected_output' has no counterpart here, left out in 1 case",
        "deepeval's expected output of a tool has no counterpart here, left out in 1 case",
    ]


def test_a_single_golden_over_several_lines_and_one_that_is_a_conversation(tmp_path: Path) -> None:
    suite, _ = load(tmp_path / "one.json", json.dumps(GOLDENS[3], indent=1))
    assert [case.input for case in suite.cases] == ["Names"]
    suite, remarks = load(tmp_path / "two.json", [GOLDENS[3], {"scenario": "s", "expected_outcome": "o"}])
    assert len(suite.cases) == 1
    assert remarks == ["a deepeval golden of a conversation has no counterpart here, left out in 1 case"]


def test_an_expected_tool_without_a_name_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path / "a.jsonl", '{"input":"a","expected_tools":[]}\n{"input":"b","expected_tools":[{"args":{}}]}\n')
    assert "a.jsonl:2:1: an expected tool without a name, at [1].expected_tools[0]" in str(caught.value)


def turn(text: str, *uses: JsonValue) -> dict[str, JsonValue]:
    said: JsonValue = {"parts": [{"text": text}], "role": "user"}
    return {"invocation_id": "i", "user_content": said, "intermediate_data": {"tool_uses": [*uses]}}


def test_an_adk_eval_set(tmp_path: Path) -> None:
    roll: JsonValue = {"id": None, "name": "roll_die", "args": {"sides": 17}}
    answered: dict[str, JsonValue] = {**turn("Hi"), "final_response": {"parts": [{"text": "Hello"}], "role": "model"}}
    event: JsonValue = {"author": "a", "content": {"parts": [{"functionCall": {"name": "check", "args": {}}}]}}
    eval_set: JsonValue = {
        "eval_set_id": "dice",
        "eval_cases": [
            {"eval_id": "twice", "conversation": [turn("Roll twice", roll, roll), turn("And check")]},
            {"eval_id": "hello", "conversation": [answered], "session_input": {"app_name": "x", "state": {}}},
            {
                "evalId": "events",
                "conversation": [
                    {
                        "userContent": {"parts": [{"text": "Check"}]},
                        "intermediateData": {"invocationEvents": [event]},
                    }
                ],
            },
            {"eval_id": "simulated", "conversation_scenario": {"starting_prompt": "x"}},
        ],
    }
    suite, remarks = load(tmp_path / "dice.evalset.json", eval_set)
    assert suite.name == "dice"
    assert [(case.id, case.input) for case in suite.cases] == [
        ("twice", "Roll twice"),
        ("hello", "Hi"),
        ("events", "Check"),
    ]
    die = ExpectedCall("roll_die", {"sides": 17})
    assert [case.expect.calls for case in suite.cases] == [(die, die), (), (ExpectedCall("check"),)]
    assert remarks == [
        "ADK's 'final_response' has no counterpart here, left out in 1 case",
        "an ADK case without a conversation, such as a scenario for a simulated user, has no counterpart here, "
        "left out in 1 case",
        "in ADK conversations with several turns the first message is the input, and all calls are expected (1 case)",
    ]


def test_the_older_forms_of_adk(tmp_path: Path) -> None:
    use: JsonValue = {"tool_name": "roll_die", "tool_input": {"sides": 6}}
    queries: list[JsonValue] = [
        {"query": "Roll", "expected_tool_use": [use], "reference": "4"},
        {"query": "Thanks", "expected_tool_use": [], "reference": ""},
    ]
    suite, remarks = load(tmp_path / "old.test.json", queries)
    assert [(case.id, case.input) for case in suite.cases] == [("q1", "Roll"), ("q2", "Thanks")]
    assert [case.expect.calls for case in suite.cases] == [(ExpectedCall("roll_die", {"sides": 6}),), ()]
    assert remarks == ["ADK's 'reference' has no counterpart here, left out in 1 case"]
    suite, _ = load(tmp_path / "older.json", [{"name": "session", "data": queries, "initial_session": {}}])
    assert [(case.id, case.input, len(case.expect.calls or ())) for case in suite.cases] == [("session", "Roll", 1)]
