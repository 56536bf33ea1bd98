"""Measures how long typed answers take, beside another checkout such as that of an earlier commit.

    python -m bench.answers PATH [--rounds 5]

PATH is the top of the other checkout. Both score the same judged answers of `tests/answers`, and long outputs; each in
a process of its own, in turn.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from .beside import Checkout
from .measuring import ROOT, Part

__all__ = ["measure"]

JUDGED = [ROOT / "tests" / "answers" / name for name in ("items.jsonl", "development.jsonl")]
LIMIT = 3.0
"""How many times as long as before an answer may take."""


def measure(other: Path, rounds: int) -> Part:
    """Measure both checkouts in turn."""
    then, now = Checkout(other), Checkout(ROOT)
    before: dict[str, list[float]] = {}
    after: dict[str, list[float]] = {}
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        for _ in range(rounds):
            for checkout, taken in ((then, before), (now, after)):
                ran = checkout.python(ROOT / "bench" / "answers_work.py", *JUDGED, folder=Path(name))
                for what, seconds in json.loads(ran.output.strip().splitlines()[-1]).items():
                    taken.setdefault(what, []).append(seconds)
    rows = [
        (
            what,
            _shown(median(before[what])),
            _shown(median(after[what])),
            f"{median(after[what]) / median(before[what]):.1f} ×",
        )
        for what in before
    ]
    about = f"Processor time an answer, medians of {rounds} rounds in turn; wanted at most {LIMIT:g} × for each type."
    return Part("Typed answers", about, ("answers", "before", "now", "now / before"), rows)


def _shown(seconds: float) -> str:
    return f"{seconds * 1e6:,.0f} µs" if seconds < 0.01 else f"{seconds * 1e3:,.0f} ms"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    found = measure(given.other.resolve(), given.rounds)
    print(found.title, found.about, sep="\n")
    for row in (found.header, *found.rows):
        print("| " + " | ".join(row) + " |")
