"""Messages of Vercel's AI SDK, versions 4 and 5, as the SDK itself makes them."""

from __future__ import annotations

import copy

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.openai_chat import OpenAIChatReader
from toolgauge.traces.formats.vercel import VercelReader

from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("vercel")
QUESTION = "How warm is it in Hanoi?"
ANSWER = "31 °C."
CALLS_4 = (
    Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"celsius": 31}),
    Call("get_weather", {"city": "Hue"}, "c2", 1, result={"celsius": 33}),
)
CALLS_5 = (
    Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"celsius": 31}),
    Call("search", {"q": "Hanoi"}, "c2", 1, result="3 hits"),
    Call("get_weather", {"city": "Atlantis"}, "c3", 1, error="An error occurred."),
)


def without_parts() -> list[JsonValue]:
    """Messages as the earlier releases of version 4 kept them."""
    messages = copy.deepcopy(REAL["ui4"])
    for message in messages:
        del message["parts"]
    return messages  # type: ignore[no-any-return]  # a list, as recorded


SAMPLES: list[JsonValue] = [
    REAL["ui4"],
    REAL["ui5"],
    {"id": "chat", "messages": REAL["ui5"]},
    {"messages": without_parts()},
    REAL["generate5"],
    *REAL["ui5"],
]


@pytest.mark.parametrize("messages", [REAL["ui4"], without_parts()])
def test_version_4(messages: list[JsonValue]) -> None:
    found = read_one(VercelReader, {"case": "a", "messages": messages})
    assert found == Trajectory("a", calls=CALLS_4, output="31 and 33 °C.", input=QUESTION)


def test_version_5() -> None:
    found = read_one(VercelReader, {"id": "chat", "messages": REAL["ui5"]})
    assert found == Trajectory("chat", calls=CALLS_5, output=ANSWER, input=QUESTION)


def test_messages_one_a_line_belong_together_by_their_chat() -> None:
    found = read_one(VercelReader, *({**message, "chatId": "hanoi"} for message in REAL["ui5"]))
    assert (found.case, found.calls, found.output) == ("hanoi", CALLS_5, ANSWER)


@pytest.mark.parametrize(("key", "calls"), [("core4", CALLS_4), ("model5", CALLS_5)])
def test_messages_for_models_are_read_as_chat_messages(key: str, calls: tuple[Call, ...]) -> None:
    assert read_one(OpenAIChatReader, REAL[key]).calls == calls


def test_the_steps_that_generate_text_returns() -> None:
    found = read_one(VercelReader, {"case": "a", "prompt": QUESTION, **REAL["generate5"]})
    assert found == Trajectory("a", calls=CALLS_5[:1], output=ANSWER, input=QUESTION, usage=Usage(2, 40, 16))


STATES: list[tuple[dict[str, JsonValue], JsonValue, str | None, int]] = [
    ({"state": "input-streaming", "input": {"a": 1}}, None, None, 1),
    ({"state": "input-available", "input": {"a": 1}}, None, None, 1),
    ({"state": "approval-requested", "input": {"a": 1}}, None, None, 1),
    ({"state": "output-available", "input": {"a": 1}, "output": [1, 2]}, [1, 2], None, 0),
    ({"state": "output-error", "rawInput": {"a": 1}, "errorText": "broken"}, None, "broken", 0),
    ({"state": "output-denied", "input": {"a": 1}}, None, "denied", 0),
]


@pytest.mark.parametrize(("part", "result", "error", "lost"), STATES)
def test_every_state_of_a_call(part: dict[str, JsonValue], result: JsonValue, error: str | None, lost: int) -> None:
    parts: list[JsonValue] = [{"type": "tool-f", "toolCallId": "c", **part}]
    found, losses = read(VercelReader, [{"role": "user", "parts": [{"type": "text", "text": "?"}]},
                                        {"role": "assistant", "parts": parts}])  # fmt: skip
    assert found[0].calls == (Call("f", {"a": 1}, "c", 1, result=result, error=error),)
    assert sum(losses.values()) == lost


def test_every_step_is_a_turn_also_where_no_mark_says_so() -> None:
    def used(name: str) -> JsonValue:
        return {"type": f"tool-{name}", "toolCallId": name, "state": "output-available", "input": {}, "output": 1}

    parts: list[JsonValue] = [{"type": "text", "text": "First."}, used("a"), {"type": "text", "text": "Then."}]
    parts += [used("b"), {"type": "text", "text": "Done."}]
    found = read_one(VercelReader, [{"role": "assistant", "parts": parts}])
    assert [(call.tool, call.turn) for call in found.calls] == [("a", 1), ("b", 2)]
    assert found.output == "Done."


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(VercelReader, SAMPLES, seed)
