"""The moment of change, by hand and by brute force over all moments."""

from __future__ import annotations

from math import exp, log, sqrt
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from toolgauge.drift.moments import moment_of_ranks, moment_of_shares


def test_a_clean_step_is_found_where_it_is() -> None:
    assert moment_of_shares([0.0] * 40 + [1.0] * 7, 47, 7.0, rising=True).middle == 7
    assert moment_of_shares([1.0] * 40 + [0.0] * 9, 49, 40.0, rising=False).middle == 9
    assert moment_of_ranks([0.5, 0.4, 0.6] * 10 + [0.9] * 16, rising=True).middle == 16
    assert moment_of_ranks([0.5, 0.6, 0.4] * 10 + [0.1] * 16, rising=False).middle == 16


def likelihood(shares: list[float], after: int) -> float:
    """The log-likelihood of two rates, straight from the definition."""
    found = 0.0
    for part in (shares[:-after], shares[-after:]):
        mean = sum(part) / len(part)
        for share in part:
            found += share * log(mean) if share else 0.0
            found += (1 - share) * log(1 - mean) if share < 1 else 0.0
    return found


@given(st.integers(0, 10_000))
def test_it_is_the_middle_of_the_chances_of_all_moments_in_its_direction(seed: int) -> None:
    random = Random(seed)
    shares = [random.choice([0.0, 0.25, 0.5, 1.0]) for _ in range(25)]
    rising = random.random() < 0.5
    likelihoods = {
        after: likelihood(shares, after)
        for after in range(1, 25)
        if (sum(shares[-after:]) / after > sum(shares[:-after]) / (25 - after)) == rising
    }
    found = moment_of_shares(shares, 25, sum(shares), rising=rising)
    assert found.fewest <= found.middle <= found.most
    # The interval takes what the sessions say for four fifths of it.
    for many, share, credit in ((found.fewest, 0.05, 0.8), (found.middle, 0.5, 1.0), (found.most, 0.95, 0.8)):
        chances = {after: exp(credit * value) / sqrt(after) for after, value in likelihoods.items()}
        total = sum(chances.values())
        if total and (many != found.middle or share == 0.5):
            assert sum(chance for after, chance in chances.items() if after <= many) >= share * total * (1 - 1e-9)
            assert sum(chance for after, chance in chances.items() if after < many) <= share * total * (1 + 1e-9)


def test_the_interval_holds_the_truth_about_nine_times_in_ten() -> None:
    held = 0
    for seed in range(200):
        random = Random(seed)
        shares = [float(random.random() < 0.1) for _ in range(300)] + [float(random.random() < 0.4) for _ in range(60)]
        found = moment_of_shares(shares, 360, sum(shares), rising=True)
        held += found.fewest <= 60 <= found.most
    assert held >= 180
