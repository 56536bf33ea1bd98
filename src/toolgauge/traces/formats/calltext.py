"""Reading calls that a model wrote as text: `[f(a=1, b='x'), g()]`, JSON, or JSON between tags.

Nothing is ever evaluated: the text is parsed, and values are taken from the syntax tree as far as they are literals.
Names and calls among the values become text, as on the Berkeley Function-Calling Leaderboard.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from toolgauge.core import JsonValue

__all__ = ["TextCall", "literal", "read_calls", "read_plain_calls"]

LONGEST = 200_000
"""Texts with more characters are not parsed: no calls are that long, and parsing takes memory."""

LARGEST_POWER = 64
FENCE = re.compile(r"\A```[a-zA-Z_]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
TAGGED = re.compile(r"<(tool_call|TOOLCALL|function_call|tool_calls)>(.*?)(?:</\1>|\Z)", re.DOTALL)

NUMBERS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: lambda left, right: left % right,
}


class TextCall(NamedTuple):
    """A call that stood in a text."""

    name: str
    arguments: dict[str, JsonValue]
    unnamed: int = 0
    """How many arguments had no name, which are left out."""


class _NoLiteralError(Exception):
    """A part of the text is no value that could be written down."""


def read_plain_calls(text: str) -> list[TextCall] | None:
    """The calls in a text that holds nothing else, but for backticks around them; None where it is no such text."""
    stripped = text.strip("`\n ")
    return _in_python(stripped) if stripped and len(text) <= LONGEST else None


def read_calls(text: str) -> list[TextCall] | None:
    """The calls in a text that begins with them; None where it is no such text.

    A fence around the calls and words after them do no harm. Words before them do: then the text speaks of calls
    rather than making them.
    """
    found = read_plain_calls(text)
    stripped = text.strip("`\n '\t\r")
    if found is not None or not stripped or len(text) > LONGEST:
        return found
    found = _in_python(stripped)
    if found is None:
        found = _in_json(stripped)
    if found is None and "<" in text:
        found = _between_tags(text)
    if found is None:
        found = _at_the_beginning(text.strip())
    return found


def literal(text: str) -> JsonValue:
    """The value of a Python literal; None where the text is none."""
    if len(text) > LONGEST:
        return None
    tree = _parse(text.strip())
    try:
        return None if tree is None else _value(tree)
    except (_NoLiteralError, RecursionError):
        return None


def _parse(text: str) -> ast.expr | None:
    with warnings.catch_warnings():
        # Texts of models hold escapes such as `\d`, of which Python warns.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _in_python(text: str) -> list[TextCall] | None:
    opening = "" if text.startswith("[") else "["
    closing = "" if text.endswith("]") else "]"
    if "(" not in text and text.strip("[] \n\t"):
        return None
    tree = _parse(f"{opening}{text}{closing}")
    try:
        if isinstance(tree, ast.Call):
            return [_call(tree)]
        if isinstance(tree, (ast.List, ast.Tuple)) and all(isinstance(item, ast.Call) for item in tree.elts):
            return [_call(item) for item in tree.elts if isinstance(item, ast.Call)]
    except (_NoLiteralError, RecursionError):
        return None
    return None


def _call(node: ast.Call) -> TextCall:
    arguments: dict[str, JsonValue] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise _NoLiteralError
        arguments[keyword.arg] = _value(keyword.value)
    return TextCall(_name(node.func), arguments, len(node.args))


def _name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise _NoLiteralError
    return ".".join(reversed([*parts, node.id]))


def _value(node: ast.expr) -> JsonValue:
    match node:
        case ast.Constant():
            return _constant(node)
        case ast.List() | ast.Tuple():
            return [_value(item) for item in node.elts]
        case ast.Dict():
            if any(key is None for key in node.keys):
                raise _NoLiteralError
            return {_key(key): _value(item) for key, item in zip(node.keys, node.values, strict=True) if key}
        case ast.Name():
            return node.id
        case ast.Call():
            return _nested(node)
        case ast.Subscript():
            return _source(node)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Add(), right=ast.Constant(value=str())):
            return f"{_value(node.left)}{_value(node.right)}"
        case ast.UnaryOp() | ast.BinOp():
            return _sum(node)
    raise _NoLiteralError


def _constant(node: ast.Constant) -> JsonValue:
    value = node.value
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        # A lone half of a surrogate pair can be written as an escape, but in no file.
        return value if value.isascii() else value.encode(errors="replace").decode()
    return "..." if value is Ellipsis else _source(node)


def _key(node: ast.expr) -> str:
    value = _value(node)
    return value if isinstance(value, str) else _source(node)


def _nested(node: ast.Call) -> JsonValue:
    if not node.keywords:
        return _source(node)
    call = _call(node)
    return {call.name: call.arguments}


def _source(node: ast.expr) -> str:
    return ast.unparse(node).encode(errors="replace").decode()


def _sum(node: ast.expr) -> JsonValue:
    """A number that is written as a short calculation: `-5`, `3 * 60`, `1 / 2`."""
    try:
        return _number(node)
    except (ArithmeticError, ValueError):
        raise _NoLiteralError from None


def _number(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = _number(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left), _number(node.right)
        if max(abs(left), abs(right)) > 2.0**63:
            raise _NoLiteralError
        if isinstance(node.op, ast.Pow):
            if abs(right) > LARGEST_POWER or abs(left) > 10**6 or (left < 0 and right != int(right)):
                raise _NoLiteralError
            power: float = left**right
            return power
        operation = NUMBERS.get(type(node.op))
        if operation is not None:
            return operation(left, right)
    raise _NoLiteralError


def _in_json(text: str) -> list[TextCall] | None:
    if text[:1] not in ("{", "["):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    return calls_in_json(value)


def calls_in_json(value: JsonValue) -> list[TextCall] | None:
    """Calls as JSON objects, either `{name: arguments}` or with keys for both; None where one of them is neither."""
    items = value if isinstance(value, list) else [value]
    found: list[TextCall] = []
    for item in items:
        if not isinstance(item, dict) or not item:
            return None
        name = item.get("name")
        if isinstance(name, str):
            arguments = item.get("arguments", item.get("parameters", item.get("args", {})))
            pairs = [(name, arguments)]
        elif isinstance(value, list):
            pairs = list(item.items())
        else:
            return None
        for key, arguments in pairs:
            if not isinstance(arguments, dict):
                return None
            found.append(TextCall(key, arguments))
    return found


def _between_tags(text: str) -> list[TextCall] | None:
    found: list[TextCall] = []
    for match in TAGGED.finditer(text):
        inner = match[2].strip("`\n \t\r")
        calls = _in_json(inner)
        if calls is None:
            calls = _in_python(inner)
        if calls is None:
            return None
        found += calls
    return found or None


def _at_the_beginning(text: str) -> list[TextCall] | None:
    """Calls in a fence, or in brackets, with words after them."""
    fenced = FENCE.match(text)
    if fenced is not None:
        inner = fenced[1].strip()
        calls = _in_python(inner) if inner else None
        return calls if calls is not None else _in_json(inner)
    if not text.startswith("["):
        return None
    end = _closing(text)
    if end is None:
        return None
    return _in_python(text[:end]) or _in_json(text[:end])


def _closing(text: str) -> int | None:
    """Where the list ends that a text begins with, brackets inside of quotes aside."""
    depth, quote, position = 0, "", 0
    while position < len(text):
        letter = text[position]
        if quote:
            if letter == "\\":
                position += 1
            elif letter == quote:
                quote = ""
        elif letter in "'\"":
            quote = letter
        elif letter in "[({":
            depth += 1
        elif letter in "])}":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None
