"""A locale is a file with its profile and a row in the table; whatever reads numbers and dates asks the table."""

from __future__ import annotations

from datetime import date
from typing import Any, cast, get_args, get_type_hints

import pytest

from toolgauge.answers import prepare
from toolgauge.core import Case
from toolgauge.locale import PROFILES, Locale, Profile, find_dates, find_numbers, guess_locale, write_date, write_number
from toolgauge.locale.number_words import additive_reader
from toolgauge.locale.profile import (
    CalendarWords,
    DateForm,
    NumberWords,
    RelativeForm,
    counted_from_one,
    scale_words,
    word_set,
)

ONES = counted_from_one("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf")
TENS = {"zwanzig": 20, "dreißig": 30}
MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
GERMAN = Profile(
    decimal=",",
    group=".",
    day_first=True,
    write_date=lambda day: f"{day.day}. {MONTHS.split()[day.month - 1]} {day.year:04d}",
    numbers=NumberWords(
        grammars=(additive_reader(ONES, TENS, hundreds=("hundert",), dozens=("dutzend",), one=("ein",), joining=""),),
        starts=frozenset((*ONES, *TENS, "ein")),
        scales=scale_words({3: "tausend", 6: "million millionen", 9: "milliarde milliarden"}),
        claims=frozenset(("ist", "beträgt")),
    ),
    calendar=CalendarWords(
        months=counted_from_one(MONTHS.lower()),
        forms=(
            DateForm(
                tuple(MONTHS.lower().split()), r"\b(?P<day>[0-9]{1,2})\.\s(?P<month>%own_months%)\s%year%", "words"
            ),
        ),
        relative=(RelativeForm(("gestern",), r"\bgestern\b", "days", -1),),
    ),
    units={"EUR": "eurostück", "year": "jahr | jahre"},
    yes=word_set("ja"),
    no=word_set("nein"),
    letters="äöüß",
)
DE = cast("Locale", "de")


def test_suites_may_state_the_locales_of_the_table() -> None:
    stated = get_args(get_type_hints(Case)["locale"])[0]
    assert set(get_args(stated)) == set(get_args(Locale)) == set(PROFILES)


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[Any, Profile]", PROFILES), "de", GERMAN)


@pytest.mark.usefixtures("german")
def test_numbers_of_a_new_locale() -> None:
    assert [found.value for found in find_numbers("Der Preis ist 1.234,5 Eurostück.", DE)] == [1234.5]
    (found,) = find_numbers("Es sind drei Millionen Jahre.", DE)
    assert (found.value, found.unit) == (3e6, "year")
    assert find_numbers("zwei hundert zwölf Jahre", DE)[0].value == 212
    assert find_numbers("drei Millionen", "en")[0].value == 3e6  # words are known in every locale
    assert write_number(1234.5, DE) == "1.234,5"


@pytest.mark.usefixtures("german")
def test_an_unknown_locale_is_read_as_each_of_them_writes() -> None:
    assert find_numbers("1.234", None)[0].readings == ((1234.0, 1234.0), (1.234, 1.234))
    (found,) = find_dates("3/4/2025", None)
    assert [period.low for period in found.readings] == [date(2025, 4, 3), date(2025, 3, 4)]


@pytest.mark.usefixtures("german")
def test_dates_of_a_new_locale() -> None:
    assert [found.low for found in find_dates("Am 3. März 2025 und am 3/4/2025", DE)] == [
        date(2025, 3, 3),
        date(2025, 4, 3),
    ]
    assert find_dates("gestern", DE, date(2025, 3, 1))[0].low == date(2025, 2, 28)
    assert (write_date(date(2025, 3, 4), DE), write_date(date(2025, 3, 4), DE, words=True)) == (
        "4/3/2025",
        "4. März 2025",
    )


@pytest.mark.usefixtures("german")
def test_answers_in_a_new_locale() -> None:
    assert prepare({"type": "number", "value": 1234.5}, locale=DE)("Es sind 1.234,5.").verdict == "right"
    assert prepare({"type": "time", "value": "2025-03-03"}, locale=DE)("Am 3. März 2025.").verdict == "right"
    unclear = prepare({"type": "number", "value": 1234})("1.234")
    assert (unclear.verdict, unclear.reason) == ("ambiguous", "two readings: 1234 or 1.234")
    assert guess_locale("Wie groß ist es?") == DE


def test_the_words_are_forgotten_with_the_profile() -> None:
    assert find_numbers("drei Millionen", "en") == []
    assert find_dates("3. März 2025", "vi")[0].precision == "year"


@pytest.mark.parametrize(("text", "locale"), [("Giá bao nhiêu?", "vi"), ("What is it?", "en"), ("ĐƯỜNG", "vi")])
def test_the_locale_of_a_text(text: str, locale: str) -> None:
    assert guess_locale(text) == locale
