"""Numbers as people write them."""

from __future__ import annotations

import pytest

from toolgauge.locale import Locale, find_numbers

BOTH = [
    ("1.234.567,8", 1234567.8),
    ("1 500 000", 1500000),
    ("12 nghìn tỉ", 12e12),
    ("hai trăm linh năm", 205),
    ("một phần ba", 1 / 3),
    ("hai triệu rưỡi", 2.5e6),
    ("âm 5", -5),
    ("1,5 tỷ", 1.5e9),
    ("1 tỷ 200 triệu", 1.2e9),
    ("2.3k", 2300),
    ("1.5bn", 1.5e9),
    ("1,234.5", 1234.5),
    ("one third", 1 / 3),
    ("two hundred and five", 205),
    ("minus 12", -12),
    ("hai nghìn không trăm hai mươi lăm", 2025),
    ("một nghìn hai trăm tỷ", 1.2e12),
    ("2tr5", 2.5e6),
    ("một triệu hai", 1.2e6),
    ("nửa triệu", 500000),
    ("two and a half million", 2.5e6),
    ("ba phẩy mười bốn", 3.14),
    ("1.5e9", 1.5e9),
    ("1.5 × 10^9", 1.5e9),
    ("2½", 2.5),
    ("năm trăm nghìn", 500000),
    ("−3,2", -3.2),
]


@pytest.mark.parametrize(("text", "value"), BOTH)
@pytest.mark.parametrize("locale", ["vi", "en"])
def test_a_number_has_one_value_in_both_locales(text: str, value: float, locale: Locale) -> None:
    assert [found.value for found in find_numbers(text, locale)] == [pytest.approx(value)]


def test_the_locale_says_what_a_dot_between_three_digits_is() -> None:
    assert [found.value for found in find_numbers("1.234", "vi")] == [1234]
    assert [found.value for found in find_numbers("1.234", "en")] == [1.234]
    assert [found.readings for found in find_numbers("1.234", None)] == [((1234, 1234), (1.234, 1.234))]


@pytest.mark.parametrize(
    "text",
    [
        "VN30",
        "COVID-19",
        "5G",
        "14:30",
        "14h30",
        "quý II/2024",
        "Q2 2024",
        "30/4/1975",
        "năm 2023",
        "0912345678",
        "3.11.7",
        "68/2024/TT-BTC",
        "hàng triệu người",
        "1. FPT\n2. VNM",
        "một trong những",
        "no one",
    ],
)
def test_names_dates_and_list_numbers_are_not_numbers(text: str) -> None:
    assert find_numbers(text, "vi") == []


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("15%", "%"),
        ("15 phần trăm", "%"),
        ("$5", "USD"),
        ("US$5 million", "USD"),
        ("5 tỷ đồng", "VND"),
        ("31 °C", "°C"),
        ("31 độ C", "°C"),
        ("25.000đ/cổ phiếu", "VND/share"),
        ("0,5 điểm phần trăm", "percentage point"),
        ("5 tỷ năm 2023", None),
    ],
)
def test_the_unit_is_kept_by_one_name(text: str, unit: str | None) -> None:
    assert [found.unit for found in find_numbers(text, "vi")] == [unit]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("5-10", 5, 10),
        ("từ 5 đến 10 tỷ", 5e9, 10e9),
        ("between 5 and 10", 5, 10),
        ("$5–10 billion", 5e9, 10e9),
        ("-5 - -3", -5, -3),
    ],
)
def test_a_range_is_found_as_one(text: str, low: float, high: float) -> None:
    (found,) = find_numbers(text, "vi")
    assert found.is_range
    assert found.readings == ((low, high),)


@pytest.mark.parametrize("text", ["rose from 5 to 10", "tăng từ 5 lên 10", "giảm từ 5 xuống 10"])
def test_what_something_rose_from_is_not_plausible_and_no_range(text: str) -> None:
    first, second = find_numbers(text, "vi")
    assert (first.value, first.plausible) == (5, False)
    assert (second.value, second.plausible) == (10, True)
