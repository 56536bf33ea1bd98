"""The weather example: the verdicts of its documentation, from recorded traces and from a server, in both twins."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, cast

import pytest

from toolgauge.api import score
from toolgauge.core import ModelReply, ModelRequest, Run, Suite, ToolRequest
from toolgauge.suites import load_suite
from toolgauge.testing import ScriptedModel
from toolgauge.tooleval import EvalResult, TestCase, ToolTestSuite

from ..servers import AnthropicServer, Script
from .weather import EXAMPLE, SUITE, TRACES, Row, load_example, playing, table, traces

AGENTS = ("right", "wrong_argument", "several_wrong", "missing_call", "extra_call", "repeated_call", "no_keywords")


def rows_of(run: Run) -> list[Row]:
    rows = []
    for scored in run.scored:
        found = scored.score
        parts = (found.call_precision, found.call_recall, found.param_accuracy, found.content, found.score)
        precision, recall, parameters, content, overall = (round(cast(float, part), 3) for part in parts)
        kinds = tuple(dict.fromkeys(issue.kind for issue in found.issues))
        rows.append(Row(found.case, found.agent, precision, recall, parameters, content, overall, found.passed, kinds))
    return sorted(rows, key=lambda row: (row.test, AGENTS.index(row.agent)))


def test_the_table_has_every_agent_on_every_test() -> None:
    assert len(table()) == 21
    assert {row.agent for row in table()} == set(AGENTS)
    assert {row.passed for row in table()} == {True, False}


def test_a_test_of_the_table_passes_with_enough_points_and_no_missing_call() -> None:
    for row in table():
        assert row.passed == (row.score >= 0.8 and "missing_call" not in row.issues)


def by_hand(test: TestCase, calls: list[tuple[str, dict[str, object]]], output: str) -> tuple[float, ...]:
    """Precision, recall, parameters, texts and score by the rules of the page, for at most one expected call."""
    said = sum(text.lower() in output.lower() for text in test.expected_output_contains)
    content = said / len(test.expected_output_contains) if test.expected_output_contains else 1.0
    if test.should_not_call_tools and calls:
        return 0.0, 0.0, 0.0, content, 0.0
    if not test.expected_tool_calls:
        return 1.0, 1.0, 1.0, content, 1.0 if content == 1 else 0.5
    (expected,) = test.expected_tool_calls
    answers = [args for tool, args in calls if tool == expected.tool_name]
    precision = (1 if answers else 0) / len(calls) if calls else 1.0
    recall, parameters = 0.0, 0.0
    if answers:
        args = answers[0]
        points = [
            0.0 if name not in args else 1.0 if args[name] == value else 0.5
            for name, value in expected.required_params.items()
        ]
        points += [0.0 for name, valid in expected.param_validators.items() if name in args and not valid(args[name])]
        recall, parameters = 1.0, sum(points) / len(points)
    return precision, recall, parameters, content, 0.3 * precision + 0.3 * recall + 0.3 * parameters + 0.1 * content


def test_the_table_is_what_a_person_computes() -> None:
    tests: dict[str, TestCase] = {test.id: test for test in load_example().TESTS}
    known = traces()
    for row in table():
        line = known[row.agent, row.test]
        made = [(call["tool"], call["args"]) for call in cast(list[dict[str, Any]], line["calls"])]
        figures = by_hand(tests[row.test], made, str(line["output"]))
        assert (row.precision, row.recall, row.parameters, row.content, row.score) == pytest.approx(figures)


def test_recorded_traces_get_the_verdicts_of_the_table_in_yaml() -> None:
    assert rows_of(score(SUITE, TRACES)) == table()


def test_recorded_traces_get_the_verdicts_of_the_table_in_python() -> None:
    suite: ToolTestSuite = load_example().weather_suite()
    assert rows_of(score(suite.as_suite(), TRACES)) == table()


def test_the_twins_say_the_same_but_for_the_validator() -> None:
    def said(suite: Suite) -> list[object]:
        cases = [
            (case.id, case.input, case.expect.contains, case.budget, case.limits, case.expect.calls == ())
            for case in suite.cases
        ]
        calls = [
            (call.tool, call.args, list(call.check), call.forbid_args)
            for case in suite.cases
            for call in case.expect.calls or ()
        ]
        return [suite.name, suite.tools, suite.settings, *cases, *calls]

    assert said(load_example().weather_suite().as_suite()) == said(load_suite(SUITE))


@pytest.mark.deep
@pytest.mark.parametrize("agent", AGENTS)
def test_a_server_that_speaks_as_anthropic_gets_the_verdicts_of_the_table(
    agent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-for-tests")
    with AnthropicServer(cast(Script, playing(agent)), key="a-key-for-tests") as server:
        report = load_example().weather_suite(base_url=server.base_url).run()
    wanted = [row for row in table() if row.agent == agent]
    results: list[EvalResult] = report["results"]
    assert [result.test_id for result in results] == [row.test for row in wanted]
    for result, row in zip(results, wanted, strict=True):
        figures = (result.score, result.tool_precision, result.tool_recall, result.param_accuracy, result.passed)
        assert figures == (row.score, row.precision, row.recall, row.parameters, row.passed)
    assert report["passed"] == sum(row.passed for row in wanted)
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines() if "T00" in line and "score" in line] == [
        "[PASS]" if row.passed else "[FAIL]" for row in wanted
    ]
    assert {asked.model for asked in server.asked} == {"claude-haiku-4-5"}
    assert all(request.json["max_tokens"] == 2000 for request in server.requests)


def test_a_model_of_ones_own_can_be_asked_instead() -> None:
    known, questions = traces(), {test.user_message: test.id for test in load_example().TESTS}

    def answer(request: ModelRequest) -> ModelReply | str:
        said = next(message.text for message in request.messages if message.role == "user")
        line = known["right", questions[said]]
        made = sum(message.role == "tool" for message in request.messages)
        calls = cast(list[dict[str, Any]], line["calls"])[made:]
        return ModelReply(calls=(ToolRequest(calls[0]["tool"], calls[0]["args"]),)) if calls else str(line["output"])

    report = load_example().weather_suite(model=ScriptedModel(answer)).run(quiet=True)
    assert (report["passed"], report["avg_score"]) == (3, 1.0)


@pytest.mark.deep
def test_the_example_is_a_program_that_ends_as_the_gate_says() -> None:
    with AnthropicServer(cast(Script, playing("missing_call"))) as server:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE / "weather.py"), server.base_url],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "ANTHROPIC_API_KEY": "a-key-for-tests", "PYTHONUTF8": "1"},
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "")
    assert "get_weather is not called" in done.stdout
    assert "Gate failed" in done.stdout


@pytest.mark.deep
def test_the_example_ends_well_where_nothing_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-for-tests")
    with AnthropicServer(cast(Script, playing("right"))) as server:
        assert load_example().main(server.base_url) == 0
    assert "nothing to analyse" in capsys.readouterr().out
