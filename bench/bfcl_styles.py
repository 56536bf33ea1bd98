"""Calls as models write them: in the way of each official handler, and disturbed as outputs are."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from bench.bfcl_outputs import Output

__all__ = ["LISTS", "STYLES", "disturb", "write"]


def _python(value: Any) -> str:
    return repr(value)


def _call(name: str, args: dict[str, Any], show: Callable[[Any], str] = _python) -> str:
    return f"{name}({', '.join(f'{key}={show(value)}' for key, value in args.items())})"


def _calls(output: Output) -> list[str]:
    return [_call(name, args) for call in output for name, args in call.items()]


def _pairs(output: Output, arguments: str = "arguments") -> list[dict[str, Any]]:
    return [{"name": name, arguments: args} for call in output for name, args in call.items()]


def _tagged(output: Output) -> str:
    return "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in _pairs(output))


def _semicolons(output: Output, arguments: str = "arguments") -> str:
    return "; ".join(map(json.dumps, _pairs(output, arguments)))


STYLES: dict[str, Callable[[Output], Any]] = {
    "python": lambda output: f"[{', '.join(_calls(output))}]",
    "gemini": lambda output: f"```tool_code\n[{', '.join(_calls(output))}]\n```",
    "phi": lambda output: f"```python\n[{', '.join(_calls(output))}]\n```",
    "gorilla": lambda output: ", ".join(_calls(output)),
    "raven": lambda output: "; ".join(_calls(output)) + ";",
    "nemotron": lambda output: f"<think>\nHm.\n</think>\n<TOOLCALL>[{', '.join(_calls(output))}]</TOOLCALL>",
    "mixtral": lambda output: ", ".join(_calls(output)).replace("_", "\\_"),
    "arctic": lambda output: f"[{', '.join(repr(call) for call in _calls(output))}]",
    "dbrx": lambda output: f"[{', '.join(_calls(output))}]",
    "xlam": lambda output: json.dumps(_pairs(output)),
    "bitagent": lambda output: json.dumps(_pairs(output)),
    "hammer": lambda output: f"```\n{json.dumps(_pairs(output))}\n```",
    "llama": lambda output: f"<|python_tag|>{_semicolons(output, 'parameters')}",
    "qwen": _tagged,
    "falcon": lambda output: f"<tool_call>\n{json.dumps(_pairs(output))}\n</tool_call>",
    "hermes": _tagged,
    "glaive": lambda output: " ".join(f"<functioncall> {json.dumps(call)}" for call in _pairs(output)),
    "glm": lambda output: "\n".join(f"{call['name']}\n{json.dumps(call['arguments'])}" for call in _pairs(output)),
    "granite": lambda output: " ".join(f"<function_call> {json.dumps(call)}" for call in _pairs(output)),
    "think-agent": lambda output: f"<think>Hm.</think>\n{json.dumps(_pairs(output))}",
    "fc": lambda output: [{name: json.dumps(args)} for call in output for name, args in call.items()],
    "objects": lambda output: output,
    "objects-underscores": lambda output: output,
    "cohere": lambda output: [{"tool_name": p["name"], "parameters": p["arguments"]} for p in _pairs(output)],
    "mining": _pairs,
}
"""How the models of each handler write calls, or how their interface records them."""

LISTS = ("fc", "objects", "objects-underscores", "cohere", "mining")
"""The handlers of models with an interface for calls."""


def write(handler: str, output: Output, random: Random) -> tuple[Any, str]:
    """Calls in the way of a handler, mostly as they should be; and what was done to them."""
    made = STYLES[handler](output)
    if random.random() < 0.45:
        return made, "as it should be"
    if handler in LISTS:
        spoil = random.choice(LIST_CHANGES)
        return spoil(made, random), _name_of(spoil)
    if random.random() < 0.12:
        other = random.choice([name for name in STYLES if name not in LISTS])
        return STYLES[other](output), "in the style of another"
    change = random.choice(TEXT_CHANGES)
    return change(made, random), _name_of(change)


def disturb(written: str, random: Random) -> str:
    """A text with one thing done to it."""
    return random.choice(TEXT_CHANGES)(written, random)


def _name_of(change: Callable[..., Any]) -> str:
    return change.__name__.strip("_").replace("_", " ")


# --- what happens to texts


def _in_a_fence(text: str, random: Random) -> str:
    return f"```{random.choice(['', 'python', 'json', 'tool_code', 'text'])}\n{text}\n```"


def _in_backticks(text: str, _: Random) -> str:
    return f"`{text}`"


def _with_spaces_around(text: str, random: Random) -> str:
    spaces = ["", " ", "\n", "\t", "\r\n", "  \n "]
    return random.choice(spaces) + text + random.choice(spaces)


def _with_a_prefix(text: str, random: Random) -> str:
    prefix = random.choice(["tools.", "default_api.", "functions.", "api."])
    return text.replace("[", f"[{prefix}", 1) if text.startswith("[") else prefix + text


def _printed(text: str, random: Random) -> str:
    inner = text.strip("[]`\n ;")
    return random.choice([f"print({inner})", f"[print({inner})]", f"print(default_api.{inner})"])


def _with_words_before(text: str, random: Random) -> str:
    words = ["Sure! ", "Here is the call:\n", "Call: ", "Answer: ", "Action: ", "I will call "]
    return random.choice(words) + text


def _with_words_behind(text: str, random: Random) -> str:
    return text + random.choice([" Done.", "\n\nThis answers it.", "<|im_end|>", "</s>", "<bot_end>", "."])


def _in_quotes(text: str, random: Random) -> str:
    quote = random.choice(["'", '"', "'''"])
    return quote + text + quote


def _cut_off(text: str, random: Random) -> str:
    return text[: random.randrange(len(text) + 1)]


def _without_its_end(text: str, random: Random) -> str:
    return text[: -random.choice([1, 1, 2, 3])]


def _in_more_brackets(text: str, random: Random) -> str:
    return random.choice([f"[{text}]", f"({text})", f"[{text}, ]", f"{text},", "{" + text + "}"])


def _without_brackets(text: str, _: Random) -> str:
    return text.strip("[]")


def _twice(text: str, random: Random) -> str:
    return text + random.choice(["", "\n", ", ", "; ", " and "]) + text


def _with_json_words(text: str, _: Random) -> str:
    return text.replace("True", "true").replace("False", "false").replace("None", "null")


def _with_python_words(text: str, _: Random) -> str:
    return text.replace("true", "True").replace("false", "False").replace("null", "None")


def _with_other_quotes(text: str, random: Random) -> str:
    return text.replace("'", '"') if random.random() < 0.5 else text.replace('"', "'")


def _with_tuples(text: str, _: Random) -> str:
    return text.replace("=[", "=(").replace("],", "),").replace("])", "))")


def _with_an_expression(text: str, random: Random) -> str:
    values = ["+5", "-5", "2 * 3", "1 / 2", "'a' + 'b'", "[1] + [2]", "not True", "-x", "1 / 0", "2 ** 10", "x.y"]
    values += ["f(x=1)", "f()", "x[0]", "...", "lambda: 1", "{1: 2}", "{'a'}", "(1, 2)", "b'x'", "1j", "f'{x}'", "x"]
    return _in_place_of_a_value(text, random.choice(values), random)


def _in_place_of_a_value(text: str, value: str, random: Random) -> str:
    places = [place for place in range(len(text)) if text[place] == "="]
    if not places:
        return text
    place = random.choice(places) + 1
    ends = [end for end in (text.find(",", place), text.find(")", place)) if end >= 0]
    return text[:place] + value + text[min(ends, default=len(text)) :]


def _with_an_unnamed_argument(text: str, random: Random) -> str:
    return text.replace("(", random.choice(["(1, ", "(*x, ", "(**y, "]), 1)


def _with_lines(text: str, random: Random) -> str:
    return text.replace(", ", random.choice([",\n", ",\n    ", " ,\t"]))


def _assigned(text: str, _: Random) -> str:
    return f"result = {text}"


def _something_else(_: str, random: Random) -> str:
    said = ["", " ", "[]", "[ ]", "None", "{}", "[{}]", "()", "...", "Sorry, I cannot do that.", "no_function", "[f]"]
    said += ["Error during inference: timeout", "out_of_domain(user_query='x')", "f", "f()", "[f()()]", "[x[0].f(a=1)]"]
    said += ['{"name": "f", "arguments": {}}', '{"name": "no_function"}', '"text"', "5", "f\n{}", "f\n5", "\n{}"]
    return random.choice(said)


def _a_definition(text: str, _: Random) -> str:
    return json.dumps([{"name": text[:20], "description": "x", "parameters": {"type": "dict", "properties": {}}}])


def _with_a_changed_character(text: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice("'\"()[]{},;:=\\\n .x5\u00e9") + text[place + random.choice([0, 1]) :]


TEXT_CHANGES: list[Callable[[str, Random], str]] = [
    *(_in_a_fence, _in_backticks, _with_spaces_around, _with_a_prefix, _printed, _with_words_before),
    *(_with_words_behind, _in_quotes, _cut_off, _without_its_end, _in_more_brackets, _without_brackets, _twice),
    *(_with_json_words, _with_python_words, _with_other_quotes, _with_tuples, _with_an_expression),
    *(_with_an_unnamed_argument, _with_lines, _assigned, _something_else, _a_definition, _with_a_changed_character),
]


# --- what happens to lists


def _as_a_text(made: list[Any], random: Random) -> Any:
    return random.choice([json.dumps(made), "", "I cannot do that.", "[f(x=1)]"])


def _with_broken_json(made: list[Any], random: Random) -> Any:
    return [{k: _cut_off(v, random) if isinstance(v, str) else json.dumps(v) for k, v in call.items()} for call in made]


def _with_something_between(made: list[Any], random: Random) -> Any:
    extra: Any = random.choice(["text", None, {}, [], 5, {"f": "{}"}, {"f": {}}, {"f": "[]"}, {"f": "{}", "g": "{}"}])
    return [*made, extra] if random.random() < 0.5 else [extra, *made]


def _as_nothing(_: list[Any], random: Random) -> Any:
    return random.choice([[], [{}], [[]], [""], "", "[]"])


def _with_other_values(made: list[Any], random: Random) -> Any:
    other: Any = random.choice(['{"a": NaN}', '{"a": 1, "a": 2}', "[]", "5", "null", '"x"', "{}", "", {}, [], None])
    return [dict.fromkeys(call, other) for call in made]


LIST_CHANGES: list[Callable[[list[Any], Random], Any]] = [
    _as_a_text,
    _with_broken_json,
    _with_something_between,
    _as_nothing,
    _with_other_values,
]
