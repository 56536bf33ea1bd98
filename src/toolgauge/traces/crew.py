"""Reading a large log in several processes, where every record stands for itself.

Each process reads parts of the file by the shorter way of one reader, and gives back the lines of what it read. A part
in which anything is out of the ordinary, a record that takes the long way or one of which something is lost, is given
back unread, for one process to read that knows what came before.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from toolgauge.core import without_cycles
from toolgauge.files import MEBIBYTE, InputFile, split_lines

from .context import ReadContext
from .formats import Reader
from .import_report import ImportReport
from .native import Written, encode_trajectory
from .outcomes import Outcomes, RawResults
from .tool_names import ToolNames
from .unicode_names import normal_trajectory

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from mmap import mmap

__all__ = ["PART", "Crew", "Part", "may_share"]

PART = 2 * MEBIBYTE
"""How many bytes are read by a process at once."""

SMALLEST = 32 * MEBIBYTE
"""Smaller files are not worth a second process."""

SLOT = 2 * PART
"""How much memory processes share for what becomes of a part."""

AHEAD = 3
"""For each process so many parts are given out before the first of them is asked for."""


class Part(NamedTuple):
    """Whole lines of a file, between two places."""

    begin: int
    end: int


def may_share(source: InputFile) -> bool:
    """Whether a file is large enough, and can be opened by another process."""
    try:
        found = os.stat(source.path)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size >= SMALLEST


@dataclass(frozen=True, slots=True)
class Crew:
    """How several processes read a file."""

    jobs: int
    known_tools: Collection[str] = ()

    @contextmanager
    def context(self, source: InputFile, kind: type[Reader], parts: Iterator[Part]) -> Iterator[Iterator[_Read]]:
        """What becomes of the parts of a file, in their order."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from mmap import mmap

        forks = sys.platform == "linux"
        slots = self.jobs * AHEAD
        # What is in memory that processes share does not have to go through a pipe, in which it is copied four times.
        memory = mmap(-1, slots * SLOT) if forks else None
        context = multiprocessing.get_context("fork" if forks else "spawn")
        with ProcessPoolExecutor(self.jobs, context, _begin, (source.path, kind, self.known_tools, memory)) as pool:
            try:
                yield _results(pool, parts, slots, memory)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


_Read = tuple[Part, Written | None]


def _results(pool: ProcessPoolExecutor, parts: Iterator[Part], slots: int, memory: mmap | None) -> Iterator[_Read]:
    from concurrent.futures import BrokenExecutor

    given: deque[tuple[Part, int, Future[_Answer] | None]] = deque()

    def first() -> _Read:
        part, slot, result = given.popleft()
        try:
            written, size = (None, 0) if result is None else result.result()
        except BrokenExecutor:
            # A process was ended from outside; what it had to do is done by this one.
            return part, None
        if written is not None and memory is not None and size:
            written = replace(written, data=memory[slot * SLOT : slot * SLOT + size])
        return part, written

    for number, part in enumerate(parts):
        slot = number % slots
        if len(given) == slots:
            yield first()
        try:
            given.append((part, slot, pool.submit(_read, part, slot)))
        except BrokenExecutor:
            given.append((part, slot, None))
    while given:
        yield first()


_Answer = tuple[Written | None, int]
"""What a process has read, and how many bytes of it are in the memory that processes share."""


class _Worker(NamedTuple):
    """What a process needs to read any part."""

    path: str
    reader: Reader
    report: ImportReport
    memory: mmap | None


_workers: list[_Worker] = []
"""In a process that reads parts, the one that it is."""


def _begin(path: str, kind: type[Reader], known_tools: Collection[str], memory: mmap | None) -> None:
    # An interrupt goes to all processes; the parent says so, and ends the others quietly.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    report = ImportReport()
    reader = kind(ReadContext(report, ToolNames(known_tools), Outcomes(), verbatim=RawResults()))
    _workers[:] = [_Worker(path, reader, report, memory)]


def _read(part: Part, slot: int) -> _Answer:
    """The trajectories of a part; None where something in it is out of the ordinary."""
    worker = _workers[0]
    try:
        with open(worker.path, "rb") as stream:
            stream.seek(part.begin)
            data = stream.read(part.end - part.begin)
    except OSError:
        return None, 0
    with without_cycles():
        written = _encoded(data, worker)
    if written is None or worker.memory is None or len(written.data) > SLOT:
        return written, 0
    worker.memory[slot * SLOT : slot * SLOT + len(written.data)] = written.data
    return replace(written, data=b""), len(written.data)


def _encoded(data: bytes, worker: _Worker) -> Written | None:
    read_line = worker.reader.read_line  # type: ignore[attr-defined]  # whoever makes a crew has looked
    written: list[bytes] = []
    calls = 0
    lines = split_lines(data)
    for line in lines:
        if not line or line.isspace():
            continue
        trajectories = read_line(line)
        if trajectories is None or worker.report.lost:
            worker.report.lost.clear()
            return None
        for trajectory in map(normal_trajectory, trajectories):
            if not trajectory.case and not trajectory.input:
                return None
            calls += len(trajectory.calls)
            written.append(encode_trajectory(trajectory))
    return Written(len(written), calls, len(lines), b"".join(written))
