"""The forms in which days, months, quarters and years are written, and what each of them means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from . import periods
from .periods import Period, Precision
from .profile import CalendarWords, DateForm, Locale, Profile, alternatives, fill
from .profiles import PROFILES, all_profiles, calendar_words, number_words
from .tokens import tokenise, word_at

__all__ = ["WrittenDate", "find_written"]


class WrittenDate(NamedTuple):
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


Reader = Callable[[re.Match[str], Locale], WrittenDate | None]
ROMAN_QUARTERS = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}


def _full_year(text: str) -> int:
    """The year that four or two digits mean."""
    number = int(text)
    if len(text) > 2:
        return number
    return number + (2000 if number < 50 else 1900)


def _number(text: str, words: Mapping[str, int]) -> int:
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
) -> WrittenDate | None:
    """A date with a month, and with a year where the match has one."""
    last = last or month
    if not 1 <= month <= last <= 12 or not 0 <= day <= 31:
        return None
    year = match.groupdict().get("year")
    bare = WrittenDate(*match.span(), None, "day" if day else precision, cued, month, last, day)
    if year is None:
        return bare if not day or periods.day(2024, month, day) else None
    period = bare.in_year(_full_year(year))
    return bare._replace(period=period) if period else None


def _iso(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`1975-04-30`."""
    return _made(match, int(match["month"]), int(match["day"]))


