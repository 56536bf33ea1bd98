"""Every matcher in words, as it stands in the issue of a wrong argument."""

from __future__ import annotations

import pytest

from toolgauge.core import Issue, JsonValue
from toolgauge.matchers import MATCHERS
from toolgauge.report import word_issue

WORDS: list[tuple[JsonValue, JsonValue, str, str]] = [
    ({"$any": True}, None, "null, expected any value", "null, kỳ vọng giá trị bất kỳ"),
    (
        {"$literal": {"age": {"$gt": 5}}},
        {"age": 5},
        '{age: 5}, expected {"age": {"$gt": 5}}',
        '{age: 5}, kỳ vọng {"age": {"$gt": 5}}',
    ),
    ({"$not": {"$absent": True}}, None, "null, expected some value", "null, kỳ vọng một giá trị nào đó"),
    ({"$one_of": ["a", 2]}, "b", "'b', expected one of 'a', 2", "'b', kỳ vọng một trong 'a', 2"),
    (
        {"$one_of": ["off", {"$range": [1, 5]}]},
        9,
        "9, expected one of 'off', a value from 1 to 5",
        "9, kỳ vọng một trong 'off', giá trị từ 1 đến 5",
    ),
    ({"$not": "red"}, "red", "'red', expected not 'red'", "'red', kỳ vọng không phải 'red'"),
    (
        {"$not": {"$one_of": ["red", "blue"]}},
        "red",
        "'red', expected not one of 'red', 'blue'",
        "'red', kỳ vọng không phải một trong 'red', 'blue'",
    ),
    ({"$absent": True}, 5, "5, expected no such argument", "5, kỳ vọng không truyền tham số này"),
    ({"$default": "c"}, "k", "'k', expected 'c', or left out", "'k', kỳ vọng 'c' hoặc không truyền"),
    (
        {"$regex": "^[A-Z]{3}$"},
        "ABCD",
        "'ABCD', expected a text that matches '^[A-Z]{3}$'",
        "'ABCD', kỳ vọng chuỗi khớp với '^[A-Z]{3}$'",
    ),
    (
        {"$contains": "hotel"},
        "x",
        "'x', expected something that contains 'hotel'",
        "'x', kỳ vọng giá trị có chứa 'hotel'",
    ),
    (
        {"$contains": ["a", "b"]},
        ["a"],
        "['a'], expected something that contains ['a', 'b']",
        "['a'], kỳ vọng giá trị có chứa ['a', 'b']",
    ),
    ({"$approx": 31.5}, 33, "33, expected about 31.5", "33, kỳ vọng xấp xỉ 31.5"),
    ({"$approx": {"value": 5, "rel": 0.1}}, 9, "9, expected about 5 (±10%)", "9, kỳ vọng xấp xỉ 5 (±10%)"),
    (
        {"$approx": {"value": 5, "rel": 0.1, "abs": 2}},
        9,
        "9, expected about 5 (±10%, ±2)",
        "9, kỳ vọng xấp xỉ 5 (±10%, ±2)",
    ),
    ({"$range": [1, 4]}, 5, "5, expected a value from 1 to 4", "5, kỳ vọng giá trị từ 1 đến 4"),
    ({"$range": [None, 4]}, 5, "5, expected a value up to 4", "5, kỳ vọng giá trị không quá 4"),
    ({"$range": {"min": 1}}, 0, "0, expected a value from 1 on", "0, kỳ vọng giá trị từ 1 trở đi"),
    (
        {"$range": {"min": "2025-01-15"}},
        "x",
        "'x', expected a value from '2025-01-15' on",
        "'x', kỳ vọng giá trị từ '2025-01-15' trở đi",
    ),
    ({"$date": "2025-01-31"}, "x", "'x', expected the date '2025-01-31'", "'x', kỳ vọng mốc thời gian '2025-01-31'"),
    ({"$date": 2025}, 2024, "2024, expected the date 2025", "2024, kỳ vọng mốc thời gian 2025"),
    (
        {"$date": {"value": "2025-01-31", "precision": "month"}},
        "x",
        "'x', expected the date '2025-01-31' (only year and month count)",
        "'x', kỳ vọng mốc thời gian '2025-01-31' (chỉ xét tháng và năm)",
    ),
    (
        {"$date": {"value": "2025-01-31", "precision": "year"}},
        "x",
        "'x', expected the date '2025-01-31' (only the year counts)",
        "'x', kỳ vọng mốc thời gian '2025-01-31' (chỉ xét năm)",
    ),
    (
        {"$date": {"value": "2025-01-31", "precision": "day"}},
        "x",
        "'x', expected the date '2025-01-31' (to the day)",
        "'x', kỳ vọng mốc thời gian '2025-01-31' (xét đến ngày)",
    ),
    (
        {"$set": ["a", "b"]},
        ["a"],
        "['a'], expected ['a', 'b'] in any order",
        "['a'], kỳ vọng ['a', 'b'] theo thứ tự bất kỳ",
    ),
    (
        {"$items": {"$regex": "^a"}},
        ["b"],
        "['b'], expected a list of which every item is a text that matches '^a'",
        "['b'], kỳ vọng danh sách mà mỗi phần tử là chuỗi khớp với '^a'",
    ),
    (
        {"$partial": {"city": "Huế", "zip": {"$any": True}}},
        {},
        "{}, expected an object with at least {city: 'Huế', zip: any value}",
        "{}, kỳ vọng đối tượng có ít nhất {city: 'Huế', zip: giá trị bất kỳ}",
    ),
    (
        {"$schema": {"type": "integer", "minimum": 1}},
        0,
        "0, expected a value that fits the schema {type: 'integer', minimum: 1}",
        "0, kỳ vọng giá trị đúng schema {type: 'integer', minimum: 1}",
    ),
    (
        {"$from": "search"},
        17,
        "17, expected a value from an earlier result of 'search'",
        "17, kỳ vọng giá trị lấy từ kết quả trước đó của 'search'",
    ),
    (
        {"$bfcl": {"type": "string", "accept": ["a", "b"]}},
        "x",
        "'x', expected a value that BFCL accepts for {type: 'string', accept: ['a', 'b']}",
        "'x', kỳ vọng giá trị được BFCL chấp nhận theo {type: 'string', accept: ['a', 'b']}",
    ),
]


