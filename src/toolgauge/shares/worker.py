"""What each of the processes does that share a file, and what it finds."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Self

from toolgauge.metrics import PartialTotals
from toolgauge.pipeline import MemorySink, ScoringOptions, ScoringPipeline
from toolgauge.traces import ImportReport, Join, ReadOptions, Seen, read_chunk

from .board import Board
from .dividing import Piece
from .output import Output, Place

__all__ = ["Done", "Findings", "Shared", "Worker"]


@dataclass(slots=True)
class Done:
    """What is told of a piece that depends on the order of lines."""

    number: int
    report: ImportReport = field(default_factory=ImportReport)
    named: list[str] = field(default_factory=list)
    """The agents that its process saw in it for the first time."""
    agents: list[str] = field(default_factory=list)
    """The same of those that have a trajectory of some case."""


@dataclass(slots=True)
class Findings:
    """What one process found in all of its pieces."""

    totals: PartialTotals
    seen: Seen
    done: list[Done]
    kept: int
    """How many trajectories were kept."""


@dataclass(slots=True)
class Shared:
    """What all processes found."""

    join: Join
    pipeline: ScoringPipeline
    report: ImportReport


class Worker:
    """Scores one piece after the other. Use it as a context manager."""

    def __init__(self, options: ScoringOptions, pieces: list[Piece], board: Board, place: Place | None) -> None:
        """Make ready.

        Args:
            options: How they are scored.
            pieces: All of them, of which others do some.
            board: Tells which.
            place: Where the lines of a run file are written; None: nowhere.
        """
        self._pieces = pieces
        self._board = board
        self._opened = ExitStack()
        self._output = None if place is None else self._opened.enter_context(Output(place, board))
        self._join = Join(options.suite, ImportReport())
        self._pipeline = ScoringPipeline(options, self._output or MemorySink())
        self._done: list[Done] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def run(self) -> None:
        """Score pieces until there are none left.

        Raises:
            Stopped: The work is of no more use.
            ToolgaugeError: Something is wrong with a line.
            OSError: Something cannot be read or written.
        """
        while (number := self._board.take()) is not None:
            self._done.append(self._score(number))
            if self._output is not None:
                self._output.end_piece(number)
        if self._output is not None:
            self._output.finish()

    def _score(self, number: int) -> Done:
        piece, done = self._pieces[number], Done(number)
        join, pipeline = self._join, self._pipeline
        join.report = done.report
        named, agents = len(join.agents), len(pipeline.agents)
        found = read_chunk(piece.path, piece.chunk, ReadOptions(report=done.report))
        for trajectories in join.in_lists(found, agent=piece.agent, fallback=piece.fallback):
            self._board.check()
            pipeline.process(trajectories)
        done.named, done.agents = list(join.agents)[named:], list(pipeline.agents)[agents:]
        return done

    def findings(self) -> Findings:
        """What was found, for another process."""
        return Findings(self._pipeline.tally.totals(), self._join.seen(), self._done, self._pipeline.kept)

    def with_others(self, others: Iterable[Findings]) -> Shared | None:
        """What this one and the others found together; None where pieces depend on each other."""
        done = self._done
        for other in others:
            if not self._join.merge(other.seen):
                return None
            self._pipeline.merge(other.totals, other.kept)
            done = [*done, *other.done]
        if self._join.mixes_agents:
            return None
        done = sorted(done, key=attrgetter("number"))
        report = ImportReport()
        for one in done:
            report.merge(one.report)
        self._join.put_in_order(chain.from_iterable(one.named for one in done))
        self._pipeline.put_in_order(chain.from_iterable(one.agents for one in done))
        return Shared(self._join, self._pipeline, report)
