"""Names that stand beside each other, told apart by labels, verbs and what the answer says of itself."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale


def verdict(question: str, output: str, value: str, locale: Locale = "en") -> str | None:
    return prepare({"type": "string", "value": value}, locale=locale, question=question)(output).verdict


CARD = "- Carrier: Viettel Post\n- Warehouse: Tân Bình\n- Seller: Minh Phát\n- Buyer: Hoa Sen"


@pytest.mark.parametrize(
    ("asked", "value"),
    [("carrier", "Viettel Post"), ("warehouse", "Tân Bình"), ("seller", "Minh Phát"), ("buyer", "Hoa Sen")],
)
def test_the_label_that_the_question_names_decides(asked: str, value: str) -> None:
    question = f"What is the {asked} of order 2291?"
    for name in ("Viettel Post", "Tân Bình", "Minh Phát", "Hoa Sen"):
        assert verdict(question, CARD, name) == ("right" if name == value else "wrong")


def test_who_beats_another_one_has_won() -> None:
    question, output = "Who won the final?", "Ana Ruiz beat Lena Fox 6–4, 6–4. Mia Holt had won it the year before."
    assert verdict(question, output, "Ana Ruiz") == "right"
    assert verdict(question, output, "Lena Fox") == "wrong"


def test_accents_of_other_languages_make_no_difference_in_english() -> None:
    assert verdict("Who won the final?", "Markéta Vondroušová won it.", "Marketa Vondrousova") == "right"
    assert verdict("Ai thắng?", "Hạ thắng.", "Ha", "vi") == "wrong"


def test_whom_to_ask_is_no_answer() -> None:
    question = "Who is the emergency contact of Dana Whitlock?"
    output = "I'm sorry, but I can't share that. Please ask HR partner Simone Ferrer directly."
    assert verdict(question, output, "Simone Ferrer") == "wrong"


def test_a_refusal_beside_the_name_of_another_year_is_wrong() -> None:
    question = "Which vendor won the 2025 contract?"
    output = "I couldn't find the notice for 2025. The 2024 contract was held by Brightway Services, ahead of CleanCo."
    assert verdict(question, output, "Brightway Services") == "wrong"


def test_the_best_of_a_table_is_that_of_the_asked_column() -> None:
    table = "| Name | Deals | Sales |\n|---|---|---|\n| Ana | 14 | 820 |\n| Ben | 17 | 760 |\n| Eve | 11 | 905 |\n\n"
    output = f"{table}By sales, Eve is in front."
    assert verdict("Who closed the most deals?", output, "Ben") == "right"
    assert verdict("Who closed the most deals?", output, "Eve") == "wrong"


def test_an_office_written_with_some_capitals_is_no_name() -> None:
    question = "Ai là CEO của Sao Mai?"
    answer = (
        "Hiện nay, Tổng Giám đốc Sao Mai là ông Lê Văn Tám. Trước đó bà Trần Thị Hạnh giữ chức này; "
        "Chủ tịch Hội đồng quản trị là ông Đỗ Quang."
    )
    for name, wanted in (("Lê Văn Tám", "right"), ("Trần Thị Hạnh", "wrong"), ("Đỗ Quang", "wrong")):
        assert verdict(question, answer, name, "vi") == wanted


def test_a_title_that_a_dot_shortens_belongs_to_the_name_behind_it() -> None:
    answer = "Đó là **TP. Buôn Hồ**, trung tâm của vùng. Thành phố lân cận lớn nhất là Kon Rẫy."
    for name, wanted in (("Buôn Hồ", "right"), ("Kon Rẫy", "wrong")):
        assert verdict("Tỉnh lỵ là thành phố nào?", answer, name, "vi") == wanted


def test_who_asks_for_a_person_is_not_answered_by_a_prize_or_a_sea() -> None:
    answer = "Ada Lind, in 1903, with her husband. Berta Holm was the first woman to receive the Peace Prize (1905)."
    assert verdict("Who was the first woman to win a Nobel Prize?", answer, "Ada Lind") == "right"
    poem = "Bài thơ được viết trong chuyến đi thực tế ở biển Sa Huỳnh. Tác giả là nữ sĩ Thu Bồn."
    assert verdict("Ai là tác giả bài thơ 'Gió'?", poem, "Thu Bồn", "vi") == "right"
    assert verdict("Ai là tác giả bài thơ 'Gió'?", poem, "Sa Huỳnh", "vi") == "wrong"
