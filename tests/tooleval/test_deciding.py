"""Deciding by a suite of tests, and what failures have in common."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from toolgauge.api import load_run
from toolgauge.core import JsonValue, ModelReply
from toolgauge.errors import NothingToDo, UsageError
from toolgauge.tooleval import (
    EvalResult,
    TestCase,
    ToolCallExpectation,
    ToolTestSuite,
    analyze_failures,
    run_eval_in_ci,
)

from .talking import calls, evaluate, talk


def wavering(passing: int, of: int) -> ToolTestSuite:
    """A suite of which so many tests pass."""
    suite = ToolTestSuite("s", talk(calls(("lookup", {})), "done"))
    for number in range(of):
        tool = "lookup" if number < passing else "other"
        suite.add_test(TestCase(f"t{number:02}", "?", [ToolCallExpectation(tool)]))
    return suite


@pytest.mark.parametrize(
    ("passing", "of", "least", "good"),
    [(9, 10, 0.9, True), (8, 9, 0.9, False), (17, 20, 0.85, True), (16, 19, 0.8421052631578947, True)],
)
def test_the_gate_compares_the_unrounded_share(passing: int, of: int, least: float, good: bool) -> None:
    assert run_eval_in_ci(wavering(passing, of), least) is good


def test_a_share_that_would_pass_rounded_to_a_tenth_of_a_percent_does_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not run_eval_in_ci(wavering(2, 3), 0.667)
    printed = capsys.readouterr().out
    assert "66.7%" in printed
    assert "Gate failed" in printed
    assert "t02" in printed.split("What did not pass")[1]
    assert "other was expected but not called" in printed


def test_the_gate_takes_what_the_command_takes() -> None:
    assert not run_eval_in_ci(wavering(9, 10), must_pass=["t09"])
    assert not run_eval_in_ci(wavering(9, 10), minimum={"call_recall": 0.95})
    assert not run_eval_in_ci(wavering(9, 10), maximum={"calls": 0.5})


def test_a_suite_without_tests_is_nothing_to_do_and_not_a_success() -> None:
    with pytest.raises(NothingToDo):
        run_eval_in_ci(ToolTestSuite("empty", talk("done")))


def test_a_run_can_be_kept_and_read_again(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    wavering(1, 2).run(store=store, quiet=True)
    run = load_run("s@latest", store=store)
    assert (run.summary.counts.passed, run.summary.counts.planned) == (1, 2)


def test_a_suite_runs_inside_an_event_loop() -> None:
    async def inside() -> float:
        return wavering(1, 2).run(quiet=True)["pass_rate"]

    assert asyncio.run(inside()) == 50.0


def test_everything_is_said_in_vietnamese_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    suite = wavering(1, 2)
    suite.evaluator.lang = "vi"
    assert not run_eval_in_ci(suite)
    printed = capsys.readouterr().out
    for words in (
        "2 bài kiểm tra",
        "[KHÔNG ĐẠT] t01",
        "Thiếu lời gọi kỳ vọng: ['other']",
        "đạt 1/2 (50,0%)",
        "Các tiêu chí",
    ):
        assert words in printed
    report = suite.run(quiet=True)
    assert analyze_failures(report["results"], lang="vi")["recommendations"]
    assert "Phân tích lỗi" in capsys.readouterr().out
    assert "không đạt" in analyze_failures([], lang="vi")["message"]


def test_no_failures_are_nothing_to_analyse() -> None:
    assert list(analyze_failures([])) == ["message"]
    assert list(analyze_failures(wavering(2, 2).run(quiet=True)["results"])) == ["message"]


RIGHT: dict[str, JsonValue] = {"key": "a", "other_key": "b"}
OTHERS: list[tuple[str, dict[str, JsonValue]]] = [("other", {"key": key}) for key in range(5)]


@pytest.mark.parametrize(
    ("replies", "group", "named"),
    [
        ([calls(("lookup", {"key": "z"})), "done"], "param_errors", ["lookup", "other_key"]),
        ([calls(("other", RIGHT)), "done"], "wrong_tool", ["lookup", "other"]),
        (["done"], "missing_tool", ["lookup"]),
        ([calls(("lookup", RIGHT)), calls(*OTHERS), "done"], "over_calling", []),
        ([calls(*[("lookup", RIGHT)] * 6), "done"], "over_calling", ["lookup"]),
        ([ModelReply(), ModelReply(), ModelReply()], "other", []),
    ],
)
def test_a_planted_fault_is_found_in_its_group(replies: list[ModelReply | str], group: str, named: list[str]) -> None:
    expected = ToolCallExpectation("lookup", {"key": "a", "other_key": "b"})
    result = evaluate(talk(*replies), expected, max_tool_calls=10)
    assert not result.passed
    found = analyze_failures([result], quiet=True)
    lists = {name: value for name, value in found.items() if value == ["t"]}
    assert list(lists) == [group]
    advice = " ".join(found["recommendations"])
    assert found["recommendations"]
    assert all(name in advice for name in named)


def test_a_test_with_two_faults_of_one_group_is_listed_once_and_passing_ones_not_at_all() -> None:
    suite = wavering(1, 3)
    analysis = analyze_failures(suite.run(quiet=True)["results"], quiet=True)
    assert analysis["wrong_tool"] == ["t01", "t02"]
    assert analysis["diagnosis"].trajectories == 3
    assert analysis["diagnosis"].failed == 2


def test_results_of_several_suites_and_of_repeated_tests_are_analysed_together() -> None:
    first, second = wavering(0, 1), wavering(0, 1)
    second.test_cases[0].id = "another"
    results = [*first.run(quiet=True)["results"], *second.run(quiet=True)["results"], *first.run(quiet=True)["results"]]
    analysis = analyze_failures(results, quiet=True)
    assert analysis["diagnosis"].trajectories == 3
    assert analysis["wrong_tool"] == ["t00", "another"]
    second.test_cases[0].id = "t00"
    second.test_cases[0].user_message = "Something else?"
    with pytest.raises(UsageError, match="two different tests are called 't00'"):
        analyze_failures([*first.run(quiet=True)["results"], *second.run(quiet=True)["results"]])


def test_a_result_that_was_made_by_hand_cannot_be_analysed() -> None:
    with pytest.raises(UsageError, match="made by hand"):
        analyze_failures([EvalResult("t", False, 0.0, 0.0, 0.0, 0.0, 1, [], [], "")])
