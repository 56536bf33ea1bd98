"""Measures this checkout beside another one, such as that of an earlier commit, in turn and in one run.

    python -m bench.beside PATH [--size 200000] [--megabytes 60] [--rounds 3]

PATH is the top of the other checkout, with its compiled part built. Each piece of work runs in a process of its own
that imports the checkout it belongs to; both read the same files.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from .converting import WRITERS, write_file
from .measuring import ROOT, Part, Ran, best, least_processor, run
from .scoring_data import write_data, write_plain_data

__all__ = ["measure"]

COMPARED_CASES = 20_000
STARTS = 10
TWO_JOBS = "--jobs 2"
RUN_CASES, RUN_CONCURRENCY, RUN_SECONDS = 2_000, 200, 0.05


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout whose code is measured."""

    root: Path

    def python(self, *arguments: str | Path, folder: Path) -> Ran:
        """Run its Python code; byte code is kept in the folder, as an installation keeps it.

        Raises:
            RuntimeError: The process failed.
        """
        environment = {
            "PYTHONPATH": os.pathsep.join([str(self.root / "src"), str(self.root)]),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(folder / f"bytecode-{abs(hash(self.root))}"),
        }
        ran = run([sys.executable, *map(str, arguments)], environment=environment, directory=self.root)
        if ran.code:
            raise RuntimeError(f"{self.root}: {arguments}: {ran.errors}")
        return ran

    def timed(self, *arguments: str | Path, folder: Path) -> Ran:
        """The same of work that prints its own seconds, and those of the processor."""
        ran = self.python(*arguments, folder=folder)
        seconds, processor = map(float, ran.output.split())
        return Ran(ran.code, ran.output, ran.errors, seconds, ran.memory, processor)


Work = Callable[[Checkout], Ran]


def measure(other: Path, size: int, megabytes: int, rounds: int) -> Part:
    """Measure every piece of work of both checkouts in turn."""
    then, now = Checkout(other), Checkout(ROOT)
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        folder = Path(name)
        for what, pieces in (*_scoring(folder, size), *_others(folder, megabytes)):
            taken: dict[str, tuple[list[Ran], list[Ran]]] = {piece: ([], []) for piece in pieces}
            for _ in range(STARTS if what == "start" else rounds):
                for piece, work in pieces.items():
                    taken[piece][0].append(work(then))
                    taken[piece][1].append(work(now))
            rows.extend(_row(what, piece, taken) for piece in pieces)
            if TWO_JOBS in pieces:
                notes.append(_speed_up(what, taken))
            print(*rows[-len(pieces) :], sep="\n", file=sys.stderr, flush=True)
    about = (
        f"The checkout before and this one in turn, the best of {rounds} rounds: {size:,} trajectories scored, "
        f"{megabytes} MB converted, two runs of {COMPARED_CASES:,} cases compared, {RUN_CASES:,} cases run. "
        "In brackets the time as a multiple of the first piece of its group; behind it the median of the rounds, each "
        "piece as a multiple of what the first took in the same round."
    )
    header = ("group", "piece", "before", "median", "now", "median", "now / before", "processor", "memory before",
              "memory now")  # fmt: skip
    return Part("Beside another checkout", about, header, rows, tuple(notes))


def _scoring(folder: Path, size: int) -> Sequence[tuple[str, dict[str, Work]]]:
    groups = []
    for what, write in (("scoring", write_plain_data), ("schemas, four agents", write_data)):
        suite, traces = write(folder, size)
        output = folder / "out.run.jsonl"

        def work(
            piece: str, *more: str, suite: Path = suite, traces: Path = traces, output: Path = output
        ) -> Callable[[Checkout], Ran]:
            given = [traces] if piece == "decode" else [suite, traces, output, *more]
            return lambda checkout: checkout.timed("-m", "bench.work", piece, *given, folder=folder)

        pieces = {
            "decode": work("decode"),
            "score": work("score"),
            "without the compiled part": work("score-in-python"),
            TWO_JOBS: work("score", "--jobs", "2"),
        }
        groups.append((what, pieces))
    return groups


