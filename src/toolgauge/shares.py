"""Scoring a large file in several processes: each scores a share of its lines, and the results are put together.

What one share finds can depend on another only where lines leave open which trial they are. Then, or where something is
wrong with a line, there is no result, and the file has to be scored by one process, which also says what is wrong.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Literal

from toolgauge.core import Scored, Suite, without_cycles
from toolgauge.errors import ToolgaugeError
from toolgauge.scoring import Scorer
from toolgauge.stats import Tally
from toolgauge.store import Spool, append_scored
from toolgauge.traces import ImportReport, Join, is_native, read_traces

__all__ = ["Keep", "Part", "Settings", "score_in_shares", "share_out"]

Keep = Literal["all", "failed", "none"]
"""Which trajectories a run holds when it is scored; its summary rests on all of them."""

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
class _Outcome:
    """What a process found in its share."""

    tally: Tally
    join: Join
    report: ImportReport
    lines: Path
    """The trajectories that are kept, as lines of a run file."""
    count: int = 0
    agents: dict[str, None] = field(default_factory=dict)


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


def score_in_shares(
    parts: Sequence[Part], settings: Settings, jobs: int, tally: Tally, join: Join, report: ImportReport, spool: Spool
) -> tuple[dict[str, None], int] | None:
    """Score shares in processes of their own, and add what they find to the tally, join, report and spool.

    Returns:
        The agents in the order in which they appear and how many trajectories were kept; None where the shares depend
        on each other or something is wrong: then nothing was added.
    """
    with TemporaryDirectory(prefix="toolgauge-") as folder:
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        with context.Pool(min(jobs, len(parts)), _leave_signals_to_the_parent) as pool:
            found = pool.map(partial(_score_if_possible, settings, folder), enumerate(parts), chunksize=1)
        outcomes = [outcome for outcome in found if outcome is not None]
        if len(outcomes) < len(parts) or not all(join.merge(outcome.join) for outcome in outcomes):
            return None
        agents: dict[str, None] = {}
        for outcome in outcomes:
            tally.merge(outcome.tally)
            report.merge(outcome.report)
            agents.update(outcome.agents)
            spool.append_lines(outcome.lines)
        return agents, sum(outcome.count for outcome in outcomes)


def _leave_signals_to_the_parent() -> None:
    """An interrupt goes to all processes; the parent says so, and ends the others quietly."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _score_if_possible(settings: Settings, folder: str, numbered: tuple[int, Part]) -> _Outcome | None:
    try:
        return _score(settings, folder, numbered)
    except (ToolgaugeError, OSError):
        return None  # one process finds it again, and says what it is


def _score(settings: Settings, folder: str, numbered: tuple[int, Part]) -> _Outcome:
    number, part = numbered
    report = ImportReport()
    join = Join(settings.suite, report)
    tally = Tally(settings.suite, by=settings.label)
    scorer = Scorer(settings.suite, grounding=settings.grounding)
    outcome = _Outcome(tally, join, report, Path(folder, f"scored-{number}"))
    share = Path(folder, f"share-{number}")
    with share.open("wb") as stream:
        stream.writelines(_pieces(part))
    buffer = bytearray()
    with outcome.lines.open("wb") as lines, without_cycles():
        found = read_traces(share, input_format="jsonl", report=report)
        for trajectory in join(found, agent=part.agent, fallback=part.fallback):
            verdict = scorer.score(trajectory)
            tally.add(trajectory, verdict)
            outcome.agents.setdefault(trajectory.agent)
            if settings.keep == "all" or (settings.keep == "failed" and not verdict.passed):
                append_scored(Scored(trajectory, verdict), buffer)
                outcome.count += 1
                if len(buffer) > PIECE:
                    lines.write(buffer)
                    buffer.clear()
        lines.write(buffer)
    share.unlink()
    return outcome


def _pieces(part: Part) -> Iterator[bytes]:
    with open(part.path, "rb") as stream:
        stream.seek(part.start)
        left = part.end - part.start
        while left and (piece := stream.read(min(PIECE, left))):
            left -= len(piece)
            yield piece
