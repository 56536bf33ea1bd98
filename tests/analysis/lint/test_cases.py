"""Contradictions, dates, options, ids, questions and labels: each found where it is, and not where it is not."""

from __future__ import annotations

import unicodedata

import pytest

from toolgauge.core import Budget, Case, Expect, JsonValue, Limits, Times
from toolgauge.stats import wilson

from ...builders import case, expected, plan
from .findings import kinds, of


def test_a_tool_that_is_expected_must_not_be_forbidden() -> None:
    (found,) = of("expected_and_forbidden", case(["a"], forbid=("a",)))
    assert (found.severity, found.path) == ("error", ("expect", "calls", 0, "tool"))
    (mild,) = of("expected_and_forbidden", case([expected("a", optional=True), "b"], forbid=("a",)))
    assert mild.severity == "warning"
    assert kinds(case(["a"], forbid=("b",))) == []


def test_expected_and_neutral_is_a_hint_and_neutral_and_forbidden_a_warning() -> None:
    assert [one.severity for one in of("expected_and_neutral", case(["a"], neutral=("a",)))] == ["hint"]
    (found,) = of("neutral_and_forbidden", case(["a"], neutral=("c", "b"), forbid=("b",)))
    assert (found.severity, found.path) == ("warning", ("expect", "neutral", 1))
    assert kinds(case(["a"], neutral=("b",), forbid=("c",))) == []


def test_no_calls_but_every_call_allowed() -> None:
    (found,) = of("extra_allows_all", case([], extra="allow"))
    assert (found.severity, found.path) == ("warning", ("expect", "calls"))
    assert len(of("extra_allows_all", case(any_of=(plan("a"), plan()), extra="allow"))) == 1
    assert kinds(case([], extra="forbid"), case(["a"], id="c2", extra="allow"), case(id="c3", extra="allow")) == []


def test_more_calls_required_than_allowed() -> None:
    two = Expect((expected("a", times=2), expected("b", optional=True)))
    (found,) = of("too_many_required", Case("c", expect=two, budget=Budget(calls=1)))
    assert (found.severity, found.path, found.values) == (
        "warning",
        ("budget", "calls"),
        {"needed": 2, "allowed": 1},
    )
    (hard,) = of("too_many_required", Case("c", expect=two, limits=Limits(calls=1)))
    assert (hard.severity, hard.path) == ("error", ("limits", "calls"))
    assert of("too_many_required", Case("c", expect=two, budget=Budget(calls=2), limits=Limits(calls=2))) == []
    shorter = Expect(any_of=(plan("a", "b"), plan("c")))
    assert of("too_many_required", Case("c", expect=shorter, budget=Budget(calls=1))) == []
    assert of("too_many_required", Case("c", budget=Budget(calls=0))) == []


def test_an_argument_that_is_expected_must_not_be_forbidden() -> None:
    (found,) = of("arg_expected_and_forbidden", case([expected("a", {"x": 1}, forbid_args=("x",))]))
    assert (found.severity, found.path) == ("error", ("expect", "calls", 0, "forbid_args", 0))
    for call in (
        expected("a", check={"x": 1}, forbid_args=("x",)),
        expected("a", {"x": {"$absent": True}}, forbid_args=("x",)),
        expected("a", {"x": {"$default": 1}}, forbid_args=("x",)),
    ):
        assert [one.severity for one in of("arg_expected_and_forbidden", case([call]))] == ["warning"]
    assert kinds(case([expected("a", {"x": 1}, check={"y": 2}, forbid_args=("z", "*"))])) == []


def test_a_check_of_an_argument_that_is_fixed_adds_nothing_or_contradicts() -> None:
    in_range: dict[str, JsonValue] = {"x": {"$range": [1, 2]}}
    (hint,) = of("check_on_fixed_arg", case([expected("a", {"x": 1}, check=in_range)]))
    assert (hint.severity, hint.path) == ("hint", ("expect", "calls", 0, "check", "x"))
    (error,) = of("check_contradicts_arg", case([expected("a", {"x": 3}, check=in_range)]))
    assert (error.severity, error.values["value"]) == ("error", 3)
    assert kinds(case([expected("a", {"x": {"$any": True}}, check=in_range)])) == []
    assert kinds(case([expected("a", {"x": 1}, check={"x": {"$from": "b"}})])) == []


