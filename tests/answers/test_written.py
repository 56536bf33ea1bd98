"""Answers without a type, references as people write them, and marks between figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.answers import check_spec, likely_types, prepare
from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.locale import Locale


def verdict(output: str, locale: Locale | None = "vi", now: str | None = None, **spec: JsonValue) -> str | None:
    return prepare(spec, locale=locale, now=now)(output).verdict


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("1,5 tỷ", "15 tỷ"),
        ("3.5", "35"),
        ("12:30", "1230"),
        ("1-2", "12"),
        ("v1.2", "v12"),
        ("3.1", "3.1.4"),
        ("Python 3.11", "Python 311"),
        ("2024-01-15", "20240115"),
        ("25/12", "2512"),
        ("192.168.1.1", "192.168.11"),
        ("12", "1, 2"),
        ("12", "Chọn câu 1.\n2 câu kia sai."),
        ("5 tỷ", "Lãi 1,5 tỷ"),
        ("10%", "1.0%"),
        ("Điều 12", "Điều 1/2"),
    ],
)
def test_a_string_keeps_the_marks_between_figures(value: str, output: str) -> None:
    assert verdict(output, type="string", value=value) == "wrong"
    assert verdict(value, type="string", value=output.partition("\n")[0]) == "wrong"


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("1,5 tỷ", "1,5 tỷ"),
        ("1,5 tỷ", "Doanh thu của công ty đạt khoảng 1,5 tỷ đồng trong năm ngoái."),
        ("12:30", "Tàu chạy lúc 12:30."),
        ("12:30", "lúc 12:30"),
        ("1-2", "Tỉ số là 1–2."),
        ("Python 3.11", "python 3.11."),
        ("COVID-19", "Covid 19"),
        ("TP.HCM", "TP. HCM"),
        ("2024", "Ngày 15/01/2024"),
        ("VN-Index", "VN Index"),
    ],
)
def test_other_punctuation_makes_no_difference(value: str, output: str) -> None:
    assert verdict(output, type="string", value=value) == "right"


def test_items_of_lists_keep_them_too() -> None:
    assert verdict("- 1,5\n- 2", type="list", value=["1,5", "2"]) == "right"
    assert verdict("- 15\n- 2", type="list", value=["1,5", "2"]) == "wrong"


@given(st.from_regex(r"[0-9]{1,3}[.,:/-][0-9]{1,3}", fullmatch=True))
def test_no_figures_are_run_together(text: str) -> None:
    together = "".join(letter for letter in text if letter.isdigit())
    assert verdict(text, type="string", value=text) == "right"
    assert verdict(together, type="string", value=text) == "wrong"
    assert verdict(text, type="string", value=together) == "wrong"


@pytest.mark.parametrize(
    ("spec", "types"),
    [
        ({"value": "1,5 tỷ đồng"}, ["number"]),
        ({"value": "12 %"}, ["number"]),
        ({"value": "1.234"}, ["number"]),
        ({"value": 7}, ["number"]),
        ({"value": 2.5}, ["number"]),
        ({"value": "5–9 tỷ"}, ["number"]),
        ({"value": "quý II/2024"}, ["time"]),
        ({"value": "30/4/1975"}, ["time"]),
        ({"value": "hôm qua"}, ["time"]),
        ({"value": 1975}, ["number", "time"]),
        ({"value": "1975"}, ["number", "time"]),
        ({"value": "Hà Nội"}, ["string"]),
        ({"value": "khoảng 5 tỷ"}, ["string"]),
        ({"value": "1-2"}, ["string"]),
        ({"value": "12:30"}, ["string"]),
        ({"value": "Ba"}, ["string"]),
        ({"value": "VN30"}, ["string"]),
        ({"value": ["a", "b"]}, ["list"]),
        ({"value": True}, ["boolean"]),
        ({"contains": ["a"]}, ["text"]),
        ({"value": "x", "tolerance": "10%"}, ["number"]),
        ({"value": "5", "aliases": ["five"]}, ["string"]),
        ({"value": 1975, "tolerance_years": 1}, ["time"]),
        ({"range": [1, 2]}, ["number"]),
        ({"range": ["tháng 4/1975", "tháng 5/1975"]}, ["time"]),
    ],
)
def test_what_an_answer_without_a_type_is(spec: dict[str, JsonValue], types: list[str]) -> None:
    assert likely_types(spec, locale="vi", now="2026-01-31") == types


def test_without_a_locale_what_reads_in_two_ways_is_a_string() -> None:
    assert likely_types({"value": "1.234"}) == ["string"]
    assert likely_types({"value": "3/4/2025"}) == ["string"]
    assert likely_types({"value": "hôm qua"}, locale="vi") == ["string"]


@pytest.mark.parametrize(
    ("value", "output", "expected"),
    [
        ("1,5 tỷ đồng", "Doanh thu là 1.500 triệu đồng", "right"),
        ("1,5 tỷ đồng", "Doanh thu là 15 tỷ đồng", "wrong"),
        ("1,5 tỷ đồng", "1,5 tỷ USD", "wrong"),
        ("quý II/2024", "Quý 2 năm 2024", "right"),
        ("quý II/2024", "Quý 3 năm 2024", "wrong"),
        ("12 %", "tăng 12%", "right"),
        (1975, "Năm 1975", "right"),
        (1975, "1.975 người", "right"),
        (1975, "Năm 1976", "wrong"),
        ("Hà Nội", "Thủ đô là Hà Nội.", "right"),
    ],
)
def test_an_answer_without_a_type_is_scored_as_what_it_is(value: JsonValue, output: str, expected: str) -> None:
    assert verdict(output, value=value) == expected


def test_typed_references_may_be_written_as_people_write_them() -> None:
    assert verdict("1,6 tỷ", type="number", value="1,5 tỷ", tolerance="10%") == "right"
    assert verdict("1,6 tỷ", type="number", value="1,5 tỷ", tolerance="5%") == "wrong"
    assert verdict("1,5", type="number", value="1,5", unit="tỷ đồng") == "right"
    assert verdict("1234", type="number", value="1.234") == "right"
    assert verdict("1.234", "en", type="number", value="1.234") == "right"
    assert verdict("1,5 tỷ", type="number", range=["1 tỷ", "2 tỷ"]) == "right"
    assert verdict("3 tháng 4 năm 2025", type="time", value="3/4/2025") == "right"
    assert verdict("March 4, 2025", "en", type="time", value="3/4/2025") == "right"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"type": "time", "value": "3/4/2025"}, "is ambiguous; give the case a locale"),
        ({"value": "a", "tolerence": 1}, "an answer has no key 'tolerence'; did you mean 'tolerance'?"),
        ({"value": "x", "tolerance": "10%"}, "not a number"),
        ({"aliases": ["x"]}, "no value"),
        ({"value": ""}, "needs a value"),
    ],
)
def test_what_cannot_be_used_is_told(spec: dict[str, JsonValue], words: str) -> None:
    assert words in " / ".join(check_spec(spec))
    with pytest.raises(UsageError):
        prepare(spec)


@pytest.mark.parametrize("locale", ["vi", "en", None])
def test_a_letter_at_the_end_is_part_of_a_name_and_no_article(locale: Locale | None) -> None:
    for value, output in (("Vitamin A", "vitamin a."), ("Nguyễn Văn A", "nguyễn văn a"), ("vitamin a", "Vitamin A")):
        assert verdict(output, locale, type="string", value=value) == "right"
    assert verdict("vitamin c", locale, type="string", value="vitamin a") == "wrong"
    assert verdict("a lion", locale, type="string", value="lion") == "right"
