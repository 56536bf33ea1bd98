"""The forms in which days, months, quarters and years are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from . import datereaders as read
from .calendarwords import ENGLISH_DAY, ENGLISH_MONTH, VIETNAMESE_DAY, VIETNAMESE_MONTH
from .datereaders import Reader, Written
from .profile import Locale
from .wording import words

__all__ = ["find_written"]

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
        (rf"{BEFORE}{YEAR}(?P<sep>[-/.])(?P<month>[0-9]{{1,2}})(?P=sep)(?P<day>[0-9]{{1,2}})(?![0-9])", read.iso),
        (
            rf"{BEFORE}(?P<first>[0-9]{{1,2}})\s?(?P<sep>[-.])\s?(?P<second>[0-9]{{1,2}})\s?(?P=sep)\s?"
            rf"(?P<year>[0-9]{{4}}){AFTER}{LUNAR}",
            read.numeric,
        ),
        (
            rf"{BEFORE}(?P<year>(?:19|20)[0-9]{{2}})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
            rf"(?![\w/%]|[.,][0-9]){NOT_COUNTED}",
            read.compact,
        ),
        (
            rf"{BEFORE}(?P<year>[12][0-9]{{3}})\s?[-–—]\s?(?P<last>[12][0-9]{{3}})"
            rf"(?![\w/%]|[.,\-–][0-9]){NOT_COUNTED}",
            read.years,
        ),
        (rf"{BEFORE}(?P<year>[12][0-9]{{3}})[-–](?P<last>[0-9]{{2}})(?![0-9\-/.\w])", read.short_years),
        (
            rf"{BEFORE}(?P<first>[0-9]{{1,2}})(?P<sep>[-/])(?P<second>[0-9]{{1,2}})(?P=sep)"
            rf"(?P<year>[0-9]{{2}}){AFTER}",
            read.numeric,
        ),
        (rf"{BEFORE}(?P<month>[0-9]{{1,2}})\s?[/\-]\s?{YEAR}{AFTER}", read.month_year),
        (rf"{BEFORE}{YEAR}-(?P<month>0[1-9]|1[0-2])(?![\w-])", read.iso_month),
        (
            rf"{BEFORE}{NOT_NUMBERED}(?P<year>[12][0-9]{{3}})(?![\w/%]|[.,][0-9]|\s[0-9]{{3}}\b){NOT_ERA}{NOT_COUNTED}",
            read.year,
        ),
        (r"\b(?P<cue>fy|cy)\s?'?(?P<year>[0-9]{4}|[0-9]{2})(?![\w/%]|[.,][0-9])", read.fiscal_year),
        (rf"\b(?P<cue>{YEAR_CUES})[\s-]{{1,3}}(?P<year>[12][0-9]{{3}}){AFTER}{NOT_ERA}{NOT_COUNTED}", read.year),
        (
            rf"\b(?P<cue>in|ad|year)\s(?P<year>[1-9][0-9]{{2}}){AFTER}{NOT_ERA}{NOT_COUNTED}"
            r"(?=\s?(?:[.,;)]|ad\b|ce\b|$))",
            read.year,
        ),
        (r"(?<![\w.,])(?P<decade>[12][0-9]{2}0)'?s\b", read.decade),
    ),
    "/": (
        (
            rf"{BEFORE_STROKE}(?P<first>[0-9]{{1,2}})\s?/\s?(?P<second>[0-9]{{1,2}})\s?/\s?"
            rf"(?P<year>[0-9]{{4}}){AFTER_STROKE}{LUNAR}",
            read.numeric,
        ),
        (rf"\bT(?P<month>[0-9]{{1,2}})/{YEAR}{AFTER}", read.month_year),
        (rf"{BEFORE_STROKE}(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}}){AFTER_STROKE}{LUNAR}", read.numeric),
    ),
    "cue": (
        (rf"(?P<cue>{CUE}){BEFORE}(?P<first>[0-9]{{1,2}})[-/](?P<second>[0-9]{{1,2}}){AFTER}{LUNAR}", read.numeric),
    ),
    "tháng": (
        (rf"\b{CUE}?{VI_DAY}\stháng\s{VI_MONTH}{IN_YEAR}?{LUNAR}", read.words),
        (rf"\btháng\s{VI_MONTH}{IN_YEAR}?{LUNAR}", read.month_words),
        (
            rf"\b(?P<count>[0-9]{{1,2}}|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười)\stháng\s(?P<which>đầu|cuối)(?:\scủa)?(?:\snăm)?(?:\s{YEAR}(?![0-9]))?",
            read.part,
        ),
    ),
    "q": (
        (
            r"\b(?:quý|quí|qúy|q)\.?\s?(?P<quarter>iv|i{1,3}|[1-4]|một|hai|ba|bốn|tư|nhất)\b"
            r"(?:\)?\s?[,/\-–.]?\s?(?:của\s|of\s)?(?:năm\s(?:tài\schính\s)?|fiscal\s(?:year\s)?|fy\s?|')?(?P<year>[0-9]{4}|(?<='|/)[0-9]{2})(?![0-9]))?",
            read.quarter,
        ),
        (
            r"\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\squarter(?:\s\(q[1-4]\))?"
            rf"(?:,?\s(?:of\s)?(?:the\s)?(?:fiscal\s)?(?:year\s)?{YEAR}(?![0-9]))?",
            read.quarter,
        ),
        # Without a year, `last quarter` counts from today.
        (
            rf"\b(?P<quarter>last|final)\squarter,?\s(?:of\s)?(?:the\s)?(?:fiscal\s)?(?:year\s)?{YEAR}(?![0-9])",
            read.quarter,
        ),
        (rf"\bqu[ýí]\s(?P<quarter>đầu|cuối)(?:\scùng)?(?:\stiên)?(?:\scủa)?\snăm\s{YEAR}(?![0-9])", read.quarter),
        # Not where the quarter has a year of its own: `unlike 2023 Q2 2024 was good`.
        (
            rf"{BEFORE}(?:[cf]y\s?)?(?P<year>[12][0-9]{{3}})\s?[-–/.]?\s?q(?:u[ýí]\s)?(?P<quarter>[1-4])"
            r"(?![\w%]|\s?[,/\-–.]?\s?(?:of\s|năm\s)?'?[0-9]{2})",
            read.quarter,
        ),
        (r"\b(?P<quarter>[1-4])q\s?(?:fy\s?)?'?(?P<year>[0-9]{4}|[0-9]{2})(?![0-9\w])", read.quarter),
    ),
    "half": (
        (rf"\bh(?P<which>[12])[\s/\-]?{YEAR}(?![0-9])", read.half),
        (rf"\bnửa\s(?P<which>đầu|cuối)(?:\scủa)?(?:\snăm)?(?:\s{YEAR}(?![0-9]))?", read.half),
        (
            r"\b(?P<which>first|last|final)\s(?P<count>[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten)\smonths"
            rf"(?:\sof)?(?:\sthe\syear)?\s{YEAR}(?![0-9])",
            read.part,
        ),
        (rf"\b(?P<which>first|second)\shalf(?:\sof)?(?:\sthe\syear)?\s{YEAR}(?![0-9])", read.half),
    ),
    "month": (
        (rf"\b{EN_MONTH}\.?\s(?:the\s)?{EN_DAY_NUMBER}(?![0-9:%.,]{{0,8}}[0-9]){EN_YEAR}?", read.words),
        (
            rf"\b{EN_MONTH}\.?\s{EN_DAY_NUMBER}\s?(?:[-–—]|to|through)\s?(?P<last>[0-9]{{1,2}}){ORDINAL}{EN_YEAR}",
            read.days,
        ),
        (
            rf"\b{EN_DAY_NUMBER}\s?(?:[-–—]|to|through)\s?(?P<last>[0-9]{{1,2}}){ORDINAL}\s(?:of\s)?{EN_MONTH}\b\.?{EN_YEAR}",
            read.days,
        ),
        (rf"\b{EN_MONTH}\.?\s(?:the\s)?{EN_DAY_NUMBER}\s?,\s?{YEAR}(?![0-9])", read.words),
        (rf"\b(?:the\s)?{EN_DAY_NUMBER}\s(?:day\s)?(?:of\s)?{EN_MONTH}\b\.?{EN_YEAR}?", read.words),
        (rf"\b(?:the\s)?(?P<day>{ENGLISH_DAY})\s(?:day\s)?of\s{EN_MONTH}\b\.?{EN_YEAR}?", read.words),
        (rf"\b{EN_DAY_NUMBER}-{EN_MONTH}-{YEAR}(?![0-9])", read.words),
        (rf"\b{EN_MONTH}\.?[\s,\-]{{1,2}}(?:of\s)?(?:the\syear\s)?{YEAR}(?![0-9])", read.month_words),
        (
            rf"\b(?:in|since|by|until|during|of|early|late|mid)[\s-]{EN_MONTH}(?![0-9\w])(?!\s[0-9])",
            read.month_alone,
        ),
    ),
    "năm": (
        (rf"\b(?P<cue>năm)\s(?P<year>[0-9]{{2,3}}){AFTER}{NOT_ERA}", read.year),
        (r"\b(?P<cue>năm)\s(?P<words>(?:một|hai)\s(?:nghìn|ngàn)(?:\s[^\W\d_]+){0,8})", read.spelled_year),
    ),
    "century": (
        (r"\b(?:thập\sniên|thập\skỷ|thập\skỉ|những\snăm)\s(?P<decade>[0-9]{3}0|[0-9]0)(?![0-9])", read.decade),
        (r"\bthế\sk[ỷỉ]\s(?:thứ\s)?(?P<century>[0-9]{1,2}|[ivx]{1,5})\b", read.century),
        (r"\b(?P<century>[0-9]{1,2})(?:st|nd|rd|th)[\s-]century\b", read.century),
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
    if digits and ("nửa" in low or "half" in low or "h1" in low or "h2" in low or " months" in low):
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
