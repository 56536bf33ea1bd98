"""How often drift charts cry wolf, and how soon they see a change, beside ADWIN and Page-Hinkley of river.

    python -m bench.drift [alarms] [delays] [peers] [--months 1300] [--runs 100] [--seed 0] [--processes 2]

Prints the tables of `docs/drift.md`, all of them where none is named. `alarms`: streams without change, as many months
of them altogether as `--months` says. `delays`: `--runs` streams of each kind with one change each, and what the
estimated moment is worth. `peers`: the same by river's detectors. `--only NAME` picks streams by a part of their
names. All from `--seed`, whatever the number of processes.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from math import ceil
from typing import NamedTuple

from scipy.stats import chi2

from toolgauge.drift import Alarm, Drift, DriftSettings

from .drift_delays import print_delays, print_peers
from .drift_streams import Stream, over, sessions

PARTS = ("alarms", "delays", "peers")
MONTHS = 3
MONTH = 30.0

SHORT = DriftSettings(baseline_sessions=100, baseline_days=2)
USUAL = DriftSettings()
LONG = DriftSettings(baseline_days=28)

QUIET: dict[str, tuple[Stream, DriftSettings]] = {
    "one call a session": (Stream(0, calls=1), USUAL),
    "calls of a session alike": (Stream(0, alike=0.4), USUAL),
    "daily and weekly rhythm of 30 %": (Stream(0, alike=0.4, rhythm=0.3), USUAL),
    "rhythm of 60 %, 60 sessions a day": (Stream(0, a_day=60, alike=0.4, rhythm=0.6), USUAL),
    "day and night of 60 %, durations alike": (
        Stream(0, a_day=30, alike=0.2, rhythm=0.6, office=True, spread=0.4),
        USUAL,
    ),
    "heavy tails (Pareto 1.5), rhythm": (Stream(0, alike=0.2, rhythm=0.3, tail=1.5), USUAL),
    "short baseline (2 days), rhythm": (Stream(0, alike=0.4, rhythm=0.3), SHORT),
    "long baseline (28 days)": (Stream(0, alike=0.4, rhythm=0.3), LONG),
}


class Found(NamedTuple):
    """What one stream without change gave."""

    months: float
    alarms: tuple[Alarm, ...]


def watch_quiet(seed: int, stream: Stream, settings: DriftSettings, months: int = MONTHS) -> Found:
    """Watch a stream without change for so many months after its baseline."""
    drift = Drift(settings)
    alarms: list[Alarm] = []
    for observed in sessions(replace(stream, days=settings.baseline_days + months * MONTH), seed):
        for observation in observed:
            alarms += drift.observe(observation)
    return Found(months, (*alarms, *drift.finish()))


def interval(events: int, amount: float) -> tuple[float, float]:
    """The exact 95 % interval of a rate of events that are independent of each other."""
    low = chi2.ppf(0.025, 2 * events) / 2 if events else 0.0
    return float(low / amount), float(chi2.ppf(0.975, 2 * events + 2) / 2 / amount)


def print_alarms(months: int, seed: int, processes: int, only: str) -> None:
    """False alarms a month, by kind of stream."""
    print(f"False alarms of 9 series together, one a month promised; streams of {MONTHS} months after their baseline")
    print("| stream | false alarms | months | a month (95 % interval) |\n| --- | --- | --- | --- |")
    total = Found(0.0, ())
    many = ceil(months / MONTHS / len(QUIET))
    for place, (name, (stream, settings)) in enumerate(QUIET.items()):
        if only not in name:
            continue
        first = seed + 100_000 * place
        found = over(partial(watch_quiet, stream=stream, settings=settings), range(first, first + many), processes)
        kind = Found(sum(each.months for each in found), tuple(alarm for each in found for alarm in each.alarms))
        total = Found(total.months + kind.months, total.alarms + kind.alarms)
        _print_rate(name, kind)
    _print_rate("**all**", total)


def _print_rate(name: str, found: Found) -> None:
    count = len(found.alarms)
    low, high = interval(count, found.months)
    rate = f"{count / found.months:.2f} ({low:.2f} to {high:.2f})"
    print(f"| {name} | {count} | {found.months:,.0f} | {rate} |", flush=True)


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.drift", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; default: all")
    parser.add_argument("--months", type=int, default=1300)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {unknown.pop()!r}; parts are {', '.join(PARTS)}")
    parts = options.parts or PARTS
    if "alarms" in parts:
        print_alarms(options.months, options.seed, options.processes, options.only)
    if "delays" in parts:
        print_delays(options.runs, options.seed, options.processes, options.only)
    if "peers" in parts:
        print_peers(options.runs, options.seed, options.processes, options.only)


if __name__ == "__main__":
    main()
