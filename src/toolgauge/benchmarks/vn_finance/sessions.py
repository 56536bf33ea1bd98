"""The days on which the exchanges are open, and the moment at which the benchmark's clock stands still."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from functools import cache

__all__ = ["FIRST_DAY", "NOW", "TODAY", "WEEKDAYS", "is_session", "sessions"]

NOW = datetime(2026, 1, 30, 15, 30, tzinfo=timezone(timedelta(hours=7)))
"""Friday, half an hour after the last order of the day."""

TODAY = NOW.date()

FIRST_DAY = date(2024, 1, 2)
"""The first session of which there are prices."""

WEEKDAYS = ("thứ Hai", "thứ Ba", "thứ Tư", "thứ Năm", "thứ Sáu", "thứ Bảy", "Chủ nhật")

HOLIDAYS = (
    ("2024-02-08", "2024-02-14"),  # Tết Giáp Thìn
    ("2024-04-18", "2024-04-18"),  # Hùng Kings
    ("2024-04-29", "2024-05-01"),  # Reunification and Labour Day, with the day between
    ("2024-09-02", "2024-09-03"),  # National Day
    ("2025-01-01", "2025-01-01"),
    ("2025-01-27", "2025-01-31"),  # Tết Ất Tỵ
    ("2025-04-07", "2025-04-07"),
    ("2025-04-30", "2025-05-02"),
    ("2025-09-01", "2025-09-02"),
    ("2026-01-01", "2026-01-02"),
)
"""Days on which the exchanges are closed, from and to, as far as they are no weekends."""


@cache
def _closed() -> frozenset[date]:
    days = set()
    for first, last in HOLIDAYS:
        day = date.fromisoformat(first)
        while day <= date.fromisoformat(last):
            days.add(day)
            day += timedelta(days=1)
    return frozenset(days)


def is_session(day: date) -> bool:
    """Whether shares are traded on a day."""
    return day.weekday() < 5 and day not in _closed()


@cache
def sessions() -> tuple[date, ...]:
    """All days with prices."""
    span = (TODAY - FIRST_DAY).days + 1
    return tuple(day for step in range(span) if is_session(day := FIRST_DAY + timedelta(days=step)))
