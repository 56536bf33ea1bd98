"""JSON: faults with line and column, places of paths, repeated keys."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.files import BadJson, check_depth, decode_json, duplicate_keys, find_place

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=15,
)


def fault(data: bytes) -> tuple[str, int | None, object]:
    with pytest.raises(BadJson) as caught:
        decode_json(data)
    problem = caught.value.problem
    return problem.what, problem.line, problem.column


def test_a_fault_has_a_line_and_a_column() -> None:
    assert fault(b'{"a": 1\n "b": 2}') == ("not valid JSON: expecting ',' delimiter", 2, 2)
    assert fault(b'{"a": [1,') == ("the JSON ends too early", 1, 10)
    assert fault(b'{"a": NaN}') == ("NaN is not a number in JSON", 1, 7)
    assert fault(b"[1e999]") == ("1e999 is not a number in JSON", 1, 2)


def test_deep_nesting_is_refused_and_never_crashes() -> None:
    for data in (b"[" * 100_000, b'{"a":' * 100_000, b"[" * 300 + b"]" * 300):
        assert fault(data)[0] == "lists and objects are nested more than 200 deep"


def test_many_brackets_that_are_not_deep_are_fine() -> None:
    data = json.dumps([{"a": ["[[[{{{"]}] * 1000).encode()
    assert decode_json(data) == json.loads(data)


TOKENS = ["[", "]", "{", "}", "[]", '"["', '"]"', '"{}"', '""', r'"\""', r'"\"]"', r'"\\"', '"a"', " ", "1,"]


def deepest(text: str) -> int:
    """How deep brackets outside of strings are nested, character by character."""
    depth = most = 0
    inside = escaped = False
    for character in text:
        if inside:
            inside = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            most = max(most, depth)
        elif character in "]}":
            depth -= 1
    return most


@given(st.lists(st.tuples(st.lists(st.sampled_from(TOKENS), max_size=5), st.integers(1, 210)), max_size=6))
def test_what_is_too_deep_is_found_whatever_stands_in_strings(parts: list[tuple[list[str], int]]) -> None:
    text = "".join("".join(tokens) * times for tokens, times in parts)
    if deepest(text) <= 200:
        check_depth(text.encode())
    else:
        with pytest.raises(BadJson, match="nested more than 200 deep"):
            check_depth(text.encode())


def test_a_lone_surrogate_is_kept_as_its_escape() -> None:
    assert decode_json(b'{"a": "x\\ud800", "b": "\\ud83d\\ude00"}') == {"a": "x\\ud800", "b": "😀"}


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in paths(item, (*path, key)))]


@given(VALUES, st.sampled_from([None, 1]))
def test_a_path_leads_to_its_value(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    for path in paths(value):
        place = find_place(text, path)
        assert place is not None
        line, column = place
        rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
        expected = value
        for step in path:
            expected = expected[step]
        assert json.JSONDecoder().raw_decode(rest)[0] == expected


def test_repeated_keys_are_found_with_their_places() -> None:
    assert duplicate_keys('{"a": 1, "b": {"a": "\\"a\\":"}, "c": [{"a": 1}, {"a": 2}]}') == []
    assert duplicate_keys('{"a": 1,\n "b": {"x": 1, "x": 2}, "\\u0061": 3}') == [("x", (2, 16)), ("a", (2, 25))]
