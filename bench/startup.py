"""How long the command needs to start."""

from __future__ import annotations

import sys
from tempfile import TemporaryDirectory

from .measuring import Part, best, run

__all__ = ["measure"]

ROUNDS = 15


def measure() -> Part:
    """Compare the help of the command with a program that does nothing."""
    empty, helped, reported = [], [], []
    with TemporaryDirectory(prefix="toolgauge-bench-") as folder:
        # Byte code is kept, as it is where toolgauge was installed.
        environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        for _ in range(ROUNDS):
            empty.append(run([sys.executable, "-c", "pass"], environment=environment))
            helped.append(run([sys.executable, "-m", "toolgauge", "--help"], environment=environment))
            reported.append(run([sys.executable, "-m", "toolgauge", "score", "--help"], environment=environment))
    nothing = best(empty)
    rows = [
        (name, f"{1000 * best(runs):.0f} ms", f"{best(runs) / nothing:.1f} ×")
        for name, runs in (
            ("python -c pass", empty),
            ("toolgauge --help", helped),
            ("toolgauge score --help", reported),
        )
    ]
    return Part("Start", f"The best of {ROUNDS} rounds in turn, with byte code kept.", ("what", "taken", "ratio"), rows)
