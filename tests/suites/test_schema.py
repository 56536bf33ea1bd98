"""The JSON schema of the suite format: current, true to the loader, and written beside a new suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema_rs import Validator, validator_for

from toolgauge.core import JsonValue
from toolgauge.errors import InputError
from toolgauge.matchers import MATCHERS
from toolgauge.suites import load_suite
from toolgauge.suites.schema import SCHEMA_FILE, read_schema, suite_schema

from ..cli.running import toolgauge

ROOT = Path(__file__).parent.parent.parent
SUITES = [
    *sorted((ROOT / "src/toolgauge/cli/starter").glob("*/suite.yaml")),
    ROOT / "examples/demo/suite.yaml",
]


@pytest.fixture(scope="module")
def validator() -> Validator:
    return validator_for(json.loads(read_schema()))


def test_the_shipped_schema_is_current() -> None:
    message = "write it again with: python -m toolgauge.suites.schema"
    assert json.loads(read_schema()) == suite_schema(), message


def test_editors_can_say_what_types_keys_and_matchers_mean() -> None:
    schema: dict[str, Any] = suite_schema()
    kinds = schema["definitions"]
    assert kinds["Case"]["description"] == "One question and what is expected."
    assert kinds["Expect"]["properties"]["neutral"]["description"] == "Tools that cost nothing."
    assert kinds["Plan"]["properties"]["order"]["description"].startswith("Absent:")
    matchers = kinds["Rule"]["anyOf"][-1]["properties"]
    assert set(matchers) == set(MATCHERS)
    assert matchers["$one_of"]["description"]


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.parent.name)
def test_the_suites_that_come_with_toolgauge_are_valid(path: Path, validator: Validator) -> None:
    assert not list(validator.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8"))))


def one(**expect: JsonValue) -> JsonValue:
    return {"cases": [{"id": "a", "expect": dict(expect)}]}


def rules(*values: JsonValue) -> list[JsonValue]:
    """A suite for each rule of an argument."""
    return [one(calls=[{"tool": "t", "args": {"x": value}}]) for value in values]


RIGHT: list[JsonValue] = [
    {"cases": [{"id": "a"}]},
    {"cases": [{"id": "001", "labels": {"level": "3"}, "budget": {"calls": 2}, "limits": {"seconds": 3}}]},
    {"cases": [{"id": "a"}], "settings": {"weights": {"content": 0.1}, "threshold": 0.5}, "name": "x"},
    {"cases": [{"id": "a"}], "tools": [{"name": "t", "inputSchema": {"type": "object"}, "annotations": {}}]},
    one(calls=[], order="strict", extra="forbid", contains=["x"], answer={"type": "number", "value": 3}),
    one(any_of=[{"calls": [{"tool": "t", "times": {"min": 0}, "id": "x", "after": []}], "order": "any"}]),
    {"cases": [{"id": "a", "now": "2026-01-31"}, {"id": "b", "now": "2026-01-31T10:00:00"}, {"id": "c", "now": None}]},
    one(answer={"type": "number", "value": "3.5", "tolerance": "10%", "unit": "%"}),
    one(answer={"type": "number", "range": [1, 2], "unit": "°C"}),
    one(answer={"type": "time", "value": 1975, "tolerance_years": 1, "free_text": True}),
    one(answer={"type": "time", "range": ["1990", "1995-02"]}),
    one(answer={"type": "string", "value": "Huế", "aliases": ["Hue", 1], "ignore_tones": True}),
    one(answer={"type": "list", "value": ["a", 2], "ignore_tones": False}),
    one(answer={"type": "boolean", "value": False}),
    one(answer={"type": "text", "contains": ["a"]}),
    one(answer=None),
    one(calls=[{"tool": "t", "times": 2, "optional": True, "check": {"x": {"$any": True}}, "forbid_args": ["*"]}]),
    *rules(
        1,
        None,
        [1, {"a": {"$any": True}}],
        {"$any": None},
        {"$one_of": [1, {"$absent": True}]},
        {"$not": {"$regex": "^a"}},
        {"$default": "x"},
        {"$contains": ["a", 1]},
        {"$approx": 1.5},
        {"$approx": {"value": 1, "rel": 0.1, "abs": 0}},
        {"$range": [1, None]},
        {"$range": {"min": "2025-01-01"}},
        {"$date": "2025-01"},
        {"$date": {"value": 2025, "precision": "year"}},
        {"$set": []},
        {"$items": {"$range": [1, 2]}},
        {"$partial": {"a": 1}},
        {"$schema": {"type": "string"}},
        {"$from": ["a", "b"]},
        {"$literal": {"age": {"$gt": 5}}},
    ),
]

WRONG: list[JsonValue] = [
    {},
    [],
    {"cases": [{"id": "a"}], "casses": []},
    {"cases": [{"input": "x"}]},
    {"cases": [{"id": "a", "expct": {}}]},
    {"cases": [{"id": "a", "locale": "fr"}]},
    {"cases": [{"id": "a", "budget": {"calls": -1}}]},
    {"cases": [{"id": "a"}], "settings": {"threshold": 2}},
    one(order="stric"),
    one(calls={"tool": "t"}),
    one(calls=[{"tol": "t"}]),
    one(calls=[{"tool": "t", "args": {"$any": True}}]),
    one(any_of=[{"order": "any"}]),
    one(calls=None),
    one(any_of=[]),
    one(calls=[], any_of=[{"calls": []}]),
    one(calls=[{"tool": "t", "times": 0}]),
    one(calls=[{"tool": "t", "times": 1001}]),
    one(calls=[{"tool": " "}]),
    {"cases": [{"id": ""}]},
    {"cases": [{"id": "a", "now": "yesterday"}]},
    {"cases": [{"id": "a", "now": "20260131T10"}]},
    one(answer={}),
    one(answer={"type": "numbr", "value": 1}),
    one(answer={"type": "number"}),
    one(answer={"type": "number", "value": 1, "range": [1, 2]}),
    one(answer={"type": "number", "value": 1, "aliases": []}),
    one(answer={"type": "number", "range": [1]}),
    one(answer={"type": "time", "value": 1975, "tolerance_years": -1}),
    one(answer={"type": "time", "value": 1975, "free_text": "yes"}),
    one(answer={"type": "string", "value": ""}),
    one(answer={"type": "list", "value": "a"}),
    one(answer={"type": "boolean", "value": "yes"}),
    one(answer={"type": "text", "contains": []}),
    *rules(
        {"$one_off": [1]},
        {"$one_of": []},
        {"$one_of": 1},
        {"$any": 3},
        {"$any": True, "x": 1},
        {"a": {"$nope": 1}},
        {"$one_of": [{"$nope": 1}]},
        {"$contains": ""},
        {"$approx": "1"},
        {"$approx": {"rel": 1}},
        {"$approx": {"value": 1, "rel": -1}},
        {"$range": [1]},
        {"$range": {"low": 1}},
        {"$date": "yesterday"},
        {"$date": {"value": "2025", "precision": "hour"}},
        {"$set": 1},
        {"$partial": [1]},
        {"$schema": "string"},
        {"$from": []},
    ),
]


@pytest.mark.parametrize("document", RIGHT, ids=json.dumps)
def test_what_the_loader_takes_is_valid(document: JsonValue, validator: Validator, tmp_path: Path) -> None:
    assert not list(validator.iter_errors(document))
    (tmp_path / "s.json").write_text(json.dumps(document), encoding="utf-8")
    assert load_suite(tmp_path / "s.json").cases


@pytest.mark.parametrize("document", WRONG, ids=json.dumps)
def test_what_the_loader_refuses_is_not_valid(document: JsonValue, validator: Validator, tmp_path: Path) -> None:
    assert not validator.is_valid(document)
    (tmp_path / "s.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError):
        load_suite(tmp_path / "s.json")


def test_a_number_where_a_text_is_meant_is_fine_in_yaml(validator: Validator, tmp_path: Path) -> None:
    text = "cases: [{id: 1, input: 3.5, labels: {level: 3}, expect: {contains: [75, true]}}]"
    validator.validate(yaml.safe_load(text))
    (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
    assert load_suite(tmp_path / "s.yaml").cases[0].labels == {"level": "3"}


def test_init_writes_the_schema_and_the_suite_names_it_in_its_first_line(tmp_path: Path) -> None:
    for lang in ("en", "vi"):
        target = tmp_path / lang
        assert toolgauge("init", target, "--lang", lang).returncode == 0
        first = (target / "suite.yaml").read_text(encoding="utf-8").split("\n")[0]
        assert first == f"# yaml-language-server: $schema={SCHEMA_FILE}"
        assert (target / SCHEMA_FILE).read_bytes() == read_schema()
        load_suite(target / "suite.yaml")
