"""Calls written as text: which texts are calls, which only look like it, and which do neither."""

# ruff: noqa: E501 - texts of models are shown as they write them

from __future__ import annotations

import pytest

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.traces import ImportReport, from_messages
from toolgauge.traces.textcalls import STYLES
from toolgauge.traces.textcalls.looking import TextCalls
from toolgauge.traces.textcalls.reading import Doubt
from toolgauge.traces.textcalls.values import WrittenCall

WEATHER: tuple[str, JsonValue] = ("get_weather", {"city": "Hanoi"})
BOTH: list[tuple[str, JsonValue]] = [WEATHER, ("f", {"a": 1})]

CALLS: dict[str, tuple[str, list[tuple[str, JsonValue]]]] = {
    "hermes": ('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>', [WEATHER]),
    "words before": ('I look.\n<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>', BOTH[1:]),
    "a sentence before": ('Sure! <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>', BOTH[1:]),
    "single quotes": (
        "<tool_call>\n{'name': 'f', 'arguments': {'a': true, 'b': None}}\n</tool_call>",
        [("f", {"a": True, "b": None})],
    ),
    "several": (
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>',
        BOTH,
    ),
    "two in one tag": (
        '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n{"name": "g", "arguments": {}}\n</tool_call>',
        [BOTH[1], ("g", {})],
    ),
    "Gemma 4": (
        '<|tool_call>call:get_weather{city:<|"|>Hanoi<|"|>}<tool_call|><|tool_call>call:f{a:1}<tool_call|>',
        BOTH,
    ),
    "Gemma 4, nested": (
        'I look.\n<|tool_call>call:f{a:{b:[<|"|>x, y:z<|"|>,true],c:<|"|>"<|"|>},d:null}<tool_call|>',
        [("f", {"a": {"b": ["x, y:z", True], "c": '"'}, "d": None})],
    ),
    "FunctionGemma": (
        "<start_function_call>call:get_weather{city:<escape>Hanoi<escape>}<end_function_call>",
        [WEATHER],
    ),
    "LFM 2": ('<|tool_call_start|>[get_weather(city="Hanoi"), f(a=1)]<|tool_call_end|>', BOTH),
    "Seed": (
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Hanoi</parameter>\n</function>\n</seed:tool_call>",
        [WEATHER],
    ),
    "Seed, as LLaMA-Factory writes it": (
        "<seed:tool_call>\n<function=get_weather\n<parameter=city>Hanoi</parameter>\n</function>\n</seed:tool_call>",
        [WEATHER],
    ),
    "unclosed": ('<tool_call>\n{"name": "f", "arguments": {"a": 1}}', BOTH[1:]),
    "unclosed, single quotes": ("<tool_call>\n{'name': 'f', 'arguments': {'a': 1}}", BOTH[1:]),
    "arguments as text": ('<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}</tool_call>', BOTH[1:]),
    "a line break inside of a text": (
        '<tool_call>{"name": "f", "arguments": {"a": "x\ny"}}</tool_call>',
        [("f", {"a": "x\ny"})],
    ),
    "the tag inside of a text": (
        '<tool_call>{"name": "f", "arguments": {"a": "<tool_call>{}</tool_call>"}}</tool_call>',
        [("f", {"a": "<tool_call>{}</tool_call>"})],
    ),
    "after thinking": (
        '<think>Shall I <tool_call>{"name": "no", "arguments": {}}</tool_call>?</think>\n'
        '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>',
        BOTH[1:],
    ),
    "all in a fence": ('```\n<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>\n```', BOTH[1:]),
    "function_call": (
        '<function_call> {"name": "get_weather", "arguments": {"city": "Hanoi"}} <function_call> {"name": "f", "arguments": {"a": 1}}',
        BOTH,
    ),
    "no function, and one": (
        '<function_call> {"name": "no_function", "arguments": {}} <function_call> {"name": "f", "arguments": {"a": 1}}',
        BOTH[1:],
    ),
    "Glaive": ('<functioncall> {"name": "f", "arguments": \'{"a": "it\'s"}\'} <|endoftext|>', [("f", {"a": "it's"})]),
    "Nemotron": ('<TOOLCALL>[{"name": "f", "arguments": {"a": 1}}]</TOOLCALL>', BOTH[1:]),
    "Granite": ('<|tool_call|>[{"name": "f", "arguments": {"a": 1}}]', BOTH[1:]),
    "Phi": ('<|tool_call|>[{"name": "f", "arguments": {"a": 1}}]<|/tool_call|>', BOTH[1:]),
    "LFM": ("<|tool_call_start|>[f(a=1)]<|tool_call_end|>I look.", BOTH[1:]),
    "Command R": (
        '<|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}\n]<|END_ACTION|>',
        BOTH[1:],
    ),
    "GLM-4.5": ("<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", BOTH[1:]),
    "GLM-4.5, no arguments": ("<tool_call>get_time</tool_call>", [("get_time", {})]),
    "Qwen Coder": (
        "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\nx y\n</parameter>\n</function>\n</tool_call>",
        [("f", {"a": 1, "b": "x y"})],
    ),
    "Llama": ('<function=f>{"a": 1}</function>', BOTH[1:]),
    "Llama, two": ('<function=f>{"a": 1}</function><function=g>{}</function><|eot_id|>', [BOTH[1], ("g", {})]),
    "python tag": (
        '<|python_tag|>{"name": "f", "parameters": {"a": 1}}; {"name": "g", "parameters": {}}<|eom_id|>',
        [BOTH[1], ("g", {})],
    ),
    "python tag, built-in": ('<|python_tag|>brave_search.call(query="x")', [("brave_search", {"query": "x"})]),
    "Mistral": ('[TOOL_CALLS] [{"name": "f", "arguments": {"a": 1}, "id": "abcdefghi"}]', BOTH[1:]),
    "Mistral, newer": (
        '[TOOL_CALLS]get_weather[ARGS]{"city": "Hanoi"}[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{"a": 1}',
        BOTH,
    ),
    "DeepSeek V3": (
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Hanoi"}\n```<｜tool▁call▁end｜>\n'
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"a": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        BOTH,
    ),
    "DeepSeek V3.1": (
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        BOTH[1:],
    ),
    "DeepSeek V3.2": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="a" string="true">12</｜DSML｜parameter>\n'
        '<｜DSML｜parameter name="b" string="false">[1]</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
        [("f", {"a": "12", "b": [1]})],
    ),
    "Kimi": (
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>'
        "<|tool_calls_section_end|>",
        BOTH[1:],
    ),
    "gpt-oss": (
        "<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>commentary to=functions.f "
        '<|constrain|>json<|message|>{"a": 1}<|call|>',
        BOTH[1:],
    ),
    "invoke": (
        '<function_calls>\n<invoke name="f">\n<parameter name="a">x</parameter>\n</invoke>\n</function_calls>',
        [("f", {"a": "x"})],
    ),
    "tool_calls": ('{"thought": "", "tool_calls": [{"name": "f", "arguments": {"a": 1}}]}', BOTH[1:]),
    "tool_calls, as OpenAI has them": (
        '{"tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\\"a\\": 1}"}}]}',
        BOTH[1:],
    ),
    "name and arguments": ('{"name": "f", "arguments": {"a": 1}}', BOTH[1:]),
    "name and parameters": ('{"type": "function", "name": "f", "parameters": {"a": 1}}', BOTH[1:]),
    "a list": ('[{"name": "get_weather", "arguments": {"city": "Hanoi"}}, {"name": "f", "arguments": {"a": 1}}]', BOTH),
    "lines": ('{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n{"name": "f", "arguments": {"a": 1}}', BOTH),
    "in a fence": ('```json\n[{"name": "f", "arguments": {"a": 1}}]\n```', BOTH[1:]),
    "escaped underscores": ('[{"name": "get\\_weather", "arguments": {"city": "Hanoi"}}]', [WEATHER]),
    "GLM-4": ('get_weather\n{"city": "Hanoi"}', [WEATHER]),
    "GLM-4, two": ('get_weather\n{"city": "Hanoi"}\nget_time\n{}', [WEATHER, ("get_time", {})]),
    "ToolACE": (
        '[Get Weather(city="Hà Nội", days=3), b.c(x=[1, {"a": 2}])]',
        [("Get Weather", {"city": "Hà Nội", "days": 3}), ("b.c", {"x": [1, {"a": 2}]})],
    ),
    "quoted": ('"[f(a=1)]"', BOTH[1:]),
    "quoted and escaped": ('"[f(a=\\"x\\")]"', [("f", {"a": "x"})]),
    "escaped": ('[f(a=\\"x\\")]', [("f", {"a": "x"})]),
    "words of JSON": ("[f(a=true, b=null)]", [("f", {"a": True, "b": None})]),
    "brackets in texts": ('[f(a=")] (x", b=1)]', [("f", {"a": ")] (x", "b": 1})]),
    "Mixtral": ('[get\\_weather(city="Hanoi")]', [WEATHER]),
    "Raven": ("Call: f(a=1); get_weather(city='Hanoi')<bot_end> \nThought: These fit.", [BOTH[1], WEATHER]),
    "tool_code": ("```tool_code\nprint(default_api.f(a=1))\n```", BOTH[1:]),
    "API-Bank": (
        "API-Request: [AddAgenda(content='x', time='2023')]",
        [("AddAgenda", {"content": "x", "time": "2023"})],
    ),
    "ReAct": ('Thought: hm\nAction: search\nAction Input: {"q": "x"}', [("search", {"q": "x"})]),
    "ReAct, no JSON": ("Action: search\nAction Input: giá vàng", [("search", {"input": "giá vàng"})]),
    "ReAct, brackets": ("Thought 1: hm\nAction 1: Search[Hanoi]", [("Search", {"input": "Hanoi"})]),
    "ReAct, structured": (
        'Thought: hm\nAction:\n```json\n{"action": "search", "action_input": {"q": "x"}}\n```',
        [("search", {"q": "x"})],
    ),
    "ReAct, fat labels": (
        '**Thought:** hm\n**Action:** `search`\n**Action Input:** {"q": "x"}',
        [("search", {"q": "x"})],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_text_that_is_beyond_doubt_a_call_is_read(name: str) -> None:
    written, expected = CALLS[name]
    report = ImportReport()
    found = from_messages([{"role": "user", "content": "x"}, {"role": "assistant", "content": written}], report=report)
    assert [(call.tool, call.args) for call in found.calls] == expected
    assert (found.output, report.doubts) == (None, {})
    assert sum(report.written.values()) == len(expected)


@pytest.mark.parametrize("name", CALLS)
def test_off_reads_none_of_them_and_says_nothing(name: str) -> None:
    texts = TextCalls("off")
    assert not texts.may_hold(CALLS[name][0])
    assert texts.read(CALLS[name][0]) is None
    assert texts.doubt(CALLS[name][0]) is None


NO_CALLS = {
    "English": "The weather (see [1]) is fine: a < b, and {x} = 3. Action needed: none.",
    "Vietnamese": "Thời tiết Hà Nội hôm nay: 31 °C (nắng). Hành động: mang ô [nếu mưa].",
    "a definition between tags": '<tool_call>{"name": "f", "description": "x", "parameters": {"type": "object", "properties": {}}}</tool_call>',
    "a definition": '{"name": "f", "description": "x", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}',
    "a definition without words": '{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}',
    "definitions as OpenAI has them": '[{"type": "function", "function": {"name": "f", "description": "x", "parameters": {"type": "object", "properties": {}}}}]',
    "no function": '<function_call> {"name": "no_function", "arguments": {}}',
    "no calls": '{"thought": "none fits", "tool_calls": []}',
    "an answer in JSON": '{"name": "Anna", "age": 3}',
    "an answer in nested JSON": '{"weather": {"city": "Hanoi", "celsius": 31}}',
    "a list of words": '["a", "b"]',
    "code": "Use it like this:\n```python\nget_weather(city='Hanoi')\n```\nThen print it.",
    "a command": "Run this:\n```bash\npip install x\n```",
    "HTML": "<table><tr><td>function</td></tr></table>",
    "a link": "[see f(x)](https://example.org)",
    "an action": "Action: approved\nThe board met in May.",
    "unfinished thinking": '<think>I call <tool_call>{"name": "f", "arguments": {}}</tool_call>',
    "mathematics": "f(x) = g(y) (if x = 1)",
}


@pytest.mark.parametrize("name", NO_CALLS)
def test_an_ordinary_text_is_no_call_and_looks_like_none(name: str) -> None:
    report = ImportReport()
    found = from_messages(
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": NO_CALLS[name]}], report=report
    )
    assert (found.calls, found.output) == ((), NO_CALLS[name])
    assert (report.doubts, report.written) == ({}, {})


DOUBTS = {
    "a call in a sentence": ('You write <tool_call>{"name": "f", "arguments": {}}</tool_call> to call f.', "hermes"),
    "a call after a colon": ('It looks so: <tool_call>{"name": "f", "arguments": {}}</tool_call>', "hermes"),
    "a call in code": ('So:\n```\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\n```\nDone.', "hermes"),
    "a call in backticks": ('`<tool_call>{"name": "f", "arguments": {}}</tool_call>`', "hermes"),
    "a token in backticks": ('Llama writes `<|python_tag|>{"name": "f", "parameters": {}}` for that.', "llama"),
    "a bare call": ('get_weather(city="Hanoi")', "python"),
    "a call as code": ('```python\nget_weather(city="Hanoi")\n```', "python"),
    "Call:": ("Call: f(a=1)", "python"),
    "arguments without names": ("[f(1, 2)]", "python"),
    "JSON with words": ('I call this:\n```json\n{"name": "f", "arguments": {"a": 1}}\n```\nand wait', "json"),
    "arguments by name": ('[{"f": {"a": 1}}]', "json"),
    "arguments by name, without a list": ('{"get_weather": {"city": "Hanoi"}}', "json"),
    "arguments by name, in a fence": ('```json\n{"get_weather": {"city": "Hanoi"}}\n```', "json"),
    "input": ('{"name": "f", "input": {"a": 1}}', "json"),
    "a word before JSON": ('Answer\n{"a": 1}', "name"),
    "an action in brackets": ("Action: Search[x]", "react"),
}


@pytest.mark.parametrize("name", DOUBTS)
def test_a_text_that_may_be_a_call_is_counted_and_read_where_its_style_is_asked_for(name: str) -> None:
    written, style = DOUBTS[name]
    report = ImportReport()
    messages: list[JsonValue] = [{"role": "user", "content": "x"}, {"role": "assistant", "content": written}]
    found = from_messages(messages, report=report)
    assert (found.calls, found.output) == ((), written)
    assert report.doubts == {(style, True): 1}
    for wanted in (style, "any"):
        read = TextCalls(wanted).read(written)
        assert read is not None
        assert all(isinstance(step, WrittenCall) for step in read.steps)
        assert len(read.steps) == 1


@pytest.mark.parametrize(
    ("written", "style"),
    [
        ('<tool_call>\n{"name": "f", "arguments": {"a": ', "hermes"),
        ("<tool_call>get the weather, please</tool_call>", "hermes"),
        ('[TOOL_CALLS] [{"name": "f", "argu', "mistral"),
        ('<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"a": ', "deepseek"),
        ("<function=f>{'a'", "llama"),
        ('<|tool_call>call:f{a:<|"|>x', "hermes"),
    ],
)
def test_a_broken_call_is_counted_as_one_that_nothing_reads(written: str, style: str) -> None:
    report = ImportReport()
    found = from_messages([{"role": "user", "content": "x"}, {"role": "assistant", "content": written}], report=report)
    assert (found.calls, found.output, report.doubts) == ((), written, {(style, False): 1})


def test_of_several_calls_the_whole_ones_are_read_and_the_broken_one_is_counted() -> None:
    report = ImportReport()
    written = '<tool_call>{"name": "f", "arguments": {}}</tool_call>\n<tool_call>{"name": "g", "argum</tool_call>'
    found = from_messages([{"role": "user", "content": "x"}, {"role": "assistant", "content": written}], report=report)
    assert [call.tool for call in found.calls] == ["f"]
    assert report.doubts == {("hermes", False): 1}


def test_calls_beside_the_words_win_over_calls_in_them() -> None:
    call: JsonValue = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    content = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    messages: list[JsonValue] = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": content, "tool_calls": [call]},
    ]
    report = ImportReport()
    assert len(from_messages(messages, report=report).calls) == 1
    assert (report.written, report.doubts) == ({}, {})


