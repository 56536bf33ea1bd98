"""The compiled part adds up as Python does, to the last digit."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pytest

from tests.budgets import seeds
from tests.builders import case, expected
from tests.compiled.needed import needs_compiled_part
from tests.scoring.situations import TOOLS, several
from toolgauge.compiled import PlainTotals
from toolgauge.core import Answer, Call, Score, State, Suite, Trajectory, Usage
from toolgauge.metrics import METRICS, Part, Tally, find_metric, totals
from toolgauge.metrics.exact import UNIT, UNIT_BITS, unpack_column
from toolgauge.scoring import Scorer

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


def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "AVAILABLE", False)


@pytest.mark.parametrize("seed", seeds(30))
def test_it_adds_up_as_python_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    suite, trajectories, scores = some(seed)
    results = []
    for compiled in (True, False):
        if not compiled:
            in_python(monkeypatch)
        whole = Tally(suite, by="kind")
        for start in range(0, 200, 37):
            whole.add_all(trajectories[start : start + 37], scores[start : start + 37])
        if seed % 2:
            whole.summary()  # whoever asks in between changes nothing
        packed = whole.totals().agents
        sums = {
            name: {
                sum_name: dict(zip(agent.cases, unpack_column(column), strict=True))
                for sum_name, column in agent.sums.items()
            }
            for name, agent in packed.items()
        }
        tools = {name: (agent.fixed, agent.free) for name, agent in packed.items()}
        results.append(
            (whole.summary(), sums, [(sorted_tools(fixed), sorted_tools(free)) for fixed, free in tools.values()])
        )
    assert results[0] == results[1]
    alone = Tally(suite, by="kind")
    for trajectory, score in zip(trajectories, scores, strict=True):
        alone.add(trajectory, score)
    assert alone.summary() == results[0][0]


def sorted_tools(tools: totals.PackedTools) -> list[object]:
    """What was counted, whatever came first."""
    counts = [getattr(tools, name) for name in tools.__struct_fields__]
    return [sorted(one) if isinstance(one, list) else one for one in counts]


def plain_totals() -> PlainTotals:
    """What adds up the scores of one case."""
    return PlainTotals({"c1": 0}, [0], UNIT_BITS)


PLAIN = Trajectory("c1", "agent", 1, calls=(Call("a", {"x": 1}),), latency_ms=1.5)
SUITE = Suite("s", (case([expected("a", {"x": 1})]),))
SCORE = Scorer(SUITE).score(PLAIN)


def test_what_brings_more_is_left_to_python() -> None:
    whole = plain_totals()
    assert whole.add([PLAIN], [SCORE]) == []
    for fields in ({"usage": Usage(1)}, {"events": ({"kind": "plan"},)}):
        assert whole.add([msgspec.structs.replace(PLAIN, **fields)], [SCORE]) == [0]
    for change in (
        {"answer": Answer("right")},
        {"state": "error"},
        {"score": None},
        {"says_tools": False},
        {"case": "c2"},
        {"counts": msgspec.structs.replace(SCORE.counts, failed_calls=1)},
        {"counts": msgspec.structs.replace(SCORE.counts, calls=0)},
        {"counts": msgspec.structs.replace(SCORE.counts, ungrounded=0)},
    ):
        scores = [SCORE, msgspec.structs.replace(SCORE, **change), SCORE]
        assert whole.add([PLAIN] * 3, scores) == [1], change
    assert whole.take()[1]["planned"] == [17]


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
    whole = plain_totals()
    trajectory = msgspec.structs.replace(PLAIN, latency_ms=took)
    for _ in range(40):
        assert whole.add([trajectory], [SCORE]) == ([0] if left else [])
    _, columns, values, *_ = whole.take()
    assert columns["planned"] == ([] if left else [40])
    assert columns["latency"] == ([] if left else [40 * Fraction(took) * UNIT])
    assert [len(latencies) for _, _, latencies in values] == ([] if left else [40 * 8])


def test_a_sum_that_is_full_is_left_to_python_until_it_is_taken() -> None:
    whole = plain_totals()
    large = msgspec.structs.replace(PLAIN, latency_ms=float(2**40 - 1))
    number = 2**22 + 2
    trajectories, scores = [large] * 2**11, [SCORE] * 2**11
    added = 0
    while not (left := whole.add(trajectories, scores)):
        added += len(scores)
    added += left[0]
    assert 2**22 <= added <= number
    assert whole.take()[1]["latency"] == [added * (2**40 - 1) * UNIT]
    assert whole.add([large], [SCORE]) == []


def test_what_was_taken_is_forgotten() -> None:
    whole = plain_totals()
    assert whole.take() == ([], {name: [] for name in whole.take()[1]}, [], {}, {}, {}, {})
    whole.add([PLAIN], [SCORE])
    assert whole.held == 1
    places, columns, values, missed, superfluous, confused, wrong_args = whole.take()
    assert (places, columns["planned"], columns["latency"]) == ([0], [1], [UNIT * 3 // 2])
    assert [(group, calls) for group, calls, _ in values] == [(0, {1: 1})]
    assert (missed, superfluous, confused, wrong_args, whole.held) == ({}, {}, {}, {}, 0)
    assert whole.take()[0] == []


def test_a_metric_with_sums_of_its_own_is_added_up_by_python() -> None:
    accuracy = find_metric("accuracy")
    assert accuracy is not None
    part = Part(("letters",), lambda trajectory, _: (len(trajectory.case),))
    mine = replace(accuracy, name="letters", above=("letters",), below=("planned",), kind="amount", part=part)
    whole = Tally(SUITE, metrics=(*METRICS, mine))
    whole.add_all([PLAIN], [SCORE])
    assert whole.summary().rows[0].metrics["letters"].value == 2


def test_nothing_is_held_back() -> None:
    suite, trajectories, scores = some(5)
    whole = Tally(suite, by="kind")
    whole.add_all(trajectories, scores)
    whole.summary()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(50):
        whole.add_all(trajectories, scores)
        whole.summary()
    gc.collect()
    # Latencies are kept until there are enough of them to be counted; all else is numbers that take no more room.
    assert sys.getallocatedblocks() - before < 500


def test_it_refuses_what_it_does_not_know() -> None:
    make: Any = PlainTotals
    no_types: list[tuple[Any, ...]] = [(), (1, 2, 3), ({}, [], "x"), ({}, ["x"], 96)]
    for wrong in no_types:
        with pytest.raises(TypeError):
            make(*wrong)
    no_values: list[tuple[Any, ...]] = [({}, [-1], 96), ({}, [5], 96), ({}, [], 1)]
    for wrong in no_values:
        with pytest.raises(ValueError, match=r"group|finely"):
            make(*wrong)
    with pytest.raises(TypeError, match="keywords"):
        make({}, [], unit_bits=96)
    known: Any = plain_totals()
    with pytest.raises(TypeError):
        known.add((), ())
    assert known.add([object()], [object()]) == [0]
    assert known.add([], [SCORE]) == [0]
    outside: Any = make({"c1": 7}, [0], 96)
    assert outside.add([PLAIN], [SCORE]) == [0]
    for place in (-1, "0"):
        strange: Any = make({"c1": place}, [0], 96)
        if isinstance(place, str):
            with pytest.raises(TypeError):
                strange.add([PLAIN], [SCORE])
        else:
            assert strange.add([PLAIN], [SCORE]) == [0]
