"""Keeping what may still continue, within a bound: conversations, threads and traces that records add to one by one.

Memory is bounded by what was read of the file: where more is open than fits, what was added to the longest ago has to
make room. Records of a trace that come after it was given out are reported as lost, for a trajectory that was given
out cannot be taken back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from .context import ReadContext
from .values import Record

__all__ = ["MAX_KEPT", "OpenConversations", "TraceGroups"]

T = TypeVar("T")

MAX_BYTES = 12_000_000
"""How many bytes of a file may be kept at once; as Python values they take several times the memory."""

MAX_IN_ONE = 64_000_000
"""How many bytes of a file one thing may take while no other is kept: mostly a few very long results."""

MAX_KEPT = 10_000
"""How many things are kept at once, however small they are."""


class OpenConversations(Generic[T]):
    """Things that are not finished, by a key."""

    def __init__(self, *, max_bytes: int = MAX_BYTES, max_in_one: int = MAX_IN_ONE, max_kept: int = MAX_KEPT) -> None:
        self._max_bytes = max_bytes
        self._max_in_one = max_in_one
        self._max_kept = max_kept
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._size = 0

    def get(self, key: Hashable) -> T | None:
        """What is kept under a key."""
        found = self._kept.get(key)
        return None if found is None else found[0]

    def keep(self, key: Hashable, value: T, size: int = 0) -> Iterator[T]:
        """Keep a value that was begun or added to; gives those that had to make room.

        Args:
            key: What it is found by.
            value: What is kept, in place of what was kept under the key before.
            size: How many bytes of the file were added to it.
        """
        before = self._kept.pop(key, None)
        self._kept[key] = (value, size if before is None else before[1] + size)
        self._size += size
        over: list[T] = []
        while self._is_full():
            _, (oldest, taken) = self._kept.popitem(last=False)
            self._size -= taken
            over.append(oldest)
        return iter(over)

    def _is_full(self) -> bool:
        if len(self._kept) > self._max_kept:
            return True
        return self._size > self._max_bytes and (len(self._kept) > 1 or self._size > self._max_in_one)

    def take(self, key: Hashable) -> T | None:
        """What is kept under a key, which is not kept any longer."""
        found = self._kept.pop(key, None)
        if found is None:
            return None
        self._size -= found[1]
        return found[0]

    def oldest(self) -> T | None:
        """What was added to the longest ago."""
        return next((value for value, _ in self._kept.values()), None)

    def all(self) -> Iterator[T]:
        """Everything that is kept, the longest untouched first; nothing is kept any longer."""
        kept = [value for value, _ in self._kept.values()]
        self._kept.clear()
        self._size = 0
        return iter(kept)


MAX_REMEMBERED = 50_000
"""How many names of traces that were given out early are remembered."""


@dataclass(slots=True)
class _Group:
    name: str
    number: int
    """The record that it began with."""
    records: list[Record] = field(default_factory=list)


class TraceGroups:
    """Groups of records by the name of their trace, which each of them repeats."""

    def __init__(self, context: ReadContext, open_groups: OpenConversations[_Group] | None = None) -> None:
        self._context = context
        self._open: OpenConversations[_Group] = OpenConversations() if open_groups is None else open_groups
        self._given: dict[str, None] = {}

    def add(self, name: str, record: Record, size: int | None = None) -> Iterator[list[Record]]:
        """Put a record to its group; gives the groups that had to make room.

        Args:
            name: The trace.
            record: The record.
            size: How many bytes it took in the file; default: as many as the record at hand.
        """
        if name in self._given:
            self._context.note_loss("a record came too long after the others of its trace; it is left out")
            return
        group = self._open.get(name)
        if group is None:
            group = _Group(name, self._context.number)
        group.records.append(record)
        for over in self._open.keep(name, group, self._context.size if size is None else size):
            if len(self._given) < MAX_REMEMBERED:
                self._given[over.name] = None
            yield over.records

    def rest(self) -> Iterator[list[Record]]:
        """The groups that are left, in the order of their first records."""
        for group in sorted(self._open.all(), key=lambda group: group.number):
            yield group.records
