"""How often drift charts cry wolf, and how soon they see a change, beside ADWIN and Page-Hinkley of river.

    python -m bench.drift [alarms] [delays] [peers] [--runs 60] [--seed 0] [--processes 1]

`alarms`: streams without change, what the charts promise and what they do. `delays`: streams with one change each.
`peers`: the same by river's detectors. `--only` names some of the streams by a part of their names.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

from scipy.stats import chi2

from toolgauge.drift import Alarm, Drift, DriftSettings

from .drift_delays import print_delays, print_peers
from .drift_streams import Stream, sessions

T = TypeVar("T")
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


def over(work: Callable[[int], T], seeds: Iterable[int], processes: int) -> list[T]:
    """The work on each seed, in as many processes."""
    if processes == 1:
        return [work(seed) for seed in seeds]
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(work, seeds, chunksize=4))


def print_alarms(runs: int, seed: int, processes: int, only: str) -> None:
    """False alarms a month, by kind of stream."""
    print(f"False alarms a month of 9 series together, 1.0 promised; streams of {MONTHS} months")
    every, months = 0, 0.0
    for place, (name, (stream, settings)) in enumerate(QUIET.items()):
        if only not in name:
            continue
        # Busy streams take their time, so that there are fewer of them.
        first, many = seed + 100_000 * place, max(1, round(runs * min(1.0, 20 / stream.a_day)))
        seeds = range(first, first + many)
        found = over(partial(watch_quiet, stream=stream, settings=settings), seeds, processes)
        count, amount = sum(len(each.alarms) for each in found), sum(each.months for each in found)
        every, months = every + count, months + amount
        low, high = interval(count, amount)
        print(
            f"  {name:36} {count:4} in {amount:5.0f} months: {count / amount:.2f} ({low:.2f} to {high:.2f})",
            flush=True,
        )
    low, high = interval(every, months)
    print(f"  {'all':36} {every:4} in {months:5.0f} months: {every / months:.2f} ({low:.2f} to {high:.2f})", flush=True)


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.drift", description=__doc__)
    parser.add_argument("parts", nargs="*", default=["alarms"])
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if "alarms" in options.parts:
        print_alarms(options.runs, options.seed, options.processes, options.only)
    if "delays" in options.parts:
        print_delays(options.runs, options.seed, options.only)
    if "peers" in options.parts:
        print_peers(options.runs, options.seed, options.only)


if __name__ == "__main__":
    main()
