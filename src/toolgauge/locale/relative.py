"""Dates that count from today: `hôm qua`, `năm nay`, `three days ago`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache

from . import periods
from .calendarwords import WEEKDAYS, alternatives
from .periods import Period
from .spelled import read_group
from .tokens import tokenise

__all__ = ["find_relative"]

FLAGS = re.IGNORECASE
NUMBER = r"([0-9]{1,4}|một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười|a|one|two|three|four|five|six|seven|eight|nine|ten)"
UNITS = {
    "ngày": "day",
    "hôm": "day",
    "tuần": "week",
    "tháng": "month",
    "quý": "quarter",
    "năm": "year",
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}
STEPS = {
    "này": 0,
    "nay": 0,
    "hiện tại": 0,
    "trước": -1,
    "ngoái": -1,
    "vừa rồi": -1,
    "vừa qua": -1,
    "kia": -2,
    "kìa": -3,
    "qua": -1,
    "rồi": -1,
    "sau": 1,
    "tới": 1,
    "this": 0,
    "current": 0,
    "last": -1,
    "previous": -1,
    "next": 1,
    "coming": 1,
}


def _shift(now: date, unit: str, count: int) -> Period | None:
    """The day, week, month, quarter or year that lies so many of them from now."""
    try:
        if unit == "day":
            found = now + timedelta(days=count)
            return Period(found, found, "day")
        if unit == "week":
            return periods.week(now + timedelta(weeks=count))
    except OverflowError:
        return None
    if unit == "year":
        return periods.year(now.year + count)
    size = 3 if unit == "quarter" else 1
    index = now.year * (12 // size) + (now.month - 1) // size + count
    year, number = divmod(index, 12 // size)
    return periods.quarter(year, number + 1) if unit == "quarter" else periods.month(year, number + 1)


def _count(text: str) -> int:
    if text.isdigit():
        return int(text)
    if text in ("a", "năm"):
        return 1 if text == "a" else 5
    group = read_group(tokenise(text), 0)
    return int(group[0]) if group else 0


Resolver = Callable[[re.Match[str], date], Period | None]


def _fixed(count: int) -> Resolver:
    return lambda _, now: _shift(now, "day", count)


def _named(match: re.Match[str], now: date) -> Period | None:
    groups = match.groupdict()
    step = re.sub(r"\s", " ", (match["step"] or groups["old_step"]).lower())
    return _shift(now, UNITS[(match["unit"] or groups["old_unit"]).lower()], STEPS[step])


def _following_year(_: re.Match[str], now: date) -> Period | None:
    return _shift(now, "year", 1)


def _ago(match: re.Match[str], now: date) -> Period | None:
    unit, count = UNITS[match["unit"].lower()], _count(match["count"].lower())
    # `một tuần trước` counts seven days back; the whole week is `tuần trước`.
    return _shift(now, "day", -7 * count) if unit == "week" else _shift(now, unit, -count)


def _ahead(match: re.Match[str], now: date) -> Period | None:
    return _shift(now, UNITS[match["unit"].lower()], _count(match["count"].lower()))


def _weekday(match: re.Match[str], now: date) -> Period | None:
    wanted = WEEKDAYS[re.sub(r"\s+", " ", match["weekday"].lower())]
    step = STEPS[match["step"].lower()]
    if "tuần" in match.group().lower():
        monday = now - timedelta(days=now.weekday()) + timedelta(weeks=step)
        return _shift(monday, "day", wanted)
    ahead = (wanted - now.weekday()) % 7
    count = ahead if step == 0 else (ahead or 7) if step > 0 else -((now.weekday() - wanted) % 7 or 7)
    return _shift(now, "day", count)


COUNT = rf"(?P<count>{NUMBER[1:-1]})"
VI_UNIT = r"(?P<unit>ngày|tuần|tháng|quý|năm)"
EN_UNIT = r"(?P<unit>day|week|month|quarter|year)"
DAY = alternatives(WEEKDAYS)
RULES: tuple[tuple[tuple[str, ...], str, Resolver], ...] = (
    (
        ("nay", "today", "tonight", "this"),
        r"\b(?:(?:ngày\s)?hôm\snay|(?:sáng|trưa|chiều|tối|đêm)\snay|today|tonight|this\s(?:morning|evening))\b",
        _fixed(0),
    ),
    (("yesterday", "kia"), r"\b(?:the\s)?day\sbefore\syesterday\b|\b(?:ngày\s)?hôm\skia\b", _fixed(-2)),
    (
        ("qua", "yesterday", "night"),
        r"\b(?:(?:ngày\s)?hôm\squa|(?:sáng|trưa|chiều|tối|đêm)\s(?:hôm\s)?qua|yesterday|last\snight)\b",
        _fixed(-1),
    ),
    (("tomorrow", "kia", "mốt"), r"\b(?:the\s)?day\safter\stomorrow\b|\bngày\s(?:kia|mốt)\b", _fixed(2)),
    (("mai", "tomorrow"), r"\b(?:(?:ngày|sáng|chiều|tối)\smai|tomorrow)\b", _fixed(1)),
    (("sang năm",), r"\bsang\snăm(?:\ssau|\stới)?\b(?!\s[0-9])", _following_year),
    (("tuần",), rf"\b(?P<weekday>{DAY})\stuần\s(?P<step>này|trước|sau|tới)\b", _weekday),
    (("day",), rf"\b(?P<step>this|last|next)\s(?P<weekday>{DAY})\b", _weekday),
    (("cách",), rf"\bcách\s(?:đây|nay)\s(?:khoảng\s)?{COUNT}\s{VI_UNIT}\b", _ago),
    (("trước",), rf"\b{COUNT}\s{VI_UNIT}\s(?:trước|về\strước)\b", _ago),
    (("nữa",), rf"\b(?:sau\s)?{COUNT}\s{VI_UNIT}\snữa\b", _ahead),
    (("ago", "earlier"), rf"\b{COUNT}\s{EN_UNIT}s?\s(?:ago|earlier)\b", _ago),
    (("day", "week", "month", "quarter", "year"), rf"\bin\s{COUNT}\s{EN_UNIT}s?\b(?!\s(?:of|to|or))", _ahead),
    (("from now", "from today"), rf"\b{COUNT}\s{EN_UNIT}s?\sfrom\s(?:now|today)\b", _ahead),
    (
        ("tuần", "tháng", "quý", "năm"),
        r"\b(?P<unit>tuần|tháng|quý|năm)\s(?P<step>này|nay|hiện\stại|trước|ngoái|vừa\srồi|vừa\squa|qua|sau|tới)\b"
        r"|\b(?P<old_unit>năm)\s(?P<old_step>kìa|kia)\b",
        _named,
    ),
    (
        ("day", "week", "month", "quarter", "year"),
        rf"\b(?P<step>this|last|next|previous|current)\s{EN_UNIT}\b(?!\s[0-9])",
        _named,
    ),
)
"""What has to be in a text, the form, and what it means; looking for the first is much faster than the form."""


@cache
def _rules() -> tuple[tuple[tuple[str, ...], re.Pattern[str], Resolver], ...]:
    """The compiled rules, made when they are first needed."""
    return tuple((needs, re.compile(pattern, FLAGS), resolve) for needs, pattern, resolve in RULES)


def find_relative(text: str, now: date | None) -> Iterator[tuple[int, int, Period | None]]:
    """The relative dates of a text: start, end and the period, which is None where there is no `now`."""
    low = text.lower()
    for needs, pattern, resolve in _rules():
        if not any(need in low for need in needs):
            continue
        for match in pattern.finditer(text):
            yield match.start(), match.end(), resolve(match, now) if now else None
