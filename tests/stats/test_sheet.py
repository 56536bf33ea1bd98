"""Sheets add up a few sums in columns, and come to what adding up all sums case by case comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.core import STATES, Answer, JsonValue, Score, ToolCounts, Trajectory, Usage
from toolgauge.stats import METRICS, Metric, Sheet, Sums, metric_of
from toolgauge.stats.amounts import AMOUNTS, sums_of

COUNT = st.integers(0, 3)
MAYBE = st.none() | COUNT
SHARE = st.floats(0, 1)
ROUNDED: dict[str, Any] = {"rel": 1e-12, "abs": 1e-24}
"""Sums of cases are exact, up to amounts that nobody can see; those of sheets are rounded."""
EVENTS: list[dict[str, JsonValue]] = [
    {"kind": "judge", "score": 0.25},
    {"kind": "judge", "score": "much"},
    {"kind": "judge", "score": 7},
    {"kind": "plan", "steps": [1, 2]},
    {"kind": "plan", "steps": [1], "usable": False},
    {"kind": "round"},
    {"kind": "route"},
    {"kind": "handoff"},
    {"kind": "retry"},
]

counts = st.builds(ToolCounts, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT, MAYBE, MAYBE, MAYBE)
answers = st.none() | st.builds(Answer, st.sampled_from(["right", "wrong", "ambiguous", None]))
usages = st.none() | st.builds(Usage, MAYBE, MAYBE, MAYBE, st.none() | SHARE)


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[Trajectory, Score]:
    """A trajectory of one of three cases with its score; nothing keeps the two from being odd."""
    case, state = draw(st.sampled_from("abc")), draw(st.sampled_from(STATES))
    measures = draw(st.tuples(SHARE, SHARE, SHARE, SHARE, SHARE)) if draw(st.booleans()) else [None] * 5
    latency = draw(st.none() | st.floats(0, 1e6))
    trajectory = Trajectory(
        case,
        "m",
        1,
        state,
        latency_ms=latency,
        usage=draw(usages),
        events=tuple(draw(st.lists(st.sampled_from(EVENTS), max_size=3))),
    )
    score = Score(
        case,
        "m",
        1,
        state,
        draw(st.booleans()),
        measures[0],
        measures[1],
        measures[2],
        measures[3],
        measures[4],
        draw(answers),
        says_tools=draw(st.booleans()),
        counts=draw(counts),
    )
    return trajectory, score


@given(outcomes())
def test_each_amount_is_what_the_sums_grow_by(outcome: tuple[Trajectory, Score]) -> None:
    sums = Sums()
    sums.add(*outcome)
    sums.settle()
    names = [field.name.removesuffix("_units") for field in fields(sums) if field.name != "plain"]
    assert {name: amount(*outcome) for name, amount in AMOUNTS.items()} == {
        name: pytest.approx(getattr(sums, name), **ROUNDED) for name in names
    }


def expected(metric: Metric, done: list[tuple[Trajectory, Score]], cases: list[str]) -> Iterator[tuple[float, ...]]:
    """What a metric is made of on each of these cases, added up one by one."""
    for case in cases:
        sums = Sums()
        for trajectory, score in done:
            if trajectory.case == case:
                sums.add(trajectory, score)
        sums.settle()
        yield metric.above(sums), metric.below(sums), metric.n(sums)


@given(st.lists(outcomes(), min_size=1, max_size=9), st.randoms(use_true_random=False), st.integers(1, 9))
def test_columns_are_the_sums_of_each_case_in_the_order_asked_for(
    done: list[tuple[Trajectory, Score]], random: Random, settled: int
) -> None:
    sheet = Sheet()
    for number, outcome in enumerate(done):
        sheet.add(*outcome)
        if number % settled == 0:
            sheet.settle()
    sheet.settle()
    cases = random.sample(list(sheet.cases), random.randint(1, len(sheet.cases)))
    for metric in METRICS:
        found = sheet.columns(metric, cases)
        rows = list(expected(metric, done, cases))
        assert list(found.above) == pytest.approx([above for above, _, _ in rows], **ROUNDED)
        assert list(found.below) == pytest.approx([below for _, below, _ in rows], **ROUNDED)
        assert found.missing == {place for place, (_, _, n) in enumerate(rows) if not n}


def test_many_trials_of_many_cases_are_added_up_as_they_come() -> None:
    done = [
        (Trajectory(f"c{case}", "m", trial), Score(f"c{case}", "m", trial, "completed", (case + trial) % 3 == 0))
        for trial in range(1, 5)
        for case in range(1_500)
    ]
    sheet = Sheet([metric for name in ("pass_rate",) if (metric := metric_of(name))])
    for outcome in done:
        sheet.add(*outcome)
    sheet.settle()
    assert (len(sheet.cases), sheet.trials) == (1_500, 4)
    passed = {f"c{case}": sum((case + trial) % 3 == 0 for trial in range(1, 5)) for case in range(1_500)}
    assert sheet.repeated() == {case: (number, 4) for case, number in passed.items()}


def test_a_sheet_keeps_only_the_sums_that_its_metrics_need() -> None:
    f1 = metric_of("f1")
    assert f1 is not None
    assert sums_of(f1) == ["true_positive", "false_positive", "false_negative", "says_tools"]
    assert {name for metric in METRICS for name in sums_of(metric)} <= AMOUNTS.keys()
