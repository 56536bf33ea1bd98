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
