"""Expected calls against tools and schemas, and values that no argument allows."""

from __future__ import annotations

import pytest

from toolgauge.analysis.lint.schemas import ArgumentSchema, impossible
from toolgauge.core import ExpectedCall, JsonValue, ToolDefinition

from ...builders import case, expected, plan
from .findings import WEATHER, kinds, of, tool

OTHER = ToolDefinition("search")


def test_an_expected_tool_that_is_not_there_is_an_error_with_the_nearest_name() -> None:
    (found,) = of("unknown_tool", case(["get_wether"]), tools=[WEATHER])
    assert (found.severity, found.case, found.path) == ("error", "c1", ("expect", "calls", 0, "tool"))
    assert found.values == {"tool": "get_wether", "near": "get_weather"}
    (far,) = of("unknown_tool", case(["zzz"]), tools=[WEATHER])
    assert far.values["near"] is None


def test_unknown_tools_are_found_in_every_plan_and_in_from() -> None:
    plans = case(any_of=(plan("get_weather"), plan("b")))
    assert of("unknown_tool", plans, tools=[WEATHER])[0].path == ("expect", "any_of", 1, "calls", 0, "tool")
    looks_back = case([expected("get_weather", {"city": {"$from": ["get_weather", "find"]}})])
    (found,) = of("unknown_tool", looks_back, tools=[WEATHER])
    assert found.path == ("expect", "calls", 0, "args", "city", "$from")


def test_a_suite_without_tools_says_nothing_about_them() -> None:
    assert kinds(case([expected("anything", {"x": 1})])) == []


def test_a_forbidden_tool_may_be_unknown_unless_it_is_almost_a_known_one() -> None:
    assert of("similar_tool", case(["search"], forbid=("delete_everything",)), tools=[OTHER]) == []
    (found,) = of("similar_tool", case(["search"], neutral=("serch",)), tools=[OTHER])
    assert (found.severity, found.path, found.values["near"]) == ("warning", ("expect", "neutral", 0), "search")


def test_tools_that_no_case_expects_are_a_hint() -> None:
    (found,) = of("unused_tool", case(["search"]), tools=[WEATHER, OTHER])
    assert (found.severity, found.case, found.path) == ("hint", None, ("tools", 0))
    optional = case(any_of=(plan("search"), plan(expected("get_weather", optional=True))))
    assert of("unused_tool", optional, tools=[WEATHER, OTHER]) == []
    assert of("unused_tool", case(), tools=[WEATHER]) == []


def test_a_schema_that_is_none_is_an_error_and_its_arguments_are_left_alone() -> None:
    broken = ToolDefinition("t", parameters={"type": "object", "properties": {"x": {"type": "strng"}}})
    found = of("invalid_schema", case([expected("t", {"y": 1})]), tools=[broken])
    assert [(one.severity, one.path) for one in found] == [("error", ("tools", 0))]
    assert kinds(case([expected("t", {"y": 1})]), tools=[broken]) == ["invalid_schema"]


@pytest.mark.parametrize(
    ("schema", "call", "severity"),
    [
        (WEATHER, ExpectedCall("get_weather", {"citty": "x"}), "error"),
        (WEATHER, ExpectedCall("get_weather", check={"citty": "x"}), "warning"),
        (tool("get_weather", city={}), ExpectedCall("get_weather", {"citty": "x"}), "warning"),
        (tool("get_weather", city={}), ExpectedCall("get_weather", {"city": "x"}), None),
        (WEATHER, ExpectedCall("get_weather", {"citty": {"$absent": True}}), None),
        (WEATHER, ExpectedCall("get_weather", forbid_args=("citty",)), None),
        (ToolDefinition("get_weather"), ExpectedCall("get_weather", {"citty": "x"}), None),
        (ToolDefinition("get_weather", parameters={"type": "object"}), ExpectedCall("get_weather", {"y": 1}), None),
        (
            ToolDefinition("get_weather", parameters={"properties": {}, "additionalProperties": {"type": "string"}}),
            ExpectedCall("get_weather", {"y": "x"}),
            None,
        ),
        (
            ToolDefinition("get_weather", parameters={"properties": {}, "allOf": [{"properties": {"y": {}}}]}),
            ExpectedCall("get_weather", {"y": "x"}),
            None,
        ),
    ],
)
def test_arguments_that_the_schema_does_not_have(
    schema: ToolDefinition, call: ExpectedCall, severity: str | None
) -> None:
    found = of("unknown_arg", case([call]), tools=[schema])
    assert [one.severity for one in found] == ([] if severity is None else [severity])
    if found and "city" in str(schema.parameters):
        assert found[0].values["near"] == "city"


