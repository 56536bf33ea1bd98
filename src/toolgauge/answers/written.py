"""Amounts and dates as people write them in a suite: `1,5 tỷ đồng`, `12 %`, `quý II/2024`.

They are read by what reads the answers of agents, and only where a text is nothing else: `khoảng 5 tỷ` is no amount,
and neither is a score such as `1-2`. Amounts are written with figures: `Ba` is a name as often as a number.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from toolgauge.core import JsonValue, nfc
from toolgauge.locale import PROFILES, DateFound, Locale, Period, find_dates, find_numbers

__all__ = ["WrittenAmount", "is_amount", "is_period", "read_amount", "read_day", "read_number", "read_period"]


FIGURE = re.compile(r"[0-9]")


class WrittenAmount(NamedTuple):
    """An amount that a text states."""

    low: float
    high: float
    """The same as `low`, unless it is a range."""
    unit: str | None = None
    whole: bool = False
    """Whether the text says by itself how much it is, with a unit or a scale word."""


def read_amount(text: str, locale: Locale | None) -> WrittenAmount | None:
    """The amount that a text states, and nothing else; None where it is none, or can be read in two ways."""
    text = nfc(text).strip()
    found = find_numbers(text, locale)
    if len(found) != 1 or not FIGURE.search(text):
        return None
    (one,) = found
    whole = bool(one.unit) or one.scaled
    if (one.start, one.end) != (0, len(text)) or not one.plausible or len(one.readings) != 1:
        return None
    if one.is_range and not whole:
        return None
    return WrittenAmount(*one.readings[0], one.unit, whole)


def read_number(value: JsonValue, locale: Locale | None) -> WrittenAmount | None:
    """A number of a suite: as JSON or Python writes it, or as the locale does; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    plain = _plain(value)
    if not isinstance(value, str) or (plain is not None and locale is None):
        return plain
    return read_amount(value, locale) or plain


def _plain(value: float | str) -> WrittenAmount | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return WrittenAmount(number, number) if abs(number) < float("inf") else None


def is_amount(value: JsonValue) -> bool:
    """Whether a value can be read as a number, in some locale."""
    return any(read_number(value, locale) is not None for locale in (None, *PROFILES))


def read_period(text: str, locale: Locale | None, now: date | None = None) -> Period | None:
    """The day, month or longer time that a text states, and nothing else; None where it is none, or may be two."""
    found = _whole_date(text, locale, now)
    return found.readings[0] if found is not None and len(found.readings) == 1 else None


def read_day(text: str, locale: Locale | None) -> date | None:
    """The day that a text states, and nothing else; None where it is none, or may be two."""
    found = read_period(text, locale)
    return found.low if found is not None and found.precision == "day" else None


def is_period(text: str) -> bool:
    """Whether a text can be read as a date in some locale, perhaps one that needs a year or the day it is asked on."""
    return any(_whole_date(text, locale, None) is not None for locale in PROFILES)


def _whole_date(text: str, locale: Locale | None, now: date | None) -> DateFound | None:
    text = nfc(text).strip()
    found = find_dates(text, locale, now)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text)) or found[0].open_ended:
        return None
    return found[0]
