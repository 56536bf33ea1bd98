"""Comparing contenders: figures by hand, corrections, verdicts, and what is said where little is known."""

from __future__ import annotations

import pytest

from toolgauge.analysis.contrasts import Comparer, reliability
from toolgauge.core import Contrast, Reliability, Score, ToolCounts, Trajectory
from toolgauge.metrics import CaseSums, find_metric


def sheet(*passed: bool | None, latency: float | None = None, trials: int = 1) -> CaseSums:
    """A contender that passed these cases; None stands for one that was not run."""
    made = CaseSums()
    for number, good in enumerate(passed):
        for trial in range(1, trials + 1):
            name = f"c{number}"
            if good is None:
                made.add_all([Trajectory(name, "a", trial, "not_run")], [Score(name, "a", trial, "not_run")])
                continue
            value = 1.0 if good else 0.5
            counts = ToolCounts(1, 0 if good else 1, 0, calls=1)
            trajectory = Trajectory(name, "a", trial, latency_ms=latency and latency + number)
            score = Score(
                name, "a", trial, "completed", good, value, value, 1.0, 1.0, 1.0, says_tools=True, counts=counts
            )
            made.add_all([trajectory], [score])
    return made


def contrasts(sheets: dict[str, CaseSums], metric: str, labels: list[str] | None = None) -> list[Contrast]:
    cases = list(next(iter(sheets.values())).cases)
    found = find_metric(metric)
    assert found is not None
    comparer = Comparer(sheets, cases, "kind" if labels else None, labels or [""] * len(cases), [found])
    return [one for pairing in comparer.pairings() for one in pairing.contrasts]


def test_a_difference_is_that_of_the_figures_and_names_who_passed_alone() -> None:
    first = sheet(*[True] * 4, *[False] * 16)
    second = sheet(*[True] * 2, *[False] * 2, *[True] * 14, *[False] * 2)
    (one,) = contrasts({"a": first, "b": second}, "pass_rate")
    assert (one.first, one.second) == (0.2, 0.8)
    assert one.difference.value == pytest.approx(0.6)
    assert (one.only_first, one.only_second, one.n) == (2, 14, 20)
    # Two or fewer of sixteen fair coins, on either side: 2 · (1 + 16 + 120) / 65536.
    assert one.p == pytest.approx(2 * 137 / 65536)
    assert one.mid_p == pytest.approx((2 * 137 - 120) / 65536)
    assert (one.test, one.verdict, one.more_cases) == ("mcnemar", "better", 0)
    assert one.odds_ratio is not None
    assert one.odds_ratio.value == 7


def test_less_latency_is_better_and_less_accuracy_is_worse() -> None:
    slow, fast = sheet(*[True] * 12, latency=900.0), sheet(*[False] * 12, latency=300.0)
    assert [one.verdict for one in contrasts({"a": slow, "b": fast}, "latency")] == ["better"]
    assert [one.verdict for one in contrasts({"a": slow, "b": fast}, "accuracy")] == ["worse"]
    assert [one.verdict for one in contrasts({"a": fast, "b": slow}, "latency")] == ["worse"]


def test_the_same_difference_needs_more_evidence_among_more_pairs() -> None:
    plain, better = sheet(*[False] * 20), sheet(*[True] * 6, *[False] * 14)
    (alone,) = contrasts({"a": plain, "b": better}, "pass_rate")
    assert alone.p == alone.adjusted_p == pytest.approx(2 / 64)
    assert alone.verdict == "better"
    many = contrasts({"a": plain, "b": better, "c": plain}, "pass_rate")
    assert [one.adjusted_p for one in many] == [pytest.approx(6 / 64), 1.0, pytest.approx(6 / 64)]
    assert {one.verdict for one in many} == {"no_evidence"}


def test_only_pairs_with_one_contender_are_made_where_it_is_named() -> None:
    cases = [f"c{number}" for number in range(5)]
    metric = find_metric("pass_rate")
    assert metric is not None
    sheets = {name: sheet(*[True] * 5) for name in "abc"}
    comparer = Comparer(sheets, cases, None, [""] * 5, [metric])
    assert [(one.first, one.second) for one in comparer.pairings()] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(one.first, one.second) for one in comparer.pairings("b")] == [("b", "a"), ("b", "c")]


