"""The short way of scoring plain cases gives exactly what the long way gives."""

from __future__ import annotations

from random import Random

import pytest

from tests.budgets import seeds
from tests.builders import case, expected
from toolgauge.core import Call, Case, ExpectedCall, JsonValue, Settings, Suite, ToolDefinition, Trajectory, Weights
from toolgauge.scoring import Scorer, ready, score

VALUES: tuple[JsonValue, ...] = (0, 1, 1.0, 2, 2.5, True, False, None, "1", "é", "e\u0301", [1], {"a": 1})

WANTED: tuple[JsonValue, ...] = (*VALUES, {"$one_of": [1, "é"]}, {"$any": True}, {"$default": 2}, {"$absent": True})

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
"""Here the whole number 1.0 is no integer."""

TOOLS = (
    ToolDefinition("a", "", {"$schema": DRAFT_4, "type": "object", "properties": {"x": {"type": "integer"}}}),
    ToolDefinition("b", "", {"type": "object", "properties": {"y": {"type": ["string", "integer"]}}}),
    ToolDefinition("c", "", {"type": "object", "required": ["x"], "additionalProperties": False}),
    ToolDefinition("d"),
)

SETTINGS = (Settings(), Settings(Weights(0.1, 0.2, 0.3, 0.4), 0.5))


def arguments(dice: Random, values: tuple[JsonValue, ...]) -> dict[str, JsonValue]:
    """Up to three arguments."""
    return {name: dice.choice(values) for name in dice.sample("xyz", dice.randint(0, 3))}


def wish(dice: Random) -> ExpectedCall:
    """An expected call, most often of literals only."""
    args = arguments(dice, VALUES if dice.random() < 0.8 else WANTED)
    if dice.random() < 0.1:
        return expected(dice.choice("abcd"), args, check={"v": 1}, forbid_args=("w",), times=dice.choice([None, 0, 2]))
    return expected(dice.choice("abcd"), args, times=dice.choice([None] * 8 + [0, 2]))


def made(dice: Random, wanted: ExpectedCall) -> Call:
    """A call that is like an expected one, or not quite."""
    args = {name: value for name, value in wanted.args.items() if not isinstance(value, dict) or dice.random() < 0.5}
    if dice.random() < 0.4:
        args.update(arguments(dice, VALUES))
    if dice.random() < 0.1:
        args.update({dice.choice("vw"): dice.choice(VALUES)})
    tool = wanted.tool if dice.random() < 0.9 else dice.choice("abcde")
    return Call(tool, args if dice.random() < 0.95 else None, error="boom" if dice.random() < 0.03 else None)


def situation(dice: Random) -> tuple[Case, Trajectory]:
    """A case that is plain as a rule, and a trajectory that follows it more or less."""
    wanted = [wish(dice) for _ in range(dice.randint(1, 5))]
    calls = [made(dice, one) for one in wanted if dice.random() < 0.8]
    calls += [made(dice, dice.choice(wanted)) for _ in range(dice.choice([0, 0, 0, 1, 2]))]
    calls += [call for call in calls if dice.random() < 0.1]
    if dice.random() < 0.3:
        dice.shuffle(calls)
    return case(wanted), Trajectory("c1", "agent", 1, calls=tuple(calls), output="done")


@pytest.mark.parametrize("part", seeds(10))
def test_the_short_way_is_the_long_way(part: int) -> None:
    for seed in range(part * 400, (part + 1) * 400):
        dice = Random(seed)
        one, trajectory = situation(dice)
        tools = TOOLS if dice.random() < 0.6 else ()
        settings = dice.choice(SETTINGS)
        short = Scorer(Suite("s", (one,), tools, settings)).score(trajectory)
        assert short == score(one, trajectory, settings=settings, tools=tools), f"seed {seed}"


def test_most_of_these_situations_go_the_short_way() -> None:
    found = [situation(Random(seed)) for seed in range(400)]
    short = [
        trajectory
        for one, trajectory in found
        if ready(one).quick is not None and all(call.error is None for call in trajectory.calls)
    ]
    assert len(short) > 300
    assert sum(len({call.tool for call in trajectory.calls}) < len(trajectory.calls) for trajectory in short) > 100


def test_one_scorer_gives_the_same_score_again() -> None:
    one, trajectory = situation(Random(7))
    scorer = Scorer(Suite("s", (one,), TOOLS))
    assert scorer.score(trajectory) == scorer.score(trajectory)


def test_a_boolean_is_no_number_in_the_short_way_either() -> None:
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
