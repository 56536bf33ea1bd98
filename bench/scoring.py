"""What scoring costs beside reading: time, memory, growth with the number of trajectories, and a second process."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from .measuring import Part, Ran, best, least_processor, work
from .scoring_data import CASES, write_data, write_plain_data

__all__ = ["measure"]

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Data:
    """What is scored."""

    suite: Path
    traces: Path
    fewer: Path
    """A tenth of the traces."""


@dataclass(slots=True)
class Rounds:
    """What the rounds of one kind of data took."""

    decoded: list[Ran] = field(default_factory=list)
    named: list[Ran] = field(default_factory=list)
    scored: list[Ran] = field(default_factory=list)
    in_python: list[Ran] = field(default_factory=list)
    small: list[Ran] = field(default_factory=list)
    shared: list[Ran] = field(default_factory=list)


def measure(size: int) -> Part:
    """Measure with this many trajectories, and with a tenth of them."""
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        folder = Path(name)
        plain, schemas = (
            Data(*write(folder, size), write(folder, size // 10)[1]) for write in (write_plain_data, write_data)
        )
        rows = [
            *_rows(_measure(plain, folder / "out.run.jsonl"), size, "", "≤ 7 ×"),
            *_rows(_measure(schemas, folder / "out.run.jsonl"), size, ", tool schemas and four agents", "≤ 10 ×"),
        ]
    about = (
        f"{size:,} trajectories of a suite of {CASES:,} cases, one process unless said otherwise; the best of {ROUNDS} "
        "rounds in turn, without starting Python. At first one agent and no tool definitions, then both."
    )
    return Part("Scoring", about, ("what", "taken", "ratio", "of processor time", "wanted"), rows)


def _measure(data: Data, output: Path) -> Rounds:
    rounds = Rounds()
    for _ in range(ROUNDS):
        rounds.decoded.append(work("decode", data.traces))
        rounds.named.append(work("names", data.suite, data.traces))
        rounds.scored.append(work("score", data.suite, data.traces, output))
        rounds.in_python.append(work("score-in-python", data.suite, data.traces, output))
        rounds.shared.append(work("score", data.suite, data.traces, output, "--jobs", "2"))
        rounds.small.append(work("score", data.suite, data.fewer, output))
    return rounds


def _rows(rounds: Rounds, size: int, which: str, wanted: str) -> list[tuple[str, ...]]:
    whole, processor = best(rounds.scored), least_processor(rounds.scored)
    reading, reading_processor = best(rounds.decoded), least_processor(rounds.decoded)
    growth = (whole / size) / (best(rounds.small) / (size // 10))
    growth_processor = (processor / size) / (least_processor(rounds.small) / (size // 10))
    memory = max(ran.memory for ran in rounds.scored)
    shared = best(rounds.shared)
    return [
        (f"msgspec decodes the file to the same types{which}", f"{reading:.2f} s", "1.0 ×", "1.0 ×", ""),
        (
            f"names of the tools only{which}",
            f"{best(rounds.named):.2f} s",
            f"{best(rounds.named) / reading:.1f} ×",
            f"{least_processor(rounds.named) / reading_processor:.1f} ×",
            "",
        ),
        (
            f"toolgauge, scores written and report drawn{which}",
            f"{whole:.2f} s",
            f"{whole / reading:.1f} ×",
            f"{processor / reading_processor:.1f} ×",
            wanted,
        ),
        (
            f"the same without the compiled part{which}",
            f"{best(rounds.in_python):.2f} s",
            f"{best(rounds.in_python) / reading:.1f} ×",
            f"{least_processor(rounds.in_python) / reading_processor:.1f} ×",
            "",
        ),
        (
            f"cost per trajectory against {size // 10:,}{which}",
            f"{1e6 * whole / size:.1f} µs",
            f"{growth:.2f} ×",
            f"{growth_processor:.2f} ×",
            "≤ 1.15 ×",
        ),
        (f"most memory{which}", f"{memory / 1e6:.0f} MB", "", "", "< 60 MB"),
        (f"with --jobs 2{which}", f"{shared:.2f} s", f"{whole / shared:.2f} × faster", "", "≥ 1.5 × faster"),
    ]