def test_groups_follow_the_label_and_cases_without_it_come_last() -> None:
    found = contrasts({"a": sheet(*[True] * 4), "b": sheet(*[False] * 4)}, "accuracy", ["", "x", "y", "x"])
    assert [(one.group, one.n) for one in found] == [
        ({}, 4),
        ({"kind": "x"}, 2),
        ({"kind": "y"}, 1),
        ({"kind": ""}, 1),
    ]


def test_cases_that_were_not_run_count_as_not_passed_and_have_no_accuracy() -> None:
    first, second = sheet(True, True, None, None), sheet(True, True, True, True)
    (passed,) = contrasts({"a": first, "b": second}, "pass_rate")
    assert (passed.n, passed.first, passed.second) == (4, 0.5, 1.0)
    (accurate,) = contrasts({"a": first, "b": second}, "accuracy")
    assert (accurate.n, accurate.first, accurate.second) == (2, 1.0, 1.0)


def test_what_nobody_has_is_not_tested_and_says_why() -> None:
    (one,) = contrasts({"a": sheet(True), "b": sheet(True)}, "latency")
    assert (one.verdict, one.p, one.n, one.first) == ("untested", None, 0, None)
    assert one.difference.reason == "not_recorded"
    (nothing,) = contrasts({"a": sheet(None, None), "b": sheet(None, None)}, "score")
    assert (nothing.verdict, nothing.difference.value) == ("untested", None)


def test_a_single_case_has_an_interval_and_shows_nothing() -> None:
    (one,) = contrasts({"a": sheet(False), "b": sheet(True)}, "pass_rate")
    assert one.difference.low == pytest.approx(-0.5869, abs=1e-4)
    assert (one.difference.high, one.p, one.detectable) == (1.0, 1.0, None)


def test_trials_of_a_case_are_swapped_together() -> None:
    first = sheet(*[False] * 5, trials=4)
    second = sheet(*[True] * 5, trials=4)
    (one,) = contrasts({"a": first, "b": second}, "pass_rate")
    # Five cases, whatever the number of their trials: two swaps in 32 are as extreme.
    assert (one.test, one.n) == ("permutation", 5)
    assert one.p == pytest.approx(2 / 32)
    assert one.verdict == "no_evidence"


def steadiness(sums: CaseSums) -> Reliability | None:
    """How steady a contender is on all of its cases."""
    return reliability("agent", sums, sums.cases)


def test_reliability_counts_flaky_cases_and_estimates_pass_at_k() -> None:
    made = sheet(True, False, trials=3)
    for trial, good in ((1, True), (2, False), (3, False)):
        score = Score("c9", "a", trial, "completed", good, 1.0, 1.0, 1.0, 1.0, 1.0)
        made.add_all([Trajectory("c9", "a", trial)], [score])
    found = steadiness(made)
    assert found is not None
    assert (found.cases, found.flaky, found.examples) == (3, 1, ("c9",))
    assert found.flakiness == pytest.approx((2 / 3) / 3)
    assert [each.k for each in found.repeated] == [1, 2, 3]
    # Of two trials of c9, two choices in three hold the one that passed, and none holds two.
    assert found.repeated[1].pass_any.value == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert found.repeated[1].pass_all.value == pytest.approx(1 / 3)
    assert steadiness(sheet(True)) is None


def test_a_single_superfluous_call_is_no_evidence_whoever_called_more() -> None:
    def calling(*found: tuple[int, int]) -> CaseSums:
        made = CaseSums()
        for number, (right, extra) in enumerate(found):
            counts = ToolCounts(right, extra, 5 - right, calls=right + extra)
            score = Score(
                f"c{number}", "a", 1, "completed", False, 0.5, 0.5, 0.5, 0.5, 1.0, says_tools=True, counts=counts
            )
            made.add_all([Trajectory(f"c{number}", "a", 1)], [score])
        return made

    # The first calls fewer tools, so that swapping whole cases would take its one mistake for something rare.
    first = calling((1, 1), (1, 0), (2, 0), (1, 0), (1, 0), (3, 0), (1, 0), (2, 0), (1, 0), (1, 0), (2, 0), (1, 0))
    second = calling((4, 0), (5, 0), (3, 0), (4, 0), (2, 0), (5, 0), (4, 0), (3, 0), (5, 0), (4, 0), (2, 0), (3, 0))
    (precision,) = contrasts({"a": first, "b": second}, "precision")
    assert precision.p is not None
    assert precision.p > 0.2
    (recall,) = contrasts({"a": first, "b": second}, "recall")
    assert recall.verdict == "better"
