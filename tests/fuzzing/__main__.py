"""`python -m tests.fuzzing`: spoiled inputs for every way into toolgauge."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tests.cli.prepared import import_beforehand

SAVED = Path(".fuzz")


def main() -> int:
    """Try inputs, or one that was saved; the exit code is 1 if any failed."""
    options = _options()
    import_beforehand()
    from .driving import drive
    from .execution import execute
    from .jobs import read_job
    from .surfaces import SURFACES
    from .warming import warm_up

    if options.replay:
        return max(_replay(path, execute(read_job(path))) for path in options.replay)
    chosen = options.surface or [name for name, surface in SURFACES.items() if surface.available]
    unknown = [name for name in chosen if name not in SURFACES or not SURFACES[name].available]
    if unknown:
        sys.stderr.write(f"not there, or in want of a library: {', '.join(unknown)}; there are {', '.join(SURFACES)}\n")
        return 2
    if missing := [name for name in SURFACES if not SURFACES[name].available]:
        sys.stdout.write(f"left out, for want of a library: {', '.join(missing)}\n")
    started = time.monotonic()
    warm_up()
    outcome = drive(
        chosen,
        options.seed,
        options.saved.absolute(),
        inputs=options.inputs if options.inputs or options.minutes else 5000,
        minutes=options.minutes,
        processes=options.processes,
    )
    by_surface = ", ".join(f"{name} {count:,}" for name, count in sorted(outcome.inputs.items()))
    codes = ", ".join(f"{code}: {count:,}" for code, count in sorted(outcome.codes.items()))
    sys.stdout.write(f"{outcome.inputs.total():,} inputs in {time.monotonic() - started:.0f} s, seed {options.seed}\n")
    sys.stdout.write(f"  {by_surface}\n  exit codes {codes}\n")
    sys.stdout.write(f"  at most {outcome.slowest:.1f} s of the processor and {outcome.largest / 1e6:.0f} MB\n")
    for fault, count in sorted(outcome.faults.items()):
        sys.stdout.write(f"  FAULT {fault}: {count}\n")
    if outcome.faults:
        sys.stdout.write(f"{outcome.faults.total()} failed; the first of each kind are in {options.saved}/\n")
    return 1 if outcome.faults else 0


def _replay(path: Path, ended: object) -> int:
    from .execution import Ended

    assert isinstance(ended, Ended)
    sys.stdout.write(f"{path}: {ended.fault or 'fine'}; exit code {ended.code}, {ended.seconds:.1f} s\n{ended.said}\n")
    return 1 if ended.fault else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--inputs", type=int, help="how many inputs to try; default: 5000, unless --minutes is given")
    parser.add_argument("--minutes", type=float, help="how long to try")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other inputs")
    parser.add_argument("--surface", action="append", help="only this way in; may be repeated")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--saved", type=Path, default=SAVED, help="folder for inputs that fail")
    parser.add_argument("--replay", type=Path, nargs="+", help="try inputs that were saved, and show what is said")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
