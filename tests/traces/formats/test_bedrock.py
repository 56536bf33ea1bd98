"""Replies, streams and logs of Amazon Bedrock, as its client for Python gives them."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces.formats.bedrock import BedrockReader
from toolgauge.traces.formats.openai_chat import OpenAIChatReader

from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("providers")
QUESTION = "How warm is it in Hanoi?"
CALL = Call("get_weather", {"city": "Hanoi"}, "c1", 1)


def logged(index: int, response: JsonValue) -> JsonValue:
    """A line of the log of invocations."""
    return {
        "schemaType": "ModelInvocationLog",
        "operation": "Converse",
        "modelId": "m",
        "input": {"inputContentType": "application/json", "inputBodyJson": REAL["bedrock_requests"][index]},
        "output": {"outputContentType": "application/json", "outputBodyJson": response},
    }


SAMPLES: list[JsonValue] = [
    *REAL["bedrock"],
    REAL["bedrock_stream"],
    *REAL["bedrock_stream"],
    logged(0, REAL["bedrock"][0]),
    logged(1, REAL["bedrock_stream"]),
    {"request": REAL["bedrock_requests"][0], "response": REAL["bedrock_stream"]},
]


def test_a_reply_by_itself() -> None:
    found, lost = read(BedrockReader, REAL["bedrock"][0])
    assert (found[0].calls, found[0].output, found[0].usage) == ((CALL,), None, Usage(1, 20, 8))
    assert lost == {"a call has no recorded result": 1}
    assert read_one(BedrockReader, REAL["bedrock"][1]).output == "31 °C."


@pytest.mark.parametrize("spread", [True, False])
def test_a_stream_of_events(spread: bool) -> None:
    events = REAL["bedrock_stream"]
    found, _ = read(BedrockReader, *(events if spread else [events]))
    assert [(one.calls, one.usage) for one in found] == [((CALL,), Usage(1, 20, 8))]


def test_two_streams_are_two_and_one_that_is_cut_off_is_read_as_far_as_it_came() -> None:
    found, _ = read(BedrockReader, *REAL["bedrock_stream"], *REAL["bedrock_stream"][:7])
    assert [one.calls for one in found] == [(CALL,), (CALL,)]


def test_requests_in_a_log_that_repeat_the_history_are_one_conversation() -> None:
    found = read_one(BedrockReader, logged(0, REAL["bedrock"][0]), logged(1, REAL["bedrock"][1]))
    assert [(call.tool, call.result) for call in found.calls] == [("get_weather", {"celsius": 31})]
    assert (found.input, found.output, found.usage) == (QUESTION, "31 °C.", Usage(2, 50, 13))


def test_a_request_by_itself_is_read_as_chat_messages() -> None:
    found = read_one(OpenAIChatReader, REAL["bedrock_requests"][1])
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31})
    ]


def test_a_stream_that_fails() -> None:
    found, _ = read(
        BedrockReader, {"messageStart": {"role": "assistant"}}, {"throttlingException": {"message": "slow"}}
    )
    assert (found[0].state, found[0].error) == ("error", "slow")


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(BedrockReader, SAMPLES, seed)
