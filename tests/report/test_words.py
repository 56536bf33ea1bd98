"""Issues in words."""

from __future__ import annotations

import re

import pytest

from toolgauge.catalogue import Lang, words_of
from toolgauge.core import ISSUE_KINDS, Issue, JsonValue
from toolgauge.report import word_issue
from toolgauge.report.values import answer_reason


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("kind", ISSUE_KINDS)
def test_every_kind_has_words_with_all_fields_and_with_none(kind: str, lang: Lang) -> None:
    full = Issue(kind, "tool", "arg", 0, 0, "want", "got", True)  # type: ignore[arg-type]  # every kind in turn
    empty = Issue(kind)  # type: ignore[arg-type]  # every kind in turn
    for issue in (full, empty):
        words = word_issue(issue, lang)
        assert words
        assert not re.search(r"[\[\]{}]", words)


def one_of(*options: JsonValue) -> JsonValue:
    return {"$one_of": list(options)}


@pytest.mark.parametrize(
    ("issue", "words"),
    [
        (
            Issue("wrong_arg", "get_weather", "city", 1, 0, "Hanoi", "Hue"),
            "get_weather: argument city is 'Hue', expected 'Hanoi'",
        ),
        (
            Issue("wrong_arg", "f", "x", 0, 0, None, [1, 2.5, True]),
            "f: argument x is [1, 2.5, true], expected null",
        ),
        (
            Issue("wrong_arg", "f", "x", 0, 0, one_of("a", "b"), 1),
            "f: argument x is 1, expected one of 'a', 'b'",
        ),
        (
            Issue("missing_arg", "f", "x", 0, 0, {"$any": True}),
            "f: argument x is missing, expected any value",
        ),
        (Issue("wrong_arg", "f", "x", 0, 0, {"$not": "a"}, "a"), "f: argument x is 'a', expected not 'a'"),
        (
            Issue("wrong_arg", "f", "x", 0, 0, {"$range": [1, 2]}, 3),
            "f: argument x is 3, expected a value from 1 to 2",
        ),
        (
            Issue("wrong_arg", "f", "x", 0, 0, {"$approx": {"value": 5, "rel": 0.1}}, 3),
            "f: argument x is 3, expected about 5 (±10%)",
        ),
        (
            Issue("wrong_arg", "f", "x", 0, 0, {"a": 1, "b": {}}, {}),
            "f: argument x is {}, expected {a: 1, b: {}}",
        ),
        (Issue("missing_call", "f"), "f was expected but not called"),
        (Issue("unexpected_call", "f", call=1), "#2 f was not asked for"),
        (Issue("duplicate_call", "f", call=2, got=0), "#3 f repeats an identical call, #1"),
        (
            Issue("wrong_order", "g", call=0, want="error"),
            "#1 g was called too early: error has to come first",
        ),
        (Issue("too_many_calls", want=5, got=9), "9 calls were made, the budget is 5"),
        (Issue("over_latency", want=10000.0, got=12345.6), "It took 12346 ms, the budget is 10000 ms"),
        (Issue("tool_error", "f", call=0, got="no\nway"), "#1 f failed: no⏎way"),
        (Issue("tool_error", "f", call=0, got=""), "#1 f failed"),
        (Issue("agent_error", got="timeout"), "The agent did not finish: timeout"),
        (Issue("agent_error", want="limit", got="turns"), "The agent did not finish (limit): turns"),
    ],
)
def test_issues_read_well(issue: Issue, words: str) -> None:
    assert word_issue(issue, "en") == words


def test_vietnamese_issues_read_well() -> None:
    issue = Issue("wrong_arg", "get_weather", "city", 1, 0, "Hà Nội", "Huế")
    assert word_issue(issue, "vi") == "get_weather: tham số city là 'Huế', kỳ vọng 'Hà Nội'"
    assert word_issue(Issue("agent_error", want="timeout"), "vi") == "agent không hoàn thành (quá thời gian)"


def test_words_of_an_issue_stay_short_and_harmless() -> None:
    deep: JsonValue = "x"
    for _ in range(200):
        deep = [deep] * 3
    issue = Issue("wrong_arg", "\x1b[31m" + "t" * 10_000, "a\u202e" * 500, 0, 0, deep, "v" * 1_000_000)
    words = word_issue(issue, "en")
    assert len(words) < 600
    assert words.isprintable()


@pytest.mark.parametrize(
    ("want", "got", "english", "vietnamese"),
    [
        (
            {"type": "number", "value": "380", "unit": "tỷ đồng"},
            240_000_000_000,
            "found 240000000000, expected 380 tỷ đồng",
            "tìm thấy 240.000.000.000, đáp án là 380 tỷ đồng",
        ),
        (
            {"type": "number", "value": "1,5 tỷ đồng"},
            1.5,
            "found 1.5, expected 1,5 tỷ",
            "tìm thấy 1,5, đáp án là 1,5 tỷ",
        ),
        ({"type": "number", "value": 0.65}, [5, 9], "found [5, 9], expected 0.65", "tìm thấy [5, 9], đáp án là 0,65"),
        ({"type": "time", "value": "quý II/2024"}, "2024-Q1", "'2024-Q1', expected quý", "'2024-Q1', đáp án là quý"),
        ({"type": "string", "value": "Huế"}, "Hà Nội", "'Hà Nội', expected 'Huế'", "'Hà Nội', đáp án là 'Huế'"),
        ({"type": "boolean", "value": True}, False, "found false, expected true", "tìm thấy false, đáp án là true"),
    ],
)
def test_amounts_are_written_with_their_unit_and_as_the_language_does(
    want: JsonValue, got: JsonValue, english: str, vietnamese: str
) -> None:
    issue = Issue("wrong_answer", want=want, got=got)
    assert english in word_issue(issue, "en")
    assert vietnamese in word_issue(issue, "vi")


@pytest.mark.parametrize(
    ("reason", "amount", "expected"),
    [
        ("found 240 tỷ đồng, expected 380 tỷ đồng ± 2%", True, ("240 tỷ đồng", "380 tỷ đồng ± 2%")),
        ("found 15000000000 VND, expected 1.5 VND", True, ("15.000.000.000 VND", "1,5 VND")),
        ("found 5 to 9.5 m, expected 1200", True, ("từ 5 đến 9,5 m", "1.200")),
        ("found -0.5, expected 4 CO2", True, ("-0,5", "4 CO2")),
        ("found 1976, expected 1975-04-30", False, ("1976", "1975-04-30")),
        ("missing: a", True, None),
    ],
)
def test_what_was_found_and_asked_for_is_taken_from_the_reason(
    reason: str, amount: bool, expected: tuple[str, str] | None
) -> None:
    assert answer_reason(reason, words_of("vi"), amount=amount) == expected
