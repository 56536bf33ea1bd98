"""Dates that count from today: `hôm qua`, `năm nay`, `three days ago`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache

from . import periods
from .periods import Period
from .profile import CalendarWords, RelativeForm
from .profiles import calendar_words

__all__ = ["alternatives", "fill", "find_relative"]


def alternatives(words: Iterable[str]) -> str:
    """A pattern that matches any of the words, the longest first."""
    return "|".join(word.replace(" ", r"\s") for word in sorted(words, key=len, reverse=True))


def fill(pattern: str, fragments: Mapping[str, str]) -> str:
    """A pattern with `%name%` replaced by the fragments of these names."""
    return re.sub("%([a-z_]+)%", lambda match: fragments[match[1]], pattern)


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


def _resolve(form: RelativeForm, match: re.Match[str], now: date, words: CalendarWords) -> Period | None:
    """What a match of a form means."""
    if form.meaning in ("days", "years"):
        return _shift(now, form.meaning[:-1], form.shift)
    groups = {name: re.sub(r"\s+", " ", said.lower()) for name, said in match.groupdict().items()}
    if form.meaning in ("weekday", "weekday_of_week"):
        of_week = form.meaning == "weekday_of_week"
        return _weekday(words.weekdays[groups["weekday"]], words.steps[groups["step"]], now, of_week=of_week)
    unit = words.spans[groups["unit"]]
    if form.meaning == "named":
        return _shift(now, unit, words.steps[groups["step"]])
    said = groups["count"]
    count = int(said) if said.isdigit() else words.counts[said]
    if form.meaning == "ahead":
        return _shift(now, unit, count)
    # `một tuần trước` counts seven days back; the whole week is `tuần trước`.
    return _shift(now, "day", -7 * count) if unit == "week" else _shift(now, unit, -count)


def _weekday(wanted: int, step: int, now: date, *, of_week: bool) -> Period | None:
    if of_week:
        monday = now - timedelta(days=now.weekday()) + timedelta(weeks=step)
        return _shift(monday, "day", wanted)
    ahead = (wanted - now.weekday()) % 7
    count = ahead if step == 0 else (ahead or 7) if step > 0 else -((now.weekday() - wanted) % 7 or 7)
    return _shift(now, "day", count)


@lru_cache(maxsize=8)
def _patterns(words: CalendarWords) -> tuple[tuple[RelativeForm, re.Pattern[str]], ...]:
    """The compiled forms, made when they are first needed."""
    fragments = {
        "count": f"(?P<count>[0-9]{{1,4}}|{alternatives(words.counts)})",
        "weekdays": alternatives(words.weekdays),
    }
    return tuple((form, re.compile(fill(form.pattern, fragments), re.IGNORECASE)) for form in words.relative)


def find_relative(text: str, now: date | None) -> Iterator[tuple[int, int, Period | None]]:
    """The relative dates of a text: start, end and the period, which is None where there is no `now`."""
    low, words = text.lower(), calendar_words()
    for form, pattern in _patterns(words):
        if not any(need in low for need in form.needs):
            continue
        for match in pattern.finditer(text):
            yield match.start(), match.end(), _resolve(form, match, now, words) if now else None
