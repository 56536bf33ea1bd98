"""Replies and streams of Cohere's chat, as its client for Python gives them."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.cohere import CohereReader
from toolgauge.traces.formats.openai_chat import OpenAIChatReader

from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("providers")
CALL = Call("get_weather", {"city": "Hanoi"}, "c1", 1)
EXCHANGES: list[JsonValue] = [
    {"request": request, "response": reply}
    for request, reply in zip(REAL["cohere_requests"], REAL["cohere"], strict=True)
]
SAMPLES: list[JsonValue] = [
    *REAL["cohere"],
    *EXCHANGES,
    *REAL["cohere_stream"],
    REAL["cohere_stream"],
    {"messages": REAL["cohere_requests"][1]["messages"], "response": REAL["cohere"][1]},
]


def test_a_reply_by_itself() -> None:
    found, _ = read(CohereReader, REAL["cohere"][0])
    assert (found[0].case, found[0].calls, found[0].usage) == ("x1", (CALL,), Usage(1, 90, 12))
    assert read_one(CohereReader, REAL["cohere"][1]).output == "31 °C."


def test_requests_that_repeat_the_history_are_one_conversation() -> None:
    found = read_one(CohereReader, *EXCHANGES)
    assert [(call.tool, call.result) for call in found.calls] == [("get_weather", {"celsius": 31})]
    assert (found.input, found.output) == ("How warm is it in Hanoi?", "31 °C.")


def test_a_request_by_itself_is_read_as_chat_messages() -> None:
    found = read_one(OpenAIChatReader, REAL["cohere_requests"][1])
    assert found.calls[0].result == {"celsius": 31}


@pytest.mark.parametrize("spread", [True, False])
def test_a_stream_of_events(spread: bool) -> None:
    events = REAL["cohere_stream"]
    found, _ = read(CohereReader, *(events if spread else [events]))
    assert [(one.calls, one.usage) for one in found] == [((CALL,), Usage(1, 90, 12))]


def test_a_reply_that_was_cut_off_or_failed() -> None:
    reply = REAL["cohere"][1]
    assert read_one(CohereReader, {**reply, "finish_reason": "MAX_TOKENS"}).state == "limit"
    assert read_one(CohereReader, {**reply, "finish_reason": "ERROR"}).state == "error"


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(CohereReader, SAMPLES, seed)
