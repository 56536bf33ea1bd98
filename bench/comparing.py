"""What comparing two large runs costs, with the extra `stats` and without it.

    python -m bench.comparing [--cases 100000]

Two agents on the same cases, each in a run file of its own, as `toolgauge compare A B --format json` reads them;
without the extra means in an interpreter that cannot import numpy. Both have to print the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from toolgauge import api
from toolgauge.store import encode_header, encode_scored

from .measuring import Part, Ran, best, least_processor, run
from .scoring_data import make_suite, make_trajectories

__all__ = ["measure"]

CASES = 100_000
ROUNDS = 3

COMMAND = "import sys; {first}; sys.argv = ['toolgauge', *sys.argv[1:]]; from toolgauge.cli import main; main()"


def measure(cases: int = CASES) -> Part:
    """Measure with this many cases."""
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        files = write_runs(Path(name), cases)
        fast, plain = [], []
        for _ in range(ROUNDS):
            fast.append(_compare(files, "import numpy"))
            plain.append(_compare(files, "sys.modules['numpy'] = None"))
    if {ran.output for ran in (*fast, *plain)} != {fast[0].output}:
        raise RuntimeError("numpy changes a figure")
    rows = [_row("with the extra", fast, "< 5 s"), _row("without", plain, "< 20 s")]
    about = f"`toolgauge compare` on two runs of {cases:,} cases, from run files to JSON; the best of {ROUNDS}."
    return Part("Comparing", about, ("", "time", "processor", "memory", "wanted"), rows)


def write_runs(folder: Path, cases: int) -> list[Path]:
    """Write a run file for each of two agents."""
    dice = random.Random(20260131)
    suite = make_suite(dice, cases)
    files = []
    for agent in ("react", "rewoo"):
        made = (replace(one, agent=agent) for one in make_trajectories(dice, suite, cases))
        done = api.score(suite, made)
        files.append(folder / f"{agent}.run.jsonl")
        with open(files[-1], "wb") as stream:
            stream.write(encode_header(done.header))
            stream.writelines(map(encode_scored, done.scored))
    return files


def _compare(files: list[Path], first: str) -> Ran:
    ran = run([sys.executable, "-c", COMMAND.format(first=first), "compare", *map(str, files), "--format", "json"])
    if ran.code:
        raise RuntimeError(ran.errors)
    return ran


def _row(name: str, runs: list[Ran], wanted: str) -> tuple[str, ...]:
    memory = max(ran.memory for ran in runs) / 2**20
    return name, f"{best(runs):.1f} s", f"{least_processor(runs):.1f} s", f"{memory:.0f} MB", wanted


def main() -> None:
    """Measure and print."""
    from .__main__ import as_text

    parser = argparse.ArgumentParser(prog="python -m bench.comparing", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES, help="how many cases the runs have")
    print(as_text(measure(parser.parse_args().cases)))


if __name__ == "__main__":
    main()
