"""The rows of a Parquet file as lines of JSON, row group by row group, with only the columns that somebody reads.

Texts that hold JSON objects or lists are taken as these, for a table has no other place for them. Whose rows they are,
their columns tell; then the rest of the columns is not even read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec

from toolgauge.errors import InputError, Problem

from .jsontext import BadJson, check_count
from .opening import missing_package, open_raw
from .parquet_pages import BadPages, StoredColumn, columns_of, pages_of
from .streams import open_produced

if TYPE_CHECKING:
    from .reading import Chunk

__all__ = ["LAYOUTS", "SCOUT_COLUMNS", "Layout", "open_rows", "row_groups"]

ROWS = 1_000
"""Rows that are turned into lines at once, unless they are long."""

LONGEST_BATCH = 24 * 1024 * 1024
"""About so many bytes of a row group are turned into lines at once."""

LARGEST_PAGE = 32 * 1024 * 1024
"""How large a page may become; it holds at least one value, and a longer line is not read. Writers make 1 MiB."""

MOST_LISTED = 1_000_000
"""How many values a page may have of a column that holds lists, as records of other files."""

MARK = b"PAR1"
"""How a file begins and ends."""

LARGEST_FOOTER = 8 * 1024 * 1024
MOST_COLUMNS = 10_000
"""How long the description of a file may be: of a thousand row groups with fifty columns each. It takes thirty times as
much memory."""

LONG_TEXT = 64 * 1024

SCOUT_COLUMNS = (
    *("transcript_id", "source_type", "source_id", "source_uri", "date", "task_set", "task_id", "task_repeat"),
    *("agent", "agent_args", "model", "model_options", "score", "score_explanation", "success", "message_count"),
    *("total_time", "total_tokens", "error", "limit", "messages", "events"),
)
"""The columns of a transcript database of Inspect Scout."""


class Layout(NamedTuple):
    """Whose rows a table holds."""

    marks: tuple[str, ...]
    """The columns by which it is known."""
    read: frozenset[str] = frozenset()
    """The columns that are read; none: all."""
    passed_over: frozenset[str] = frozenset()
    """Columns that are not, where all others are."""


LAYOUTS = {
    "Inspect Scout": Layout(
        ("transcript_id", "messages"),
        passed_over=frozenset(
            {"agent_args", "model_options", "score_explanation", "source_uri", "timelines", "events_data"}
        ),
    ),
    "LangSmith": Layout(
        ("run_type", "trace_id"),
        frozenset(
            {"id", "name", "run_type", "trace_id", "parent_run_id", "dotted_order", "inputs", "outputs", "error"}
            | {"start_time", "end_time", "status", "extra", "metadata", "tags", "reference_example_id", "session_name"}
            | {"prompt_tokens", "completion_tokens", "total_tokens", "total_cost", "events"}
        ),
    ),
    "Langfuse": Layout(
        ("trace_id", "type", "start_time"),
        passed_over=frozenset({"project_id", "created_at", "updated_at", "html_path", "prompt_id", "event_ts"}),
    ),
    "toolgauge": Layout(
        ("case", "calls"),
        frozenset(
            {"case", "agent", "trial", "state", "calls", "output", "error", "latency_ms", "usage", "events", "input"}
            | {"meta"}
        ),
    ),
}
"""The tables that are known, by whose they are; of every other one all columns are read."""

INDEPENDENT = ("toolgauge", "Inspect Scout")
"""Tables of which every row is a trajectory."""

JSON_COLUMNS = frozenset({"calls", "usage", "events", "meta", "messages", "inputs", "outputs", "extra", "metadata"})
"""Columns that hold JSON as text, in any layout; of Langfuse's also those of `LANGFUSE_JSON`."""

LANGFUSE_JSON = frozenset({"input", "output", "metadata", "usage_details", "cost_details", "tool_calls", "tags"})


def _pyarrow_parquet(name: str) -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise missing_package(name, "this is a Parquet file", "parquet") from error
    return pyarrow.parquet


def _opened(name: str, stream: IO[bytes]) -> Any:
    parquet = _pyarrow_parquet(name)
    _check_footer(name, stream)
    stream.seek(0)
    try:
        file = parquet.ParquetFile(stream)
        if file.metadata.num_columns > MOST_COLUMNS:
            raise _refused(name, f"it has more than {MOST_COLUMNS:,} columns")
        return file
    except InputError:
        raise
    except Exception as error:
        # pyarrow raises errors of many kinds, which derive from OSError, ValueError and its own.
        raise _damaged(name, error) from error


def _check_footer(name: str, stream: IO[bytes]) -> None:
    try:
        end = stream.seek(0, os.SEEK_END)
    except io.UnsupportedOperation:
        hint = "save it to a file and name that"
        raise InputError(name, Problem("a Parquet file cannot be read from a pipe", hint=hint)) from None
    stream.seek(max(0, end - 8))
    tail = stream.read(8)
    if not tail.endswith(MARK):
        raise _damaged(name, ValueError("it is cut off"))
    if int.from_bytes(tail[:4], "little") > LARGEST_FOOTER:
        raise _refused(name, f"its description is longer than {LARGEST_FOOTER // 1024**2} MiB")


def _refused(name: str, why: str) -> InputError:
    hint = "write it with smaller pages and larger row groups, or as JSONL"
    return InputError(name, Problem(f"this Parquet file cannot be read: {why}", hint=hint))


