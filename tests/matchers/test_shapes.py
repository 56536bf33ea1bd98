"""What may be written in each matcher, and what is said about everything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from tests.strategies import MATCHERS as SAMPLES
from toolgauge.core import JsonValue
from toolgauge.errors import InputError
from toolgauge.files import Fault
from toolgauge.matchers import MATCHERS, NOTHING_BEFORE, check_rule, compile_rule
from toolgauge.suites import load_suite

from .values import ANYTHING, FEW, RULES


def faults(rule: JsonValue) -> list[Fault]:
    """What is wrong with a rule that stands at `at`."""
    return list(check_rule(rule, ("at",)))


def test_every_matcher_is_found_by_its_name() -> None:
    assert all(matcher.name == name and name.startswith("$") for name, matcher in MATCHERS.items())


@given(RULES)
@settings(deadline=None, max_examples=examples(300))
def test_a_rule_that_is_right_has_no_faults(rule: JsonValue) -> None:
    assert faults(rule) == []


NAMES = [*SAMPLES, "$one", "$", "$Any", "plain"]

WRITTEN: st.SearchStrategy[JsonValue] = st.recursive(
    ANYTHING | FEW | st.sampled_from(["2025-01-31", "2025-02-30", "(", "a+", "a", -1, ["2025", "2026"]]),
    lambda inner: (
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["value", "rel", "abs", "min", "max", "precision", "type"]), inner, max_size=3
        )
        | st.lists(inner, max_size=3)
    ),
    max_leaves=6,
)
"""What somebody may have written, right or wrong."""


@given(st.sampled_from(list(SAMPLES)), WRITTEN, FEW)
@settings(deadline=None, max_examples=examples(500))
def test_what_is_checked_can_be_compiled_and_asked(name: str, written: JsonValue, value: JsonValue) -> None:
    found = faults({name: written})
    if not found:
        rule = compile_rule({name: written})
        assert rule.fits(value, NOTHING_BEFORE) in (True, False)
    for fault in found:
        assert fault.path[:2] == ("at", name)
        assert fault.what
        assert not fault.what.endswith(".")


MALFORMED: list[tuple[JsonValue, tuple[str | int, ...], str, str]] = [
    ({"$any": 1}, ("at", "$any"), "'$any' takes nothing", "write {$any: true}"),
    ({"$absent": "x"}, ("at", "$absent"), "'$absent' takes nothing", "write {$absent: true}"),
    ({"$one_of": "x"}, ("at", "$one_of"), "'$one_of' takes a list with at least one value", ""),
    ({"$one_of": []}, ("at", "$one_of"), "'$one_of' takes a list with at least one value", ""),
    ({"$set": "x"}, ("at", "$set"), "'$set' takes a list", ""),
    ({"$regex": 5}, ("at", "$regex"), "'$regex' takes a pattern as text", ""),
    (
        {"$regex": "(?=a)"},
        ("at", "$regex"),
        "'(?=a)' is not a regular expression",
        "patterns run in linear time, without look-around or back-references",
    ),
    (
        {"$contains": []},
        ("at", "$contains"),
        "'$contains' takes what the value must contain",
        "a text, an item, or a list of them",
    ),
    (
        {"$approx": "5"},
        ("at", "$approx"),
        "'$approx' takes a number, or an object with 'value', 'rel' and 'abs'",
        "",
    ),
    ({"$approx": {"value": 5, "rel": -1}}, ("at", "$approx", "rel"), "'rel' takes a number of 0 or more", ""),
    (
        {"$approx": {"value": 5, "tol": 1}},
        ("at", "$approx", "tol"),
        "'tol' is not a key of '$approx'",
        "known here: value, rel, abs",
    ),
    ({"$range": [1]}, ("at", "$range"), "'$range' takes [low, high]", "write null for a side without bound"),
    (
        {"$range": {}},
        ("at", "$range"),
        "'$range' has neither a low nor a high bound",
        "write {$any: true} for any value",
    ),
    (
        {"$range": ["a", "b"]},
        ("at", "$range"),
        "the bounds of '$range' are numbers, or dates such as '2025-01-31'",
        "",
    ),
    (
        {"$range": [1, "2025"]},
        ("at", "$range"),
        "one bound of '$range' is a number and the other a date",
        "",
    ),
    ({"$range": [2, 1]}, ("at", "$range"), "the low bound of '$range' is above the high one: 2 and 1", ""),
    (
        {"$range": {"mn": 1, "max": 2}},
        ("at", "$range", "mn"),
        "'mn' is not a key of '$range'",
        "did you mean 'min'?",
    ),
    (
        {"$date": "31/01/2025"},
        ("at", "$date"),
        "'$date' takes a date such as '2025-01-31', '2025-01' or '2025'",
        "",
    ),
    (
        {"$date": "2025-02-30"},
        ("at", "$date"),
        "'$date' takes a date such as '2025-01-31', '2025-01' or '2025'",
        "",
    ),
    (
        {"$date": {"value": "2025-01", "precision": "day"}},
        ("at", "$date", "precision"),
        "2025-01 does not say the day",
        "",
    ),
    (
        {"$date": {"value": "2025-01", "precision": "hour"}},
        ("at", "$date", "precision"),
        "'precision' is one of year, month, day",
        "",
    ),
    ({"$partial": [1]}, ("at", "$partial"), "'$partial' takes an object", ""),
    ({"$schema": True}, ("at", "$schema"), "'$schema' takes a JSON schema", ""),
    ({"$from": []}, ("at", "$from"), "'$from' takes the name of a tool, or a list of names", ""),
    ({"$from": ["a", 1]}, ("at", "$from"), "'$from' takes the name of a tool, or a list of names", ""),
    ({"$on_of": [1]}, ("at", "$on_of"), "'$on_of' is not a matcher", "did you mean '$one_of'?"),
    (
        {"$any": True, "city": "Hanoi"},
        ("at", "city"),
        "a matcher must be alone in its object, but 'city' is beside '$any'",
        "",
    ),
    (
        {"a": [1, {"$not": {"$items": {"$regx": "a"}}}]},
        ("at", "a", 1, "$not", "$items", "$regx"),
        "'$regx' is not a matcher",
        "did you mean '$regex'?",
    ),
]


@pytest.mark.parametrize(("rule", "path", "what", "hint"), MALFORMED)
def test_what_is_wrong_is_said_where_it_is(rule: JsonValue, path: tuple[str | int, ...], what: str, hint: str) -> None:
    assert [(fault.path, fault.what, fault.hint) for fault in faults(rule)] == [(path, what, hint)]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strng"},
        {"pattern": "("},
        {"$ref": "#/nowhere"},
        {"$ref": "https://schemas.example/x"},
        {"minimum": "5"},
    ],
)
def test_a_schema_that_is_none_is_refused_and_nothing_is_fetched(schema: JsonValue) -> None:
    (fault,) = faults({"$schema": schema})
    assert fault.path == ("at", "$schema")
    assert fault.what.startswith("this is not a JSON schema: ")


def test_every_fault_of_a_rule_is_listed() -> None:
    rule: JsonValue = [{"$regex": 1}, {"k": {"$set": 2}}, {"$one_of": [{"$range": []}, {"$any": 3}]}]
    assert [fault.path for fault in faults(rule)] == [
        ("at", 0, "$regex"),
        ("at", 1, "k", "$set"),
        ("at", 2, "$one_of", 0, "$range"),
        ("at", 2, "$one_of", 1, "$any"),
    ]


def test_a_month_to_the_end_of_its_year_is_a_range() -> None:
    rule: JsonValue = {"$range": ["2025-06", "2025"]}
    assert faults(rule) == []
    assert compile_rule(rule).fits("2025-07-01", NOTHING_BEFORE)


BEYOND = 10**400
BEYOND_RULES: list[JsonValue] = [
    {"$approx": BEYOND},
    {"$approx": -BEYOND},
    {"$approx": {"value": 1, "rel": BEYOND}},
    {"$approx": {"value": 1, "abs": BEYOND}},
    {"$range": [-BEYOND, BEYOND]},
]


@pytest.mark.parametrize("rule", BEYOND_RULES, ids=["value", "negative value", "rel", "abs", "range"])
def test_a_number_beyond_floating_point_is_refused_or_compiled(rule: JsonValue) -> None:
    if not faults(rule):
        assert compile_rule(rule).fits(1, NOTHING_BEFORE) in (True, False)


def test_a_malformed_matcher_of_a_suite_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text("cases:\n  - id: a\n    expect:\n      calls:\n        - {tool: t, args: {x: {$regex: '('}}}\n")
    with pytest.raises(InputError) as caught:
        load_suite(path)
    (problem,) = caught.value.problems
    assert (problem.line, problem.what.startswith("'(' is not a regular expression")) == (5, True)
