"""Reading calls that a model wrote as text: `[f(a=1, b='x'), g()]`, JSON, or JSON between tags.

Nothing is ever evaluated: the text is parsed, and values are taken from the syntax tree as far as they are literals.
Names and calls among the values become text, as on the Berkeley Function-Calling Leaderboard.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from toolgauge.core import JsonValue

__all__ = [
    "LONGEST",
    "TextCall",
    "arithmetic",
    "calls_in_json",
    "is_definition",
    "literal",
    "parse_expression",
    "read_calls",
    "read_plain_calls",
]

LONGEST = 200_000
"""Texts with more characters are not parsed: no calls are that long, and parsing takes memory."""

LARGEST_POWER = 64
LONGEST_PRODUCT = 10_000
"""How many items a text or list may have that is written as another one so many times."""
SHOWING = "print"
"""What models write around a call, though it is none itself: `print(rain(city='Hue'))`."""
FENCE = re.compile(r"\A```[a-zA-Z_]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
TAGGED = re.compile(r"<(tool_call|TOOLCALL|function_call|tool_calls)>(.*?)(?:</\1>|\Z)", re.DOTALL)

NUMBERS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
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
    return _in_python(stripped, shown=False) if stripped and len(text) <= LONGEST else None


def read_calls(text: str) -> list[TextCall] | None:
    """The calls in a text that begins with them; None where it is no such text.

    A fence around the calls, a `print` around each and words after them do no harm. Words before them do: then the
    text speaks of calls rather than making them. A definition of a function that the model repeats is no call of it.
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
    tree = parse_expression(text.strip())
    try:
        return None if tree is None else _value(tree)
    except (_NoLiteralError, RecursionError):
        return None


def parse_expression(text: str) -> ast.expr | None:
    """The syntax tree of an expression; None where the text is none."""
    with warnings.catch_warnings():
        # Texts of models hold escapes such as `\d`, of which Python warns.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _in_python(text: str, *, shown: bool = True) -> list[TextCall] | None:
    """Calls with commas between them.

    Args:
        text: The text.
        shown: Whether what is printed is meant; otherwise a text that prints something holds no plain calls.
    """
    opening = "" if text.startswith("[") else "["
    closing = "" if text.endswith("]") else "]"
    if "(" not in text and text.strip("[] \n\t"):
        return None
    tree = parse_expression(f"{opening}{text}{closing}")
    nodes = [tree] if isinstance(tree, ast.Call) else tree.elts if isinstance(tree, (ast.List, ast.Tuple)) else None
    try:
        return None if nodes is None else _calls(nodes, shown=shown)
    except (_NoLiteralError, RecursionError):
        return None


def _in_statements(text: str) -> list[TextCall] | None:
    """Calls with a line for each, as in a program; what they return may be given a name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
        nodes = [line.value for line in body if isinstance(line, (ast.Expr, ast.Assign))]
        return _calls(nodes, shown=True) if nodes and len(nodes) == len(body) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError, _NoLiteralError):
        return None


def _calls(nodes: Sequence[ast.expr], *, shown: bool) -> list[TextCall]:
    found: list[TextCall] = []
    for node in nodes:
        if not isinstance(node, ast.Call):
            raise _NoLiteralError
        if isinstance(node.func, ast.Name) and node.func.id == SHOWING and not node.keywords:
            if not shown or not node.args:
                raise _NoLiteralError
            found += _calls(node.args, shown=True)
        else:
            found.append(_call(node))
    return found


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
        value = arithmetic(node)
    except (ArithmeticError, TypeError, ValueError):
        raise _NoLiteralError from None
    if isinstance(value, (int, float)):
        return value
    raise _NoLiteralError


def arithmetic(node: ast.expr) -> Any:
    """The value of a calculation with literals, as Python has it.

    Raises:
        ValueError: There is more to it than literals, or the value would be too large.
        TypeError: These cannot be calculated with.
        ArithmeticError: It has no value.
    """
    match node:
        case ast.Constant():
            return node.value
        case ast.List():
            return [arithmetic(item) for item in node.elts]
        case ast.Tuple():
            return tuple(arithmetic(item) for item in node.elts)
        case ast.UnaryOp(op=ast.USub()):
            return -arithmetic(node.operand)
        case ast.UnaryOp(op=ast.UAdd()):
            return +arithmetic(node.operand)
        case ast.BinOp():
            return _binary(node.op, arithmetic(node.left), arithmetic(node.right))
    raise ValueError("more than literals")


def _binary(operator: ast.operator, left: Any, right: Any) -> Any:
    sizes = [len(value) if isinstance(value, (str, bytes, list, tuple)) else abs(value) for value in (left, right)]
    if isinstance(operator, ast.Pow):
        if sizes[1] > LARGEST_POWER or sizes[0] > 10**6:
            raise ValueError("too large")
        return left**right
    numbers = all(isinstance(value, (int, float)) for value in (left, right))
    if max(sizes) > 2.0**63 or (
        not numbers and isinstance(operator, ast.Mult) and sizes[0] * sizes[1] > LONGEST_PRODUCT
    ):
        raise ValueError("too large")
    operation = NUMBERS.get(type(operator))
    if operation is None or (isinstance(left, (str, bytes)) and isinstance(operator, ast.Mod)):
        raise ValueError("not calculated")
    return operation(left, right)


def _in_json(text: str) -> list[TextCall] | None:
    if text[:1] not in ("{", "["):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    return calls_in_json(value)


def calls_in_json(value: JsonValue) -> list[TextCall] | None:
    """Calls as JSON objects, either `{name: arguments}` or with keys for both; None where one of them is neither.

    Definitions of functions among them are left out. Where there is nothing else, these are no calls.
    """
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    items = value if isinstance(value, list) else [value]
    found: list[TextCall] = []
    for item in items:
        if not isinstance(item, dict) or not item:
            return None
        wrapped = item.get("function") if item.get("type") == "function" else None
        if isinstance(wrapped, dict):
            item = wrapped
        name = item.get("name")
        if is_definition(item):
            continue
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
    return found if found or not items else None


def is_definition(item: JsonValue) -> bool:
    """Whether an object says what a function takes, and does not call it: its arguments are a schema."""
    if not isinstance(item, dict) or not isinstance(item.get("name"), str) or "arguments" in item or "args" in item:
        return False
    schema = item.get("parameters", item.get("input_schema", item.get("inputSchema")))
    if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
        return "type" in schema or "required" in schema
    described = "description" in item and set(item) <= {"name", "description", "parameters", "required", "type"}
    return described and (not isinstance(schema, dict) or all(map(_is_schema, schema.values())))


def _is_schema(value: JsonValue) -> bool:
    return isinstance(value, dict) and ("type" in value or "description" in value)


def _between_tags(text: str) -> list[TextCall] | None:
    found: list[TextCall] = []
    for match in TAGGED.finditer(text):
        inner = match[2].strip("`\n \t\r")
        calls = _in_json(inner)
        if calls is None:
            calls = _in_python(inner)
        if calls is None and not _defines(inner):
            return None
        found += calls or []
    return found or None


def _defines(text: str) -> bool:
    try:
        return is_definition(msgspec.json.decode(text))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False


def _at_the_beginning(text: str) -> list[TextCall] | None:
    """Calls in a fence, or in brackets, with words after them."""
    fenced = FENCE.match(text)
    if fenced is not None:
        inner = fenced[1].strip()
        calls = _in_python(inner) or _in_statements(inner) if inner else None
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
