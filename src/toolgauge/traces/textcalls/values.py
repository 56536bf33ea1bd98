"""Calls as values: JSON or Python objects that a model writes to call a tool, in the keys that models use.

A definition of a tool, which models like to repeat, looks much the same and is no call. Nothing is ever evaluated.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import NamedTuple

import msgspec

from toolgauge.core import JsonValue

from ..formats.calltext import literal
from ..values import Record, is_deep

__all__ = ["LONGEST", "WrittenCall", "calls_in_value", "decode_at", "plain_source", "value_of"]

LONGEST = 200_000
"""Longer texts are not parsed as Python: no calls are that long, and parsing takes memory."""

NAMES = ("name", "tool_name", "tool", "function", "action")
ARGUMENTS = ("arguments", "parameters", "args", "tool_input", "action_input", "input", "params")
SURE_NAMES, SURE_ARGUMENTS = NAMES[:3], ARGUMENTS[:4]
"""The keys by which a text that is nothing but an object is a call, and not an answer in JSON."""

HOLDERS = ("function", "function_call", "tool_call")
"""Where an object keeps the call itself."""

LISTS = ("tool_calls", "function_calls")
BESIDE = frozenset(
    {
        *("id", "call_id", "tool_call_id", "type", "index", "thought", "thoughts", "reasoning", "role", "content"),
        *NAMES,
        *ARGUMENTS,
        *HOLDERS,
        *LISTS,
    }
)
"""What may stand in the object of a call."""

NO_TOOL = frozenset({"", "none", "no_function", "out_of_domain", "directly_answer", "directly-answer"})
"""What models write, in small letters, where they call nothing."""

SCHEMAS = ("parameters", "arguments", "inputSchema", "input_schema")
WORDS = re.compile(r"\b(?:true|false|null)\b")
JSON_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
QUOTED_ARGUMENTS = re.compile(r"""("(?:arguments|parameters)"\s*:\s*)'""")
"""How Glaive's data begin arguments: JSON in single quotation marks, within JSON."""


class WrittenCall(NamedTuple):
    """A call that was written in a text."""

    name: str
    arguments: Record
    id: JsonValue = None
    unnamed: int = 0
    """How many arguments had no name, which are left out."""


_decoder = json.JSONDecoder(strict=False)


def decode_at(text: str, position: int) -> tuple[JsonValue, int] | None:
    """The JSON value that begins at a position, and where it ends; None where there is none, or it is too deep."""
    try:
        value, end = _decoder.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None
    written = text[position:end]
    try:
        found: JsonValue = msgspec.json.decode(written)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        # Models write line breaks into texts as they are; what no file could hold is not taken.
        try:
            found = msgspec.json.decode(json.dumps(value))
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError, ValueError):
            return None
    return None if is_deep(written, found) else (found, end)


def value_of(text: str) -> Record | list[JsonValue] | None:
    """The object or list that a text is, in JSON, in Python or in between; None where it is neither."""
    text = text.strip()
    if text[:1] not in ("{", "["):
        return None
    if "\\_" in text and decode_at(text, 0) is None:
        # Models that are used to Markdown write underscores like that.
        text = text.replace("\\_", "_")
    decoded = decode_at(text, 0)
    if decoded is not None and isinstance(decoded[0], (dict, list)) and not text[decoded[1] :].strip(" \t\r\n;"):
        return decoded[0]
    quoted = _with_quoted_arguments(text)
    if quoted is not None:
        return quoted
    source = plain_source(text)
    found = None if source is None else literal(source)
    return found if isinstance(found, (dict, list)) and not is_deep(text, found) else None


def _with_quoted_arguments(text: str) -> Record | None:
    """An object of which the arguments come last, and are JSON in single quotation marks."""
    begin = QUOTED_ARGUMENTS.search(text)
    inside = text[:-1].rstrip() if text.endswith("}") else ""
    if begin is None or not inside.endswith("'") or len(inside) <= begin.end():
        return None
    arguments = decode_at(inside[begin.end() : -1].replace("\\'", "'").strip(), 0)
    rest = decode_at(f"{text[: begin.start()]}{begin[1]}0}}", 0)
    if arguments is None or rest is None or not isinstance(rest[0], dict):
        return None
    return {**rest[0], "arguments": arguments[0]}


