"""The tool-evaluation door: what tests mean, what stops an agent, what is printed, decided and analysed."""

from __future__ import annotations

import asyncio
import inspect
import io
import sys
from collections.abc import Callable
from dataclasses import fields

import pytest

import toolgauge.tooleval
from toolgauge.core import Case, JsonValue, ModelReply, ModelRequest, Toolbox
from toolgauge.errors import ModelError, UsageError
from toolgauge.testing import ScriptedModel
from toolgauge.tooleval import (
    EvalResult,
    TestCase,
    ToolCallExpectation,
    ToolEvaluator,
    ToolTestSuite,
    run_eval_in_ci,
)

from .talking import LOOKUP, calls, evaluate, kinds, talk


def test_the_fields_and_defaults_are_those_of_the_specification() -> None:
    assert [field.name for field in fields(ToolCallExpectation)] == [
        "tool_name",
        "required_params",
        "forbidden_params",
        "param_validators",
    ]
    test = TestCase("a", "b")
    assert (test.expected_tool_calls, test.should_not_call_tools, test.expected_output_contains) == ([], False, [])
    assert (test.max_tool_calls, test.max_latency_ms) == (5, 10_000)
    assert [field.name for field in fields(EvalResult)][:-1] == [
        "test_id",
        "passed",
        "score",
        "tool_precision",
        "tool_recall",
        "param_accuracy",
        "latency_ms",
        "tool_calls_made",
        "issues",
        "response",
    ]
    assert inspect.signature(run_eval_in_ci).parameters["min_pass_rate"].default == 0.9
    assert toolgauge.tooleval.__all__ == sorted(toolgauge.tooleval.__all__)


def test_none_means_any_value_but_the_argument_has_to_be_there() -> None:
    anything = ToolCallExpectation("lookup", {"key": None})
    values: list[JsonValue] = [None, 0, "x", [1]]
    for value in values:
        given = evaluate(talk(calls(("lookup", {"key": value})), "done"), anything)
        assert (given.passed, given.param_accuracy) == (True, 1.0)
    missing = evaluate(talk(calls(("lookup", {})), "done"), anything)
    assert (missing.param_accuracy, kinds(missing)) == (0.0, ["missing_arg"])


def test_a_tuple_is_a_list_and_a_matcher_or_a_function_may_stand_for_a_value() -> None:
    rules = {"a": ("x", "y"), "b": {"$one_of": [1, 2]}, "c": str.isupper}
    made = evaluate(talk(calls(("lookup", {"a": ["x", "y"], "b": 2, "c": "UP"})), "done"), _wanting(rules))
    assert made.param_accuracy == 1.0
    wrong = evaluate(talk(calls(("lookup", {"a": ["x"], "b": 3, "c": "down"})), "done"), _wanting(rules))
    assert wrong.param_accuracy == 0.5


def _wanting(rules: dict[str, object]) -> ToolCallExpectation:
    return ToolCallExpectation("lookup", rules)  # type: ignore[arg-type]  # values of several kinds


def test_forbidden_arguments_and_failing_validators_count_nothing_and_passing_ones_are_not_counted() -> None:
    expected = ToolCallExpectation("lookup", {"key": 1}, ["days"], {"units": lambda units: units == "c"})
    assert evaluate(talk(calls(("lookup", {"key": 1, "units": "c"})), "done"), expected).param_accuracy == 1.0
    both = evaluate(talk(calls(("lookup", {"key": 1, "units": "k", "days": 2})), "done"), expected)
    assert (both.param_accuracy, kinds(both)) == (0.333, ["forbidden_arg", "invalid_arg"])


def test_a_validator_that_raises_is_a_fault_of_the_suite() -> None:
    expected = ToolCallExpectation("lookup", {}, [], {"key": lambda value: value > 3})
    found = evaluate(talk(calls(("lookup", {"key": "text"})), "done"), expected)
    assert (found.passed, found.score) == (False, 0.0)
    (issue,) = found.issues
    assert issue.startswith("Not scored: fault of the suite: the rule lambda value: value > 3 (")
    assert "TypeError" in issue


def test_two_expectations_of_one_tool_are_held_against_two_calls() -> None:
    expected = [ToolCallExpectation("lookup", {"key": key}) for key in ("a", "b")]
    right = evaluate(talk(calls(("lookup", {"key": "b"}), ("lookup", {"key": "a"})), "done"), *expected)
    assert (right.score, right.param_accuracy, right.tool_recall) == (1.0, 1.0, 1.0)
    one = evaluate(talk(calls(("lookup", {"key": "b"})), "done"), *expected)
    assert (one.tool_recall, one.param_accuracy, one.passed) == (0.5, 0.5, False)


