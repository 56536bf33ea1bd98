"""The pieces of work that are compared, each run in a process of its own.

It prints how many seconds went by, and how many of these the processor worked for it.

`python -m bench.work PIECE ARGUMENTS`; loading modules is not part of the time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO

import msgspec

from toolgauge import api
from toolgauge.cli.score import command
from toolgauge.core import Trajectory
from toolgauge.report import Report, render
from toolgauge.suites import load_suite

__all__ = ["PIECES"]


def decode(traces: str) -> None:
    """Decode every line to a trajectory, and nothing else."""
    decode_line = msgspec.json.Decoder(Trajectory).decode
    with open(traces, "rb") as stream:
        for line in stream:
            decode_line(line)


def names(suite: str, traces: str) -> None:
    """Decode every line, and compare the names of the tools with those expected."""
    wanted = {case.id: {call.tool for call in case.expect.calls or ()} for case in load_suite(suite).cases}
    decode_line = msgspec.json.Decoder(Trajectory).decode
    right = found = missed = extra = 0
    with open(traces, "rb") as stream:
        for line in stream:
            trajectory = decode_line(line)
            expected = wanted[trajectory.case]
            called = {call.tool for call in trajectory.calls if call.error is None}
            hits = len(expected & called)
            found += hits
            missed += len(expected) - hits
            extra += len(called) - hits
            right += called == expected


def score(suite: str, traces: str, output: str, *more: str) -> None:
    """Score everything as the command does, with a score per trajectory written to a file."""
    command.main([suite, traces, "--format", "run", "-o", output, *more], standalone_mode=False)


def draw(suite: str, traces: str) -> Callable[[], None]:
    """Score first, off the clock; the work is to draw the report."""
    run = api.score(suite, traces, keep="none")

    def work() -> None:
        for _ in render(Report(run), "text"):
            continue

    return work


PIECES: dict[str, Callable[..., Callable[[], None] | None]] = {
    "decode": decode,
    "names": names,
    "score": score,
    "draw": draw,
}


def main() -> None:
    """Do the work that the command line names."""
    name, *arguments = sys.argv[1:]
    piece = PIECES[name]
    with redirect_stdout(StringIO()):
        started = _clocks()
        later = piece(*arguments)
        if later is not None:
            started = _clocks()
            later()
        ended = _clocks()
    print(*(after - before for after, before in zip(ended, started, strict=True)))


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


if __name__ == "__main__":
    main()
