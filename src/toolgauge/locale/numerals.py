"""Reads and writes figures such as `1.234.567,8` by the habits of a locale."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from .profile import Locale, Profile
from .profiles import PROFILES, others

__all__ = ["is_ambiguous", "read_figure", "write_number"]

LONGEST = 40
"""A longer row of digits is no quantity that anybody states."""
LONGEST_PADDED = 3
"""A number may be written with leading zeros, but not with more digits than this."""
SPACES = re.compile(r"[ \u00a0\u2009\u202f]")
AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")


@lru_cache(maxsize=32)
def _shape(profile: Profile) -> re.Pattern[str]:
    group, decimal = re.escape(profile.group), re.escape(profile.decimal)
    whole = rf"(?:[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+|[0-9]+)?"
    return re.compile(rf"({whole})(?:{decimal}([0-9]+))?")


def read_figure(text: str, locale: Locale) -> Decimal | None:
    """The value of a figure, or None where it is a version, a phone number or another row of digits.

    A figure that breaks the habits of the locale but keeps those of another one is read as that one writes it:
    `58.72` in a Vietnamese text can only be fifty-eight and a bit.
    """
    text = SPACES.sub("", text)
    if len(text) > LONGEST:
        return None
    for style in (locale, *others(locale)):
        match = _shape(PROFILES[style]).fullmatch(text)
        if match:
            return _value(match, PROFILES[style].group)
    return None


def _value(match: re.Match[str], group: str) -> Decimal | None:
    whole, fraction = match.groups()
    if whole[:1] == "0" and len(whole) > LONGEST_PADDED:
        return None  # 0912345678 is a telephone number, 0205 a code; `05 thành viên` are five
    digits = whole.replace(group, "") or "0"
    return Decimal(f"{digits}.{fraction}" if fraction else digits)


def is_ambiguous(text: str) -> bool:
    """Whether locales read the figure differently: `1.234`."""
    return AMBIGUOUS.fullmatch(SPACES.sub("", text)) is not None


def write_number(value: float | Decimal, locale: Locale, *, grouped: bool = True) -> str:
    """A number in full, never with an exponent: `1.234.567,8` in `vi`, `1,234,567.8` in `en`."""
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    text = f"{exact:,f}" if grouped else f"{exact:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    profile = PROFILES[locale]
    return text.translate(str.maketrans(",.", profile.group + profile.decimal))
