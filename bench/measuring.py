"""Running things in processes of their own, and taking down how long they took and how much memory they needed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOT", "Part", "Ran", "best", "least_processor", "run", "work"]

ROOT = Path(__file__).parent.parent

# A process is charged with the memory of the one that starts it, so that has to be a small one.
LAUNCHER = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
ended = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
seconds = time.perf_counter() - started
used = resource.getrusage(resource.RUSAGE_CHILDREN)
memory, processor = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024), used.ru_utime + used.ru_stime
print(json.dumps([ended.returncode, ended.stdout, ended.stderr, seconds, memory, processor]))
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a process ended."""

    code: int
    output: str
    errors: str
    seconds: float
    memory: int
    """The most bytes that it had at one time; of its children, if it has any, the largest counts by itself."""
    processor: float
    """The seconds that the processor worked for it, which other programs disturb less."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one part of the benchmark found, as a table."""

    title: str
    about: str
    """What was measured, in a sentence or two."""
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: tuple[str, ...] = ()
    """What was left out, and why."""


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    directory: Path = ROOT,
    timeout: float = 600,
) -> Ran:
    """Run a command to its end.

    Raises:
        subprocess.TimeoutExpired: It took too long.
    """
    with subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", LAUNCHER, *command],
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **(environment or {})},
        cwd=directory,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except BaseException:
            # The command is a child of the launcher, and would go on without it.
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return Ran(*json.loads(output))


def work(*arguments: str | Path) -> Ran:
    """Run a piece of work of `bench.work`, which prints its own time, in a process of its own."""
    ran = run([sys.executable, "-m", "bench.work", *map(str, arguments)])
    if ran.code:
        raise RuntimeError(f"{arguments}: {ran.errors}")
    seconds, processor = map(float, ran.output.split())
    return Ran(ran.code, ran.output, ran.errors, seconds, ran.memory, processor)


def best(runs: Sequence[Ran]) -> float:
    """The shortest time: what is beyond it is the noise of the machine."""
    return min(ran.seconds for ran in runs)


def least_processor(runs: Sequence[Ran]) -> float:
    """The least time of the processor."""
    return min(ran.processor for ran in runs)
