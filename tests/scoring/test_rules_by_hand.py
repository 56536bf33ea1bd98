"""When a case is passed, and what each mode, budget and state does, computed by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.builders import call, case, expected, failed, plan, trajectory
from toolgauge.core import (
    ISSUE_KINDS,
    STATES,
    Budget,
    Call,
    Case,
    ExpectedCall,
    Extra,
    PassRule,
    Score,
    Settings,
    State,
    Suite,
    ToolDefinition,
    Trajectory,
    Weights,
)
from toolgauge.scoring import Scorer, score


def kinds(got: Score) -> list[str]:
    """The kinds of the issues, sorted."""
    return sorted(issue.kind for issue in got.issues)


def test_a_score_on_the_threshold_passes_despite_rounding() -> None:
    # 0.3 · 1/2 + 0.3 + 0.3 + 0.1 = 0.85, with its parts added up in floating point.
    half_precise = trajectory(["a", "b"])
    assert score(case(["a"]), half_precise, settings=Settings(threshold=0.85)).passed
    assert score(case(["a"]), half_precise, settings=Settings(threshold=0.85 + 9e-10)).passed
    assert not score(case(["a"]), half_precise, settings=Settings(threshold=0.85 + 2e-9)).passed


def test_a_perfect_trajectory_passes_the_highest_threshold() -> None:
    assert score(case(["a"]), trajectory(["a"]), settings=Settings(threshold=1.0)).passed


def test_weights_are_settings() -> None:
    weights = Weights(call_precision=0.5, call_recall=0.25, param_accuracy=0.25, content=0.0)
    got = score(case(["a"], contains=("x",)), trajectory(["a", "b"]), settings=Settings(weights=weights))
    assert got.score == pytest.approx(0.75)


FAILING: list[tuple[str, Case, Trajectory]] = [
    ("missing_call", case(["a", "b"]), trajectory(["a"])),
    ("forbidden_tool", case(["a"], forbid=("b",), neutral=("b",)), trajectory(["a", "b"])),
    ("unexpected_call", case(["a"], extra="forbid"), trajectory(["a", "b"])),
    ("wrong_order", case(["a", "b"], order="strict"), trajectory(["b", "a"])),
    (
        "wrong_order",
        case([expected("a", after=("first",)), expected("b", id="first")]),
        trajectory(["a", "b"]),
    ),
    ("agent_error", case(["a"]), trajectory(["a"], state="error")),
]

STRICTLY_FAILING: list[tuple[str, Case, Trajectory]] = [
    ("missing_arg", case([expected("a", {"x": 1})]), trajectory(["a"])),
    ("wrong_arg", case([expected("a", {"x": 1})]), trajectory([call("a", {"x": 2})])),
    ("forbidden_arg", case([expected("a", forbid_args=("x",))]), trajectory([call("a", {"x": 2})])),
    ("invalid_arg", case([expected("a", check={"x": 1})]), trajectory([call("a", {"x": 2})])),
    ("unrecovered_error", case(["a"]), trajectory([failed("a")])),
    ("missing_content", case(["a"], contains=("x",)), trajectory(["a"], output="y")),
]


@pytest.mark.parametrize(("kind", "of", "made"), FAILING + STRICTLY_FAILING)
def test_a_failing_issue_fails_the_case_whatever_its_score(kind: str, of: Case, made: Trajectory) -> None:
    got = score(of, made, settings=Settings(threshold=0.0))
    assert [issue.kind for issue in got.issues if issue.failing] == [kind]
    assert not got.passed


@pytest.mark.parametrize(("kind", "of", "made"), FAILING)
def test_what_fails_by_the_score_fails_by_both_rules(kind: str, of: Case, made: Trajectory) -> None:
    got = score(of, made, settings=Settings(threshold=0.0, passing="score"))
    assert [issue.kind for issue in got.issues if issue.failing] == [kind]
    assert not got.passed


NOTES: list[tuple[str, Case, Trajectory]] = [
    ("unexpected_call", case(["a"]), trajectory(["a", "b"])),
    ("duplicate_call", case(["a"]), trajectory(["a", "a"])),
    ("duplicate_call", case(["a"], extra="forbid"), trajectory(["a", "a"])),
    ("tool_error", case(["a"]), trajectory([failed("a"), "a"])),
    ("unrecovered_error", case(["a"]), trajectory(["a", failed("b")])),
    ("too_many_calls", case(["a", "b"], budget=Budget(calls=1)), trajectory(["a", "b"])),
    ("over_latency", case(["a"], budget=Budget(latency_ms=10.0)), trajectory(["a"], latency_ms=10.5)),
]


@pytest.mark.parametrize(
    ("kind", "of", "made", "rule"),
    [(*one, rule) for rule, found in (("strict", NOTES), ("score", NOTES + STRICTLY_FAILING)) for one in found],
)
def test_a_note_costs_through_the_score_alone(kind: str, of: Case, made: Trajectory, rule: PassRule) -> None:
    got = score(of, made, settings=Settings(threshold=0.5, passing=rule))
    assert kind in kinds(got)
    assert not any(issue.failing for issue in got.issues)
    assert got.passed


def test_a_call_of_an_undefined_tool_is_a_note() -> None:
    got = score(case(["a"]), trajectory(["a", "b"]), tools=[ToolDefinition("a")])
    unknown = [issue for issue in got.issues if issue.kind == "unknown_tool"]
    assert [(issue.tool, issue.call, issue.failing) for issue in unknown] == [("b", 1, False)]
    assert got.counts.unknown_tools == 1
    assert got.passed
    assert score(case(["a"]), trajectory(["a", "b"])).counts.unknown_tools is None


@pytest.mark.parametrize(
    ("extra", "precision", "issues", "passed"),
    [
        ("penalise", 0.5, ["unexpected_call"], True),
        ("allow", 1.0, [], True),
        ("forbid", 0.5, ["unexpected_call"], False),
    ],
)
def test_what_calls_beyond_the_expected_ones_do(
    extra: Extra, precision: float, issues: list[str], passed: bool
) -> None:
    got = score(case(["a"], extra=extra), trajectory(["a", "b"]))
    assert (got.call_precision, kinds(got), got.passed) == (precision, issues, passed)
    assert got.counts.false_positive == (0 if extra == "allow" else 1)


@pytest.mark.parametrize("extra", ["penalise", "allow", "forbid"])
def test_neutral_tools_cost_nothing(extra: Extra) -> None:
    got = score(case(["a"], extra=extra, neutral=("n",)), trajectory(["n", "a", "n"]))
    assert (got.call_precision, kinds(got), got.passed) == (1.0, [], True)
    assert (got.counts.true_positive, got.counts.false_positive) == (1, 0)
    assert got.counts.redundant_calls == 1


def test_a_neutral_tool_that_is_expected_counts_where_it_answers() -> None:
    got = score(case(["n", "a"], neutral=("n",)), trajectory(["n", "n", "b"]))
    # Of the two calls that count one answers an expectation; of two expectations one is answered.
    assert (got.call_precision, got.call_recall) == (0.5, 0.5)
    assert (got.counts.true_positive, got.counts.false_positive, got.counts.false_negative) == (1, 1, 1)


@pytest.mark.parametrize(
    ("of", "made"),
    [
        (case([], neutral=("n",)), ["n"]),
        (case([], extra="allow"), ["a", "b"]),
        (case(), ["a", "a"]),
    ],
)
def test_calls_that_cost_nothing_leave_a_case_without_expectations_perfect(of: Case, made: Sequence[str]) -> None:
    got = score(of, trajectory(made))
    assert (got.call_precision, got.call_recall, got.param_accuracy, got.score) == (1, 1, 1, 1)
    assert got.passed
    assert got.issues == ()


def test_a_neutral_call_does_not_excuse_another_where_none_is_allowed() -> None:
    got = score(case([], neutral=("n",)), trajectory(["n", "a"]), settings=Settings(threshold=0.0))
    assert (got.score, got.passed, kinds(got)) == (0, False, ["unexpected_call"])


def test_a_missing_keyword_fails_a_case_without_tools_whatever_the_threshold() -> None:
    got = score(case([], contains=("x", "y")), trajectory(output="x"), settings=Settings(threshold=0.0))
    assert (got.content, got.score, got.passed) == (0.5, 0.5, False)


def test_a_forbidden_tool_fails_a_case_that_says_nothing_about_tools() -> None:
    got = score(case(forbid=("b",)), trajectory(["a", "b", "b"]))
    assert kinds(got) == ["forbidden_tool"] * 2
    assert not got.says_tools
    assert not got.passed


def test_a_forbidden_call_is_an_unexpected_one_too() -> None:
    got = score(case(["a"], forbid=("b",)), trajectory(["a", "b"]))
    assert kinds(got) == ["forbidden_tool", "unexpected_call"]


@pytest.mark.parametrize(
    ("made", "out_of_order"),
    [
        (["a", "b", "c"], []),
        (["a", "x", "b", "c"], []),
        (["a", "c", "b"], [1]),
        (["c", "b", "a"], [1, 0]),
        (["b", "c", "a"], [0]),
        (["a", "c"], []),
        (["c", "a"], [0]),
    ],
)
def test_strict_order_names_each_call_that_comes_too_early(made: Sequence[str], out_of_order: list[int]) -> None:
    got = score(case(["a", "b", "c"], order="strict"), trajectory(made))
    early = [issue.call for issue in got.issues if issue.kind == "wrong_order"]
    assert sorted(call for call in early if call is not None) == sorted(out_of_order)
    assert all(issue.failing for issue in got.issues if issue.kind == "wrong_order")
    assert "wrong_order" not in kinds(score(case(["a", "b", "c"]), trajectory(made)))


def test_equal_calls_are_aligned_so_that_the_order_is_kept() -> None:
    got = score(case(["a", "b", "a"], order="strict"), trajectory(["a", "b", "a"]))
    assert {(pair.expected, pair.call) for pair in got.alignment} == {(0, 0), (1, 1), (2, 2)}
    assert got.passed


def test_order_does_not_change_the_score() -> None:
    wanted = ["a", "b"]
    got = score(case(wanted, order="strict"), trajectory(["b", "a"]))
    assert got.score == pytest.approx(1)
    assert not got.passed


AFTER: list[ExpectedCall | str] = [
    expected("a", id="a"),
    expected("b", id="b"),
    expected("c", after=("a", "b")),
]


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        (["a", "b", "c"], False),
        (["b", "a", "c"], False),
        (["a", "c", "b"], True),
        (["c", "a", "b"], True),
        # What was never called cannot come too late; it is missing.
        (["a", "c"], False),
        (["c"], False),
    ],
)
def test_a_call_comes_after_the_calls_it_names(made: Sequence[str], wrong: bool) -> None:
    got = score(case(AFTER), trajectory(made))
    assert {issue.tool for issue in got.issues if issue.kind == "wrong_order"} == ({"c"} if wrong else set())


def test_a_plan_may_have_an_order_of_its_own() -> None:
    loose = case(any_of=(plan("a", "b", order="any"),), order="strict")
    tight = case(any_of=(plan("a", "b"),), order="strict")
    assert score(loose, trajectory(["b", "a"])).passed
    assert not score(tight, trajectory(["b", "a"])).passed


@pytest.mark.parametrize(
    ("budget", "made", "issues"),
    [
        (Budget(calls=2), trajectory(["a", "b"]), []),
        (Budget(calls=1), trajectory(["a", "b"]), ["too_many_calls"]),
        (Budget(calls=0), trajectory(["a", "b"]), ["too_many_calls"]),
        (Budget(latency_ms=10.0), trajectory(["a", "b"], latency_ms=10.0), []),
        (Budget(latency_ms=10.0), trajectory(["a", "b"], latency_ms=11.0), ["over_latency"]),
        (Budget(latency_ms=10.0), trajectory(["a", "b"]), []),
    ],
)
def test_budgets_are_exceeded_by_more_than_they_allow(budget: Budget, made: Trajectory, issues: list[str]) -> None:
    got = score(case(["a", "b"], budget=budget), made)
    assert kinds(got) == issues
    assert got.passed


@pytest.mark.parametrize("state", [state for state in STATES if state not in ("completed", "not_run")])
def test_a_trajectory_that_ended_early_is_measured_and_never_passed(state: State) -> None:
    for of in (case(["a"]), case([], extra="allow"), case()):
        got = score(of, trajectory(["a"], state=state), settings=Settings(threshold=0.0))
        assert got.score == pytest.approx(1)
        assert (got.state, got.passed) == (state, False)
        assert kinds(got) == ["agent_error"]


def test_a_trajectory_that_was_not_run_has_no_measures() -> None:
    got = score(case(["a"]), trajectory(state="not_run"))
    assert got == Score("c1", "agent", 1, "not_run", says_tools=got.says_tools)


def test_an_error_of_the_agent_is_never_completed() -> None:
    got = score(case(["a"]), Trajectory("c1", calls=(Call("a"),), error="out of memory"))
    assert (got.state, got.passed, kinds(got)) == ("error", False, ["agent_error"])


def test_a_scorer_of_a_suite_scores_as_the_function_does() -> None:
    suite = Suite("s", (case(["a"]),), (ToolDefinition("a"),), Settings(threshold=0.9))
    made = trajectory(["a", "b"])
    want = score(suite.cases[0], made, settings=suite.settings, tools=suite.tools)
    assert Scorer(suite).score(made) == want
    assert not want.passed


def test_issues_have_stable_names() -> None:
    assert len(ISSUE_KINDS) == len(set(ISSUE_KINDS)) == 19
