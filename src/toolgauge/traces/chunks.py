"""Reading a large log in several processes, where every record stands for itself.

Each process reads chunks of the file the fast way of one reader, and gives back the lines of what it read. A chunk in
which anything is out of the ordinary, a record that has to be read in full or one of which something is lost, is given
back unread, for one process to read that knows what came before.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from toolgauge.core import Trajectory
from toolgauge.errors import InputError
from toolgauge.files import FORMATS, MEBIBYTE, STANDARD_INPUT, Chunk, InputFile, split_lines
from toolgauge.parallel import WorkResult, executor

from .context import ReadContext, ReadOptions
from .foreign import ForeignRecords
from .formats import built_in
from .formats.fast import FastReader
from .import_report import ImportReport
from .native import EncodedBatch, encode_trajectory
from .read import first_lines
from .unicode_names import normal_trajectory

__all__ = [
    "CHUNK",
    "RecordsBelongTogether",
    "divide_foreign",
    "encode_foreign_chunk",
    "may_share",
    "read_foreign_chunk",
    "read_in_processes",
]

CHUNK = 2 * MEBIBYTE
"""How many bytes are read by a process at once."""

SMALLEST = 32 * MEBIBYTE
"""Smaller files are not worth a second process."""


class RecordsBelongTogether(Exception):  # noqa: N818 - caught by whoever then reads the file as a whole
    """A record has to be read by somebody who knows those before it."""


def may_share(path: str) -> bool:
    """Whether a file is large enough, and can be opened by another process."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size >= SMALLEST


def encode_foreign_chunk(path: str, chunk: Chunk, options: ReadOptions) -> EncodedBatch | None:
    """The trajectories of a chunk whose records stand for themselves; others may read the rest of the file.

    Each is encoded before the next is read, so that what a record needs stays in the cache of the processor.

    Args:
        path: The file.
        chunk: Some lines of it.
        options: How they are read, with the name of a built-in reader, and what records how that went; reports of
            several chunks can be merged in their order.

    Returns:
        None where a record has to be read in full, by somebody who knows those before it, or loses something, or is
        called by its place in the file.

    Raises:
        OSError: The file cannot be read.
    """
    with open(path, "rb") as stream:
        stream.seek(chunk.begin)
        data = stream.read(chunk.end - chunk.begin)
    try:
        found = [encode_trajectory(trajectory) for trajectory in _independent(split_lines(data), options)]
    except RecordsBelongTogether:
        return None
    options.report.read += len(found)
    return EncodedBatch(len(found), b"".join(found))


def _independent(lines: Iterable[bytes], options: ReadOptions) -> Iterator[Trajectory]:
    """The trajectories of lines, each of which is read by itself, with the reader that the options name.

    Raises:
        RecordsBelongTogether: One has to be read in full, loses something, or is called by its place in the file.
    """
    reader = built_in(options.input_format or "")(ReadContext(options))
    if not isinstance(reader, FastReader):
        raise RecordsBelongTogether
    report = options.report
    for line in lines:
        if not line or line.isspace():
            continue
        trajectories = reader.read_line(line)
        if trajectories is None or report.lost or report.doubts:
            raise RecordsBelongTogether
        for trajectory in map(normal_trajectory, trajectories):
            if not trajectory.case and not trajectory.input:
                raise RecordsBelongTogether
            report.count_format(reader.title, len(trajectory.calls))
            yield trajectory


def divide_foreign(path: str, size: int, options: ReadOptions) -> tuple[str, list[Chunk]] | None:
    """Divide a large log of another tool, if the records at its beginning stand for themselves.

    Whether all others do is known by who reads them.

    Args:
        path: The file.
        size: How many bytes a chunk has, more or less.
        options: How the file is read.

    Returns:
        The name of the reader, and the chunks; None where the file is to be read as a whole.
    """
    if path == STANDARD_INPUT:
        return None
    try:
        with InputFile(path) as source:
            if not source.divisible or source.size() < SMALLEST or not source.opening.startswith(b"{"):
                return None
            name = _independent_format(source, replace(options, report=ImportReport()))
            chunks = list(source.chunks(max(size, CHUNK))) if name is not None else []
            whole = bool(chunks) and chunks[-1].end == source.size()
            return (name, chunks) if name is not None and whole else None
    except (InputError, OSError):
        return None  # whoever reads it says what is wrong


