"""Dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest

from toolgauge.locale import find_dates

NOW = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("30/4/1975", "1975-04-30", "1975-04-30"),
        ("ngày 30 tháng 4 năm 1975", "1975-04-30", "1975-04-30"),
        ("mùng 2 tháng 9", "2026-09-02", "2026-09-02"),
        ("Năm 1945: mùng 2 tháng 9", "1945-09-02", "1945-09-02"),
        ("quý II/2024", "2024-04-01", "2024-06-30"),
        ("tháng 5/2025", "2025-05-01", "2025-05-31"),
        ("April 30, 1975", "1975-04-30", "1975-04-30"),
        ("30th of April 1975", "1975-04-30", "1975-04-30"),
        ("Q2 2024", "2024-04-01", "2024-06-30"),
        ("năm 938", "0938-01-01", "0938-12-31"),
        ("từ năm 1990 đến năm 1995", "1990-01-01", "1995-12-31"),
        ("1990–95", "1990-01-01", "1995-12-31"),
        ("từ 1/4 đến 30/4/2025", "2025-04-01", "2025-04-30"),
        ("9 tháng đầu năm 2024", "2024-01-01", "2024-09-30"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("thế kỷ XX", "1901-01-01", "2000-12-31"),
        ("hôm qua", "2026-01-30", "2026-01-30"),
        ("năm nay", "2026-01-01", "2026-12-31"),
        ("tháng trước", "2025-12-01", "2025-12-31"),
        ("quý trước", "2025-10-01", "2025-12-31"),
        ("3 days ago", "2026-01-28", "2026-01-28"),
        ("tháng 12 năm ngoái", "2025-12-01", "2025-12-31"),
        ("thứ hai tuần trước", "2026-01-19", "2026-01-19"),
        ("last Monday", "2026-01-26", "2026-01-26"),
    ],
)
def test_a_date_is_the_days_it_covers(text: str, low: str, high: str) -> None:
    found = find_dates(text, "vi", NOW)[-1]
    assert (str(found.low), str(found.high)) == (low, high)


def test_the_locale_says_whether_the_day_comes_first() -> None:
    assert find_dates("3/4/2025", "vi")[0].low == date(2025, 4, 3)
    assert find_dates("3/4/2025", "en")[0].low == date(2025, 3, 4)
    assert [period.low for period in find_dates("3/4/2025", None)[0].readings] == [date(2025, 4, 3), date(2025, 3, 4)]
    assert find_dates("30/4/2025", "en")[0].low == date(2025, 4, 30)
    assert len(find_dates("2025-04-03", None)[0].readings) == 1


@pytest.mark.parametrize("text", ["1975 người", "68/2024/TT-BTC", "31/2/2024", "năm 179 TCN", "it may be 5", "1.234"])
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert find_dates(text, "vi", NOW) == []


def test_a_relative_date_without_today_has_no_reading() -> None:
    (found,) = find_dates("hôm qua", "vi")
    assert found.relative
    assert found.readings == ()


def test_a_date_without_a_year_keeps_its_month_and_day() -> None:
    (found,) = find_dates("mùng 2 tháng 9", "vi")
    assert (found.month, found.day, found.readings) == (9, 2, ())


def test_a_date_that_moved_is_where_it_moved_to() -> None:
    found = find_dates("dời từ ngày 20/4/2025 đến ngày 25/4/2025", "vi")
    assert [one.low for one in found] == [date(2025, 4, 25)]
