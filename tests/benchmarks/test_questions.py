"""The suites that are shipped: as many questions as promised, without faults, each one passable, each answer true."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest

from toolgauge.analysis.lint import lint
from toolgauge.benchmarks import BENCHMARKS, Benchmark, load_benchmark
from toolgauge.core import Case
from toolgauge.scoring import Scorer

from .answers import ANSWERS
from .following import follow

FINANCE = load_benchmark("vn-finance")
WEATHER = load_benchmark("weather")
SHIPPED = [(benchmark, case) for benchmark in (FINANCE, WEATHER) for case in benchmark.suite.cases]
NAMES = [case.id for _, case in SHIPPED]


def test_there_are_as_many_questions_as_in_the_published_comparison() -> None:
    labels = Counter(case.labels["difficulty"] for case in FINANCE.suite.cases)
    assert labels == {"dễ": 37, "khó": 55}
    assert len(WEATHER.suite.cases) >= 30


def test_all_five_tools_are_expected_somewhere_and_some_questions_need_none() -> None:
    plans = [plan for case in FINANCE.suite.cases for plan in case.expect.plans]
    required = {call.tool for plan in plans for call in plan.calls if not call.optional}
    assert required == {"history_price", "listing_symbol", "retrival_vector_db", "search_web", "time_now"}
    assert sum(not plan.calls for plan in plans) >= 5


@pytest.mark.parametrize("name", BENCHMARKS)
def test_lint_has_no_errors_and_no_warnings(name: str) -> None:
    assert [finding for finding in lint(load_benchmark(name).suite) if finding.severity != "hint"] == []


def test_every_question_is_vietnamese_with_its_marks() -> None:
    marked = re.compile(r"[ăâđêôơưàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]", re.IGNORECASE)
    for case in FINANCE.suite.cases:
        words = [word for word in case.input.split() if word.isalpha() and word.islower()]
        assert case.locale == "vi"
        assert sum(bool(marked.search(word)) for word in words) >= len(words) / 2, case.input


def test_a_question_that_does_not_tell_the_day_expects_the_clock() -> None:
    for case in FINANCE.suite.cases:
        for plan in case.expect.plans:
            asks = any(call.tool == "time_now" and not call.optional for call in plan.calls)
            assert asks == (case.now is None), case.id


@pytest.mark.parametrize(("benchmark", "case"), SHIPPED, ids=NAMES)
def test_an_agent_that_does_what_is_expected_passes(benchmark: Benchmark, case: Case) -> None:
    scorer = Scorer(benchmark.suite)
    for plan in case.expect.plans or (None,):
        score = scorer.score(follow(benchmark, case, plan))
        assert score.passed, [issue.kind for issue in score.issues]
        assert score.score is not None
        assert math.isclose(score.score, 1.0), [issue.kind for issue in score.issues]


@pytest.mark.parametrize(("benchmark", "case"), SHIPPED, ids=NAMES)
def test_an_agent_that_does_nothing_passes_only_where_nothing_is_to_be_done(benchmark: Benchmark, case: Case) -> None:
    silent = Scorer(benchmark.suite).score(follow(benchmark, case, None))
    may_be_silent = any(not any(call.min_calls for call in plan.calls) for plan in case.expect.plans)
    assert silent.passed == may_be_silent


def test_every_typed_answer_is_worked_out_in_these_tests() -> None:
    assert set(ANSWERS) == {case.id for case in FINANCE.suite.cases if case.expect.answer is not None}


@pytest.mark.parametrize("case", [case for case in FINANCE.suite.cases if case.expect.answer], ids=lambda case: case.id)
def test_typed_answers_follow_from_the_data(case: Case) -> None:
    assert case.expect.answer is not None
    stated, computed = case.expect.answer["value"], ANSWERS[case.id]()
    if isinstance(computed, float):
        assert isinstance(stated, (int, float))
        assert math.isclose(stated, computed, rel_tol=1e-9)
    else:
        assert stated == computed
