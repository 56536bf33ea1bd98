"""How large the pages of a Parquet file become, read from their heads: the library unpacks a page as a whole.

A head is a structure of Thrift's compact protocol, of which a few numbers are needed and the rest is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, NamedTuple

__all__ = ["BadPages", "ColumnPage", "pages_of"]

LONGEST_HEAD = 64 * 1024
"""A head holds statistics, with the least and the greatest value; writers cut these."""

MOST_FIELDS = 1_000
BOOLEANS, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12
DATA_HEADS = (5, 8)
"""The fields of a head that describe a page of data, in both versions; their first field is the number of values."""

DICTIONARY_HEAD = 7


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


def pages_of(stream: IO[bytes], column: Any) -> Iterator[ColumnPage]:
    """The pages of a column in a row group.

    Args:
        stream: The file.
        column: What the file says of the column there.

    Raises:
        BadPages: They cannot be found.
    """
    begin = column.data_page_offset
    if column.dictionary_page_offset is not None:
        begin = min(begin, column.dictionary_page_offset)
    end = begin + column.total_compressed_size
    while begin < end:
        stream.seek(begin)
        head = _Head(stream.read(min(LONGEST_HEAD, end - begin)))
        page = head.page()
        if page.packed < 0 or page.size < 0:
            raise BadPages
        yield page
        begin += head.position + page.packed


class _Head:
    def __init__(self, data: bytes) -> None:
        self._data = data
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

    def _struct(self) -> Iterator[tuple[int, int]]:
        """The fields of a structure, by number and type; whoever asks for the next has taken or passed this one."""
        field = 0
        while head := self._byte():
            self._fields += 1
            if self._fields > MOST_FIELDS:
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
            for _ in range(self._varint() if head >> 4 == 15 else head >> 4):
                self._fields += 1
                if self._fields > MOST_FIELDS:
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