def test_a_required_argument_must_not_be_forbidden() -> None:
    for call, place in (
        (expected("get_weather", forbid_args=("city",)), ("forbid_args", 0)),
        (expected("get_weather", {"city": {"$absent": True}}), ("args", "city")),
        (expected("get_weather", check={"city": {"$absent": True}}), ("check", "city")),
        (expected("get_weather", {"days": 1}, forbid_args=("units", "*")), ("forbid_args", 1)),
    ):
        (found,) = of("required_arg_forbidden", case([call]), tools=[WEATHER])
        assert (found.severity, found.path) == ("error", ("expect", "calls", 0, *place))
    for call in (
        expected("get_weather", forbid_args=("units",)),
        expected("get_weather", {"city": "x"}, forbid_args=("*",)),
        expected("get_weather", {"city": {"$default": "x"}}),
    ):
        assert of("required_arg_forbidden", case([call]), tools=[WEATHER]) == []


def test_impossible_values_are_errors_and_single_options_warnings() -> None:
    wrong = case([expected("get_weather", {"units": "kelvin", "days": {"$one_of": [0, 3, "4"]}})])
    error, first, second = of("impossible_value", wrong, tools=[WEATHER])
    assert (error.severity, error.path) == ("error", ("expect", "calls", 0, "args", "units"))
    assert error.values["allowed"] == {"type": "string", "enum": ["celsius", "fahrenheit"]}
    assert (first.severity, first.path[-2:], first.values["value"]) == ("warning", ("$one_of", 0), 0)
    assert (second.path[-2:], second.values["value"]) == (("$one_of", 2), "4")
    right = case([expected("get_weather", {"units": "celsius", "days": {"$one_of": [1, {"$absent": True}]}})])
    assert of("impossible_value", right, tools=[WEATHER]) == []