def _independent_format(source: InputFile, options: ReadOptions) -> str | None:
    """The format of the first records, where each of them stands for itself."""
    only = options.input_format if options.input_format not in (None, *FORMATS) else None
    records = ForeignRecords(ReadContext(options), only)
    lines = list(first_lines(source))
    if not lines or not records.begins_with(lines[0][1]):
        return None
    for _ in records.some_lines(lines):
        continue
    return records.independent_format


def read_foreign_chunk(path: str, chunk: Chunk, options: ReadOptions) -> Iterator[list[Trajectory]]:
    """The trajectories of a chunk of a log that was divided, with the reader that the options name.

    Raises:
        RecordsBelongTogether: The file has to be read as a whole.
        InputError: It cannot be read.
    """
    with InputFile(path, chunk) as source:
        lines = (line for _, several in source.batches() for line in several)
        for trajectory in _independent(lines, options):
            options.report.read += 1
            yield [trajectory]


def read_in_processes(
    source: InputFile,
    records: ForeignRecords,
    options: ReadOptions,
    jobs: int,
    encode: Callable[[Iterable[list[Trajectory]]], Iterator[EncodedBatch]],
) -> Iterator[EncodedBatch]:
    """The trajectories of a large log, as native lines.

    Args:
        source: The log.
        records: Reads what does not stand for itself.
        options: How the log is read.
        jobs: How many processes there are.
        encode: Encodes what `records` reads, and counts it.
    """
    chunks = source.chunks(CHUNK)
    number, end = 1, 0
    for chunk in chunks:
        lines = split_lines(source.read_chunk(chunk))
        yield from encode(records.some_lines(enumerate(lines, number)))
        number, end = number + len(lines), chunk.end
        name = records.independent_format
        if name is None:
            continue
        passed: list[Chunk] = []
        with executor(jobs).open(_ReadChunks(source.path, replace(options, input_format=name))) as session:
            for chunk, result in session.results(chunks):
                end = chunk.end
                if result is not None and result.answer is not None:
                    passed.append(chunk)
                    options.report.merge(result.answer.report)
                    yield EncodedBatch(result.answer.trajectories, bytes(result.data))
                    continue
                number += _count_lines(source, passed)
                passed.clear()
                lines = split_lines(source.read_chunk(chunk))
                yield from encode(records.some_lines(enumerate(lines, number)))
                number += len(lines)
                if records.independent_format != name:
                    break
        if end < os.path.getsize(source.path):
            number += _count_lines(source, passed)
        break
    yield from encode(records.lines(source.lines_from(end, number)))


def _count_lines(source: InputFile, chunks: Iterable[Chunk]) -> int:
    return sum(len(split_lines(source.read_chunk(chunk))) for chunk in chunks)


class _ReadChunks:
    """What a worker does: it reads chunks of one file, and gives back lines."""

    def __init__(self, path: str, options: ReadOptions) -> None:
        self._path = path
        self._options = options

    def process(self, chunk: Chunk) -> WorkResult[_Found | None]:
        """The trajectories of a chunk; None where something in it is out of the ordinary."""
        options = replace(self._options, report=ImportReport())
        try:
            encoded = encode_foreign_chunk(self._path, chunk, options)
        except OSError:
            encoded = None
        return WorkResult(None) if encoded is None else WorkResult(_Found(options.report, len(encoded)), encoded.data)

    def finish(self) -> None:
        """All is said."""


class _Found(NamedTuple):
    """What was read of a chunk."""

    report: ImportReport
    trajectories: int
