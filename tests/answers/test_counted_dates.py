"""Dates that an answer counts from others, tells by a period or by the highest figure."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.locale import Locale, find_dates


def verdict(question: str, output: str, value: str, locale: Locale = "en", now: str | None = None) -> str | None:
    return prepare({"type": "time", "value": value}, locale=locale, question=question, now=now)(output).verdict


@pytest.mark.parametrize(
    ("locale", "question", "output", "value"),
    [
        ("en", "When did it land?", "It launched on July 16, 1969, and landed four days later.", "1969-07-20"),
        ("en", "When did Harlan file?", "Harlan lost a client in 2017 and filed two years later.", "2019"),
        ("en", "When does the trial end?", "The trial began on March 3, 2025 and runs for 14 days.", "2025-03-17"),
        ("en", "When does it expire?", "Your 12-month membership started on 15 January 2025.", "2026-01-15"),
        ("vi", "Khi nào khởi công?", "Dự án được duyệt tháng 3/2018 và 6 tháng sau thì khởi công.", "2018-09"),
        ("vi", "Năm nào dời đô?", "Vua lên ngôi ở Hoa Lư năm 1009. Một năm sau, mùa thu (1010), vua dời đô.", "1010"),
        ("vi", "Bà nghỉ hưu năm nào?", "Bà làm hiệu trưởng từ năm 1999 và nghỉ hưu sau đó 12 năm.", "2011"),
        ("vi", "Hiệp định có hiệu lực từ ngày nào?", "Ký ngày 30/6/2019, có hiệu lực từ 1/8 năm sau.", "2020-08-01"),
        ("vi", "Bảo hành đến khi nào?", "Máy mua ngày 20/6/2023, thời gian bảo hành 24 tháng.", "2025-06-20"),
    ],
)
def test_a_date_is_counted_from_another(locale: Locale, question: str, output: str, value: str) -> None:
    assert verdict(question, output, value, locale) == "right"


def test_the_day_from_which_something_lasts_is_not_its_end() -> None:
    text = "The trial began on March 3, 2025 and runs for 14 days."
    assert verdict("When does the trial end?", text, "2025-03-03") == "wrong"
    assert verdict("When did the trial begin?", text, "2025-03-03") == "right"


@pytest.mark.parametrize(
    ("text", "low", "high", "precision"),
    [
        ("the three months ended 30 September 2019", "2019-07-01", "2019-09-30", "quarter"),
        ("the quarter ended September 28, 2019", "2019-07-01", "2019-09-30", "quarter"),
        ("the six months ended June 30, 2022", "2022-01-01", "2022-06-30", "half"),
        ("quý kết thúc ngày 30/9/2023", "2023-07-01", "2023-09-30", "quarter"),
        ("từ 12 đến 28/8/2025", "2025-08-12", "2025-08-28", "range"),
    ],
)
def test_a_period_is_told_by_its_last_day(text: str, low: str, high: str, precision: str) -> None:
    found = find_dates(text, "vi" if "đ" in text or "quý" in text else "en")[-1]
    assert (found.low and found.low.isoformat(), found.high and found.high.isoformat(), found.precision) == (
        low,
        high,
        precision,
    )


@pytest.mark.parametrize(
    "output",
    [
        "Revenue for 2023: Q1 $41m, Q2 $44m, Q3 $52m, Q4 $49m.",
        "Revenue was $41m (Q1), $44m (Q2), $52m (Q3) and $49m (Q4).",
        "- Q1: $41m\n- Q2: $44m\n- Q3: $52m\n- Q4: $49m",
        "| Quarter | Revenue ($m) |\n|---|---|\n| Q1 2023 | 41 |\n| Q2 2023 | 44 |\n| Q3 2023 | 52 |\n| Q4 2023 | 49 |",
        "| | Q1 2023 | Q2 2023 | Q3 2023 | Q4 2023 |\n|---|---|---|---|---|\n| Revenue | 41 | 44 | 52 | 49 |",
        "Q1 came to $41m and Q2 to $60m before a restatement. The highest quarter was Q3.",
    ],
)
def test_the_time_with_the_highest_figure_is_found(output: str) -> None:
    question = "In which quarter of 2023 did Pellworth have its highest revenue?"
    assert verdict(question, output, "2023-Q3") == "right"
    assert verdict(question, output, "2023-Q2") == "wrong"


@pytest.mark.parametrize(
    "output",
    [
        "Tôi không tìm thấy hồ sơ của anh Phạm Quốc Huy. Hồ sơ gần nhất là của anh Phạm Quốc Hưng: hết hạn 20/11/2028.",
        "Hệ thống không có hồ sơ của anh Phạm Quốc Huy; chỉ có của chị Phạm Quốc Huyền, hết hạn 20/11/2028.",
    ],
)
def test_the_date_of_a_namesake_is_no_answer(output: str) -> None:
    assert verdict("Bằng lái của anh Phạm Quốc Huy hết hạn khi nào?", output, "2028-11-20", "vi") == "wrong"


def test_a_date_that_opens_a_clause_belongs_to_it() -> None:
    text = "In 2012, Veltri joined as CFO. In 2016, she became COO, and in 2019 the board named her CEO."
    for role, year in (("COO", "2016"), ("CEO", "2019")):
        assert verdict(f"When did Maria Veltri become {role}?", text, year) == "right"
        assert verdict(f"When did Maria Veltri become {role}?", text, "2012") == "wrong"
