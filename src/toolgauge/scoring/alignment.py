"""Which call answers which expected call: one to one, and the best there is.

Calls are paired with slots of the same tool. Of all pairings the best is taken, by these criteria in this order: most
pairs; highest sum of argument scores; most required slots; most calls that worked; fewest inversions, which are pairs
of slots whose calls came the other way round. All but the last are decided tool by tool and exactly, by assignment.
The inversions are then minimised among the equally good pairings, by search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from toolgauge.core import Call

from .assignment import Assignment, assign
from .plans import ReadyPlan, fit

__all__ = ["Aligned", "align"]

UNIT = 1_441_440
"""Argument scores in whole numbers: divisible by 2·n for every n up to 16, so that sums compare exactly."""

MOST_STEPS = 5_000
"""Where the search for fewer inversions gives up and keeps the best pairing it has found."""

MOST_LEVELS = 200
"""Plans with more slots than this are not searched."""


class Aligned(Struct, frozen=True, gc=False):
    """A slot with the call that fills it."""

    slot: int
    call: int
    params: float


def align(plan: ReadyPlan, calls: Sequence[Call], by_tool: Mapping[str, Sequence[int]]) -> list[Aligned]:
    """Pair the slots of a plan with calls, in the order of the slots.

    Args:
        plan: The plan, with slots enough for the calls.
        calls: The calls of a trajectory.
        by_tool: The indices of the calls of each tool.
    """
    pairs: list[Aligned] = []
    tied: list[_Choice] = []
    for tool, slots in plan.by_tool.items():
        indices = by_tool.get(tool)
        if indices is None:
            continue
        if len(slots) == 1 and len(indices) == 1:
            slot, index = slots[0], indices[0]
            pairs.append(Aligned(slot, index, fit(plan.slots[slot], calls, index)))
        else:
            choice = _choose(plan, slots, indices, calls)
            if choice.options:
                tied.append(choice)
            pairs.extend(choice.pairs)
    if tied:
        pairs = _untangle(pairs, tied)
    if len(pairs) > 1:
        pairs.sort(key=_by_slot)
    return pairs


def _by_slot(pair: Aligned) -> int:
    return pair.slot


@dataclass(frozen=True, slots=True)
class _Choice:
    """The best pairs of one tool, and the other pairs that would be as good."""

    pairs: list[Aligned]
    options: dict[int, list[Aligned]]
    """For each slot its pairs in equally good pairings; empty: there are no others."""
    may_stay_empty: frozenset[int]
    """Slots that some equally good pairing leaves empty."""
    needed_calls: frozenset[int]
    """Calls that every equally good pairing uses."""


def _choose(plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call]) -> _Choice:
    """Solve one tool."""
    first = plan.slots[slots[0]].expected
    if len(indices) <= len(slots) and plan.slots[slots[-1]].expected == first:
        return _all_alike(plan, slots, indices, calls)
    return _solve(plan, slots, indices, calls)


def _all_alike(plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call]) -> _Choice:
    """Slots of one expected call, and enough of them: every call fills one, in order, required slots first."""
    pairs = [
        Aligned(slot, index, fit(plan.slots[slot], calls, index)) for slot, index in zip(slots, indices, strict=False)
    ]
    return _Choice(pairs, {}, frozenset(), frozenset())


def _solve(plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call]) -> _Choice:
    """Solve the assignment problem of one tool: rows are whatever there is less of, slots or calls."""
    size = min(len(slots), len(indices)) + 1
    fits = {slot: [fit(plan.slots[slot], calls, index) for index in indices] for slot in slots}
    weights = [
        [
            (round(params * UNIT) * size + plan.slots[slot].required) * size + (calls[index].error is None)
            for index, params in zip(indices, fits[slot], strict=True)
        ]
        for slot in slots
    ]

    def pair(row: int, column: int) -> Aligned:
        return Aligned(slots[row], indices[column], fits[slots[row]][column])

    if len(slots) <= len(indices):
        best = assign(weights)
        pairs = [pair(row, column) for row, column in enumerate(best.columns)]
        if best.unique:
            return _Choice(pairs, {}, frozenset(), frozenset())
        options = {slots[row]: [pair(row, column) for column in best.options[row]] for row in range(len(slots))}
        return _Choice(pairs, options, frozenset(), frozenset(indices[column] for column in best.needed))
    turned: Assignment = assign(list(zip(*weights, strict=True)))
    pairs = [pair(row, column) for column, row in enumerate(turned.columns)]
    if turned.unique:
        return _Choice(pairs, {}, frozenset(), frozenset())
    options = {slot: [] for slot in slots}
    for column, rows in enumerate(turned.options):
        for row in rows:
            options[slots[row]].append(pair(row, column))
    may_stay_empty = frozenset(slots) - {slots[row] for row in turned.needed}
    return _Choice(pairs, options, may_stay_empty, frozenset(indices))


def _untangle(pairs: list[Aligned], tied: list[_Choice]) -> list[Aligned]:
    """The equally good pairing with the fewest inversions: depth first, earliest calls first, cut off by the best."""
    options: dict[int, list[Aligned | None]] = {pair.slot: [pair] for pair in pairs}
    needed: set[int] = set()
    for choice in tied:
        needed |= choice.needed_calls
        for slot, others in choice.options.items():
            options[slot] = [*others, None] if slot in choice.may_stay_empty else list(others)
    order = sorted(options)
    if len(order) > MOST_LEVELS:
        return pairs
    search = _Search([options[slot] for slot in order], needed, sorted(pairs, key=_by_slot))
    search.descend(0, 0)
    return search.best


class _Search:
    """The state of one search."""

    def __init__(self, options: list[list[Aligned | None]], needed: set[int], start: list[Aligned]) -> None:
        self.options = options
        self.needed = needed
        self.best = start
        # One more than at the start, so that of equally good pairings the one with the earliest calls is found.
        self.fewest = _inversions(start) + 1
        self.chosen: list[Aligned] = []
        self.used: set[int] = set()
        self.steps = 0
        later: set[int] = set()
        self.reachable_later = [later]
        for row in reversed(options):
            later = later | {pair.call for pair in row if pair is not None}
            self.reachable_later.append(later)
        self.reachable_later.reverse()

    def descend(self, level: int, inversions: int) -> None:
        """Try every option of the slot at this level."""
        if inversions >= self.fewest or self.steps >= MOST_STEPS:
            return
        if not self.needed <= self.used | self.reachable_later[level]:
            return
        if level == len(self.options):
            self.best, self.fewest = list(self.chosen), inversions
            return
        self.steps += 1
        for pair in self.options[level]:
            if pair is None:
                self.descend(level + 1, inversions)
            elif pair.call not in self.used:
                crossed = sum(earlier.call > pair.call for earlier in self.chosen)
                self.chosen.append(pair)
                self.used.add(pair.call)
                self.descend(level + 1, inversions + crossed)
                self.chosen.pop()
                self.used.remove(pair.call)


def _inversions(pairs: Sequence[Aligned]) -> int:
    """How many pairs of slots have their calls the other way round."""
    return sum(later.call < earlier.call for index, earlier in enumerate(pairs) for later in pairs[index + 1 :])
