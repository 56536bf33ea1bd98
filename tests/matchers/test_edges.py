"""Values that a program may meet and a person hardly writes."""

from __future__ import annotations

import pytest

from toolgauge.core import JsonValue
from toolgauge.matchers import check_rule

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


DAY = "2025-01-31"


@pytest.mark.parametrize("locale", [None, "vi", "en"])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("January 31, 2025", DAY),
        ("31 January 2025", DAY),
        ("ngày 31 tháng 1 năm 2025", DAY),
        ("nga\u0300y 31 tha\u0301ng 1 na\u0306m 2025", DAY),
        ("ngày 31/1/2025", DAY),
        ("31/01/25", DAY),
        ("2025-1-31", DAY),
        ("31/1/2025", DAY),
        ("1/31/2025", DAY),
        ("tháng 1/2025", "2025-01"),
        ("January 2025", "2025-01"),
        ("2025-1", "2025-01"),
        ("năm 2025", "2025"),
    ],
)
def test_a_date_in_words_is_read_as_far_as_it_says(text: str, wanted: str, locale: str | None) -> None:
    assert fits({"$date": wanted}, text, locale=locale)
    assert fits({"$date": "2025"}, text, locale=locale)
    assert not fits({"$date": "2025-02"}, text, locale=locale)
    assert fits({"$date": DAY}, text, locale=locale) is (wanted == DAY)
    assert fits({"$range": ["2025-01-01", "2025-12-31"]}, text, locale=locale)
    assert not fits({"$range": [None, "2025-01-30"]}, text, locale=locale)


def test_a_short_year_behind_a_day_is_read_by_the_locale() -> None:
    assert fits({"$date": "2025-02-01"}, "01/02/25", locale="vi")
    assert fits({"$date": "2025-01-02"}, "01/02/25", locale="en")
    assert not fits({"$date": "2025-01-02"}, "01/02/25")


@pytest.mark.parametrize(
    "text",
    ["from January 31, 2025", "31 January 2025 in Hanoi", "31/1", "hôm nay", "2024-25", "quý 1/2025", "x" * 9999],
)
def test_a_text_that_says_more_or_less_than_a_date_is_none(text: str) -> None:
    assert not fits({"$date": {"value": DAY, "precision": "year"}}, text, locale="vi")


@pytest.mark.parametrize(("value", "valid"), [("2025-01-31", True), ("31/1/2025", False), ("2025-02-30", False)])
def test_a_format_is_a_rule(value: str, valid: bool) -> None:
    assert fits({"$schema": {"type": "string", "format": "date"}}, value) is valid
    assert fits({"$schema": {"type": "string", "format": "of-our-own"}}, value)


def test_inside_a_literal_everything_stands_for_itself() -> None:
    wanted: JsonValue = {"age": {"$gt": 5}, "name": {"$regex": "^A"}, "tags": {"$in": [{"$from": "x"}]}}
    assert list(check_rule({"$literal": wanted}, ())) == []
    assert fits({"$literal": wanted}, wanted)
    assert fits({"filter": {"$literal": wanted}, "n": {"$any": True}}, {"filter": wanted, "n": 1})
    assert not fits({"$literal": wanted}, {"age": 6, "name": "An", "tags": []})
    assert next(fault.what for fault in check_rule(wanted, ())) == "'$gt' is not a matcher"


@pytest.mark.parametrize("pattern", ["((a{1000}){1000}){1000}", "a{1000}{1000}{1000}"])
def test_a_pattern_that_grows_is_called_too_large(pattern: str) -> None:
    (fault,) = check_rule({"$regex": pattern}, ())
    assert fault.what == f"'{pattern}' is too large a regular expression"
    (fault,) = check_rule({"$regex": "a{5,2}"}, ())
    assert fault.what == "'a{5,2}' is not a regular expression"
