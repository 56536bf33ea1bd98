"""What is written in a locale is read back as it was."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.locale import Locale, find_dates, find_numbers, fold_tones, fold_word, write_date, write_number

LOCALES = st.sampled_from(["vi", "en"])
NUMBERS = st.decimals(min_value=-(10**12), max_value=10**12, places=2, allow_nan=False)
DATES = st.dates(min_value=date(1000, 1, 1), max_value=date(2999, 12, 31))


@given(NUMBERS, LOCALES, st.booleans())
def test_a_number_is_read_back(value: Decimal, locale: Locale, grouped: bool) -> None:
    (found,) = find_numbers(f"x = {write_number(value, locale, grouped=grouped)}", locale)
    assert found.value == float(value)


@given(st.integers(min_value=1, max_value=10**12), LOCALES)
def test_a_number_is_read_back_from_a_sentence(value: int, locale: Locale) -> None:
    written = write_number(value, locale)
    (found,) = find_numbers(f"Doanh thu năm 2023 đạt {written} đồng.", locale)
    assert (found.value, found.unit) == (value, "VND")


@given(NUMBERS)
def test_without_a_locale_the_true_value_is_among_the_readings(value: Decimal) -> None:
    for locale in ("vi", "en"):
        (found,) = find_numbers(f"x = {write_number(value, locale)}", None)
        assert (float(value), float(value)) in found.readings


@given(DATES, LOCALES, st.booleans())
def test_a_date_is_read_back(value: date, locale: Locale, words: bool) -> None:
    (found,) = find_dates(write_date(value, locale, words=words), locale)
    assert (found.low, found.high) == (value, value)


@given(DATES, LOCALES)
def test_an_iso_date_is_the_same_in_every_locale(value: date, locale: Locale) -> None:
    (found,) = find_dates(value.isoformat(), locale)
    assert found.low == value


DIGITS = ["không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín"]


def spelled(value: int) -> str:
    """A number below a thousand in Vietnamese words, written here independently of the reader."""
    hundreds, rest = divmod(value, 100)
    tens, ones = divmod(rest, 10)
    words = [DIGITS[hundreds], "trăm"] if hundreds else []
    if hundreds and not tens and ones:
        words += ["linh", DIGITS[ones]]
    elif tens == 1:
        words += ["mười"] + ([{5: "lăm"}.get(ones, DIGITS[ones])] if ones else [])
    elif tens:
        words += [DIGITS[tens], "mươi"] + ([{1: "mốt", 5: "lăm"}.get(ones, DIGITS[ones])] if ones else [])
    elif ones:
        words += [DIGITS[ones]]
    return " ".join(words)


@pytest.mark.parametrize("value", range(1, 1000))
def test_vietnamese_number_words_are_read_back(value: int) -> None:
    found = find_numbers(f"Tổng là {spelled(value)} triệu.", "vi")
    assert [one.value for one in found] == [value * 1e6]


@given(st.text(max_size=200), LOCALES)
def test_any_text_can_be_read(text: str, locale: Locale) -> None:
    places = [(found.start, found.end) for found in find_numbers(text, locale)]
    places += [(found.start, found.end) for found in find_dates(text, locale)]
    assert all(0 <= start < end for start, end in places)


@pytest.mark.parametrize(("left", "right"), [("hoà", "hòa"), ("thuý", "thúy"), ("khoẻ", "khỏe"), ("HOÀ", "hòa")])
def test_where_the_tone_stands_makes_no_difference(left: str, right: str) -> None:
    assert fold_word(left) == fold_word(right)


def test_another_tone_is_another_word() -> None:
    assert len({fold_word(word) for word in ("ma", "má", "mà", "mả", "mã", "mạ", "mơ", "mô", "mo")}) == 9


def test_all_marks_can_be_folded() -> None:
    assert fold_tones("Đà Nẵng, Huế, Quảng Ngãi") == "da nang, hue, quang ngai"
