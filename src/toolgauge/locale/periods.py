"""Stretches of days: a day, a month, a quarter, a year and what lies between two of them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Literal, NamedTuple, TypeAlias

__all__ = [
    "Period",
    "Precision",
    "century",
    "day",
    "decade",
    "half",
    "month",
    "months",
    "quarter",
    "read_iso",
    "week",
    "year",
]

Precision: TypeAlias = Literal["day", "week", "month", "quarter", "half", "year", "decade", "century", "range"]


class Period(NamedTuple):
    """Days from the first to the last one, both included."""

    low: date
    high: date
    precision: Precision


def day(year_number: int, month_number: int, day_number: int) -> Period | None:
    """One day; None where the calendar has none such."""
    if not (1 <= year_number <= 9999 and 1 <= month_number <= 12):
        return None
    if not 1 <= day_number <= monthrange(year_number, month_number)[1]:
        return None
    found = date(year_number, month_number, day_number)
    return Period(found, found, "day")


def months(year_number: int, first: int, last: int, precision: Precision) -> Period | None:
    """Whole months of one year."""
    if not (1 <= year_number <= 9999 and 1 <= first <= last <= 12):
        return None
    end = monthrange(year_number, last)[1]
    return Period(date(year_number, first, 1), date(year_number, last, end), precision)


def month(year_number: int, number: int) -> Period | None:
    """One month."""
    return months(year_number, number, number, "month")


def quarter(year_number: int, number: int) -> Period | None:
    """One quarter, from 1 to 4."""
    return months(year_number, 3 * number - 2, 3 * number, "quarter")


def half(year_number: int, number: int) -> Period | None:
    """The first or the second half of a year."""
    return months(year_number, 6 * number - 5, 6 * number, "half")


def year(number: int) -> Period | None:
    """One year."""
    return months(number, 1, 12, "year")


def decade(first: int) -> Period | None:
    """Ten years from the first one."""
    if not 1 <= first <= 9990:
        return None
    return Period(date(first, 1, 1), date(first + 9, 12, 31), "decade")


def century(number: int) -> Period | None:
    """A hundred years: the 20th century is 1901 to 2000."""
    if not 1 <= number <= 99:
        return None
    return Period(date(100 * number - 99, 1, 1), date(100 * number, 12, 31), "century")


def week(of: date) -> Period:
    """The week from Monday to Sunday that a day lies in."""
    monday = of - timedelta(days=of.weekday())
    return Period(monday, monday + timedelta(days=6), "week")


ISO = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?|-?Q([1-4]))?", re.ASCII)


def read_iso(text: str) -> Period | None:
    """A day (`1975-04-30`), month (`1975-04`), quarter (`2024-Q2`) or year (`1975`); None where it is none of these."""
    match = ISO.fullmatch(text.strip())
    if match is None or (len(match[1]) < 4 and match.end() > match.end(1)):
        return None
    year_text, month_text, day_text, quarter_text = match.groups()
    if quarter_text:
        return quarter(int(year_text), int(quarter_text))
    if day_text:
        return day(int(year_text), int(month_text), int(day_text))
    return month(int(year_text), int(month_text)) if month_text else year(int(year_text))
