"""JSON schemas that would take for ever: measured before anything is checked by them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from toolgauge.core import JsonValue
from toolgauge.matchers import TooMuchWork, compile_schema, schema_fault
from toolgauge.matchers.schema_work import MOST_STEPS, SchemaGraph

Schema = dict[str, JsonValue]
A_WHILE = 10.0
"""Seconds of the processor; without a bound these would take hours."""


def doubling(levels: int, keyword: str = "allOf", home: str = "$defs") -> Schema:
    """Each part asks the next one twice."""
    parts: Schema = {
        f"p{level}": {keyword: [{"$ref": f"#/{home}/p{level + 1}"}, {"$ref": f"#/{home}/p{level + 1}"}]}
        for level in range(levels)
    }
    return {"$ref": f"#/{home}/p0", home: {**parts, f"p{levels}": {"type": "string"}}}


def by_anchors(levels: int, reference: str, anchor: str) -> Schema:
    """The same by names."""
    parts: Schema = {
        f"p{level}": {anchor: f"n{level}", "anyOf": [{reference: f"#n{level + 1}"}, {reference: f"#n{level + 1}"}]}
        for level in range(levels)
    }
    return {"$ref": "#/$defs/p0", "$defs": {**parts, f"p{levels}": {anchor: f"n{levels}", "type": "string"}}}


def by_addresses(levels: int) -> Schema:
    """The same by addresses of the parts."""
    parts: Schema = {
        f"p{level}": {"$id": f"http://x.example/{level}", "allOf": [{"$ref": f"{level + 1}"}, {"$ref": f"{level + 1}"}]}
        for level in range(levels)
    }
    return {"$ref": "http://x.example/0", "$defs": {**parts, "last": {"$id": f"http://x.example/{levels}"}}}


def inside_parts(levels: int) -> Schema:
    """Pointers that count from the address of the part that they stand in, and are something else from the root."""
    parts: Schema = {
        f"p{level}": {"allOf": [{"$ref": f"#/$defs/p{level + 1}"}, {"$ref": f"#/$defs/p{level + 1}"}]}
        for level in range(levels)
    }
    inner: Schema = {"$id": "http://x.example/inner", "$ref": "#/$defs/p0", "$defs": {**parts, f"p{levels}": {}}}
    return {"$ref": "#/$defs/inner", "$defs": {"inner": inner, "p0": {"type": "string"}}}


def of_keys(levels: int, keyword: str) -> Schema:
    """Each part asks the next one twice about what is in the value."""
    parts: Schema = {
        f"p{level}": {
            "allOf": [
                {keyword: {"x": {"$ref": f"#/$defs/p{level + 1}"}}},
                {keyword: {"x": {"$ref": f"#/$defs/p{level + 1}"}}},
            ]
        }
        for level in range(levels)
    }
    return {"$ref": "#/$defs/p0", "$defs": {**parts, f"p{levels}": {"type": "string"}}}


def conditions(levels: int) -> Schema:
    """Each part asks the next one as a condition and as what follows."""
    parts: Schema = {
        f"p{level}": {"if": {"$ref": f"#/$defs/p{level + 1}"}, "then": {"$ref": f"#/$defs/p{level + 1}"}}
        for level in range(levels)
    }
    return {"$ref": "#/$defs/p0", "$defs": {**parts, f"p{levels}": {}}}


def everybody(parts: int) -> Schema:
    """Each part asks every part."""
    every: list[JsonValue] = [{"$ref": f"#/$defs/p{number}"} for number in range(parts)]
    return {"$ref": "#/$defs/p0", "$defs": {f"p{number}": {"allOf": every} for number in range(parts)}}


def chain(length: int) -> Schema:
    """Each part asks the next one, once."""
    parts: Schema = {f"p{number}": {"$ref": f"#/$defs/p{number + 1}"} for number in range(length)}
    return {"$ref": "#/$defs/p0", "$defs": {**parts, f"p{length}": {}}}


@pytest.mark.parametrize(
    "schema",
    [
        *(doubling(levels, keyword) for levels in (30, 36, 200) for keyword in ("allOf", "anyOf", "oneOf")),
        doubling(30, "allOf", "definitions"),
        doubling(36, "not"),
        by_anchors(36, "$ref", "$anchor"),
        by_anchors(36, "$dynamicRef", "$dynamicAnchor"),
        by_addresses(36),
        inside_parts(36),
        of_keys(36, "properties"),
        of_keys(36, "patternProperties"),
        of_keys(36, "dependentSchemas"),
        conditions(36),
        everybody(9),
        {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
        chain(100_000),
        {"allOf": [{"type": "string"}] * 200_000},
    ],
    ids=lambda schema: f"{len(str(schema)):,}",
)
def test_a_schema_that_would_take_for_ever_is_refused_before_it_is_compiled(schema: Schema) -> None:
    began = time.process_time()
    with pytest.raises(
        ValueError, match=r"leads back to itself|more than [0-9,]+ (rules|levels deep)|not valid|is not"
    ):
        compile_schema(schema)
    assert schema_fault(schema) is not None
    assert time.process_time() - began < A_WHILE


def nested(depth: int) -> JsonValue:
    value: JsonValue = "end"
    for _ in range(depth):
        value = {"x": value}
    return value


TREE: Schema = {
    "$defs": {
        "node": {
            "anyOf": [
                {"type": "object", "properties": {"x": {"$ref": "#/$defs/node"}}, "required": ["a"]},
                {"type": "object", "properties": {"x": {"$ref": "#/$defs/node"}}, "required": ["b"]},
            ]
        }
    },
    "$ref": "#/$defs/node",
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (TREE, nested(150)),
        ({"pattern": "[ab]*a[ab]{10000}c"}, "ab" * 500_000),
        ({"patternProperties": {"[ab]*a[ab]{10000}c": {}}}, {"ab" * 500_000: 1}),
        ({"items": {"allOf": [{"minimum": number} for number in range(20_000)]}}, [1e9] * 100_000),
        ({"items": {"enum": list(range(50_000))}}, [-1] * 100_000),
    ],
    ids=["tree", "pattern", "key pattern", "many rules", "many choices"],
)
def test_a_value_that_would_take_for_ever_is_not_checked(schema: Schema, value: JsonValue) -> None:
    compiled = compile_schema(schema)
    began = time.process_time()
    with pytest.raises(TooMuchWork):
        compiled.is_valid(value)
    assert [breach.message for breach in compiled.breaches(value, 5)] == ["too much work to check this value"]
    assert time.process_time() - began < A_WHILE


def test_breaches_without_number_are_not_listed_one_by_one() -> None:
    compiled = compile_schema({"items": {"allOf": [{"type": "string"}] * 300}})
    value: JsonValue = list(range(3_000))
    assert not compiled.is_valid(value)
    (breach,) = compiled.breaches(value, 5)
    assert breach.message == "the value breaks the schema in too many ways to list"


def test_a_breach_of_a_long_text_is_told_in_short() -> None:
    compiled = compile_schema({"properties": {"x": {"type": "integer"}}})
    (breach,) = compiled.breaches({"x": "a" * 1_000_000}, 5)
    assert (breach.key, breach.path) == ("x", ("x",))
    assert len(breach.message) < 2_000


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (doubling(8), "text", 1),
        (TREE, {"a": 1, "x": {"b": 2, "x": {"a": 3}}}, nested(5)),
        (chain(100), 1, None),
        ({"pattern": "^[0-9]{3}-[0-9]{4}$"}, "123-4567", "12"),
        ({"properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}}, {"next": {"next": {"n": 1}}}, {"n": ""}),
    ],
)
def test_what_real_schemas_say_is_checked_as_before(schema: Schema, good: JsonValue, bad: JsonValue) -> None:
    compiled = compile_schema(schema)
    assert compiled.is_valid(good)
    if bad is not None:
        assert not compiled.is_valid(bad)
        assert compiled.breaches(bad, 5)


def test_steps_grow_with_what_is_looked_at() -> None:
    graph = SchemaGraph({"properties": {"x": {"$ref": "#"}}})
    assert graph.recursive
    assert graph.work({"y": nested(20)}) == graph.work([1, 2, 3]) == graph.work(0)
    more = graph.work(nested(1)) - graph.work(0)
    assert [graph.work(nested(depth)) for depth in (2, 20, 40)] == [
        graph.work(0) + depth * more for depth in (2, 20, 40)
    ]


@pytest.mark.parametrize(
    ("pattern", "least", "most"),
    [("abc", 3, 4), ("a{10}", 10, 12), ("(ab){10}", 20, 40), ("((a{50}){50}){50}", 125_000, 400_000), (r"\{5}", 3, 3)],
)
def test_places_of_a_pattern_are_counted_with_what_is_repeated(pattern: str, least: int, most: int) -> None:
    assert least <= SchemaGraph({"pattern": pattern}).states <= most


def test_a_plain_schema_is_not_measured_again_for_every_value() -> None:
    make: Callable[[JsonValue], SchemaGraph] = lambda more: SchemaGraph(  # noqa: E731 - reads better in one place
        {"type": "object", "properties": {"city": {"type": "string", "description": "Where."}, "more": more}}
    )
    assert make({"enum": ["a", "b"]}).harmless
    assert not make({"enum": list(map(str, range(1_000)))}).harmless
    assert not make({"pattern": "a"}).harmless
    assert make({"pattern": "a"}).work({"city": "x" * 1000}) < MOST_STEPS
