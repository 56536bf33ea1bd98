"""Scoring large files in several processes: each takes one chunk of native lines after the other.

What comes of a chunk can depend on another only where lines leave open which trial they are. Then, or where something
is wrong with a line, there is no result, and the files have to be scored by one process, which also says what is wrong.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from toolgauge.core import Advance, PathLike, Scored
from toolgauge.errors import ToolgaugeError
from toolgauge.files import MEBIBYTE, Chunk
from toolgauge.metrics import PartialTotals
from toolgauge.parallel import LostWorker, WorkResult, executor
from toolgauge.pipeline import ScoringOptions, ScoringPipeline
from toolgauge.store import Spool, append_scored
from toolgauge.traces import ImportReport, Join, ReadOptions, Seen, Source, divide_native, fallback_names, read_chunk

__all__ = ["Lines", "ScoredFiles", "SourceChunk", "divide", "score_in_processes"]

MIN_PER_WORKER = MEBIBYTE
"""A process is not worth its while for fewer bytes."""

CHUNK = MEBIBYTE // 2
"""About so many bytes a process does at once: few enough for all to be done at the same time."""

BLOCK = 64 * 1024
"""How many bytes of lines are put aside at once: a buffer that grew large stays slow."""


@dataclass(frozen=True, slots=True)
class SourceChunk:
    """A chunk of a file, and whose trajectories it holds."""

    path: str
    agent: str | None
    """The name that its trajectories get, if one was given."""
    fallback: str
    """The name of those that have none."""
    chunk: Chunk | None
    """None: all of it."""
    reader: str | None = None
    """The reader of lines that another tool wrote, where they seem to stand for themselves."""


def divide(sources: Sequence[Source], jobs: int) -> list[SourceChunk] | None:
    """Divide files of native lines; None where one is too small for so many processes, or no plain file of traces."""
    found: list[SourceChunk] = []
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        chunks = _divide_file(source.path, jobs)
        if chunks is None:
            return None
        found += [SourceChunk(os.fspath(source.path), source.agent, fallback, chunk) for chunk in chunks]
    return found


def _divide_file(path: PathLike, jobs: int) -> list[Chunk] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None  # whoever reads it says why it cannot be read
    if not stat.S_ISREG(found.st_mode) or found.st_size < jobs * MIN_PER_WORKER:
        return None
    return divide_native(os.fspath(path), CHUNK)


@dataclass(slots=True)
class ChunkFindings:
    """What depends on the order of lines, of one chunk."""

    report: ImportReport = field(default_factory=ImportReport)
    named: list[str] = field(default_factory=list)
    """The agents that its worker saw in it for the first time."""
    agents: list[str] = field(default_factory=list)
    """The same of those that have a trajectory of some case."""


@dataclass(slots=True)
class WorkerFindings:
    """What one worker has added up over all of its chunks."""

    totals: PartialTotals
    seen: Seen
    kept: int
    """How many trajectories are kept."""


class Lines:
    """The lines of a chunk as they stand in a run file."""

    def __init__(self) -> None:
        self._fresh = bytearray()
        self._blocks: list[bytes] = []

    def extend(self, several: Iterable[Scored], /) -> None:
        """Keep some more."""
        append_scored(several, self._fresh)
        if len(self._fresh) >= BLOCK:
            self._blocks.append(bytes(self._fresh))
            self._fresh.clear()

    def take(self) -> bytes:
        """All of them, after which there are none."""
        data = b"".join([*self._blocks, self._fresh])
        self._blocks.clear()
        self._fresh.clear()
        return data


class ScoreChunks:
    """What a worker does: it scores chunks, and adds all of them up."""

    def __init__(self, options: ScoringOptions) -> None:
        """Make ready. What is large is made by the worker itself."""
        self._options = options
        self._lines = Lines()

    @cached_property
    def _pipeline(self) -> ScoringPipeline:
        return ScoringPipeline(self._options, self._lines)

    @cached_property
    def _join(self) -> Join:
        return Join(self._options.suite, ImportReport())

    def process(self, piece: SourceChunk) -> WorkResult[ChunkFindings | None]:
        """Score a chunk; None where something is wrong with it."""
        found = ChunkFindings()
        join, pipeline = self._join, self._pipeline
        join.report = found.report
        named, agents = len(join.agents), len(pipeline.agents)
        assert piece.chunk is not None  # noqa: S101 - native lines are always divided
        lists = read_chunk(piece.path, piece.chunk, ReadOptions(report=found.report))
        try:
            for trajectories in join.in_lists(lists, agent=piece.agent, fallback=piece.fallback):
                pipeline.process(trajectories)
        except (ToolgaugeError, OSError):
            return WorkResult(None)
        found.named, found.agents = list(join.agents)[named:], list(pipeline.agents)[agents:]
        return WorkResult(found, self._lines.take())

    def finish(self) -> WorkerFindings:
        """What was added up."""
        return WorkerFindings(self._pipeline.tally.totals(), self._join.seen(), self._pipeline.kept)


@dataclass(slots=True)
class ScoredFiles:
    """What all workers found."""

    join: Join
    pipeline: ScoringPipeline
    report: ImportReport


def score_in_processes(
    chunks: Sequence[SourceChunk], options: ScoringOptions, jobs: int, spool: Spool, advance: Advance
) -> ScoredFiles | None:
    """Score chunks in other processes.

    Args:
        chunks: The chunks.
        options: How they are scored.
        jobs: How many processes there are.
        spool: Where trajectories are kept; empty.
        advance: Is told how many more trajectories are scored.

    Returns:
        What was found; None where chunks depend on each other, or something is wrong. Then the spool is empty.

    Raises:
        OutputError: There is no room for what is to be kept.
    """
    found = ScoredFiles(Join(options.suite, ImportReport()), ScoringPipeline(options, spool), ImportReport())
    if not _score(found, chunks, options, jobs, spool, advance):
        spool.clear()
        advance(-found.report.read)
        return None
    return found


def _score(
    found: ScoredFiles,
    chunks: Sequence[SourceChunk],
    options: ScoringOptions,
    jobs: int,
    spool: Spool,
    advance: Advance,
) -> bool:
    """Whether all chunks could be scored one by one."""
    named: dict[str, None] = {}
    agents: dict[str, None] = {}
    with executor(min(jobs, len(chunks))).open(ScoreChunks(options)) as session:
        for _, result in session.results(chunks):
            if result is None or result.answer is None:
                return False
            spool.append_lines(result.data)
            found.report.merge(result.answer.report)
            advance(result.answer.report.read)
            named.update(dict.fromkeys(result.answer.named))
            agents.update(dict.fromkeys(result.answer.agents))
        try:
            rests = session.finish()
        except LostWorker:
            return False
    for rest in rests:
        if not found.join.merge(rest.seen):
            return False
        found.pipeline.merge(rest.totals, rest.kept)
    if found.join.mixes_agents:
        return False
    found.join.put_in_order(named)
    found.pipeline.put_in_order(agents)
    return True
