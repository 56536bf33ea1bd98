"""Which inputs are tried, by how many processes at a time, and what becomes of those that fail."""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from .execution import execute
from .jobs import Job
from .minimising import minimised
from .surfaces import SURFACES, make_job

__all__ = ["Outcome", "drive"]

CHUNK = 100
"""At most so many jobs are run by one process before another takes its place."""

SAVED = 5
"""Of faults of the same kind on the same surface, only so many are saved by one process."""


@dataclass(slots=True)
class Outcome:
    """What came of it all."""

    inputs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    largest: int = 0

    def add(self, surface: str, found: dict[str, object]) -> None:
        """Count what a process has done."""
        self.inputs[surface] += int(str(found["inputs"]))
        self.faults.update({str(name): int(number) for name, number in dict(found["faults"]).items()})  # type: ignore[call-overload]  # JSON
        self.codes.update({str(name): int(number) for name, number in dict(found["codes"]).items()})  # type: ignore[call-overload]  # JSON
        self.slowest = max(self.slowest, float(str(found["slowest"])))
        self.largest = max(self.largest, int(str(found["largest"])))


def chunks(surfaces: Sequence[str], size: int) -> Iterator[tuple[str, int]]:
    """Surface and first number of chunks, without end: each surface as often as its weight says."""
    share = dict.fromkeys(surfaces, 0.0)
    begun: Counter[str] = Counter()
    while True:
        name = min(share, key=lambda one: (share[one], -SURFACES[one].weight))
        yield name, begun[name]
        inputs = size * SURFACES[name].inputs
        share[name] += inputs / SURFACES[name].weight
        begun[name] += size


def drive(
    surfaces: Sequence[str], seed: int, saved: Path, *, inputs: int | None, minutes: float | None, processes: int
) -> Outcome:
    """Try inputs until there were so many, or the time is over."""
    outcome = Outcome()
    until = time.monotonic() + minutes * 60 if minutes is not None else float("inf")
    running: dict[int, tuple[str, Path]] = {}
    planned = 0
    size = CHUNK if inputs is None else min(CHUNK, max(5, inputs // 200))
    shown = time.monotonic()
    gc.collect()
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="tg-fuzz-") as folder:
        for number, (surface, first) in enumerate(chunks(surfaces, size)):
            if time.monotonic() > until or (inputs is not None and planned >= inputs):
                break
            each = SURFACES[surface].inputs
            count = size if inputs is None else max(1, min(size, (inputs - planned) // each))
            planned += count * each
            while len(running) >= processes:
                _collect(running, outcome)
            result = Path(folder) / str(number)
            pid = os.fork()
            if pid == 0:
                _host(surface, seed, range(first, first + count), saved, result, until)
            running[pid] = (surface, result)
            if time.monotonic() - shown > 30:
                shown = time.monotonic()
                sys.stderr.write(f"{outcome.inputs.total():,} inputs, {outcome.faults.total()} faults\n")
        while running:
            _collect(running, outcome)
    return outcome


def _collect(running: dict[int, tuple[str, Path]], outcome: Outcome) -> None:
    pid, status = os.wait()
    surface, result = running.pop(pid)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"the process that makes jobs for {surface} failed")
    outcome.add(surface, json.loads(result.read_bytes()))


def _host(surface: str, seed: int, numbers: range, saved: Path, result: Path, until: float) -> None:
    """Be a process that makes jobs and runs each in a fork of its own; what it found goes into a file."""
    try:
        for name in SURFACES[surface].needs:
            import_module(name)
        faults: Counter[str] = Counter()
        codes: Counter[str] = Counter()
        inputs, slowest, largest = 0, 0.0, 0
        for number in numbers:
            if time.monotonic() > until:
                break
            job = make_job(surface, seed, number)
            ended = execute(job)
            inputs += job.inputs
            codes[str(ended.code)] += job.inputs
            slowest, largest = max(slowest, ended.seconds), max(largest, ended.memory)
            if ended.fault:
                kind = f"{surface}: {ended.kind}"
                faults[kind] += 1
                if faults[kind] <= SAVED:
                    _save(job, saved / f"{surface}-{seed}-{number}.json", ended.said, ended.fault)
        found = {"inputs": inputs, "faults": faults, "codes": codes, "slowest": slowest, "largest": largest}
        result.write_text(json.dumps(found))
        os._exit(0)
    finally:
        import traceback

        traceback.print_exc()
        os._exit(1)


def _save(job: Job, path: Path, said: str, fault: str) -> None:
    smaller = minimised(job)
    smaller.write(path)
    words = f"{fault}\n{job.command}\npython -m tests.fuzzing --replay {path}\n\n{said}"
    path.with_suffix(".txt").write_text(words, encoding="utf-8", errors="backslashreplace")
