"""Spans of agent frameworks that add to the conventions: Google's ADK, AWS's distribution, BeeAI, smolagents."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.core import JsonValue
from toolgauge.traces.formats.spans.readers import OpenInferenceReader, OtelReader

from ..recorded import recorded
from ..spoiling import read, read_one

ADK = recorded("adk")
OTHERS = recorded("agent_spans")
QUESTION = "How warm is it in Hanoi?"


def calls_of(trajectory: Any) -> list[tuple[str, JsonValue, JsonValue, str | None]]:
    return [(call.tool, call.args, call.result, call.error) for call in trajectory.calls]


def test_adk_records_arguments_results_question_and_answer() -> None:
    found = read_one(OtelReader, *ADK["spans"])
    assert calls_of(found) == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31}, None),
        ("get_weather", {"city": "Atlantis"}, None, "no such city"),
    ]
    assert (found.input, found.output, found.agent, found.case) == (QUESTION, "31 °C.", "weather_agent", "plain")
    assert found.calls[0].turn == found.calls[1].turn


def test_a_request_of_adk_is_one_whether_or_not_its_model_is_named() -> None:
    told = ("gen_ai.request.model", "gen_ai.operation.name")
    bare = [_without(span, *told) if span["name"] == "call_llm" else span for span in ADK["spans"]]
    found = read_one(OtelReader, *bare)
    assert (found.input, found.output) == (QUESTION, "31 °C.")
    assert len(found.calls) == 2


def _without(value: JsonValue, *names: str) -> JsonValue:
    """A span without some of its attributes, however they are written."""
    if isinstance(value, dict):
        return {key: _without(each, *names) for key, each in value.items() if key not in names}
    if isinstance(value, list):
        return [_without(each, *names) for each in value if not (isinstance(each, dict) and each.get("key") in names)]
    return value


def test_a_transfer_of_adk_is_one_call_and_one_handoff() -> None:
    found = read_one(OtelReader, *ADK["transfer_spans"])
    assert calls_of(found) == [
        ("transfer_to_agent", {"agent_name": "expert"}, None, None),
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31}, None),
    ]
    assert found.events == ({"kind": "handoff", "from": "front", "to": "expert"},)
    assert (found.input, found.output) == (QUESTION, "31 °C.")


def test_spans_of_adk_that_hold_no_content_are_told() -> None:
    found, lost = read(OtelReader, *ADK["bare_spans"])
    assert [call.tool for call in found[0].calls] == ["transfer_to_agent", "get_weather"]
    assert found[0].events == ({"kind": "handoff", "from": "front", "to": "expert"},)
    assert lost == {"a call is recorded with neither its arguments nor its result": 2}


def test_the_event_of_an_earlier_adk_holds_the_response() -> None:
    response = '{"content":{"parts":[{"function_response":{"id":"c1","name":"f","response":{"result":5}}}]}}'
    span: JsonValue = {
        "name": "execute_tool f",
        "context": {"trace_id": "t", "span_id": "s"},
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "f",
            "gcp.vertex.agent.tool_call_args": '{"a": 1}',
            "gcp.vertex.agent.tool_response": response,
        },
    }
    assert calls_of(read_one(OtelReader, span)) == [("f", {"a": 1}, 5, None)]


def test_a_handoff_in_spans_of_aws_counts_once() -> None:
    found = read_one(OtelReader, *OTHERS["adot"])
    assert calls_of(found) == [
        ("transfer_to_expert", {}, {"assistant": "Expert"}, None),
        ("get_weather", {"city": "Hanoi"}, "31", None),
    ]
    assert found.events == ({"kind": "handoff", "from": "Front", "to": "Expert"},)
    assert (found.input, found.output) == (QUESTION, "31 °C.")


def test_beeai_gives_the_calls_that_were_made_and_no_others() -> None:
    found = read_one(OpenInferenceReader, *OTHERS["beeai"])
    assert [(call.tool, call.args, call.error) for call in found.calls] == [
        ("get_weather", {"city": "Atlantis"}, "Tool Error"),
        ("get_weather", {"city": "Hanoi"}, None),
    ]
    assert (found.input, found.output, found.events) == (QUESTION, "31 °C.", ())


def test_a_tool_of_beeai_without_the_reply_that_asked_for_it_has_its_arguments() -> None:
    spans = [span for span in OTHERS["beeai"] if span["attributes"]["openinference.span.kind"] != "LLM"]
    found, _ = read(OpenInferenceReader, *spans)
    assert [(call.tool, call.args) for call in found[0].calls] == [
        ("get_weather", {"city": "Atlantis"}),
        ("get_weather", {"city": "Hanoi"}),
    ]
    assert found[0].output == "31 °C."


GIVEN = [
    '{"kwargs": {"city": "Hanoi"}}',
    '{"args": [], "kwargs": {"city": "Hanoi"}}',
    '{"args": [], "sanitize_inputs_outputs": true, "kwargs": {"city": "Hanoi"}}',
]
"""As LlamaIndex and smolagents record the call of a tool."""


@pytest.mark.parametrize("given", GIVEN)
def test_arguments_in_the_record_of_a_function(given: str) -> None:
    attributes: JsonValue = {
        "openinference.span.kind": "TOOL",
        "tool.name": "get_weather",
        "input.value": given,
        "output.value": "31",
    }
    span: JsonValue = {
        "name": "FunctionTool.acall",
        "context": {"trace_id": "t", "span_id": "s"},
        "attributes": attributes,
    }
    assert calls_of(read_one(OpenInferenceReader, span)) == [("get_weather", {"city": "Hanoi"}, "31", None)]
