"""Which value answers the question: what may be said around it without changing the verdict, and what may not."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.answers import prepare
from toolgauge.answers.evidence.weights import RULES
from toolgauge.core import JsonValue
from toolgauge.locale import Locale

COMPANIES = ("FPT", "Vinamilk", "Hoa Sen", "Northwind", "Acme")
CITIES = ("Hà Nội", "Đà Nẵng", "Cần Thơ", "Leeds", "Porto")


def verdict(question: str, output: str, locale: Locale, **answer: JsonValue) -> str | None:
    return prepare(answer, locale=locale, question=question, now="2026-01-31")(output).verdict


def revenue_question(company: str, locale: Locale) -> str:
    if locale == "vi":
        return f"Doanh thu năm 2025 của {company} là bao nhiêu tỷ đồng?"
    return f"What was {company}'s revenue in 2025, in million dollars?"


def unit_of(locale: Locale) -> str:
    return "tỷ đồng" if locale == "vi" else "million USD"


def amount(value: int, locale: Locale) -> str:
    return f"{value} tỷ đồng" if locale == "vi" else f"${value} million"


def sentence(company: str, year: int, value: int, locale: Locale) -> str:
    if locale == "vi":
        return f"Doanh thu năm {year} của {company} đạt {amount(value, locale)}."
    return f"{company}'s revenue in {year} was {amount(value, locale)}."


LOCALES: st.SearchStrategy[Locale] = st.sampled_from(["vi", "en"])
VALUES = st.lists(st.integers(101, 989), min_size=3, max_size=3, unique=True)


@settings(max_examples=examples(200))
@given(LOCALES, st.permutations(COMPANIES), VALUES, st.booleans())
def test_a_sentence_about_another_company_changes_nothing(
    locale: Locale, companies: list[str], values: list[int], right: bool
) -> None:
    company, *others = companies
    stated = sentence(company, 2025, values[0], locale)
    expected: dict[str, JsonValue] = {"type": "number", "unit": unit_of(locale)}
    expected["value"] = values[0] if right else values[1]
    question = revenue_question(company, locale)
    alone = verdict(question, stated, locale, **expected)
    more = " ".join([stated, *(sentence(name, 2025, values[1], locale) for name in others[:2])])
    assert alone == ("right" if right else "wrong")
    assert verdict(question, more, locale, **expected) == alone


@settings(max_examples=examples(200))
@given(LOCALES, st.sampled_from(COMPANIES), VALUES, st.booleans())
def test_a_sentence_about_another_year_changes_nothing(
    locale: Locale, company: str, values: list[int], right: bool
) -> None:
    question = revenue_question(company, locale)
    stated = sentence(company, 2025, values[0], locale)
    expected: dict[str, JsonValue] = {"type": "number", "unit": unit_of(locale)}
    expected["value"] = values[0] if right else values[1]
    for others in (
        [stated, sentence(company, 2024, values[1], locale)],
        [sentence(company, 2024, values[1], locale), stated],
    ):
        assert verdict(question, " ".join(others), locale, **expected) == ("right" if right else "wrong")


@settings(max_examples=examples(100))
@given(st.permutations(CITIES), VALUES, st.booleans())
def test_a_sentence_about_another_city_changes_nothing(cities: list[str], values: list[int], right: bool) -> None:
    city, other, *_ = cities
    celsius = [value // 30 for value in values]
    question = f"Nhiệt độ ở {city} hôm nay là bao nhiêu độ C?"
    output = f"Hôm nay {city} {celsius[0]}°C, trời nắng. Còn {other} là {celsius[1]}°C."
    expected = celsius[0] if right else celsius[0] + 7
    assert verdict(question, output, "vi", type="number", value=expected, unit="°C") == ("right" if right else "wrong")


def forms(company: str, rows: list[tuple[str, int]], locale: Locale) -> dict[str, str]:
    """The same figures as prose, list and table."""
    what, unit = ("Doanh thu", "tỷ đồng") if locale == "vi" else ("Revenue", "million USD")
    cells = "\n".join(f"| {name} | {value} |" for name, value in rows)
    year = "năm 2025" if locale == "vi" else "2025"
    return {
        "prose": " ".join(sentence(name, 2025, value, locale) for name, value in rows),
        "list": f"{what} {year}:\n\n" + "\n".join(f"- {name}: {amount(value, locale)}" for name, value in rows),
        "bold list": f"{what} {year}:\n\n"
        + "\n".join(f"- **{name}:** {amount(value, locale)}" for name, value in rows),
        "table": f"{what} {year}\n\n| {company and ''}Name | {what} ({unit}) |\n|---|---|\n{cells}",
        "html": f"<p>{what} {year}</p><table><tr><th>Name</th><th>{what} ({unit})</th></tr>"
        + "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
        + "</table>",
    }


@settings(max_examples=examples(200))
@given(LOCALES, st.permutations(COMPANIES), VALUES, st.booleans())
def test_prose_list_and_table_give_the_same_verdict(
    locale: Locale, companies: list[str], values: list[int], right: bool
) -> None:
    rows = list(zip(companies[:3], values, strict=True))
    for (company, value), order in itertools.product(rows, itertools.permutations(rows)):
        expected = value if right else next(other for name, other in rows if name != company)
        for form, output in forms(company, list(order), locale).items():
            found = verdict(
                revenue_question(company, locale), output, locale, type="number", value=expected, unit=unit_of(locale)
            )
            assert found == ("right" if right else "wrong"), (form, output)


@settings(max_examples=examples(100))
@given(LOCALES, VALUES)
def test_the_order_of_clauses_makes_no_difference(locale: Locale, values: list[int]) -> None:
    if locale == "vi":
        question = "Giá bán ra của vàng nhẫn là bao nhiêu triệu đồng/lượng?"
        clauses = [f"mua vào {values[0]} triệu đồng/lượng", f"bán ra {values[1]} triệu đồng/lượng"]
    else:
        question = "What is the selling price of the ring in dollars?"
        clauses = [f"the buying price is ${values[0]}", f"the selling price is ${values[1]}"]
    unit = "triệu đồng/lượng" if locale == "vi" else "USD"
    for order in itertools.permutations(clauses):
        output = f"Giá vàng nhẫn: {', '.join(order)}." if locale == "vi" else f"Today {', '.join(order)}."
        assert verdict(question, output, locale, type="number", value=values[1], unit=unit) == "right", output
        assert verdict(question, output, locale, type="number", value=values[0], unit=unit) == "wrong", output


@settings(max_examples=examples(200))
@given(LOCALES, st.sampled_from(COMPANIES), st.integers(1010, 9890), st.sampled_from([1, -1, 10, -10]))
def test_a_near_miss_is_wrong(locale: Locale, company: str, value: int, off: int) -> None:
    question = revenue_question(company, locale)
    for form, output in forms(company, [(company, value + off), ("Orion", 77)], locale).items():
        found = verdict(question, output, locale, type="number", value=value, unit=unit_of(locale))
        assert found == "wrong", (form, output)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Lợi nhuận quý III là 12 tỷ đồng, tăng 3 tỷ đồng so với quý II.", "right"),
        ("Lợi nhuận quý III tăng 12 tỷ đồng lên 15 tỷ đồng.", "wrong"),
        ("Lợi nhuận quý III ban đầu ghi nhận 12 tỷ đồng. Đính chính: con số đúng là 15 tỷ đồng.", "wrong"),
        ("Một số nguồn nói 12 tỷ đồng, nhưng báo cáo ghi **15 tỷ đồng**.", "wrong"),
        ("Lợi nhuận quý III là **12 tỷ đồng**. Dự báo quý IV đạt 15 tỷ đồng.", "right"),
        ("Lợi nhuận quý II là 12 tỷ đồng; tôi không tìm thấy số liệu quý III.", "wrong"),
        ("Tôi không xác định được số nào đúng: 12 tỷ đồng hay 15 tỷ đồng.", "ambiguous"),
        ("Đáp án: 12 tỷ đồng", "right"),
    ],
)
def test_roles_in_a_sentence(output: str, expected: str) -> None:
    question = "Lợi nhuận quý III/2025 là bao nhiêu tỷ đồng?"
    assert verdict(question, output, "vi", type="number", value=12, unit="tỷ đồng") == expected


def test_the_score_keeps_what_was_chosen_and_why() -> None:
    score = prepare(
        {"type": "number", "value": 12, "unit": "tỷ đồng"}, locale="vi", question="Lợi nhuận năm 2025 là bao nhiêu?"
    )
    answer = score("Lợi nhuận năm 2025 là **12 tỷ đồng**, năm 2024 là 9 tỷ đồng.")
    assert answer.chosen is not None
    assert answer.runner_up is not None
    assert (answer.chosen.words, answer.runner_up.words) == ("12 tỷ đồng", "9 tỷ đồng")
    assert answer.chosen.evidence["emphasised"] == RULES["emphasised"].weight
    assert answer.runner_up.evidence["other period"] < 0
    assert answer.chosen.evidence.keys() | answer.runner_up.evidence.keys() <= RULES.keys()


def test_a_single_value_leaves_nothing_to_choose_from() -> None:
    answer = prepare({"type": "number", "value": 12}, locale="vi", question="Bao nhiêu?")("Là 12.")
    assert (answer.chosen, answer.runner_up) == (None, None)


@pytest.mark.parametrize(
    ("question", "output", "unit", "value"),
    [
        (
            "What were Q2 2024 sales in France?",
            "## Q2 2024\n\n**Germany**\n- Sales: €4.2m\n\n**France**\n- Sales: €3.1m\n\n"
            "## Q1 2024\n\n**France**\n- Sales: €2.9m",
            "million EUR",
            3.1,
        ),
        ("How many gold medals did they win?", "They won 37 medals: 16 gold, 8 silver and 13 bronze.", "medals", 16),
        (
            "How much is the cheapest nonstop flight?",
            "| Airline | Stops | Price |\n|---|---|---|\n| Azores | One stop | $418 |\n| Iber | Nonstop | $533 |",
            "USD",
            533,
        ),
        (
            "What was revenue in 2025?",
            "| Item ($ millions) | 2024 | 2025 |\n|---|---|---|\n| Revenue | 310 | 412 |\n| Profit | 41 | 52 |",
            "million USD",
            412,
        ),
        ("What is the price per person?", "The tour is **$600 in total**, i.e. $150 per person.", "USD", 150),
        ("How many days are left?", "It renews in May, 17 days from now, after 3 years.", "days", 17),
        ("How long was the race, in minutes?", "She won in 2:26:30, 48 seconds ahead.", "minutes", 146.5),
        ("How high is the camp, in feet?", "The camp is at 2,385 m (7,825 ft), with 9,300 ft to go.", "feet", 7825),
    ],
)
def test_what_tells_amounts_apart(question: str, output: str, unit: str, value: float) -> None:
    assert verdict(question, output, "en", type="number", value=value, unit=unit, units="convert") == "right", output


@pytest.mark.parametrize(
    ("question", "output", "day"),
    [
        (
            "When is my next appointment?",
            "It is on Friday, 6 February. Your last visit was on 8 August 2025.",
            "2026-02-06",
        ),
        ("When is the next free slot?", "Tomorrow is booked; the next open slot is **Thursday** at 9.", "2026-02-05"),
        ("When does booking close?", "- 5 Feb 2026: booking opens\n- 20 Feb 2026: booking closes", "2026-02-20"),
        (
            "When was the launch originally planned?",
            "Planned for 3 January 2026, it moved to **20 January 2026**.",
            "2026-01-03",
        ),
        (
            "When will order #48-2107 arrive?",
            "**Order #48-2091**\n- 14 Feb 2026\n\n**Order #48-2107**\n- 17 Feb 2026",
            "2026-02-17",
        ),
    ],
)
def test_what_tells_dates_apart(question: str, output: str, day: str) -> None:
    score = prepare({"type": "time", "value": day}, locale="en", now="2026-01-31", question=question)
    assert score(output).verdict == "right", output


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The hall now seats more than 120, up from 90.", "right"),
        ("The hall seats over 120 of 150 people.", "right"),
        ("The hall seats under 120.", "wrong"),
    ],
)
def test_an_amount_that_only_bounds_another_needs_no_unit(text: str, verdict: str) -> None:
    spec: dict[str, JsonValue] = {"type": "number", "range": [100, None], "unit": "people"}
    assert prepare(spec, locale="en", question="How many people does the hall seat?")(text).verdict == verdict


def test_a_cell_that_the_sentence_behind_its_table_contradicts_is_not_taken_for_granted() -> None:
    table = (
        "| Plan | Individual | Family |\n|---|---|---|\n| Basic | $6,500 | $13,000 |\n| Silver | $3,200 | $6,400 |\n\n"
    )
    question = "What's the deductible on the Silver family plan?"
    for said, wanted in (
        ("Under the Silver plan, your deductible is $3,200.", "ambiguous"),
        ("Under the Silver plan, your deductible is $6,400.", "right"),
        ("Your costs may vary.", "right"),
    ):
        assert verdict(question, table + said, "en", type="number", value=6400, unit="USD") == wanted
