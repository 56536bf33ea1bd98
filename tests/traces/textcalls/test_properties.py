"""Whatever calls are written in a style, reading gives the same calls; prose gives none, and nothing takes long."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.core import JsonValue
from toolgauge.traces.textcalls import STYLES
from toolgauge.traces.textcalls.looking import TextCalls
from toolgauge.traces.textcalls.values import WrittenCall

Calls = list[tuple[str, dict[str, JsonValue]]]

WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="<>｜"), min_size=1, max_size=12
)
SCALARS: st.SearchStrategy[JsonValue] = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.floats(-1e6, 1e6, width=32), WORDS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.from_regex(r"[a-z]{2,6}_[a-z]{1,6}", fullmatch=True)
KEYS = st.sampled_from(["city", "days", "note", "units", "query"])
CALLS = st.lists(st.tuples(NAMES, st.dictionaries(KEYS, VALUES, max_size=3)), min_size=1, max_size=3)


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _objects(calls: Calls, key: str = "arguments") -> list[JsonValue]:
    return [{"name": name, key: arguments} for name, arguments in calls]


def _python(calls: Calls) -> str:
    written = (f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})" for name, given in calls)
    return f"[{', '.join(written)}]"


WRITERS: dict[str, Callable[[Calls], str]] = {
    "hermes": lambda calls: "\n".join(f"<tool_call>\n{_json(one)}\n</tool_call>" for one in _objects(calls)),
    "hermes, single quotes": lambda calls: "\n".join(f"<tool_call>\n{one!r}\n</tool_call>" for one in _objects(calls)),
    "unclosed": lambda calls: "Well.\n" + "\n".join(f"<tool_call>{_json(one)}" for one in _objects(calls)),
    "function_call": lambda calls: " ".join(f"<function_call> {_json(one)}" for one in _objects(calls)),
    "llama": lambda calls: "".join(f"<function={name}>{_json(given)}</function>" for name, given in calls),
    "python tag": lambda calls: "<|python_tag|>" + "; ".join(map(_json, _objects(calls, "parameters"))),
    "mistral": lambda calls: f"[TOOL_CALLS] {_json(_objects(calls))}",
    "mistral, newer": lambda calls: "".join(f"[TOOL_CALLS]{name}[ARGS]{_json(given)}" for name, given in calls),
    "deepseek": lambda calls: (
        "<｜tool▁calls▁begin｜>"
        + "".join(
            f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{_json(given)}\n```<｜tool▁call▁end｜>"
            for name, given in calls
        )
    ),
    "kimi": lambda calls: "".join(
        f"<|tool_call_begin|>functions.{name}:{number}<|tool_call_argument_begin|>{_json(given)}<|tool_call_end|>"
        for number, (name, given) in enumerate(calls)
    ),
    "json": lambda calls: _json(_objects(calls)),
    "json lines": lambda calls: "\n".join(map(_json, _objects(calls, "parameters"))),
    "tool_calls": lambda calls: _json({"tool_calls": _objects(calls)}),
    "name": lambda calls: "\n".join(f"{name}\n{_json(given)}" for name, given in calls),
    "python": _python,
    "python, quoted": lambda calls: _json(_python(calls)),
    "react": lambda calls: "\n".join(
        f"Thought: so\nAction: {name}\nAction Input: {_json(given)}\nObservation: well" for name, given in calls
    ),
}


@pytest.mark.parametrize("style", WRITERS)
@given(calls=CALLS)
def test_what_is_written_is_read(style: str, calls: Calls) -> None:
    texts = TextCalls()
    written = WRITERS[style](calls)
    assert texts.may_hold(written)
    found = texts.read(written)
    assert found is not None, written
    read = [step for step in found.steps if isinstance(step, WrittenCall)]
    assert [(call.name.removeprefix("functions."), call.arguments) for call in read] == calls
    assert found.broken == 0


LETTERS = "abcdefghijklmnopqrstuvwxyzáàảãạăắằẳẵặâấầẩẫậđéèẻẽẹêếềểễệíìỉĩịóòỏõọôốồổỗộơớờởỡợúùủũụưứừửữựýỳỷỹỵ"
PROSE = st.lists(
    st.one_of(
        st.text(LETTERS, min_size=1, max_size=8),
        st.sampled_from(
            [
                "(x)",
                "[1]",
                "a < b",
                "50%",
                "1,5 tỷ",
                "f(x)",
                "{x}",
                "Action:",
                "Hành động:",
                "\n",
                "\n\n- ",
                "**x**",
                "`x`",
                '"x"',
                "a = b",
                "<b>x</b>",
            ]
        ),
    ),
    min_size=1,
    max_size=40,
).map(" ".join)


@given(PROSE)
def test_prose_is_no_call_and_looks_like_none(prose: str) -> None:
    texts = TextCalls()
    assert texts.read(prose) is None
    assert texts.doubt(prose) is None


MARKS = st.sampled_from(
    [
        *("<tool_call>", "</tool_call>", "{", "}", "[", "]", "(", ")", '"', "'", "\\", "name", ":", ",", "f", "=", "1"),
        *(
            "\n",
            "```",
            "Action:",
            "Action Input:",
            "<function=f>",
            "[TOOL_CALLS]",
            "<｜tool▁call▁begin｜>",
            "<|message|>",
        ),
        *(" ", "<parameter=a>", "</parameter>", "<arg_key>", "[ARGS]", "<bot_end>", "to=f", "null", "Call: "),
    ]
)


@given(st.lists(MARKS, max_size=40).map("".join))
def test_any_mixture_of_marks_is_read_without_a_fault(text: str) -> None:
    for wanted in ("auto", "any", "json", "python"):
        texts = TextCalls(wanted)
        if text and texts.may_hold(text):
            found, doubt = texts.read(text), texts.doubt(text)
            assert found is None or found.style in STYLES
            assert doubt is None or doubt.style


LENGTH = 1_000_000
HOSTILE = [
    *("<tool_call>", '<tool_call>{"name": "f"}', "<tool_call>{", "<tool_call>{'a':", "<function_call>", "<function=f>"),
    *("<function=f><parameter=a>", '<invoke name="f">', "[", "{", "(", "[{", "[TOOL_CALLS]", "[TOOL_CALLS]f"),
    *(
        "<｜tool▁call▁begin｜>",
        "<｜tool▁call▁begin｜>f<｜tool▁sep｜>",
        "<|message|>{",
        "to=f<|message|>{",
        "f(a=",
        "[f(a=",
    ),
    *(
        "Action: f\n",
        "Action: f\nAction Input: {\n",
        "Thought:\nAction: f[x\n",
        "```bash\nx\n```\n",
        "```json\n{",
        '\n{"name"',
    ),
    *(
        '{"name": "f", "arguments": {}}\n',
        'get_x\n{"a":1}\n',
        '"arguments": \'',
        "<arg_key>",
        "</think>",
        " \n",
        "'",
        '\\"',
    ),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_the_time_grows_with_the_length_alone(unit: str) -> None:
    texts = TextCalls()

    def spent(length: int) -> float:
        text = unit * (length // len(unit))
        begin = time.process_time()
        if texts.may_hold(text):
            texts.read(text)
            texts.doubt(text)
        return time.process_time() - begin

    spent(LENGTH // 100)
    # Ten times the length takes ten times as long; a hundred times would be what must not be.
    assert spent(LENGTH) < max(40 * spent(LENGTH // 10), 0.5), unit


@pytest.mark.parametrize(
    "text",
    [
        '{"name":"f","arguments":' + '{"a":' * 200_000,
        "[f(a=" + "[" * 200_000 + "]" * 200_000 + ")]",
        "<tool_call>" + "[" * 500_000,
        '<tool_call>{"name":"f","arguments":' + '{"a":' * 990 + "1" + "}" * 991 + "</tool_call>",
        '<functioncall>{"name":"f", "arguments": \'' + '{"a": ' * 100_000 + "'}",
    ],
)
def test_what_is_nested_too_deep_is_no_call(text: str) -> None:
    texts = TextCalls("any")
    assert texts.read(text) is None
    texts.doubt(text)
