"""Limits of a provider hold for all who share a store."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from toolgauge.core import Pacing, RequestLimits
from toolgauge.store import open_store

pytestmark = pytest.mark.deep

ENDPOINT = "https://provider.example/v1"


def pacing_of(store: object) -> Pacing:
    pacing = store.pacing()  # type: ignore[attr-defined]  # a store
    assert pacing is not None
    return pacing  # type: ignore[no-any-return]  # a pacing


def test_turns_are_spread_evenly_over_all_who_ask(team_store: str) -> None:
    limits = RequestLimits(requests=600)

    def several(count: int) -> list[float]:
        with open_store(team_store) as store:
            pacing, found = pacing_of(store), []
            for _ in range(count):
                begun = time.time()
                turn = pacing.take(ENDPOINT, limits, 0.0)
                found.append((begun, time.time(), turn.wait))
                pacing.give_back(ENDPOINT, limits, turn, 0.0)
            return [(early + late) / 2 + wait for early, late, wait in found]

    open_store(team_store).close()
    with ThreadPoolExecutor(4) as pool:
        begins = sorted(one for part in pool.map(several, [10] * 4) for one in part)
    # 40 turns, a tenth of a second apart, however many ask: the last is due 3.9 s after the first.
    assert begins[-1] - begins[0] >= 3.5


def test_no_more_than_so_many_have_a_place_at_a_time_and_the_dead_leave_theirs(team_store: str) -> None:
    limits = RequestLimits(concurrent=2)
    with open_store(team_store) as one, open_store(team_store) as other:
        first, second = pacing_of(one), pacing_of(other)
        taken = [first.take(ENDPOINT, limits, 0.0), second.take(ENDPOINT, limits, 0.0)]
        assert all(turn.id for turn in taken)
        assert second.take(ENDPOINT, limits, 0.0).id == ""
        assert second.take("https://another.example", limits, 0.0).id
        first.give_back(ENDPOINT, limits, taken[0], 0.0)
        assert second.take(ENDPOINT, limits, 0.0).id
        assert first.take(ENDPOINT, limits, 0.0).id == ""


def test_places_end_with_the_process_that_had_them(team_store: str) -> None:
    from tests.store.saving import header

    limits = RequestLimits(concurrent=1)
    with open_store(team_store) as one, open_store(team_store) as other:
        writer = one.begin(header(), 1)
        assert pacing_of(one).take(ENDPOINT, limits, 0.0).id
        assert not pacing_of(other).take(ENDPOINT, limits, 0.0).id
        writer.finish("interrupted")
        assert pacing_of(other).take(ENDPOINT, limits, 0.0).id


def test_tokens_are_corrected_for_everybody(team_store: str) -> None:
    limits = RequestLimits(tokens=60)
    with open_store(team_store) as one, open_store(team_store) as other:
        first = pacing_of(one).take(ENDPOINT, limits, 100.0)
        assert first.wait == 0.0
        assert 60.0 < pacing_of(other).take(ENDPOINT, limits, 0.0).wait <= 100.0
        pacing_of(one).give_back(ENDPOINT, limits, first, 200.0)
        assert 240.0 < pacing_of(other).take(ENDPOINT, limits, 0.0).wait <= 300.0