class _JsonWords(ast.NodeTransformer):
    """Writes true, false and null as Python does."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(JSON_WORDS[node.id]) if node.id in JSON_WORDS else node


def plain_source(text: str) -> str | None:
    """The text of a Python expression in which the words of JSON are those of Python; None where it is none."""
    if len(text) > LONGEST:
        return None
    if WORDS.search(text) is None:
        return text
    with warnings.catch_warnings():
        # Texts of models hold escapes such as `\d`, of which Python warns.
        warnings.simplefilter("ignore")
        try:
            return ast.unparse(_JsonWords().visit(ast.parse(text.strip(), mode="eval")))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def calls_in_value(value: JsonValue, *, sure: bool, marked: bool = False) -> list[WrittenCall] | None:
    """The calls that a value is; None where it is something else.

    The list is empty where the value says that nothing is called, or holds definitions of tools.

    Args:
        value: What was written.
        sure: Whether it has to be beyond doubt.
        marked: Whether something around the value marks it as a call, so that arguments may be missing.
    """
    if isinstance(value, dict):
        listed = next((value[key] for key in LISTS if isinstance(value.get(key), list)), None)
        if listed is not None and BESIDE.issuperset(value):
            return calls_in_value(listed, sure=False, marked=True)
    items = value if isinstance(value, list) else [value]
    found: list[WrittenCall] = []
    for item in items:
        if not isinstance(item, dict) or not item:
            return None
        if _is_definition(item):
            continue
        call = _call_of(item, sure=sure, marked=marked)
        if call is None:
            several = _by_name(item) if isinstance(value, list) and not sure else None
            if several is None:
                return None
            found += several
        elif call.name.strip().lower() not in NO_TOOL:
            found.append(call)
    return None if sure and not items else found


def _call_of(item: Record, *, sure: bool, marked: bool) -> WrittenCall | None:
    holder = next((inner for key in HOLDERS if isinstance(inner := item.get(key), dict)), item)
    if sure and not (BESIDE.issuperset(item) and BESIDE.issuperset(holder)):
        return None
    name = next((found for key in (SURE_NAMES if sure else NAMES) if isinstance(found := holder.get(key), str)), None)
    if name is None or (sure and not name.strip()):
        return None
    keys = [key for key in (SURE_ARGUMENTS if sure else ARGUMENTS) if key in holder]
    if not keys and not marked:
        return None
    given = holder[keys[0]] if keys else None
    if isinstance(given, str):
        written = given.strip()
        decoded = value_of(written) if written else {}
        given = {"input": given} if decoded is None and not sure else decoded
    if given is None and not sure:
        given = {}
    if not isinstance(given, dict):
        return None
    return WrittenCall(name, given, item.get("id") or item.get("call_id") or item.get("tool_call_id"))


def _by_name(item: Record) -> list[WrittenCall] | None:
    """Calls as an object with the arguments of each under its name."""
    found = [WrittenCall(name, given) for name, given in item.items() if isinstance(given, dict)]
    return found if len(found) == len(item) else None


def _is_definition(item: Record) -> bool:
    """Whether an object defines a tool, with a schema of its arguments, rather than calling it."""
    holder = item.get("function")
    if not isinstance(holder, dict):
        holder = item
    if isinstance(holder.get("description"), str) and any(key in holder for key in SCHEMAS):
        return True
    for key in SCHEMAS:
        schema = holder.get(key)
        if isinstance(schema, dict) and schema.get("type") in ("object", "dict"):
            properties = schema.get("properties")
            if isinstance(properties, dict) and all(isinstance(each, dict) for each in properties.values()):
                return True
    return False
