"""Spans that Vercel's AI SDK wrote."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.formats.disturbance import convert
from tests.traces.formats.recorded import recorded
from tests.traces.formats.spoiling import read_one
from toolgauge.core import JsonValue, Usage
from toolgauge.traces.formats.spans.readers import OtelReader

REAL = recorded("vercel_spans")
QUESTION = "How warm is it in Hanoi?"


def spans_in(document: Any) -> list[Any]:
    return [span for held in document["resourceSpans"] for scope in held["scopeSpans"] for span in scope["spans"]]


def one_a_line(document: Any) -> list[JsonValue]:
    return [{"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]} for span in spans_in(document)]


@pytest.mark.parametrize("key", REAL)
@pytest.mark.parametrize("apart", [False, True])
def test_a_run_with_tools(key: str, apart: bool) -> None:
    found, report = convert(one_a_line(REAL[key]) if apart else [REAL[key]])
    assert [(call.tool, call.args, call.id, call.turn, call.result, call.error) for call in found[0].calls] == [
        ("get_weather", {"city": "Hanoi"}, "c1", 1, {"celsius": 31}, None),
        ("get_weather", {"city": "Atlantis"}, "c2", 1, None, "no such city"),
    ]
    assert all(call.duration_ms is not None for call in found[0].calls)
    assert (found[0].case, found[0].agent, found[0].usage) == ("hanoi", "weather", Usage(2, 40, 16))
    assert (found[0].input, found[0].output, found[0].meta) == (QUESTION, "31 °C.", {"case": "hanoi"})
    assert (len(found), report.lost, list(report.formats)) == (1, {}, [OtelReader.title])


@pytest.mark.parametrize("key", REAL)
def test_without_the_spans_of_tools_results_are_in_what_the_model_was_given(key: str) -> None:
    spans = [span for span in spans_in(REAL[key]) if span["name"] != "ai.toolCall"]
    found = read_one(OtelReader, {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert [(call.id, call.result, call.error) for call in found.calls] == [
        ("c1", {"celsius": 31}, None),
        ("c2", None, "no such city"),
    ]


def test_a_prompt_of_messages() -> None:
    asked = '{"messages":[{"role":"user","content":[{"type":"text","text":"Hi?"}]}]}'
    names: list[JsonValue] = [
        {"key": "ai.operationId", "value": {"stringValue": "ai.generateText"}},
        {"key": "ai.prompt", "value": {"stringValue": asked}},
        {"key": "ai.response.text", "value": {"stringValue": "Hello."}},
    ]
    span: JsonValue = {"traceId": "t", "spanId": "s", "name": "ai.generateText", "attributes": names}
    found = read_one(OtelReader, {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    assert (found.input, found.output) == ("Hi?", "Hello.")
