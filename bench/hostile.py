"""How long hostile inputs keep the command busy: the same inputs whose messages and memory the tests look at."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.files.hostile import HOSTILE, Hostile

from .measuring import Part, Ran, best, least_processor, run

__all__ = ["measure"]

ROUNDS = 2


def measure() -> Part:
    """Score each of them, the start of Python included."""
    rows = []
    for hostile in HOSTILE:
        runs = _runs(hostile)
        answer = "refused" if runs[0].code == 2 else "answered" if runs[0].code == 0 else f"exit {runs[0].code}"
        memory = max(ran.memory for ran in runs)
        processor = f"{least_processor(runs):.2f} s"
        rows.append((hostile.name, answer, f"{best(runs):.2f} s", processor, f"{memory / 1e6:.0f} MB"))
    about = f"Wanted: within 1 s and 100 MB, the start of Python included. The best of {ROUNDS} rounds."
    return Part("Hostile inputs", about, ("input", "is", "after", "of processor time", "with"), rows)


def _runs(hostile: Hostile) -> list[Ran]:
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        suite, traces = Path(name) / "suite", Path(name) / "traces"
        hostile.write(suite, traces)
        command = [sys.executable, "-m", "toolgauge", "score", str(suite), str(traces)]
        return [run(command) for _ in range(ROUNDS)]
