"""A small exact solver for the assignment problem, in integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Assignment", "assign"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment of every row to a column of its own with the greatest total weight."""

    columns: list[int]
    """The column of each row."""
    options: list[list[int]]
    """For each row the columns it has in *some* optimal assignment's dual view: a choice of one option per row,
    all distinct and covering `needed`, is optimal, and every optimal assignment is such a choice."""
    needed: frozenset[int]
    """Columns that every optimal assignment uses."""

    @property
    def unique(self) -> bool:
        """Whether there is certainly no other optimal assignment."""
        return all(len(row) == 1 for row in self.options)


def assign(weights: Sequence[Sequence[int]]) -> Assignment:
    """Assign each row to a column so that the weights sum to the most; there are at least as many columns as rows."""
    best = _each_row_its_best(weights)
    return best if best is not None else _hungarian(weights)


def _each_row_its_best(weights: Sequence[Sequence[int]]) -> Assignment | None:
    """The fast path: every row has one best column, and no two rows the same one."""
    columns = []
    for row in weights:
        top = max(row)
        if row.count(top) > 1:
            return None
        columns.append(row.index(top))
    if len(set(columns)) < len(columns):
        return None
    return Assignment(columns, [[column] for column in columns], frozenset())


def _hungarian(weights: Sequence[Sequence[int]]) -> Assignment:
    """Shortest augmenting paths with potentials, O(rows² · columns).

    The potentials stay feasible (`row + column <= -weight`, columns <= 0), so that the edges where they are tight
    are exactly those that optimal assignments are made of.
    """
    rows, width = len(weights), len(weights[0])
    row_potential = [0] * rows
    column_potential = [0] * (width + 1)
    owner = [-1] * (width + 1)  # the last column is the start of each search
    for row in range(rows):
        owner[width] = row
        column = width
        distance: list[int | None] = [None] * width
        previous = [width] * width
        visited = [False] * (width + 1)
        while owner[column] != -1:
            visited[column] = True
            current = owner[column]
            line, base = weights[current], row_potential[current]
            step: int | None = None
            nearest = -1
            for candidate in range(width):
                if visited[candidate]:
                    continue
                length = -line[candidate] - base - column_potential[candidate]
                known = distance[candidate]
                if known is None or length < known:
                    distance[candidate] = known = length
                    previous[candidate] = column
                if step is None or known < step:
                    step, nearest = known, candidate
            assert step is not None  # noqa: S101 - there are at least as many columns as rows
            for candidate in range(width + 1):
                if visited[candidate]:
                    row_potential[owner[candidate]] += step
                    column_potential[candidate] -= step
                elif candidate < width and (known := distance[candidate]) is not None:
                    distance[candidate] = known - step
            column = nearest
        while column != width:
            owner[column] = owner[previous[column]]
            column = previous[column]
    columns = [0] * rows
    for column in range(width):
        if owner[column] != -1:
            columns[owner[column]] = column
    options = [
        [column for column in range(width) if -weights[row][column] == row_potential[row] + column_potential[column]]
        for row in range(rows)
    ]
    return Assignment(columns, options, frozenset(c for c in range(width) if column_potential[c] < 0))
