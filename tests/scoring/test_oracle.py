"""Scoring against a brute-force oracle: on ten thousand seeded cases, and by properties."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples, seeds
from tests.builders import case, expected, trajectory
from tests.oracle import argument_score, best_alignments, fill, objective, slots_of
from tests.strategies import (
    MATCHERS,
    Situation,
    one_plan_situations,
    orderless_situations,
    seeded_situation,
    situations,
)
from toolgauge.core import ISSUE_KINDS, STATES, Call, Case, ExpectedCall, Extra, Score, Suite, Times, Trajectory
from toolgauge.scoring import score

from .comparison import MEASURES, agree

PARTS, CASES_PER_PART = 20, 500

NEVER_AT_RANDOM = {"schema_error", "ungrounded_arg", "wrong_answer"}
"""Issues that need a schema, grounding or a typed answer, which the random cases do not have."""

FEATURES = (
    (set(ISSUE_KINDS) - NEVER_AT_RANDOM)
    | {*STATES, *get_args(Extra), *MATCHERS}
    | {"passed", "failed", "later plan", "all other arguments forbidden"}
)


def scored(situation: Situation) -> Score:
    """The score of a situation."""
    return score(situation.case, situation.trajectory, settings=situation.settings, tools=situation.tools)


def count(got: Score, kind: str) -> int:
    """How many issues of a kind there are."""
    return sum(issue.kind == kind for issue in got.issues)


@pytest.mark.parametrize("part", seeds(PARTS))
def test_scores_are_what_brute_force_says(part: int) -> None:
    for seed in range(part * CASES_PER_PART, (part + 1) * CASES_PER_PART):
        situation = seeded_situation(seed)
        try:
            got = scored(situation)
            assert (agree(situation, got) is None) == (got.state == "not_run")
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {situation}") from error


def test_the_seeded_cases_show_every_feature() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1000):
        situation = seeded_situation(seed)
        got = scored(situation)
        seen.update(issue.kind for issue in got.issues)
        seen[got.state] += 1
        seen["passed" if got.passed else "failed"] += 1
        seen["later plan"] += got.plan > 0
        seen[situation.case.expect.extra] += 1
        written = msgspec.json.encode(situation.case).decode()
        seen.update(name for name in MATCHERS if f'"{name}"' in written)
        seen["all other arguments forbidden"] += '"*"' in written
    rare = {feature: seen[feature] for feature in FEATURES if seen[feature] < 10}
    assert not rare


@given(situations())
@settings(deadline=None, max_examples=examples(150))
def test_a_score_is_what_brute_force_says(situation: Situation) -> None:
    got = scored(situation)
    assert (agree(situation, got) is None) == (got.state == "not_run")


@given(situations())
@settings(deadline=None, max_examples=examples(100))
def test_every_measure_is_between_0_and_1(situation: Situation) -> None:
    got = scored(situation)
    values = [getattr(got, name) for name in MEASURES] + [pair.params for pair in got.alignment]
    assert all(0 <= value <= 1 + 1e-12 for value in values if value is not None)
    assert len({pair.call for pair in got.alignment}) == len(got.alignment)


@given(orderless_situations(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(100))
def test_the_order_of_calls_does_not_matter_where_any_order_will_do(situation: Situation, random: Random) -> None:
    shuffled = list(situation.trajectory.calls)
    random.shuffle(shuffled)
    before = scored(situation)
    after = score(situation.case, msgspec.structs.replace(situation.trajectory, calls=tuple(shuffled)))
    for name in MEASURES:
        assert getattr(after, name) == pytest.approx(getattr(before, name), abs=1e-12)
    assert (after.passed, after.counts) == (before.passed, before.counts)
    # Which argument is at fault may change with the alignment, where several are equally good; these may not.
    for kind in ("missing_call", "unexpected_call"):
        assert count(after, kind) == count(before, kind)


@given(one_plan_situations(), st.integers(0, 6))
@settings(deadline=None, max_examples=examples(100))
def test_an_irrelevant_call_never_raises_precision(situation: Situation, place: int) -> None:
    calls = list(situation.trajectory.calls)
    calls.insert(place, Call("irrelevant"))
    before = scored(situation)
    after = score(situation.case, msgspec.structs.replace(situation.trajectory, calls=tuple(calls)))
    if before.call_precision is None:
        assert after.call_precision is None
        return
    assert after.call_precision is not None
    assert after.call_precision <= before.call_precision
    assert after.counts.true_positive == before.counts.true_positive
    assert after.counts.false_positive >= before.counts.false_positive


@given(situations())
@settings(deadline=None, max_examples=examples(100))
def test_values_survive_a_round_trip_through_json(situation: Situation) -> None:
    suite = Suite("s", (situation.case,), situation.tools, situation.settings)
    assert msgspec.json.decode(msgspec.json.encode(suite), type=Suite) == suite
    assert msgspec.json.decode(msgspec.json.encode(situation.case), type=Case) == situation.case
    recorded = msgspec.json.encode(situation.trajectory)
    assert msgspec.json.decode(recorded, type=Trajectory) == situation.trajectory
    got = scored(situation)
    assert msgspec.json.decode(msgspec.json.encode(got), type=Score) == got


@given(situations())
@settings(deadline=None, max_examples=examples(50))
def test_scoring_again_gives_the_same_score(situation: Situation) -> None:
    assert scored(situation) == scored(situation)


def large_plan(random: Random) -> tuple[list[ExpectedCall], list[Call]]:
    """Many expectations and calls of one tool, with few values, so that ties abound."""
    names = "tuvwxyz"[: random.randint(2, 7)]
    wanted = [
        expected(
            "a",
            {name: random.randrange(3) for name in names if random.random() < 0.7},
            optional=random.random() < 0.3,
            times=Times(0, 1) if random.random() < 0.2 else None,
        )
        for _ in range(random.randint(6, 12))
    ]
    made = [
        Call(
            "a",
            args={name: random.randrange(3) for name in names if random.random() < 0.8},
            error="boom" if random.random() < 0.3 else None,
        )
        for _ in range(random.randint(6, 15))
    ]
    return wanted, made


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(60))
def test_large_alignments_are_as_good_as_an_optimal_assignment(seed: int) -> None:
    from scipy.optimize import linear_sum_assignment

    wanted, made = large_plan(Random(seed))
    slots = slots_of(wanted, made)
    # One whole number orders by pairs, then arguments (multiples of 1/840), required slots, calls that worked.
    worth = [
        [
            ((16384 + int(840 * argument_score(slot.wanted, call))) * 16 + slot.required) * 16 + (call.error is None)
            for call in made
        ]
        for slot in slots
    ]
    rows, columns = linear_sum_assignment(worth, maximize=True)
    best = objective(slots, dict(zip(map(int, rows), map(int, columns), strict=True)), made)

    got = score(case(wanted), trajectory(made))
    answers = fill(slots, tuple((pair.expected, pair.call) for pair in got.alignment))
    reached = objective(slots, answers, made)
    assert reached[:4] == best[:4]
    assert reached[4] >= best[4]


@pytest.mark.parametrize("seed", seeds(30))
def test_no_exchange_of_two_calls_makes_a_large_alignment_better(seed: int) -> None:
    wanted, made = large_plan(Random(seed))
    slots = slots_of(wanted, made)
    got = score(case(wanted), trajectory(made))
    answers = fill(slots, tuple((pair.expected, pair.call) for pair in got.alignment))
    reached = objective(slots, answers, made)
    free = [call for call in range(len(made)) if call not in answers.values()]
    for place in answers:
        for call in free:
            assert objective(slots, {**answers, place: call}, made) <= reached
        for other in answers:
            exchanged = {**answers, place: answers[other], other: answers[place]}
            assert objective(slots, exchanged, made) <= reached


def test_a_small_alignment_has_the_optimum_of_the_whole_vector() -> None:
    wanted = [expected("a", {"x": 1}), expected("b"), expected("a", {"x": 2})]
    made = [Call("a", args={"x": 2}), Call("b"), Call("a", args={"x": 1})]
    best, alignments = best_alignments(wanted, made)
    assert best == (3, Fraction(3), 3, 3, -3)
    assert alignments == [((2, 0), (1, 1), (0, 2))]
    got = score(case(wanted), trajectory(made))
    assert {(pair.expected, pair.call) for pair in got.alignment} == {(0, 2), (1, 1), (2, 0)}
