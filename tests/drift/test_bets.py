"""Evidence: every bet is fair while nothing has changed, whatever the usual is and however values tie."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.drift.bets import NEW, RANK_BETS, TiltBet, bets_of, share_bets

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=30)
TILTS = [*share_bets("rate", ""), *share_bets("mix", "search"), *share_bets("mix", NEW)]


def test_evidence_by_hand() -> None:
    assert TiltBet(5).evidence(1.0, 0.02) == pytest.approx(log(5 / 1.08))
    assert TiltBet(5).evidence(0.0, 0.02) == pytest.approx(-log(1.08))
    assert TiltBet(0.5).evidence(0.0, 0.1) == pytest.approx(-log(0.95))
    up, _, tail, down, _ = RANK_BETS
    assert up.evidence(0.75, 0.75 + 1e-9) == pytest.approx(0.75 + log(1 / (exp(1) - 1)), abs=1e-6)
    assert down.evidence(0.25 - 1e-9, 0.25) == pytest.approx(up.evidence(0.75, 0.75 + 1e-9), abs=1e-6)
    assert tail.evidence(0.95, 1.0) == pytest.approx(log(4 / 1.3))
    assert tail.evidence(0.85, 0.95) == pytest.approx(log(2.5 / 1.3)), (
        "half of the tied values are of the highest tenth"
    )


@given(SHARES)
def test_bets_on_shares_pay_1_on_average_over_the_sessions_the_usual_is_told_from(shares: list[float]) -> None:
    usual = sum(shares) / len(shares)
    for bet in TILTS:
        paid = sum(exp(bet.evidence(share, usual)) for share in shares) / len(shares)
        assert paid == pytest.approx(1.0)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30))
def test_bets_on_ranks_pay_1_on_average_however_many_values_tie(values: list[int]) -> None:
    size = len(values)
    for bet in RANK_BETS:
        paid = 0.0
        for value in values:
            low = sum(other < value for other in values) / size
            high = sum(other <= value for other in values) / size
            paid += exp(bet.evidence(low, high)) / size
        assert paid == pytest.approx(1.0)


def test_every_kind_has_charts_in_both_directions_and_new_labels_can_only_rise() -> None:
    for kind in ("rate", "quantity", "mix"):
        assert {bet.direction for bet in bets_of(kind)} == {"up", "down"}
        assert len({bet.name for bet in bets_of(kind)}) == len(bets_of(kind))
    assert {bet.direction for bet in bets_of("mix", NEW)} == {"up"}
