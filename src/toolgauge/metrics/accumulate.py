"""The accumulator: what trajectories add up to, case by case, exactly and in whatever order they come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice
from operator import add, itemgetter
from typing import TypeAlias, cast

from toolgauge.core import Score, Trajectory
from toolgauge.stats import exact_sum

from .contributions import PARTS, Part
from .exact import from_units, to_units

__all__ = ["CaseColumns", "CaseSums", "Seen", "by_agent", "in_batches", "sum_by_agent"]

MAX_WAITING = 500
"""So many trajectories are added up together, sum by sum, which is faster than one by one."""

MAX_BATCH = 50
"""So many of them are held at once where they are read one by one."""

Seen: TypeAlias = Callable[[Sequence[int], Mapping[str, Sequence[float]]], None]
"""Gets the places of cases, and by the name of a sum what trajectories of these add to it."""


class _Waiting:
    """What is still to be added to the sums of one part."""

    __slots__ = ("part", "places", "rows")

    def __init__(self, part: Part) -> None:
        self.part = part
        self.places: list[int] = []
        self.rows: list[tuple[float, ...]] = []


class CaseSums:
    """Sums over the trajectories of one agent, case by case."""

    def __init__(
        self, parts: Sequence[Part] = PARTS, names: Collection[str] | None = None, seen: Seen | None = None
    ) -> None:
        """Make sums that are 0.

        Args:
            parts: What is added up.
            names: The sums that are wanted; default: all.
            seen: Gets the amounts, too, when they are added up.
        """
        self.cases: dict[str, int] = {}
        """By the id of a case its place in the columns."""
        self._fractions = frozenset[str]().union(*(part.fractions for part in parts))
        known = [name for part in parts for name in part.names]
        self._sums: dict[str, list[int]] = {name: [] for name in known if names is None or name in names}
        self._waiting = [_Waiting(part) for part in parts if not self._sums.keys().isdisjoint(part.names)]
        self._number_waiting = 0
        self._seen = seen

    def add_all(self, trajectories: Sequence[Trajectory], scores: Sequence[Score]) -> None:
        """Add trajectories of the agent with their scores."""
        cases = self.cases
        places = [cases.setdefault(trajectory.case, len(cases)) for trajectory in trajectories]
        for waiting in self._waiting:
            rows = list(map(waiting.part.read, trajectories, scores))
            waiting.places += compress(places, rows) if None in rows else places
            waiting.rows += filter(None, rows)
        self._number_waiting += len(places)
        if self._number_waiting >= MAX_WAITING:
            self.add_up()

    def add_up(self) -> None:
        """Add up what waits. Whoever reads sums need not ask for it."""
        for waiting in self._waiting:
            if waiting.rows:
                self._add_part(waiting.part, waiting.places, list(zip(*waiting.rows, strict=True)))
                waiting.places.clear()
                waiting.rows.clear()
        self._number_waiting = 0

    def _add_part(self, part: Part, places: list[int], amounts: Sequence[Sequence[float]]) -> None:
        where = _Where(places)
        for name, column in zip(part.names, amounts, strict=True):
            if name in self._sums and any(column):
                # Counts are whole numbers already.
                units = list(to_units(column)) if name in self._fractions else cast(Sequence[int], column)
                where.add(units, self._filled(name))
        if self._seen is not None:
            self._seen(places, dict(zip(part.names, amounts, strict=True)))

    def _filled(self, name: str) -> list[int]:
        """The sums of a name, with a place for every case."""
        sums = self._sums[name]
        sums.extend([0] * (len(self.cases) - len(sums)))
        return sums

    def at(self, cases: Iterable[str]) -> CaseColumns:
        """The sums of these cases, in their order."""
        self.add_up()
        places = [self.cases[case] for case in cases]
        nothing = [0] * len(self.cases)
        columns = {name: self._filled(name) if sums else nothing for name, sums in self._sums.items()}
        return CaseColumns(columns, self._fractions, None if places == list(range(len(self.cases))) else places)

    def columns(self) -> Iterator[tuple[str, list[int]]]:
        """By name the sums of all cases, in whole units; those that are 0 everywhere are left out."""
        self.add_up()
        for name, sums in self._sums.items():
            if any(sums):
                yield name, self._filled(name)

    def merge(self, cases: Sequence[str], columns: Mapping[str, Sequence[int]]) -> None:
        """Add sums of these cases that were added up elsewhere."""
        self.add_up()
        places = [self.cases.setdefault(case, len(self.cases)) for case in cases]
        where = _Where(places)
        for name, column in columns.items():
            self._sums.setdefault(name, [])
            if any(column):
                where.add(column, self._filled(name))


class _Where:
    """The places of amounts among sums. Where they are next to each other, whole columns are added at once."""

    def __init__(self, places: Sequence[int]) -> None:
        self._places = places
        self._order: Callable[[Sequence[int]], Sequence[int]] | None = None
        first = min(places, default=0)
        self._row = slice(first, first + len(places))
        row = list(range(first, first + len(places)))
        # Trajectories mostly come in the order of their cases, and so do their sums but for a few.
        self._in_row = places == row
        if not self._in_row and sorted(places) == row:
            self._in_row = True
            self._order = _getter(sorted(range(len(places)), key=places.__getitem__))

    def add(self, amounts: Sequence[int], sums: list[int]) -> None:
        """Add the amounts to the sums at these places."""
        if self._in_row:
            ordered = amounts if self._order is None else self._order(amounts)
            sums[self._row] = map(add, sums[self._row], ordered)
            return
        for place, more in zip(self._places, amounts, strict=True):
            sums[place] += more


class CaseColumns:
    """The sums of some cases in a certain order, as columns of numbers."""

    def __init__(
        self, sums: Mapping[str, Sequence[int]], fractions: Collection[str], places: Sequence[int] | None
    ) -> None:
        self._sums = sums
        self._fractions = fractions
        self._pick = None if places is None else _getter(places)
        self._found: dict[str, list[float]] = {}

    def column(self, names: Sequence[str]) -> list[float]:
        """The sums of these names, added together, case by case."""
        first, *others = map(self._one, names)
        for other in others:
            first = list(map(add, first, other))
        return first

    def total(self, *names: str) -> float:
        """The sums of these names, added together over all cases."""
        return exact_sum(chain.from_iterable(map(self._one, names)))

    def _one(self, name: str) -> list[float]:
        known = self._found.get(name)
        if known is None:
            sums = self._sums[name]
            picked = sums if self._pick is None else self._pick(sums)
            known = self._found[name] = from_units(picked) if name in self._fractions else list(picked)
        return known


def _getter(places: Sequence[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """What picks the numbers at these places."""
    if len(places) < 2:  # of which a getter would give no list
        return lambda numbers: [numbers[place] for place in places]
    return itemgetter(*places)


def in_batches(scored: Iterable[tuple[Trajectory, Score]]) -> Iterator[tuple[list[Trajectory], list[Score]]]:
    """Trajectories and their scores, some dozens at once."""
    rest = iter(scored)
    while batch := list(islice(rest, MAX_BATCH)):
        yield [trajectory for trajectory, _ in batch], [score for _, score in batch]


def by_agent(
    trajectories: list[Trajectory], scores: list[Score]
) -> Iterator[tuple[str, list[Trajectory], list[Score]]]:
    """Trajectories and their scores agent by agent; agents in the order in which they come."""
    agents = [trajectory.agent for trajectory in trajectories]
    if agents and agents.count(agents[0]) == len(agents):
        yield agents[0], trajectories, scores
        return
    found: dict[str, tuple[list[Trajectory], list[Score]]] = {agent: ([], []) for agent in agents}
    for agent, trajectory, score in zip(agents, trajectories, scores, strict=True):
        found[agent][0].append(trajectory)
        found[agent][1].append(score)
    for agent, (own, own_scores) in found.items():
        yield agent, own, own_scores


def sum_by_agent(
    scored: Iterable[tuple[Trajectory, Score]],
    parts: Sequence[Part],
    names: Collection[str],
    agents: Collection[str] = (),
) -> dict[str, CaseSums]:
    """By agent, in the order in which they come, some sums over all of its trajectories.

    Args:
        scored: Trajectories with their scores.
        parts: What can be added up.
        names: The sums that are wanted.
        agents: The agents that are wanted; default: all. Those of others are empty.
    """
    found: dict[str, CaseSums] = {}
    for batch in in_batches(scored):
        for agent, trajectories, scores in by_agent(*batch):
            if agent not in found:
                found[agent] = CaseSums(parts, names)
            if not agents or agent in agents:
                found[agent].add_all(trajectories, scores)
    return found