def test_a_call_in_a_message_of_the_user_is_none() -> None:
    content = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    messages: list[JsonValue] = [{"role": "user", "content": content}, {"role": "assistant", "content": "So what?"}]
    report = ImportReport()
    found = from_messages(messages, report=report)
    assert (found.calls, found.input, found.output) == ((), content, "So what?")
    assert report.doubts == {}


def test_a_name_of_the_suite_is_a_call_also_where_it_is_a_common_word() -> None:
    known = TextCalls("auto", {"weather"}.__contains__)
    read = known.read('weather\n{"city": "Hanoi"}')
    assert read is not None
    assert read.steps == [WrittenCall("weather", {"city": "Hanoi"})]
    assert TextCalls().read('weather\n{"city": "Hanoi"}') is None
    by_name = '{"weather": {"city": "Hanoi"}}'
    assert known.doubt(by_name) == Doubt("json", readable=True)
    assert (known.read(by_name), TextCalls().doubt(by_name)) == (None, None)


@pytest.mark.parametrize("wanted", ["hermez", "auto,json", "json,off"])
def test_a_style_that_there_is_not_is_refused(wanted: str) -> None:
    with pytest.raises(UsageError, match="is not a way of writing calls"):
        TextCalls(wanted)


def test_every_style_has_an_example_here() -> None:
    auto = TextCalls()
    read = [found for written, _ in CALLS.values() if (found := auto.read(written)) is not None]
    assert {found.style for found in read} == set(STYLES) - {"bash"}
