"""A type of answer is a module with an `AnswerType` and a row in the table; everything else asks the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolgauge.answers import ANSWER_TYPES, AnswerType, check_spec, prepare
from toolgauge.answers.answer_type import SWITCH_SCHEMA, WORDS_SCHEMA, Scorer, Setting, Spec
from toolgauge.core import Answer
from toolgauge.suites import load_suite
from toolgauge.suites.formats.table import BadCell, read_answer
from toolgauge.suites.schema import suite_schema


def _prepare(spec: Spec, _: Setting) -> Scorer:
    wanted = str(spec["value"]).lower()

    def score(output: str) -> Answer:
        found = re.findall(r"#[0-9a-f]{6}\b", output.lower())
        return Answer("right" if found[-1:] == [wanted] else "wrong", found[-1] if found else None, "the last colour")

    return score


def _check(spec: Spec) -> list[str]:
    return [] if str(spec.get("value", "")).startswith("#") else ["a colour answer needs a value such as #ff8800"]


def _read_cell(cell: str) -> str:
    if not cell.startswith("#"):
        raise ValueError("is no colour")
    return cell.lower()


COLOUR = AnswerType(
    "colour", _prepare, _check, {"value": WORDS_SCHEMA, "ignore_case": SWITCH_SCHEMA}, read_cell=_read_cell
)


@pytest.fixture(autouse=True)
def colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWER_TYPES, "colour", COLOUR)


def test_a_new_type_is_checked_and_scored() -> None:
    assert check_spec({"type": "colour"}) == ["a colour answer needs a value such as #ff8800"]
    assert check_spec({"type": "colour", "value": "#ff8800", "valu": 1}) == [
        "a colour answer has no key 'valu'; did you mean 'value'?"
    ]
    assert check_spec({"type": "color", "value": "#ff8800"})[0].endswith("did you mean 'colour'?")
    score = prepare({"type": "colour", "value": "#FF8800"})
    assert (score("It is #ff8800.").verdict, score("It is red.").verdict) == ("right", "wrong")
    assert score("  ") == Answer("wrong", None, "no answer")


def test_suites_know_a_new_type(tmp_path: Path) -> None:
    forms = suite_schema()["definitions"]["Expect"]["properties"]["answer"]["anyOf"]
    form = next(form for form in forms if form.get("properties", {}).get("type", {}).get("const") == "colour")
    assert form["required"] == ["type", "value"]
    assert form["properties"]["value"].items() >= {"type": ["string", "number", "boolean"], "pattern": "\\S"}.items()
    assert read_answer("#FF8800", "colour") == {"type": "colour", "value": "#ff8800"}
    with pytest.raises(BadCell, match="is no colour"):
        read_answer("red", "colour")
    table = tmp_path / "cases.csv"
    table.write_text("input,answer,answer_type\nWhich?,#FF8800,colour\n", encoding="utf-8")
    assert load_suite(table).cases[0].expect.answer == {"type": "colour", "value": "#ff8800"}


def test_an_unknown_type_in_a_table_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadCell) as caught:
        read_answer("5", "numbr")
    assert caught.value.hint == "known: string, number, time, list, boolean, text, colour"
