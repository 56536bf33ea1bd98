"""`$bfcl` compares a value as the checker of the leaderboard does."""

import pytest

from toolgauge.core import JsonValue
from toolgauge.matchers import NOTHING_BEFORE, check_rule, compile_rule


def fits(written: str, accept: list[JsonValue], value: JsonValue) -> bool:
    kind, _, items = written.partition(" ")
    parts: dict[str, JsonValue] = {"type": kind, "items": items, "accept": accept}
    rule: JsonValue = {"$bfcl": {key: part for key, part in parts.items() if part != ""}}
    assert not list(check_rule(rule, ()))
    return compile_rule(rule).fits(value, NOTHING_BEFORE)


@pytest.mark.parametrize(
    ("written", "accept", "value", "right"),
    [
        # Texts: case, spaces and , . / - _ * ^ do not matter, quotes are of one kind, everything else counts.
        ("string", ["April 1, 2024"], "april 1 2024", True),
        ("string", ["a/b-c_d*e^f.g"], "ABCDEFG", True),
        ("string", ["it's"], 'it"s', True),
        ("string", ["a:b"], "ab", False),
        ("string", ["Huế"], "hue", False),
        ("string", ["", "km"], "", True),
        ("string", ["", "km"], "-", True),
        ("string", ["km"], "", False),
        ("string", ["5"], 5, False),
        ("any", ["x_y"], "X Y", True),
        ("any", [5], 5, True),
        ("any", [5], "5", False),
        # Numbers: a whole number will do for a float, but only as the argument itself.
        ("float", [5.0], 5, True),
        ("float", [5], 5.0, True),
        ("float", [0.5], "0.5", False),
        ("integer", [5], 5.0, False),
        ("integer", [5], True, False),
        ("integer", [1], True, False),
        ("array float", [[1.0, 2.0]], [1, 2.0], False),
        ("array float", [[1, 2.0]], [1.0, 2.0], True),
        ("array float", [[1, 2.0]], [1, 2], True),
        ("float", [1.5], 10**400, False),
        ("boolean", [True], True, True),
        ("boolean", [True], 1, False),
        ("boolean", [True], "true", False),
        ("integer", [None], None, True),
        ("integer", [5], None, False),
        # Variables: accepted values of another type than the declared one are compared exactly.
        ("integer", ["max_size"], "max_size", True),
        ("integer", ["max_size"], "Max_Size", False),
        ("integer", ["max_size"], 5, False),
        ("integer", ["n", 5], 5, True),
        ("integer", [5, "n"], "n", False),
        ("array string", ["cities"], "cities", True),
        ("array string", ["cities"], ["cities"], False),
        ("dict", ["config"], "config", True),
        ("string", [True], True, True),
        # Lists: in order, texts in them folded, one level deep.
        ("array string", [["Ha Noi", "Hue"]], ["hanoi", "HUE"], True),
        ("array string", [["Ha Noi", "Hue"]], ["hue", "hanoi"], False),
        ("array string", [["a"], ["b"]], ["B"], True),
        ("array string", [["a"]], "a", False),
        ("array integer", [[1, 2]], [1, 2], True),
        ("array integer", [[1, 2]], [1, "2"], False),
        ("array integer", [[1]], [True], False),
        ("array array", [[["a"]]], [["A"]], False),
        ("array array", [[["a"]]], [["a"]], True),
        ("tuple float", [[1.5, 2.5]], [1.5, 2.5], True),
        ("array string", [["a"], ""], [], True),
        ("array string", [["a"]], [], False),
        ("array integer", [[1]], [1.0], False),
        ("array integer", [[1], ""], [1.0], True),
        # Objects: every key has accepted values of its own; equality inside is Python's.
        ("dict", [{"city": ["Hue"], "days": [1, 2]}], {"days": 2, "city": "HUE"}, True),
        ("dict", [{"city": ["Hue"]}], {"city": "Hue", "days": 1}, False),
        ("dict", [{"city": ["Hue"], "days": [1]}], {"city": "Hue"}, False),
        ("dict", [{"city": ["Hue"], "days": [1, ""]}], {"city": "Hue"}, True),
        ("dict", [{"days": [1]}], {"days": True}, True),
        ("dict", [{"days": [1]}], {"days": "1"}, False),
        ("dict", [{"at": [["A"]]}], {"at": ["a"]}, False),
        ("dict", [{"at": [["A"]]}], {"at": ["A"]}, True),
        ("dict", [{}, {"a": [1]}], {"a": 1}, True),
        ("dict", [{}], {}, True),
        ("dict", [{"a": [1]}, ""], {}, False),
        ("dict", [{"a": [1]}], [{"a": 1}], False),
        ("array dict", [[{"a": ["X"]}, {"a": ["Y"]}]], [{"a": "x"}, {"a": "y"}], True),
        ("array dict", [[{"a": ["X"]}, {"a": ["Y"]}]], [{"a": "y"}, {"a": "x"}], False),
        ("array dict", [[{"a": ["X"]}]], [{"a": "x"}, {"a": "x"}], False),
        ("array dict", [[{"a": ["X"]}]], ["x"], False),
        ("array dict", [[{"a": ["X"]}], ""], ["x"], False),
        ("array dict", [[{"a": ["X"]}], ""], [], True),
        # Nothing is accepted.
        ("integer", [], 1, False),
        ("array integer", [], [], False),
        ("integer", [""], 1, False),
    ],
)
def test_a_value_fits_as_on_the_leaderboard(
    written: str, accept: list[JsonValue], value: JsonValue, right: bool
) -> None:
    assert fits(written, accept, value) is right


def test_an_argument_may_be_left_out_only_inside_default() -> None:
    rule: JsonValue = {"$bfcl": {"type": "string", "accept": ["a", ""]}}
    assert not compile_rule(rule).absent_fits
    assert compile_rule({"$default": rule}).absent_fits


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (5, "takes an object"),
        ({"accept": []}, "'type' takes one of string"),
        ({"type": "strin", "accept": []}, "'strin' is not a type"),
        ({"type": "array", "items": "text", "accept": []}, "'text' is not a type"),
        ({"type": "array", "items": None, "accept": []}, "'items' takes one of"),
        ({"type": "string"}, "'accept' takes a list"),
        ({"type": "string", "accept": "a"}, "'accept' takes a list"),
        ({"type": "string", "accepts": [], "accept": []}, "'accepts' is not a key of '$bfcl'"),
    ],
)
def test_what_cannot_be_written_is_named(written: JsonValue, complaint: str) -> None:
    (fault,) = check_rule({"$bfcl": written}, ("args", "x"))
    assert complaint in fault.what


def test_accepted_values_are_data_even_with_dollar_signs() -> None:
    assert fits("dict", [{"$any": ["x"]}], {"$any": "X"})
