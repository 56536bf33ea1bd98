"""Verdicts against a baseline: a loss is shown, ruled out, or left open."""

from __future__ import annotations

from math import sqrt
from statistics import mean, stdev

import pytest
from msgspec.structs import replace

from toolgauge.analysis.gate import gate
from toolgauge.core import SCORING_VERSION, Case, Check, Run, Verdict
from toolgauge.errors import UsageError
from toolgauge.stats.rates import paired_rates

from .runs import make_run, suite_of


def loss(verdict: Verdict) -> Check:
    (check,) = (check for check in verdict.checks if check.kind == "no_regression")
    return check


@pytest.mark.parametrize(
    ("lost", "won", "n", "max_drop", "ruling"),
    [
        (0, 0, 10, 0.05, "inconclusive"),
        (0, 0, 200, 0.05, "passed"),
        (0, 0, 200, 0.0, "inconclusive"),
        (30, 0, 200, 0.05, "failed"),
        (12, 0, 200, 0.05, "inconclusive"),
        (0, 30, 200, 0.0, "passed"),
        (20, 20, 200, 0.1, "passed"),
    ],
)
def test_the_interval_of_the_difference_decides(lost: int, won: int, n: int, max_drop: float, ruling: str) -> None:
    rest = n - lost - won
    before = make_run(list("p" * lost + "f" * won + "p" * rest))
    now = make_run(list("f" * lost + "p" * won + "p" * rest))
    check = loss(gate(now, min_pass_rate=None, baseline=before, max_drop=max_drop))
    assert check.ruling == ruling
    assert check.value == pytest.approx((won - lost) / n)
    assert (check.low, check.high) == pytest.approx(paired_rates(lost, won, n))
    assert check.baseline == pytest.approx((lost + rest) / n)
    assert check.n == n


def test_a_limit_that_is_just_kept_is_kept() -> None:
    before, now = make_run(list("p" * 100)), make_run(list("f" * 20 + "p" * 80))
    low, high = paired_rates(20, 0, 100)
    assert loss(gate(now, baseline=before, max_drop=-low)).ruling == "passed"
    assert loss(gate(now, baseline=before, max_drop=-low - 1e-6)).ruling == "inconclusive"
    assert loss(gate(now, baseline=before, max_drop=-high)).ruling == "inconclusive"
    assert loss(gate(now, baseline=before, max_drop=-high - 1e-6)).ruling == "failed"


def test_cases_that_were_lost_are_named() -> None:
    check = loss(gate(make_run(list("ffpp")), baseline=make_run(list("pfpp"))))
    assert check.cases == ("c0",)


def test_it_says_how_many_cases_would_settle_it() -> None:
    check = loss(gate(make_run(["p"] * 10), baseline=make_run(["p"] * 10)))
    assert check.needed is not None
    low, _ = paired_rates(0, 0, check.needed)
    assert low >= -0.05
    low, _ = paired_rates(0, 0, check.needed - 10)
    assert low < -0.05
    even = loss(gate(make_run(list("f" + "p" * 19)), baseline=make_run(["p"] * 20), max_drop=0.05))
    assert (even.ruling, even.needed) == ("inconclusive", None)


def test_a_mean_is_compared_by_its_paired_differences() -> None:
    before, now = make_run(list("ppppxxpp")), make_run(list("xpppffxx"))

    def scores(run: Run) -> list[float]:
        return [one.score.score or 0.0 for one in run.scored]

    differences = [new - old for new, old in zip(scores(now), scores(before), strict=True)]
    check = loss(gate(now, min_pass_rate=None, baseline=before, max_drop={"score": 0.1}))
    error = stdev(differences) / sqrt(len(differences))
    assert check.value == pytest.approx(mean(differences))
    assert (check.low, check.high) == pytest.approx(
        (mean(differences) - 1.959963984540054 * error, mean(differences) + 1.959963984540054 * error)
    )


def test_of_a_fault_more_is_worse() -> None:
    before, now = make_run(["p"] * 100), make_run(list("x" * 30 + "p" * 70))
    check = loss(gate(now, min_pass_rate=None, baseline=before, max_drop={"tool_fail_rate": 0.1}))
    assert (check.ruling, check.lower_is_better) == ("failed", True)
    assert check.value == pytest.approx(-0.3)
    check = loss(gate(before, min_pass_rate=None, baseline=now, max_drop={"tool_fail_rate": 0.1}))
    assert check.ruling == "passed"
    assert check.value == pytest.approx(0.3)


