"""How often intervals hold the truth: Wilson's over all rates, those of F1 over many kinds of agents.

    python -m bench.promises [--times 2000]

The tests do the same for a few settings and fewer times.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.stats import binom

from toolgauge.stats import share_interval, wilson
from toolgauge.stats.intervals import Z95, clustered

SIZES = (20, 37, 55, 200)


def wilson_coverage(n: int) -> tuple[float, float, float]:
    """The average and the least coverage over rates from 0.05 to 0.95, and the rate with the least."""
    bounds = [wilson(successes, n) for successes in range(n + 1)]
    found = []
    for step in range(50, 951):
        chances = binom.pmf(range(n + 1), n, step / 1000)
        held = sum(c for c, (low, high) in zip(chances, bounds, strict=True) if low <= step / 1000 <= high)
        found.append((float(held), step / 1000))
    return sum(held for held, _ in found) / len(found), *min(found)


def f1_coverage(n: int, hit: float, trials: int, alike: float, times: int) -> tuple[float, float, float]:
    """The true F1, and how often the interval in use and the plain delta method hold it."""
    random = np.random.default_rng(n)
    extra = (1 - hit) / 5
    truth = 3 * hit / (3 * hit + (3 * extra + 3 * (1 - hit)) / 2)
    held = plain = 0
    for _ in range(times):
        wanted = random.integers(1, 6, n)
        rates = random.beta(hit * (1 - alike) / alike, (1 - hit) * (1 - alike) / alike, n) if alike else np.full(n, hit)
        above = below = np.zeros(n)
        for _ in range(trials):
            found = random.binomial(wanted, rates)
            above = above + found
            below = below + found + (wanted - found + random.binomial(3, extra, n)) / 2
        value, total = float(above.sum() / below.sum()), float(below.sum())
        error = clustered(above.tolist(), below.tolist())
        low, high = share_interval(value, error, n, total)
        held += low <= truth <= high
        plain += value - Z95 * error <= truth <= value + Z95 * error
    return truth, held / times, plain / times


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.promises", description=__doc__)
    parser.add_argument("--times", type=int, default=2_000, help="how often each setting is simulated")
    times = parser.parse_args().times
    print("Wilson, rates 0.05 to 0.95 in steps of 0.001, every outcome counted")
    for n in SIZES:
        average, least, rate = wilson_coverage(n)
        print(f"  n = {n:<4} average {average:.4f}  least {least:.4f} at a rate of {rate}")
    print(f"F1, {times} times each: interval in use, and the share plus or minus 1.96 standard errors")
    for n in (55, 92, 200):
        for hit in (0.3, 0.6, 0.8, 0.9, 0.95):
            for trials, alike in ((1, 0.0), (1, 0.2), (3, 0.2), (3, 0.5)):
                truth, held, plain = f1_coverage(n, hit, trials, alike, times)
                print(f"  n = {n:<4} F1 {truth:.3f}  trials {trials}  alike {alike}  {held:.3f}  {plain:.3f}")


if __name__ == "__main__":
    main()