def test_a_strict_order_must_not_contradict_after() -> None:
    first, second = expected("a", after=("x",)), expected("b", id="x")
    (found,) = of("order_contradiction", case([first, second], order="strict"))
    assert (found.severity, found.path) == ("error", ("expect", "calls", 0, "after", 0))
    (mild,) = of("order_contradiction", case([first, expected("b", id="x", optional=True)], order="strict"))
    assert mild.severity == "warning"
    (inside,) = of("order_contradiction", case(any_of=(plan(first, second, order="strict"),)))
    assert inside.path == ("expect", "any_of", 0, "calls", 0, "after", 0)
    assert kinds(case([first, second])) == []
    assert kinds(case([second, first], order="strict")) == []


def test_an_expectation_of_no_call_at_all_says_nothing() -> None:
    assert len(of("never_welcome", case([expected("a", times=Times(0, 0)), "b"]))) == 1
    assert kinds(case([expected("a", times=Times(0, 1)), expected("b", times=Times(0))])) == []


def test_texts_that_say_nothing() -> None:
    (empty,) = of("empty_text", case(contains=("x", " ")))
    assert (empty.severity, empty.path) == ("warning", ("expect", "contains", 1))
    (inside,) = of("repeated_text", case(contains=("nội", "Hà Nội", "Huế")))
    assert inside.values == {"text": "nội", "other": "Hà Nội"}
    assert [one.path[-1] for one in of("repeated_text", case(contains=("Huế", "huế")))] == [1]
    assert kinds(case(contains=("Hà Nội", "Huế"))) == []


def test_options_that_repeat_are_found_however_deep() -> None:
    (found,) = of("repeated_option", case([expected("a", {"x": {"$one_of": [1, "1", 1.0]}})]))
    assert (found.severity, found.path[-2:]) == ("hint", ("$one_of", 2))
    deep: JsonValue = {"$set": [{"y": {"$one_of": ["a", "a"]}}]}
    assert len(of("repeated_option", case([expected("a", check={"x": deep})]))) == 1
    assert kinds(case([expected("a", {"x": {"$one_of": [1, "1", True]}})])) == []


@pytest.mark.parametrize(
    ("text", "ambiguous"),
    [
        ("On 03/04/2025?", True),
        ("Ngày 3-4-2025.", True),
        ("3.4.2025", True),
        ("14/3/2025", False),
        ("3/3/2025", False),
        ("2025-03-04", False),
        ("31/31/2025", False),
        ("version 1.2.3.2025", False),
        ("13/03/04/2025", False),
        ("04/2025", False),
    ],
)
def test_dates_that_can_be_read_in_two_ways(text: str, ambiguous: bool) -> None:
    assert len(of("ambiguous_date", Case("c", text))) == ambiguous
    assert of("ambiguous_date", Case("c", text, locale="vi")) == []
    assert len(of("ambiguous_date", case([expected("a", {"x": [{"$one_of": [text]}]})]))) == ambiguous
    assert len(of("ambiguous_date", case(contains=(text,)))) == ambiguous


def test_an_ambiguous_date_says_what_it_can_mean() -> None:
    (found,) = of("ambiguous_date", Case("c", "03/04/2025"))
    assert (found.severity, found.values["meanings"]) == ("warning", ["2025-03-04", "2025-04-03"])
    assert of("ambiguous_date", case([expected("a", {"x": {"$regex": "03/04/2025"}})])) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("T1", "t1"),
        ("a-b", "a_b"),
        ("a-b", "a–b"),
        ("a b", "a\u00a0b"),
        ("a b", "a  b".replace("  ", "\u2003")),
        ("ab", "a\u200bb"),
        ("ab", "\ufeffab"),
        ("it's", "it’s"),
        ("case", "cаse"),
        ("hà", unicodedata.normalize("NFD", "hà")),
        ("x1", "x１"),
    ],
)
def test_ids_that_look_alike(one: str, other: str) -> None:
    (found,) = of("look_alike_ids", Case(one), Case(other))
    assert (found.severity, found.case, found.values["other"]) == ("warning", other, one)


def test_ids_that_differ_visibly_are_fine() -> None:
    assert of("look_alike_ids", *map(Case, ("a1", "a2", "ab", "a.b", "ma", "má", "mà", "mạ"))) == []


