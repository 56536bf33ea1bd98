"""From failures to cases: what was seen becomes a case to review, once, and the file keeps what is in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from toolgauge.analysis.lint import lint
from toolgauge.core import Call, Case, Expect, ExpectedCall, Suite, ToolDefinition, Trajectory
from toolgauge.errors import UsageError
from toolgauge.suites import load_suite
from toolgauge.suites.extend import propose_cases, question_key

TOOLS = (ToolDefinition("get_weather", "", {"type": "object", "properties": {"city": {"type": "string"}}}),)
LIKE = Suite("weather", (Case("d1", "How is Hanoi?", expect=Expect((ExpectedCall("get_weather"),))),), TOOLS)

WRITTEN = """# my regressions
name: regressions
tools:
  - {name: get_weather, parameters: {type: object, properties: {city: {type: string}}}}
cases:
  # the first of all
  - id: d1
    input:  How   is  hanoi?   # as asked
    expect: {calls: [{tool: get_weather}]}
"""


def production(question: str | None, city: str = "Hue") -> Trajectory:
    return Trajectory(calls=(Call("get_weather", {"city": city}),), output="25 °C", input=question)


def test_what_production_did_becomes_a_case_to_review(tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    made = propose_cases(path, [production("How is Huế?"), production(None)], replace(LIKE, cases=()))
    assert (len(made.added), made.duplicates, made.nameless) == (1, (), 1)
    suite = load_suite(path)
    (case,) = suite.cases
    assert (case.id, case.input, case.reviewed) == (made.added[0], "How is Huế?", False)
    assert case.expect.calls == (ExpectedCall("get_weather", {"city": "Hue"}),)
    assert (suite.name, suite.tools) == ("new", TOOLS)
    assert any(finding.kind == "unreviewed" for finding in lint(suite))


def test_a_case_that_expects_something_keeps_that(tmp_path: Path) -> None:
    propose_cases(tmp_path / "new.yaml", [replace(production("How is Hanoi?"), case="d1")], LIKE)
    (case,) = load_suite(tmp_path / "new.yaml").cases
    assert case == replace(LIKE.cases[0], reviewed=False)


def test_what_the_file_asks_already_is_left_out_and_its_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(WRITTEN, encoding="utf-8")
    seen = [production("HOW IS HANOI?"), production("How is Huế?"), production("how is   huế?"), production("Da Nang?")]
    made = propose_cases(path, seen, LIKE)
    assert (len(made.added), len(made.duplicates)) == (2, 2)
    assert path.read_text(encoding="utf-8").startswith(WRITTEN)
    assert [case.reviewed for case in load_suite(path).cases] == [True, False, False]
    before = path.read_bytes()
    again = propose_cases(path, seen, LIKE)
    assert (again.added, len(again.duplicates)) == ((), 4)
    assert path.read_bytes() == before


def test_an_id_that_is_taken_becomes_another(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(WRITTEN, encoding="utf-8")
    made = propose_cases(path, [replace(production("And now?"), case="d1")], replace(LIKE, cases=()))
    assert made.added == ("d1-2",)


def test_tones_tell_questions_apart_and_their_encoding_does_not() -> None:
    assert question_key("Giá  VÀNG?") == question_key("giá vàng?")
    assert question_key("má") != question_key("mà")


def test_a_file_that_cases_cannot_be_added_to_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    text = '{"name": "s", "cases": [{"id": "a", "input": "x"}], "tools": []}'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="'cases' comes last"):
        propose_cases(path, [production("y")], LIKE)
    assert path.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [path]
