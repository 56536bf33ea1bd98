"""Scores answers that are dates."""

from __future__ import annotations

import re
from calendar import month_name
from dataclasses import dataclass, replace
from datetime import date

from msgspec import structs

from toolgauge.core import Answer, JsonValue
from toolgauge.locale import DateFound, Locale, Period, Precision, find_dates, read_iso

from .answer_type import (
    ENOUGH_OVERLAP,
    SWITCH_SCHEMA,
    AnswerType,
    Scorer,
    Setting,
    Spec,
    check_switch,
    check_value_or_range,
    read_answer,
    two_of,
    two_ways,
    within_reach,
)
from .dating import ENDS_ASKED, Offset, in_a_year, is_on_other_side, moved, side_of_today, with_offsets, with_weekdays
from .evidence.finding import Candidate, Finder, Weighed, decide, is_plain
from .freetext import FreeText
from .page import Page
from .superlative import best_times
from .written import is_period, read_period

__all__ = ["TIME"]

MAX_YEARS = 9998
BARE_YEAR = re.compile(r"\s*[0-9]{1,4}\s*\.?\s*", re.ASCII)
SIZES: dict[Precision, int] = {
    "day": 0,
    "week": 1,
    "month": 2,
    "quarter": 3,
    "half": 4,
    "range": 4,
    "year": 5,
    "decade": 6,
    "century": 7,
}


def _read_period(value: JsonValue, locale: Locale | None = None, now: date | None = None) -> Period | None:
    """The period of a reference: `1975-04-30`, `1975-04`, `2024-Q2`, `1975`, or as the locale writes it; else None."""
    if isinstance(value, bool):
        return None
    found = read_iso(str(value))
    if found is None and isinstance(value, str):
        found = read_period(value, locale, now)
    return found


def _is_period(value: JsonValue) -> bool:
    return _read_period(value) is not None or (isinstance(value, str) and is_period(value))


@dataclass(frozen=True, slots=True)
class TimeReference:
    """When it should be."""

    low: date
    high: date
    is_range: bool
    precision: Precision
    words: str

    def holds(self, period: Period) -> bool:
        """Whether a period lies inside."""
        return self.low <= period.low and period.high <= self.high

    def overlaps(self, period: Period) -> bool:
        """Whether a range covers about the same days as the reference range."""
        shared = (min(period.high, self.high) - max(period.low, self.low)).days + 1
        covered = (max(period.high, self.high) - min(period.low, self.low)).days + 1
        return shared > 0 and shared / covered >= ENOUGH_OVERLAP


