"""Words that tell some questions from others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolgauge.analysis.diagnose.advice import telling_phrases


def test_phrases_are_frequent_inside_and_rare_outside() -> None:
    inside = ["Giá vàng hôm nay bao nhiêu?", "Cho tôi biết giá vàng SJC", "So sánh giá vàng và giá bạc"]
    outside = ["Thời tiết hôm nay thế nào?", "Giá cổ phiếu FPT", "So sánh hai thành phố"]
    assert telling_phrases(inside, outside)[0] == "giá vàng"


def test_words_that_say_little_are_left_out() -> None:
    found = telling_phrases(["What is the exchange rate of the euro?", "Is the exchange rate high?"], ["What is this?"])
    assert found[0] == "exchange rate"
    assert not {"what", "is", "the"} & set(" ".join(found).split())


def test_a_single_question_has_phrases_too() -> None:
    assert telling_phrases(["Đặt phòng khách sạn"], [])


def test_nothing_has_no_phrases() -> None:
    assert telling_phrases([], ["a question"]) == ()
    assert telling_phrases(["?!", "1234"], []) == ()


@given(st.lists(st.text(max_size=30), max_size=6), st.lists(st.text(max_size=30), max_size=6))
def test_any_text_is_taken(inside: list[str], outside: list[str]) -> None:
    assert len(telling_phrases(inside, outside)) <= 3
