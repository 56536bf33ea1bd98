"""Scoring a large file in several processes: each scores a share of its lines, and the results are put together.

What one share finds can depend on another only where lines leave open which trial they are. Then, or where something is
wrong with a line, there is no result, and the file has to be scored by one process, which also says what is wrong.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

from toolgauge.core import Suite, without_cycles
from toolgauge.errors import ToolgaugeError
from toolgauge.intake import Intake, Keep
from toolgauge.stats import Totals
from toolgauge.store import Spool
from toolgauge.traces import ImportReport, Join, is_native, read_in_lists

if TYPE_CHECKING:
    from ctypes import c_byte

__all__ = ["Outcome", "Part", "Settings", "score_in_shares", "share_out"]

SMALLEST = 1024 * 1024
"""Shares of fewer bytes are not worth a process."""

PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """How every share is scored."""

    suite: Suite
    label: str | None
    keep: Keep
    grounding: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a file: its lines between two offsets."""

    path: str
    agent: str | None
    fallback: str
    start: int
    end: int


@dataclass(slots=True)
class Outcome:
    """What was found in a share, or in several."""

    totals: list[Totals]
    join: Join
    report: ImportReport
    agents: dict[str, None]
    """The agents, in the order in which they appeared."""
    kept: int
    """How many trajectories were kept."""

    def merge(self, later: Outcome) -> bool:
        """Add what was found in a later share; False where it depends on this one. Then this is of no more use."""
        if not self.join.merge(later.join):
            return False
        self.totals += later.totals
        self.report.merge(later.report)
        self.agents.update(later.agents)
        self.kept += later.kept
        return True


def share_out(path: str, agent: str | None, fallback: str, jobs: int) -> list[Part] | None:
    """Divide a JSONL file into shares of whole lines; None where it is too small, or no plain file of traces."""
    try:
        size = os.stat(path).st_size
        with open(path, "rb") as stream:
            first = stream.readline(PIECE).lstrip(b"\xef\xbb\xbf \t\r\n")
            # A run file begins with a header, and a list of trajectories has no lines of its own.
            if not first.startswith(b"{") or not first.endswith(b"}\n") or b'"schema"' in first[:200]:
                return None
            # Records of other tools may belong together, and are read by one process.
            if not is_native(first):
                return None
            bounds = [0, *(_next_line(stream, size * share // jobs) for share in range(1, jobs)), size]
    except OSError:
        return None
    parts = [Part(path, agent, fallback, *bounds[share : share + 2]) for share in range(jobs)]
    return parts if all(part.end - part.start >= SMALLEST for part in parts) else None


def _next_line(stream: IO[bytes], offset: int) -> int:
    """The offset of the first line that begins after this one."""
    stream.seek(offset)
    while (piece := stream.readline(PIECE)) and not piece.endswith(b"\n"):
        continue
    return stream.tell()


def score_in_shares(parts: Sequence[Part], settings: Settings, jobs: int, spool: Spool) -> Outcome | None:
    """Score shares in processes of their own.

    Args:
        parts: The shares.
        settings: How they are scored.
        jobs: How many processes there are.
        spool: Where trajectories are kept; empty.

    Returns:
        What was found; None where the shares depend on each other or something is wrong. Then the spool is empty.
    """
    with TemporaryDirectory(prefix="toolgauge-") as folder:
        places = _places(folder, len(parts), spool)
        found = _at_once(parts, places, settings, jobs)
        whole = found[0]
        if whole is None or not all(later is not None and whole.merge(later) for later in found[1:]):
            spool.clear()
            return None
        for path, begin in places:
            if not begin:
                spool.append_lines(path)
        return whole


def _places(folder: str, count: int, spool: Spool) -> list[tuple[str, int]]:
    """Into which files the processes write, and from where on; the first one writes into the spool, if that can be."""
    first = spool.place()
    own = [os.path.join(folder, f"scored-{number}") for number in range(0 if first is None else 1, count)]
    for path in own:
        Path(path).touch()
    return [*([] if first is None else [first]), *((path, 0) for path in own)]


def _at_once(
    parts: Sequence[Part], places: Sequence[tuple[str, int]], settings: Settings, jobs: int
) -> Sequence[Outcome | None]:
    import multiprocessing
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    # Without a lock, which a process that is killed would never give back.
    stop = context.RawValue("b", 0)
    with ProcessPoolExecutor(min(jobs, len(parts)), context, _begin, (stop,)) as pool:
        try:
            return list(pool.map(partial(_score_if_possible, settings), parts, places))
        except BrokenExecutor:
            return [None]  # a process was ended from outside; the parent does all of its work
        finally:
            stop.value = 1
            pool.shutdown(wait=False, cancel_futures=True)


_stops: list[c_byte] = []
"""In a process that scores shares, what tells it that nobody waits for them any more."""


class _Stopped(Exception):  # noqa: N818 - no error
    """Nobody waits for the share any more."""


def _begin(stop: c_byte) -> None:
    # An interrupt goes to all processes; the parent says so, and stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _stops[:] = [stop]


def _score_if_possible(settings: Settings, part: Part, place: tuple[str, int]) -> Outcome | None:
    try:
        with Spool.into(*place) as spool:
            outcome = _score(settings, part, spool)
            spool.hand_over()
            return outcome
    except (ToolgaugeError, OSError, _Stopped):
        return None  # one process finds it again, and says what it is


def _score(settings: Settings, part: Part, spool: Spool) -> Outcome:
    report = ImportReport()
    join = Join(settings.suite, report)
    intake = Intake(settings.suite, by=settings.label, keep=settings.keep, keeper=spool, grounding=settings.grounding)
    with without_cycles():
        found = read_in_lists(part.path, span=(part.start, part.end), input_format="jsonl", report=report)
        for trajectories in join.in_lists(found, agent=part.agent, fallback=part.fallback):
            if any(stop.value for stop in _stops):
                raise _Stopped
            intake.take(trajectories)
    return Outcome([intake.tally.totals()], join, report, intake.agents, intake.kept)
