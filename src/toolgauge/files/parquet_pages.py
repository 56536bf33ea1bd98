"""How large the pages of a Parquet file become, read from their heads: the library unpacks a page as a whole.

A head is a structure of Thrift's compact protocol, of which a few numbers are needed and the rest is passed over. So is
the footer, which says where the pages are: the library aborts the process when a column's description is damaged.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, NamedTuple

__all__ = ["BadPages", "ColumnPage", "StoredColumn", "columns_of", "pages_of"]

LONGEST_HEAD = 64 * 1024
"""A head holds statistics, with the least and the greatest value; writers cut these."""

MOST_FIELDS = 1_000
MOST_IN_FOOTER = 2_000_000
"""A thousand row groups with fifty columns each have 1,500,000 fields."""
BOOLEANS, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12
DATA_HEADS = (5, 8)
"""The fields of a head that describe a page of data, in both versions; their first field is the number of values."""

DICTIONARY_HEAD = 7

ROW_GROUPS, COLUMNS, DESCRIPTION = 4, 1, 3
PATH, UNPACKED, PACKED, DATA_AT, DICTIONARY_AT = 3, 6, 7, 9, 11
"""Fields of the footer, of a row group in it, of a column in that, and of the column's description."""
LONG_LIST = 15
"""Stands for the number of elements of a list that is longer than that."""


class BadPages(Exception):  # noqa: N818 - caught by whoever knows the file
    """The pages are not where the file says."""


class ColumnPage(NamedTuple):
    """What the head of a page says."""

    size: int
    """Its bytes, unpacked."""
    packed: int
    values: int
    """How many values are in it, empty ones too."""
    is_dictionary: bool
    """Whether other pages name its values by their numbers, each as often as they like."""


class StoredColumn(NamedTuple):
    """Where a row group keeps a column, as the footer says."""

    name: str
    """The first part of its path: the column of the table that it belongs to."""
    size: int
    """Its bytes, unpacked."""
    begin: int
    end: int


def columns_of(stream: IO[bytes]) -> list[list[StoredColumn]]:
    """The columns of each row group, in order.

    Raises:
        BadPages: The footer is damaged.
    """
    end = stream.seek(0, os.SEEK_END) - 8
    stream.seek(max(0, end))
    length = int.from_bytes(stream.read(4), "little")
    if length > end:
        raise BadPages
    stream.seek(end - length)
    return _Head(stream.read(length), MOST_IN_FOOTER).row_groups()


def pages_of(stream: IO[bytes], column: StoredColumn) -> Iterator[ColumnPage]:
    """The pages of a column in a row group.

    Args:
        stream: The file.
        column: Where it is.

    Raises:
        BadPages: They cannot be found.
    """
    begin, end = column.begin, column.end
    while begin < end:
        stream.seek(begin)
        head = _Head(stream.read(min(LONGEST_HEAD, end - begin)))
        page = head.page()
        if page.packed < 0 or page.size < 0:
            raise BadPages
        yield page
        begin += head.position + page.packed


class _Head:
    def __init__(self, data: bytes, most_fields: int = MOST_FIELDS) -> None:
        self._data = data
        self._most_fields = most_fields
        self.position = 0
        self._fields = 0

    def page(self) -> ColumnPage:
        found = {2: 0, 3: 0}
        values = 0
        is_dictionary = False
        for field, kind in self._struct():
            if field in found and kind in INTEGERS:
                found[field] = self._integer()
            elif field in DATA_HEADS and kind == STRUCT:
                for inner, of_kind in self._struct():
                    if inner == 1 and of_kind in INTEGERS:
                        values = self._integer()
                    else:
                        self._pass(of_kind)
            else:
                is_dictionary = is_dictionary or field == DICTIONARY_HEAD
                self._pass(kind)
        return ColumnPage(found[2], found[3], values, is_dictionary)

    def row_groups(self) -> list[list[StoredColumn]]:
        """The columns of each row group, from a footer."""
        groups: list[list[StoredColumn]] = []
        for field, kind in self._struct():
            if (field, kind) == (ROW_GROUPS, LISTS[0]):
                groups = [self._row_group() for _ in self._structs()]
            else:
                self._pass(kind)
        return groups

    def _row_group(self) -> list[StoredColumn]:
        columns: list[StoredColumn] = []
        for field, kind in self._struct():
            if (field, kind) == (COLUMNS, LISTS[0]):
                columns = [self._chunk() for _ in self._structs()]
            else:
                self._pass(kind)
        return columns

    def _chunk(self) -> StoredColumn:
        column = None
        for field, kind in self._struct():
            if (field, kind) == (DESCRIPTION, STRUCT):
                column = self._column()
            else:
                self._pass(kind)
        if column is None:
            raise BadPages
        return column

    def _column(self) -> StoredColumn:
        name = ""
        numbers: dict[int, int] = {}
        for field, kind in self._struct():
            if (field, kind) == (PATH, LISTS[0]):
                parts = [self._text() for _ in self._elements(BINARY)]
                name = parts[0] if parts else ""
            elif kind in INTEGERS:
                numbers[field] = self._integer()
            else:
                self._pass(kind)
        try:
            begin, packed, size = numbers[DATA_AT], numbers[PACKED], numbers[UNPACKED]
        except KeyError:
            raise BadPages from None
        begin = min(begin, numbers.get(DICTIONARY_AT, begin))
        if begin < 0 or packed < 0 or size < 0:
            raise BadPages
        return StoredColumn(name, size, begin, begin + packed)

    def _structs(self) -> range:
        return self._elements(STRUCT)

    def _elements(self, kind: int) -> range:
        """The elements of a list, which are all of one type; whoever asks for the next has taken this one."""
        head = self._byte()
        count = self._varint() if head >> 4 == LONG_LIST else head >> 4
        if count and head & 15 != kind:
            raise BadPages
        self._fields += count
        if self._fields > self._most_fields:
            raise BadPages
        return range(count)

    def _text(self) -> str:
        length = self._varint()
        self.position += length
        return self._data[self.position - length : self.position].decode("utf-8", "replace")

    def _struct(self) -> Iterator[tuple[int, int]]:
        """The fields of a structure, by number and type; whoever asks for the next has taken or passed this one."""
        field = 0
        while head := self._byte():
            self._fields += 1
            if self._fields > self._most_fields:
                raise BadPages
            field = field + (head >> 4) if head >> 4 else self._integer()
            yield field, head & 15

    def _pass(self, kind: int, *, element: bool = False) -> None:
        if kind in BOOLEANS:
            self.position += element
        elif kind == BYTE:
            self.position += 1
        elif kind in INTEGERS:
            self._varint()
        elif kind == DOUBLE:
            self.position += 8
        elif kind == BINARY:
            length = self._varint()
            self.position += length
        elif kind in LISTS:
            head = self._byte()
            for _ in range(self._varint() if head >> 4 == LONG_LIST else head >> 4):
                self._fields += 1
                if self._fields > self._most_fields:
                    raise BadPages
                self._pass(head & 15, element=True)
        elif kind == STRUCT:
            for _, inner in self._struct():
                self._pass(inner)
        else:
            raise BadPages

    def _byte(self) -> int:
        if self.position >= len(self._data):
            raise BadPages
        self.position += 1
        return self._data[self.position - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise BadPages

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
