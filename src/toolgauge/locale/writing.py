"""Writes numbers and dates the way a locale does."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from .profile import PROFILES, Locale
from .wording import words

__all__ = ["write_date", "write_number"]

ENGLISH_MONTHS = words("January February March April May June July August September October November December")


def write_number(value: float | Decimal, locale: Locale, *, grouped: bool = True) -> str:
    """A number in full, never with an exponent: `1.234.567,8` in `vi`, `1,234,567.8` in `en`."""
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    text = f"{exact:,f}" if grouped else f"{exact:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    profile = PROFILES[locale]
    return text.translate(str.maketrans(",.", profile.group + profile.decimal))


def write_date(value: date, locale: Locale, *, words: bool = False) -> str:
    """A day: `30/4/1975` or `ngày 30 tháng 4 năm 1975` in `vi`, `4/30/1975` or `April 30, 1975` in `en`."""
    year = f"{value.year:04d}"
    if locale == "vi":
        return f"ngày {value.day} tháng {value.month} năm {year}" if words else f"{value.day}/{value.month}/{year}"
    return f"{ENGLISH_MONTHS[value.month - 1]} {value.day}, {year}" if words else f"{value.month}/{value.day}/{year}"
