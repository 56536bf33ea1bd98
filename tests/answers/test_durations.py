"""How long something takes, in the forms in which people write it."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale


@pytest.mark.parametrize(
    ("locale", "words", "minutes"),
    [
        ("en", "3h 42m", 222),
        ("en", "3h42", 222),
        ("en", "3 hr 42 min", 222),
        ("en", "1h30m45s", 90.75),
        ("en", "1d 2h", 1560),
        ("en", "1:45 hours", 105),
        ("en", "2 hours 30", 150),
        ("en", "two and three-quarter hours", 165),
        ("en", "an hour and a half", 90),
        ("en", "an hour and three quarters", 105),
        ("en", "an hour and ten minutes", 70),
        ("en", "half an hour", 30),
        ("en", "three-quarters of an hour", 45),
        ("vi", "2h 30m", 150),
        ("vi", "1 tiếng 15", 75),
        ("vi", "1 giờ 45'", 105),
        ("vi", "1 ngày 6 tiếng", 1800),
    ],
)
def test_a_duration_is_one_amount(locale: Locale, words: str, minutes: float) -> None:
    question = "Mất bao lâu?" if locale == "vi" else "How long does it take?"
    sentence = f"Mất khoảng {words}." if locale == "vi" else f"It takes {words}."
    for value, expected in ((minutes, "right"), (minutes + 3, "wrong")):
        score = prepare({"type": "number", "value": value, "unit": "minutes"}, locale=locale, question=question)
        assert score(sentence).verdict == expected


def test_clock_times_are_no_durations() -> None:
    score = prepare({"type": "number", "value": 19.75, "unit": "giờ"}, locale="vi", question="Tàu chạy hết bao lâu?")
    assert (
        score("Tàu rời ga lúc 19h25 và đến Huế lúc 15h10 hôm sau, tổng thời gian 19 tiếng 45 phút.").verdict == "right"
    )


def test_a_rate_per_hour_is_no_hour() -> None:
    score = prepare({"type": "number", "value": 60, "unit": "minutes"}, locale="en", question="How long is the lesson?")
    assert score("Lessons cost $40 an hour.").verdict == "wrong"
