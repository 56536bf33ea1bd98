"""The table of locales, and the words of all of them together.

A new locale is a file with its `Profile` and a row here (and its name among those that a suite may state).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeVar

from .en import ENGLISH
from .profile import CalendarWords, Locale, NumberWords, Profile
from .vi import VIETNAMESE

__all__ = ["PROFILES", "all_profiles", "calendar_words", "guess_locale", "number_words", "others"]

PROFILES: dict[Locale, Profile] = {"vi": VIETNAMESE, "en": ENGLISH}
"""Where a locale is unknown, a text is read as each of them writes, in this order."""

SIGNS = NumberWords(
    claims=frozenset((":", "=", "")),
    years_claimed=frozenset("=:≈~"),
    before_negative=frozenset(("", ":", "|", "=")),
    change_links=frozenset(("→", "=>", "->")),
)
"""What means the same in every locale."""

Words = TypeVar("Words", NumberWords, CalendarWords)


def all_profiles() -> tuple[Profile, ...]:
    """The profiles there are, as a key for what is made of all of them."""
    return tuple(PROFILES.values())


def others(locale: Locale) -> list[Locale]:
    """Every locale but this one."""
    return [other for other in PROFILES if other != locale]


def number_words() -> NumberWords:
    """The words of numbers of all locales."""
    return _number_words(all_profiles())


def calendar_words() -> CalendarWords:
    """The words and forms of dates of all locales."""
    return _calendar_words(all_profiles())


def guess_locale(text: str) -> Locale:
    """The locale that has letters of its own in the text; where none has, the last one without such letters."""
    plain: Locale | None = None
    for locale, profile in PROFILES.items():
        if not profile.letters:
            plain = locale
        elif not _letters(profile.letters).isdisjoint(text):
            return locale
    return next(iter(PROFILES)) if plain is None else plain


@lru_cache(maxsize=8)
def _letters(letters: str) -> frozenset[str]:
    return frozenset(letters + letters.upper())


@lru_cache(maxsize=8)
def _number_words(profiles: tuple[Profile, ...]) -> NumberWords:
    return NumberWords(**_merged([SIGNS, *(profile.numbers for profile in profiles)]))


@lru_cache(maxsize=8)
def _calendar_words(profiles: tuple[Profile, ...]) -> CalendarWords:
    return CalendarWords(**_merged([profile.calendar for profile in profiles]))


def _merged(words: list[Words]) -> dict[str, Any]:
    """Each field of all of them together: mappings and sets are united, tuples follow each other."""
    merged: dict[str, Any] = {}
    for one in fields(words[0]):
        values = [getattr(part, one.name) for part in words]
        if isinstance(values[0], Mapping):
            merged[one.name] = {key: value for mapping in values for key, value in mapping.items()}
        elif isinstance(values[0], frozenset):
            merged[one.name] = frozenset().union(*values)
        else:
            merged[one.name] = tuple(item for value in values for item in value)
    return merged
