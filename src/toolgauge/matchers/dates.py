"""Days, months and years as agents write them in arguments."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, cast

from toolgauge.core import nfc

if TYPE_CHECKING:
    from toolgauge.locale import Locale

__all__ = ["PartialDate", "first_day", "is_iso", "last_day", "readings"]


class PartialDate(NamedTuple):
    """A date as far as it is known; 0 stands for what is not."""

    year: int
    month: int = 0
    day: int = 0


def first_day(period: PartialDate) -> PartialDate:
    """The first day of a day, month or year."""
    return PartialDate(period.year, period.month or 1, period.day or 1)


def last_day(period: PartialDate) -> PartialDate:
    """The last day of a day, month or year, or one after it that is no day."""
    return PartialDate(period.year, period.month or 12, period.day or 31)


_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ]\d{2}:\d{2}.*)?)?)?")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4})")
_BEFORE_DATE = re.compile(r"(?:ngày\s+)?", re.IGNORECASE)

_LONGEST = 80
"""A text of more characters says more than a date."""


def is_iso(text: str) -> bool:
    """Whether a text is a year, month or day as ISO 8601 writes it."""
    found = _ISO.fullmatch(text)
    return found is not None and _valid(found[1], found[2], found[3]) is not None


def readings(text: str, locale: str | None) -> set[PartialDate]:
    """What a text can mean as a date: nothing, one day, or two where day and month can be taken for each other.

    The locale decides between them: `vi` has the day first, `en` the month. An order that the calendar does not have
    is never meant, so `31/1/2025` is the same day in both.
    """
    text = text.strip()
    for pattern in (_ISO, _YEAR_FIRST, _COMPACT):
        if found := pattern.fullmatch(text):
            day = _valid(found[1], found[2], found[3])
            return set() if day is None else {day}
    if found := _MONTH_YEAR.fullmatch(text):
        day = _valid(found[2], found[1], None)
        return set() if day is None else {day}
    if found := _YEAR_LAST.fullmatch(text):
        orders = [_valid(found[3], found[2], found[1]), _valid(found[3], found[1], found[2])]
        from toolgauge.locale import PROFILES

        profile = PROFILES.get(cast("Locale", locale))
        if profile is not None and not profile.day_first:
            orders.reverse()
        days = [day for day in orders if day is not None]
        return set(days[:1] if profile is not None else days)
    return _in_words(text, locale) if len(text) <= _LONGEST else set()


def _in_words(text: str, locale: str | None) -> set[PartialDate]:
    """What a text means that is a date from its first to its last letter, such as `31 January 2025`."""
    from toolgauge.locale import PROFILES, find_dates

    text = nfc(text)
    for found in find_dates(text, locale if locale in PROFILES else None):
        if _BEFORE_DATE.fullmatch(text, 0, found.start) and found.end == len(text) and not found.relative:
            depth = {"year": 1, "month": 2, "day": 3}.get(found.precision, 0)
            lows = [(period.low.year, period.low.month, period.low.day) for period in found.readings]
            return {PartialDate(*low[:depth]) for low in lows} if depth else set()
    return set()


def _valid(year: str, month: str | None, day: str | None) -> PartialDate | None:
    """The date, if the calendar has it."""
    parts = int(year), int(month or 0), int(day or 0)
    try:
        date(parts[0], parts[1] if month else 1, parts[2] if day else 1)
    except ValueError:
        return None
    return PartialDate(*parts)
