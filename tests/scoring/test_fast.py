"""Whatever scores a trajectory, the result is that of the definition."""

from __future__ import annotations

from random import Random

import pytest

from tests.budgets import seeds
from tests.builders import case, expected
from tests.scoring.situations import DRAFT_4, SETTINGS, TOOLS, plain_situation, situation
from toolgauge.core import Budget, Call, Case, JsonValue, Plan, Suite, ToolDefinition, Trajectory
from toolgauge.scoring import Scorer, score
from toolgauge.scoring.fast import MAX_PLAIN, is_plain


@pytest.mark.parametrize("part", seeds(10))
def test_a_scorer_scores_by_the_definition(part: int) -> None:
    for seed in range(part * 400, (part + 1) * 400):
        dice = Random(seed)
        one, trajectory = situation(dice)
        tools = TOOLS if dice.random() < 0.6 else ()
        settings = dice.choice(SETTINGS)
        found = Scorer(Suite("s", (one,), tools, settings)).score(trajectory)
        assert found == score(one, trajectory, settings=settings, tools=tools), f"seed {seed}"


def test_most_cases_are_plain() -> None:
    found = [plain_situation(Random(seed)) for seed in range(400)]
    assert all(is_plain(one) for one, _ in found)
    repeated = [len({call.tool for call in trajectory.calls}) < len(trajectory.calls) for _, trajectory in found]
    assert sum(repeated) > 100


@pytest.mark.parametrize(
    "one",
    [
        case(None),
        case([]),
        case([expected("a", {"x": {"$any": True}})]),
        case([expected("a", {"x": [1]})]),
        case([expected("a", {"x": float("nan")})]),
        case([expected("a", check={"x": 1})]),
        case([expected("a", forbid_args=("x",))]),
        case([expected("a", optional=True)]),
        case([expected("a", times=2)]),
        case([expected("a", id="first"), expected("b", after=("first",))]),
        case([expected("a")], order="strict"),
        case([expected("a")], neutral=("b",)),
        case([expected("a")], forbid=("b",)),
        case([expected("a")], contains=("text",)),
        case([expected("a")], extra="forbid"),
        case([expected("a")], extra="allow"),
        case([expected("a")], answer={"type": "number", "value": 1}),
        case([expected("a")], budget=Budget(calls=1)),
        case(any_of=(Plan((expected("a"),)), Plan((expected("b"),)))),
        case([expected("a")] * (MAX_PLAIN + 1)),
    ],
)
def test_what_says_more_than_calls_with_values_is_not_plain(one: Case) -> None:
    assert not is_plain(one)


def test_one_scorer_gives_the_same_score_again() -> None:
    one, trajectory = situation(Random(7))
    scorer = Scorer(Suite("s", (one,), TOOLS))
    assert scorer.score(trajectory) == scorer.score(trajectory)


def test_a_boolean_is_no_number() -> None:
    scorer = Scorer(Suite("s", (case([expected("a", {"x": 1, "y": True})]),)))
    told: list[tuple[dict[str, JsonValue], float]] = [
        ({"x": 1.0, "y": True}, 1.0),
        ({"x": True, "y": True}, 0.75),
        ({"x": 1, "y": 1}, 0.75),
    ]
    for args, params in told:
        assert scorer.score(Trajectory("c1", calls=(Call("a", args),))).param_accuracy == params


def test_a_number_that_equals_the_literal_can_still_break_the_schema() -> None:
    suite = Suite("s", (case([expected("a", {"x": 1})]),), TOOLS)
    whole, broken = (Scorer(suite).score(Trajectory("c1", calls=(Call("a", {"x": x}),))) for x in (1, 1.0))
    assert (whole.counts.schema_errors, broken.counts.schema_errors) == (0, 1)
    assert broken.param_accuracy == 1


def test_whole_numbers_are_known_to_keep_to_a_schema_in_every_way_of_writing_them() -> None:
    mixed: dict[str, JsonValue] = {
        "$schema": DRAFT_4,
        "not": {"properties": {"x": {"type": "integer"}, "y": {"not": {"type": "integer"}}}},
    }
    tools = (ToolDefinition("a", "", mixed),)
    one = case([expected("a", {"x": 1, "y": 2})])
    trajectory = Trajectory(one.id, calls=(Call("a", {"x": 1, "y": 2.0}),))
    suite = Suite("s", (one,), tools)
    wanted = score(one, trajectory, tools=tools)
    assert wanted.counts.schema_errors == 1
    assert Scorer(suite).score(trajectory) == wanted
    assert Scorer(suite).score_all([trajectory]) == [wanted]
