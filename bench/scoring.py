"""What scoring costs beside reading: time, memory, growth with the number of trajectories, and a second process."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .measuring import Part, Ran, best, least_processor, run, work
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
    shared: list[Ran] = []
    for _ in range(ROUNDS):
        decoded.append(work("decode", traces))
        named.append(work("names", suite, traces))
        scored.append(work("score", suite, traces, output))
        if with_jobs:
            shared.append(work("score", suite, traces, output, "--jobs", "2"))
        small.append(work("score", suite, fewer, output))
    whole, processor = best(scored), least_processor(scored)
    reading, reading_processor = best(decoded), least_processor(decoded)
    growth = (best(scored) / size) / (best(small) / (size // 10))
    growth_processor = (least_processor(scored) / size) / (least_processor(small) / (size // 10))
    memory = max(ran.memory for ran in scored)

    def row(what: str, seconds: float, of_processor: float, wanted: str = "") -> tuple[str, ...]:
        ratios = f"{seconds / reading:.1f} ×", f"{of_processor / reading_processor:.1f} ×"
        return (what, f"{seconds:.2f} s", *ratios, wanted)

    rows: list[tuple[str, ...]] = [
        row("msgspec decodes the file to the same types", reading, reading_processor),
        row("names of the tools only", best(named), least_processor(named)),
        row("toolgauge, scores written and report drawn", whole, processor, "≤ 8 ×"),
        (
            f"cost per trajectory against {size // 10:,}",
            f"{1e6 * whole / size:.1f} µs",
            f"{growth:.2f} ×",
            f"{growth_processor:.2f} ×",
            "≤ 1.15 ×",
        ),
        ("most memory", f"{memory / 1e6:.0f} MB", "", "", "< 60 MB"),
    ]
    notes: tuple[str, ...] = ()
    if with_jobs:
        faster = best(scored) / best(shared)
        rows.append(("with --jobs 2", f"{best(shared):.2f} s", f"{faster:.2f} × faster", "", "≥ 1.6 × faster"))
    else:
        notes = ("`--jobs` was skipped: this version of `toolgauge score` does not have it.",)
    about = (
        f"{size:,} trajectories of a suite of {CASES:,} cases, one process unless said otherwise; the best of {ROUNDS} "
        "rounds in turn, without starting Python."
    )
    return Part("Scoring", about, ("what", "taken", "ratio", "of processor time", "wanted"), rows, notes)


def _has_jobs() -> bool:
    return "--jobs" in run([sys.executable, "-m", "toolgauge", "score", "--help"]).output
