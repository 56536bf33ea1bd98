"""Code that was written for such tests elsewhere works unchanged: what it looks for in results, and what is printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import pytest

from toolgauge.core import JsonValue, ModelReply
from toolgauge.tooleval import (
    EvalResult,
    TestCase,
    ToolCallExpectation,
    ToolEvaluator,
    ToolTestSuite,
    run_eval_in_ci,
)

from .talking import calls, evaluate, kinds, talk

STRICT: dict[str, JsonValue] = {
    "name": "lookup",
    "input_schema": {
        "type": "object",
        "properties": {"key": {"type": "string"}, "unit": {"type": "string"}},
        "required": ["key"],
    },
}
OTHER: dict[str, JsonValue] = {"name": "other", "input_schema": {"type": "object"}}


def sorted_by_words(results: Iterable[EvalResult]) -> Counter[str]:
    """A failure analysis that knows nothing but the words of the issues, as people write them."""
    found: Counter[str] = Counter()
    for result in results:
        if result.passed:
            continue
        for text in result.issues:
            if "Wrong" in text or "Missing param" in text:
                found["parameters"] += 1
            elif "Unexpected tool" in text:
                found["wrong tool"] += 1
            elif "Missing expected" in text:
                found["not called"] += 1
            elif "when shouldn't" in text:
                found["no tool needed"] += 1
    return found


def test_an_analysis_of_words_finds_each_kind_once_per_test() -> None:
    tools = [STRICT, OTHER]
    missing = evaluate(talk("Nothing.", tools=tools), ToolCallExpectation("lookup"), ToolCallExpectation("other"))
    assert sorted_by_words([missing]) == {"not called": 1}
    assert missing.issues == ["Missing expected tool calls: ['lookup', 'other']"]
    instead = evaluate(
        talk(calls(("other", {}), ("other", {"n": 1})), "So.", tools=tools), ToolCallExpectation("lookup")
    )
    assert sorted_by_words([instead]) == {"not called": 1, "wrong tool": 1}
    assert "Unexpected tool calls: ['other', 'other']" in instead.issues
    expected = ToolCallExpectation("lookup", {"key": "a", "unit": "m", "size": 3, "at": None})
    wrong = evaluate(talk(calls(("lookup", {"key": "b", "size": 4})), "So.", tools=tools), expected)
    assert sorted_by_words([wrong]) == {"parameters": 4}
    assert sorted(wrong.issues) == [
        "Missing param 'at' in lookup, expected any value",
        "Missing param 'unit' in lookup, expected 'm'",
        "Wrong 'key' in lookup: expected 'a', got 'b'",
        "Wrong 'size' in lookup: expected '3', got '4'",
    ]
    needless = evaluate(talk(calls(("lookup", {"key": "a"})), "So.", tools=tools), should_not_call_tools=True)
    assert sorted_by_words([needless]) == {"no tool needed": 1}
    right = evaluate(talk(calls(("lookup", {"key": "a"})), "So.", tools=tools), ToolCallExpectation("lookup"))
    assert (right.issues, sorted_by_words([right])) == ([], {})


def test_the_other_issues_have_their_words_too() -> None:
    expected = ToolCallExpectation(
        "lookup", forbidden_params=["unit"], param_validators={"key": lambda value: value == "a"}
    )
    result = evaluate(
        talk(calls(("lookup", {"key": "b", "unit": "m"})), "So.", tools=[STRICT]),
        expected,
        expected_output_contains=["Hanoi", "rain"],
        max_latency_ms=0.0001,
    )
    assert "Forbidden param 'unit' used in lookup" in result.issues
    assert any(text.startswith("Param 'key' failed validation in lookup") for text in result.issues)
    assert "Response missing keywords: ['Hanoi', 'rain']" in result.issues
    assert any(re.fullmatch(r"Latency \d+ms exceeded budget \S+ms", text) for text in result.issues)


def test_lines_verdicts_and_averages_are_printed_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    suite = ToolTestSuite("Lookups", talk(calls(("lookup", {"key": "a"})), "So.", tools=[STRICT, OTHER]))
    suite.add_test(TestCase("T1", "?", [ToolCallExpectation("lookup")]))
    suite.add_test(TestCase("T2", "?", [ToolCallExpectation("other")]))
    report = suite.run()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["", "Running: Lookups (2 tests)", "=" * 60]
    assert re.fullmatch(r"  \[PASS\] T1 — score: 1\.00 \| latency: \d+ms", lines[3])
    assert re.fullmatch(r"  \[FAIL\] T2 — score: 0\.10 \| latency: \d+ms", lines[4])
    assert lines[5:7] == [
        "       Issue: Missing expected tool calls: ['other']",
        "       Issue: Unexpected tool calls: ['lookup']",
    ]
    assert lines[8:12] == [
        "Results: 1/2 passed (50.0%)",
        "  Avg precision: 0.500",
        "  Avg recall: 0.500",
        "  Avg param accuracy: 0.500",
    ]
    assert report["pass_rate"] == 50.0


def test_the_gate_of_ci_is_one_line_with_the_failing_tests_below(capsys: pytest.CaptureFixture[str]) -> None:
    suite = ToolTestSuite("Lookups", talk("Nothing.", tools=[STRICT]))
    suite.add_test(TestCase("T1", "?", [ToolCallExpectation("lookup")]))
    suite.add_test(TestCase("T2", "?"))
    suite.add_test(TestCase("T3", "?"))
    assert not run_eval_in_ci(suite, min_pass_rate=0.85)
    printed = capsys.readouterr().out
    assert "\nCI GATE FAILED: 66.7% < 85.0% required\nFailing tests:\n  - T1: [" in printed
    assert run_eval_in_ci(suite, min_pass_rate=0.6)
    assert "\nCI GATE PASSED: 66.7% >= 60.0%\n" in capsys.readouterr().out
    assert not run_eval_in_ci(suite, min_pass_rate=0.6, must_pass=["T1"])
    assert "\nCI GATE FAILED: not met: cases that must pass\n" in capsys.readouterr().out
    assert not run_eval_in_ci(suite, min_pass_rate=0.66667)
    assert "\nCI GATE FAILED: 66.6667% < 66.6670% required\n" in capsys.readouterr().out


class Recording(ToolEvaluator):
    """An evaluator whose tools answer what somebody wrote down."""

    def _mock_tool_execution(self, tool_name: str, tool_input: dict[str, JsonValue]) -> JsonValue:
        return {"asked": tool_name, "with": tool_input}


def test_an_overridden_mock_is_called_also_for_calls_that_break_the_schema() -> None:
    made = calls(("lookup", {"key": 7}))
    scripted = talk(made, "So.", tools=[STRICT])
    evaluator = Recording([STRICT | {"results": [{"result": 1}]}], model=scripted.model)
    result = evaluate(evaluator, ToolCallExpectation("lookup", {"key": 7}))
    assert result.evidence is not None
    (call,) = result.evidence.scored.trajectory.calls
    assert (call.error, call.result) == (None, {"asked": "lookup", "with": {"key": 7}})
    assert kinds(result) == ["schema_error"]
    assert result.passed


def test_a_mock_that_is_put_in_its_place_later_is_called_too(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = talk(calls(("lookup", {"key": "a"})), "So.", tools=[STRICT])
    monkeypatch.setattr(evaluator, "_mock_tool_execution", lambda name, given: [name, given])
    result = evaluate(evaluator, ToolCallExpectation("lookup"))
    assert result.evidence is not None
    assert result.evidence.scored.trajectory.calls[0].result == ["lookup", {"key": "a"}]


def test_calls_that_break_the_schema_are_answered_and_recorded_as_issues() -> None:
    result = evaluate(talk(calls(("lookup", {"unit": 5})), "So.", tools=[STRICT]), ToolCallExpectation("lookup"))
    assert result.evidence is not None
    (call,) = result.evidence.scored.trajectory.calls
    assert call.error is None
    assert call.result == {
        "status": "success",
        "result": "Mock result for lookup",
        "input_received": {"unit": 5},
    }
    assert "schema_error" in kinds(result)
    assert any("breaks the schema" in text for text in result.issues)


def test_python_functions_are_still_held_to_their_schema() -> None:
    def lookup(key: str) -> str:
        return key

    reply: ModelReply = calls(("lookup", {"key": 7}))
    result = evaluate(talk(reply, "So.", tools=[lookup]), ToolCallExpectation("lookup"))
    assert result.evidence is not None
    assert "do not fit the tool's schema" in (result.evidence.scored.trajectory.calls[0].error or "")
