"""Metrics of groups, computed by hand: no cases, errors, no variance, and the conventions where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from msgspec.structs import replace

from tests.builders import call, case, failed, trajectory
from toolgauge.core import (
    Answer,
    Call,
    Case,
    Counts,
    Estimate,
    Expect,
    ExpectedCall,
    Row,
    Scored,
    State,
    Suite,
    ToolDefinition,
    Trajectory,
    Usage,
)
from toolgauge.metrics import summarise
from toolgauge.scoring import score
from toolgauge.stats import wilson


def row_of(*pairs: tuple[Case, Trajectory], tools: Sequence[ToolDefinition] = ()) -> Row:
    """The overall row of one agent."""
    cases = {of.id: of for of, _ in pairs}
    suite = Suite("s", tuple(cases.values()), tuple(tools))
    rows = summarise(suite, [Scored(made, score(of, made, tools=tools)) for of, made in pairs]).rows
    assert [row.group for row in rows] == [{}]
    return rows[0]


def tried(
    number: int, want: Sequence[str] | None, made: Sequence[Call | str], *, state: State = "completed", trial: int = 1
) -> tuple[Case, Trajectory]:
    """A case with what an agent did on it."""
    name = f"c{number}"
    return case(want, id=name), trajectory(made, case=name, state=state, trial=trial)


def interval(estimate: Estimate) -> tuple[float | None, float | None]:
    """The ends of an interval."""
    return estimate.low, estimate.high


def test_no_cases_have_no_figures() -> None:
    summary = summarise(Suite("s", ()), [])
    assert summary.counts == Counts()
    for row in summary.rows:
        assert all(estimate.value is None and estimate.reason for estimate in row.metrics.values())


def test_only_errors_are_none_of_the_planned_and_have_no_rate_over_scored_ones() -> None:
    row = row_of(*(tried(number, ["a"], [], state="error") for number in range(4)))
    assert row.counts == Counts(planned=4, error=4)
    assert row.metrics["pass_rate"].value == 0
    assert interval(row.metrics["pass_rate"]) == pytest.approx(wilson(0, 4))
    assert row.metrics["pass_rate_scored"].value is None
    assert row.metrics["pass_rate_scored"].reason


def test_cases_that_were_not_run_have_no_figures_but_the_planned_rate() -> None:
    row = row_of(*(tried(number, ["a"], [], state="not_run") for number in range(3)))
    assert row.counts == Counts(planned=3, not_run=3)
    assert row.metrics["pass_rate"].value == 0
    for name, estimate in row.metrics.items():
        assert name == "pass_rate" or (estimate.value is None and estimate.reason), name


def test_half_errors_and_half_passes_are_half_of_the_planned() -> None:
    passes = [tried(number, ["a"], ["a"]) for number in range(3)]
    errors = [tried(number, ["a"], ["a"], state="error") for number in range(3, 6)]
    row = row_of(*passes, *errors)
    assert row.counts == Counts(planned=6, passed=3, error=3)
    assert row.metrics["pass_rate"].value == 0.5
    assert row.metrics["pass_rate_scored"].value == 1
    assert (row.metrics["pass_rate"].n, row.metrics["pass_rate_scored"].n) == (6, 3)


def test_every_state_is_counted_once() -> None:
    states: list[State] = ["completed", "completed", "error", "timeout", "limit", "cancelled", "not_run"]
    row = row_of(*(tried(number, ["a"], ["a"] if number else [], state=state) for number, state in enumerate(states)))
    assert row.counts == Counts(7, passed=1, failed=1, error=1, timeout=1, limit=1, cancelled=1, not_run=1)
    assert row.metrics["pass_rate"].value == pytest.approx(1 / 7)
    assert row.metrics["pass_rate_scored"].value == pytest.approx(1 / 2)


def test_what_was_cancelled_or_not_run_is_planned_and_not_measured() -> None:
    done: State = "completed"
    left: State = "not_run"
    states: list[State] = [*[done] * 6, *[left] * 12, "cancelled", "cancelled"]
    row = row_of(*(tried(number, ["a"], ["a"], state=state) for number, state in enumerate(states)))
    assert (row.n, row.counts.planned) == (6, 20)
    assert (row.metrics["accuracy"].value, row.metrics["accuracy"].n) == (1, 6)
    assert row.metrics["pass_rate"].value == pytest.approx(6 / 20)
    for name, estimate in row.metrics.items():
        assert estimate.n <= 6 or name == "pass_rate", name


def test_an_error_is_never_accurate() -> None:
    row = row_of(tried(1, ["a"], ["a"]), tried(2, ["a"], ["a"], state="error"), tried(3, [], [], state="timeout"))
    assert row.metrics["accuracy"].value == pytest.approx(1 / 3)
    assert row.metrics["recall"].value == 1


def test_passed_with_issues_is_counted_beside_passed() -> None:
    row = row_of(
        tried(1, ["a"], ["a"]), tried(2, ["a"], ["a", "b"]), tried(3, ["a"], ["b"]), tried(4, ["a"], ["a", "a"])
    )
    assert row.counts == Counts(planned=4, passed=3, failed=1, passed_with_issues=2)
    assert row.metrics["passed_with_issues"].value == 0.5
    assert interval(row.metrics["passed_with_issues"]) == pytest.approx(wilson(2, 4))


def test_a_single_trajectory_has_a_wilson_interval() -> None:
    row = row_of(tried(1, ["a"], ["a"]))
    # n = 1, all right: from 1 / (1 + z²) to 1.
    for name in ("accuracy", "precision", "recall", "f1", "score", "call_precision", "content", "pass_rate"):
        assert row.metrics[name].value == pytest.approx(1), name
        assert interval(row.metrics[name]) == pytest.approx((0.206549, 1), abs=1e-6), name


def test_equal_values_have_a_wilson_interval_and_no_division_by_zero() -> None:
    row = row_of(*(tried(number, ["a"], ["a", "b"]) for number in range(10)))
    assert row.metrics["call_precision"].value == 0.5
    assert interval(row.metrics["call_precision"]) == pytest.approx(wilson(5, 10))
    assert interval(row.metrics["precision"]) == pytest.approx(wilson(10, 20))
    assert interval(row.metrics["accuracy"]) == pytest.approx(wilson(0, 10))


def test_a_mean_has_an_interval_from_its_standard_error() -> None:
    row = row_of(tried(1, ["a"], ["a"]), tried(2, ["a"], ["a", "b"]), tried(3, ["a"], ["a", "b", "b"]))
    # 1, 1/2 and 1/3: mean 11/18, standard deviation 0.346944, standard error 0.200308. As log odds: 0.451985, give or
    # take 4.302653 (t with two degrees of freedom) times 0.200308 / (11/18 · 7/18) = 3.626509.
    assert row.metrics["call_precision"].value == pytest.approx(11 / 18)
    assert interval(row.metrics["call_precision"]) == pytest.approx((0.040135, 0.983349), abs=1e-6)


def test_trials_of_one_case_are_one_cluster() -> None:
    right = [tried(number, ["a"], ["a"], trial=trial) for number in (1, 2) for trial in (1, 2)]
    wrong = [tried(number, ["a"], ["b"], trial=trial) for number in (3, 4) for trial in (1, 2)]
    row = row_of(*right, *wrong)
    # Four clusters of (2, 2), (2, 2), (0, 2), (0, 2): variance 4/3 · 4 / 8² = 1/12; as log odds 0 give or take
    # 3.182446 · 0.288675 / 0.25 = 3.674772.
    assert row.metrics["accuracy"].value == 0.5
    assert row.metrics["accuracy"].n == 8
    assert interval(row.metrics["accuracy"]) == pytest.approx((0.024728, 0.975272), abs=1e-6)
    # Ten cases of each kind, twice: variance 20/19 · 20 / 40² = 1/76; 2.093024 · 0.114708 / 0.25 = 0.960347.
    many = [
        tried(number, ["a"], ["a" if number < 10 else "b"], trial=trial) for number in range(20) for trial in (1, 2)
    ]
    assert interval(row_of(*many).metrics["accuracy"]) == pytest.approx((0.276809, 0.723191), abs=1e-6)


def test_a_rate_with_one_trial_per_case_has_a_wilson_interval() -> None:
    row = row_of(*(tried(number, ["a"], ["a" if number < 8 else "b"]) for number in range(37)))
    # The example of the report: 8 of 37.
    assert row.metrics["accuracy"].value == pytest.approx(0.21621621621621623)
    assert interval(row.metrics["accuracy"]) == pytest.approx((0.1139, 0.3720), abs=5e-5)


@pytest.mark.parametrize(
    ("want", "made", "accuracy", "precision", "recall", "f1"),
    [
        # Nothing expected, nothing called.
        ([], [], 1, 1, 1, 1),
        # Nothing expected, something called.
        ([], ["a"], 0, 0, None, 0),
        # Something expected, nothing called, or nothing that worked.
        (["a"], [], 0, None, 0, 0),
        (["a"], [failed("a")], 0, None, 0, 0),
        # Repeated calls are one tool.
        (["a"], ["a", "a", "a"], 1, 1, 1, 1),
        (["a", "a"], ["a"], 1, 1, 1, 1),
        # 1 hit, 1 extra, 1 miss.
        (["a", "b"], ["a", "c"], 0, 0.5, 0.5, 0.5),
        (["a", "b"], ["a"], 0, 1, 0.5, 2 / 3),
        # Nothing is said about tools.
        (None, ["a"], None, None, None, None),
    ],
)
def test_conventions_of_precision_recall_and_f1(
    want: Sequence[str] | None,
    made: Sequence[Call | str],
    accuracy: float | None,
    precision: float | None,
    recall: float | None,
    f1: float | None,
) -> None:
    row = row_of(tried(1, want, made))
    for name, value in (("accuracy", accuracy), ("precision", precision), ("recall", recall), ("f1", f1)):
        got = row.metrics[name]
        assert got.value == (None if value is None else pytest.approx(value)), name
        assert bool(got.reason) == (value is None), name


def test_precision_recall_and_f1_are_pooled_over_cases() -> None:
    row = row_of(tried(1, ["a", "b", "c"], ["a", "b", "c"]), tried(2, ["a"], ["z"]), tried(3, None, ["y"]))
    # 3 hits, 1 extra, 1 miss; the third case says nothing about tools and takes no part.
    assert row.metrics["precision"].value == pytest.approx(3 / 4)
    assert row.metrics["recall"].value == pytest.approx(3 / 4)
    assert row.metrics["f1"].value == pytest.approx(6 / 8)
    assert row.metrics["accuracy"].value == pytest.approx(1 / 2)


def test_repeated_identical_calls_are_redundant() -> None:
    row = row_of(tried(1, ["a"], [call("a", {"x": 1})] * 3), tried(2, ["a"], ["a"]))
    assert row.metrics["redundant_rate"].value == pytest.approx(2 / 4)


def test_both_fail_rates_are_given() -> None:
    row = row_of(
        tried(1, ["a"], [failed("a")]),
        tried(2, ["a"], [failed("a"), "a"]),
        tried(3, ["a"], ["a"]),
        tried(4, ["a"], []),
        tried(5, None, [failed("b")]),
    )
    # A call failed in 3 of the 4 cases with any call; in 1 of the 2 cases with a successful one.
    assert row.metrics["tool_fail_rate"].value == pytest.approx(3 / 4)
    assert row.metrics["tool_fail_rate_published"].value == pytest.approx(1 / 2)


def test_unknown_tools_are_a_share_of_all_calls_where_tools_are_defined() -> None:
    made = [tried(1, ["a"], ["a", "z", "z", "a"]), tried(2, ["a"], [])]
    assert row_of(*made, tools=[ToolDefinition("a")]).metrics["unknown_tool_rate"].value == pytest.approx(0.5)
    assert row_of(*made).metrics["unknown_tool_rate"].value is None


def test_what_is_unknown_is_left_out_of_means() -> None:
    known = trajectory(case="c1", latency_ms=30.0, usage=Usage(1, 10, 5, 0.5))
    half = trajectory(case="c2", latency_ms=10.0, usage=Usage(1, 10))
    unknown = trajectory(case="c3")
    row = row_of(*((case(id=made.case), made) for made in (known, half, unknown)))
    latency, tokens, cost = (row.metrics[name] for name in ("latency", "tokens", "cost"))
    assert (latency.value, latency.n) == (20, 2)
    assert (tokens.value, tokens.n) == (15, 1)
    assert (cost.value, cost.n) == (0.5, 1)
    nothing = row_of((case(id="c3"), unknown)).metrics
    assert all(nothing[name].value is None and nothing[name].reason for name in ("latency", "tokens", "cost"))


def test_waiting_is_a_mean_over_those_of_which_it_is_known() -> None:
    usages = (Usage(1, waited_ms=0.0), Usage(2, waited_ms=300.0), Usage(1), None)
    made = [trajectory(case=f"c{number}", usage=usage) for number, usage in enumerate(usages)]
    waited = row_of(*((case(id=one.case), one) for one in made)).metrics["waited"]
    assert (waited.value, waited.n, waited.p95) == (150, 2, 300)
    alone = row_of((case(id="c3"), made[3])).metrics["waited"]
    assert (alone.value, alone.reason) == (None, "not_recorded")


def test_rows_are_broken_down_by_a_label_and_end_with_all() -> None:
    cases = [case(["a"], id=f"c{number}", labels={"difficulty": label}) for number, label in enumerate("xxy")]
    made = [trajectory(["a" if number else "b"], case=f"c{number}") for number in range(3)]
    summary = summarise(
        Suite("s", tuple(cases)),
        [Scored(each, score(of, each)) for of, each in zip(cases, made, strict=True)],
        by="difficulty",
    )
    assert [(row.group, row.n, row.metrics["accuracy"].value) for row in summary.rows] == [
        ({"difficulty": "x"}, 2, 0.5),
        ({"difficulty": "y"}, 1, 1.0),
        ({}, 3, pytest.approx(2 / 3)),
    ]


def test_answers_that_are_ambiguous_are_counted_beside_those_that_are_scored() -> None:
    verdicts: list[Literal["right", "wrong", "ambiguous"] | None] = ["right", "ambiguous", "wrong", "ambiguous", None]
    scored = []
    for number, verdict in enumerate(verdicts):
        of, made = tried(number, None, [])
        scored.append(Scored(made, replace(score(of, made), answer=Answer(verdict))))
    metrics = summarise(Suite("s", tuple(case(None, id=f"c{number}") for number in range(5))), scored).rows[-1].metrics
    assert (metrics["answer"].value, metrics["answer"].n) == (0.5, 2)
    assert (metrics["ambiguous_rate"].value, metrics["ambiguous_rate"].n) == (0.5, 4)
    assert interval(metrics["ambiguous_rate"]) == pytest.approx(wilson(2, 4))


def test_where_nothing_was_run_the_reason_is_not_that_cases_say_nothing() -> None:
    expecting = Case("a", expect=Expect((ExpectedCall("t"),)))
    row = row_of((expecting, Trajectory("a", "x", 1, "not_run")))
    for name in ("accuracy", "f1", "recall", "tool_fail_rate", "score"):
        assert row.metrics[name].reason == "nothing_measured"
    assert row.metrics["pass_rate"].value == 0
    assert row.metrics["pass_rate_scored"].reason == "nothing_completed"
