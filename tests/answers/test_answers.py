"""What an answer keeps: what was found, and why the verdict is what it is."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.answers import prepare
from toolgauge.core import Answer, JsonValue
from toolgauge.locale import Locale, write_number

SPECS: list[dict[str, JsonValue]] = [
    {"type": "number", "value": 31, "tolerance": "10%", "unit": "°C"},
    {"type": "time", "value": 1975},
    {"type": "string", "value": "Hà Nội"},
    {"type": "list", "value": ["FPT", "VNM"]},
    {"type": "boolean", "value": True},
    {"type": "text", "contains": ["abc"]},
]


def test_the_value_that_was_found_is_kept() -> None:
    assert prepare({"type": "number", "value": 5, "tolerance": "10%"}, locale="vi")("Là 4,2.") == Answer(
        "wrong", 4.2, "found 4.2, expected 5 ± 10%"
    )
    assert prepare({"type": "number", "range": [1, 2]}, locale="vi")("từ 1 đến 2").found == [1, 2]
    assert prepare({"type": "time", "value": 1975}, locale="vi")("30/4/1975").found == "1975-04-30"
    assert prepare({"type": "time", "value": 1975}, locale="vi")("quý II/1975").found == "1975-Q2"
    assert prepare({"type": "string", "value": "hà nội"})("Đó là Hà Nội.").found == "Hà Nội"
    assert prepare({"type": "list", "value": ["a", "b"]})("b, a, c").found == ["b", "a", "c"]
    assert prepare({"type": "boolean", "value": True})("Không.").found is False


def test_a_reason_speaks_in_the_asked_unit() -> None:
    billions = prepare({"type": "number", "value": 15, "unit": "tỷ đồng", "tolerance": "5%"}, locale="vi")
    assert billions("Lãi 20 tỷ đồng.").reason == "found 20 tỷ đồng, expected 15 tỷ đồng ± 5%"
    assert billions("20").reason == "found 20 tỷ đồng, expected 15 tỷ đồng ± 5%"
    assert billions("5 USD").reason == "found 5 USD, but the unit should be tỷ đồng"
    hours = prepare({"type": "number", "value": 7, "unit": "hours"}, locale="en")
    assert hours("It takes 8 hours.").reason == "found 8 hours, expected 7 hours"
    assert prepare({"type": "number", "value": 7}, locale="en")("8 hours").reason == "found 8 hours, expected 7"


def test_a_date_without_its_year_is_named_in_words() -> None:
    day = prepare({"type": "time", "value": "2024-09-02"}, locale="vi")
    assert day("mùng 2 tháng 9").found == "2 September"
    assert day("quý II").found == "April to June"


def test_a_long_answer_is_searched_for_a_name_to_its_end() -> None:
    score = prepare({"type": "string", "value": "Đà Nẵng"}, locale="vi")
    for place in (0, 19_995, 20_000, 40_498, 99_990):
        output = "x " * (place // 2) + "Đà Nẵng " + "x " * ((100_000 - place) // 2)
        assert score(output).verdict == "right"


def test_a_long_answer_is_not_held_folded_as_a_whole() -> None:
    score = prepare({"type": "string", "value": "Đà Nẵng"}, locale="vi")
    output = "một hai ba bốn năm " * 20_000
    tracemalloc.start()
    score(output)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(output)


def test_two_readings_are_both_named() -> None:
    answer = prepare({"type": "number", "value": 1234})("1.234")
    assert answer == Answer("ambiguous", [1234, 1.234], "two readings: 1234 or 1.234")


@pytest.mark.parametrize("spec", SPECS)
def test_no_answer_is_wrong_and_never_a_zero(spec: dict[str, JsonValue]) -> None:
    for output in (None, "", "  \n"):
        assert prepare(spec)(output) == Answer("wrong", None, "no answer")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "piece", ["1 ", "-5", "123.", "(", "[a", "* ", "không phải ", "ngày 3 tháng ", "<a", "| 1 ", " "]
)
def test_a_huge_answer_is_scored_all_the_same(spec: dict[str, JsonValue], piece: str) -> None:
    assert prepare(spec)("x" + piece * 20_000 + "x").verdict in ("right", "wrong", "ambiguous")


@given(st.sampled_from(SPECS), st.text(max_size=300), st.sampled_from(["vi", "en", None]))
def test_any_answer_gets_the_same_verdict_twice(spec: dict[str, JsonValue], output: str, locale: Locale | None) -> None:
    score = prepare(spec, locale=locale)
    assert score(output) == score(output)


@given(st.integers(min_value=-(10**9), max_value=10**9), st.sampled_from(["vi", "en"]))
def test_a_number_written_in_the_locale_is_right(value: int, locale: Locale) -> None:
    output = f"Answer: {write_number(value, locale)}"
    assert prepare({"type": "number", "value": value}, locale=locale)(output).verdict == "right"
    assert prepare({"type": "number", "value": value + 1}, locale=locale)(output).verdict == "wrong"
