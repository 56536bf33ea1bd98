"""The day that a date of an answer means which leaves something out: its year, or all but the day of the week."""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import structs

from toolgauge.locale import DateFound, Period, read_iso

from .answer_type import Setting

__all__ = ["in_a_year", "is_on_other_side", "moved", "side_of_today", "with_weekdays"]


def moved(day: date, years: int, *, month_end: bool = False) -> date:
    """The same day so many years on, within what the calendar has; the end of a month stays its end."""
    year = min(max(day.year + years, 1), 9999)
    last = monthrange(year, day.month)[1]
    return day.replace(year=year, day=last if month_end else min(day.day, last))


TO_COME = re.compile(
    r"\b(?:next|upcoming|will|due|deadline|expires?|sẽ|sắp|tiếp\stheo|tới\sđây|sắp\stới|dự\skiến|hết\shạn|hạn\s(?:chót|nộp|cuối|đăng\ský))\b",
    re.IGNORECASE,
)
GONE_BY = re.compile(
    r"\b(?:did|was|were|last|most\srecent|previous|đã|gần\s(?:đây\s)?nhất|vừa\squa|trước\sđó|lần\scuối)\b",
    re.IGNORECASE,
)


def side_of_today(question: str) -> int:
    """On which side of today the asked date lies: 1 if it is to come, -1 if it has gone by, 0 if nothing says."""
    return (TO_COME.search(question) is not None) - (GONE_BY.search(question) is not None)


def is_on_other_side(period: Period, side: int, now: date) -> bool:
    """Whether a period lies on the other side of today than the asked one."""
    return period.high < now if side > 0 else period.low > now if side < 0 else False


def in_a_year(found: DateFound, side: int, setting: Setting) -> DateFound:
    """A date that leaves out its year, in the one of the question, or in the one that its side of today wants."""
    if found.relative or found.year_stated or found.precision not in ("day", "month"):
        return found
    years = {period.low.year for period in setting.asked.periods if period.low.year == period.high.year}
    if not found.readings:
        month, day = found.month, found.day
        if len(years) != 1 or month is None or found.last_month not in (None, month):
            return found
        period = read_iso(f"{min(years):04d}-{month:02d}" + (f"-{day:02d}" if day else ""))
        return structs.replace(found, readings=(period,)) if period else found
    if setting.now is None or not is_on_other_side(found.readings[0], side, setting.now):
        return found
    period = found.readings[0]
    shifted = Period(
        moved(period.low, side), moved(period.high, side, month_end=period.precision == "month"), period.precision
    )
    near = abs((shifted.low - setting.now).days) <= MOST_DAYS_AWAY
    return structs.replace(found, readings=(shifted,)) if near else found


MOST_DAYS_AWAY = 200
"""A date without a year is not moved to another year to lie further away from today."""
WEEKDAY = re.compile(
    r"\b(?:(Monday)|(Tuesday)|(Wednesday)|(Thursday)|(Friday)|(Saturday)|(Sunday))\b"
    r"|\b[Tt]hứ\s(?:([Hh]ai|2)|([Bb]a|3)|([Tt]ư|4)|([Nn]ăm|5)|([Ss]áu|6)|([Bb]ảy|7))\b|\b([Cc]hủ\s[Nn]hật)\b"
)
LONGEST_GAP = 25
"""How near a day of the week has to stand to a date, in characters, to be said of that one."""


def with_weekdays(text: str, dates: Sequence[DateFound], side: int, now: date) -> list[DateFound]:
    """The dates of an answer, and the days of the week that stand alone: the next one, or the last if that is asked."""
    starts = [one.start for one in dates]
    alone: list[DateFound] = []
    for match in WEEKDAY.finditer(text):
        start, end = match.span()
        index = bisect_left(starts, start)
        if any(_is_beside(text, match, one) for one in dates[max(0, index - 1) : index + 1]):
            continue
        wanted = next(number for number, group in enumerate(match.groups()) if group) % 7
        ahead = (wanted - now.weekday()) % 7
        day = now + timedelta(days=ahead - 7 if side < 0 and ahead else ahead)
        alone.append(
            DateFound(start=start, end=end, readings=(Period(day, day, "day"),), precision="day", relative=True)
        )
    return sorted([*dates, *alone], key=lambda one: one.start)


def _is_beside(text: str, weekday: re.Match[str], one: DateFound) -> bool:
    """Whether a day of the week is said of a date."""
    first, last = min(weekday.end(), one.end), max(weekday.start(), one.start)
    return last - first <= LONGEST_GAP and "\n" not in text[first:last]
