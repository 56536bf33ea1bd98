"""Yes and no that nobody says outright: in the cell of a table, against a limit, by the day until which it holds."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale

GRID = "| Room | Mon | Tue |\n|---|---|---|\n| Oak | Free | Booked |\n| Elm | Booked | Free |"


def says(question: str, output: str, locale: Locale = "en") -> object:
    return prepare({"type": "boolean", "value": True}, locale=locale, question=question, now="2026-01-31")(output).found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is Oak free on Monday?", True),
        ("Is Oak free on Tuesday?", False),
        ("Is Elm free on Monday?", False),
        ("Is Elm free on Tuesday?", True),
    ],
)
def test_the_cell_of_the_asked_row_and_column_answers(question: str, expected: bool) -> None:
    assert says(question, GRID) is expected


@pytest.mark.parametrize(("days", "expected"), [(3, True), (5, True), (6, False), (10, False)])
def test_what_is_asked_is_held_against_the_limit_that_is_stated(days: int, expected: bool) -> None:
    question = f"Nhân viên có được chuyển {days} ngày phép sang năm sau không?"
    assert says(question, "Quy định cho phép chuyển tối đa 5 ngày phép sang năm sau.", "vi") is expected


@pytest.mark.parametrize(("age", "expected"), [(16, False), (18, True), (30, True)])
def test_an_age_is_held_against_the_least_one(age: int, expected: bool) -> None:
    question = f"Can a {age}-year-old open an account on their own?"
    assert says(question, "Applicants must be at least 18 to open an account independently.") is expected


@pytest.mark.parametrize(("percent", "expected"), [(84, False), (100, True), (103, True)])
def test_a_share_of_the_plan_says_whether_it_was_reached(percent: int, expected: bool) -> None:
    output = f"Chi nhánh Vinh hoàn thành {percent}% chỉ tiêu."
    assert says("Chi nhánh Vinh đã đạt chỉ tiêu năm 2025 chưa?", output, "vi") is expected


@pytest.mark.parametrize(("until", "expected"), [("30 June 2027", True), ("31 December 2025", False)])
def test_what_holds_until_a_day_is_compared_with_today(until: str, expected: bool) -> None:
    assert says("Is the Kessler contract still active?", f"The Kessler contract runs until {until}.") is expected


def test_what_is_so_only_of_another_thing_is_not_so_of_the_asked_one() -> None:
    question = "Does the Pro plan include SSO?"
    assert says(question, "SSO is only available on the Enterprise plan.") is False
    assert says(question, "The Pro plan includes SSO.") is True


def test_a_yes_in_passing_does_not_outweigh_what_was_said_at_once() -> None:
    question = "Is it safe to take ibuprofen together with warfarin?"
    output = "I'd strongly advise against it. Paracetamol is usually preferred, but yes, always ask your doctor first."
    assert says(question, output) is False


def test_a_sentence_that_repeats_all_but_one_name_of_the_question_says_nothing() -> None:
    assert says("Was Einstein born in Germany?", "Einstein was born in Ulm, Germany, in 1879.") is True
    assert says("Was Einstein born in Austria?", "Einstein was born in Ulm, Germany, in 1879.") is None
