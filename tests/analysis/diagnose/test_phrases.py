"""Words that tell some questions from others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolgauge.analysis.diagnose.phrases import telling_phrases


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


def test_no_vietnamese_word_is_cut_and_symbols_of_shares_stay_in_capitals() -> None:
    inside = [
        "So sánh giá cổ phiếu FPT và VNM tuần qua",
        "So sánh giá cổ phiếu BID với CTG",
        "Giá cổ phiếu BID hôm nay là bao nhiêu?",
        "So sánh giá cổ phiếu HPG và HSG năm 2024",
    ]
    found = telling_phrases(inside, ["Tin tức về lãi suất", "Danh sách mã trên HOSE", "Cổ đông lớn của FPT là ai?"])
    assert "so sánh giá cổ phiếu" in found
    assert any("BID" in phrase for phrase in found)
    assert not any("bid" in phrase for phrase in found)
    for phrase in found:
        words = phrase.split()
        assert words[0] not in ("sánh", "phiếu")
        assert words[-1] not in ("so", "cổ")


def test_a_syllable_that_is_no_word_is_left_out() -> None:
    inside = ["Cổ đông của FPT", "Cổ tức của VNM", "Cổ phần của HPG", "Cổ phiếu nào tăng"]
    assert "cổ" not in telling_phrases(inside, ["Thời tiết hôm nay"])


def test_a_question_in_capitals_names_no_symbols() -> None:
    assert telling_phrases(["EXCHANGE RATE TODAY"], []) == telling_phrases(["exchange rate today"], [])