def _damaged(name: str, error: Exception) -> InputError:
    why = str(error).partition("\n")[0]
    return InputError(name, Problem(f"this Parquet file cannot be read: {why}", hint="fetch or write it again"))


def row_groups(path: str) -> list[int] | None:
    """How many bytes each row group has; None where the file is none of Parquet, or rows may belong together.

    Raises:
        InputError: It cannot be read.
    """
    opened = open_raw(path)
    with opened.stream as stream:
        if stream.read(4) != b"PAR1":
            return None
        file = _opened(path, stream)
        if not any(set(LAYOUTS[name].marks) <= set(file.schema_arrow.names) for name in INDEPENDENT):
            return None
        metadata = file.metadata
        return [metadata.row_group(place).total_byte_size for place in range(metadata.num_row_groups)]


def open_rows(name: str, stream: IO[bytes], chunk: Chunk | None) -> IO[bytes]:
    """The rows of a Parquet file, or of some row groups of it, as lines of JSON.

    Raises:
        InputError: pyarrow is missing, or cannot read it.
    """
    file = _opened(name, stream)
    columns = _columns(file.schema_arrow.names)
    groups = range(file.metadata.num_row_groups)
    if chunk is not None:
        groups = range(chunk.begin, min(chunk.end, len(groups)))
    return open_produced(lambda: _lines(name, stream, file, list(groups), columns))


def _columns(names: list[str]) -> list[str] | None:
    """The columns that are read; None: all of them."""
    for layout in LAYOUTS.values():
        if all(mark in names for mark in layout.marks):
            wanted = layout.read or frozenset(names) - layout.passed_over
            return [name for name in names if name in wanted]
    return None


def _lines(name: str, stream: IO[bytes], file: Any, groups: list[int], columns: list[str] | None) -> Iterator[bytes]:
    encode = msgspec.json.Encoder(enc_hook=_plain).encode
    structured = _structured_columns(file.schema_arrow.names)
    try:
        stored = columns_of(stream)
    except BadPages:
        raise _refused(name, "its description is damaged") from None
    for group in groups:
        described = file.metadata.row_group(group)
        if group >= len(stored) or len(stored[group]) != described.num_columns:
            raise _refused(name, "its description is damaged")
        longest = _longest_row(name, stream, file, stored[group], columns)
        size = max(described.total_byte_size, 1)
        at_once = min(ROWS, LONGEST_BATCH * max(described.num_rows, 1) // size, LONGEST_BATCH // max(longest, 1))
        try:
            for batch in file.iter_batches(max(1, at_once), row_groups=[group], columns=columns):
                yield b"".join(encode(_record(name, row, structured)) + b"\n" for row in batch.to_pylist())
        except InputError:
            raise
        except Exception as error:
            # As above.
            raise _damaged(name, error) from error


def _longest_row(name: str, stream: IO[bytes], file: Any, stored: list[StoredColumn], columns: list[str] | None) -> int:
    """Look at the pages of a row group before they are unpacked, which is done with a whole page at a time.

    Returns:
        How long a row can be of which every text is one that is stored once and stands for many.

    Raises:
        InputError: A page is too large.
    """
    wanted = None if columns is None else set(columns)
    longest = 0
    for place, column in enumerate(stored):
        first = column.name
        if wanted is not None and first not in wanted:
            continue
        lists = file.schema.column(place).max_repetition_level > 0
        if column.size <= LONG_TEXT and not lists:
            continue
        try:
            for page in pages_of(stream, column):
                if page.size > LARGEST_PAGE:
                    raise _refused(name, f"column {first!r} has a page of more than {LARGEST_PAGE // 1024**2} MiB")
                if lists and page.values > MOST_LISTED:
                    raise _refused(name, f"column {first!r} has a page of more than {MOST_LISTED:,} values")
                longest += page.size if page.is_dictionary else 0
        except BadPages:
            raise _refused(name, f"the pages of column {first!r} are not where they should be") from None
    return longest


def _structured_columns(names: list[str]) -> frozenset[str]:
    langfuse = "trace_id" in names and "type" in names
    return JSON_COLUMNS | LANGFUSE_JSON if langfuse else JSON_COLUMNS


def _record(name: str, row: dict[str, Any], structured: frozenset[str]) -> dict[str, Any]:
    """A row as a record: without what is empty, and with what is JSON as it was."""
    found = {}
    for column, value in row.items():
        if value is None:
            continue
        if isinstance(value, (dict, list)):
            found[column] = _without_empty(value)
            continue
        if isinstance(value, str) and column in structured and value[:1] in ("{", "["):
            if len(value) > LONG_TEXT:
                _check_text(name, value)
            # A text may only begin like JSON.
            with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                value = msgspec.Raw(msgspec.json.encode(msgspec.json.decode(value)))
        found[column] = value
    return found


def _without_empty(value: Any) -> Any:
    """A nested value without what is empty in it: a column has the keys of all rows, empty where a row lacks them."""
    if isinstance(value, dict):
        found = {key: _without_empty(item) for key, item in value.items() if item is not None}
        if isinstance(text := found.get("args"), str) and "tool" in found:
            # The arguments of different tools have no common type.
            with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                found["args"] = msgspec.json.decode(text)
        return found
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
            return _without_empty(dict(value))
        return [_without_empty(item) for item in value]
    return value


def _check_text(name: str, text: str) -> None:
    try:
        check_count(text.encode())
    except BadJson as error:
        raise InputError(name, error.problem) from None


def _plain(value: object) -> object:
    """Values of columns that JSON has no word for."""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    return str(value)
