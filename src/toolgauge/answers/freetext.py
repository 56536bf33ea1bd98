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
from toolgauge.locale import Locale

__all__ = ["FreeText"]

DATEPARSER = "1.5.0"
"""The version that is asked for: another one may read other dates, and figures must not depend on that."""
MOST_CHARACTERS = 300
"""How much of an answer is given to dateparser, which takes about a millisecond for a character."""
LANGUAGES: dict[Locale, tuple[str, str]] = {"vi": ("vi", "en"), "en": ("en", "vi")}
"""The languages to try, one after the other."""
ORDERS: dict[Locale, tuple[str, str]] = {"vi": ("DMY", "MDY"), "en": ("MDY", "DMY")}
"""The order of day and month, and the other one."""
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
DIRECTED = re.compile(r"\b(?:ago|from\snow|last|next|trước|cách\sđây|nữa)\b", re.IGNORECASE)
"""What makes a stretch of time a date; dateparser also takes `12 days` for a day."""
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
        for language in LANGUAGES[locale]:
            rewritten = _rewrite(piece, language, ORDERS[locale], self.now)
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
    if len(text) <= MOST_CHARACTERS:
        return "", text, ""
    if first:
        end = text.rfind(" ", 0, MOST_CHARACTERS) + 1 or MOST_CHARACTERS
        return "", text[:end], text[end:]
    begin = text.find(" ", len(text) - MOST_CHARACTERS)
    begin = begin if begin >= 0 else len(text) - MOST_CHARACTERS
    return text[:begin], text[begin:], ""


@lru_cache(maxsize=1 << 10)  # agents often give the same answer, and this is slow
def _rewrite(text: str, language: str, orders: tuple[str, str], now: date | None) -> str:
    found = import_module("dateparser.search").search_dates(
        text, languages=[language], settings=_settings(orders[0], now or SOME_DAY), strategy="ngram"
    )
    rewritten: list[str] = []
    begin = 0
    for words, _ in found or ():
        start = text.find(words, begin)
        written = _written(words, language, orders, now) if start >= 0 else None
        if written:
            rewritten += [text[begin:start], f" {written} "]
            begin = start + len(words)
    return "".join([*rewritten, text[begin:]])


def _settings(order: str, today: date) -> dict[str, Any]:
    noon = datetime.combine(today, time(12))  # so that a few hours ago is still today
    return SETTINGS | {"DATE_ORDER": order, "RELATIVE_BASE": noon}


def _read(words: str, language: str, order: str, today: date) -> tuple[date, str] | None:
    """The day that words begin with by themselves, and whether they mean a day, week, month or year."""
    parser = import_module("dateparser.date").DateDataParser(languages=[language], settings=_settings(order, today))
    data = parser.get_date_data(words)
    return (data.date_obj.date(), data.period) if data.date_obj else None


def _written(words: str, language: str, orders: tuple[str, str], now: date | None) -> str | None:
    """A date in ISO form; None where dateparser had to guess."""
    one, other = (_read(words, language, orders[0], day) for day in (SOME_DAY, OTHER_DAY))
    if one is None or other is None:
        return None
    if one == other:
        # Without a month it is any number. Where the order makes a difference no month is named: three numbers.
        clear = one[1] != "year" and one == _read(words, language, orders[1], SOME_DAY)
        return _iso(*one) if clear else None
    if not DIRECTED.search(words):
        return None
    if now is None:
        return TODAY
    counted = _read(words, language, orders[0], now)
    return _iso(*counted) if counted else None


def _iso(day: date, period: str) -> str | None:
    if period == "day":
        return day.isoformat()
    if period == "week":
        monday = day - timedelta(days=day.weekday())
        return f"{monday.isoformat()} – {(monday + timedelta(days=6)).isoformat()}"
    if period == "month":
        return day.isoformat()[:7]
    return f"năm {day.year:04d}" if period == "year" else None