def _reference(spec: Spec, locale: Locale | None, now: date | None) -> TimeReference:
    asked = spec.get("range")
    if isinstance(asked, list):
        first, last = (_read_period(bound, locale, now) for bound in asked)
        if first and last:
            return TimeReference(first.low, last.high, True, "range", f"{asked[0]} to {asked[1]}")
    period = _read_period(spec.get("value"), locale, now)
    if period is None:
        raise ValueError("a time reference has a value or a range")
    years = spec.get("tolerance_years", 0)
    reach = int(years) if isinstance(years, int | float) else 0
    words = str(spec["value"]) + (f" ± {reach} years" if reach else "")
    low, high = moved(period.low, -reach), moved(period.high, reach, month_end=period.precision != "day")
    return TimeReference(low, high, False, "year" if reach else period.precision, words)


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `time` reference.

    Raises:
        UsageError: The reference allows free text, and the extra for it is not installed.
    """
    reference = _reference(spec, setting.locale, setting.now)
    free_text = FreeText(setting.now) if spec.get("free_text") else None

    def weigh(page: Page, style: Locale) -> list[Weighed[DateFound]]:
        candidates = _candidates(page, style, reference, setting)
        if is_plain(page, candidates):
            return [Weighed(candidates[0], {})]
        return Finder(page, setting.asked, style, setting.now, dated=False).weigh(candidates)

    def read(page: Page, style: Locale) -> Answer | None:
        weighed = weigh(page, style)
        if free_text and (not weighed or _is_coarse(weighed[0].candidate.found, reference)):
            rewritten = Page(free_text.rewrite(page.text, style, first=page.marker is not None), [])
            further = weigh(rewritten, style)
            if further and not _is_coarse(further[0].candidate.found, reference):
                page, weighed = rewritten, further
        return decide(page, weighed, lambda found: _judge(found, reference))

    return lambda output: read_answer(_dated(output), setting.locale, read, "no date in the answer")


def _dated(output: str) -> str:
    """The answer; one that is nothing but a number, asked for a time, can only be a year."""
    return f"năm {output.strip()}" if BARE_YEAR.fullmatch(output) else output


def _nearest(candidates: list[Candidate[DateFound]], side: int, now: date) -> int | None:
    """Which candidate is the next one from today on, or the last one up to it."""
    days = [
        (abs((one.found.readings[0].low - now).days), index)
        for index, one in enumerate(candidates)
        if one.found.readings
        and one.own.get("precise enough")
        and not is_on_other_side(one.found.readings[0], side, now)
    ]
    return min(days)[1] if len(days) > 1 else None


def _candidates(page: Page, style: Locale, reference: TimeReference, setting: Setting) -> list[Candidate[DateFound]]:
    around = page.around
    candidates: list[Candidate[DateFound]] = []
    side, asks_dating = side_of_today(setting.asked.text), DATING.search(setting.asked.text) is not None
    dates = find_dates(page.text, style, setting.now)
    if setting.now and reference.precision == "day" and not reference.is_range:
        dates = with_weekdays(page.text, dates, side, setting.now)
    asks_end = ENDS_ASKED.search(setting.asked.text) is not None
    dates = with_offsets(page.text, dates, style, asks_end=asks_end, today=setting.now is not None)
    begins = {one.base for one in dates if isinstance(one, Offset) and one.lasting}
    for found in within_reach(dates):
        found = in_a_year(found, side, setting)
        if around.is_ruled_out(found.start, found.end):
            continue
        holds: dict[str, float] = {}
        given = any(found.readings[:1] == (period,) for period in setting.asked.periods)
        found = _asked_end(found, reference, setting.asked.text)
        if not _is_coarse(found, reference):
            holds["precise enough"] = 1.0
        if found.open_ended or TELEPHONE.search(page.text[max(0, found.start - 12) : found.end + 12]):
            holds["seldom an answer"] = 1.0
        if not asks_dating and around.is_as_of(found.start):
            holds["as of"] = 1.0
        if setting.now and found.readings and is_on_other_side(found.readings[0], side, setting.now):
            holds["other side of today"] = 2.0 if NEAREST.search(setting.asked.text) else 1.0
        if given:
            holds["given in the question"] = 1.0
        if isinstance(found, Offset) and found.lasting:
            holds["asked end"] = 1.0
        if found.start in begins:
            holds["counted from"] = 1.0
        start = found.start
        if candidates and _says_again(page.text, candidates[-1].found, found):
            start = candidates.pop().start  # `thứ Ba tuần sau (9/12)`, `một năm sau, mùa thu (1010)`
        candidates.append(Candidate(start, found.end, found, found.readings or found.start, holds))
    for best in best_times(page, [one.found for one in candidates], style, setting.asked):
        candidates[best] = replace(candidates[best], own={**candidates[best].own, "superlative": 1.0})
    if setting.now and side and NEAREST.search(setting.asked.text):
        index = _nearest(candidates, side, setting.now)
        if index is not None:
            candidates[index] = replace(candidates[index], own={**candidates[index].own, "nearest to today": 1.0})
    return candidates


NEAREST = re.compile(
    r"\b(?:next|upcoming|last|latest|most\srecent|(?:gần|mới)(?:\sđây)?\snhất|tiếp\stheo|sắp\stới|lần\scuối|kế\stiếp)\b",
    re.IGNORECASE,
)
DATING = re.compile(
    r"\b(?:công\sbố|cập\snhật|xuất\sbản|phát\shành|publish\w*|updated?|announce\w*|release\w*)\b", re.IGNORECASE
)
BEGINS = re.compile(
    r"\b(?:sinh|born|birth|bắt\sđầu|start|started|begin|began|khởi\scông|khai\smạc|mở\smàn|founded|thành\slập)\b",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"\b(?:mất|qua\sđời|died|die|death|kết\sthúc|end|ended|ends|bế\smạc|hoàn\sthành|finish|finished|expire|hết\shạn)\b",
    re.IGNORECASE,
)


def _asked_end(found: DateFound, reference: TimeReference, question: str) -> DateFound:
    """Of a stretch of time, the end that is asked: the birth in `(1948–2019)`."""
    if found.precision != "range" or reference.is_range or not found.readings:
        return found
    begins, ends = BEGINS.search(question) is not None, ENDS.search(question) is not None
    lasts = found.readings[0].high.year - found.readings[0].low.year
    if begins == ends or (reference.precision == "year" and lasts <= 1):
        return found  # `2005-2006` does not say which
    whole = found.readings[0]
    years = (whole.low.month, whole.low.day, whole.high.month, whole.high.day) == (1, 1, 12, 31)  # `1955–1975`
    day = whole.low if begins else whole.high
    precision: Precision = "year" if years or reference.precision == "year" else "day"
    period = Period(day, day, precision)
    if precision == "year":
        period = Period(date(day.year, 1, 1), date(day.year, 12, 31), precision)
    return structs.replace(found, readings=(period,), precision=precision)


AGAIN = re.compile(r"\s?[(,]\s?(?:tức\s|i\.e\.\s)?(?:ngày\s)?", re.IGNORECASE)
SAME_CLAUSE = 60
"""How far behind a date that is counted the same one may be written out, in characters."""
TELEPHONE = re.compile(r"\b[0-9]{3,4}[ .][0-9]{3,4}\b")


def _says_again(text: str, before: DateFound, found: DateFound) -> bool:
    """Whether a date only says more exactly when the one before it is."""
    if not found.readings:
        return False
    if isinstance(before, Offset):
        between = text[before.end : found.start]
        same = before.readings[0].low <= found.readings[0].low and found.readings[0].high <= before.readings[0].high
        return same and len(between) <= SAME_CLAUSE and not re.search(r"[.;!?\n]", between)
    if not AGAIN.fullmatch(text, before.end, found.start):
        return False
    if not before.readings:
        return before.relative
    wide, narrow = before.readings[0], found.readings[0]
    return (before.relative or SIZES[before.precision] > SIZES[found.precision]) and (
        wide.low <= narrow.low and narrow.high <= wide.high
    )


def _is_coarse(found: DateFound, reference: TimeReference) -> bool:
    return SIZES[found.precision] > SIZES[reference.precision] and not reference.is_range


def _judge(found: DateFound, reference: TimeReference) -> Answer:
    if not found.readings:
        return _unknown(found, reference)
    period = found.readings[0]
    shown = _shown(period)
    if found.open_ended:
        return Answer("wrong", shown, f"only before or after {shown}, expected {reference.words}")
    if reference.holds(period):
        return Answer("right", shown, f"found {shown}, expected {reference.words}")
    if period.precision == "range" and reference.is_range and reference.overlaps(period):
        return Answer("right", shown, f"found {shown}, which is about {reference.words}")
    coarser = period.low <= reference.low and reference.high <= period.high
    note = "which is coarser than" if coarser else "expected"
    return Answer("wrong", shown, f"found {shown}, {note} {reference.words}")


def _unknown(found: DateFound, reference: TimeReference) -> Answer:
    """A date that needs a year or today, and the case has no `now`."""
    if found.relative:
        return Answer("ambiguous", None, "a relative date, and the case states no `now`")
    month, last, day = found.month or 1, found.last_month or 1, found.day
    shown = f"{day} {month_name[month]}" if day else month_name[month]
    if last > month:
        shown += f" to {month_name[last]}"
    for year in range(reference.low.year, min(reference.high.year, reference.low.year + 200) + 1):
        words = f"{year:04d}-{month:02d}-{day:02d}" if day else f"{year:04d}-{month:02d}"
        period = _read_period(words)
        if period and last > month:
            end = _read_period(f"{year:04d}-{last:02d}")
            period = Period(period.low, end.high, "range") if end else period
        if period and reference.holds(period):
            return Answer("ambiguous", shown, f"found {shown} without a year, and the case states no `now`")
    return Answer("wrong", shown, f"found {shown}, expected {reference.words}")


def _shown(period: Period) -> str:
    """A period as ISO 8601 writes it."""
    if period.precision == "day":
        return period.low.isoformat()
    if period.precision == "month":
        return period.low.isoformat()[:7]
    if period.precision == "year":
        return period.low.isoformat()[:4]
    if period.precision == "quarter":
        return f"{period.low.year:04d}-Q{(period.low.month + 2) // 3}"
    return f"{period.low.isoformat()}/{period.high.isoformat()}"


def _check(spec: Spec) -> list[str]:
    form = "a day (1975-04-30), a month (1975-04), a quarter (2024-Q2) or a year (1975)"
    problems = check_value_or_range(spec, "time", _is_period, form)
    bounds = spec.get("range")
    if not problems and isinstance(bounds, list):
        first, last = _read_period(bounds[0]), _read_period(bounds[1])
        if first and last and first.low > last.high:
            problems.append("a range goes from the earlier to the later date")
    if "tolerance_years" in spec:
        years = spec["tolerance_years"]
        if spec.get("range") is not None:
            problems.append("a range takes no tolerance_years; widen the range instead")
        elif isinstance(years, bool) or not isinstance(years, int) or not 0 <= years <= MAX_YEARS:
            problems.append(f"tolerance_years is a whole number of years from 0, not {years!r}")
    return problems + check_switch(spec, "free_text")


def _unread(spec: Spec, locale: Locale | None, now: date | None) -> list[str]:
    return two_ways(spec, lambda value: _read_period(value, locale, now) is not None, "1975-04-30")


PERIOD = {"type": ["string", "integer"]}
TIME = AnswerType(
    "time",
    _prepare,
    _check,
    {
        "value": PERIOD,
        "range": two_of(PERIOD),
        "tolerance_years": {"type": "integer", "minimum": 0, "maximum": MAX_YEARS},
        "free_text": SWITCH_SCHEMA,
    },
    forms=(("value", "tolerance_years", "free_text"), ("range", "free_text")),
    unread=_unread,
    called=(
        *("time", "date", "day", "month", "quarter", "year", "datetime"),
        *("ngày", "tháng", "quý", "năm", "ngày tháng", "ngày giờ", "thời gian", "thời điểm", "mốc thời gian"),
    ),
)
