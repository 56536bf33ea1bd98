"""Reads dates out of what a form has matched."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from . import periods
from .calendarwords import DAYS, MONTHS, QUARTERS, roman
from .periods import Period, Precision
from .profile import PROFILES, Locale
from .spelled import word_at
from .tokens import tokenise
from .vocabulary import ENGLISH_ONES, VIETNAMESE_DIGITS

__all__ = [
    "Reader",
    "Written",
    "century",
    "compact",
    "days",
    "decade",
    "fiscal_year",
    "half",
    "iso",
    "iso_month",
    "month_alone",
    "month_words",
    "month_year",
    "numeric",
    "part",
    "quarter",
    "short_years",
    "spelled_year",
    "words",
    "year",
    "years",
]


class Written(NamedTuple):
    """A date as it is written, perhaps without its year."""

    start: int
    end: int
    period: Period | None
    """None: the year is missing."""
    precision: Precision
    cued: bool = True
    month: int = 0
    last_month: int = 0
    day: int = 0

    def in_year(self, year: int) -> Period | None:
        """The date in a given year."""
        if self.day:
            return periods.day(year, self.month, self.day)
        return periods.months(year, self.month, self.last_month, self.precision)


Reader = Callable[[re.Match[str], Locale], Written | None]
COUNTS = {**ENGLISH_ONES, **VIETNAMESE_DIGITS, "mười": 10}


def _full_year(text: str) -> int:
    """The year that four or two digits mean."""
    number = int(text)
    if len(text) > 2:
        return number
    return number + (2000 if number < 50 else 1900)


def _number(text: str, words: dict[str, int]) -> int:
    text = re.sub(r"\s+", " ", text.lower())
    return int(text) if text.isdigit() else words.get(text, 0)


def _made(
    match: re.Match[str],
    month: int,
    day: int = 0,
    *,
    last: int = 0,
    precision: Precision = "month",
    cued: bool = True,
) -> Written | None:
    """A date with a month, and with a year where the match has one."""
    last = last or month
    if not 1 <= month <= last <= 12 or not 0 <= day <= 31:
        return None
    year = match.groupdict().get("year")
    bare = Written(*match.span(), None, "day" if day else precision, cued, month, last, day)
    if year is None:
        return bare if not day or periods.day(2024, month, day) else None
    period = bare.in_year(_full_year(year))
    return bare._replace(period=period) if period else None


def iso(match: re.Match[str], _: Locale) -> Written | None:
    """`1975-04-30`."""
    return _made(match, int(match["month"]), int(match["day"]))


def compact(match: re.Match[str], _: Locale) -> Written | None:
    """`19750430`, which may also be a number."""
    return _made(match, int(match["month"]), int(match["day"]), cued=False)


def iso_month(match: re.Match[str], _: Locale) -> Written | None:
    """`1975-04`."""
    return _made(match, int(match["month"]))


def numeric(match: re.Match[str], locale: Locale) -> Written | None:
    """`30/4/1975`, by the order of the locale where both are possible."""
    first, second = int(match["first"]), int(match["second"])
    orders = [(first, second), (second, first)]
    if not PROFILES[locale].day_first:
        orders.reverse()
    if match.groupdict().get("cue"):
        cued = True
    else:
        cued = "year" in match.groupdict()
    for day, month in orders:
        found = _made(match, month, day, cued=cued) if day else None
        if found:
            return found
    return None


def month_year(match: re.Match[str], _: Locale) -> Written | None:
    """`4/1975`."""
    return _made(match, int(match["month"]))


def words(match: re.Match[str], _: Locale) -> Written | None:
    """`ngày 30 tháng 4`, `April 30`."""
    if _is_verb(match):
        return None
    return _made(match, _number(match["month"], MONTHS), _number(match["day"], DAYS) or -1)


def month_words(match: re.Match[str], _: Locale) -> Written | None:
    """`tháng 4 năm 1975`, `April 1975`."""
    return _made(match, _number(match["month"], MONTHS)) if not _is_verb(match) else None


def month_alone(match: re.Match[str], _: Locale) -> Written | None:
    """`in April`; months are written with a capital."""
    found = _made(match, _number(match["month"], MONTHS)) if match["month"][0].isupper() else None
    return found._replace(start=match.start("month")) if found else None


def _is_verb(match: re.Match[str]) -> bool:
    """Whether `may` or `march` is no month: months are written with a capital."""
    return match["month"] in ("may", "march", "mar")


def quarter(match: re.Match[str], _: Locale) -> Written | None:
    """`quý II/2024`, `Q2 2024`."""
    number = _number(match["quarter"], QUARTERS)
    return _made(match, 3 * number - 2, last=3 * number, precision="quarter") if 1 <= number <= 4 else None


def half(match: re.Match[str], _: Locale) -> Written | None:
    """`nửa đầu năm 2024`, `H1 2024`."""
    first = match["which"].lower() in ("1", "đầu", "first")
    return _made(match, 1 if first else 7, last=6 if first else 12, precision="half")


def part(match: re.Match[str], _: Locale) -> Written | None:
    """`9 tháng đầu năm 2024`, `first nine months of 2024`."""
    count = _number(match["count"], COUNTS)
    first = match["which"].lower() in ("đầu", "first")
    if not 1 <= count <= 11:
        return None
    return _made(match, 1 if first else 13 - count, last=count if first else 12, precision="range")


def year(match: re.Match[str], _: Locale) -> Written | None:
    """`năm 1975`, `1975`."""
    period = periods.year(int(match["year"]))
    cue = match.groupdict().get("cue")
    start = match.start() if cue and cue.lower() in ("năm", "year") else match.start("year")
    return Written(start, match.end(), period, "year", cued=cue is not None) if period else None


def fiscal_year(match: re.Match[str], _: Locale) -> Written | None:
    """`FY24`, taken to be the calendar year."""
    period = periods.year(_full_year(match["year"]))
    return Written(*match.span(), period, "year") if period else None


def days(match: re.Match[str], _: Locale) -> Written | None:
    """`July 10-20, 2024`: the days from one to the other, of one month."""
    month, year = _number(match["month"], MONTHS), int(match["year"])
    low, high = (periods.day(year, month, int(match[name])) for name in ("day", "last"))
    if low is None or high is None or low.low >= high.low or _is_verb(match):
        return None
    return Written(*match.span(), Period(low.low, high.high, "range"), "range")


def years(match: re.Match[str], _: Locale) -> Written | None:
    """`1954–1975`."""
    low, high = periods.year(int(match["year"])), periods.year(int(match["last"]))
    if low is None or high is None or low.low >= high.low:
        return None
    return Written(*match.span(), Period(low.low, high.high, "range"), "range")


def short_years(match: re.Match[str], _: Locale) -> Written | None:
    """`1954–75`."""
    first = int(match["year"])
    last = first - first % 100 + int(match["last"])
    low, high = periods.year(first), periods.year(last)
    if low is None or high is None or last <= first:
        return None
    return Written(*match.span(), Period(low.low, high.high, "range"), "range")


def decade(match: re.Match[str], _: Locale) -> Written | None:
    """`1920s`, `thập niên 20`."""
    text = match["decade"]
    first = int(text) if len(text) > 2 else 1900 + int(text)
    period = periods.decade(first)
    return Written(*match.span(), period, "decade") if period and first % 10 == 0 else None


def century(match: re.Match[str], _: Locale) -> Written | None:
    """`thế kỷ XV`, `15th century`."""
    text = match["century"]
    number = int(text) if text.isdigit() else roman(text)
    period = periods.century(number) if number else None
    return Written(*match.span(), period, "century") if period else None


def spelled_year(match: re.Match[str], locale: Locale) -> Written | None:
    """`năm một nghìn chín trăm bảy mươi lăm`."""
    from .amounts import AmountReader

    tokens = tokenise(match["words"])
    amount = AmountReader(tokens, locale, {}).read(0) if word_at(tokens, 0) else None
    if amount is None or not 1000 <= amount.value <= 2999 or amount.value % 1:
        return None
    end = match.start("words") + tokens[amount.last - 1].end
    period = periods.year(int(amount.value))
    return Written(match.start(), end, period, "year")
