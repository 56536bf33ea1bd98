"""What intervals and tests promise: how often an interval holds the truth, how often a test cries wolf.

Where every outcome can be counted it is; the rest is simulated from fixed seeds. `python -m bench.promises` does more.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from scipy import stats

from toolgauge.core import Score, ToolCounts, Trajectory
from toolgauge.metrics import METRICS, CaseColumns, CaseSums, estimate, needed_sums
from toolgauge.stats import (
    Paired,
    difference_interval,
    exact,
    mcnemar,
    mcnemar_power,
    mean_power,
    paired_rates,
    permutation_test,
    wilson,
)

pytestmark = pytest.mark.deep

[F1] = [metric for metric in METRICS if metric.name == "f1"]
RATES = [number / 20 for number in range(1, 20)]
SIZES = (20, 37, 55, 200)


def coverage(bounds: list[tuple[float, float]], rate: float) -> float:
    """How often the interval holds the true rate, over every number of successes."""
    n = len(bounds) - 1
    chances = stats.binom.pmf(range(n + 1), n, rate)
    return float(sum(chance for chance, (low, high) in zip(chances, bounds, strict=True) if low <= rate <= high))


@pytest.mark.parametrize("n", SIZES)
def test_wilson_holds_the_truth_95_times_in_100_on_average_and_never_below_92(n: int) -> None:
    bounds = [wilson(successes, n) for successes in range(n + 1)]
    found = [coverage(bounds, rate) for rate in RATES]
    assert 0.94 <= sum(found) / len(found) <= 0.96
    assert min(found) >= 0.92


@pytest.mark.parametrize("n", SIZES)
def test_the_exact_interval_holds_the_truth_at_least_95_times_in_100(n: int) -> None:
    bounds = [exact(successes, n) for successes in range(n + 1)]
    assert min(coverage(bounds, rate) for rate in (number / 200 for number in range(1, 200))) >= 0.95


def tried(random: np.random.Generator, n: int, trials: int, hit: float, alike: float) -> CaseColumns:
    """What an agent did on cases that expect up to five tools; trials of a case are alike to some degree."""
    wanted = random.integers(1, 6, n)
    rates = random.beta(hit * (1 - alike) / alike, (1 - hit) * (1 - alike) / alike, n) if alike else np.full(n, hit)
    made = CaseSums(names=needed_sums([F1]))
    scores = []
    for number in range(n):
        for _ in range(trials):
            found = int(random.binomial(wanted[number], rates[number]))
            extra = int(random.binomial(2, 0.05))
            tools = ToolCounts(found, extra, int(wanted[number]) - found, calls=5)
            case = f"c{number}"
            scores.append(Score(case, "a", 1, "completed", False, 0.5, 0.5, 0.5, 0.5, 1, says_tools=True, counts=tools))
    made.add_all([Trajectory(score.case) for score in scores], scores)
    return made.at(made.cases)


def true_f1(hit: float) -> float:
    return 3 * hit / (3 * hit + (0.1 + 3 * (1 - hit)) / 2)


@pytest.mark.parametrize(
    ("n", "trials", "hit", "alike"),
    [(55, 1, 0.6, 0.0), (55, 1, 0.9, 0.2), (55, 3, 0.8, 0.5), (92, 1, 0.95, 0.0), (92, 3, 0.9, 0.2)],
)
def test_intervals_of_f1_hold_the_truth_93_to_97_times_in_100(n: int, trials: int, hit: float, alike: float) -> None:
    random = np.random.default_rng(n * trials)
    held = 0
    for _ in range(600):
        got = estimate(F1, tried(random, n, trials, hit, alike))
        assert got.low is not None
        assert got.high is not None
        held += got.low <= true_f1(hit) <= got.high
    # Six hundred times leave a share uncertain by nearly one in a hundred.
    assert 0.92 <= held / 600 <= 0.98


def shares(cases: CaseColumns) -> tuple[list[float], list[float]]:
    return cases.column(F1.above), cases.column(F1.below)


@pytest.mark.parametrize(("trials", "hits"), [(1, (0.6, 0.7)), (1, (0.9, 0.95)), (3, (0.8, 0.8))])
def test_intervals_of_a_difference_of_f1_hold_the_truth(trials: int, hits: tuple[float, float]) -> None:
    random = np.random.default_rng(trials)
    truth = true_f1(hits[1]) - true_f1(hits[0])
    held = 0
    for _ in range(400):
        first, second = (shares(tried(random, 55, trials, hit, 0.2)) for hit in hits)
        low, high = difference_interval(Paired(*first, *second)) or (0, 0)
        held += low <= truth <= high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize("n", [37, 55])
@pytest.mark.parametrize("cell", [(0.1, 0.1), (0.05, 0.2), (0.15, 0.3)])
def test_intervals_of_paired_rates_hold_the_truth(n: int, cell: tuple[float, float]) -> None:
    b, c = cell
    held = 0.0
    for only_first in range(n + 1):
        for only_second in range(n + 1 - only_first):
            chance = stats.multinomial.pmf(
                [only_first, only_second, n - only_first - only_second], n, [b, c, 1 - b - c]
            )
            if chance > 1e-9:
                low, high = paired_rates(only_first, only_second, n)
                held += chance * (low <= c - b <= high)
    assert 0.93 <= held <= 0.97


@pytest.mark.parametrize("n", [20, 37, 55, 200])
def test_mcnemar_cries_wolf_at_most_5_times_in_100_and_mid_p_hardly_more(n: int) -> None:
    cautious = [false_alarms(number, mid=False) for number in range(n + 1)]
    brisk = [false_alarms(number, mid=True) for number in range(n + 1)]
    for share in (0.1, 0.2, 0.3, 0.5, 0.7):
        chances = stats.binom.pmf(range(n + 1), n, share)
        assert float(np.dot(chances, cautious)) <= 0.05
        assert float(np.dot(chances, brisk)) <= 0.055


def false_alarms(discordant: int, *, mid: bool) -> float:
    """How often the test rejects with so many discordant pairs, each of which is as likely to favour either side."""
    found = [mcnemar(first, discordant - first) for first in range(discordant + 1)]
    rejected = [(test.mid if mid else test.exact) <= 0.05 for test in found]
    return float(stats.binom.pmf(range(discordant + 1), discordant, 0.5)[rejected].sum()) if any(rejected) else 0.0


def equal_pair(kind: str, random: np.random.Generator) -> Paired:
    """Two contenders that are equally good, on cases that are hard or easy for both."""
    if kind == "f1":
        first, second = (shares(tried(random, 12, 1, 0.7, 0.0)) for _ in range(2))
        return Paired(*first, *second)
    if kind == "pass_rate":
        rates = random.beta(1, 1, 20)
        first_passed, second_passed = ([int(random.binomial(3, rate)) for rate in rates] for _ in range(2))
        return Paired(first_passed, [3] * 20, second_passed, [3] * 20)
    hard = random.normal(0, 0.3, 30)
    noise = random.normal(0, 0.2 if kind == "score" else 1, (2, 30))
    values = np.clip(0.7 + hard + noise, 0, 1) if kind == "score" else np.exp(7 + hard + noise)
    return Paired(values[0].tolist(), [1.0] * 30, values[1].tolist(), [1.0] * 30)


@pytest.mark.parametrize("kind", ["f1", "pass_rate", "score", "latency"])
def test_permutation_tests_cry_wolf_at_most_5_times_in_100(kind: str) -> None:
    random = np.random.default_rng(len(kind))
    times = 4_000
    alarms = sum(
        permutation_test(equal_pair(kind, random), resamples=199, seed=seed).p <= 0.05 for seed in range(times)
    )
    assert alarms / times <= 0.055


@pytest.mark.parametrize(("n", "first", "second"), [(37, 0.10, 0.35), (92, 0.08, 0.22), (600, 0.15, 0.22)])
def test_power_of_mcnemar_is_that_of_a_simulation(n: int, first: float, second: float) -> None:
    random = np.random.default_rng(n)
    noticed = 0
    for only_first, only_second, _ in random.multinomial(n, [first, second, 1 - first - second], 3_000):
        noticed += mcnemar(int(only_first), int(only_second)).exact <= 0.05
    assert mcnemar_power(n, second - first, first + second) == pytest.approx(noticed / 3_000, abs=0.03)


def test_power_of_means_is_that_of_a_simulation_of_the_permutation_test() -> None:
    random = Random(5)
    noticed = 0
    for seed in range(1_500):
        gaps = [random.gauss(0.15, 0.3) for _ in range(30)]
        paired = Paired([1.0] * 30, [1.0] * 30, [1 + gap for gap in gaps], [1.0] * 30)
        noticed += permutation_test(paired, resamples=399, seed=seed).p <= 0.05
    assert mean_power(30, 0.15, 0.3) == pytest.approx(noticed / 1_500, abs=0.03)
