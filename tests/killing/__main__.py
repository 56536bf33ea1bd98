"""`python -m tests.killing`: kills commands at any moment until there were enough kills."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

from tests.cli.prepared import import_beforehand

MOST_FAULTS = 20
"""After so many it is given up: scenarios that fail count no kills."""


def main() -> int:
    """Kill; the exit code is 1 if anything was lost, counted twice or left behind."""
    options = _options()
    import_beforehand()
    from .processes import apart
    from .scenarios import SCENARIOS
    from .team import team_scenario

    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    with team_scenario() as team:
        scenarios = {**SCENARIOS, **team}
        chosen = options.scenario or [*scenarios]
        if unknown := [name for name in chosen if name not in scenarios]:
            sys.stderr.write(f"there is no {', '.join(unknown)}; there are {', '.join(scenarios)}\n")
            return 2
        started = time.monotonic()
        kills: Counter[str] = Counter()
        number, failed = 0, 0
        while kills.total() < options.kills and failed < MOST_FAULTS:
            name = chosen[number % len(chosen)]
            count, fault = apart(scenarios[name], random.Random(f"{options.seed}/{name}/{number}"))
            kills[name] += count
            if fault:
                failed += 1
                sys.stdout.write(f"FAULT {name} (seed {options.seed}, number {number}): {fault}\n")
            number += 1
    sys.stdout.write(
        f"{kills.total()} kills in {time.monotonic() - started:.0f} s, seed {options.seed}: {failed} faults\n"
    )
    sys.stdout.write(f"  {', '.join(f'{name} {count}' for name, count in kills.items())}\n")
    if not team:
        sys.stdout.write("  left out, for want of PostgreSQL: team\n")
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.killing", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how many; default: 300")
    parser.add_argument("--seed", type=int, default=0, help="another seed kills at other moments")
    parser.add_argument("--scenario", action="append", help="only this one; may be repeated")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
