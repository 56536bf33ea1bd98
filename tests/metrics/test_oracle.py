"""Summaries against an oracle that applies the formulas one by one, on seeded groups of trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import median

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples, seeds
from tests.oracle import judge, plans_of
from tests.oracle_statistics import AMOUNTS, Figure, Trial, metrics, wilson
from tests.strategies import SeededDice, Situation, situation
from toolgauge import stats
from toolgauge.core import Answer, Estimate, Row, Scored, Suite, Summary, ToolDefinition, Trajectory
from toolgauge.metrics import summarise
from toolgauge.scoring import score

PARTS, GROUPS_PER_PART = 20, 55

RATES = (
    "accuracy",
    "precision",
    "recall",
    "f1",
    "tool_fail_rate",
    "tool_fail_rate_published",
    "call_precision",
    "call_recall",
    "param_accuracy",
    "content",
    "answer",
    "score",
    "pass_rate",
    "pass_rate_scored",
    "passed_with_issues",
    "redundant_rate",
    "unknown_tool_rate",
)


@dataclass(frozen=True)
class Group:
    """A suite, what an agent did on it, and what the oracle thinks of that."""

    suite: Suite
    scored: tuple[Scored, ...]
    trials: tuple[Trial, ...]


def group(seed: int) -> Group:
    """The group that belongs to a seed: up to twelve cases, each tried up to three times."""
    random = Random(seed)
    dice = SeededDice(random)
    tools = dice.pick(((), (ToolDefinition("a"), ToolDefinition("b"))))
    trials_per_case = dice.pick((1, 1, 2, 3))
    cases, scored, trials = [], [], []
    for number in range(dice.pick((1, 2, 3, 5, 8, 12))):
        first = with_failures_of_its_own(situation(dice, case_id=f"c{number}"))
        cases.append(first.case)
        for trial in range(1, trials_per_case + 1):
            other = situation(dice, case_id=first.case.id) if trial > 1 else first
            made = msgspec.structs.replace(other.trajectory, trial=trial)
            value, seen = tried(Situation(first.case, made, first.settings, tools), dice.pick((None, True, False)))
            scored.append(value)
            trials.append(seen)
    return Group(Suite("s", tuple(cases), tools), tuple(scored), tuple(trials))


def with_failures_of_its_own(made: Situation) -> Situation:
    """A situation whose case says what failed calls do: the suite here says nothing."""
    expect = msgspec.structs.replace(made.case.expect, failed=made.case.expect.failed or made.settings.failed)
    return replace(made, case=msgspec.structs.replace(made.case, expect=expect))


def tried(made: Situation, right: bool | None) -> tuple[Scored, Trial]:
    """The score of a trajectory, and the oracle's judgement under the same alignment."""
    case, trajectory = made.case, made.trajectory
    got = score(case, trajectory, settings=made.settings, tools=made.tools)
    if trajectory.state == "not_run":
        return Scored(trajectory, got), Trial(trajectory, None)
    plans = plans_of(case)
    judgement = judge(
        case,
        trajectory,
        plans[got.plan] if plans else None,
        tuple((pair.expected, pair.call) for pair in got.alignment),
        settings=made.settings,
        tools=made.tools,
    )
    # Typed answers are put in by hand: what is summed up here is the verdict, however it came about.
    if right is not None:
        got = msgspec.structs.replace(got, answer=Answer("right" if right else "wrong"))
    return Scored(trajectory, got), Trial(trajectory, judgement, right)


def overall(summary: Summary) -> Row:
    """The row of all cases."""
    (row,) = [row for row in summary.rows if not row.group]
    return row


def assert_figure(name: str, got: Estimate, want: Figure) -> None:
    """Assert that an estimate is what the oracle says, with its interval and what it rests on."""
    assert got.value == (None if want.value is None else pytest.approx(want.value, abs=1e-9)), name
    if want.value is None:
        assert got.reason, f"{name} gives no reason"
        assert (got.low, got.high) == (None, None), name
    if want.interval is not None:
        assert (got.low, got.high) == pytest.approx(want.interval, abs=1e-9), name
    if want.n is not None:
        assert got.n == want.n, name


def assert_row(row: Row, trials: Sequence[Trial]) -> None:
    """Assert that every metric of a row is what the oracle says of its trials."""
    wanted = metrics(trials)
    assert set(RATES) | set(AMOUNTS) <= set(row.metrics)
    for name, want in wanted.items():
        assert_figure(name, row.metrics[name], want)
    states = [trial.trajectory.state for trial in trials]
    measured = [trial for trial, state in zip(trials, states, strict=True) if state not in ("not_run", "cancelled")]
    assert row.n == row.counts.measured == len(measured)
    known = [len(trial.trajectory.calls) for trial in measured]
    if len(known) % 2:
        assert row.metrics["calls"].p50 == pytest.approx(median(known))
    passed = [trial.judgement for trial in trials if trial.judgement is not None and trial.judgement.passed]
    assert msgspec.to_builtins(row.counts) == {
        "planned": len(trials),
        "passed": len(passed),
        "failed": states.count("completed") - len(passed),
        **{state: states.count(state) for state in ("error", "timeout", "limit", "cancelled", "not_run")},
        "passed_with_issues": sum(bool(judgement.issues) for judgement in passed),
    }


