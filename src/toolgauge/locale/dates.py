"""Finds dates in text: days, months, quarters, years, what counts from today, and the ranges between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import nfc

from . import periods
from .date_forms import WrittenDate, find_written
from .periods import Period, Precision
from .profile import CalendarWords, Locale, RelativeForm, alternatives, fill
from .profiles import PROFILES, calendar_words

__all__ = ["DateFound", "find_dates", "read_dates", "write_date"]


class DateFound(Struct, frozen=True, gc=False, kw_only=True):
    """A date that a text states."""

    start: int
    end: int
    """Where it stands in the text."""
    readings: tuple[Period, ...]
    """What it may mean; two where the locale is unknown; none where the year or today is needed and unknown."""
    precision: Precision
    cued: bool = True
    """Whether its form or the words before it make it a date for sure; a bare `1975` or `3/4` is not."""
    relative: bool = False
    """Whether it counts from today."""
    month: int | None = None
    """The month, or the first one, of a date whose year is not known."""
    last_month: int | None = None
    day: int | None = None
    open_ended: bool = False
    """Whether it only says before or after when."""
    year_stated: bool = True
    """Whether it states its year itself."""

    @property
    def low(self) -> date | None:
        """The first day, where there is one reading."""
        return self.readings[0].low if len(self.readings) == 1 else None

    @property
    def high(self) -> date | None:
        """The last day, where there is one reading."""
        return self.readings[0].high if len(self.readings) == 1 else None


OPEN = re.compile(r"(?:\b(?:before|after|prior to|trước|sau)(?:\s(?:khi|ngày|năm|tháng|the year))?\s*)$", re.IGNORECASE)
JOIN = re.compile(
    r"\s?(?:[-–—~]|\bto\b|\bđến\b|\btới\b|\buntil\b|\btill\b|\bthrough\b|\bđến\shết\b|\bcho\sđến\b)\s?(?:the\s|ngày\s|năm\s|hết\s)?",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"(?:\bbetween|\bgiữa|\btừ)\s(?:the\s|ngày\s|năm\s)?$", re.IGNORECASE)
AND = re.compile(r"\s(?:and|và)\s(?:ngày\s|năm\s)?", re.IGNORECASE)
MOVED = re.compile(
    r"\b(?:dời|hoãn|lùi|chuyển|đổi|moved|postponed|delayed|changed|rescheduled|pushed)\b[^.;\n]{0,40}$", re.IGNORECASE
)
RELATIVE_YEAR = re.compile(
    r",?\s(?:của\s|of\s)?(?:(?P<this>năm\snay|năm\snày|this\syear)|(?P<last>năm\sngoái|năm\strước|last\syear)"
    r"|(?P<next>năm\ssau|năm\stới|next\syear))\b",
    re.IGNORECASE,
)
ENDED = re.compile(
    r"\b(?:(?:fiscal\s|financial\s)?(?P<named>quarter|half(?:[\s-]year)?|year)|(?P<count>three|six|nine|twelve|3|6|9|12)[\s-]months?(?:\speriod)?"
    r"|(?P<vi>quý|kỳ|nửa\snăm|năm(?:\stài\schính)?)|(?P<vi_count>ba|sáu|chín|3|6|9)\stháng)"
    r"\s(?:\w+\s)?(?:ended|ending|ends|(?P<to>to|through)|kết\sthúc(?:\s(?:vào|tại))?)\s(?:on\s)?(?:the\s)?(?:ngày\s)?$",
    re.IGNORECASE,
)
"""What says that a date is the last one of a period: `three months ended`, `quý kết thúc ngày`."""
MONTHS = {
    "quarter": 3,
    "year": 12,
    "quý": 3,
    "nửa năm": 6,
    "three": 3,
    "six": 6,
    "nine": 9,
    "twelve": 12,
    "ba": 3,
    "sáu": 6,
}
MONTH_ENDS, MONTH_BEGINS = 22, 7
"""A period of weeks ends a few days before the month does, or in the first ones of the next."""
DASHES = ("-", "–", "—")
SENTENCE_END = re.compile(r"[.!?]\s|\n")
MOST_LISTED = 6
"""How many dates on a year is looked for: `in May, in June and in July 2024`."""
NEAR = 300
"""How far back, in characters, a year is looked for that a date leaves out."""


def find_dates(text: str, locale: Locale | None, now: date | None = None) -> list[DateFound]:
    """The dates of a text in order.

    Args:
        text: Any text.
        locale: Which of day and month comes first in `3/4/2025`; None: unknown, and such a date has two readings.
        now: The day that relative dates count from, and whose year a date without one has.
    """
    text = nfc(text)
    if locale is not None:
        return read_dates(text, locale, now)
    merged, *others = ({found.start: found for found in read_dates(text, style, now)} for style in PROFILES)
    for other in others:
        for start, found in merged.items():
            if start in other:
                more = tuple(reading for reading in other[start].readings if reading not in found.readings)
                merged[start] = replace(found, readings=(*found.readings, *more)) if more else found
    return list(merged.values())


def read_dates(text: str, locale: Locale, now: date | None) -> list[DateFound]:
    """The dates of a text in normal form C, each with one reading at most."""
    written = _leftmost_longest(find_written(text, locale))
    found = list(_with_years(text, written, now))
    for start, end, period in _find_relative(text, now):
        precision: Precision = period.precision if period else "day"
        readings = (period,) if period else ()
        found.append(DateFound(start=start, end=end, readings=readings, precision=precision, relative=True))
    found = _leftmost(sorted(found, key=lambda one: (one.start, -one.end)))
    if "end" in text or "month" in text or "kết thúc" in text:
        found = [_whole(text, one) for one in found]
    return _joined(text, [_opened(text, one) for one in found])


def _whole(text: str, found: DateFound) -> DateFound:
    """The period of which a date is said to be the last day: `the three months ended 30 September 2019`."""
    if found.precision not in ("day", "month") or found.relative or not found.readings:
        return found
    said = ENDED.search(text, max(0, found.start - 60), found.start)
    if said is None or (found.precision == "month" and said["to"]):
        return found
    words = (said["named"] or said["count"] or said["vi"] or said["vi_count"]).lower()
    words = "half" if words.startswith("half") else "year" if words.startswith("năm") else words
    size = int(words) if words.isdigit() else MONTHS.get(words, 6 if words == "half" else 9 if words == "chín" else 3)
    last = found.readings[0].high
    if last.day <= MONTH_BEGINS:
        last -= timedelta(days=MONTH_BEGINS)
    elif last.day < MONTH_ENDS:
        return found
    first = last.year * 12 + last.month - size
    low = periods.month(first // 12, first % 12 + 1)
    high = periods.month(last.year, last.month)
    if low is None or high is None:
        return found
    calendar = {3: "quarter", 6: "half", 12: "year"} if last.month % size == 0 else {}
    precision: Precision = calendar.get(size, "range")  # type: ignore[assignment]
    return replace(found, start=said.start(), readings=(Period(low.low, high.high, precision),), precision=precision)


def _leftmost_longest(written: Iterable[WrittenDate]) -> list[WrittenDate]:
    kept: list[WrittenDate] = []
    for one in sorted(written, key=lambda one: (one.start, -one.end, not one.cued)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _leftmost(found: list[DateFound]) -> list[DateFound]:
    kept: list[DateFound] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _with_years(text: str, written: list[WrittenDate], now: date | None) -> Iterator[DateFound]:
    """Give dates that leave out their year the one that is said near them, or this year."""
    for index, one in enumerate(written):
        period = one.period
        stated = period is not None
        if period is None:
            said = RELATIVE_YEAR.match(text, one.end)
            if said:
                one = one._replace(end=said.end())
                from_year = now.year if now else None if said["this"] else _year_before(text, written, index)
                year = None if from_year is None else from_year + (0 if said["this"] else -1 if said["last"] else 1)
            else:
                year = _year_near(text, written, index)
                if year is None and now is not None:
                    year = now.year
            period = one.in_year(year) if year is not None else None
            if year is not None and period is None:
                continue  # there is no such day in that year
        yield DateFound(
            start=one.start,
            end=one.end,
            readings=(period,) if period else (),
            precision=one.precision,
            cued=one.cued,
            month=one.month if period is None else None,
            last_month=one.last_month if period is None else None,
            day=one.day if period is None else None,
            year_stated=stated,
        )


def _year_before(text: str, written: list[WrittenDate], index: int) -> int | None:
    """The year of the last date before in the same sentence: `ký ngày 30/6/2019, có hiệu lực từ 1/8 năm sau`."""
    for previous in reversed(written[max(0, index - 8) : index]):
        if previous.period and not SENTENCE_END.search(text, previous.end, written[index].start):
            return previous.period.low.year
    return None


def _year_near(text: str, written: list[WrittenDate], index: int) -> int | None:
    """The year of the next date in the same sentence, or of the last one before."""
    here = written[index]
    for following in written[index + 1 : index + MOST_LISTED]:
        if SENTENCE_END.search(text, here.end, following.start):
            break
        if following.period:
            return following.period.low.year
    for previous in reversed(written[max(0, index - 8) : index]):
        if previous.period and here.start - previous.end <= NEAR:
            return previous.period.low.year
    return None


def _opened(text: str, found: DateFound) -> DateFound:
    """Mark a date that only bounds when."""
    if found.relative or not OPEN.search(text[max(0, found.start - 24) : found.start]):
        return found
    return replace(found, open_ended=True)


def _joined(text: str, found: list[DateFound]) -> list[DateFound]:
    """Join two dates with `to` between them into a range; of `moved from A to B` only B is kept."""
    joined: list[DateFound] = []
    for one in found:
        if joined and _is_range(text, joined[-1], one):
            first = joined.pop()
            before = text[max(0, first.start - 60) : first.start]
            if MOVED.search(before):
                joined.append(one)
                continue
            period = Period(first.readings[0].low, one.readings[0].high, "range")
            cued = first.cued or one.cued or (period.low.year >= 1900 and period.high.year < 2100)
            joined.append(DateFound(start=first.start, end=one.end, readings=(period,), precision="range", cued=cued))
            continue
        joined.append(one)
    return joined


def _is_range(text: str, first: DateFound, second: DateFound) -> bool:
    if second.start - first.end > 16 or not first.readings or not second.readings or first.precision == "range":
        return False
    if first.readings[0].low > second.readings[0].high:
        return False
    between = text[first.end : second.start]
    if first.precision in ("month", "quarter") and second.precision == "day" and between.strip() in DASHES:
        return False  # `Đợt 1/2025 – 4/2/2025`
    if JOIN.fullmatch(between):
        return True
    return bool(AND.fullmatch(between) and BETWEEN.search(text[max(0, first.start - 24) : first.start]))


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
def _relative_patterns(words: CalendarWords) -> tuple[tuple[RelativeForm, re.Pattern[str]], ...]:
    """The compiled forms, made when they are first needed."""
    fragments = {
        "count": f"(?P<count>[0-9]{{1,4}}|{alternatives(words.counts)})",
        "weekdays": alternatives(words.weekdays),
    }
    return tuple((form, re.compile(fill(form.pattern, fragments), re.IGNORECASE)) for form in words.relative)


def _find_relative(text: str, now: date | None) -> Iterator[tuple[int, int, Period | None]]:
    """The relative dates of a text: start, end and the period, which is None where there is no `now`."""
    low, words = text.lower(), calendar_words()
    for form, pattern in _relative_patterns(words):
        if not any(need in low for need in form.needs):
            continue
        for match in pattern.finditer(text):
            yield match.start(), match.end(), _resolve(form, match, now, words) if now else None


def write_date(value: date, locale: Locale, *, words: bool = False) -> str:
    """A day: `30/4/1975` or `ngày 30 tháng 4 năm 1975` in `vi`, `4/30/1975` or `April 30, 1975` in `en`."""
    profile = PROFILES[locale]
    if words:
        return profile.write_date(value)
    first, second = (value.day, value.month) if profile.day_first else (value.month, value.day)
    return f"{first}/{second}/{value.year:04d}"
