"""Sessions of Google's Agent Development Kit, as the kit itself writes them."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import JsonValue, Usage
from toolgauge.traces.formats.adk import AdkReader

from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("adk")
QUESTION = "How warm is it in Hanoi?"
SAMPLES: list[JsonValue] = [
    REAL["session"],
    REAL["session_snake"],
    REAL["older_session"],
    REAL["transfer"],
    REAL["transfer"]["events"],
    *REAL["session_snake"]["events"],
]


@pytest.mark.parametrize("key", ["session", "session_snake", "older_session"])
def test_a_session(key: str) -> None:
    found = read_one(AdkReader, REAL[key])
    assert [(call.tool, call.args, call.turn, call.result, call.error) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}, 1, {"celsius": 31}, None),
        ("get_weather", {"city": "Atlantis"}, 1, None, "no such city"),
    ]
    assert (found.case, found.agent) == ("plain", "weather_agent")
    assert (found.input, found.output, found.usage) == (QUESTION, "31 °C.", Usage(2, 40, 16))
    assert found.latency_ms is not None
    assert found.latency_ms > 0


def test_a_transfer_is_a_call_and_one_handoff() -> None:
    found = read_one(AdkReader, REAL["transfer"])
    assert [call.tool for call in found.calls] == ["transfer_to_agent", "get_weather"]
    assert found.events == ({"kind": "handoff", "from": "front", "to": "expert"},)
    assert (found.agent, found.output) == ("front", "31 °C.")


def test_events_one_a_line_belong_together_by_their_invocation() -> None:
    found, lost = read(AdkReader, *REAL["session"]["events"], *REAL["transfer"]["events"])
    assert [[call.tool for call in one.calls] for one in found] == [
        ["get_weather"] * 2,
        ["transfer_to_agent", "get_weather"],
    ]
    assert lost == {}


def test_parts_of_a_streamed_answer_count_once_and_an_error_is_one() -> None:
    def event(words: str, **more: JsonValue) -> JsonValue:
        content: JsonValue = {"role": "model", "parts": [{"text": words}]}
        return {"author": "a", "invocationId": "e-1", "content": content, **more}

    asked: JsonValue = {"author": "user", "invocationId": "e-1", "content": {"role": "user", "parts": [{"text": "?"}]}}
    found = read_one(AdkReader, [asked, event("Thir", partial=True), event("31", partial=False)])
    assert found.output == "31"
    failed: JsonValue = {
        "author": "a",
        "invocationId": "e-1",
        "errorCode": "500",
        "errorMessage": "broken",
        "actions": {},
    }
    assert (read_one(AdkReader, [asked, failed]).state, read_one(AdkReader, [asked, failed]).error) == (
        "error",
        "broken",
    )


def test_what_the_kit_asks_itself_is_no_call() -> None:
    parts: list[JsonValue] = [{"functionCall": {"id": "1", "name": "adk_request_confirmation", "args": {}}}]
    event: JsonValue = {
        "author": "a",
        "invocationId": "e-1",
        "content": {"role": "model", "parts": [*parts, {"text": "?"}]},
    }
    assert read_one(AdkReader, [event]).calls == ()


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(AdkReader, SAMPLES, seed)


def test_a_session_that_ends_in_an_error_is_one() -> None:
    asked: JsonValue = {"author": "user", "invocationId": "i", "content": {"role": "user", "parts": [{"text": "q?"}]}}
    failed: JsonValue = {"author": "root", "invocationId": "i", "errorCode": "429", "errorMessage": "quota"}
    session: JsonValue = {"id": "s", "appName": "a", "state": {"x": 1}, "events": [asked, failed]}
    assert AdkReader.recognises(session)
    found = read_one(AdkReader, session)
    assert (found.state, found.error, found.input) == ("error", "quota", "q?")
