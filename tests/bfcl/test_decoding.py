"""Outputs are read as the leaderboard's own handlers read them, or in whatever way they are written."""

from __future__ import annotations

import pytest

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import BFCL_HANDLERS, ReadContext, ReadOptions
from toolgauge.traces.formats.bfcl import KINDER, UNREAD, BfclReader, read_text
from toolgauge.traces.formats.bfcl_decoding import decode_officially, handler_of_lists

F: JsonValue = {"a": 1}
JSON = '{"name": "f", "arguments": {"a": 1}}'
DEFINITION = (
    '{"name": "f", "description": "Does f.", "parameters": {"type": "dict", "properties": {"a": {"type": "integer"}}}}'
)

RIGHT: list[tuple[str, JsonValue]] = [
    ("python", "[f(a=1)]"),
    ("python", "`f(a=1)`"),
    ("python", "```\n[f(a=1)]\n```"),
    ("fc", [{"f": '{"a": 1}'}]),
    ("objects", [{"f": {"a": 1}}]),
    ("objects-underscores", [{"f": {"a": 1}}]),
    ("cohere", [{"tool_name": "f", "parameters": {"a": 1}}]),
    ("mining", [{"name": "f", "arguments": {"a": 1}}]),
    ("gemini", "```tool_code\nf(a=1)\n```"),
    ("phi", "```python\n[f(a=1)]\n```"),
    ("gorilla", "f(a=1)"),
    ("raven", "f(a=1);"),
    ("nemotron", "<think>f(b=1)</think><TOOLCALL>[f(a=1)]</TOOLCALL>"),
    ("mixtral", "f(a=1)"),
    ("arctic", "['f(a=1)']"),
    ("dbrx", "['f(a=1)']"),
    ("xlam", f"[{JSON}]"),
    ("bitagent", JSON),
    ("hammer", f"```[{JSON}]```"),
    ("llama", '<|python_tag|>{"name": "f", "parameters": {"a": 1}}'),
    ("qwen", f"<think>\n</think>\n<tool_call>\n{JSON}\n</tool_call>"),
    ("falcon", f"<tool_call>```json\n{JSON}\n```</tool_call>"),
    ("hermes", "<tool_call>\n{'name': 'f', 'arguments': {'a': 1}}\n</tool_call>"),
    ("glaive", f"Sure <functioncall> {JSON}"),
    ("glm", 'f\n{"a": 1}'),
    ("granite", f"<function_call> {JSON}"),
    ("think-agent", f"<think>x</think>[{JSON}]"),
]


@pytest.mark.parametrize(("handler", "result"), RIGHT)
def test_an_official_handler_reads_what_its_models_write(handler: str, result: JsonValue) -> None:
    found = decode_officially(handler, result)
    assert found is not None
    assert [(call.name, call.arguments) for call in found] == [("f", F)]


def test_every_handler_is_tried() -> None:
    assert {handler for handler, _ in RIGHT} == set(BFCL_HANDLERS)


@pytest.mark.parametrize(
    ("handler", "result"),
    [
        ("python", "```python\n[f(a=1)]\n```"),
        ("python", "Sure: [f(a=1)]"),
        ("python", "[f(a=1)] Done."),
        ("python", f"[{JSON}]"),
        ("python", "[f(a=x.y)]"),
        ("python", "[f(a='x', b=-'y')]"),
        ("python", "f(a=1); g()"),
        ("python", [{"f": '{"a": 1}'}]),
        ("python", "[f(a=1), 5]"),
        ("python", ""),
        ("fc", "[f(a=1)]"),
        ("fc", [{"f": {"a": 1}}]),
        ("fc", [{"f": "{'a': 1}"}]),
        ("fc", [{"f": '{"a": 1}'}, {}]),
        ("objects", "[f(a=1)]"),
        ("objects", [{"f": {"a": 1}, "g": {}}]),
        ("xlam", f"```json\n[{JSON}]\n```"),
        ("xlam", '[{"name": "f", "parameters": {"a": 1}}]'),
        ("raven", "out_of_domain(user_query='x')"),
        ("glm", "I cannot do that."),
        ("granite", '<function_call> {"name": "no_function", "arguments": {}}'),
        ("granite", "I cannot do that."),
        ("qwen", f"<tool_call>{JSON}</tool_call>"),
        ("llama", '{"name": "f", "parameters": {"a": true}}'),
    ],
)
def test_an_official_handler_reads_nothing_else(handler: str, result: JsonValue) -> None:
    assert not decode_officially(handler, result)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("+5", -5),
        ("2 * 3", 6),
        ("'a' + 'b'", "ab"),
        ("x", "x"),
        ("g(b=1)", {"g": {"b": 1}}),
        ("g(1)", "g(1)"),
        ("(1, [2])", {"$tuple": [1, [2]]}),
        ("{1: 2}", {"(1)": 2}),
        ("b'x'", {"$python": "b'x'"}),
        ("...", "..."),
    ],
)
def test_values_are_those_of_the_official_decoder(written: str, value: JsonValue) -> None:
    found = decode_officially("python", f"[f(a={written})]")
    assert found is not None
    assert found[0].arguments == {"a": value}


@pytest.mark.parametrize("written", ["9**9**9", "'x' * 10**9", "1 / 0", "__import__('os') + 1"])
def test_nothing_is_evaluated_that_could_do_harm(written: str) -> None:
    assert decode_officially("python", f"[f(a={written})]") is None
    assert decode_officially("llama", f'{{"name": "f", "parameters": {written}}}') is None


