"""Text as it is shown, and figures as they are written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    squeeze,
    visible,
    width_of,
    wrap,
)
from toolgauge.report.text import parts

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
    assert decimal(8 / 37, "n/a") == "0.2162"
    assert decimal(0.999999, "n/a") == "0.9999"
    assert decimal(0.000001, "n/a") == "0.0001"
    assert percent(8 / 37) == "21.62%"
    assert percent(99_999 / 100_000) == "99.99%"
    assert decimal(-0.0, "n/a") == "0.0000"
    assert [decimal(value, "n/a") for value in (None, float("nan"), 0.0, 1.0)] == [
        "n/a",
        "n/a",
        "0.0000",
        "1.0000",
    ]


def test_intervals_are_short_and_only_there_with_a_value() -> None:
    assert interval(Estimate(0.2, 0.1139, 0.372)) == "0.11–0.37"
    assert interval(Estimate(0.2)) == ""
    assert interval(Estimate(None, 0.1, 0.2)) == ""
    assert interval(None) == ""
    assert share(Estimate(None, reason="x"), "n/a") == "n/a"


def test_quantities_have_the_digits_that_count() -> None:
    values = (None, 0.0, 0.00123, 1.4321, 640.125, 12345.6, float("inf"))
    assert [amount(value, "n/a") for value in values] == [
        "n/a",
        "0",
        "0.00123",
        "1.43",
        "640.1",
        "12346",
        "n/a",
    ]
