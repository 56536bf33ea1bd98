"""A matcher that is added to the table is loaded, scored, described, looked over and offered to editors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema_rs import validator_for

from toolgauge.analysis.lint import lint
from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.core import Call, Issue, JsonValue, Trajectory
from toolgauge.errors import InputError
from toolgauge.files import Fault
from toolgauge.files import Path as Place
from toolgauge.matchers import MATCHERS, Description, Fitting, Matcher, Rule, RuleContext
from toolgauge.report import word_issue
from toolgauge.scoring import Scorer
from toolgauge.suites import load_suite
from toolgauge.suites.schema import suite_schema

SUITE = """
tools: [{name: book, parameters: {type: object, properties: {seats: {type: %s}}}}]
cases: [{id: a, input: two, expect: {calls: [{tool: book, args: {seats: {$multiple: %s}}}]}}]
"""


def _check(value: JsonValue, path: Place) -> Iterator[Fault]:
    if not isinstance(value, int) or value < 1:
        yield Fault(path, "'$multiple' takes a whole number from 1")


def _compile(factor: JsonValue, _: RuleContext) -> Rule:
    return Rule(lambda value, _: isinstance(value, int) and isinstance(factor, int) and value % factor == 0)


MULTIPLE = Matcher(
    "$multiple",
    _compile,
    _check,
    {"description": "A multiple of this number.", "type": "integer", "minimum": 1},
    fitting=lambda _: Fitting(types=frozenset(["integer"])),
    describe=lambda factor: Description("value.multiple", {"factor": factor}),
)


@pytest.fixture(autouse=True)
def multiple(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MATCHERS, MULTIPLE.name, MULTIPLE)
    for lang in LANGUAGES:
        catalogue = words_of(lang).catalogue
        assert isinstance(catalogue, dict)
        monkeypatch.setitem(catalogue, "value.multiple", "a multiple of {factor}")


def write(folder: Path, factor: str, kind: str = "integer") -> Path:
    """A suite that expects a multiple."""
    path = folder / "suite.yaml"
    path.write_text(SUITE % (kind, factor), encoding="utf-8")
    return path


def test_it_is_scored_and_described(tmp_path: Path) -> None:
    scorer = Scorer(load_suite(write(tmp_path, "2")))
    right, wrong = (scorer.score(Trajectory("a", "agent", calls=(Call("book", {"seats": seats}),))) for seats in (4, 5))
    assert right.passed
    assert not right.issues
    assert [word_issue(issue, "en") for issue in wrong.issues] == [
        "book: argument seats is 5, expected a multiple of 2"
    ]


def test_it_is_described_without_words_where_the_catalogue_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(words_of("en").catalogue, "value.multiple")
    assert word_issue(Issue("wrong_arg", "f", "x", 0, 0, {"$multiple": 2}, 5), "en").endswith("expected $multiple 2")


def test_it_is_checked_and_offered(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'\$multiple' takes a whole number from 1"):
        load_suite(write(tmp_path, "zero"))
    path = write(tmp_path, "2")
    path.write_text(path.read_text("utf-8").replace("$multiple", "$multipel"), encoding="utf-8")
    with pytest.raises(InputError, match=r"'\$multipel' is not a matcher, .*; did you mean '\$multiple'\?"):
        load_suite(path)


def test_the_linter_knows_its_values(tmp_path: Path) -> None:
    assert "impossible_value" not in {finding.kind for finding in lint(load_suite(write(tmp_path, "2")))}
    found = lint(load_suite(write(tmp_path, "2", "string")))
    assert ("impossible_value", "error") in {(finding.kind, finding.severity) for finding in found}


def test_editors_know_it() -> None:
    validator = validator_for(suite_schema())

    def suite(factor: JsonValue) -> JsonValue:
        calls: list[JsonValue] = [{"tool": "book", "args": {"seats": {"$multiple": factor}}}]
        return {"cases": [{"id": "a", "expect": {"calls": calls}}]}

    assert validator.is_valid(suite(2))
    assert not validator.is_valid(suite(0))