def test_lists_tell_by_themselves_which_handler_they_are_for() -> None:
    assert [handler_of_lists(made) for handler, made in RIGHT if isinstance(made, list) and handler[-1] != "s"] == [
        "fc",
        "cohere",
        "mining",
    ]
    assert handler_of_lists([{"f": {"a": 1}}]) == "objects"


def read(result: JsonValue, *, known: tuple[str, ...] = (), **options: object) -> tuple[Trajectory, dict[str, int]]:
    context = ReadContext(ReadOptions(known_tools=known, **options))  # type: ignore[arg-type]  # as they are named
    (found,) = BfclReader(context).read({"id": "simple_0", "result": result})
    return found, context.report.lost


@pytest.mark.parametrize(
    "written",
    [
        f"[{JSON}]",
        JSON,
        f"{JSON}; {JSON}",
        "f(a=1);",
        "Call: f(a=1)<bot_end> \nThought: this calls f",
        'f\n{"a": 1}',
        "['f(a=1)']",
        f"<function_call> {JSON}",
        "f(a=1)",
        "```tool_code\nprint(default_api.f(a=1))\n```",
        "print(default_api.f(a=1))",
        "```python\nx = f(a=1)\nprint(f(a=1))\n```",
        f'{{"tool_calls": [{JSON}]}}',
        f"[{DEFINITION}, {JSON}]",
        f'[{{"type": "function", "function": {JSON}}}]',
        f"{JSON}\n{JSON}",
        "{'name': 'f', 'arguments': {'a': 1}}",
        '<|python_tag|>{"name": "f", "parameters": {"a": 1}}',
        f"<function_call> {JSON} <function_call> {JSON}",
    ],
)
def test_calls_are_read_in_whatever_way_they_are_written(written: str) -> None:
    found, _ = read(written, known=("f",))
    assert {(call.tool, str(call.args)) for call in found.calls} == {("f", "{'a': 1}")}


def test_names_with_escaped_underscores_are_read_as_mixtral_writes_them() -> None:
    assert [(call.name, call.arguments) for call in read_text("get\\_rain(city='Hue')")] == [
        ("get_rain", {"city": "Hue"})
    ]


@pytest.mark.parametrize(
    "written",
    [
        DEFINITION,
        f"[{DEFINITION}]",
        f"```json\n[{DEFINITION}]\n```",
        f'{{"type": "function", "function": {DEFINITION}}}',
        f"<tool_call>\n{DEFINITION}\n</tool_call>",
        '{"name": "f", "description": "Does f.", "parameters": {"a": {"type": "integer", "description": "x"}}}',
        "print('no function can do that')",
        "print()",
        "I would call f\n{not json}",
        "Let me think\n{}",
        "out_of_domain(user_query='x');",
        '<function_call> {"name": "no_function"}',
    ],
)
def test_what_is_no_call_is_what_the_model_said(written: str) -> None:
    found, lost = read(written, known=("f",))
    assert (found.calls, found.output) == ((), written)
    assert lost == {}


def test_what_looks_like_a_call_and_is_not_read_as_one_is_told() -> None:
    for written in ("Sure, here it is: f(a=1)", f"I would say {JSON}"):
        found, lost = read(written)
        assert (found.calls, found.output, lost) == ((), written, {UNREAD: 1})


def test_a_call_is_never_one_of_print() -> None:
    found, lost = read("[print(default_api.math.area(base=1))]", known=("math.area",))
    assert found.calls == (Call("math.area", {"base": 1}, turn=1, original="default_api.math.area"),)
    assert lost == {KINDER: 1}


def test_strict_decoding_reads_what_the_official_handler_reads_and_says_so() -> None:
    fenced = "```python\n[f(a=1)]\n```"
    found, lost = read(fenced, strict_decoding=True)
    assert (found.calls, found.output) == ((), fenced)
    ((note, times),) = lost.items()
    assert "--handler names another" in note
    assert times == 1
    found, lost = read(fenced, strict_decoding=True, handler="phi")
    assert (found.calls, lost) == ((Call("f", {"a": 1}, turn=1),), {})


def test_strict_decoding_takes_a_failed_inference_for_an_output_without_calls() -> None:
    found, _ = read("Error during inference: timeout", strict_decoding=True)
    assert (found.state, found.error, found.calls) == ("completed", None, ())


def test_exact_names_keep_prefixes_and_spelling() -> None:
    known = ("math.area",)
    assert [call.tool for call in read("[tools.math_area(a=1)]", known=known)[0].calls] == ["math.area"]
    found, _ = read("[tools.math_area(a=1)]", known=known, exact_names=True)
    assert [call.tool for call in found.calls] == ["tools.math_area"]


def test_a_list_without_a_named_handler_may_have_been_written_without_dots() -> None:
    result: JsonValue = [{"math_area": '{"a": 1}'}]
    strict = {"known": ("math.area",), "exact_names": True, "strict_decoding": True}
    assert [call.tool for call in read(result, **strict)[0].calls] == ["math.area"]  # type: ignore[arg-type]
    assert [call.tool for call in read(result, **strict, handler="fc")[0].calls] == ["math_area"]  # type: ignore[arg-type]
