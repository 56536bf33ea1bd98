"""The processes that share a file: this one and its helpers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from pickle import PickleError
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from toolgauge.core import without_cycles
from toolgauge.errors import ToolgaugeError
from toolgauge.intake import Settings
from toolgauge.store import Spool

from .board import Board, Stopped
from .dividing import Piece
from .output import Place
from .worker import Findings, Shared, Worker

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

__all__ = ["score_in_shares"]


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to do, for every process."""

    settings: Settings
    pieces: list[Piece]
    folder: str
    """Where the board is."""
    place: Place | None

    @contextmanager
    def board(self, alive: Callable[[], bool]) -> Iterator[Board]:
        """The board, on which it says so when the work is given up."""
        with Board(self.folder, len(self.pieces), alive=alive) as board:
            try:
                yield board
            except BaseException:
                board.stop()
                raise

    @contextmanager
    def worker(self, board: Board) -> Iterator[Worker]:
        """A worker that has done all it can."""
        with Worker(self.settings, self.pieces, board, self.place) as worker, without_cycles():
            worker.run()
            yield worker


def score_in_shares(pieces: list[Piece], settings: Settings, jobs: int, spool: Spool) -> Shared | None:
    """Score pieces in this process and others.

    Args:
        pieces: The pieces.
        settings: How they are scored.
        jobs: How many processes there are.
        spool: Where trajectories are kept; empty.

    Returns:
        What was found; None where pieces depend on each other or something is wrong. Then the spool is empty.
    """
    with TemporaryDirectory(prefix="toolgauge-") as folder:
        Board.prepare(folder, len(pieces))
        place = _place(folder, settings, spool)
        try:
            shared = _share(Task(settings, pieces, folder, place), min(jobs, len(pieces)) - 1)
        except (ToolgaugeError, OSError, EOFError, Stopped):
            shared = None  # one process finds it again, and says what it is
        if shared is None:
            spool.clear()
        elif place is not None:
            spool.take_over(place)
            shared.intake.keep_in(spool)
        return shared


def _place(folder: str, settings: Settings, spool: Spool) -> Place | None:
    """Where all processes write."""
    if settings.keep == "none":
        return None
    place = spool.place()
    if place is None:
        place = (os.path.join(folder, "lines"), 0)
        Path(place[0]).touch()
    return place


def _share(task: Task, others: int) -> Shared | None:
    with (
        _helping(task, others) as helpers,
        task.board(lambda: all(map(_Helper.is_well, helpers))) as board,
        task.worker(board) as worker,
    ):
        found = [helper.findings() for helper in helpers]
        return None if None in found else worker.with_others(filter(None, found))


@contextmanager
def _helping(task: Task, count: int) -> Iterator[list[_Helper]]:
    """Helpers that are at work; as many as can be had."""
    helpers: list[_Helper] = []
    try:
        with suppress(OSError, PickleError, AttributeError, TypeError):
            # Without any of them, this process does all of the work.
            for _ in range(count):
                helpers.append(_Helper(task))
        yield helpers
    finally:
        for helper in helpers:
            helper.end()


class _Helper:
    """Another process, and how it answers."""

    def __init__(self, task: Task) -> None:
        context = get_context("fork" if sys.platform == "linux" else "spawn")
        self._answers, theirs = context.Pipe(duplex=False)
        with theirs:
            self._process: BaseProcess = context.Process(target=_help, args=(task, theirs), daemon=True)  # type: ignore[attr-defined]
            self._process.start()

    def is_well(self) -> bool:
        """Whether it is at work, or has done it."""
        return self._process.exitcode in (None, 0)

    def findings(self) -> Findings | None:
        """What it found; None where something was wrong.

        Raises:
            EOFError: It was ended from outside.
        """
        found: Findings | None = self._answers.recv()
        return found

    def end(self) -> None:
        """Wait for its end, which is near: either it has answered, or it reads on the board that nobody waits."""
        self._answers.close()
        self._process.join()


def _help(task: Task, answers: Connection[Findings | None, None]) -> None:
    # An interrupt goes to all processes; the first one says so, and stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    first = parent_process()
    found = None
    with (
        suppress(ToolgaugeError, OSError, Stopped),
        task.board(lambda: first is None or first.is_alive()) as board,
        task.worker(board) as worker,
    ):
        found = worker.findings()
    with suppress(BrokenPipeError):
        answers.send(found)