def _compact(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`19750430`, which may also be a number."""
    return _made(match, int(match["month"]), int(match["day"]), cued=False)


def _iso_month(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`1975-04`."""
    return _made(match, int(match["month"]))


def _numeric(match: re.Match[str], locale: Locale) -> WrittenDate | None:
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


def _month_year(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`4/1975`."""
    return _made(match, int(match["month"]))


def _words(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`ngày 30 tháng 4`, `April 30`."""
    if _is_verb(match):
        return None
    return _made(
        match, _number(match["month"], calendar_words().months), _number(match["day"], calendar_words().days) or -1
    )


def _month_words(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`tháng 4 năm 1975`, `April 1975`."""
    return _made(match, _number(match["month"], calendar_words().months)) if not _is_verb(match) else None


def _month_alone(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`in April`; months are written with a capital."""
    found = _made(match, _number(match["month"], calendar_words().months)) if match["month"][0].isupper() else None
    return found._replace(start=match.start("month")) if found else None


def _is_verb(match: re.Match[str]) -> bool:
    """Whether `may` or `march` is no month: months are written with a capital."""
    return match["month"] in calendar_words().not_months


def _quarter(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`quý II/2024`, `Q2 2024`."""
    number = _number(match["quarter"], {**ROMAN_QUARTERS, **calendar_words().quarters})
    return _made(match, 3 * number - 2, last=3 * number, precision="quarter") if 1 <= number <= 4 else None


def _half(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`nửa đầu năm 2024`, `H1 2024`."""
    which = match["which"].lower()
    first = which == "1" or which in calendar_words().firsts
    return _made(match, 1 if first else 7, last=6 if first else 12, precision="half")


def _part(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`9 tháng đầu năm 2024`, `first nine months of 2024`."""
    count = _number(match["count"], calendar_words().counts)
    first = match["which"].lower() in calendar_words().firsts
    if not 1 <= count <= 11:
        return None
    return _made(match, 1 if first else 13 - count, last=count if first else 12, precision="range")


def _year(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`năm 1975`, `1975`."""
    period = periods.year(int(match["year"]))
    cue = match.groupdict().get("cue")
    start = match.start() if cue and cue.lower() in calendar_words().year_nouns else match.start("year")
    return WrittenDate(start, match.end(), period, "year", cued=cue is not None) if period else None


def _fiscal_year(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`FY24`, taken to be the calendar year."""
    period = periods.year(_full_year(match["year"]))
    return WrittenDate(*match.span(), period, "year") if period else None


def _days(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`July 10-20, 2024`: the days from one to the other, of one month."""
    month, year = _number(match["month"], calendar_words().months), int(match["year"])
    low, high = (periods.day(year, month, int(match[name])) for name in ("day", "last"))
    if low is None or high is None or low.low >= high.low or _is_verb(match):
        return None
    return WrittenDate(*match.span(), Period(low.low, high.high, "range"), "range")


def _numeric_days(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`từ 12 đến 28/8/2025`, `12–28/8/2025`: the day stands first."""
    year, month = int(match["year"]), int(match["month"])
    low, high = (periods.day(year, month, int(match[name])) for name in ("day", "last"))
    if low is None or high is None or low.low >= high.low:
        return None
    return WrittenDate(*match.span(), Period(low.low, high.high, "range"), "range")


def _years(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`1954–1975`."""
    low, high = periods.year(int(match["year"])), periods.year(int(match["last"]))
    if low is None or high is None or low.low >= high.low:
        return None
    return WrittenDate(*match.span(), Period(low.low, high.high, "range"), "range")


def _short_years(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`1954–75`."""
    first = int(match["year"])
    last = first - first % 100 + int(match["last"])
    low, high = periods.year(first), periods.year(last)
    if low is None or high is None or last <= first:
        return None
    return WrittenDate(*match.span(), Period(low.low, high.high, "range"), "range")


def _decade(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`1920s`, `thập niên 20`."""
    text = match["decade"]
    first = int(text) if len(text) > 2 else 1900 + int(text)
    period = periods.decade(first)
    return WrittenDate(*match.span(), period, "decade") if period and first % 10 == 0 else None


def _century(match: re.Match[str], _: Locale) -> WrittenDate | None:
    """`thế kỷ XV`, `15th century`."""
    text = match["century"]
    number = int(text) if text.isdigit() else _roman(text)
    period = periods.century(number) if number else None
    return WrittenDate(*match.span(), period, "century") if period else None


def _spelled_year(match: re.Match[str], locale: Locale) -> WrittenDate | None:
    """`năm một nghìn chín trăm bảy mươi lăm`."""
    from .amounts import AmountReader

    tokens = tokenise(match["words"])
    amount = AmountReader(tokens, locale, {}, number_words()).read(0) if word_at(tokens, 0) else None
    if amount is None or not 1000 <= amount.value <= 2999 or amount.value % 1:
        return None
    end = match.start("words") + tokens[amount.last - 1].end
    period = periods.year(int(amount.value))
    return WrittenDate(match.start(), end, period, "year")


def _roman(text: str) -> int | None:
    """The value of a Roman numeral up to 39; None where it is none."""
    total = 0
    values = [ROMAN_DIGITS.get(letter, 0) for letter in text.lower()]
    for value, following in zip(values, [*values[1:], 0], strict=True):
        if not value:
            return None
        total += -value if value < following else value
    return total


READERS: dict[str, Reader] = {
    "iso": _iso,
    "compact": _compact,
    "iso_month": _iso_month,
    "numeric": _numeric,
    "month_year": _month_year,
    "words": _words,
    "month_words": _month_words,
    "month_alone": _month_alone,
    "quarter": _quarter,
    "half": _half,
    "part": _part,
    "year": _year,
    "fiscal_year": _fiscal_year,
    "days": _days,
    "numeric_days": _numeric_days,
    "years": _years,
    "short_years": _short_years,
    "decade": _decade,
    "century": _century,
    "spelled_year": _spelled_year,
}
"""What a form that names one of them means."""

BEFORE = r"(?<![\w/.,\-–$€£₫])"
AFTER = r"(?![\w/%]|[.,\-–][0-9])"
BEFORE_STROKE = r"(?<![\w/.,$€£₫])"
AFTER_STROKE = r"(?![\w/%]|[.,][0-9])"
FORMS = (
    DateForm(("0",), r"%before%%year%(?P<sep>[-/.])(?P<month>[0-9]{1,2})(?P=sep)(?P<day>[0-9]{1,2})(?![0-9])", "iso"),
    DateForm(
        ("0",),
        r"%before%(?P<first>[0-9]{1,2})\s?(?P<sep>[-.])\s?(?P<second>[0-9]{1,2})\s?(?P=sep)\s?%year%%after%%not_lunar%",
        "numeric",
    ),
    DateForm(
        ("0",),
        r"%before%(?P<year>(?:19|20)[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01])"
        r"%after_stroke%%not_counted%",
        "compact",
    ),
    DateForm(
        ("0",),
        r"%before%(?P<year>[12][0-9]{3})\s?[-–—]\s?(?P<last>[12][0-9]{3})%after%%not_counted%",
        "years",
    ),
    DateForm(("0",), r"%before%(?P<year>[12][0-9]{3})[-–](?P<last>[0-9]{2})(?![0-9\-/.\w])", "short_years"),
    DateForm(
        ("0",),
        r"%before%(?P<first>[0-9]{1,2})(?P<sep>[-/])(?P<second>[0-9]{1,2})(?P=sep)(?P<year>[0-9]{2})%after%",
        "numeric",
    ),
    DateForm(("0",), r"%before%(?P<month>[0-9]{1,2})\s?[/\-]\s?%year%%after%", "month_year"),
    DateForm(("0",), r"%before%%year%-(?P<month>0[1-9]|1[0-2])(?![\w-])", "iso_month"),
    DateForm(
        ("0",),
        r"%before%%not_numbered%(?P<year>[12][0-9]{3})(?![\w/%]|[.,][0-9]|\s[0-9]{3}\b)%not_era%%not_counted%",
        "year",
    ),
    DateForm(("0",), r"\b(?P<cue>fy|cy)\s?'?(?P<year>[0-9]{4}|[0-9]{2})%after_stroke%", "fiscal_year"),
    DateForm(("0",), r"\b(?P<cue>%year_cues%)[\s-]{1,3}(?P<year>[12][0-9]{3})%after%%not_era%%not_counted%", "year"),
    DateForm(
        ("/",),
        r"%before_stroke%(?P<first>[0-9]{1,2})\s?/\s?(?P<second>[0-9]{1,2})\s?/\s?%year%%after_stroke%%not_lunar%",
        "numeric",
        digits=True,
    ),
    DateForm(("/",), r"\bT(?P<month>[0-9]{1,2})/%year%%after%", "month_year", digits=True),
    DateForm(
        ("/",),
        r"%before_stroke%(?P<first>[0-9]{1,2})/(?P<second>[0-9]{1,2})%after_stroke%%not_lunar%",
        "numeric",
        digits=True,
    ),
    DateForm(
        ("/", "-"),
        r"(?P<cue>%cue%)%before%(?P<first>[0-9]{1,2})[-/](?P<second>[0-9]{1,2})%after%%not_lunar%",
        "numeric",
        digits=True,
    ),
    DateForm(
        ("q",),
        r"\b(?:quý|quí|qúy|q)\.?\s?(?P<quarter>iv|i{1,3}|[1-4]|một|hai|ba|bốn|tư|nhất)\b"
        r"(?:\)?\s?[,/\-–.]?\s?(?:của\s|of\s)?(?:năm\s(?:tài\schính\s)?|fiscal\s(?:year\s)?|fy\s?|')?"
        r"(?P<year>[0-9]{4}|(?<='|/)[0-9]{2})(?![0-9]))?",
        "quarter",
    ),
    # Not where the quarter has a year of its own: `unlike 2023 Q2 2024 was good`.
    DateForm(
        ("q",),
        r"%before%(?:[cf]y\s?)?(?P<year>[12][0-9]{3})\s?[-–/.]?\s?q(?:u[ýí]\s)?(?P<quarter>[1-4])"
        r"(?![\w%]|\s?[,/\-–.]?\s?(?:of\s|năm\s)?'?[0-9]{2})",
        "quarter",
    ),
    DateForm(("q",), r"\b(?P<quarter>[1-4])q\s?(?:fy\s?)?'?(?P<year>[0-9]{4}|[0-9]{2})(?![0-9\w])", "quarter"),
    DateForm(("h1", "h2"), r"\bh(?P<which>[12])[\s/\-]?%year%(?![0-9])", "half", digits=True),
)
"""The forms that are the same everywhere, or that words of several locales go into; the profiles have the others."""
COUNTED = r"%|usd|vnd|km|kg|m\b|°"
DIGIT = re.compile("[0-9]")


def fragments(words: CalendarWords) -> dict[str, str]:
    """What the patterns of forms are filled with: parts that are the same everywhere, and words of all locales."""
    further = "|".join(words.further_cues)
    return {
        "before": BEFORE,
        "after": AFTER,
        "before_stroke": BEFORE_STROKE,
        "after_stroke": AFTER_STROKE,
        "year": "(?P<year>[0-9]{4})",
        "year_cues": "|".join(words.year_cues),
        "cue": rf"(?:(?:{'|'.join(words.cues)})\s(?:(?:{further})\s)?)",
        "not_era": _not_before(r"\s", words.eras, r"\b"),
        "not_lunar": _not_before(r"\s", words.lunar),
        "not_counted": _not_before(r"\s?", (COUNTED, *words.counted)),
        "not_numbered": "".join(rf"(?<!{re.escape(word)}\s)" for word in words.numbered) + "(?<!#)",
    }


def _not_before(space: str, patterns: Sequence[str], end: str = "") -> str:
    """What refuses a match before any of the patterns."""
    return rf"(?!{space}(?:{'|'.join(patterns)}){end})" if patterns else ""


class _Group(NamedTuple):
    """Forms that need the same."""

    needs: tuple[str, ...]
    digits: bool
    forms: list[tuple[re.Pattern[str], Reader]]


@lru_cache(maxsize=8)
def _groups(profiles: tuple[Profile, ...]) -> list[_Group]:
    """The compiled forms, made when a date is first looked for."""
    common = fragments(calendar_words())
    groups: dict[tuple[tuple[str, ...], bool], _Group] = {}
    for words in (CalendarWords(forms=FORMS), *(profile.calendar for profile in profiles)):
        own = {"own_days": alternatives(words.days), "own_months": alternatives(words.months)}
        for form in words.forms:
            group = groups.setdefault(form[::3], _Group(form.needs, form.digits, []))
            compiled = re.compile(fill(form.pattern, {**common, **own}), re.IGNORECASE)
            group.forms.append((compiled, READERS[form.reader]))
    return list(groups.values())


def find_written(text: str, locale: Locale) -> Iterator[WrittenDate]:
    """Every date that is written out in a text in normal form C; they may overlap."""
    low = text.lower()
    digits = DIGIT.search(low) is not None
    for needs, needs_digits, forms in _groups(all_profiles()):
        if (needs_digits and not digits) or not (digits if needs == ("0",) else any(need in low for need in needs)):
            continue
        for pattern, reader in forms:
            for match in pattern.finditer(text):
                found = reader(match, locale)
                if found:
                    yield found
