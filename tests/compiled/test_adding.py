"""The compiled part adds up as Python does, to the last digit."""

from __future__ import annotations

import gc
import sys
from dataclasses import asdict
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pytest

from tests.budgets import seeds
from tests.builders import case, expected
from tests.compiled.needed import needs_compiled_part
from tests.compiled.test_scoring import several
from tests.scoring.test_short_way import TOOLS
from toolgauge.compiled import Adder
from toolgauge.core import Answer, Call, Score, State, Suite, Trajectory, Usage
from toolgauge.scoring import Scorer
from toolgauge.stats import Sums, Tally, tally
from toolgauge.stats.spread import Spread
from toolgauge.stats.totals import ADDER, AgentTotals

pytestmark = needs_compiled_part

STATES: tuple[State, ...] = ("error", "timeout", "limit", "cancelled", "not_run")


def spiced(dice: Random, trajectory: Trajectory, number: int) -> Trajectory:
    """The trajectory of some agent, with all that may come with one."""
    fields: dict[str, Any] = {"agent": dice.choice(["p", "q", "\u1ea5"]), "trial": number}
    if dice.random() < 0.4:
        fields["latency_ms"] = dice.choice([dice.uniform(1, 5000), 12, 0])
    if dice.random() < 0.1:
        fields["usage"] = Usage(1, 10, dice.choice([None, 20]), dice.choice([None, 0.25]))
    if dice.random() < 0.1:
        fields["events"] = ({"kind": "plan", "calls": 2}, {"kind": "judge", "score": 0.5})
    if dice.random() < 0.1:
        fields["state"] = dice.choice(STATES)
    return msgspec.structs.replace(trajectory, **fields)


def judged(dice: Random, score: Score) -> Score:
    """The score, now and then with what a typed answer or a closer look adds."""
    if dice.random() < 0.1:
        return msgspec.structs.replace(score, answer=Answer(dice.choice(["right", "wrong", "ambiguous", None])))
    if dice.random() < 0.1:
        return msgspec.structs.replace(score, counts=msgspec.structs.replace(score.counts, ungrounded=1))
    return score


def some(seed: int) -> tuple[Suite, list[Trajectory], list[Score]]:
    """A suite, and trajectories of it with their scores."""
    dice = Random(seed)
    cases, found = several(seed, 25)
    labelled = [msgspec.structs.replace(one, labels={"kind": dice.choice(["x", "y"])}) for one in cases]
    suite = Suite("s", tuple(labelled), dice.choice([(), TOOLS]))
    trajectories = [spiced(dice, dice.choice(found), number) for number in range(200)]
    scores = Scorer(suite).score_all(trajectories)
    return suite, trajectories, [judged(dice, score) for score in scores]


@pytest.mark.parametrize("seed", seeds(30))
def test_it_adds_up_as_python_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    suite, trajectories, scores = some(seed)
    results = []
    for adder in (ADDER, None):
        monkeypatch.setattr(tally, "ADDER", adder)
        whole = Tally(suite, by="kind")
        for start in range(0, 200, 37):
            whole.add_all(trajectories[start : start + 37], scores[start : start + 37])
        summary = whole.summary()
        totals = [
            (
                name,
                packed.cases,
                packed.sums,
                {counter: list(counts.items()) for counter, counts in packed.counters.items()},
            )
            for name, packed in whole.totals().items()
        ]
        results.append((summary, totals))
    assert results[0] == results[1]
    alone = Tally(suite, by="kind")
    for trajectory, score in zip(trajectories, scores, strict=True):
        alone.add(trajectory, score)
    assert alone.summary() == results[0][0]


def left_of(whole: Tally, trajectory: Trajectory, score: Score) -> bool:
    """Whether a score is left to Python, once its case has a place."""
    assert ADDER is not None
    whole.add(trajectory, score)
    return ADDER.add(whole._agents, [trajectory], [score], 0) == 0


def test_what_brings_more_is_left_to_python() -> None:
    one = case([expected("a", {"x": 1})])
    suite = Suite("s", (one,))
    plain = Trajectory(one.id, "agent", 1, calls=(Call("a", {"x": 1}),), latency_ms=1.5)
    score = Scorer(suite).score(plain)
    whole = Tally(suite)
    assert not left_of(whole, plain, score)
    for fields in ({"usage": Usage(1)}, {"events": ({"kind": "plan"},)}):
        assert left_of(whole, msgspec.structs.replace(plain, **fields), score)
    for change in (
        {"answer": Answer("right")},
        {"state": "error"},
        {"score": None},
        {"says_tools": False},
        {"counts": msgspec.structs.replace(score.counts, failed_calls=1)},
        {"counts": msgspec.structs.replace(score.counts, calls=0)},
        {"counts": msgspec.structs.replace(score.counts, ungrounded=0)},
    ):
        assert left_of(whole, plain, msgspec.structs.replace(score, **change)), change


