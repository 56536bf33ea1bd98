"""The forms in which days, months, quarters and years are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from . import periods
from .calendarwords import (
    DAYS,
    ENGLISH_DAY,
    ENGLISH_MONTH,
    MONTHS,
    QUARTERS,
    VIETNAMESE_DAY,
    VIETNAMESE_MONTH,
    roman,
)
from .periods import Period, Precision
from .profile import PROFILES, Locale
from .spelled import word_at
from .tokens import tokenise
from .wording import words

__all__ = ["Written", "find_written"]


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

BEFORE = r"(?<![\w/.,\-–$€£₫])"
AFTER = r"(?![\w/%]|[.,\-–][0-9])"
BEFORE_STROKE = r"(?<![\w/.,$€£₫])"
AFTER_STROKE = r"(?![\w/%]|[.,][0-9])"
YEAR = r"(?P<year>[0-9]{4})"
IN_YEAR = rf"(?:\s?[,/\-–.]?\s?(?:năm\s)?{YEAR}(?![0-9]))"
ORDINAL = r"(?:st|nd|rd|th)?"
CUE = r"(?:(?:ngày|hôm|mùng|mồng|bữa|phiên|sáng|chiều|tối|đêm|trưa|on|dated?|lễ|dịp)\s(?:mùng\s|mồng\s|ngày\s)?)"
YEAR_CUES = r"năm|in|since|year|during|circa|early|late|mid|fy|fiscal|cuối|ad"
"""Words that make four digits a year for sure. Behind `from` or `khoảng` they may be a quantity."""


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


def _iso(match: re.Match[str], _: Locale) -> Written | None:
    return _made(match, int(match["month"]), int(match["day"]))


def _iso_month(match: re.Match[str], _: Locale) -> Written | None:
    return _made(match, int(match["month"]))


def _numeric(match: re.Match[str], locale: Locale) -> Written | None:
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


def _month_year(match: re.Match[str], _: Locale) -> Written | None:
    return _made(match, int(match["month"]))


def _words(match: re.Match[str], _: Locale) -> Written | None:
    if _is_verb(match):
        return None
    return _made(match, _number(match["month"], MONTHS), _number(match["day"], DAYS) or -1)


def _month_words(match: re.Match[str], _: Locale) -> Written | None:
    return _made(match, _number(match["month"], MONTHS)) if not _is_verb(match) else None


def _month_alone(match: re.Match[str], _: Locale) -> Written | None:
    found = _made(match, _number(match["month"], MONTHS)) if match["month"][0].isupper() else None
    return found._replace(start=match.start("month")) if found else None


def _is_verb(match: re.Match[str]) -> bool:
    """Whether `may` or `march` is no month: months are written with a capital."""
    return match["month"] in ("may", "march", "mar")


def _quarter(match: re.Match[str], _: Locale) -> Written | None:
    number = _number(match["quarter"], QUARTERS)
    return _made(match, 3 * number - 2, last=3 * number, precision="quarter") if 1 <= number <= 4 else None


def _half(match: re.Match[str], _: Locale) -> Written | None:
    first = match["which"].lower() in ("1", "đầu", "first")
    return _made(match, 1 if first else 7, last=6 if first else 12, precision="half")


def _part(match: re.Match[str], _: Locale) -> Written | None:
    count = int(match["count"])
    first = match["which"].lower() == "đầu"
    if not 1 <= count <= 11:
        return None
    return _made(match, 1 if first else 13 - count, last=count if first else 12, precision="range")


def _year(match: re.Match[str], _: Locale) -> Written | None:
    period = periods.year(int(match["year"]))
    cue = match.groupdict().get("cue")
    start = match.start() if cue and cue.lower() in ("năm", "year") else match.start("year")
    return Written(start, match.end(), period, "year", cued=cue is not None) if period else None


def _fiscal_year(match: re.Match[str], _: Locale) -> Written | None:
    period = periods.year(_full_year(match["year"]))
    return Written(*match.span(), period, "year") if period else None


def _days(match: re.Match[str], _: Locale) -> Written | None:
    """`July 10-20, 2024`: the days from one to the other, of one month."""
    month, year = _number(match["month"], MONTHS), int(match["year"])
    low, high = (periods.day(year, month, int(match[name])) for name in ("day", "last"))
    if low is None or high is None or low.low >= high.low or _is_verb(match):
        return None
    return Written(*match.span(), Period(low.low, high.high, "range"), "range")


def _years(match: re.Match[str], _: Locale) -> Written | None:
    low, high = periods.year(int(match["year"])), periods.year(int(match["last"]))
    if low is None or high is None or low.low >= high.low:
        return None
    return Written(*match.span(), Period(low.low, high.high, "range"), "range")


def _short_years(match: re.Match[str], _: Locale) -> Written | None:
    first = int(match["year"])
    last = first - first % 100 + int(match["last"])
    low, high = periods.year(first), periods.year(last)
    if low is None or high is None or last <= first:
        return None
    return Written(*match.span(), Period(low.low, high.high, "range"), "range")


def _decade(match: re.Match[str], _: Locale) -> Written | None:
    text = match["decade"]
    first = int(text) if len(text) > 2 else 1900 + int(text)
    period = periods.decade(first)
    return Written(*match.span(), period, "decade") if period and first % 10 == 0 else None


def _century(match: re.Match[str], _: Locale) -> Written | None:
    text = match["century"]
    number = int(text) if text.isdigit() else roman(text)
    period = periods.century(number) if number else None
    return Written(*match.span(), period, "century") if period else None


def _spelled_year(match: re.Match[str], locale: Locale) -> Written | None:
    """`năm một nghìn chín trăm bảy mươi lăm`."""
    from .amounts import AmountReader

    tokens = tokenise(match["words"])
    amount = AmountReader(tokens, locale, {}).read(0) if word_at(tokens, 0) else None
    if amount is None or not 1000 <= amount.value <= 2999 or amount.value % 1:
        return None
    end = match.start("words") + tokens[amount.last - 1].end
    period = periods.year(int(amount.value))
    return Written(match.start(), end, period, "year")


NOT_ERA = r"(?!\s(?:tcn|trước\scông|trước\scn|bc|bce|b\.c)\b)"
NOT_COUNTED = (
    r"(?!\s?(?:%|đồng|đ\b|usd|vnd|người|people|tỷ|tỉ|triệu|nghìn|ngàn|million|billion|thousand|km|kg|m\b|tấn|cổ\sphiếu|shares"
    r"|điểm|points|°|độ|years\b|days\b|ngày\b|items|units|customers|khách|đơn\svị|căn|chiếc|cái|con\b|trường|doanh\snghiệp"
    r"|công\sty|học\ssinh|sinh\sviên|tuổi|mét|lít|giờ|phút|xe\b|dollars|euros|euro|students|employees|nhân\sviên"
    r"|năm(?!\s[0-9])|year\b|months\b|weeks\b|hours\b|tháng\b|tuần\b))"
)
NOT_NUMBERED = (
    r"(?<!flight\s)(?<!room\s)(?<!bus\s)(?<!no\.\s)(?<!number\s)(?<!số\s)(?<!#)(?<!chuyến\s)(?<!phòng\s)(?<!mã\s)(?<!page\s)"
    r"(?<!trang\s)(?<!train\s)(?<!route\s)(?<!order\s)"
)
"""What carries a number: `flight 1832` is no year."""
LUNAR = r"(?!\s(?:âm\slịch|\(âm\slịch|al\b))"
VI_DAY = rf"(?P<day>[0-9]{{1,2}}|{VIETNAMESE_DAY})"
VI_MONTH = rf"(?P<month>[0-9]{{1,2}}|{VIETNAMESE_MONTH})(?![0-9\w])"
EN_DAY_NUMBER = rf"(?P<day>[0-9]{{1,2}}){ORDINAL}"
EN_MONTH = rf"(?P<month>{ENGLISH_MONTH})"
EN_YEAR = rf"(?:\s?,?\s(?:of\s|in\s)?{YEAR}(?![0-9]))"

FORMS: dict[str, tuple[tuple[str, Reader], ...]] = {
    "0": (
        (rf"{BEFORE}{YEAR}(?P<sep>[-/.])(?P<month>[0-9]{{1,2}})(?P=sep)(?P<day>[0-9]{{1,2}})(?![0-9])", _iso),
        (
            rf"{BEFORE}(?P<first>[0-9]{{1,2}})\s?(?P<sep>[-.])\s?(?P<second>[0-9]{{1,2}})\s?(?P=sep)\s?"
            rf"(?P<year>[0-9]{{4}}){AFTER}{LUNAR}",
            _numeric,
        ),
        (
            rf"{BEFORE}(?P<year>[12][0-9]{{3}})\s?[-–—]\s?(?P<last>[12][0-9]{{3}})"
            rf"(?![\w/%]|[.,\-–][0-9]){NOT_COUNTED}",
            _years,
        ),
        (rf"{BEFORE}(?P<year>[12][0-9]{{3}})[-–](?P<last>[0-9]{{2}})(?![0-9\-/.\w])", _short_years),
        (
            rf"{BEFORE}(?P<first>[0-9]{{1,2}})(?P<sep>[-/])(?P<second>[0-9]{{1,2}})(?P=sep)"
            rf"(?P<year>[0-9]{{2}}){AFTER}",
            _numeric,
        ),
        (rf"{BEFORE}(?P<month>[0-9]{{1,2}})\s?[/\-]\s?{YEAR}{AFTER}", _month_year),
        (rf"{BEFORE}{YEAR}-(?P<month>0[1-9]|1[0-2])(?![\w-])", _iso_month),
        (
            rf"{BEFORE}{NOT_NUMBERED}(?P<year>[12][0-9]{{3}})(?![\w/%]|[.,][0-9]|\s[0-9]{{3}}\b){NOT_ERA}{NOT_COUNTED}",
            _year,
        ),
        (r"\b(?P<cue>fy)\s?'?(?P<year>[0-9]{4}|[0-9]{2})(?![\w/%]|[.,][0-9])", _fiscal_year),
        (rf"\b(?P<cue>{YEAR_CUES})[\s-]{{1,3}}(?P<year>[12][0-9]{{3}}){AFTER}{NOT_ERA}{NOT_COUNTED}", _year),
        (
            rf"\b(?P<cue>in|ad|year)\s(?P<year>[1-9][0-9]{{2}}){AFTER}{NOT_ERA}{NOT_COUNTED}"
            r"(?=\s?(?:[.,;)]|ad\b|ce\b|$))",
            _year,
        ),
        (r"(?<![\w.,])(?P<decade>[12][0-9]{2}0)'?s\b", _decade),
    ),
    "/": (
        (
            rf"{BEFORE_STROKE}(?P<first>[0-9]{{1,2}})\s?/\s?(?P<second>[0-9]{{1,2}})\s?/\s?"
            rf"(?P<year>[0-9]{{4}}){AFTER_STROKE}{LUNAR}",
            _numeric,
        ),
        (rf"\bT(?P<month>[0-9]{{1,2}})/{YEAR}{AFTER}", _month_year),
        (rf"{BEFORE_STROKE}(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}}){AFTER_STROKE}{LUNAR}", _numeric),
    ),
    "cue": ((rf"(?P<cue>{CUE}){BEFORE}(?P<first>[0-9]{{1,2}})[-/](?P<second>[0-9]{{1,2}}){AFTER}{LUNAR}", _numeric),),
    "tháng": (
        (rf"\b{CUE}?{VI_DAY}\stháng\s{VI_MONTH}{IN_YEAR}?{LUNAR}", _words),
        (rf"\btháng\s{VI_MONTH}{IN_YEAR}?{LUNAR}", _month_words),
        (
            rf"\b(?P<count>[0-9]{{1,2}})\stháng\s(?P<which>đầu|cuối)(?:\scủa)?(?:\snăm)?(?:\s{YEAR}(?![0-9]))?",
            _part,
        ),
    ),
    "q": (
        (
            r"\b(?:quý|quí|qúy|q)\.?\s?(?P<quarter>iv|i{1,3}|[1-4]|một|hai|ba|bốn|tư|nhất)\b"
            r"(?:\s?[,/\-–.]?\s?(?:của\s|of\s)?(?:năm\s|fy\s?|')?(?P<year>[0-9]{4}|(?<='|/)[0-9]{2})(?![0-9]))?",
            _quarter,
        ),
        (
            r"\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\squarter"
            rf"(?:,?\s(?:of\s)?(?:the\s)?(?:fiscal\s)?(?:year\s)?{YEAR}(?![0-9]))?",
            _quarter,
        ),
        # Without a year, `last quarter` counts from today.
        (
            rf"\b(?P<quarter>last|final)\squarter,?\s(?:of\s)?(?:the\s)?(?:fiscal\s)?(?:year\s)?{YEAR}(?![0-9])",
            _quarter,
        ),
        (rf"\bqu[ýí]\s(?P<quarter>đầu|cuối)(?:\scùng)?(?:\stiên)?(?:\scủa)?\snăm\s{YEAR}(?![0-9])", _quarter),
        (r"\b(?P<quarter>[1-4])q\s?(?:fy\s?)?'?(?P<year>[0-9]{4}|[0-9]{2})(?![0-9\w])", _quarter),
    ),
    "half": (
        (rf"\bh(?P<which>[12])[\s/\-]?{YEAR}(?![0-9])", _half),
        (rf"\bnửa\s(?P<which>đầu|cuối)(?:\scủa)?(?:\snăm)?(?:\s{YEAR}(?![0-9]))?", _half),
        (rf"\b(?P<which>first|second)\shalf(?:\sof)?(?:\sthe\syear)?\s{YEAR}(?![0-9])", _half),
    ),
    "month": (
        (rf"\b{EN_MONTH}\.?\s(?:the\s)?{EN_DAY_NUMBER}(?![0-9:%.,]{{0,8}}[0-9]){EN_YEAR}?", _words),
        (
            rf"\b{EN_MONTH}\.?\s{EN_DAY_NUMBER}\s?(?:[-–—]|to|through)\s?(?P<last>[0-9]{{1,2}}){ORDINAL}{EN_YEAR}",
            _days,
        ),
        (
            rf"\b{EN_DAY_NUMBER}\s?(?:[-–—]|to|through)\s?(?P<last>[0-9]{{1,2}}){ORDINAL}\s(?:of\s)?{EN_MONTH}\b\.?{EN_YEAR}",
            _days,
        ),
        (rf"\b{EN_MONTH}\.?\s(?:the\s)?{EN_DAY_NUMBER}\s?,\s?{YEAR}(?![0-9])", _words),
        (rf"\b(?:the\s)?{EN_DAY_NUMBER}\s(?:day\s)?(?:of\s)?{EN_MONTH}\b\.?{EN_YEAR}?", _words),
        (rf"\b(?:the\s)?(?P<day>{ENGLISH_DAY})\s(?:day\s)?of\s{EN_MONTH}\b\.?{EN_YEAR}?", _words),
        (rf"\b{EN_DAY_NUMBER}-{EN_MONTH}-{YEAR}(?![0-9])", _words),
        (rf"\b{EN_MONTH}\.?[\s,\-]{{1,2}}(?:of\s)?(?:the\syear\s)?{YEAR}(?![0-9])", _month_words),
        (
            rf"\b(?:in|since|by|until|during|of|early|late|mid)[\s-]{EN_MONTH}(?![0-9\w])(?!\s[0-9])",
            _month_alone,
        ),
    ),
    "năm": (
        (rf"\b(?P<cue>năm)\s(?P<year>[0-9]{{2,3}}){AFTER}{NOT_ERA}", _year),
        (r"\b(?P<cue>năm)\s(?P<words>(?:một|hai)\s(?:nghìn|ngàn)(?:\s[^\W\d_]+){0,8})", _spelled_year),
    ),
    "century": (
        (r"\b(?:thập\sniên|thập\skỷ|thập\skỉ|những\snăm)\s(?P<decade>[0-9]{3}0|[0-9]0)(?![0-9])", _decade),
        (r"\bthế\sk[ỷỉ]\s(?:thứ\s)?(?P<century>[0-9]{1,2}|[ivx]{1,5})\b", _century),
        (r"\b(?P<century>[0-9]{1,2})(?:st|nd|rd|th)[\s-]century\b", _century),
    ),
}
"""The forms, by what has to be in a text for any of them; looking for that is much faster than the patterns."""
DIGIT = re.compile("[0-9]")
MONTH_STARTS = words("jan feb mar apr may jun jul aug sep oct nov dec")
CUE_STARTS = words("ngày hôm mùng mồng bữa phiên sáng chiều tối đêm trưa on date lễ dịp")


@cache
def _patterns() -> dict[str, tuple[tuple[re.Pattern[str], Reader], ...]]:
    """The compiled forms, made when a date is first looked for."""
    return {
        need: tuple((re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in forms)
        for need, forms in FORMS.items()
    }


def _needs(low: str) -> Iterator[str]:
    """Which groups of forms a text in lower case may hold."""
    digits = DIGIT.search(low) is not None
    if digits:
        yield "0"
    if digits and "/" in low:
        yield "/"
    if digits and ("/" in low or "-" in low) and any(cue in low for cue in CUE_STARTS):
        yield "cue"
    yield from (need for need in ("tháng", "q", "năm") if need in low)
    if digits and ("nửa" in low or "half" in low or "h1" in low or "h2" in low):
        yield "half"
    if any(month in low for month in MONTH_STARTS):
        yield "month"
    if any(word in low for word in ("thập", "những năm", "thế k", "century")):
        yield "century"


def find_written(text: str, locale: Locale) -> Iterator[Written]:
    """Every date that is written out in a text in normal form C; they may overlap."""
    patterns = _patterns()
    for need in _needs(text.lower()):
        for pattern, reader in patterns[need]:
            for match in pattern.finditer(text):
                found = reader(match, locale)
                if found:
                    yield found
