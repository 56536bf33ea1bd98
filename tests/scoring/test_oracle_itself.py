"""The oracle's one shortcut, checked: the slots of an expectation may be filled in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import pytest

from tests.budgets import seeds
from tests.oracle import Slot, best_alignments, objective, slots_of
from tests.strategies import SeededDice, calls, expectations
from toolgauge.core import Call


def every_injection(slots: Sequence[Slot], made: Sequence[Call], place: int = 0) -> Iterator[Mapping[int, int]]:
    """Every way of giving each slot a call of its tool, or none, no call twice."""
    if place == len(slots):
        yield {}
        return
    for rest in every_injection(slots, made, place + 1):
        yield rest
        for index, call in enumerate(made):
            if call.tool == slots[place].wanted.tool and index not in rest.values():
                yield {place: index, **rest}


@pytest.mark.parametrize("seed", seeds(60))
def test_no_injection_of_slots_beats_the_best_alignment(seed: int) -> None:
    dice = SeededDice(Random(seed))
    made = calls(dice, ("a", "b"), ())[:4]
    wanted = expectations(dice, ("a", "b"))
    while len(slots_of(wanted, made)) > 5:
        wanted = wanted[1:]
    slots = slots_of(wanted, made)
    best, _ = best_alignments(wanted, made)
    assert best == max(objective(slots, answers, made) for answers in every_injection(slots, made))
