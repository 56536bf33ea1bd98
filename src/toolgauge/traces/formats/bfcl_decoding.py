"""How the leaderboard's own handlers read the output of a model, one decoder for each way of writing calls.

On the leaderboard the class of a model decides how its output is decoded, and what cannot be decoded is no call. A
decoder here gives the calls that the official one would give, and fails where that fails, whatever a kinder reader
could make of it. Nothing is evaluated: of what the official decoders evaluate, arithmetic on literals is computed.

What JSON has no value for is kept apart from all that it has: a tuple is `{"$tuple": [...]}`, since the leaderboard
tells it from a list.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from toolgauge.core import TUPLE, JsonValue

from ..values import is_deep
from .calltext import LONGEST, TextCall, arithmetic, parse_expression

__all__ = ["BFCL_HANDLERS", "Handler", "decode_officially", "handler_of_lists"]

UNREADABLE = (
    *(LookupError, TypeError, ValueError, AttributeError),
    *(SyntaxError, ArithmeticError, RecursionError, MemoryError),
)
"""What an official decoder raises on an output that is not written as it expects; it counts as no call."""

TAG_END = "\n</tool_call>"

Decode = Callable[[Any], Any]
"""Takes a result as it is recorded; gives calls as `[{name: {argument: value}}]`, or something that is none."""


class Handler(NamedTuple):
    """How the outputs of some models are read officially."""

    decode: Decode
    underscores: bool
    """Whether these models have to write `math_area` for `math.area`."""
    models: str
    """Which models these are."""


def decode_officially(handler: str, result: JsonValue) -> list[TextCall] | None:
    """The calls that an official handler finds in a result; None where it finds none, or cannot read it."""
    if isinstance(result, str) and len(result) > LONGEST:
        return None
    try:
        found = BFCL_HANDLERS[handler].decode(result)
        if not isinstance(found, list) or not all(map(_is_call, found)):
            return None
        calls = [TextCall(_name(name), _arguments(args)) for call in found for name, args in call.items()]
        written = result if isinstance(result, str) else str(result)
        return None if is_deep(written, [call.arguments for call in calls]) else calls
    except UNREADABLE:
        return None


def handler_of_lists(result: list[JsonValue]) -> str:
    """The handler for results that are lists, where nobody says which one it is."""
    first = next((item for item in result if isinstance(item, dict)), {})
    if "tool_name" in first:
        return "cohere"
    if "name" in first and "arguments" in first:
        return "mining"
    return "objects" if any(isinstance(value, dict) for value in first.values()) else "fc"


def _is_call(item: Any) -> bool:
    return isinstance(item, dict) and len(item) == 1 and isinstance(next(iter(item.values())), dict)


# --- values


def _name(name: Any) -> str:
    return name if isinstance(name, str) and name else f"({name!r})"


def _arguments(args: dict[Any, Any]) -> dict[str, JsonValue]:
    return {_key(key): _json(value) for key, value in args.items()}


def _key(key: Any) -> str:
    return _text(key) if isinstance(key, str) else f"({key!r})"


def _json(value: Any) -> JsonValue:
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): _json(item) for key, item in value.items()}
    return {TUPLE: [_json(item) for item in value]} if isinstance(value, tuple) else {"$python": repr(value)}


def _text(value: str) -> str:
    # A lone half of a surrogate pair can be written as an escape, but in no file.
    return value if value.isascii() else value.encode(errors="replace").decode()


# --- calls in Python syntax


def _python_calls(text: str) -> list[dict[str, Any]]:
    tree = parse_expression(text)
    if isinstance(tree, ast.Call):
        return [_python_call(tree)]
    if not isinstance(tree, (ast.List, ast.Tuple, ast.Set)):
        raise ValueError("no list of calls")
    return [_python_call(item) for item in tree.elts]


def _python_call(node: ast.expr) -> dict[str, Any]:
    if not isinstance(node, ast.Call):
        raise ValueError("something in the list is no call")
    parts: list[str] = []
    function = node.func
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if isinstance(function, ast.Name):
        parts.append(function.id)
    # Arguments without a name are left out; `**more` is an argument that no function has.
    return {".".join(reversed(parts)): {keyword.arg: _python_value(keyword.value) for keyword in node.keywords}}


def _python_value(node: ast.expr | None) -> Any:
    match node:
        case ast.Constant():
            return "..." if node.value is Ellipsis else node.value
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return -value  # type: ignore[operator]  # whatever the sign is; of a text this fails, as it should
        case ast.List():
            return [_python_value(item) for item in node.elts]
        case ast.Tuple():
            return tuple(_python_value(item) for item in node.elts)
        case ast.Dict():
            return {_python_value(key): _python_value(item) for key, item in zip(node.keys, node.values, strict=True)}
        case ast.Name():
            return node.id
        case ast.Call(keywords=[]):
            return ast.unparse(node)
        case ast.Call():
            return _python_call(node)
        case ast.Subscript():
            return f"{ast.unparse(node.value)}[{ast.unparse(node.slice)}]"
        case ast.BinOp():
            return arithmetic(node)
    raise ValueError("a value that is not read")


def _in_brackets(text: str) -> str:
    opened = text if text.startswith("[") else f"[{text}"
    return opened if opened.endswith("]") else f"{opened}]"


def _unquoted(text: str) -> list[dict[str, Any]]:
    return _python_calls(text.strip().strip("'"))


def _bare(text: str) -> list[dict[str, Any]]:
    """As earlier versions of the leaderboard read calls: without any brackets and quotes around them."""
    return _python_calls(text.strip("[]'"))


def _python(result: str) -> Any:
    return _unquoted(_in_brackets(result.strip("`\n ")))


def _gemini(result: str) -> Any:
    return _python(result.replace("```tool_code\n", "").replace("\n```", ""))


def _phi(result: str) -> Any:
    return _python(result.strip().removeprefix("```json").removeprefix("```python"))


def _gorilla(result: str) -> Any:
    return _unquoted(f"[{result}]")


def _raven(result: str) -> Any:
    written = result.removesuffix(";").replace(";", ",")
    found = _unquoted(f"[{written}]")
    return "irrelevant" if "out_of_domain" in written else found


def _nemotron(result: str) -> Any:
    _, opened, behind = result.partition("<TOOLCALL>")
    written, closed, _ = behind.partition("</TOOLCALL>")
    return _python(written) if opened and closed else []


def _mixtral(result: str) -> Any:
    return _bare(_in_brackets(result.replace("\\_", "_")))


def _arctic(result: str) -> Any:
    written = _in_brackets(result.replace("\n", ""))
    if written.startswith("['"):
        written = written.replace("['", "[").replace("', '", ", ").replace("','", ", ")
    return _bare(written.replace("']", "]") if written.endswith("']") else written)


def _dbrx(result: str) -> Any:
    written = _in_brackets(re.sub("'([^']*)'", r"\1", result).replace("\n    ", ""))
    try:
        return _bare(written.replace("['", "[") if written.startswith("['") else written)
    except UNREADABLE:
        return _bare(result)


# --- calls in JSON


def _named(calls: Any, arguments: str = "arguments") -> list[dict[Any, Any]]:
    return [{call["name"]: call[arguments]} for call in calls]


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _bitagent(result: str) -> Any:
    return _named(_several(json.loads(result)))


def _xlam(result: str) -> Any:
    try:
        calls = _several(json.loads(result))
    except json.JSONDecodeError:
        calls = [json.loads(call.strip()) for call in result.split(";")]
    return _named(calls)


def _hammer(result: str) -> Any:
    try:
        calls = json.loads(result.replace("```", ""))
    except ValueError:
        calls = []
    return _named(calls)


def _evaluated(node: ast.expr | None) -> Any:
    """The value of an expression that the official decoder evaluates, as far as it consists of literals."""
    match node:
        case ast.List():
            return [_evaluated(item) for item in node.elts]
        case ast.Tuple():
            return tuple(_evaluated(item) for item in node.elts)
        case ast.Dict():
            return {_evaluated(key): _evaluated(item) for key, item in zip(node.keys, node.values, strict=True)}
        case ast.BoolOp():
            wanted = isinstance(node.op, ast.Or)
            values = [_evaluated(item) for item in node.values]
            return next((value for value in values if bool(value) is wanted), values[-1])
        case None:
            raise ValueError("no expression")
    return arithmetic(node)


def _llama(result: str) -> Any:
    written = result.replace("<|python_tag|>", "")
    if ";" in written:
        return _named([json.loads(call) for call in written.split(";")], "parameters")
    calls = _evaluated(parse_expression(written.lstrip(" \t")))
    return _named([calls] if isinstance(calls, dict) else calls, "parameters")


def _qwen(result: str) -> Any:
    calls = []
    closed = result[: result.rfind(TAG_END) + len(TAG_END)] if TAG_END in result else ""  # else it takes its time
    for written in re.findall(rf"<tool_call>\n(.*?){TAG_END}", closed, re.DOTALL):
        try:
            calls.append(json.loads(written))
        except (ValueError, RecursionError):
            continue  # what is not JSON is left out, as there
    if not all(isinstance(call, dict) for call in calls):
        raise ValueError("something between the tags is no call")
    return [{call["name"]: dict(call["arguments"].items())} for call in calls]


def _falcon(result: str) -> Any:
    written = result.split("<tool_call>")[1].split("</tool_call>")[0].strip()
    if written.startswith("```") and written.endswith("```"):
        written = written.strip("`").strip().removeprefix("json").strip()
    return _named(_several(json.loads(written)))


def _hermes(result: str) -> Any:
    calls, opened = [], False
    for line in result.split("\n"):
        if opened and line not in ("<tool_call>", "</tool_call>"):
            call = json.loads(line.replace("'", '"'))
            calls.append({call["name"]: call["arguments"]})
        opened = line == "<tool_call>"
    return calls


def _glaive(result: str) -> Any:
    call = json.loads(result.split("<functioncall>")[-1].replace("'", ""))
    return [{call["name"]: dict(call["arguments"].items())}]


def _glm(result: str) -> Any:
    name, *lines = result.split("\n")
    return [{name: json.loads(lines[0])}] if lines else [name]


def _granite(result: str) -> Any:
    calls: list[Any] = []
    for written in filter(None, map(str.strip, result.split("<function_call>"))):
        try:
            call = json.loads(written)
        except (ValueError, RecursionError):
            calls.append(written)
            continue
        name = call.get("name", "").strip()
        calls.append("none" if name == "no_function" else {name: call.get("arguments", {})})
    return calls


def _think_agent(result: str) -> Any:
    _, thought, rest = result.strip().replace("'", '"').partition("</think>")
    return _named(json.loads(rest.strip() if thought else "[]"))


# --- calls that were recorded as lists


def _fc(result: Any) -> Any:
    found = []
    for call in result:
        name, *_ = call.keys()
        found.append({name: json.loads(call[name])})
    return found


def _objects(result: Any) -> Any:
    if not isinstance(result, list):
        raise ValueError("no list")
    return result


def _cohere(result: Any) -> Any:
    return [{call["tool_name"]: call["parameters"]} for call in result] if isinstance(result, list) else []


BFCL_HANDLERS: dict[str, Handler] = {
    "python": Handler(_python, False, "most models that are prompted to write calls"),
    "fc": Handler(_fc, True, "OpenAI, Anthropic, Mistral, DeepSeek, Grok, GLM-4.5, Qwen and others behind an API, -FC"),
    "objects": Handler(_objects, False, "Arch-Agent, Granite 3, Phi-4-mini -FC, Ministral"),
    "objects-underscores": Handler(_objects, True, "Gemini -FC, Amazon Nova"),
    "cohere": Handler(_cohere, True, "Command R and A"),
    "mining": Handler(_named, False, "xiaoming"),
    "gemini": Handler(_gemini, False, "Gemini without -FC"),
    "phi": Handler(_phi, False, "Phi-4, DeepSeek as text"),
    "gorilla": Handler(_gorilla, False, "Gorilla OpenFunctions"),
    "raven": Handler(_raven, False, "NexusRaven"),
    "nemotron": Handler(_nemotron, False, "Llama Nemotron Ultra"),
    "mixtral": Handler(_mixtral, False, "Mixtral and early Mistral models as text"),
    "arctic": Handler(_arctic, False, "Snowflake Arctic"),
    "dbrx": Handler(_dbrx, False, "DBRX"),
    "xlam": Handler(_xlam, False, "Salesforce xLAM"),
    "bitagent": Handler(_bitagent, False, "BitAgent"),
    "hammer": Handler(_hammer, False, "Hammer"),
    "llama": Handler(_llama, False, "Llama 3.1 -FC"),
    "qwen": Handler(_qwen, False, "Qwen3 -FC from its own weights, Granite 4, Nanbeige, Pelican"),
    "falcon": Handler(_falcon, False, "Falcon 3 -FC"),
    "hermes": Handler(_hermes, False, "Hermes 2 Pro"),
    "glaive": Handler(_glaive, False, "Glaive"),
    "glm": Handler(_glm, True, "GLM-4-9B"),
    "granite": Handler(_granite, True, "Granite 20B function calling"),
    "think-agent": Handler(_think_agent, False, "ThinkAgent"),
}
"""The official ways of reading an output, by the name that `--handler` takes."""