@pytest.mark.parametrize("part", seeds(PARTS))
def test_every_metric_is_what_the_formulas_say(part: int) -> None:
    for seed in range(part * GROUPS_PER_PART, (part + 1) * GROUPS_PER_PART):
        made = group(seed)
        summary = summarise(made.suite, made.scored, by="difficulty")
        labels = {case.id: case.labels["difficulty"] for case in made.suite.cases}
        for row in summary.rows:
            label = row.group.get("difficulty")
            trials = [trial for trial in made.trials if label in (None, labels[trial.trajectory.case])]
            try:
                assert_row(row, trials)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, group {row.group}") from error
        assert [row.group for row in summary.rows][-1] == {}
        assert {row.group["difficulty"] for row in summary.rows[:-1]} == set(labels.values())
        assert summary.counts == overall(summary).counts


@given(st.integers(0, 10**9))
@settings(deadline=None, max_examples=examples(60))
def test_every_rate_and_its_interval_are_between_0_and_1(seed: int) -> None:
    made = group(seed)
    for row in summarise(made.suite, made.scored, by="difficulty").rows:
        for name in RATES:
            got = row.metrics[name]
            if got.value is None:
                assert got.reason
                continue
            assert 0 <= got.value <= 1 + 1e-12, name
            if got.low is not None and got.high is not None:
                assert 0 <= got.low <= got.value + 1e-12, name
                assert got.value - 1e-12 <= got.high <= 1, name


@given(st.integers(0, 10**9))
@settings(deadline=None, max_examples=examples(60))
def test_counts_sum_to_the_plan(seed: int) -> None:
    made = group(seed)
    summary = summarise(made.suite, made.scored, by="difficulty")
    for counts in [summary.counts, *(row.counts for row in summary.rows)]:
        by_state = msgspec.to_builtins(counts)
        assert by_state.pop("passed_with_issues") <= by_state["passed"]
        assert by_state.pop("planned") == sum(by_state.values())
    assert summary.counts.planned == len(made.scored)
    assert sum(row.counts.planned for row in summary.rows if row.group) == len(made.scored)


@given(st.integers(0, 10**9), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(40))
def test_the_order_of_trajectories_does_not_matter(seed: int, random: Random) -> None:
    made = group(seed)
    shuffled = list(made.scored)
    random.shuffle(shuffled)
    before = overall(summarise(made.suite, made.scored)).metrics
    after = overall(summarise(made.suite, shuffled)).metrics
    for name, estimate in before.items():
        assert after[name].value == pytest.approx(estimate.value, abs=1e-9), name
        assert after[name].low == pytest.approx(estimate.low, abs=1e-9), name
        assert (after[name].n, after[name].p50, after[name].p95) == (estimate.n, estimate.p50, estimate.p95), name


@given(st.integers(0, 10**9))
@settings(deadline=None, max_examples=examples(40))
def test_a_summary_survives_a_round_trip_through_json(seed: int) -> None:
    made = group(seed)
    summary = summarise(made.suite, made.scored, by="difficulty")
    assert msgspec.json.decode(msgspec.json.encode(summary), type=Summary) == summary
    for each in made.scored:
        assert msgspec.json.decode(msgspec.json.encode(each), type=Scored) == each


def test_agents_are_kept_apart_and_add_up() -> None:
    made = group(5)
    renamed = [
        Scored(
            msgspec.structs.replace(each.trajectory, agent="other"), msgspec.structs.replace(each.score, agent="other")
        )
        for each in made.scored
    ]
    summary = summarise(made.suite, [*made.scored, *renamed])
    assert [row.agent for row in summary.rows] == ["agent", "other"]
    assert summary.rows[0].metrics == summary.rows[1].metrics
    assert summary.counts.planned == 2 * len(made.scored)


@given(st.integers(1, 400), st.data())
@settings(deadline=None, max_examples=examples(100))
def test_wilson_is_the_textbook_formula(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    assert stats.wilson(successes, n) == pytest.approx(wilson(successes, n), abs=1e-12)


def test_wilson_agrees_with_published_values() -> None:
    # Newcombe (1998), table I, method 3: the score interval without continuity correction.
    assert stats.wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert stats.wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert stats.wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert stats.wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_a_trajectory_that_was_not_run_is_planned_and_nothing_else() -> None:
    made = group(3)
    skipped = [Trajectory(each.trajectory.case, agent="agent", trial=9, state="not_run") for each in made.scored]
    extra = [Scored(each, score(case, each)) for each in skipped for case in made.suite.cases if case.id == each.case]
    before = overall(summarise(made.suite, made.scored))
    after = overall(summarise(made.suite, [*made.scored, *extra]))
    assert after.counts.not_run == before.counts.not_run + len(extra)
    for name in set(RATES) - {"pass_rate"}:
        assert after.metrics[name].value == before.metrics[name].value, name
