"""Which call answers which expected call: one to one, and the best there is.

Calls are paired with slots of the same tool. Of all pairings the best is taken, by these criteria in this order: most
pairs; highest sum of argument scores; most required slots; most calls that worked; fewest inversions, which are pairs
of slots whose calls came the other way round. All but the last are decided tool by tool and exactly, by assignment.
The inversions are then minimised among the equally good pairings, by search.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import TypeAlias

from toolgauge.core import Call

from .assignment import assign
from .plans import ReadyPlan, argument_score

__all__ = ["Aligned", "align"]

UNIT = 1_441_440
"""Argument scores in whole numbers: divisible by 2·n for every n up to 16, so that sums compare exactly."""

MAX_TRIED = 3
"""So many slots and calls of one tool are paired by trying all pairings."""

MAX_STEPS = 5_000
"""Where the search for fewer inversions gives up and keeps the best pairing it has found."""

MAX_OPTIONS = 200_000
"""Where there are more pairs of slots and calls than this, no other pairing as good is looked for."""

MAX_LEVELS = 200
"""Plans with more slots than this are not searched."""


Aligned: TypeAlias = tuple[int, int, float]
"""A slot, the call that fills it, and how well the arguments fit."""

_Link: TypeAlias = "tuple[Aligned, _Link | None]"
"""A chain of pairs, last one first."""


def align(plan: ReadyPlan, calls: Sequence[Call], by_tool: Mapping[str, Sequence[int]]) -> list[Aligned]:
    """Pair the slots of a plan with calls, in the order of the slots.

    Args:
        plan: The plan, with slots enough for the calls.
        calls: The calls of a trajectory.
        by_tool: The indices of the calls of each tool.
    """
    pairs: list[Aligned] = []
    tied: list[Tie] = []
    for tool, slots in plan.by_tool.items():
        indices = by_tool.get(tool)
        if indices is None:
            continue
        if len(slots) == 1 and len(indices) == 1:
            slot, index = slots[0], indices[0]
            pairs.append((slot, index, argument_score(plan.slots[slot], calls, index)))
        else:
            pairs += _choose(plan, slots, indices, calls, tied)
    pairs.sort()
    if tied and not (all(tie.earliest for tie in tied) and _in_order(pairs)):
        return _in_sequence(pairs, tied) or _untangle(pairs, tied)
    return pairs


@dataclass(slots=True)
class Tie:
    """What would be as good as the pairs that were chosen for one tool."""

    options: Mapping[int, list[Aligned]]
    """For each slot its pairs in equally good pairings."""
    may_stay_empty: frozenset[int] = frozenset()
    """Slots that some equally good pairing leaves empty."""
    needed_calls: frozenset[int] = frozenset()
    """Calls that every equally good pairing uses."""
    earliest: bool = False
    """Whether the chosen pairs are certainly those with the earliest slots and calls."""


def _choose(
    plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call], tied: list[Tie]
) -> list[Aligned]:
    """The best pairs of the slots and calls of one tool.

    Where others would be as good, a tie is added: which of them to take depends on the pairs of the other tools.
    """
    if len(slots) == 1:
        return _one_slot(plan, slots[0], indices, calls, tied)
    if len(indices) == 1:
        return _one_call(plan, slots, indices[0], calls, tied)
    if len(slots) == 2 and len(indices) == 2:
        return _two_by_two(plan, slots, indices, calls)
    if len(indices) <= len(slots) and plan.slots[slots[0]].expected == plan.slots[slots[-1]].expected:
        # Slots of one expected call, and enough of them: every call fills one, in order, required slots first.
        return [
            (slot, index, argument_score(plan.slots[slot], calls, index))
            for slot, index in zip(slots, indices, strict=False)
        ]
    if len(slots) <= MAX_TRIED and len(indices) <= MAX_TRIED:
        return _try_all(plan, slots, indices, calls, tied)
    return _solve(plan, slots, indices, calls, tied)


def _one_slot(
    plan: ReadyPlan, slot: int, indices: Sequence[int], calls: Sequence[Call], tied: list[Tie]
) -> list[Aligned]:
    """One slot and several calls: the best of them, of equal ones the first."""
    merits = [(argument_score(plan.slots[slot], calls, index), calls[index].error is None) for index in indices]
    best = max(merits)
    if merits.count(best) > 1:
        options = [(slot, index, best[0]) for index, merit in zip(indices, merits, strict=True) if merit == best]
        tied.append(Tie({slot: options}, earliest=True))
    return [(slot, indices[merits.index(best)], best[0])]


def _one_call(
    plan: ReadyPlan, slots: Sequence[int], index: int, calls: Sequence[Call], tied: list[Tie]
) -> list[Aligned]:
    """Several slots and one call: the best of them, of equal ones the first."""
    merits = [(argument_score(plan.slots[slot], calls, index), plan.slots[slot].required) for slot in slots]
    best = max(merits)
    if merits.count(best) > 1:
        equal = [slot for slot, merit in zip(slots, merits, strict=True) if merit == best]
        options = {slot: [(slot, index, best[0])] if slot in equal else [] for slot in slots}
        tied.append(Tie(options, frozenset(slots), frozenset((index,)), earliest=True))
    return [(slots[merits.index(best)], index, best[0])]


def _two_by_two(plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call]) -> list[Aligned]:
    """Two slots and two calls: straight, unless crossing them is better.

    Where both are as good, straight has no more inversions, whatever the other tools do.
    """
    (one, other), (first, second) = slots, indices
    early, late = plan.slots[one], plan.slots[other]
    straight = argument_score(early, calls, first), argument_score(late, calls, second)
    if straight != (1.0, 1.0):
        crossed = argument_score(early, calls, second), argument_score(late, calls, first)
        if sum(crossed) > sum(straight) + 1e-12:
            return [(one, second, crossed[0]), (other, first, crossed[1])]
    return [(one, first, straight[0]), (other, second, straight[1])]


def _try_all(
    plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call], tied: list[Tie]
) -> list[Aligned]:
    """A handful of slots and calls: all pairings are tried, and the first of the best is taken."""
    worth = {}
    pairs = {}
    for slot in slots:
        required = plan.slots[slot].required
        for index in indices:
            params = argument_score(plan.slots[slot], calls, index)
            pairs[slot, index] = (slot, index, params)
            worth[slot, index] = round(params * UNIT) * 100 + required * 10 + (calls[index].error is None)
    if len(slots) <= len(indices):
        pairings = [list(zip(slots, chosen, strict=True)) for chosen in permutations(indices, len(slots))]
    else:
        pairings = [list(zip(chosen, indices, strict=True)) for chosen in permutations(slots, len(indices))]
    totals = [sum([worth[pair] for pair in pairing]) for pairing in pairings]
    top = max(totals)
    if totals.count(top) > 1:
        best = [pairing for pairing, total in zip(pairings, totals, strict=True) if total == top]
        options = {
            slot: [pairs[slot, i] for i in indices if any((slot, i) in pairing for pairing in best)] for slot in slots
        }
        always_filled = set.intersection(*({slot for slot, _ in pairing} for pairing in best))
        always_used = frozenset.intersection(*(frozenset(index for _, index in pairing) for pairing in best))
        tied.append(Tie(options, frozenset(slots) - always_filled, always_used))
    return [pairs[pair] for pair in pairings[totals.index(top)]]


def _solve(
    plan: ReadyPlan, slots: Sequence[int], indices: Sequence[int], calls: Sequence[Call], tied: list[Tie]
) -> list[Aligned]:
    """Solve the assignment problem of one tool, with equal slots and equal calls taken together."""
    size = min(len(slots), len(indices)) + 1
    slot_groups = _grouped(slots, [(plan.slots[slot].expected, plan.slots[slot].required) for slot in slots])
    fits = [[argument_score(plan.slots[group[0]], calls, index) for index in indices] for group in slot_groups]
    weights = [
        [
            (round(params * UNIT) * size + plan.slots[group[0]].required) * size + (calls[index].error is None)
            for index, params in zip(indices, row, strict=True)
        ]
        for group, row in zip(slot_groups, fits, strict=True)
    ]
    call_groups = _grouped(range(len(indices)), list(zip(*weights, strict=True)))
    table = [[row[group[0]] for group in call_groups] for row in weights]
    supply, demand = [len(group) for group in slot_groups], [len(group) for group in call_groups]
    if len(slots) <= len(indices):
        best = assign(table, supply, demand)
        flow, options = best.flow, best.options
        may_stay_empty: frozenset[int] = frozenset()
        needed = frozenset(indices[position] for group in best.needed for position in call_groups[group])
    else:
        best = assign(list(zip(*table, strict=True)), demand, supply)
        flow = [list(column) for column in zip(*best.flow, strict=True)]
        options = [[group for group, rows in enumerate(best.options) if row in rows] for row in range(len(table))]
        may_stay_empty = frozenset(
            slot for row, group in enumerate(slot_groups) if row not in best.needed for slot in group
        )
        needed = frozenset(indices)
    others = not best.unique or any(count > 1 for count in (*supply, *demand))
    if others and len(slots) * len(indices) <= MAX_OPTIONS:
        tied.append(
            Tie(
                {
                    slot: sorted((slot, indices[p], fits[row][p]) for group in options[row] for p in call_groups[group])
                    for row, group_slots in enumerate(slot_groups)
                    for slot in group_slots
                },
                may_stay_empty,
                needed,
            )
        )
    return _spread_out(slot_groups, call_groups, indices, fits, flow)


def _grouped(members: Sequence[int], kinds: Sequence[object]) -> list[list[int]]:
    """The members by kind, in the order in which the kinds appear."""
    groups: dict[object, list[int]] = {}
    for member, kind in zip(members, kinds, strict=True):
        groups.setdefault(kind, []).append(member)
    return list(groups.values())


def _spread_out(
    slot_groups: Sequence[Sequence[int]],
    call_groups: Sequence[Sequence[int]],
    indices: Sequence[int],
    fits: Sequence[Sequence[float]],
    flow: Sequence[Sequence[int]],
) -> list[Aligned]:
    """Pairs of single slots and calls, from how many of each group go together: earliest calls in order."""
    rest = [iter(group) for group in call_groups]
    pairs = []
    for row, slots in enumerate(slot_groups):
        taken = sorted(next(rest[group]) for group, amount in enumerate(flow[row]) for _ in range(amount))
        pairs += [(slot, indices[position], fits[row][position]) for slot, position in zip(slots, taken, strict=False)]
    return pairs


def _in_order(pairs: Sequence[Aligned]) -> bool:
    return all(earlier[1] < later[1] for earlier, later in pairwise(pairs))


def _options(pairs: Sequence[Aligned], tied: Sequence[Tie]) -> dict[int, list[Aligned]]:
    """For each slot, in order, the pairs that it has in equally good pairings."""
    options = {pair[0]: [pair] for pair in pairs}
    for tie in tied:
        options.update(tie.options)
    return {slot: options[slot] for slot in sorted(options)}


def _in_sequence(pairs: Sequence[Aligned], tied: Sequence[Tie]) -> list[Aligned] | None:
    """An equally good pairing without any inversion, if there is one: a longest chain of slots and later calls.

    As many pairs along options as there were, with every needed call and no slot left empty that must not be, are an
    equally good pairing. Going through the slots in order, it is enough to know of the chains of each length the one
    that ends with the earliest call.
    """
    options = _options(pairs, tied)
    if sum(map(len, options.values())) > MAX_OPTIONS:
        return None
    ends: list[int] = [-1]
    links: list[_Link | None] = [None]
    for slot in options.values():
        for pair in reversed(slot):
            length = bisect_left(ends, pair[1]) - 1
            if length + 1 == len(ends):
                ends.append(pair[1])
                links.append((pair, links[length]))
            elif pair[1] < ends[length + 1]:
                ends[length + 1] = pair[1]
                links[length + 1] = (pair, links[length])
    if len(ends) - 1 < len(pairs):
        return None
    chain: list[Aligned] = []
    link = links[len(pairs)]
    while link is not None:
        pair, link = link
        chain.append(pair)
    chain.reverse()
    slots, used = {slot for slot, _, _ in chain}, {call for _, call, _ in chain}
    may_stay_empty = frozenset().union(*(tie.may_stay_empty for tie in tied))
    if not options.keys() - slots <= may_stay_empty or not all(tie.needed_calls <= used for tie in tied):
        return None
    return chain


def _untangle(pairs: list[Aligned], tied: Sequence[Tie]) -> list[Aligned]:
    """The equally good pairing with the fewest inversions: depth first, earliest calls first, cut off by the best."""
    options: dict[int, list[Aligned | None]] = {slot: list(row) for slot, row in _options(pairs, tied).items()}
    needed: set[int] = set()
    for tie in tied:
        needed |= tie.needed_calls
        for slot in tie.may_stay_empty:
            options[slot].append(None)
    if len(options) > MAX_LEVELS:
        return pairs
    search = _Search(list(options.values()), needed, pairs)
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
            later = later | {pair[1] for pair in row if pair is not None}
            self.reachable_later.append(later)
        self.reachable_later.reverse()

    def descend(self, level: int, inversions: int) -> None:
        """Try every option of the slot at this level."""
        if inversions >= self.fewest or self.steps >= MAX_STEPS:
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
            elif pair[1] not in self.used:
                crossed = sum(earlier[1] > pair[1] for earlier in self.chosen)
                self.chosen.append(pair)
                self.used.add(pair[1])
                self.descend(level + 1, inversions + crossed)
                self.chosen.pop()
                self.used.remove(pair[1])


def _inversions(pairs: Sequence[Aligned]) -> int:
    """How many pairs of slots have their calls the other way round."""
    return sum(later[1] < earlier[1] for index, earlier in enumerate(pairs) for later in pairs[index + 1 :])