TEXT: JsonValue = {"type": "string"}
WHOLE: JsonValue = {"type": "integer", "minimum": 1, "maximum": 7}
NUMBER: JsonValue = {"type": "number", "exclusiveMinimum": 0}
UNITS: JsonValue = {"enum": ["celsius", "fahrenheit", 1]}
CODE: JsonValue = {"type": "string", "pattern": "^[A-Z]{3}$"}
LIST: JsonValue = {"type": "array", "items": {"type": "integer"}}
OBJECT: JsonValue = {"type": "object", "properties": {"a": TEXT}, "additionalProperties": False}
EITHER: JsonValue = {"anyOf": [TEXT, {"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "rule", "never"),
    [
        (TEXT, 3, True),
        (TEXT, "3", False),
        (WHOLE, 3, False),
        (WHOLE, 3.0, False),
        (WHOLE, 8, True),
        (WHOLE, True, True),
        (WHOLE, {"$default": 8}, True),
        (WHOLE, {"$one_of": [0, 8]}, True),
        (WHOLE, {"$one_of": [0, 7]}, False),
        (WHOLE, {"$regex": "^[0-9]$"}, True),
        (TEXT, {"$regex": "^[0-9]$"}, False),
        (EITHER, {"$regex": "a"}, False),
        (EITHER, {"$range": [1, 2]}, True),
        (WHOLE, {"$range": [8, 9]}, True),
        (WHOLE, {"$range": [7, 9]}, False),
        (WHOLE, {"$range": {"max": 0.5}}, True),
        (WHOLE, {"$range": [2.1, 2.9]}, True),
        ({"type": "number"}, {"$range": [2.1, 2.9]}, False),
        (NUMBER, {"$range": [-3, 0]}, True),
        (NUMBER, {"$range": [-3, None]}, False),
        (NUMBER, {"$approx": {"value": -1, "abs": 0.5}}, True),
        (NUMBER, {"$approx": {"value": -1, "abs": 1.5}}, False),
        (WHOLE, {"$approx": 7}, False),
        (TEXT, {"$approx": 7}, True),
        (WHOLE, {"$range": ["2025-01-01", "2025-02-01"]}, True),
        (TEXT, {"$range": ["2025-01-01", None]}, False),
        (TEXT, {"$date": "2025-01-01"}, False),
        (WHOLE, {"$date": "2025-01-01"}, True),
        ({"type": "integer"}, {"$date": 2025}, False),
        ({"type": "boolean"}, {"$date": {"value": "2025-01-01", "precision": "year"}}, True),
        (UNITS, "kelvin", True),
        (UNITS, {"$regex": "^c"}, False),
        (UNITS, {"$regex": "^k"}, True),
        (UNITS, {"$not": "celsius"}, False),
        ({"const": "a"}, {"$not": "a"}, True),
        (UNITS, {"$range": [1, 2]}, False),
        (UNITS, {"$from": "t"}, False),
        (UNITS, {"$any": True}, False),
        (CODE, "abc", True),
        (CODE, "ABC", False),
        (CODE, {"$contains": "b"}, False),
        (LIST, {"$contains": "b"}, False),
        (WHOLE, {"$contains": "b"}, True),
        (TEXT, {"$contains": [1]}, True),
        (LIST, {"$set": [1, 2]}, False),
        (LIST, {"$set": [1, "b"]}, True),
        (TEXT, {"$set": []}, True),
        (LIST, {"$items": {"$range": [1, 2]}}, False),
        (TEXT, {"$items": 1}, True),
        (LIST, [1, {"$any": True}], False),
        (LIST, ["a", {"$any": True}], True),
        (OBJECT, {"a": {"$any": True}}, False),
        (OBJECT, {"$partial": {"a": "x"}}, False),
        (OBJECT, {"$partial": {"a": 1}}, True),
        (OBJECT, {"$partial": {"b": 1}}, True),
        (OBJECT, {"$partial": {"b": {"$absent": True}}}, False),
        (LIST, {"$partial": {"a": "x"}}, True),
        (TEXT, {"$schema": {"type": "integer"}}, False),
        (TEXT, {"$absent": True}, False),
        ({}, {"$regex": "a"}, False),
        ({}, None, False),
        (True, {"$regex": "a"}, False),
        (False, 1, True),
        ({"$ref": "#/$defs/day"}, {"$range": [1, 2]}, True),
        ({"$ref": "#/$defs/day"}, "2025", False),
        ({"$ref": "#/$defs/day"}, 2025, True),
        ({"$ref": "#/nowhere"}, 2025, False),
        ({"$ref": "https://example.com/x.json"}, 2025, False),
    ],
)
def test_what_can_never_be_valid(schema: JsonValue, rule: JsonValue, never: bool) -> None:
    root: dict[str, JsonValue] = {"$defs": {"day": TEXT}}
    assert impossible(rule, ArgumentSchema(schema, root), None) is never


def test_a_python_callable_is_always_possible() -> None:
    assert not impossible(lambda _: False, ArgumentSchema(TEXT, {}), None)


@pytest.mark.parametrize(
    ("rule", "impossible"),
    [
        ({"$set": ["a", "b", "c"]}, True),
        ({"$set": ["a", "b", "b"]}, False),
        ({"$set": ["a", "b", {"$any": True}]}, False),
        ([{"$any": True}, "b", "c"], True),
        ([{"$any": True}], True),
        ([{"$any": True}, "b"], False),
        ({"$literal": ["a", "b", "c"]}, True),
        ({"$literal": ["a", "b"]}, False),
    ],
)
def test_a_list_has_to_be_as_long_as_the_schema_wants(rule: JsonValue, impossible: bool) -> None:
    listing = tool("t", x={"type": "array", "minItems": 2, "maxItems": 2})
    assert len(of("impossible_value", case([expected("t", {"x": rule})]), tools=[listing])) == impossible


def test_a_value_has_to_keep_to_the_format_of_the_schema() -> None:
    dated = tool("t", day={"type": "string", "format": "date"})
    assert of("impossible_value", case([expected("t", {"day": "2025-01-31"})]), tools=[dated]) == []
    assert len(of("impossible_value", case([expected("t", {"day": "31/1/2025"})]), tools=[dated])) == 1


def test_bounds_that_are_too_large_for_a_float_are_compared() -> None:
    huge = 10**400
    assert impossible({"$range": [huge, None]}, ArgumentSchema({"type": "integer", "maximum": 5}, {}), None)
    assert not impossible({"$range": [huge, None]}, ArgumentSchema({"type": "integer", "minimum": huge}, {}), None)
    assert impossible({"$range": [None, 5]}, ArgumentSchema({"type": "number", "exclusiveMinimum": huge}, {}), None)
