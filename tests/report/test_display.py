"""Text as it is shown, and figures as they are written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.catalogue import words_of
from toolgauge.core import Estimate
from toolgauge.report.blocks import Column
from toolgauge.report.display import (
    amount,
    decimal,
    interval,
    pad,
    percent,
    share,
    shorten,
    signed,
    squeeze,
    visible,
    width_of,
    wrap,
)
from toolgauge.report.text import parts

EN, VI = words_of("en"), words_of("vi")

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
"""Lone surrogates too."""


@given(ANY_TEXT)
def test_nothing_invisible_is_left(text: str) -> None:
    shown = visible(text)
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert not any(unicodedata.bidirectional(character) in ("RLO", "LRO", "RLE", "LRE", "RLI") for character in shown)
    assert visible(shown) == shown
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\r\nb\nc\td", "a⏎b⏎c d"),
        ("\u202egnp", "\\u202egnp"),
        ("\ud800", "\\ud800"),
        ("\x9b0m", "\\x9b0m"),
        ("Hà Nội", "Hà Nội"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_widths_are_those_of_a_terminal() -> None:
    assert width_of("Hà Nội") == 6
    assert width_of(unicodedata.normalize("NFD", "Hà Nội")) == 6
    assert width_of("河内") == 4


@given(ANY_TEXT, st.integers(1, 40))
def test_cut_text_fits(text: str, width: int) -> None:
    text = visible(text)
    for cut in (shorten(text, width), squeeze(text, width)):
        assert width_of(cut) <= width
        assert width_of(pad(cut, width)) == width


def test_long_names_keep_both_ends() -> None:
    assert squeeze("agent-with-a-long-name-v1", 16) == "agent-with…me-v1"
    assert shorten("a long question", 8) == "a long…"


def test_marks_without_end_do_not_pass_for_a_short_name() -> None:
    assert len(shorten("a" + "\u0301" * 100_000, 10)) < 100


@given(ANY_TEXT, st.integers(2, 40))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    text = visible(text)
    lines = wrap(text, width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(ANY_TEXT, st.integers(2, 20), st.integers(1, 4))
def test_wrapping_keeps_to_the_number_of_lines(text: str, width: int, most: int) -> None:
    lines = wrap(visible(text), width, max_lines=most)
    assert len(lines) <= most
    assert all(width_of(line) <= width for line in lines)


@given(st.lists(st.tuples(st.integers(1, 30), st.booleans()), min_size=1, max_size=12), st.integers(0, 2))
def test_parts_of_a_table_show_every_column_and_fit(sizes: list[tuple[int, bool]], keys: int) -> None:
    columns = [
        Column("c", "left" if text or index < keys else "right", key=index < keys)
        for index, (_, text) in enumerate(sizes)
    ]
    found = parts(columns, [["x" * size for size, _ in sizes]], 80, 2)
    assert {index for part in found for index in part.columns} == set(range(len(columns)))
    for part in found:
        assert sum(part.widths) + 2 * (len(part.widths) - 1) <= 80
        assert set(range(min(keys, len(columns)))) <= set(part.columns)


def test_figures_have_four_decimals_and_never_round_to_a_limit() -> None:
    assert decimal(8 / 37, EN) == "0.2162"
    assert decimal(0.999999, EN) == "0.9999"
    assert decimal(0.000001, EN) == "0.0001"
    assert percent(8 / 37, EN) == "21.62%"
    assert percent(99_999 / 100_000, EN) == "99.99%"
    assert decimal(-0.0, EN) == "0.0000"
    assert [decimal(value, EN) for value in (None, float("nan"), 0.0, 1.0)] == [
        "n/a",
        "n/a",
        "0.0000",
        "1.0000",
    ]


def test_intervals_are_short_and_only_there_with_a_value() -> None:
    assert interval(Estimate(0.2, 0.1139, 0.372), EN) == "0.11–0.37"
    assert interval(Estimate(0.2), EN) == ""
    assert interval(Estimate(None, 0.1, 0.2), EN) == ""
    assert interval(None, EN) == ""
    assert share(Estimate(None, reason="x"), EN) == "n/a"


def test_quantities_have_the_digits_that_count() -> None:
    values = (None, 0.0, 0.00123, 1.4321, 640.125, 12345.6, float("inf"))
    assert [amount(value, EN) for value in values] == [
        "n/a",
        "0",
        "0.00123",
        "1.43",
        "640.1",
        "12346",
        "n/a",
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("0.65", "0,65"),
        ("1234", "1.234"),
        ("1234567.5", "1.234.567,5"),
        ("12.50%", "12,50%"),
        ("-0.16", "-0,16"),
        ("+0.16", "+0,16"),
        ("<0.001", "<0,001"),
        ("= 0.049", "= 0,049"),
        ("1,234", "1.234"),
        ("999", "999"),
        ("1e-05", "1e-05"),
        ("n/a", "n/a"),
        ("2024-01-31", "2024-01-31"),
        ("1.2.3", "1.2.3"),
    ],
)
def test_vietnamese_numbers_have_a_comma_and_points_between_thousands(written: str, read: str) -> None:
    assert VI.number(written) == read
    assert EN.number(written) == written
    assert VI.plain.number(written) == written


def test_whole_numbers_in_texts_are_written_as_the_language_does() -> None:
    assert VI("facts.cases", number=1234) == "Số câu hỏi: 1.234"
    assert EN("facts.cases", number=1234) == "Questions: 1234"
    assert VI.plain("facts.cases", number=1234) == "Số câu hỏi: 1234"
    assert decimal(0.25, VI) == "0,2500"
    assert share(Estimate(0.25), VI) == "0,2500 (25,00%)"
    assert interval(Estimate(0.2, 0.1139, 0.372), VI) == "0,11–0,37"
    assert amount(12345.6, VI) == "12.346"
    assert signed(-0.0001, VI) == "0,000"
    assert signed(0.1234, VI) == "+0,123"
