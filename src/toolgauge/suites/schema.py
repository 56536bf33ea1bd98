"""The JSON schema of the suite format, with which editors complete keys and underline mistakes.

It is made of the types that suites are read with and of the table of matchers, and is shipped as `suite.schema.json`:

    python -m toolgauge.suites.schema

An editor sees YAML with its own eyes: where the loader keeps `001` as a text, it sees a number. So the schema accepts
numbers and booleans wherever a text is meant.
"""

from __future__ import annotations

import ast
import inspect
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from toolgauge.core import suite as types
from toolgauge.matchers import NOT_A_MATCHER, RULE_SCHEMA, TEXT_SCHEMA, object_schema, rule_schema

from . import definitions, load
from .check import MAX_TIMES

__all__ = ["SCHEMA_FILE", "read_schema", "suite_schema"]

SCHEMA_FILE = "suite.schema.json"
"""Name of the shipped schema, and of its copy beside a suite."""

Schema: TypeAlias = dict[str, Any]

_MOMENT = "^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?$"
_NOT_BLANK = "\\S"


def read_schema() -> bytes:
    """The shipped schema."""
    return (files("toolgauge.suites") / SCHEMA_FILE).read_bytes()


def suite_schema() -> Schema:
    """The schema, made of the types that suites are read with."""
    (top,), parts = msgspec.json.schema_components([load.WrittenSuite], ref_template="#/definitions/{name}")
    described = _descriptions()
    for name, part in parts.items():
        for key, schema in part.get("properties", {}).items():
            if (name, key) in described:
                part["properties"][key] = {"description": described[name, key], **_beside_reference(schema)}
    shown: Schema = _as_editors_see(parts)
    for key in ("args", "check"):
        shown["ExpectedCall"]["properties"][key] |= {
            "additionalProperties": RULE_SCHEMA,
            "propertyNames": NOT_A_MATCHER,
        }
    _narrow(shown)
    whole = shown.pop(top["$ref"].rpartition("/")[2])
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **whole,
        "title": "toolgauge suite",
        "description": "Cases, the tools that are there to solve them, and how they are scored.",
        "definitions": {**shown, "Rule": rule_schema()},
    }


def _narrow(parts: Schema) -> None:
    """Refuse what the types allow and the rules of the loader do not."""
    case, expect, call = (parts[name]["properties"] for name in ("Case", "Expect", "ExpectedCall"))
    case["id"]["pattern"] = call["tool"]["pattern"] = _NOT_BLANK
    case["now"] = {**_described(case["now"]), "anyOf": [{"type": "string", "pattern": _MOMENT}, {"type": "null"}]}
    calls = next(choice for choice in expect["calls"]["anyOf"] if choice["type"] == "array")
    expect["calls"] = {**_described(expect["calls"]), **calls}
    expect["any_of"]["minItems"] = 1
    parts["Expect"]["not"] = {"required": ["calls", "any_of"]}
    for choice in call["times"]["anyOf"]:
        if choice.get("type") == "integer":
            choice |= {"minimum": 1, "maximum": MAX_TIMES}
    expect["answer"] = {**_described(expect["answer"]), "anyOf": [*_answers(), {"type": "null"}]}


def _answers() -> list[Schema]:
    """The forms of a typed answer."""
    from toolgauge.answers import ANSWER_KEYS, ANSWER_TYPES, COMMON_KEYS  # many patterns, and this is seldom asked

    def _explained(keys: Schema) -> Schema:
        about = {key: {"description": text} for key, text in ANSWER_KEYS.items()}
        return {key: {**about.get(key, {}), **schema} for key, schema in {**keys, **COMMON_KEYS}.items()}

    typed = [
        object_schema(["type", needed], **_explained({"type": {"const": kind.name}, **_as_editors_see(keys)}))
        for kind in ANSWER_TYPES.values()
        for needed, keys in kind.schemas
    ]
    untyped = [
        object_schema([needed], **_explained(_as_editors_see(keys)))
        for kind in ANSWER_TYPES.values()
        for needed, keys in kind.schemas
    ]
    return [*typed, *untyped]


def _described(schema: Schema) -> Schema:
    return {"description": schema["description"]}


def _beside_reference(schema: Schema) -> Schema:
    """A schema that can have a description: in this draft, whatever stands beside a reference is ignored."""
    return {"allOf": [schema]} if "$ref" in schema else schema


def _as_editors_see(schema: Any) -> Any:
    """Texts that may look like numbers, and no default where it is only null."""
    if isinstance(schema, (list, tuple)):
        return [_as_editors_see(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _as_editors_see(item) for key, item in schema.items() if (key, item) != ("default", None)}
    return {**kept, **TEXT_SCHEMA} if kept.get("type") == "string" else kept


def _descriptions() -> dict[tuple[str, str], str]:
    """What the string below each field of the types says, by type and field."""
    found: dict[tuple[str, str], str] = {}
    for module in (types, definitions, load):
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.ClassDef):
                for field, below in zip(node.body, node.body[1:], strict=False):
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                        text = _text_of(below)
                        if text:
                            found[node.name, _written_name(field) or field.target.id] = text
    return found


def _written_name(field: ast.AnnAssign) -> str | None:
    """The key that stands for a field in a file, where it is not the name of the field."""
    given = field.value.keywords if isinstance(field.value, ast.Call) else ()
    return next((ast.literal_eval(one.value) for one in given if one.arg == "name"), None)


def _text_of(node: ast.stmt) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return inspect.cleandoc(node.value.value)
    return ""


def _write() -> None:
    text = json.dumps(suite_schema(), indent=2, ensure_ascii=False) + "\n"
    Path(__file__).with_name(SCHEMA_FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write()
