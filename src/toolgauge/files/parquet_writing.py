"""Writing rows as a Parquet file, some thousands at a time, to wherever bytes can go."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from toolgauge.errors import UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["parquet_blocks"]

ROWS = 5_000
"""Rows of a row group."""

TYPES = {"task_repeat": "int64", "message_count": "int64", "total_tokens": "int64", "total_time": "float64"}
"""The types of columns that hold no text."""


class _Sink(io.RawIOBase):
    """Holds what was written until it is taken."""

    def __init__(self) -> None:
        self.held: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer, /) -> int:
        self.held.append(bytes(data))
        self._size += len(self.held[-1])
        return len(self.held[-1])

    def tell(self) -> int:
        return self._size

    def take(self) -> Iterator[bytes]:
        """What is held, after which nothing is."""
        yield from self.held
        self.held.clear()


def parquet_blocks(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> Iterator[bytes]:
    """The bytes of a Parquet file with these rows and columns.

    Raises:
        UsageError: pyarrow is missing.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet needs a package that is missing; pip install 'toolgauge[parquet]'") from error
    schema = pyarrow.schema([(name, _type(pyarrow, name)) for name in columns])
    sink = _Sink()
    left = iter(rows)
    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        while several := list(islice(left, ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(several, schema=schema))
            yield from sink.take()
    yield from sink.take()


def _type(pyarrow: Any, column: str) -> Any:
    return getattr(pyarrow, TYPES[column])() if column in TYPES else pyarrow.large_string()
