"""The pieces of work that are compared, each run in a process of its own.

It prints how many seconds went by, and how many of these the processor worked for it.

`python -m bench.work PIECE ARGUMENTS`; loading modules is not part of the time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import msgspec

IN_PYTHON = "score-in-python"
if sys.argv[1:2] == [IN_PYTHON]:
    sys.modules["toolgauge.compiled._compiled"] = None  # type: ignore[assignment]  # what cannot be imported

from toolgauge.cli.score import command  # noqa: E402 - only now
from toolgauge.core import Trajectory  # noqa: E402
from toolgauge.suites import load_suite  # noqa: E402

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
    """Score everything as the command does: a score per trajectory goes to one file, the report to another."""
    command.main([suite, traces, "--run-file", output, "-o", f"{output}.txt", *more], standalone_mode=False)


PIECES: dict[str, Callable[..., None]] = {
    "decode": decode,
    "names": names,
    "score": score,
    IN_PYTHON: score,
}


def main() -> None:
    """Do the work that the command line names."""
    name, *arguments = sys.argv[1:]
    started = _clocks()
    PIECES[name](*arguments)
    ended = _clocks()
    print(*(after - before for after, before in zip(ended, started, strict=True)))


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


if __name__ == "__main__":
    main()
