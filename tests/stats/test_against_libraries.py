"""Every statistic against scipy and statsmodels, or against its definition worked out the long way, on random input."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import comb, inf, isclose, log, sqrt
from random import Random

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

from tests.oracle_statistics import student
from toolgauge.stats import (
    Paired,
    bootstrap_ratio,
    difference_interval,
    exact,
    flakiness,
    holm,
    mcnemar,
    mcnemar_power,
    mean_power,
    odds_ratio,
    paired_rates,
    pass_all,
    pass_any,
    permutation_test,
    standardised_difference,
    wilson,
)
from toolgauge.stats.special import beta_cdf, beta_quantile, binomial_cdf, normal_cdf, normal_quantile, t_quantile

pytestmark = pytest.mark.deep


def dice(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_beta_distribution_is_that_of_scipy() -> None:
    random = dice(1)
    for _ in range(200):
        a, b = np.exp(random.uniform(-2, 9, 2))
        x = float(random.beta(a, b))
        assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), abs=1e-9)
    assert (beta_cdf(0, 2, 3), beta_cdf(1, 2, 3)) == (0, 1)


def test_quantiles_are_those_of_scipy() -> None:
    random = dice(2)
    for _ in range(60):
        a, b = np.exp(random.uniform(-1, 6, 2))
        share = float(random.uniform(0.001, 0.999))
        assert beta_quantile(share, a, b) == pytest.approx(stats.beta.ppf(share, a, b), rel=1e-8)
        assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), abs=1e-12)
        assert normal_cdf(normal_quantile(share)) == pytest.approx(share, abs=1e-12)
    for freedom in (1, 2, 3, 4, 10, 36, 91, 499, 501, 5_000, 10**6):
        for share in (0.6, 0.8, 0.975, 0.995):
            assert t_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), rel=1e-9)


def test_rates_have_the_intervals_of_statsmodels() -> None:
    random = dice(3)
    for _ in range(150):
        n = int(np.exp(random.uniform(0, 9)))
        k = int(random.integers(0, n + 1))
        assert wilson(k, n) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-12)
        assert exact(k, n) == pytest.approx(proportion_confint(k, n, method="beta"), abs=1e-10)


def test_mcnemar_is_that_of_statsmodels_and_mid_p_takes_half_of_what_was_seen() -> None:
    random = dice(4)
    for _ in range(150):
        b, c = (int(number) for number in random.integers(0, 60, 2))
        got = mcnemar(b, c)
        assert got.exact == pytest.approx(mcnemar_of_statsmodels([[5, b], [c, 7]], exact=True).pvalue, abs=1e-10)
        if b != c:
            assert got.mid == pytest.approx(got.exact - stats.binom.pmf(b, b + c, 0.5), abs=1e-10)
        assert binomial_cdf(b, b + c, 0.3) == pytest.approx(stats.binom.cdf(b, b + c, 0.3), abs=1e-10)


def restricted_score(b: int, c: int, n: int, delta: float) -> float:
    """The score statistic of a paired difference, with the nuisance found by maximising the likelihood numerically."""

    def unlikely(share: float) -> float:
        parts = [(b, share), (c, share + delta), (n - b - c, 1 - 2 * share - delta)]
        return -sum(number * log(max(part, 1e-300)) for number, part in parts if number)

    low, high = max(0.0, -delta), (1 - delta) / 2
    found = optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13})
    share = min((found.x, low, high), key=unlikely)
    return float((c - b - n * delta) / sqrt(n * (2 * share + delta - delta * delta)))


def test_the_interval_of_paired_rates_ends_where_a_score_test_begins_to_reject() -> None:
    random = dice(5)
    for _ in range(60):
        b, c, rest = (int(number) for number in random.integers(1, 30, 3))
        n = b + c + rest
        low, high = paired_rates(b, c, n)
        assert low < (c - b) / n < high
        assert restricted_score(b, c, n, low) == pytest.approx(1.959964, abs=1e-4)
        assert restricted_score(b, c, n, high) == pytest.approx(-1.959964, abs=1e-4)
    # Without discordant pairs the ends have a closed form.
    z = 1.959963984540054**2
    assert paired_rates(0, 0, 50) == pytest.approx((-z / (50 + z), z / (50 + z)))
    assert paired_rates(0, 4, 4)[1] == 1.0


def test_the_odds_of_discordant_pairs_have_the_exact_interval_of_their_share() -> None:
    ratio, low, high = odds_ratio(6, 18)
    share = stats.binomtest(18, 24).proportion_ci(method="exact")
    assert ratio == 3
    assert (low, high) == pytest.approx((share.low / (1 - share.low), share.high / (1 - share.high)))
    assert odds_ratio(0, 3)[0] is None
    assert odds_ratio(0, 3)[2] is None
    assert odds_ratio(0, 0) == (None, 0.0, None)


def test_holm_is_that_of_statsmodels() -> None:
    random = dice(6)
    for _ in range(12):
        values = random.random(int(random.integers(1, 12))).round(2).tolist()
        assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


def counts(random: np.random.Generator, n: int, gain: float = 0.0) -> Paired:
    """What F1 is pooled from, of two contenders on the same cases."""
    wanted = random.integers(1, 5, n)
    columns = []
    for rate in (0.6, 0.6 + gain):
        hits, extra = random.binomial(wanted, rate), random.binomial(2, 0.1, n)
        columns += [hits.astype(float).tolist(), (hits + (extra + wanted - hits) / 2).tolist()]
    return Paired(*columns)


def swapped(paired: Paired) -> Iterator[float]:
    """The difference of the pooled ratios after every way to swap."""
    quads = list(zip(paired.first_above, paired.first_below, paired.second_above, paired.second_below, strict=True))
    for signs in itertools.product((False, True), repeat=len(quads)):
        rows = [quad[2:] + quad[:2] if swap else quad for quad, swap in zip(quads, signs, strict=True)]
        a, b, c, d = (sum(column) for column in zip(*rows, strict=True))
        yield c / d - a / b


def test_the_permutation_test_of_pooled_f1_counts_every_swap() -> None:
    random = dice(7)
    for _ in range(12):
        paired = counts(random, 9)
        seen = abs(paired.difference)
        every = [abs(value) >= seen - 1e-12 for value in swapped(paired)]
        got = permutation_test(paired)
        assert got.method == "exact"
        assert got.p == pytest.approx(sum(every) / len(every), abs=1e-12)


def test_the_permutation_test_of_means_is_that_of_scipy() -> None:
    random = dice(8)
    for _ in range(6):
        first, second = random.lognormal(7, 1, (2, 10))
        ones = [1.0] * 10
        got = permutation_test(Paired(first.tolist(), ones, second.tolist(), ones))
        want = stats.permutation_test(
            (second, first), lambda a, b: a.mean() - b.mean(), permutation_type="samples", vectorized=False
        )
        assert got.method == "exact"
        assert got.p == pytest.approx(want.pvalue, abs=1e-9)


@pytest.mark.parametrize("n", [60, 1_500, 6_000])
def test_drawn_swaps_come_close_to_the_limit_that_many_cases_have(n: int) -> None:
    random = dice(n)
    first, second = random.gamma(2, 400, (2, n))
    ones = [1.0] * n
    paired = Paired(first.tolist(), ones, (second * (1 + 1.5 / sqrt(n))).tolist(), ones)
    gaps = np.array(paired.second_above) - first
    limit = 2 * stats.norm.sf(abs(gaps.sum()) / sqrt((gaps**2).sum()))
    got = permutation_test(paired)
    assert got.method == "resampled"
    assert got.p == pytest.approx(limit, abs=0.02)


def test_one_wild_difference_among_many_small_ones_is_not_smoothed_away() -> None:
    ones = [1.0] * 5_001
    random = Random(9)
    gaps = [random.uniform(-1, 1) for _ in range(5_000)]
    # The sign of the wild one alone decides, so every swap is as extreme as what was seen or nearly so.
    paired = Paired([2e6] * 5_001, ones, [2e6 + gap for gap in [*gaps, 1e6]], ones)
    small = sum(gaps)
    got = permutation_test(paired)
    assert got.p == pytest.approx(stats.norm.cdf(-small / sqrt(sum(gap * gap for gap in gaps))), abs=0.03)


def test_the_bootstrap_is_that_of_scipy() -> None:
    values = dice(10).gamma(1, 1, 80)
    for method, name in (("percentile", "percentile"), ("bca", "BCa")):
        want = stats.bootstrap((values,), np.mean, n_resamples=9_999, method=name, rng=1).confidence_interval
        got = bootstrap_ratio(values.tolist(), [1.0] * 80, resamples=9_999, method=method)  # type: ignore[arg-type]
        assert got == pytest.approx((want.low, want.high), abs=0.02)


def test_a_stratified_bootstrap_never_mixes_strata() -> None:
    values = [0.0] * 20 + [1.0] * 20
    assert bootstrap_ratio(values, [1.0] * 40, strata=["a"] * 20 + ["b"] * 20, resamples=200) == (0.5, 0.5)
    low, high = bootstrap_ratio(values, [1.0] * 40, resamples=200)
    assert low < 0.45 < 0.55 < high


def test_power_of_means_is_that_of_statsmodels() -> None:
    for n in (8, 20, 55, 200):
        for gap in (0.1, 0.3, 0.6):
            assert mean_power(n, gap, 1) == pytest.approx(TTestPower().power(gap, n, 0.05), abs=0.005)


def mcnemar_power_by_counting(n: int, gap: float, share: float) -> float:
    """The chance that the test rejects, over every number of discordant pairs and every split of them."""
    total = 0.0
    for number in range(n + 1):
        splits = np.arange(number + 1)
        rejected = np.array([mcnemar(int(b), int(number - b)).exact <= 0.05 for b in splits])
        chances = stats.binom.pmf(splits, number, 0.5 + gap / (2 * share))
        total += stats.binom.pmf(number, n, share) * chances[rejected].sum()
    return total


@pytest.mark.parametrize(("n", "gap", "share"), [(20, 0.3, 0.4), (37, 0.16, 0.38), (55, 0.11, 0.2), (92, 0.13, 0.26)])
def test_power_of_mcnemar_is_what_counting_every_outcome_gives(n: int, gap: float, share: float) -> None:
    assert mcnemar_power(n, gap, share) == pytest.approx(mcnemar_power_by_counting(n, gap, share), abs=1e-9)


def test_pass_at_k_is_the_share_of_all_choices_of_k_trials() -> None:
    random = Random(11)
    cases = [(random.randint(0, n), n) for n in [random.randint(3, 7) for _ in range(30)]]
    for k in (1, 2, 3):
        some, every = [], []
        for passed, n in cases:
            chosen = list(itertools.combinations([True] * passed + [False] * (n - passed), k))
            assert len(chosen) == comb(n, k)
            some.append(sum(map(any, chosen)) / len(chosen))
            every.append(sum(map(all, chosen)) / len(chosen))
        assert pass_any(cases, k).value == pytest.approx(sum(some) / len(some))
        assert pass_all(cases, k).value == pytest.approx(sum(every) / len(every))
    assert pass_any([(1, 2)], 3).value is None
    differing = [one != other for one, other in itertools.combinations([True, True, False, False, False], 2)]
    assert flakiness(2, 5) == pytest.approx(sum(differing) / len(differing))
    assert flakiness(1, 1) is None


def test_the_interval_of_a_mean_difference_is_that_of_a_paired_t_test() -> None:
    random = dice(12)
    first, second = random.normal(500, 90, (2, 40))
    ones = [1.0] * 40
    paired = Paired(first.tolist(), ones, second.tolist(), ones)
    want = stats.ttest_rel(second, first).confidence_interval()
    assert difference_interval(paired, bounded=False) == pytest.approx((want.low, want.high))
    pooled = sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)
    assert standardised_difference(paired) == pytest.approx((second.mean() - first.mean()) / pooled)


def test_nothing_breaks_where_there_is_no_variance() -> None:
    one = Paired([1], [1], [0], [1])
    assert difference_interval(one) == pytest.approx((-1.0, 0.5869), abs=1e-4)
    assert permutation_test(one).p == 1.0
    same = Paired([3.5, 3.5], [1, 1], [3.5, 3.5], [1, 1])
    assert difference_interval(same, bounded=False) is None
    assert standardised_difference(same) is None
    assert permutation_test(same).p == 1.0
    low, high = difference_interval(Paired([1, 1], [2, 2], [1, 1], [2, 2])) or (inf, inf)
    assert isclose(low, -high)
    assert high > 0.5


@pytest.mark.parametrize("freedom", [*range(1, 60), 119, 120])
def test_the_quantiles_of_the_oracle_are_those_of_scipy(freedom: int) -> None:
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-12)
