"""The processes that share a file: this one and its helpers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from pickle import PickleError
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from toolgauge.core import without_cycles
from toolgauge.errors import ToolgaugeError
from toolgauge.pipeline import ResultSink, ScoringOptions
from toolgauge.store import Spool

from .board import Board, Stopped
from .dividing import Piece
from .output import Place
from .worker import Findings, Shared, Worker

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["score_in_shares"]


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to do, for every process."""

    options: ScoringOptions
    pieces: list[Piece]
    folder: str
    """Where the board is."""
    place: Place | None

    def board(self, alive: Callable[[], bool]) -> Board:
        """The board, for a process that depends on others being alive."""
        return Board(self.folder, len(self.pieces), alive=alive)

    @contextmanager
    def worker(self, board: Board) -> Iterator[Worker]:
        """A worker that has done all it can."""
        with Worker(self.options, self.pieces, board, self.place) as worker, without_cycles():
            worker.run()
            yield worker


def score_in_shares(pieces: list[Piece], options: ScoringOptions, jobs: int, sink: ResultSink) -> Shared | None:
    """Score pieces in this process and others.

    Args:
        pieces: The pieces.
        options: How they are scored.
        jobs: How many processes there are.
        sink: Where trajectories are kept; empty.

    Returns:
        What was found; None where pieces depend on each other, something is wrong, or the sink takes no lines that
        others have written. Then the sink is empty.
    """
    spool = sink if isinstance(sink, Spool) else Spool() if options.keep == "none" else None
    if spool is None:
        return None
    try:
        return _score_in(pieces, options, jobs, spool)
    except (ToolgaugeError, OSError, Stopped):
        # One process finds it again, and says what it is.
        spool.clear()
        return None


def _score_in(pieces: list[Piece], options: ScoringOptions, jobs: int, spool: Spool) -> Shared | None:
    with TemporaryDirectory(prefix="toolgauge-") as folder:
        Board.prepare(folder, len(pieces))
        place = _place(folder, options, spool)
        shared = _share(Task(options, pieces, folder, place), min(jobs, len(pieces)) - 1)
        if shared is None:
            spool.clear()
        elif place is not None:
            spool.take_over(place)
            shared.pipeline.redirect(spool)
        return shared


def _place(folder: str, options: ScoringOptions, spool: Spool) -> Place | None:
    """Where all processes write."""
    if options.keep == "none":
        return None
    place = spool.place()
    if place is None:
        place = (os.path.join(folder, "lines"), 0)
        Path(place[0]).touch()
    return place


def _share(task: Task, others: int) -> Shared | None:
    helpers: list[_Helper] = []
    with (
        task.board(lambda: all(map(_Helper.is_well, helpers))) as board,
        _ended(helpers),
        board.stopped_on_failure(),
    ):
        _start(helpers, others, task)
        with task.worker(board) as worker:
            return worker.with_others(_answers(helpers))


def _start(helpers: list[_Helper], count: int, task: Task) -> None:
    """Start as many helpers as can be had."""
    # Without any, this process does all of the work. One that is a helper itself may have none.
    with suppress(OSError, PickleError, AttributeError, TypeError, AssertionError):
        for _ in range(count):
            helpers.append(_Helper(task, helpers))


@contextmanager
def _ended(helpers: Sequence[_Helper]) -> Iterator[None]:
    """See to it that all helpers have ended."""
    try:
        yield
    finally:
        # Nobody listens any more, so that none of them waits to be heard.
        for helper in helpers:
            helper.answers.close()
        for helper in helpers:
            helper.process.join()


def _answers(helpers: Sequence[_Helper]) -> Iterator[Findings]:
    """What the helpers found.

    Raises:
        Stopped: One of them has nothing to say. Others may wait for it, and are not waited for.
    """
    while silent := [helper.answers for helper in helpers if helper.findings is None]:
        wait(silent)
        if not all(map(_Helper.is_well, helpers)):
            raise Stopped
    return (helper.findings for helper in helpers if helper.findings is not None)


class _Helper:
    """Another process, and how it answers."""

    def __init__(self, task: Task, others: Sequence[_Helper]) -> None:
        forks = sys.platform == "linux"
        context = get_context("fork" if forks else "spawn")
        self.answers, theirs = context.Pipe(duplex=False)
        self.findings: Findings | None = None
        """What it found, once it has answered."""
        # What a fork has open without knowing would keep pipes open that nobody reads.
        inherited = [self.answers, *(other.answers for other in others)] if forks else []
        with theirs, _signals_held():
            self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]  # each kind of context has it
                target=_help, args=(task, theirs, inherited), daemon=True
            )
            self.process.start()

    def is_well(self) -> bool:
        """Whether it is at work, or has done it; not where something was wrong, or it was ended from outside."""
        if self.findings is not None:
            return True
        try:
            if not self.answers.poll():
                return True
            self.findings = self.answers.recv()
        except (EOFError, OSError):
            return False
        return self.findings is not None


HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let signals wait that a process which begins here would not know how to take."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _help(task: Task, answers: Connection[Findings | None, None], inherited: Sequence[Connection]) -> None:
    # An interrupt goes to all processes; the first one says so, and stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
    for connection in inherited:
        connection.close()
    first = parent_process()
    found = None
    with (
        suppress(ToolgaugeError, OSError, Stopped),
        task.board(lambda: first is None or first.is_alive()) as board,
        board.stopped_on_failure(),
        task.worker(board) as worker,
    ):
        found = worker.findings()
    with suppress(BrokenPipeError):
        answers.send(found)