def test_recall_never_exceeds_one_and_a_repeated_call_costs_precision() -> None:
    again = evaluate(talk(*[calls(("lookup", {}))] * 2, "done"), ToolCallExpectation("lookup"))
    assert (again.tool_recall, again.tool_precision, again.score) == (1.0, 0.5, 0.85)
    assert kinds(again) == ["duplicate_call"]


def test_without_expectations_calls_are_free_and_keywords_decide() -> None:
    free = talk(calls(("lookup", {})), "Hà Nội is sunny")
    assert evaluate(free).score == 1.0
    found = evaluate(free, expected_output_contains=["hà nội", "SUNNY"])
    assert (found.passed, found.score) == (True, 1.0)
    lost = evaluate(free, expected_output_contains=["rain"])
    assert (lost.passed, lost.score, lost.tool_precision) == (False, 0.5, 1.0)


def test_the_budget_of_calls_is_n_and_the_agent_is_asked_n_plus_one_times() -> None:
    busy = talk(calls(("lookup", {"key": 1})))
    result = evaluate(busy, ToolCallExpectation("lookup"), max_tool_calls=2)
    assert isinstance(busy.model, ScriptedModel)
    assert len(busy.model.requests) == 3
    assert len(result.tool_calls_made) == 3
    assert result.evidence is not None
    assert result.evidence.scored.trajectory.state == "limit"
    assert not result.passed
    assert {"too_many_calls", "agent_error"} <= set(kinds(result))
    kept = evaluate(talk(*[calls(("lookup", {"key": 1}))] * 2, "done"), max_tool_calls=2)
    assert kept.passed
    assert kinds(kept) == []


def test_a_large_budget_is_not_cut_short_by_the_limits_of_a_run() -> None:
    many = evaluate(talk(*[calls(("lookup", {"key": 1}))] * 60, "done"), max_tool_calls=60)
    assert (many.passed, len(many.tool_calls_made)) == (True, 60)
    suite = talk("done").suite_of("s", [TestCase("t", "?", max_latency_ms=300_000)])
    assert suite.cases[0].limits is not None
    assert suite.cases[0].limits.seconds == 600