def test_questions_that_are_asked_twice() -> None:
    (found,) = of("duplicate_input", Case("a", "What  is it?"), Case("b", "what is it? "), Case("c", "What is he?"))
    assert (found.severity, found.case, found.values) == ("warning", "b", {"other": "a"})
    assert of("duplicate_input", Case("a"), Case("b")) == []


def labelled(**counts: int) -> list[Case]:
    return [Case(f"{value}{number}", labels={"level": value}) for value, n in counts.items() for number in range(n)]


def test_groups_too_small_to_compare_come_with_the_width_of_their_interval() -> None:
    (found,) = of("few_cases", *labelled(easy=10, hard=4, odd=9))
    low, high = wilson(2, 4)
    assert found.severity == "hint"
    assert found.values["groups"] == {"hard": 4, "odd": 9}
    assert (found.values["n"], found.values["low"], found.values["high"]) == (4, low, high)
    assert (round(low, 2), round(high, 2)) == (0.15, 0.85)
    assert of("few_cases", *labelled(easy=10, hard=11)) == []
    assert of("few_cases", Case("a")) == []


def test_cases_without_a_label_that_most_have() -> None:
    (found,) = of("missing_label", *labelled(easy=12), Case("x"), Case("y"))
    assert (found.severity, found.case) == ("warning", "x")
    assert found.values == {"label": "level", "count": 2, "cases": ["x", "y"]}
    assert of("missing_label", *labelled(easy=12)) == []
    assert of("missing_label", *labelled(easy=2), *map(Case, "abc")) == []


def test_findings_come_by_severity_and_then_in_the_order_of_the_suite() -> None:
    first = case(["a"], id="one", neutral=("a",), contains=("",))
    second = case(["a"], id="two", forbid=("a",))
    assert kinds(first, second) == ["expected_and_forbidden", "empty_text", "expected_and_neutral"]


SOURCE: JsonValue = {"$from": "b"}


@pytest.mark.parametrize(
    ("found", "severity"),
    [
        (case([expected("a", {"x": SOURCE}), "b"], order="strict"), "warning"),
        (case([expected("a", {"x": SOURCE}), "b"], order="strict", extra="forbid"), "error"),
        (case([expected("a", {"x": SOURCE}), "b"], order="strict", forbid=("b",)), "error"),
        (case([expected("a", {"x": SOURCE}, optional=True), "b"], order="strict", extra="forbid"), "warning"),
        (case([expected("a", check={"x": SOURCE}), "b"], order="strict", extra="forbid"), "warning"),
        (case([expected("a", {"x": SOURCE}, id="i"), expected("b", after=("i",))], extra="forbid"), "error"),
        (
            case(
                [
                    expected("a", {"x": SOURCE}, id="i"),
                    expected("c", id="j", after=("i",)),
                    expected("b", after=("j",)),
                ],
                extra="forbid",
            ),
            "error",
        ),
        (case([expected("a", {"x": SOURCE})], extra="forbid"), "error"),
        (case([expected("b", {"x": SOURCE})], extra="forbid"), "error"),
    ],
)
def test_a_value_cannot_come_from_a_result_that_comes_later(found: Case, severity: str) -> None:
    (one,) = of("no_earlier_source", found)
    index = 0
    assert (one.severity, one.path[:3], one.path[-1]) == (severity, ("expect", "calls", index), "x")
    assert one.values["sources"] == ["b"]


@pytest.mark.parametrize(
    "fine",
    [
        case(["b", expected("a", {"x": SOURCE})], order="strict", extra="forbid"),
        case([expected("a", {"x": SOURCE}), "b"], extra="forbid"),
        case([expected("a", {"x": SOURCE})]),
        case([expected("a", {"x": SOURCE}), "b"], order="strict", extra="allow"),
        case([expected("a", {"x": SOURCE}), "b"], order="strict", extra="forbid", neutral=("b",)),
        case([expected("a", {"x": {"$from": ["b", "c"]}}), "c"], extra="forbid"),
        case([expected("b", {"x": SOURCE}, times=2)], extra="forbid"),
    ],
)
def test_a_value_may_come_from_any_result_that_can_be_there_before(fine: Case) -> None:
    assert of("no_earlier_source", fine) == []
