"""What drift charts promise: few false alarms on streams without change, and changes found soon.

From fixed seeds, and with room for chance: `python -m bench.drift` does the same for more than a thousand months.
"""

from __future__ import annotations

import pytest
from scipy.stats import poisson

from bench.drift import QUIET, watch_quiet
from bench.drift_delays import CASES, Case, own_delay

pytestmark = pytest.mark.deep

MONTHS = 3
STREAMS = 5


@pytest.mark.parametrize("name", QUIET)
def test_false_alarms_stay_within_the_stated_rate(name: str) -> None:
    stream, settings = QUIET[name]
    found = [watch_quiet(seed, stream, settings, MONTHS) for seed in range(STREAMS)]
    # One a month is promised; so many would be seen once in ten thousand times if it were kept just so.
    most = poisson.isf(1e-4, MONTHS * STREAMS)
    assert sum(len(each.alarms) for each in found) <= most


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_changes_are_found(case: Case) -> None:
    delays = [own_delay(seed, case.stream) for seed in range(8)]
    found = [each.sessions for each in delays if each.sessions is not None]
    assert len(found) >= 7
    assert sorted(found)[len(found) // 2] <= 400
