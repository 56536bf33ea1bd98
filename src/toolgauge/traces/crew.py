"""Reading a large log in several processes, where every record stands for itself.

Each process reads chunks of the file the fast way of one reader, and gives back the lines of what it read. A chunk in
which anything is out of the ordinary, a record that has to be read in full or one of which something is lost, is given
back unread, for one process to read that knows what came before.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from toolgauge.core import Trajectory, without_cycles
from toolgauge.files import MEBIBYTE, Chunk, InputFile, split_lines

from .context import ReadContext, ReadOptions
from .foreign import ForeignRecords
from .formats import built_in
from .formats.fast import FastReader
from .import_report import ImportReport
from .native import EncodedBatch, encode_trajectory
from .unicode_names import normal_trajectory

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from mmap import mmap

__all__ = ["CHUNK", "may_share", "read_foreign_chunk", "read_in_processes"]

CHUNK = 2 * MEBIBYTE
"""How many bytes are read by a process at once."""

SMALLEST = 32 * MEBIBYTE
"""Smaller files are not worth a second process."""

SLOT = 2 * CHUNK
"""How much memory processes share for what becomes of a chunk."""

AHEAD = 3
"""For each process so many chunks are given out before the first of them is asked for."""


def may_share(source: InputFile) -> bool:
    """Whether a file is large enough, and can be opened by another process."""
    try:
        found = os.stat(source.path)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size >= SMALLEST


def read_foreign_chunk(path: str, chunk: Chunk, options: ReadOptions) -> list[Trajectory] | None:
    """The trajectories of a chunk whose records stand for themselves; others may read the rest of the file.

    Args:
        path: The file.
        chunk: Some lines of it.
        options: How they are read, with the name of a built-in reader, and what records how that went; reports of
            several chunks can be merged in their order.

    Returns:
        None where a record has to be read in full, by somebody who knows those before it, or loses something.

    Raises:
        OSError: The file cannot be read.
    """
    reader = built_in(options.input_format or "")(ReadContext(options))
    if not isinstance(reader, FastReader):
        return None
    report = options.report
    found: list[Trajectory] = []
    with open(path, "rb") as stream:
        stream.seek(chunk.begin)
        data = stream.read(chunk.end - chunk.begin)
    for line in split_lines(data):
        if not line or line.isspace():
            continue
        trajectories = reader.read_line(line)
        if trajectories is None or report.lost:
            return None
        for trajectory in map(normal_trajectory, trajectories):
            report.count_format(reader.title, len(trajectory.calls))
            found.append(trajectory)
    report.read += len(found)
    return found


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
        with _processes(source.path, replace(options, input_format=name), jobs, chunks) as results:
            for chunk, found in results:
                end = chunk.end
                if found is not None:
                    passed.append(chunk)
                    options.report.merge(found.report)
                    yield found.batch
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


class _Found(NamedTuple):
    """What a process has read of a chunk."""

    report: ImportReport
    batch: EncodedBatch


@contextmanager
def _processes(
    path: str, options: ReadOptions, jobs: int, chunks: Iterator[Chunk]
) -> Iterator[Iterator[tuple[Chunk, _Found | None]]]:
    """What becomes of the chunks of a file, in their order."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from mmap import mmap

    forks = sys.platform == "linux"
    slots = jobs * AHEAD
    # What is in memory that processes share does not have to go through a pipe, in which it is copied four times.
    memory = mmap(-1, slots * SLOT) if forks else None
    context = multiprocessing.get_context("fork" if forks else "spawn")
    with ProcessPoolExecutor(jobs, context, _begin, (path, options, memory)) as pool:
        try:
            yield _results(pool, chunks, slots, memory)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _results(
    pool: ProcessPoolExecutor, chunks: Iterator[Chunk], slots: int, memory: mmap | None
) -> Iterator[tuple[Chunk, _Found | None]]:
    from concurrent.futures import BrokenExecutor

    given: deque[tuple[Chunk, int, Future[_Answer] | None]] = deque()

    def first() -> tuple[Chunk, _Found | None]:
        chunk, slot, result = given.popleft()
        try:
            found, size = (None, 0) if result is None else result.result()
        except BrokenExecutor:
            # A process was ended from outside; what it had to do is done by this one.
            return chunk, None
        if found is not None and memory is not None and size:
            data = memory[slot * SLOT : slot * SLOT + size]
            found = _Found(found.report, EncodedBatch(found.batch.count, data))
        return chunk, found

    for number, chunk in enumerate(chunks):
        slot = number % slots
        if len(given) == slots:
            yield first()
        try:
            given.append((chunk, slot, pool.submit(_read, chunk, slot)))
        except BrokenExecutor:
            given.append((chunk, slot, None))
    while given:
        yield first()


_Answer = tuple[_Found | None, int]
"""What a process has read, and how many bytes of it are in the memory that processes share."""


class _Worker(NamedTuple):
    """What a process needs to read any chunk."""

    path: str
    options: ReadOptions
    memory: mmap | None


_workers: list[_Worker] = []
"""In a process that reads chunks, the one that it is."""


def _begin(path: str, options: ReadOptions, memory: mmap | None) -> None:
    # An interrupt goes to all processes; the parent says so, and ends the others quietly.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _workers[:] = [_Worker(path, options, memory)]


def _read(chunk: Chunk, slot: int) -> _Answer:
    """The trajectories of a chunk; None where something in it is out of the ordinary."""
    worker = _workers[0]
    options = replace(worker.options, report=ImportReport())
    try:
        with without_cycles():
            trajectories = read_foreign_chunk(worker.path, chunk, options)
            if trajectories is None or not all(one.case or one.input for one in trajectories):
                # What names neither a case nor a question is called by its place in the file.
                return None, 0
            data = b"".join(map(encode_trajectory, trajectories))
    except OSError:
        return None, 0
    if worker.memory is None or len(data) > SLOT:
        return _Found(options.report, EncodedBatch(len(trajectories), data)), 0
    worker.memory[slot * SLOT : slot * SLOT + len(data)] = data
    return _Found(options.report, EncodedBatch(len(trajectories), b"")), len(data)
