"""A small exact solver for assigning rows to columns, in integers; both may be there several times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Assignment", "assign"]


@dataclass(slots=True)
class Assignment:
    """How often each row goes to each column in an assignment of the greatest total weight."""

    flow: list[list[int]]
    options: list[list[int]]
    """For each row the columns that it has in equally good assignments. Whoever assigns rows to their options only,
    and uses every column of `needed` as often as it is there, has an assignment that is as good."""
    needed: frozenset[int]

    @property
    def unique(self) -> bool:
        """Whether there is certainly no other as good."""
        return all(len(row) == 1 for row in self.options)


def assign(weights: Sequence[Sequence[int]], supply: Sequence[int], capacity: Sequence[int]) -> Assignment:
    """Assign every row to columns so that the weights sum to the most.

    Args:
        weights: What it is worth to assign a row to a column.
        supply: How often each row is there.
        capacity: How often each column is there; in all at least as often as rows.
    """
    if sum(supply) == len(supply):
        best = _each_row_its_best(weights)
        if best is not None:
            return best
    return _transport(weights, supply, capacity)


def _each_row_its_best(weights: Sequence[Sequence[int]]) -> Assignment | None:
    """Every row has one best column, and no two rows the same one."""
    columns = []
    for row in weights:
        top = max(row)
        if row.count(top) > 1:
            return None
        columns.append(row.index(top))
    if len(set(columns)) < len(columns):
        return None
    return Assignment(
        [[int(column == chosen) for column in range(len(weights[0]))] for chosen in columns],
        [[column] for column in columns],
        frozenset(),
    )


def _transport(weights: Sequence[Sequence[int]], supply: Sequence[int], capacity: Sequence[int]) -> Assignment:
    """Cheapest flow by shortest augmenting paths with potentials.

    The potentials stay feasible (`row + column <= -weight`, columns <= 0, and 0 where a column has room), so that the
    optimal assignments are exactly those along tight edges that use up every column below 0.
    """
    rows, columns = range(len(weights)), range(len(weights[0]))
    flow = [[0] * len(columns) for _ in rows]
    room = list(capacity)
    row_potential = [-max(row) for row in weights]
    column_potential = [0] * len(columns)
    for start in rows:
        left = supply[start]
        while left:
            path = _shortest_path(start, weights, flow, room, row_potential, column_potential)
            amount = min([left, room[path[0][1]], *(flow[row][column] for row, column in path[1::2])])
            for step, (row, column) in enumerate(path):
                flow[row][column] += amount if step % 2 == 0 else -amount
            room[path[0][1]] -= amount
            left -= amount
    options = [
        [column for column in columns if -weights[row][column] == row_potential[row] + column_potential[column]]
        for row in rows
    ]
    return Assignment(flow, options, frozenset(column for column in columns if column_potential[column] < 0))


def _shortest_path(
    start: int,
    weights: Sequence[Sequence[int]],
    flow: Sequence[Sequence[int]],
    room: Sequence[int],
    row_potential: list[int],
    column_potential: list[int],
) -> list[tuple[int, int]]:
    """The edges from a column with room back to a row: one to add flow to, one to take it from, and so on.

    The potentials are moved so that all of them are tight.
    """
    distance: dict[int, int] = {}
    previous: dict[int, int] = {}
    reached = {start: (0, -1)}
    settled: dict[int, int] = {}
    fresh = [start]
    while True:
        for row in fresh:
            base = reached[row][0] - row_potential[row]
            for column, weight in enumerate(weights[row]):
                if column not in settled:
                    length = base - weight - column_potential[column]
                    if column not in distance or length < distance[column]:
                        distance[column], previous[column] = length, row
        nearest = min((column for column in distance if column not in settled), key=lambda column: distance[column])
        settled[nearest] = distance[nearest]
        if room[nearest]:
            break
        fresh = [row for row in range(len(weights)) if flow[row][nearest] and row not in reached]
        reached.update((row, (distance[nearest], nearest)) for row in fresh)
    end = settled[nearest]
    for row, (length, _) in reached.items():
        row_potential[row] += end - length
    for column, length in settled.items():
        column_potential[column] -= end - length
    path = [(previous[nearest], nearest)]
    while path[-1][0] != start:
        row = path[-1][0]
        column = reached[row][1]
        path += [(row, column), (previous[column], column)]
    return path