def test_trials_of_a_case_count_as_one_cluster() -> None:
    now, before = make_run(["pp", "pf", "ff", "pp"] * 10), make_run(["pp", "pp", "ff", "pp"] * 10)
    check = loss(gate(now, min_pass_rate=None, baseline=before, max_drop=0.05))
    differences = [0, -0.5, 0, 0] * 10
    error = stdev(differences) / sqrt(40)
    assert check.n == 40
    assert check.value == pytest.approx(-0.125)
    assert check.low == pytest.approx(-0.125 - 1.959963984540054 * error)


def test_trials_without_any_difference_rule_out_no_more_than_cases_can() -> None:
    check = loss(gate(make_run(["pp"] * 10), min_pass_rate=None, baseline=make_run(["pp"] * 10), max_drop=0.05))
    assert (check.low, check.high) == pytest.approx(paired_rates(0, 0, 10))


def test_what_would_settle_a_change_that_every_case_shows_rests_on_that_change() -> None:
    now, before = make_run(["pf"] * 6), make_run(["pp"] * 6)
    check = loss(gate(now, min_pass_rate=None, baseline=before, max_drop=0.3))
    assert (check.value, check.ruling) == (-0.5, "inconclusive")
    assert check.needed is not None
    enough = make_run(["pf"] * check.needed), make_run(["pp"] * check.needed)
    assert loss(gate(enough[0], min_pass_rate=None, baseline=enough[1], max_drop=0.3)).ruling == "failed"


def test_agents_are_paired_by_name_or_where_there_is_one() -> None:
    assert loss(gate(make_run({"new": ["p"] * 100}), baseline=make_run({"old": ["p"] * 100}))).ruling == "passed"
    both = make_run({"a": ["p"], "b": ["p"]})
    with pytest.raises(UsageError, match="the baseline has no agent 'c' to compare with"):
        gate(make_run({"a": ["p"], "c": ["p"]}), baseline=both)


def change(run: Run, **fields: object) -> Run:
    return Run(replace(run.header, suite_hash="", **fields), run.summary, run.scored)


def test_runs_that_cannot_be_compared_are_refused_unless_forced() -> None:
    run = make_run(["p"] * 100)
    suite = run.header.suite
    first: Case = suite.cases[0]
    altered = replace(suite, cases=(replace(first, input="another question"), *suite.cases[1:]))
    retooled = replace(suite, tools=())
    for fields, message in (
        ({"suite": altered}, "cases changed: c0"),
        ({"suite": retooled}, "the tools of the suite changed: look"),
        ({"scoring": 0}, f"scored by version 0 of the rules, the run by {SCORING_VERSION}"),
        ({"suite": suite_of(0)}, "no case in common"),
    ):
        other = change(run, **fields)
        with pytest.raises(UsageError, match=message):
            gate(run, baseline=other)
        assert gate(run, baseline=other, force=True).ruling == "passed"


def test_cases_with_half_a_character_are_compared_too() -> None:
    def asking(text: str) -> Run:
        suite = suite_of(1)
        return make_run(["p"], replace(suite, cases=(replace(suite.cases[0], input=text),)))

    assert gate(asking("\ud800"), baseline=asking("\ud800")).ruling == "inconclusive"
    with pytest.raises(UsageError, match="cases changed: c0"):
        gate(asking("\ud800"), baseline=asking("\udfff"))


def test_a_case_that_only_one_run_has_is_left_out() -> None:
    before, now = make_run(["p"] * 100), make_run([*["p"] * 100, "f"])
    assert loss(gate(now, min_pass_rate=None, baseline=before)).n == 100


def test_a_drop_that_cannot_be_meant_is_refused() -> None:
    run = make_run(["p"])
    with pytest.raises(UsageError, match="give 0 or more"):
        gate(run, baseline=run, max_drop=-0.1)
    with pytest.raises(UsageError, match=r"between 0 and 1; write 5% as 5% or 0\.05"):
        gate(run, baseline=run, max_drop=5)
    assert gate(run, baseline=run, max_drop={"latency": 5}).checks[-1].limit == 5
    with pytest.raises(UsageError, match="there is no metric 'f2'"):
        gate(run, baseline=run, max_drop={"f2": 0.1})


def test_a_metric_that_neither_run_has_leaves_it_open() -> None:
    run = make_run(["p"])
    check = loss(gate(run, baseline=run, max_drop={"answer": 0.1}))
    assert (check.ruling, check.value, check.reason) == ("inconclusive", None, "no_answer_scored")
