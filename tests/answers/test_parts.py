"""Figures that are compared, divided or left out: whose they are."""

from __future__ import annotations

import pytest

from toolgauge.answers import prepare
from toolgauge.core import JsonValue
from toolgauge.locale import Locale


def verdict(question: str, output: str, value: float, unit: str, locale: Locale = "en") -> str | None:
    spec: dict[str, JsonValue] = {"type": "number", "value": value, "unit": unit}
    return prepare(spec, locale=locale, question=question)(output).verdict


@pytest.mark.parametrize(("city", "value"), [("London", 1150), ("Leeds", 420)])
def test_the_part_that_the_question_tells_has_the_unit_of_the_whole(city: str, value: float) -> None:
    text = "Brightmoor has 3,400 employees worldwide. Of these, 1,150 are based in London and 420 in Leeds."
    assert verdict(f"How many employees does Brightmoor have in {city}?", text, value, "employees") == "right"
    assert verdict(f"How many employees does Brightmoor have in {city}?", text, 3400, "employees") == "wrong"


def test_a_figure_of_the_asked_time_is_no_baseline() -> None:
    text = "Unemployment fell to 5.9% in 2024, down from 6.4% in 2023 and well below the 8.1% recorded in 2021."
    for year, value in (("2021", 8.1), ("2023", 6.4), ("2024", 5.9)):
        assert verdict(f"What was the unemployment rate in {year}?", text, value, "%") == "right"


def test_the_year_before_is_counted_from_the_stated_one() -> None:
    text = "Năm 2024, công ty lãi sau thuế 212 tỷ đồng, tăng 18% so với mức 179,6 tỷ đồng của năm trước đó."
    question = "Lợi nhuận sau thuế năm 2023 của công ty là bao nhiêu?"
    assert verdict(question, text, 179.6, "tỷ đồng", "vi") == "right"
    assert verdict(question, text, 212, "tỷ đồng", "vi") == "wrong"


def test_what_is_left_out_was_said_before() -> None:
    text = "The hardback had sold 84,000 copies and the paperback 131,000."
    assert verdict("How many paperback copies has the book sold?", text, 131000, "copies") == "right"
    assert verdict("How many hardback copies has the book sold?", text, 84000, "copies") == "right"
