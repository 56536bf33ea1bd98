"""What is said about an `answer` that cannot be used."""

from __future__ import annotations

import pytest

from toolgauge.answers import check_spec, prepare
from toolgauge.core import JsonValue
from toolgauge.errors import UsageError

GOOD: list[dict[str, JsonValue]] = [
    {"type": "number", "value": 31, "tolerance": "10%", "unit": "°C"},
    {"type": "number", "value": 5, "tolerance": 0.5},
    {"type": "number", "range": [1, 2]},
    {"type": "time", "value": "1975-04-30"},
    {"type": "time", "value": 1975, "tolerance_years": 1},
    {"type": "time", "value": "2024-Q2"},
    {"type": "time", "range": [1990, "1995-06"], "free_text": True},
    {"type": "string", "value": "Hà Nội", "aliases": ["Ha Noi"], "ignore_tones": True},
    {"type": "list", "value": ["FPT", "VNM"]},
    {"type": "boolean", "value": False},
    {"type": "text", "contains": ["a", "b"]},
]
BAD: list[tuple[dict[str, JsonValue], str]] = [
    ({}, "no type"),
    ({"type": "numbr", "value": 1}, "did you mean 'number'"),
    ({"type": ["number"]}, "not known"),
    ({"type": "number"}, "either a value or a range"),
    ({"type": "number", "value": 1, "range": [1, 2]}, "either a value or a range"),
    ({"type": "number", "value": True}, "not a number"),
    ({"type": "number", "value": "abc"}, "not a number"),
    ({"type": "number", "value": "nan"}, "not a number"),
    ({"type": "number", "value": 1, "tolerence": "10%"}, "did you mean 'tolerance'"),
    ({"type": "number", "value": 1, "tolerance": "ten"}, "tolerance"),
    ({"type": "number", "value": 1, "tolerance": -1}, "tolerance"),
    ({"type": "number", "value": 1, "unit": ""}, "unit"),
    ({"type": "number", "range": [2, 1]}, "lower to the higher"),
    ({"type": "number", "range": [1]}, "list of two"),
    ({"type": "number", "range": [1, 2], "tolerance": 1}, "no tolerance"),
    ({"type": "time", "value": "3/4/1975"}, "1975-04-30"),
    ({"type": "time", "value": "1975-02-30"}, "is not a day"),
    ({"type": "time", "value": 1975, "tolerance_years": "1"}, "whole number"),
    ({"type": "time", "value": 1975, "free_text": "yes"}, "free_text is true or false"),
    ({"type": "time", "value": 1975, "freetext": True}, "did you mean 'free_text'"),
    ({"type": "time", "range": [1995, 1990]}, "earlier to the later"),
    ({"type": "string"}, "needs a value"),
    ({"type": "string", "value": "a", "aliases": "b"}, "list of texts"),
    ({"type": "string", "value": "a", "ignore_tones": "yes"}, "true or false"),
    ({"type": "list", "value": "a"}, "list of texts"),
    ({"type": "boolean", "value": "yes"}, "true or false"),
    ({"type": "text"}, "contains"),
]


@pytest.mark.parametrize("spec", GOOD)
def test_nothing_is_said_of_an_answer_that_can_be_used(spec: dict[str, JsonValue]) -> None:
    assert check_spec(spec) == []


@pytest.mark.parametrize(("spec", "words"), BAD)
def test_what_is_wrong_is_said_in_plain_words(spec: dict[str, JsonValue], words: str) -> None:
    assert words in " / ".join(check_spec(spec))
    with pytest.raises(UsageError):
        prepare(spec)


def test_a_day_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="2026-01-31"):
        prepare({"type": "time", "value": 1975}, now="yesterday")
