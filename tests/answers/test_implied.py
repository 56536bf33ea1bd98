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


@pytest.mark.parametrize(
    ("day", "expected"), [("Monday", False), ("Tuesday", True), ("Sunday", True), ("Wednesday", True)]
)
def test_days_on_which_something_is_open_answer_for_every_other_day_as_well(day: str, expected: bool) -> None:
    assert says(f"Is the museum open on {day}?", "The museum is open Tuesday through Sunday, 9 to 5.") is expected
    assert says(f"Is the museum open on {day}?", "It is open every day except Monday.") is expected


@pytest.mark.parametrize(("hour", "expected"), [("7 am", False), ("10 am", True), ("8:30 pm", True), ("10 pm", False)])
def test_a_time_of_day_is_held_against_opening_hours(hour: str, expected: bool) -> None:
    assert says(f"Is the shop open at {hour}?", "The shop is open from 9 am to 9 pm.") is expected


@pytest.mark.parametrize(("month", "expected"), [("July", False), ("November", True)])
def test_a_rule_for_some_months_says_the_contrary_of_the_others(month: str, expected: bool) -> None:
    question = f"Are dogs allowed on Pebble Beach in {month}?"
    assert says(question, "Dogs are banned from Pebble Beach between 1 May and 30 September.") is expected


def test_another_part_of_the_day_is_not_the_asked_one() -> None:
    question = "Phòng khám có khám vào chiều thứ Bảy không?"
    assert says(question, "- Thứ Hai – thứ Sáu: 7h30–16h30\n- Thứ Bảy: chỉ buổi sáng, 7h30–11h30", "vi") is False


BUS = "Route 12 needs about 38 minutes, and the tram 44."


@pytest.mark.parametrize(
    ("question", "output", "expected"),
    [
        ("Is route 12 faster than the tram?", BUS, True),
        ("Is the tram faster than route 12?", BUS, False),
        ("Is route 12 slower than the tram?", BUS, False),
        ("Is the Amber plan cheaper than the Basic plan?", "Amber is $14 a month, while Basic is $9.", False),
        ("Is Mount Elden taller than Mount Corry?", "- Mount Elden: 2,835 m\n- Mount Corry: 2,410 m", True),
        (
            "Is Mount Corry taller than Mount Elden?",
            "| Peak | Height (m) |\n|---|---|\n| Mount Elden | 2,835 |\n| Mount Corry | 2,410 |",
            False,
        ),
        ("Is the Corsa more fuel-efficient than the Polo?", "The Corsa uses 5.4 L; the Polo needs 5.0 L.", None),
    ],
)
def test_two_figures_are_compared_as_the_question_asks(question: str, output: str, expected: bool | None) -> None:
    assert says(question, output) is expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Headcount went from 1,240 to 1,108.", False),
        ("Headcount was 1,240 in June, up from 1,108 a year earlier.", True),
        ("Headcount eased to 1,108 in June from 1,240 in May.", False),
    ],
)
def test_a_figure_beside_the_earlier_one_says_whether_it_rose(output: str, expected: bool) -> None:
    assert says("Did the headcount grow?", output) is expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [("We have 3 left in Da Nang.", True), ("There are 0 units available.", False), ("It is on back-order.", False)],
)
def test_a_number_of_pieces_says_whether_there_are_any(output: str, expected: bool) -> None:
    assert says("Is the lamp in stock?", output) is expected


def test_what_has_a_price_is_neither_free_nor_included() -> None:
    assert says("Is breakfast included?", "Breakfast costs an extra $12 per person.") is False
    assert says("Is breakfast included?", "Your rate covers breakfast for two.") is True
    assert says("Is breakfast included?", "The room is $90 and breakfast comes at no extra charge.") is not False
    assert says("Is breakfast included?", "Your rate covers parking. Breakfast is paid for at the buffet.") is not True


def test_what_is_set_aside_for_some_is_not_for_others() -> None:
    output = "Lot C is reserved for faculty and staff."
    assert says("Can students park in Lot C?", output) is False
    assert says("Can staff park in Lot C?", output) is True
    assert says("Can students park in Lot B?", output) is None


def test_the_name_of_who_holds_an_office_answers_for_others() -> None:
    output = "Altamont's current CFO is Grace Lindqvist, who took over from Daniel Reyes in April."
    assert says("Is Daniel Reyes the current CFO of Altamont?", output) is False
    assert says("Is Grace Lindqvist the current CFO of Altamont?", output) is True


def test_what_is_said_of_another_year_thing_or_row_decides_nothing() -> None:
    output = "Năm 2022, Đại Thịnh trả cổ tức tiền mặt 12%."
    assert says("Đại Thịnh có trả cổ tức tiền mặt năm 2023 không?", output, "vi") is None
    question = "VCB có trả cổ tức tiền mặt năm 2024 không?"
    assert says(question, "VCB trả cổ tức bằng cổ phiếu, không trả bằng tiền mặt.", "vi") is False
    question = "Mở tài khoản có cần CCCD bản gốc không?"
    assert says(question, "Khách hàng xuất trình CCCD; ngân hàng không nhận bản photo.", "vi") is None
    table = (
        "| Leave | Carry-over |\n|---|---|\n| Vacation | Yes |\n| Sick leave | No |\n\nSo sick leave doesn't roll over."
    )
    assert says("Can I carry over vacation days?", table) is True


def test_what_is_usual_says_nothing_of_what_could_not_be_verified() -> None:
    output = "I wasn't able to verify Larkspur Bank's status. Most US banks are FDIC insured."
    assert says("Is Larkspur Bank FDIC insured?", output) is None


@pytest.mark.parametrize(("done", "expected"), [(42, False), (45, True)])
def test_a_number_of_all_says_whether_all_of_them_did(done: int, expected: bool) -> None:
    output = f"{done} of 45 employees have completed the training."
    assert says("Did everyone complete the training?", output) is expected


@pytest.mark.parametrize(("amount", "expected"), [("€8,000", False), ("€12,500", True)])
def test_an_amount_is_held_against_the_bound_of_a_duty(amount: str, expected: bool) -> None:
    output = "Travellers carrying €10,000 or more in cash must make a declaration."
    assert says(f"Do I need to declare {amount} in cash?", output) is expected


@pytest.mark.parametrize(("year", "expected"), [(1900, False), (1920, True)])
def test_the_year_of_something_is_held_against_the_asked_one(year: int, expected: bool) -> None:
    output = "The Carver Bridge was completed in 1912, replacing one from 1874."
    assert says(f"Was the Carver Bridge completed before {year}?", output) is expected