def _others(folder: Path, megabytes: int) -> Sequence[tuple[str, dict[str, Work]]]:
    groups: list[tuple[str, dict[str, Work]]] = []
    for what, write in WRITERS.items():
        path = folder / f"{what.replace(' ', '-')}.jsonl"
        write_file(path, write(random.Random(7)), megabytes)

        def untyped(checkout: Checkout, path: Path = path) -> Ran:
            return checkout.timed("-m", "bench.converting", "untyped", path, folder=folder)

        def convert(*more: str, path: Path = path) -> Work:
            # The whole command: which modules are loaded when is not the same in both checkouts.
            command: list[str | Path] = ["-m", "toolgauge", "convert", path, "-o", folder / "converted.jsonl", *more]
            return lambda checkout: checkout.python(*command, folder=folder)

        groups.append((what, {"decode untyped": untyped, "one process": convert("--jobs", "1"), "several": convert()}))
    groups.append(("comparing", {"compare": lambda checkout: _compare(checkout, folder)}))

    def running(way: str) -> Work:
        def work(checkout: Checkout) -> Ran:
            script = checkout.root / "bench" / "running_work.py"
            ran = checkout.python(script, way, str(RUN_CASES), str(RUN_CONCURRENCY), str(RUN_SECONDS), folder=folder)
            seconds, processor, memory = json.loads(ran.output.strip().splitlines()[-1])[:3]
            return Ran(ran.code, ran.output, ran.errors, float(seconds), int(memory), float(processor))

        return work

    groups.append(("running", {way: running(way) for way in ("bare asyncio", "toolgauge, in memory",
                                                             "toolgauge, stored")}))  # fmt: skip
    groups.append(
        (
            "start",
            {
                "python -c pass": lambda checkout: checkout.python("-c", "pass", folder=folder),
                "--help": lambda checkout: checkout.python("-m", "toolgauge", "--help", folder=folder),
                "score --help": lambda checkout: checkout.python("-m", "toolgauge", "score", "--help", folder=folder),
            },
        )
    )
    return groups


def _compare(checkout: Checkout, folder: Path) -> Ran:
    """Compare two runs that the checkout has written itself: one does not read what newer rules have scored."""
    place = folder / f"runs-{abs(hash(checkout.root))}"
    if not place.exists():
        place.mkdir()
        write = "import sys; from pathlib import Path; from bench.comparing import write_runs; "
        write += "write_runs(Path(sys.argv[1]), int(sys.argv[2]))"
        checkout.python("-c", write, place, str(COMPARED_CASES), folder=folder)
    files = sorted(place.glob("*.run.jsonl"))
    return checkout.python("-m", "toolgauge", "compare", *files, "--format", "json", folder=folder)


def _row(what: str, piece: str, taken: dict[str, tuple[list[Ran], list[Ran]]]) -> tuple[str, ...]:
    before, now = taken[piece]
    first_before, first_now = next(iter(taken.values()))
    return (
        what,
        piece,
        f"{best(before):.3f} s ({best(before) / best(first_before):.2f} ×)",
        f"{_median_multiple(before, first_before):.2f} ×",
        f"{best(now):.3f} s ({best(now) / best(first_now):.2f} ×)",
        f"{_median_multiple(now, first_now):.2f} ×",
        f"{best(now) / best(before):.2f}",
        f"{least_processor(now) / least_processor(before):.2f}",
        f"{max(ran.memory for ran in before) / 1e6:.0f} MB",
        f"{max(ran.memory for ran in now) / 1e6:.0f} MB",
    )


def _median_multiple(runs: Sequence[Ran], first: Sequence[Ran]) -> float:
    """How many times as long as the first piece it took, from what was taken in the same round."""
    return median(run.seconds / reference.seconds for run, reference in zip(runs, first, strict=True))


def _speed_up(what: str, taken: dict[str, tuple[list[Ran], list[Ran]]]) -> str:
    """How much faster two processes are, from what was taken in the same round."""
    found = []
    for one, two in zip(taken["score"], taken[TWO_JOBS], strict=True):
        ratios = [alone.seconds / both.seconds for alone, both in zip(one, two, strict=True)]
        found.append(f"{median(ratios):.2f} × ({min(ratios):.2f} to {max(ratios):.2f})")
    return f"{what}: {TWO_JOBS} is {found[0]} as fast before, {found[1]} now; median and range over the rounds."


def main() -> None:
    """Measure and print."""
    from .__main__ import as_text

    parser = argparse.ArgumentParser(prog="python -m bench.beside", description=__doc__)
    parser.add_argument("other", type=Path, metavar="PATH", help="the top of the other checkout")
    parser.add_argument("--size", type=int, default=200_000, help="how many trajectories are scored")
    parser.add_argument("--megabytes", type=int, default=60, help="how large the files are that are converted")
    parser.add_argument("--rounds", type=int, default=3, help="how often each piece of work is done")
    options = parser.parse_args()
    print(as_text(measure(options.other.resolve(), options.size, options.megabytes, options.rounds)))


if __name__ == "__main__":
    main()
