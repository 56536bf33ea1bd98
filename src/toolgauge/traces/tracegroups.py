"""Holding the records of a trace together that are written one by one, among those of other traces.

Where more is open than fits, the trace that was added to the longest ago is given out. Records of it that come after
that are told as lost, for a trajectory that was given away cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .conversation import Reading
from .gathering import Gathering
from .values import Record

__all__ = ["TraceGroups"]

MOST_REMEMBERED = 50_000
"""The names of so many traces that were given out early are remembered."""


@dataclass(slots=True)
class _Group:
    name: str
    number: int
    """The record that it began with."""
    records: list[Record] = field(default_factory=list)


class TraceGroups:
    """Groups of records by the name of their trace, which each of them repeats."""

    def __init__(self, reading: Reading, open_groups: Gathering[_Group] | None = None) -> None:
        self._reading = reading
        self._open: Gathering[_Group] = Gathering() if open_groups is None else open_groups
        self._given: dict[str, None] = {}

    def add(self, name: str, record: Record, size: int | None = None) -> Iterator[list[Record]]:
        """Put a record to its group; gives the groups that had to make room.

        Args:
            name: The trace.
            record: The record.
            size: How many bytes it took in the file; default: as many as the record at hand.
        """
        if name in self._given:
            self._reading.lose("a record came too long after the others of its trace; it is left out")
            return
        group = self._open.get(name)
        if group is None:
            group = _Group(name, self._reading.number)
        group.records.append(record)
        for over in self._open.keep(name, group, self._reading.size if size is None else size):
            if len(self._given) < MOST_REMEMBERED:
                self._given[over.name] = None
            yield over.records

    def rest(self) -> Iterator[list[Record]]:
        """The groups that are left, in the order of their first records."""
        for group in sorted(self._open.all(), key=lambda group: group.number):
            yield group.records
