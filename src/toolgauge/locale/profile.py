"""What a profile says of a locale: how it writes figures and dates, and the words that numbers and dates are told by.

Words of all locales are known in each of them, since an answer is not always in the language of its question; the
locale decides what is written with figures. A field that a profile leaves empty adds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple, TypeAlias

from .tokens import Token

__all__ = [
    "CalendarWords",
    "DateForm",
    "GroupReader",
    "Locale",
    "NumberWords",
    "Profile",
    "RelativeForm",
    "alternatives",
    "counted_from_one",
    "fill",
    "scale_words",
    "word_set",
]

Locale: TypeAlias = Literal["vi", "en"]
NOTHING: frozenset[str] = frozenset()
GroupReader: TypeAlias = Callable[[Sequence[Token], int, "NumberWords"], "tuple[int, int] | None"]
"""Reads a spelled number below a thousand where it begins, given the words of all locales; also the index behind it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberWords:
    """The words that make up numbers, and those around them that say what a number is."""

    grammars: tuple[GroupReader, ...] = ()
    starts: frozenset[str] = NOTHING
    """Words that may begin a number."""
    shouted: frozenset[str] = NOTHING
    """Numbers even where they are written in capitals; other words in capitals are names."""
    scales: Mapping[str, Decimal] = field(default_factory=dict)
    """Words and abbreviations that multiply; `k`, `m`, `b` and `t` depend on their neighbours."""
    not_after_scale: frozenset[str] = NOTHING
    """What makes another word of the scale word before it: `tỷ lệ` is a rate."""
    tenths: Mapping[str, int] = field(default_factory=dict)
    """Digits that say tenths of the scale word before them: `một triệu hai`."""
    denominators: Mapping[str, int] = field(default_factory=dict)
    decimal_words: frozenset[str] = NOTHING
    minus: frozenset[str] = NOTHING
    separating: frozenset[str] = NOTHING
    """Words that part a number from what follows them."""
    claims: frozenset[str] = NOTHING
    """Words behind which a number that ends the clause is stated."""
    years_claimed: frozenset[str] = NOTHING
    """Words behind which four digits are a quantity and no year."""
    before_negative: frozenset[str] = NOTHING
    """What stands before brackets that make an amount negative."""
    no_number_before: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words in front of which a small number word says something else: `một trong`, `one of`."""
    no_number_after: Mapping[str, frozenset[str]] = field(default_factory=dict)
    articles: frozenset[str] = NOTHING
    """Number words that mostly just mean some: `một`, `one`."""
    halves: frozenset[str] = NOTHING
    telephones: frozenset[str] = NOTHING
    """Words before telephone numbers."""
    calls: frozenset[str] = NOTHING
    """Words that make a long row of digits a telephone number."""
    labels: frozenset[str] = NOTHING
    """What is numbered: the 2 of `Bước 2` is no answer."""
    numbered: frozenset[str] = NOTHING
    """What a number behind it only labels: of `option 3 – 25 million` the 3 is no end of a range."""
    out_of: frozenset[tuple[str, str]] = frozenset()
    """Words between a part and the whole."""
    range_words: frozenset[str] = NOTHING
    from_words: frozenset[str] = NOTHING
    between_words: frozenset[str] = NOTHING
    and_words: frozenset[str] = NOTHING
    fillers: frozenset[str] = NOTHING
    """Words between the ends of a range, or before it, that change nothing."""
    change_links: frozenset[str] = NOTHING
    """Words between what something was and what it became."""
    changes: frozenset[str] = NOTHING
    spreads: frozenset[str] = NOTHING
    """Words that say that something varies and does not change."""


class DateForm(NamedTuple):
    """A form in which dates are written."""

    needs: tuple[str, ...]
    """One of these has to be in a text in lower case; `0` stands for any digit. Looking for it is much faster."""
    pattern: str
    """Fragments such as `%year%` are filled in; `date_forms.fragments` has them."""
    reader: str
    """Name of the function in `date_forms.READERS` that makes a date of what matched."""
    digits: bool = False
    """Whether there has to be a digit too."""


class RelativeForm(NamedTuple):
    """A form in which dates are written that count from today."""

    needs: tuple[str, ...]
    pattern: str
    meaning: Literal["days", "years", "ago", "ahead", "named", "weekday", "weekday_of_week"]
    shift: int = 0
    """How many days or years from now, where the form says so by itself."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalendarWords:
    """Names of months and days, and the forms of dates."""

    months: Mapping[str, int] = field(default_factory=dict)
    days: Mapping[str, int] = field(default_factory=dict)
    weekdays: Mapping[str, int] = field(default_factory=dict)
    """Monday is 0."""
    quarters: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    """Small numbers before days, weeks and months."""
    not_months: frozenset[str] = NOTHING
    """Names of months that are something else where they begin with a small letter."""
    firsts: frozenset[str] = NOTHING
    """Words for the first part of a year."""
    year_nouns: frozenset[str] = NOTHING
    """Words that belong to the year behind them."""
    year_cues: tuple[str, ...] = ()
    """Words that make four digits a year for sure. Behind `from` or `khoảng` they may be a quantity."""
    cues: tuple[str, ...] = ()
    """Words before a day."""
    further_cues: tuple[str, ...] = ()
    """Words that may follow those."""
    eras: tuple[str, ...] = ()
    """Patterns of what makes another era of a year."""
    lunar: tuple[str, ...] = ()
    """Patterns of what makes a date one of another calendar."""
    counted: tuple[str, ...] = ()
    """Patterns of what makes a quantity of four digits."""
    numbered: tuple[str, ...] = ()
    """What has a number: `flight 1832` is no year."""
    forms: tuple[DateForm, ...] = ()
    relative: tuple[RelativeForm, ...] = ()
    spans: Mapping[str, str] = field(default_factory=dict)
    """Words for day, week, month, quarter and year."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """Words for this, the last and the next one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """The habits and the words of one locale."""

    decimal: str
    group: str
    day_first: bool
    """Whether 3/4 is the third of April."""
    write_date: Callable[[date], str]
    """A day in words."""
    m_is_million: bool = False
    """Whether `5m` are five millions, and not five metres."""
    numbers: NumberWords = field(default_factory=NumberWords)
    calendar: CalendarWords = field(default_factory=CalendarWords)
    units: Mapping[str, str] = field(default_factory=dict)
    """Spellings of units by their names, parted by strokes."""
    not_units: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Syllables that make another word of a unit: `điểm đến` is a destination."""
    per: frozenset[str] = NOTHING
    """Words between two units that make a rate of them."""
    yes: frozenset[str] = NOTHING
    no: frozenset[str] = NOTHING
    articles: frozenset[str] = NOTHING
    """Words that make no difference to a name."""
    opening_articles: frozenset[str] = NOTHING
    """Those of them that are an article even with a capital, where they begin a text."""
    article_homographs: frozenset[str] = NOTHING
    """Words of this locale that are articles in another one."""
    letters: str = ""
    """Letters that only this language has."""
    min_shared_words: int = 1
    """How many words two texts have to share before that is a sign of anything."""
    small_words: frozenset[str] = NOTHING
    """Words that say nothing about what is wanted."""


def scale_words(words: Mapping[int, str]) -> dict[str, Decimal]:
    """What the words multiply by, given them by their power of ten."""
    return {word: Decimal(10) ** power for power, row in words.items() for word in row.split()}


def counted_from_one(words: str) -> dict[str, int]:
    """The words, counted from one; those with the same number are parted by a stroke."""
    return {word: number for number, row in enumerate(words.split(), 1) for word in row.split("|")}


def word_set(text: str) -> frozenset[str]:
    """The words of a text; a long list is easier to read without quotes and commas."""
    return frozenset(text.split())


def alternatives(words: Iterable[str]) -> str:
    """A pattern that matches any of the words, the longest first."""
    return "|".join(word.replace(" ", r"\s") for word in sorted(words, key=len, reverse=True))


def fill(pattern: str, fragments: Mapping[str, str]) -> str:
    """A pattern with `%name%` replaced by the fragments of these names."""
    return re.sub("%([a-z_]+)%", lambda match: fragments[match[1]], pattern)
