"""What scoring costs beside reading: time, memory, growth with the number of trajectories, and a second process."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .measuring import Part, Ran, best, run, work
from .scoring_data import CASES, write_data

__all__ = ["measure"]

ROUNDS = 3


def measure(size: int) -> Part:
    """Measure with this many trajectories, and with a tenth of them."""
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        folder = Path(name)
        suite, traces = write_data(folder, size)
        _, fewer = write_data(folder, size // 10)
        return _table(suite, traces, fewer, folder / "out.run.jsonl", size)


def _table(suite: Path, traces: Path, fewer: Path, output: Path, size: int) -> Part:
    with_jobs = _has_jobs()
    decoded: list[Ran] = []
    named: list[Ran] = []
    scored: list[Ran] = []
    small: list[Ran] = []
    drawn: list[Ran] = []
    shared: list[Ran] = []
    for _ in range(ROUNDS):
        decoded.append(work("decode", traces))
        named.append(work("names", suite, traces))
        scored.append(work("score", suite, traces, output))
        if with_jobs:
            shared.append(work("score", suite, traces, output, "--jobs", "2"))
        small.append(work("score", suite, fewer, output))
        drawn.append(work("draw", suite, fewer))
    reading, whole = best(decoded), best(scored) + best(drawn)
    growth = (best(scored) / size) / (best(small) / (size // 10))
    memory = max(ran.memory for ran in scored)
    rows = [
        ("msgspec decodes the file to the same types", f"{reading:.2f} s", "1.0 ×", ""),
        ("names of the tools only", f"{best(named):.2f} s", f"{best(named) / reading:.1f} ×", ""),
        ("toolgauge, scores written and report drawn", f"{whole:.2f} s", f"{whole / reading:.1f} ×", "≤ 8 ×"),
        (f"cost per trajectory against {size // 10:,}", f"{1e6 * whole / size:.1f} µs", f"{growth:.2f} ×", "≤ 1.15 ×"),
        ("most memory", f"{memory / 1e6:.0f} MB", "", "< 60 MB"),
    ]
    notes: tuple[str, ...] = ()
    if with_jobs:
        faster = best(scored) / best(shared)
        rows.append(("with --jobs 2", f"{best(shared):.2f} s", f"{faster:.2f} × faster", "≥ 1.6 × faster"))
    else:
        notes = ("`--jobs` was skipped: this version of `toolgauge score` does not have it.",)
    about = (
        f"{size:,} trajectories of a suite of {CASES:,} cases, one process unless said otherwise; the best of {ROUNDS} "
        "rounds in turn, without starting Python."
    )
    return Part("Scoring", about, ("what", "taken", "ratio", "wanted"), rows, notes)


def _has_jobs() -> bool:
    return "--jobs" in run([sys.executable, "-m", "toolgauge", "score", "--help"]).output