@pytest.mark.parametrize(
    ("took", "left"),
    [
        (0.1, False),
        (1e12, False),
        (float(2**40), True),
        (1e300, True),
        (2.0**-64, False),
        (2.0**-65, True),
        (2.0**-12 + 2.0**-64, False),
        (2.0**-13 + 2.0**-65, True),
        (-1.0, True),
        (float("nan"), True),
        (float("inf"), True),
    ],
)
def test_amounts_that_it_cannot_add_exactly_are_left_to_python(took: float, left: bool) -> None:
    trajectory = Trajectory("c1", "agent", 1, calls=(Call("a", {"x": 1}),), latency_ms=took)
    agents, score = place_for(trajectory)
    sums = agents["agent"].sums["c1"]
    before = sums.latency
    assert ADDER is not None
    for _ in range(40):  # of the largest so many do not find room in a number of the compiled part
        assert (ADDER.add(agents, [trajectory], [score], 0) == 0) == left
    agents["agent"].settle()
    assert sums.planned == (1 if left else 41)
    assert before == pytest.approx(took, nan_ok=True)
    assert sums.latency == pytest.approx(before if left else float(41 * Fraction(took)), rel=0, nan_ok=True)


def test_nothing_is_held_back() -> None:
    suite, trajectories, scores = some(5)
    whole = Tally(suite, by="kind")
    whole.add_all(trajectories, scores)
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(50):
        whole.add_all(trajectories, scores)
    gc.collect()
    # Latencies are kept until there are enough of them to be counted; all else is numbers that take no more room.
    assert sys.getallocatedblocks() - before < 500


def test_it_refuses_what_it_does_not_know() -> None:
    adder: Any = Adder
    with pytest.raises(AttributeError):
        adder(int, Spread, AgentTotals, 9, 2**96)
    with pytest.raises(ImportError, match="another way"):
        adder(type("Other", (), dict.fromkeys([*asdict(Sums()), "latency"], 0)), Spread, AgentTotals, 9, 2**96)
    with pytest.raises(TypeError):
        adder(1, 2)
    with pytest.raises(TypeError):
        adder(1, 2, 3, 4, 5)
    with pytest.raises(TypeError, match="keywords"):
        adder(Sums, Spread, AgentTotals, at_once=9)
    known: Any = Adder(Sums, Spread, AgentTotals, 9, 2**96)
    with pytest.raises(TypeError):
        known.add([], [], [], 0)
    with pytest.raises(IndexError):
        known.add({}, [], [], -1)
    assert known.add({}, [object()], [object()], 0) == 0
    assert known.add({}, [], [], 3) == 3
    strange = Score("c", "agent", 1, "completed", True, 1.0, 1.0, 1.0, 1.0, 1.0, None, 0, True)
    assert known.add({"agent": object()}, [Trajectory("c", "agent", 1)], [strange], 0) == 0


def place_for(trajectory: Trajectory) -> tuple[dict[str, AgentTotals], Score]:
    """The totals of an agent that has run a case, and its score."""
    one = case([expected("a", {"x": 1})])
    suite = Suite("s", (one,))
    score = Scorer(suite).score(trajectory)
    whole = Tally(suite)
    whole.add(trajectory, score)
    return whole._agents, score


@pytest.mark.parametrize("name", ["missed", "superfluous", "confused", "plain"])
def test_what_is_not_whole_is_left_to_python(name: str) -> None:
    trajectory = Trajectory("c1", "agent", 1, calls=(Call("a", {"x": 1}),), latency_ms=1.5)
    agents, score = place_for(trajectory)
    assert ADDER is not None
    assert ADDER.add(agents, [trajectory], [score], 0) == 1
    delattr(agents["agent"], name)
    assert ADDER.add(agents, [trajectory], [score], 0) == 0


def test_a_place_belongs_to_who_made_it() -> None:
    trajectory = Trajectory("c1", "agent", 1, calls=(Call("a", {"x": 1}),))
    agents, score = place_for(trajectory)
    assert Adder(Sums, Spread, AgentTotals, 9, 2**96).add(agents, [trajectory], [score], 0) == 0
    borrowed = type("Borrowed", (), {name: vars(Sums)[name] for name in Sums.__slots__})
    with pytest.raises(ImportError, match="another way"):
        Adder(borrowed, Spread, AgentTotals, 9, 2**96)
