"""Verdicts of the gate on runs that were made for them, around every limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolgauge
from toolgauge.analysis.gate import Flaky, gate, read_limit
from toolgauge.core import Check, Ruling, Verdict
from toolgauge.errors import NothingToDo, UsageError

from .runs import make_run, suite_of

LABELS = {number: {"difficulty": "hard" if number % 2 else "easy", "lang": "vi"} for number in range(10)}


def only(verdict: Verdict, kind: str = "minimum") -> Check:
    (check,) = (check for check in verdict.checks if check.kind == kind)
    return check


@pytest.mark.parametrize(
    ("outcomes", "limit", "ruling"),
    [
        ("p" * 9 + "f", 0.9, "passed"),
        ("p" * 8 + "ff", 0.9, "failed"),
        ("p" * 7 + "fff", 0.7, "passed"),
        ("p" * 3 + "f" * 7, 0.1 + 0.2, "passed"),
        ("ppf", 2 / 3, "passed"),
        ("ppf", 2 / 3 + 5e-10, "passed"),
        ("ppf", 2 / 3 + 5e-9, "failed"),
        ("p" * 1799 + "f" * 201, 0.9, "failed"),
        ("p" * 1800 + "f" * 200, 0.9, "passed"),
        ("pppp", 1.0, "passed"),
        ("ffff", 0.0, "passed"),
    ],
)
def test_the_pass_rate_is_held_to_its_limit_unrounded(outcomes: str, limit: float, ruling: Ruling) -> None:
    assert gate(make_run(list(outcomes)), min_pass_rate=limit).ruling == ruling


def test_nine_in_ten_is_what_is_asked_for_when_nothing_is_said() -> None:
    assert gate(make_run(list("p" * 9 + "f"))).passed
    check = only(gate(make_run(list("p" * 8 + "ff"))))
    assert (check.metric, check.limit, check.value, check.ruling) == ("pass_rate", 0.9, 0.8, "failed")


@pytest.mark.parametrize(
    ("outcomes", "value"), [("p" * 9 + "e", 0.9), ("pppppeeeee", 0.5), ("eee", 0.0), ("pp-f", 0.5), ("p-", 0.5)]
)
def test_errors_and_what_was_not_run_count_as_planned(outcomes: str, value: float) -> None:
    check = only(gate(make_run(list(outcomes))))
    assert check.value == value
    assert check.n == len(outcomes)


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [("p" * 10, 0), ("f" * 10, 1), ("p" * 9 + "-", 3), ("p" * 5 + "-" * 5, 1), ("e" * 10, 1)],
)
def test_the_exit_code_tells_how_it_ended(outcomes: str, code: int) -> None:
    verdict = gate(make_run(list(outcomes)))
    assert verdict.exit_code() == verdict.exit_code(strict=True) == code


def test_an_inconclusive_comparison_fails_only_the_strict() -> None:
    verdict = gate(make_run(list("p" * 10)), baseline=make_run(list("p" * 10)))
    assert verdict.ruling == "inconclusive"
    assert (verdict.exit_code(), verdict.exit_code(strict=True)) == (0, 4)


def test_any_metric_can_have_a_least_and_a_most_value() -> None:
    run = make_run(list("p" * 8 + "xx"))
    verdict = gate(run, minimum={"f1": 1.0, "call_precision": 0.9}, maximum={"tool_fail_rate": 0.2, "latency": 139.9})
    assert [(check.kind, check.metric, check.ruling) for check in verdict.checks] == [
        ("minimum", "pass_rate", "passed"),
        ("minimum", "f1", "passed"),
        ("minimum", "call_precision", "passed"),
        ("maximum", "tool_fail_rate", "passed"),
        ("maximum", "latency", "failed"),
    ]
    assert verdict.checks[-1].value == 140.0


@pytest.mark.parametrize(
    ("metric", "outcomes", "side", "limit", "ruling"),
    [
        # Three of ten calls fail, which 0.1 + 0.2 is a little more than.
        ("tool_fail_rate", "xxx" + "p" * 7, "maximum", 0.3, "passed"),
        ("tool_fail_rate", "xxx" + "p" * 7, "maximum", 0.1 + 0.2, "passed"),
        ("tool_fail_rate", "xxx" + "p" * 7, "maximum", 0.3 - 1e-10, "passed"),
        ("tool_fail_rate", "xxx" + "p" * 7, "maximum", 0.3 - 1e-8, "failed"),
        ("tool_fail_rate", "p" * 10, "maximum", 0.0, "passed"),
        # One of two is found: precision 1, recall a half.
        ("f1", "pf", "minimum", 2 / 3, "passed"),
        ("f1", "pf", "minimum", 0.6667, "failed"),
        ("recall", "ppf", "minimum", 0.1 + 0.2 + 1 / 3 + 1 / 30, "passed"),
        ("call_recall", "p" * 7 + "fff", "minimum", 0.7, "passed"),
        # 0.7 times 1 and 0.3 times 0.4 are 0.82 by hand.
        ("score", "p" * 7 + "fff", "minimum", 0.82, "passed"),
        ("score", "p" * 7 + "fff", "minimum", 0.82001, "failed"),
        ("latency", "pf", "maximum", 150, "passed"),
        ("latency", "pf", "maximum", 149.999, "failed"),
    ],
)
def test_every_metric_is_held_to_its_limit_unrounded(
    metric: str, outcomes: str, side: str, limit: float, ruling: Ruling
) -> None:
    least, most = ({metric: limit}, None) if side == "minimum" else (None, {metric: limit})
    verdict = gate(make_run(list(outcomes)), min_pass_rate=None, minimum=least, maximum=most)
    assert only(verdict, side).ruling == verdict.ruling == ruling


def test_errors_are_measured_as_far_as_they_got_and_never_pass() -> None:
    verdict = gate(make_run(list("ppee")), min_pass_rate=0.5, minimum={"recall": 0.5, "pass_rate[x=]": 0.5})
    assert verdict.passed
    assert (verdict.counts.planned, verdict.counts.error) == (4, 2)
    assert not gate(make_run(list("ppee")), min_pass_rate=0.51).passed


def test_percentiles_can_be_limited() -> None:
    run = make_run(list("p" * 8 + "xx"))
    verdict = gate(run, min_pass_rate=None, maximum={"latency.p50": 100, "latency.p95": 299})
    assert [check.ruling for check in verdict.checks] == ["passed", "failed"]
    assert [check.value for check in verdict.checks] == [100.0, 300.0]


def test_a_limit_can_be_about_the_cases_with_a_label() -> None:
    suite = suite_of(10, LABELS)
    run = make_run(["p", "f"] * 5, suite)
    least = {"pass_rate[difficulty=easy]": 1.0, "pass_rate[difficulty=hard]": 0.1, "f1[difficulty=easy,lang=vi]": 1.0}
    verdict = gate(run, min_pass_rate=None, minimum=least)
    assert [(check.value, check.n, check.ruling) for check in verdict.checks] == [
        (1.0, 5, "passed"),
        (0.0, 5, "failed"),
        (1.0, 5, "passed"),
    ]
    assert verdict.checks[0].group == {"difficulty": "easy"}


def test_a_figure_that_is_not_there_keeps_no_limit() -> None:
    check = only(gate(make_run(["p"]), min_pass_rate=None, minimum={"answer": 0.0}))
    assert (check.ruling, check.value, check.reason) == ("failed", None, "no_answer_scored")


def test_a_minimum_of_the_pass_rate_takes_the_place_of_the_usual_one() -> None:
    verdict = gate(make_run(list("pf")), minimum={"pass_rate": 0.5})
    assert (len(verdict.checks), verdict.ruling) == (1, "passed")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recal=0.8", "there is no metric 'recal'; did you mean 'recall'"),
        ("f2=0.8", "there is no metric 'f2'; known here: .*f1"),
        ("f1", "NAME=NUMBER"),
        ("f1=high", "'high' in 'f1=high' is not a number"),
        ("f1=nan", "is not a number"),
        ("f1=80", "between 0 and 1; write 80% as 80% or 0.8"),
        ("f1=-0.1", "give 0 or more"),
        ("f1.p95=0.5", "amounts such as latency have .p50 and .p95"),
        ("latency.p99=5", "amounts such as latency have .p50 and .p95"),
        ("f1[hard]=0.5", r"\[LABEL=VALUE\]"),
        ("=0.5", "NAME=NUMBER"),
        ("f1[difficulty=hard", "NAME=NUMBER"),
    ],
)
def test_a_limit_that_cannot_be_meant_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_limit(text, "minimum")


def test_limits_are_read_in_all_their_spellings() -> None:
    limit = read_limit("f1[difficulty=khó, một phần]=85%", "minimum")
    assert (limit.metric, limit.bound, limit.group) == ("f1", 0.85, {"difficulty": "khó, một phần"})
    limit = read_limit("latency.p95=1500", "maximum")
    assert (limit.name, limit.percentile, limit.bound) == ("latency.p95", "p95", 1500.0)


def test_a_label_that_no_case_has_is_nothing_to_do() -> None:
    run = make_run(["p"] * 10, suite_of(10, LABELS))
    with pytest.raises(NothingToDo, match="difficulty=herd; did you mean 'hard'"):
        gate(run, minimum={"f1[difficulty=herd]": 0.5})
    with pytest.raises(NothingToDo, match="did you mean 'difficulty'"):
        gate(run, minimum={"f1[dificulty=hard]": 0.5})


def test_cases_that_must_pass_are_named_when_they_do_not() -> None:
    run = make_run(["p", "p", "f", "e"])
    check = only(gate(run, min_pass_rate=None, must_pass=["c0", "c2", "c3"]), "must_pass")
    assert (check.ruling, check.cases, check.value, check.limit) == ("failed", ("c2", "c3"), 1.0, 3.0)
    assert gate(run, min_pass_rate=None, must_pass=["c[01]"]).passed
    with pytest.raises(NothingToDo, match="no case 'c9'"):
        gate(run, must_pass=["c9"])


def test_a_case_that_must_pass_has_to_pass_in_every_trial() -> None:
    run = make_run(["pp", "pf"])
    assert gate(run, min_pass_rate=None, must_pass=["c0"]).passed
    assert not gate(run, min_pass_rate=None, must_pass=["c1"]).passed


@pytest.mark.parametrize(
    ("flaky", "ruling", "value"), [("count", "failed", 5 / 6), ("forgive", "passed", 1.0), ("forbid", "failed", 5 / 6)]
)
def test_flaky_cases_are_reported_and_treated_as_asked(flaky: Flaky, ruling: Ruling, value: float) -> None:
    verdict = gate(make_run(["pp", "pf", "pp"]), flaky=flaky)
    assert [(one.case, one.passed, one.trials) for one in verdict.flaky] == [("c1", 1, 2)]
    assert verdict.several_trials
    assert verdict.ruling == ruling
    assert verdict.checks[0].value == pytest.approx(value)


def test_a_trial_that_was_not_run_makes_no_case_flaky() -> None:
    verdict = gate(make_run(["p-", "pp"]), min_pass_rate=0.5, flaky="forbid")
    assert (verdict.flaky, verdict.ruling, verdict.exit_code()) == ((), "passed", 3)
    (one,) = gate(make_run(["pf-"]), flaky="forbid").flaky
    assert (one.passed, one.trials) == (1, 2)
    assert not gate(make_run(["p-"]), min_pass_rate=None, must_pass=["c0"]).passed


def test_without_flaky_cases_forbidding_them_costs_nothing() -> None:
    assert gate(make_run(["pp", "pp"]), flaky="forbid").passed
    assert gate(make_run(["pp", "ff"]), flaky="forbid", min_pass_rate=0.5).passed


def test_every_agent_is_held_to_the_same() -> None:
    run = make_run({"good": list("pppp"), "bad": list("ffff")})
    verdict = gate(run)
    assert [(check.agent, check.ruling) for check in verdict.checks] == [("good", "passed"), ("bad", "failed")]
    assert gate(run, agents=["good"]).passed
    assert gate(run, agents=["good"]).counts.planned == 4
    with pytest.raises(NothingToDo, match="no agent 'god'; did you mean 'good'"):
        gate(run, agents=["god"])


def test_what_did_not_pass_is_listed_with_its_issues() -> None:
    verdict = gate(make_run(list("pfe-")))
    assert [(one.case, one.state) for one in verdict.failures] == [
        ("c1", "completed"),
        ("c2", "error"),
        ("c3", "not_run"),
    ]
    assert verdict.failures[0].issues[0].kind == "missing_call"


def test_an_empty_run_is_nothing_to_do() -> None:
    run = make_run(["p"])
    empty = toolgauge.Run(run.header, type(run.summary)(run.summary.suite, None, run.summary.counts, ()), ())
    with pytest.raises(NothingToDo, match="no trajectories"):
        gate(empty)


@given(st.text("pfe-", min_size=1, max_size=12), st.floats(0, 1), st.floats(0, 1))
def test_asking_for_more_never_helps(outcomes: str, one: float, other: float) -> None:
    run = make_run(list(outcomes))
    if gate(run, min_pass_rate=max(one, other)).passed:
        assert gate(run, min_pass_rate=min(one, other)).passed


def test_it_can_be_had_from_the_package() -> None:
    assert toolgauge.gate is gate
    assert isinstance(toolgauge.gate(make_run(["p"])), toolgauge.Verdict)
