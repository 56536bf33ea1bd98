"""What is scored, kept and added up is the same however many trajectories come at once."""

from __future__ import annotations

from random import Random

import pytest

from tests.builders import case, expected
from toolgauge.core import Call, Scored, State, Suite, Trajectory
from toolgauge.pipeline import Keep, ScoringOptions, ScoringPipeline

SUITE = Suite("s", (case([expected("a", {"x": 1}), expected("b", {})], id="c1"), case([expected("b", {})], id="c2")))


def trajectories(count: int) -> list[Trajectory]:
    dice = Random(9)
    found = []
    for number in range(count):
        calls = tuple(Call(dice.choice("ab"), {"x": dice.randint(0, 1)}) for _ in range(dice.randint(0, 3)))
        state: State = "error" if dice.random() < 0.1 else "completed"
        found.append(Trajectory(dice.choice(["c1", "c2"]), dice.choice("pq"), number, state, calls, "done"))
    return found


@pytest.mark.parametrize("keep", ["all", "failed", "none"])
def test_many_at_once_come_to_the_same_as_one_by_one(keep: Keep) -> None:
    found = trajectories(200)
    results = []
    for size in (1, 7, 200):
        kept: list[Scored] = []
        pipeline = ScoringPipeline(ScoringOptions(SUITE, keep=keep), kept)
        for start in range(0, len(found), size):
            pipeline.process(found[start : start + size])
        results.append((pipeline.summary(), pipeline.agents, list(pipeline.agents), pipeline.kept, kept))
    assert results[0] == results[1] == results[2]
    (_, _, agents, count, kept) = results[0]
    assert agents == list(dict.fromkeys(trajectory.agent for trajectory in found))
    assert count == len(kept) == {"all": 200, "none": 0}.get(keep, sum(not one.score.passed for one in kept))
