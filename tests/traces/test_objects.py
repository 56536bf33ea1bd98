"""Whatever library made them, messages in memory become a trajectory, and objects become plain values."""

from __future__ import annotations

from collections import UserList, namedtuple
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import Enum, StrEnum
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.errors import UsageError
from toolgauge.traces import ImportReport, from_messages
from toolgauge.traces.objects import plain


class Colour(Enum):
    RED = "red"


class Word(StrEnum):
    YES = "yes"


@dataclass
class Part:
    text: str
    _hidden: str = "not shown"
    when: datetime = field(default_factory=lambda: datetime(2026, 1, 31, 8, tzinfo=UTC))


class Model:
    """An object that writes itself, as pydantic's do."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields

    def model_dump(self, mode: str = "python") -> dict[str, object]:
        return {**self.fields, "mode": mode}


class Older:
    def dict(self) -> dict[str, int]:
        return {"a": 1}


class Broken:
    def to_dict(self) -> dict[str, int]:
        raise RuntimeError("not now")

    def __str__(self) -> str:
        return "broken"


Pair = namedtuple("Pair", ["left", "right"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, 2.5, None, True, "x"), [1, 2.5, None, True, "x"]),
        (float("nan"), "nan"),
        (b"caf\xc3\xa9", "café"),
        (date(2026, 1, 31), "2026-01-31"),
        (timedelta(seconds=2), 2.0),
        ([Colour.RED, Word.YES], ["red", "yes"]),
        ({1: Part("a")}, {"1": {"text": "a", "when": "2026-01-31T08:00:00+00:00"}}),
        (Model(part=Part("a")), {"part": {"text": "a", "when": "2026-01-31T08:00:00+00:00"}, "mode": "json"}),
        (Older(), {"a": 1}),
        (Broken(), "broken"),
        (Pair(1, 2), {"left": 1, "right": 2}),
        (UserList([1]), [1]),
        (Call("f", {"a": 1}).args, {"a": 1}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_objects_become_what_they_hold(value: object, expected: JsonValue) -> None:
    assert plain(value) == expected


def test_what_holds_itself_comes_to_an_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    depth = 0
    value = plain(endless)
    while isinstance(value, list):
        value, depth = value[0], depth + 1
    assert value is None
    assert depth == 60


@settings(max_examples=examples(100), deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=10,
    )
)
def test_plain_values_stay_what_they_are(value: JsonValue) -> None:
    assert plain(value) == value


def test_messages_become_one_trajectory_with_the_names_that_are_given() -> None:
    use = SimpleNamespace(
        to_dict=lambda: {"type": "tool_use", "id": "c1", "name": "get-weather", "input": {"city": "Hue"}}
    )
    messages = [
        {"role": "user", "content": "How warm is it?"},
        {"role": "assistant", "content": (use,)},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "kaputt"}]},
        {"role": "assistant", "content": "I do not know."},
    ]
    report = ImportReport()
    trajectory = from_messages(
        messages, case="k1", agent="react", report=report, known_tools=["get_weather"], error_patterns=["^kaputt"]
    )
    call = Call("get_weather", {"city": "Hue"}, id="c1", turn=1, error="kaputt", original="get-weather")
    assert trajectory == Trajectory("k1", "react", calls=(call,), output="I do not know.", input="How warm is it?")
    assert report.formats == {"Anthropic messages": [1, 1]}


def test_a_result_that_knows_its_messages_is_asked_for_them() -> None:
    messages = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]
    result = SimpleNamespace(all_messages=lambda: messages)
    assert from_messages(result) == Trajectory(input="Hello", output="Hello!")


NO_MESSAGES: list[object] = [[], {}, "text", 7, None, [1, 2], {"a": 1}, object()]


@pytest.mark.parametrize("value", NO_MESSAGES, ids=lambda value: type(value).__name__)
def test_what_is_no_message_is_an_error_that_says_what_to_pass(value: object) -> None:
    with pytest.raises(UsageError, match=r"is not a list of messages in a known format; pass the messages as OpenAI"):
        from_messages(value)


def test_messages_of_several_conversations_are_an_error() -> None:
    one = {"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]}
    with pytest.raises(UsageError, match="contain 2 conversations, but one is needed"):
        from_messages([one, one])


def test_whole_replies_among_the_messages_are_opened() -> None:
    asks = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "clock", "arguments": "{}"}}]}
    question, result = {"role": "user", "content": "Now?"}, {"role": "tool", "tool_call_id": "c1", "content": "noon"}
    chat = [question, {"object": "chat.completion", "choices": [{"message": asks}]}, result]
    expected = Trajectory(calls=(Call("clock", {}, id="c1", turn=1, result="noon"),), input="Now?")
    assert from_messages(chat) == expected
    call = {"type": "function_call", "call_id": "c1", "name": "clock", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c1", "output": "noon"}
    assert from_messages([question, {"object": "response", "output": [call]}, output]) == expected
