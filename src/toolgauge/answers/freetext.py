"""Dates in forms that our own patterns do not know, read by dateparser where a case allows it.

Dateparser only translates: what it reads is written into the text as an ISO date, and the rules for dates go on from
there. It also reads much that is no date, so only what leaves nothing to guess is taken from it.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from toolgauge.errors import UsageError
from toolgauge.locale import PROFILES, Locale

__all__ = ["FreeText"]

DATEPARSER = "1.5.0"
"""The version that is asked for: another one may read other dates, and figures must not depend on that."""
MAX_CHARACTERS = 300
"""How much of an answer is given to dateparser, which takes about a millisecond for a character."""
DAY_FIRST, MONTH_FIRST = "DMY", "MDY"
SETTINGS: dict[str, Any] = {
    "PARSERS": ["relative-time", "absolute-time"],  # not `timestamp`, to which any long number is a date
    "REQUIRE_PARTS": ["year"],
    "PREFER_LOCALE_DATE_ORDER": False,
    "PREFER_DAY_OF_MONTH": "first",
    "PREFER_MONTH_OF_YEAR": "first",
    "PREFER_DATES_FROM": "current_period",
}
"""No time zone is set: a day stays the day that is written, whatever zone stands beside it or the machine is in."""
SOME_DAY, OTHER_DAY = date(2001, 2, 3), date(2014, 11, 28)
"""Two days to count from: a date that is the same from both does not depend on today."""
DIRECTED = re.compile(r"(?:last|next|cách\sđây)\s.*|.*\s(?:ago|from\snow|trước|trước\sđây|nữa)", re.IGNORECASE)
"""What makes a stretch of time a date; dateparser also takes `12 days` and `trước 15 tháng` for one."""
MONTH = re.compile(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|thg|tháng", re.IGNORECASE)
"""How the name of a month begins, or what stands before its number."""
HOPEFUL = re.compile(r"[0-9]|\b(?:ago|now|last|next|trước|cách|nữa)\b", re.IGNORECASE)
"""What there is in every text that dateparser finds a date in and our own patterns do not."""
TODAY = "today"
"""Stands for a date that counts from a day which the case does not state."""


class FreeText:
    """Finds dates with dateparser.

    Args:
        now: The day that relative dates count from; None: unknown.

    Raises:
        UsageError: Dateparser is not installed, or not in the version that figures rest on.
    """

    def __init__(self, now: date | None) -> None:
        _require_dateparser()
        self.now = now

    def rewrite(self, text: str, locale: Locale, *, first: bool) -> str:
        """The text with the dates that dateparser finds in ISO form, as far as it is looked at.

        Args:
            text: Part of an answer.
            locale: Which language is tried first, and which of day and month comes first.
            first: Whether the beginning of the text is looked at, and not its end.
        """
        head, piece, tail = _piece(text, first=first)
        if not HOPEFUL.search(piece):
            return text
        orders = (DAY_FIRST, MONTH_FIRST) if PROFILES[locale].day_first else (MONTH_FIRST, DAY_FIRST)
        for language in (locale, *(other for other in PROFILES if other != locale)):
            rewritten = _rewrite(piece, language, orders, self.now)
            if rewritten != piece:
                return head + rewritten + tail
        return text


def _require_dateparser() -> None:
    install = "install it with: pip install 'toolgauge[dates]'"
    try:
        import_module("dateparser.search")
        found = version("dateparser")
    except (ImportError, PackageNotFoundError) as error:
        raise UsageError(f"an answer with free_text needs dateparser; {install}") from error
    if found != DATEPARSER:
        raise UsageError(f"an answer with free_text needs dateparser {DATEPARSER}, not {found}; {install}")


def _piece(text: str, *, first: bool) -> tuple[str, str, str]:
    """The part of a text that is looked at, between what stands before and behind it; words stay whole."""
    if len(text) <= MAX_CHARACTERS:
        return "", text, ""
    if first:
        end = text.rfind(" ", 0, MAX_CHARACTERS) + 1 or MAX_CHARACTERS
        return "", text[:end], text[end:]
    begin = text.find(" ", len(text) - MAX_CHARACTERS)
    begin = begin if begin >= 0 else len(text) - MAX_CHARACTERS
    return text[:begin], text[begin:], ""


@lru_cache(maxsize=1 << 10)  # agents often give the same answer, and this is slow
def _rewrite(text: str, language: str, orders: tuple[str, str], now: date | None) -> str:
    reader = _Reader(language, orders, now)
    rewritten: list[str] = []
    begin = 0
    for words in reader.search(text):
        start = text.find(words, begin)
        if start < 0:
            continue
        date_words = reader.without_more(words)
        written = reader.write(date_words)
        if written:
            start += words.index(date_words)
            rewritten += [text[begin:start], written]
            begin = start + len(date_words)
    return "".join([*rewritten, text[begin:]])


class _Reader:
    """Reads dates in one language.

    Args:
        language: Which.
        orders: The order of day and month, and the other one.
        now: The day that relative dates count from; None: unknown.
    """

    def __init__(self, language: str, orders: tuple[str, str], now: date | None) -> None:
        self.language = language
        self.order, self.other_order = orders
        self.now = now

    def search(self, text: str) -> list[str]:
        """The words in a text that may be dates, in order."""
        find = import_module("dateparser.search").search_dates
        settings = _settings(self.order, self.now or SOME_DAY)
        return [words for words, _ in find(text, languages=[self.language], settings=settings, strategy="ngram") or ()]

    def without_more(self, words: str) -> str:
        """The words without those at either end that dateparser skips: `after` has a meaning to us."""
        reading = self.read(words)
        while not DIRECTED.fullmatch(words):
            shorter = (words.partition(" ")[2].lstrip(), words.rpartition(" ")[0].rstrip())
            same = [part for part in shorter if MONTH.search(part) and self.read(part) == reading]
            if not same:
                break
            words = same[0]
        return words

    def write(self, words: str) -> str | None:
        """A date in a form that our own patterns know; None where dateparser had to guess."""
        one, other = self.read(words), self.read(words, today=OTHER_DAY)
        if one is None or other is None:
            return None
        if one == other:
            # Figures alone may be any numbers. Where the order makes a difference, the month is a figure too.
            clear = MONTH.search(words) and one[1] != "year" and one == self.read(words, order=self.other_order)
            return _iso(*one) if clear else None
        if not DIRECTED.fullmatch(words):
            return None
        if self.now is None:
            return TODAY
        counted = self.read(words, today=self.now)
        if counted and counted[1] == "week":
            return _weeks(counted[0], self.now)
        return _iso(*counted) if counted else None

    def read(self, words: str, *, today: date = SOME_DAY, order: str = "") -> tuple[date, str] | None:
        """The first day that words mean by themselves, and whether they mean a day, week, month or year."""
        settings = _settings(order or self.order, today)
        parser = import_module("dateparser.date").DateDataParser(languages=[self.language], settings=settings)
        found = parser.get_date_data(words)
        return (found.date_obj.date(), found.period) if found.date_obj else None


def _settings(order: str, today: date) -> dict[str, Any]:
    noon = datetime.combine(today, time(12))  # so that a few hours ago is still today
    return SETTINGS | {"DATE_ORDER": order, "RELATIVE_BASE": noon}


def _iso(day: date, period: str) -> str | None:
    if period == "day":
        return day.isoformat()
    if period == "month":
        return day.isoformat()[:7]
    return f"năm {day.year:04d}" if period == "year" else None


def _weeks(day: date, now: date) -> str:
    """A week, which has no form of its own, by how far it is."""
    count = ((now - timedelta(days=now.weekday())) - (day - timedelta(days=day.weekday()))).days // 7
    return f"{count} weeks ago" if count >= 0 else f"{-count} weeks from now"