@pytest.mark.parametrize(("want", "got", "english", "vietnamese"), WORDS)
def test_a_mismatch_reads_well_in_both_languages(
    want: JsonValue, got: JsonValue, english: str, vietnamese: str
) -> None:
    issue = Issue("wrong_arg", "f", "x", 0, 0, want, got)
    assert word_issue(issue, "en") == f"f: argument x is {english}"
    assert word_issue(issue, "vi") == f"f: tham số x là {vietnamese}"


def test_every_matcher_has_words() -> None:
    assert {name for want, _, _, _ in WORDS if isinstance(want, dict) for name in want} == set(MATCHERS)


def test_missing_and_invalid_arguments_read_well() -> None:
    missing = Issue("missing_arg", "f", "x", 0, 0, {"$range": {"min": 1}})
    assert word_issue(missing, "en") == "f: argument x is missing, expected a value from 1 on"
    assert word_issue(missing, "vi") == "f: thiếu tham số x, kỳ vọng giá trị từ 1 trở đi"
    invalid = Issue("invalid_arg", "f", "x", 0, 0, {"$absent": True}, 5)
    assert word_issue(invalid, "en") == "f: argument x is 5, allowed is no such argument"
    assert word_issue(invalid, "vi") == "f: tham số x là 5, chỉ chấp nhận không truyền tham số này"


def test_null_that_was_given_is_named() -> None:
    invalid = Issue("invalid_arg", "f", "x", 0, 0, {"$range": [1, 5]}, None)
    assert word_issue(invalid, "en") == "f: argument x is null, allowed is a value from 1 to 5"
    assert word_issue(invalid, "vi") == "f: tham số x là null, chỉ chấp nhận giá trị từ 1 đến 5"