def test_exceeding_the_latency_is_an_issue_and_fails_nothing() -> None:
    slow = evaluate(talk("done"), max_latency_ms=1e-9)
    assert (slow.passed, kinds(slow)) == (True, ["over_latency"])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"should_not_call_tools": True, "expected_tool_calls": [ToolCallExpectation("lookup")]}, "no tool may be"),
        ({"max_tool_calls": -1}, "nothing can keep"),
        ({"max_latency_ms": 0}, "nothing can keep"),
        ({"expected_tool_calls": [ToolCallExpectation("nowhere")]}, "which agents do not get"),
        ({"expected_tool_calls": [ToolCallExpectation("lookup", {"a": {"$oneof": [1]}})]}, "is not a matcher"),
    ],
)
def test_a_test_that_cannot_be_meant_is_refused_before_anything_is_asked(fields: dict[str, object], words: str) -> None:
    evaluator = talk("done")
    with pytest.raises(UsageError, match=words):
        evaluator.evaluate_test_case(TestCase("t", "?", **fields))  # type: ignore[arg-type]  # as the test says
    assert isinstance(evaluator.model, ScriptedModel)
    assert evaluator.model.requests == []


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ({"description": "no name"}, r"tools\[1\]"),
        ({"name": "x", "input_schema": {"type": "nothing"}}, r"tools\[1\]"),
        ({"name": 3}, r"tools\[1\]\.name"),
        (7, r"tools\[1\] is not a tool"),
    ],
)
def test_what_is_no_tool_is_refused_with_its_place(tool: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ToolEvaluator([LOOKUP, tool])


def test_definitions_are_taken_as_openai_and_mcp_spell_them() -> None:
    schema: dict[str, JsonValue] = {"type": "object", "required": ["key"]}
    openai: dict[str, JsonValue] = {"type": "function", "function": {"name": "lookup", "parameters": schema}}
    mcp: dict[str, JsonValue] = {"name": "other", "inputSchema": schema}
    suite = ToolEvaluator([openai, mcp]).suite_of("s", [TestCase("t", "?")])
    assert [(tool.name, tool.parameters) for tool in suite.tools] == [("lookup", schema), ("other", schema)]


def test_python_functions_are_called_and_definitions_are_answered_by_mocks() -> None:
    seen: list[str] = []

    def double(number: int) -> int:
        """Twice a number."""
        seen.append(f"double {number}")
        return 2 * number

    evaluator = talk(calls(("double", {"number": 4}), ("lookup", {"key": 1})), "done", tools=[double, LOOKUP])
    result = evaluate(evaluator)
    assert seen == ["double 4"]
    assert result.evidence is not None
    doubled, mocked = result.evidence.scored.trajectory.calls
    assert doubled.result == 8
    assert mocked.result == {"status": "success", "result": "Mock result for lookup", "input_received": {"key": 1}}


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_what_mocks_answer_can_be_said(kind: str) -> None:
    async def later(name: str, args: dict[str, JsonValue]) -> JsonValue:
        await asyncio.sleep(0)
        return [name, args]

    answer: Callable[..., object] = later if kind == "async" else lambda name, args: [name, args]
    model = ScriptedModel([calls(("lookup", {"key": 1})), "done"])
    evaluator = ToolEvaluator([LOOKUP], model=model, mock_results=answer)  # type: ignore[arg-type]  # of both kinds
    result = evaluate(evaluator)
    assert result.evidence is not None
    assert result.evidence.scored.trajectory.calls[0].result == ["lookup", {"key": 1}]


def test_results_of_a_definition_are_what_its_mock_answers() -> None:
    canned: dict[str, JsonValue] = {**LOOKUP, "results": [{"when": {"key": 1}, "result": "one"}]}
    model = ScriptedModel([calls(("lookup", {"key": 1})), "done"])
    result = evaluate(ToolEvaluator([canned], model=model))
    assert result.evidence is not None
    assert result.evidence.scored.trajectory.calls[0].result == "one"


def test_the_prompt_goes_before_the_question_and_an_empty_one_is_not_sent() -> None:
    for prompt in ("", "Be brief."):
        evaluator = talk("done", system_prompt=prompt)
        evaluate(evaluator)
        assert isinstance(evaluator.model, ScriptedModel)
        said = [(message.role, message.text) for message in evaluator.model.requests[0].messages]
        assert said == [("system", prompt)] * bool(prompt) + [("user", "Question?")]


def test_an_agent_can_take_the_place_of_the_model() -> None:
    async def agent(case: Case, tools: Toolbox) -> str:
        await tools.call("lookup", {"key": case.input})
        return "done"

    expected = ToolCallExpectation("lookup", {"key": "Question?"})
    assert evaluate(ToolEvaluator([LOOKUP], agent=agent), expected).score == 1.0
    named = ToolEvaluator([LOOKUP], agent="react", model=ScriptedModel([calls(("lookup", {"key": 1})), "done"]))
    assert evaluate(named, ToolCallExpectation("lookup")).tool_calls_made[0]["name"] == "lookup"


def test_a_model_that_fails_fails_the_test_and_not_the_suite() -> None:
    def answer(request: ModelRequest) -> ModelReply | str | Exception:
        if "break" in request.messages[-1].text:
            return ModelError("it broke", kind="server error")
        return "done"

    suite = ToolTestSuite("s", ToolEvaluator([], model=ScriptedModel(answer)))
    suite.add_test(TestCase("bad", "break"))
    suite.add_test(TestCase("good", "go on"))
    report = suite.run(quiet=True)
    assert [(result.test_id, result.passed) for result in report["results"]] == [("bad", False), ("good", True)]
    assert "it broke" in report["failures"][0].issues[0]
    assert (report["total"], report["passed"], report["failed"], report["pass_rate"]) == (2, 1, 1, 50.0)


@pytest.mark.deep
def test_a_name_without_provider_is_a_model_of_anthropic_and_needs_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        evaluate(ToolEvaluator([]))


def test_results_are_rounded_after_the_verdict_and_averages_rest_on_unrounded_values() -> None:
    def answer(request: ModelRequest) -> ModelReply | str:
        return "done" if len(request.messages) > 1 else calls(("lookup", {"a": 1, "b": 0, "c": 0}))

    suite = ToolTestSuite("s", ToolEvaluator([LOOKUP], model=ScriptedModel(answer)))
    expected = ToolCallExpectation("lookup", {"a": 1, "b": 1, "c": 2})
    for number in range(3):
        suite.add_test(TestCase(f"t{number}", "?", [expected]))
    report = suite.run(quiet=True)
    assert [result.param_accuracy for result in report["results"]] == [0.667] * 3
    assert report["avg_param_accuracy"] == 0.667
    assert report["avg_score"] == 0.9
    assert report["results"][0].passed


def test_two_tests_of_one_name_are_refused() -> None:
    suite = ToolTestSuite("s", talk("done"))
    suite.add_test(TestCase("t", "?"))
    suite.add_test(TestCase("t", "?"))
    with pytest.raises(UsageError, match="'t'"):
        suite.run(quiet=True)


def test_what_a_model_says_cannot_move_the_cursor_and_any_terminal_can_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    suite = ToolTestSuite("Hà Nội\x1b[2J", talk(calls(("lookup", {"key": "\x1b[31mđỏ"})), "done"))
    suite.add_test(TestCase("t", "?", [ToolCallExpectation("lookup", {"key": "1"})]))
    suite.run()
    stream.flush()
    printed = stream.buffer.getvalue()
    assert b"\x1b" not in printed
    assert b"\\x1b[2J" in printed
