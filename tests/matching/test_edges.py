"""Values that a program may meet and a person hardly writes."""

from __future__ import annotations

import pytest

from toolgauge.core import JsonValue

from .values import fits

HUGE = 10**400


@pytest.mark.parametrize(
    "rule",
    [
        {"$approx": 5},
        {"$approx": {"value": 5, "rel": 1}},
        {"$range": [0, 1e308]},
        {"$schema": {"maximum": 5}},
        5,
        {"$date": "2025"},
    ],
)
def test_a_number_beyond_floating_point_does_not_fit_and_does_not_break(rule: JsonValue) -> None:
    assert not fits(rule, HUGE)
    assert not fits(rule, -HUGE) or rule == {"$schema": {"maximum": 5}}


@pytest.mark.parametrize("rule", [{"$regex": "a"}, {"$schema": {"type": "string"}}, {"$contains": "a"}, "a"])
def test_half_of_a_surrogate_pair_does_not_break_a_rule(rule: JsonValue) -> None:
    assert fits(rule, "\ud800") in (True, False)


@pytest.mark.parametrize(
    ("value", "inside"), [("2025-01", True), ("2025-02", True), ("2025-12", False), ("2025", False)]
)
def test_a_month_is_in_a_range_of_days_with_all_its_days_or_not(value: str, inside: bool) -> None:
    assert fits({"$range": ["2025-01-01", "2025-12-15"]}, value) is inside
