"""The measures of one trajectory, computed by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.builders import call, case, expected, failed, plan, trajectory
from toolgauge.core import Call, Case, ExpectedCall, JsonValue, Score, Settings, Times, Trajectory
from toolgauge.scoring import score


def kinds(got: Score) -> list[str]:
    """The kinds of the issues, sorted."""
    return sorted(issue.kind for issue in got.issues)


def parts(got: Score) -> tuple[float | None, ...]:
    """Call precision, call recall, parameter accuracy, content and score."""
    return got.call_precision, got.call_recall, got.param_accuracy, got.content, got.score


def test_a_tool_expected_twice_and_called_twice_is_recalled() -> None:
    got = score(case(["a", "a"]), trajectory(["a", "a"]))
    assert parts(got) == pytest.approx((1, 1, 1, 1, 1))
    assert got.passed


def test_a_tool_expected_twice_and_called_once_is_half_recalled() -> None:
    got = score(case(["a", "a"]), trajectory(["a"]))
    # 0.3 · 1 + 0.3 · 1/2 + 0.3 · (1 + 0)/2 + 0.1 · 1
    assert parts(got) == pytest.approx((1, 0.5, 0.5, 1, 0.7))
    assert kinds(got) == ["missing_call"]
    assert not got.passed


def test_one_right_call_among_ten_has_a_precision_of_a_tenth() -> None:
    got = score(case(["a"]), trajectory(["a", *"bcdefghij"]))
    # 0.3 · 1/10 + 0.3 + 0.3 + 0.1
    assert parts(got) == pytest.approx((0.1, 1, 1, 1, 0.73))
    assert kinds(got) == ["unexpected_call"] * 9
    assert (got.counts.true_positive, got.counts.false_positive, got.counts.false_negative) == (1, 9, 0)
    assert not got.passed


def test_nothing_expected_and_nothing_called_is_perfect() -> None:
    got = score(case([]), trajectory())
    assert parts(got) == (1, 1, 1, 1, 1)
    assert got.passed
    assert got.issues == ()


def test_a_call_where_none_is_allowed_scores_nothing() -> None:
    got = score(case([]), trajectory(["a"]))
    assert parts(got) == (0, 0, 0, 1, 0)
    assert kinds(got) == ["unexpected_call"]
    assert not got.passed
    assert got.counts.false_positive == 1


def test_repeated_calls_where_none_is_allowed_are_all_unexpected() -> None:
    got = score(case([]), trajectory(["a", "a"]))
    assert kinds(got) == ["unexpected_call"] * 2
    assert got.counts.redundant_calls == 1


def test_the_same_call_ten_times_is_one_answer_and_nine_duplicates() -> None:
    got = score(case([expected("a", {"x": 1})]), trajectory([call("a", {"x": 1})] * 10))
    assert parts(got) == pytest.approx((0.1, 1, 1, 1, 0.73))
    assert kinds(got) == ["duplicate_call"] * 9
    assert sorted(issue.call or 0 for issue in got.issues) == list(range(1, 10))
    assert got.counts.redundant_calls == 9
    assert (got.counts.true_positive, got.counts.false_positive) == (1, 0)


def test_a_a_b_is_not_a_b_b() -> None:
    got = score(case(["a", "a", "b"]), trajectory(["a", "b", "b"]))
    assert parts(got) == pytest.approx((2 / 3, 2 / 3, 2 / 3, 1, 0.7))
    assert kinds(got) == ["duplicate_call", "missing_call"]
    assert not got.passed


@pytest.mark.parametrize(
    ("want", "made", "fits"),
    [
        (75, 75.0, True),
        (75, "75", False),
        (1, True, False),
        (True, 1, False),
        (False, 0, False),
        ("1.5", "15", False),
        ("1.5", "1.5", True),
        (None, None, True),
        (None, "", False),
        (0.1, 0.1, True),
        ("Ha\u0300 No\u0323\u0302i", "Hà Nội", True),
        ("Hanoi", "hanoi", False),
        ([1, 2], [1, 2.0], True),
        ([1, 2], [2, 1], False),
        ([1], [True], False),
        ({"k": [1]}, {"k": [1.0]}, True),
        ({"k": 1}, {"k": 1, "l": 2}, False),
        ({"k": 1, "l": 2}, {"k": 1}, False),
        ({"$any": True}, None, True),
        ({"$one_of": [1, "u"]}, "u", True),
        ({"$one_of": [1, "u"]}, True, False),
        ([1, {"$any": True}], [1, "whatever"], True),
        ([1, {"$any": True}], [1], False),
        ({"k": {"$one_of": [1, 2]}}, {"k": 2}, True),
        ({"k": {"$one_of": [1, 2]}}, {"k": 3}, False),
    ],
)
def test_a_value_fits_without_mixing_up_types(want: JsonValue, made: JsonValue, fits: bool) -> None:
    got = score(case([expected("a", {"x": want})]), trajectory([call("a", {"x": made})]))
    assert got.param_accuracy == (1 if fits else 0.5)
    assert kinds(got) == ([] if fits else ["wrong_arg"])


@pytest.mark.parametrize("want", [1, None, "", False, [], {}, {"$any": True}, {"$one_of": [None, 1]}])
def test_an_argument_that_was_left_out_never_matches(want: JsonValue) -> None:
    for made in (call("a"), call("a", None), call("a", {"y": 1})):
        got = score(case([expected("a", {"x": want})]), trajectory([made]))
        assert got.param_accuracy == 0
        assert kinds(got) == ["missing_arg"]


def test_a_tool_that_failed_and_then_worked_is_called_and_counted_as_failed() -> None:
    got = score(case(["a"]), trajectory([failed("a"), "a"]))
    assert got.counts.true_positive == 1
    assert got.counts.failed_calls == 1
    assert [(pair.expected, pair.call) for pair in got.alignment] == [(0, 1)]
    assert kinds(got) == ["tool_error", "unexpected_call"]
    # 0.3 · 1/2 + 0.3 + 0.3 + 0.1: trying again costs precision and is no more than that.
    assert got.score == pytest.approx(0.85)
    assert got.passed


def test_a_tool_that_only_failed_answers_the_expectation_and_is_not_called() -> None:
    got = score(case(["a"]), trajectory([failed("a")]))
    assert parts(got) == pytest.approx((1, 1, 1, 1, 1))
    assert (got.counts.true_positive, got.counts.false_negative) == (0, 1)
    assert kinds(got) == ["tool_error", "unrecovered_error"]
    assert not got.passed
    assert score(case(["a"]), trajectory([failed("a")]), settings=Settings(passing="score")).passed


def test_a_repeat_of_a_failed_call_is_no_duplicate() -> None:
    got = score(case(["a"]), trajectory([failed("a"), failed("a")]))
    assert "duplicate_call" not in kinds(got)
    assert got.counts.redundant_calls == 0


def test_calls_without_recorded_arguments_are_never_duplicates() -> None:
    got = score(case(["a"]), trajectory([call("a", None), call("a", None)]))
    assert kinds(got) == ["unexpected_call"]
    assert got.counts.redundant_calls == 0


def test_an_error_is_unrecovered_once_per_tool() -> None:
    got = score(case(), trajectory([failed("a"), failed("a"), failed("b"), "b", failed("c"), "c", failed("c")]))
    unrecovered = sorted(issue.tool or "" for issue in got.issues if issue.kind == "unrecovered_error")
    assert unrecovered == ["a", "c"]
    assert kinds(got).count("tool_error") == 5


def test_an_expectation_without_arguments_constrains_no_arguments() -> None:
    free = score(case(["a"]), trajectory([call("a", {"x": 1, "y": 2})]))
    assert parts(free) == pytest.approx((1, 1, 1, 1, 1))
    beside = score(case(["a", expected("b", {"x": 1})]), trajectory([call("a", {"x": 9}), call("b", {"x": 2})]))
    # The first call is worth 1, the second has its only argument wrong.
    assert beside.param_accuracy == pytest.approx(0.75)


def test_two_expectations_of_one_tool_may_be_answered_in_the_other_order() -> None:
    wanted = [expected("a", {"x": 1}), expected("a", {"x": 2})]
    got = score(case(wanted), trajectory([call("a", {"x": 2}), call("a", {"x": 1})]))
    assert parts(got) == pytest.approx((1, 1, 1, 1, 1))
    assert {(pair.expected, pair.call) for pair in got.alignment} == {(0, 1), (1, 0)}
    assert got.passed


ARGUMENT_CASES: list[tuple[ExpectedCall, Call, float, list[str]]] = [
    # One argument right, one wrong, one missing: (1 + 0.5 + 0) / 3.
    (expected("a", {"x": 1, "y": 1, "z": 1}), call("a", {"x": 1, "y": 2}), 0.5, ["missing_arg", "wrong_arg"]),
    # A forbidden argument adds a 0: (1 + 0) / 2.
    (expected("a", {"x": 1}, forbid_args=("y",)), call("a", {"x": 1, "y": 2}), 0.5, ["forbidden_arg"]),
    # A forbidden argument that is not there adds nothing.
    (expected("a", {"x": 1}, forbid_args=("y",)), call("a", {"x": 1}), 1, []),
    # A failing check adds a 0; a passing one and an absent one add nothing.
    (expected("a", {"x": 1}, check={"y": 1}), call("a", {"x": 1, "y": 2}), 0.5, ["invalid_arg"]),
    (expected("a", {"x": 1}, check={"y": 1}), call("a", {"x": 2, "y": 1}), 0.5, ["wrong_arg"]),
    (expected("a", {"x": 1}, check={"y": 1}), call("a", {"x": 1}), 1, []),
    # Checks alone: nothing but a failing one counts.
    (expected("a", check={"y": 1}), call("a", {"y": 1}), 1, []),
    (expected("a", check={"y": 1}), call("a", {"y": 2}), 0, ["invalid_arg"]),
    (expected("a", forbid_args=("x", "y")), call("a", {"x": 1}), 0, ["forbidden_arg"]),
    # An argument that nobody spoke of costs nothing.
    (expected("a", {"x": 1}), call("a", {"x": 1, "unheard": 1}), 1, []),
]


@pytest.mark.parametrize(("want", "made", "worth", "issues"), ARGUMENT_CASES)
def test_arguments_are_worth_the_mean_of_their_checks(
    want: ExpectedCall, made: Call, worth: float, issues: list[str]
) -> None:
    got = score(case([want]), trajectory([made]))
    assert got.param_accuracy == pytest.approx(worth)
    assert got.alignment[0].params == pytest.approx(worth)
    assert kinds(got) == issues
    assert got.score == pytest.approx(0.7 + 0.3 * worth)


@pytest.mark.parametrize(
    ("want", "made", "precision", "recall", "params"),
    [
        # An optional call that is left out costs nothing; made wrongly, its arguments count.
        (["a", expected("b", optional=True)], ["a"], 1, 1, 1),
        (["a", expected("b", optional=True)], ["a", "b"], 1, 1, 1),
        (["a", expected("b", {"x": 1}, optional=True)], ["a", "b"], 1, 1, 0.5),
        ([expected("b", optional=True)], [], 1, 1, 1),
        ([expected("b", optional=True)], ["a"], 0, 1, 1),
        # Exactly three.
        ([expected("a", times=3)], ["a", "a"], 1, 2 / 3, 2 / 3),
        ([expected("a", times=3)], ["a", "a", "a", "a"], 0.75, 1, 1),
        # From one to three.
        ([expected("a", times=Times(1, 3))], [], 1, 0, 0),
        ([expected("a", times=Times(1, 3))], ["a"], 1, 1, 1),
        ([expected("a", times=Times(1, 3))], ["a", "a", "a", "a"], 0.75, 1, 1),
        # As often as the agent likes, but at least twice, or not at all.
        ([expected("a", times=Times(2))], ["a"], 1, 0.5, 0.5),
        ([expected("a", times=Times(2))], ["a"] * 5, 1, 1, 1),
        ([expected("a", times=Times(0))], [], 1, 1, 1),
        ([expected("a", times=2, optional=True)], [], 1, 1, 1),
        ([expected("a", times=2, optional=True)], ["a", "a", "a"], 2 / 3, 1, 1),
    ],
)
def test_optional_and_repeated_expectations(
    want: Sequence[ExpectedCall | str], made: Sequence[str], precision: float, recall: float, params: float
) -> None:
    got = score(case(want), trajectory(made))
    total = 0.3 * (precision + recall + params) + 0.1
    assert parts(got) == pytest.approx((precision, recall, params, 1, total))


def test_a_required_call_is_answered_before_an_optional_one() -> None:
    wanted = [expected("a", optional=True), expected("a")]
    got = score(case(wanted), trajectory(["a"]))
    assert [(pair.expected, pair.call) for pair in got.alignment] == [(1, 0)]
    assert got.passed


def test_better_arguments_come_before_a_call_that_worked() -> None:
    right, wrong = {"x": 1}, {"x": 2}
    wanted = case([expected("a", {"x": 1})])
    assert score(wanted, trajectory([failed("a", dict(right)), call("a", dict(wrong))])).alignment[0].call == 0
    assert score(wanted, trajectory([failed("a", dict(right)), call("a", dict(right))])).alignment[0].call == 1


def test_accepted_optional_tools_are_no_false_positives() -> None:
    wanted = case(["a", expected("b", optional=True)], neutral=("n",))
    got = score(wanted, trajectory(["a", "b", "n", "z"]))
    assert (got.counts.true_positive, got.counts.false_positive, got.counts.false_negative) == (1, 1, 0)


ANY_OF = case(any_of=(plan("a", "b"), plan("c"), plan(expected("a", {"x": 1}))))


@pytest.mark.parametrize(
    ("made", "chosen", "value"),
    [
        (["a", "b"], 0, 1.0),
        (["c"], 1, 1.0),
        ([call("a", {"x": 1})], 2, 1.0),
        # Plan 0: 0.3 + 0.3/2 + 0.3/2 + 0.1 = 0.7; plan 2: 0.3 + 0.3 + 0.3/2 + 0.1 = 0.85.
        ([call("a", {"x": 2})], 2, 0.85),
        # Nothing was called: all three have 0.4, and the first one counts.
        ([], 0, 0.4),
    ],
)
def test_the_best_of_several_plans_counts(made: Sequence[Call | str], chosen: int, value: float) -> None:
    got = score(ANY_OF, trajectory(made))
    assert got.plan == chosen
    assert got.score == pytest.approx(value)


def test_a_passing_plan_wins_a_tie() -> None:
    both = plan("a", "b", order="strict"), plan("a", "b")
    got = score(case(any_of=both), trajectory(["b", "a"]))
    assert (got.plan, got.passed, kinds(got)) == (1, True, [])


def test_the_first_of_two_perfect_plans_counts() -> None:
    got = score(case(any_of=(plan("a"), plan()), extra="allow"), trajectory(["a"]))
    assert (got.plan, got.passed) == (0, True)
    assert len(got.alignment) == 1


@pytest.mark.parametrize(
    ("of", "made", "found"),
    [
        (case(contains=("Hà Nội",)), trajectory(output="ở HÀ NỘI"), 1.0),
        (case(contains=("Hà Nội",)), trajectory(output="Ha\u0300 No\u0323\u0302i"), 1.0),
        (case(contains=("STRASSE",)), trajectory(output="Straße"), 1.0),
        (case(contains=("Hà Nội", "31")), trajectory(output="31"), 0.5),
        (case(contains=("Hà Nội",)), trajectory(output="Ha Noi"), 0.0),
        (case(contains=("31",)), trajectory(), 0.0),
        (case(), trajectory(), 1.0),
    ],
)
def test_keywords_are_found_whatever_their_case_and_normal_form(of: Case, made: Trajectory, found: float) -> None:
    got = score(of, made)
    assert got.content == found
    assert got.score == (1.0 if found == 1 else 0.5)
    assert got.passed == (found == 1)
    assert kinds(got) == ["missing_content"] * (0 if found == 1 else 1)
