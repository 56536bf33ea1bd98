"""OpenTelemetry spans of models, tools and agents."""

from __future__ import annotations

import base64
import warnings
from importlib import import_module
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces import ImportReport
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.foreign import ForeignRecords
from toolgauge.traces.formats.spans.readers import OtelReader

from ..disturbance import convert, disturbed, reads_any_record
from ..span_builders import answered, asked, otlp, said, span, written
from ..spoiling import read, read_one, survives, without_identity

QUESTION = "What is the weather in Hanoi?"
ASK = asked(("c1", "get_weather", {"city": "Hanoi"}), ("c2", "get_weather", {"city": "Huế"}))
ANSWERS = answered(("c1", {"c": 31}), ("c2", {"c": 30}))
FINAL = said("assistant", "Hanoi: 31 °C.")


def chat(number: int, given: JsonValue, reply: JsonValue, begin: float, /, **more: Any) -> dict[str, JsonValue]:
    attributes: dict[str, JsonValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "large",
        "gen_ai.input.messages": given,
        "gen_ai.output.messages": reply,
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 10,
        **more,
    }
    return span(number, attributes, begin=begin, end=begin + 10, name="chat large")


def tool(number: int, key: str, city: str, result: JsonValue, begin: float, /, **more: Any) -> dict[str, JsonValue]:
    attributes: dict[str, JsonValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_weather",
        "gen_ai.tool.call.id": key,
        "gen_ai.tool.call.arguments": written({"city": city})[1:-1],
        "gen_ai.tool.call.result": written(result)[1:-1],
        **more,
    }
    return span(number, attributes, begin=begin, end=begin + 5, name="execute_tool get_weather")


def agent(number: int = 1, parent: int | None = None, /, **more: Any) -> dict[str, JsonValue]:
    attributes: dict[str, JsonValue] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk", **more}
    return span(number, attributes, parent=parent, begin=0, end=50, name="invoke_agent desk")


FIRST = chat(2, written(said("user", QUESTION)), written(ASK), 1)
TOOL_1 = tool(3, "c1", "Hanoi", {"c": 31}, 12)
TOOL_2 = tool(4, "c2", "Huế", {"c": 30}, 13)
LAST = chat(5, written(said("user", QUESTION), ASK, ANSWERS), written(FINAL), 30)
ROOT = agent(**{"gen_ai.conversation.id": "T001"})
SPANS = [FIRST, TOOL_1, TOOL_2, LAST, ROOT]

EXPECTED = Trajectory(
    case="T001",
    agent="desk",
    calls=(
        Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}, started_ms=12.0, duration_ms=5.0),
        Call("get_weather", {"city": "Huế"}, "c2", 1, result={"c": 30}, started_ms=13.0, duration_ms=5.0),
    ),
    output="Hanoi: 31 °C.",
    latency_ms=50.0,
    usage=Usage(2, 200, 20),
    input=QUESTION,
)


def untimed(trajectory: Trajectory) -> Trajectory:
    """What is left of a trajectory where no span of a tool tells when it ran."""
    calls = tuple(replace(call, started_ms=None, duration_ms=None) for call in trajectory.calls)
    return replace(trajectory, calls=calls)


def snake(value: JsonValue) -> JsonValue:
    """A record with the other way of writing its keys."""
    if isinstance(value, list):
        return [snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {"".join(f"_{c.lower()}" if c.isupper() else c for c in key): snake(item) for key, item in value.items()}


def printed(record: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A span as the SDK for Python prints it."""
    attributes = {}
    listed = record["attributes"]
    assert isinstance(listed, list)
    for item in listed:
        assert isinstance(item, dict)
        key, value = item["key"], item["value"]
        assert isinstance(key, str)
        assert isinstance(value, dict)
        attributes[key] = int(str(value["intValue"])) if "intValue" in value else value["stringValue"]
    parent = record["parentSpanId"]
    return {
        "name": record["name"],
        "context": {"trace_id": f"0x{record['traceId']}", "span_id": f"0x{record['spanId']}", "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": f"0x{parent}" if parent else None,
        "start_time": iso(record["startTimeUnixNano"]),
        "end_time": iso(record["endTimeUnixNano"]),
        "status": {"status_code": "UNSET"},
        "attributes": attributes,
        "events": [],
        "links": [],
    }


def iso(nanoseconds: JsonValue) -> str:
    from datetime import UTC, datetime, timedelta

    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(str(nanoseconds)) // 1000)
    return moment.isoformat().replace("+00:00", "Z")


def in_base64(record: dict[str, JsonValue]) -> dict[str, JsonValue]:
    ids = {key: base64.b64encode(bytes.fromhex(str(record[key]))).decode() for key in ("traceId", "spanId")}
    parent = base64.b64encode(bytes.fromhex(str(record["parentSpanId"]))).decode()
    return {**record, **ids, "parentSpanId": parent}


WHOLE = otlp(*SPANS)
OLDER: dict[str, JsonValue] = {"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": list(SPANS)}]}]}
SAMPLES: list[JsonValue] = [
    WHOLE,
    snake(WHOLE),
    OLDER,
    *map(otlp, SPANS),
    *map(printed, SPANS),
    *SPANS,
    {"spans": list(SPANS)},
    otlp(*map(in_base64, SPANS)),
]


@pytest.mark.parametrize(
    "records",
    [
        [WHOLE],
        [snake(WHOLE)],
        [OLDER],
        [otlp(each) for each in SPANS],
        SPANS,
        [printed(each) for each in SPANS],
        [{"spans": SPANS}],
        [otlp(*map(in_base64, SPANS))],
        [{"batches": [{"scopeSpans": [{"spans": SPANS}]}]}],
    ],
    ids=["OTLP", "snake case", "older libraries", "a span a line", "bare", "printed", "list", "base64", "batches"],
)
def test_every_way_of_writing_spans_gives_the_same_trajectory(records: list[JsonValue]) -> None:
    assert read_one(OtelReader, *records) == EXPECTED
    found, report = convert(records)
    assert (found, report.lost) == ([EXPECTED], {})


def test_spans_may_come_in_any_order_twice_and_mixed_with_other_traces() -> None:
    other = [{**each, "traceId": "f" * 32} for each in SPANS]
    mixed: list[JsonValue] = [*SPANS, *other, *SPANS]
    Random(3).shuffle(mixed)
    found, lost = read(OtelReader, *(otlp(each) for each in mixed))
    assert found == [EXPECTED, EXPECTED]
    assert lost == {"a span was recorded twice; the more complete one is kept": 5}


def test_structured_messages_are_read_as_their_text_is() -> None:
    first = chat(2, [said("user", QUESTION)], [ASK], 1)
    last = chat(5, [said("user", QUESTION), ASK, ANSWERS], [FINAL], 30)
    assert read_one(OtelReader, otlp(first, TOOL_1, TOOL_2, last, ROOT)) == EXPECTED


def test_messages_alone_tell_of_calls_and_results() -> None:
    assert read_one(OtelReader, otlp(FIRST, LAST, ROOT)) == untimed(EXPECTED)


def test_result_may_stand_under_either_name() -> None:
    other = answered(("c1", {"c": 31}))
    parts = other["parts"]
    assert isinstance(parts, list)
    parts.append({"type": "tool_call_response", "id": "c2", "result": {"c": 30}})
    last = chat(5, written(said("user", QUESTION), ASK, other), written(FINAL), 30)
    assert read_one(OtelReader, otlp(FIRST, last, ROOT)) == untimed(EXPECTED)
    renamed = [
        msgspec.json.decode(msgspec.json.encode(each).replace(b"gen_ai.tool.call.result", name.encode()))
        for each in (TOOL_1, TOOL_2)
        for name in ("gen_ai.tool.call.response",)
    ]
    assert read_one(OtelReader, otlp(FIRST, *renamed, LAST, ROOT)) == EXPECTED


def test_tool_spans_alone_are_calls_and_those_that_overlap_share_a_turn() -> None:
    later = tool(6, "c3", "Vinh", {"c": 29}, 40)
    found = read_one(OtelReader, otlp(TOOL_1, TOOL_2, later, ROOT))
    third = Call("get_weather", {"city": "Vinh"}, "c3", 2, result={"c": 29}, started_ms=40.0, duration_ms=5.0)
    assert found == replace(EXPECTED, calls=(*EXPECTED.calls, third), output=None, usage=None, input=None)


def test_spans_without_messages_still_count_turns_and_tokens() -> None:
    silent = [
        span(number, {"gen_ai.operation.name": "chat", "gen_ai.usage.prompt_tokens": 7}, begin=begin, end=begin + 1)
        for number, begin in ((2, 1), (5, 30))
    ]
    later = tool(6, "c3", "Vinh", {"c": 29}, 40)
    found = read_one(OtelReader, otlp(*silent, TOOL_1, later, ROOT))
    assert [(call.args, call.turn) for call in found.calls] == [({"city": "Hanoi"}, 1), ({"city": "Vinh"}, 2)]
    assert found.usage == Usage(2, 14, None)


def test_calls_without_ids_are_joined_with_spans_by_name_and_order() -> None:
    ask = asked((None, "get_weather", {"city": "Hanoi"}), (None, "get_weather", {"city": "Huế"}))
    last = chat(
        5, written(said("user", QUESTION), ask, answered((None, {"c": 31}), (None, {"c": 30}))), written(FINAL), 30
    )
    first = chat(2, written(said("user", QUESTION)), written(ask), 1)
    found = read_one(OtelReader, otlp(first, without(TOOL_2, "gen_ai.tool.call.id"), last, ROOT))
    calls = (
        Call("get_weather", {"city": "Hanoi"}, None, 1, result={"c": 31}),
        Call("get_weather", {"city": "Huế"}, None, 1, result={"c": 30}, started_ms=13.0, duration_ms=5.0),
    )
    assert found == replace(EXPECTED, calls=calls)


def without(record: dict[str, JsonValue], *keys: str) -> dict[str, JsonValue]:
    listed = record["attributes"]
    assert isinstance(listed, list)
    kept: list[JsonValue] = [item for item in listed if isinstance(item, dict) and item["key"] not in keys]
    return {**record, "attributes": kept}


def test_replies_whose_spans_are_lost_are_known_from_later_messages() -> None:
    found, lost = read(OtelReader, otlp(TOOL_1, TOOL_2, LAST, ROOT))
    assert found == [replace(EXPECTED, usage=Usage(1, 100, 10))]
    assert lost == {"the span of a model's reply is missing; the reply is known from later messages": 1}


def test_only_what_this_trace_did_is_told_of_a_longer_conversation() -> None:
    history = [said("user", "Before?"), asked(("c0", "old", {})), answered(("c0", 1)), said("assistant", "Yes.")]
    first = chat(2, written(*history, said("user", QUESTION)), written(ASK), 1)
    last = chat(5, written(*history, said("user", QUESTION), ASK, ANSWERS), written(FINAL), 30)
    assert read_one(OtelReader, otlp(first, TOOL_1, TOOL_2, last, ROOT)) == EXPECTED
    assert read_one(OtelReader, otlp(first, last, ROOT)) == untimed(EXPECTED)


def test_failed_tools_say_why() -> None:
    exception: JsonValue = {
        "name": "exception",
        "attributes": [
            {"key": "exception.type", "value": {"stringValue": "ValueError"}},
            {"key": "exception.message", "value": {"stringValue": "no such city"}},
        ],
    }
    ways: list[dict[str, JsonValue]] = [
        {**TOOL_1, "status": {"code": 2, "message": "no such city"}},
        {**TOOL_1, "status": {"code": "STATUS_CODE_ERROR"}, "events": [exception]},
        {**tool(3, "c1", "Hanoi", {"c": 31}, 12, **{"error.type": "no such city"})},
    ]
    for failed in ways:
        found = read_one(OtelReader, otlp(FIRST, failed, TOOL_2, LAST, ROOT))
        assert found.calls == (replace(EXPECTED.calls[0], error="no such city"), EXPECTED.calls[1])
        assert found.state == "completed"


@pytest.mark.parametrize(
    ("status", "kind", "state"),
    [
        ("gone wrong", "ValueError", "error"),
        ("too late", "TimeoutError", "timeout"),
        ("", "asyncio.CancelledError", "cancelled"),
    ],
)
def test_failed_agent_did_not_complete(status: str, kind: str, state: str) -> None:
    root: JsonValue = {
        **agent(**{"gen_ai.conversation.id": "T001", "error.type": kind}),
        "status": {"code": 2, "message": status},
    }
    found = read_one(OtelReader, otlp(FIRST, TOOL_1, TOOL_2, root))
    assert (found.state, found.error, found.output) == (state, status or kind, None)
    assert found.calls == EXPECTED.calls


def test_reply_that_was_cut_off_is_a_limit() -> None:
    last = chat(5, "[]", written(FINAL), 30, **{"gen_ai.response.finish_reasons": ["length"]})
    assert read_one(OtelReader, otlp(FIRST, TOOL_1, TOOL_2, last, ROOT)) == replace(EXPECTED, state="limit")


def test_failed_request_is_an_event_and_no_turn() -> None:
    failed: JsonValue = {
        **span(9, {"gen_ai.operation.name": "chat"}, begin=0.5),
        "status": {"code": 2, "message": "overloaded"},
    }
    found = read_one(OtelReader, otlp(failed, FIRST, TOOL_1, TOOL_2, LAST, ROOT))
    events = ({"kind": "model_error", "error": "overloaded"},)
    assert found == replace(EXPECTED, usage=Usage(3, 200, 20), events=events)


def test_request_that_two_instrumentations_record_is_counted_once() -> None:
    inner = {**FIRST, "spanId": "a" * 16, "parentSpanId": FIRST["spanId"]}
    inner_tool = {**TOOL_1, "spanId": "b" * 16, "parentSpanId": TOOL_1["spanId"]}
    assert read_one(OtelReader, otlp(inner, FIRST, inner_tool, TOOL_1, TOOL_2, LAST, ROOT)) == EXPECTED


def test_sub_agents_belong_to_the_agent_above_them() -> None:
    sub = {**agent(7, 3, **{"gen_ai.agent.name": "expert"}), "startTimeUnixNano": TOOL_1["startTimeUnixNano"]}
    ask = asked(("c9", "search", {"q": "Hanoi"}))
    inner = {**chat(8, written(said("user", "expert question")), written(ask), 13), "parentSpanId": f"{7:016x}"}
    end = {
        **chat(
            9,
            written(said("user", "expert question"), ask, answered(("c9", [1]))),
            written(said("assistant", "31")),
            14,
        ),
        "parentSpanId": f"{7:016x}",
    }
    found = read_one(OtelReader, otlp(FIRST, TOOL_1, TOOL_2, sub, inner, end, LAST, ROOT))
    search = Call("search", {"q": "Hanoi"}, "c9", 2, result=[1])
    handoff: dict[str, JsonValue] = {"kind": "handoff", "from": "desk", "to": "expert"}
    calls = (*EXPECTED.calls, search)
    assert found == replace(EXPECTED, calls=calls, usage=Usage(4, 400, 40), events=(handoff,))


def test_independent_agents_of_a_trace_are_trajectories_of_their_own() -> None:
    wrapper = span(1, {}, parent=None, end=500, name="evaluation")
    runs: list[JsonValue] = []
    for number, case in ((10, "T001"), (20, "T002")):
        holder = span(number, {"case_name": case}, parent=1, begin=number, end=number + 9)
        top = {**agent(number + 1, number), "startTimeUnixNano": holder["startTimeUnixNano"]}
        reply = chat(number + 2, written(said("user", case)), written(FINAL), number + 1)
        runs += [{**reply, "parentSpanId": top["spanId"]}, top, holder]
    found, lost = read(OtelReader, otlp(*runs, wrapper))
    assert [(each.case, each.input, each.agent, each.output) for each in found] == [
        ("T001", "T001", "desk", "Hanoi: 31 °C."),
        ("T002", "T002", "desk", "Hanoi: 31 °C."),
    ]
    assert lost == {}


def test_conversations_of_a_trace_are_trajectories_of_their_own() -> None:
    loose = [
        chat(
            number,
            written(said("user", name)),
            written(said("assistant", name)),
            number,
            **{"gen_ai.conversation.id": name},
        )
        for number, name in ((2, "a"), (3, "b"), (4, "a"))
    ]
    found, _ = read(OtelReader, otlp(*loose))
    assert [(each.case, each.output, each.usage) for each in found] == [
        ("a", "a", Usage(2, 200, 20)),
        ("b", "b", Usage(1, 100, 10)),
    ]


def test_metadata_names_the_case() -> None:
    root = agent(metadata='{"case_id": "T9", "team": "a"}', **{"traceloop.association.properties.user": "u1"})
    found = read_one(OtelReader, otlp(*SPANS[:4], root))
    assert (found.case, found.meta) == ("T9", {"case_id": "T9", "team": "a", "user": "u1"})


def event(name: str, **attributes: JsonValue) -> dict[str, JsonValue]:
    listed: list[JsonValue] = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    return {"name": name, "timeUnixNano": "1", "attributes": listed}


CALLS = (
    '[{"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Hanoi\\"}"}}]'
)
ONE_CALL = replace(untimed(EXPECTED), calls=untimed(EXPECTED).calls[:1], usage=Usage(2, 14, 4))


def plain(number: int, begin: float, **more: JsonValue) -> dict[str, JsonValue]:
    attributes: dict[str, JsonValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.system": "openai",
        "gen_ai.usage.prompt_tokens": 7,
        "gen_ai.usage.completion_tokens": 2,
    }
    return {**span(number, attributes, begin=begin, end=begin + 10), **more}


def test_the_newer_event_tells_what_attributes_would() -> None:
    told: dict[str, JsonValue] = {
        "gen_ai.input.messages": written(said("user", "How warm?")),
        "gen_ai.output.messages": written(said("assistant", "31 °C.")),
    }
    event: JsonValue = {
        "name": "gen_ai.client.inference.operation.details",
        "attributes": span(1, told)["attributes"],
    }
    asked_for: dict[str, JsonValue] = {"gen_ai.operation.name": "chat"}
    by_event = read_one(OtelReader, otlp(span(1, asked_for, parent=None, events=[event])))
    assert by_event == read_one(OtelReader, otlp(span(1, {**asked_for, **told}, parent=None)))
    assert (by_event.input, by_event.output) == ("How warm?", "31 °C.")


def test_messages_told_as_events_of_spans() -> None:
    user = event("gen_ai.user.message", content=QUESTION)
    choice = event("gen_ai.choice", index="0", finish_reason="tool_calls", tool_calls=CALLS)
    again = event("gen_ai.assistant.message", tool_calls=CALLS)
    result = event("gen_ai.tool.message", id="c1", content='{"c": 31}')
    final = event("gen_ai.choice", finish_reason="stop", message='{"role": "assistant", "content": "Hanoi: 31 °C."}')
    spans = [plain(2, 1, events=[user, choice]), plain(5, 30, events=[user, again, result, final])]
    assert read_one(OtelReader, otlp(*spans, ROOT)) == ONE_CALL


def log(number: int, name: str, body: JsonValue, *, newer: bool) -> dict[str, JsonValue]:
    attributes: list[JsonValue] = [] if newer else [{"key": "event.name", "value": {"stringValue": name}}]
    record: dict[str, JsonValue] = {"eventName": name} if newer else {}
    from ..span_builders import TRACE, typed

    ids: dict[str, JsonValue] = {"traceId": TRACE, "spanId": f"{number:016x}"}
    return {**ids, **record, "timeUnixNano": "1", "body": typed(body), "attributes": attributes}


@pytest.mark.parametrize("newer", [True, False])
@pytest.mark.parametrize("before", [True, False])
def test_messages_told_as_log_records(newer: bool, before: bool) -> None:
    calls = msgspec.json.decode(CALLS)
    user: tuple[str, JsonValue] = ("gen_ai.user.message", {"content": QUESTION})
    told: list[tuple[int, tuple[str, JsonValue]]] = [
        (2, user),
        (2, ("gen_ai.choice", {"index": 0, "message": {"role": "assistant", "tool_calls": calls}})),
        (5, user),
        (5, ("gen_ai.assistant.message", {"tool_calls": calls})),
        (5, ("gen_ai.tool.message", {"id": "c1", "content": {"c": 31}})),
        (5, ("gen_ai.choice", {"index": 0, "message": {"content": "Hanoi: 31 °C."}})),
    ]
    records: list[JsonValue] = [log(number, *what, newer=newer) for number, what in told]
    logs: JsonValue = {"resourceLogs": [{"scopeLogs": [{"scope": {}, "logRecords": records}]}]}
    spans: JsonValue = otlp(plain(2, 1), plain(5, 30), ROOT)
    assert read_one(OtelReader, *([logs, spans] if before else [spans, logs])) == ONE_CALL


def test_numbered_attributes() -> None:
    call: dict[str, JsonValue] = {"tool_calls.0.id": "c1", "tool_calls.0.name": "get_weather"}
    call["tool_calls.0.arguments"] = '{"city": "Hanoi"}'
    usage: dict[str, JsonValue] = {"gen_ai.usage.prompt_tokens": 7, "gen_ai.usage.completion_tokens": 2}
    user: dict[str, JsonValue] = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": QUESTION}
    first = {
        "llm.request.type": "chat",
        **usage,
        **user,
        "gen_ai.completion.0.role": "assistant",
        **{f"gen_ai.completion.0.{key}": value for key, value in call.items()},
    }
    last = {
        "llm.request.type": "chat",
        **usage,
        **user,
        "gen_ai.prompt.1.role": "assistant",
        **{f"gen_ai.prompt.1.{key}": value for key, value in call.items()},
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "c1",
        "gen_ai.prompt.2.content": '{"c": 31}',
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Hanoi: 31 °C.",
    }
    spans = [span(2, first, begin=1, end=11), span(5, last, begin=30, end=40)]
    assert read_one(OtelReader, otlp(*spans, ROOT)) == ONE_CALL


def test_functions_that_traceloop_records() -> None:
    work: dict[str, JsonValue] = {
        "traceloop.span.kind": "workflow",
        "traceloop.entity.name": "desk",
        "traceloop.entity.input": '{"args": ["What is it?"], "kwargs": {}}',
        "traceloop.entity.output": '"31"',
    }
    run: dict[str, JsonValue] = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "get_weather",
        "traceloop.entity.input": '{"args": [], "kwargs": {"city": "Hanoi"}}',
        "traceloop.entity.output": '{"c": 31}',
    }
    spans = [span(2, run, begin=12, end=17), span(1, work, parent=None, end=50)]
    found = read_one(OtelReader, otlp(*spans))
    call = replace(EXPECTED.calls[0], id=None)
    assert found == Trajectory(agent="desk", calls=(call,), output="31", latency_ms=50.0, input="What is it?")


def test_first_instrumentation_of_pydantic_ai() -> None:
    calls = msgspec.json.decode(CALLS)
    events: list[JsonValue] = [
        {"event.name": "gen_ai.user.message", "role": "user", "content": QUESTION},
        {"event.name": "gen_ai.assistant.message", "role": "assistant", "tool_calls": calls},
        {"event.name": "gen_ai.tool.message", "role": "tool", "id": "c1", "name": "get_weather", "content": {"c": 31}},
        {"event.name": "gen_ai.assistant.message", "role": "assistant", "content": "Hanoi: 31 °C."},
    ]
    choices: list[JsonValue] = [
        {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "tool_calls": calls}},
        {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "Hanoi: 31 °C."}},
    ]
    usage: dict[str, JsonValue] = {"gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 2}
    operation: dict[str, JsonValue] = {"gen_ai.operation.name": "chat", **usage}
    first = span(2, {**operation, "events": written(events[0], choices[0])}, begin=1, end=11)
    last = span(5, {**operation, "events": written(*events[:3], choices[1])}, begin=30, end=40)
    run: dict[str, JsonValue] = {"gen_ai.tool.name": "get_weather", "gen_ai.tool.call.id": "c1"}
    ran = span(3, {**run, "tool_arguments": '{"city":"Hanoi"}', "tool_response": '{"c":31}'}, begin=12, end=17)
    attributes: dict[str, JsonValue] = {"agent_name": "desk", "all_messages_events": written(*events)}
    root = span(1, {**attributes, "final_result": "Hanoi: 31 °C."}, parent=None, end=50, name="agent run")
    expected = replace(EXPECTED, case="", calls=EXPECTED.calls[:1], usage=Usage(2, 14, 4))
    assert read_one(OtelReader, otlp(first, ran, last, root)) == expected
    alone = read_one(OtelReader, otlp(root))
    assert alone == replace(untimed(expected), usage=None)


# What goes wrong.


def test_results_without_calls_are_told_of() -> None:
    last = chat(5, written(said("user", QUESTION), answered(("c7", 1))), written(FINAL), 30)
    found, lost = read(OtelReader, otlp(last, ROOT))
    assert (found[0].calls, found[0].output) == ((), "Hanoi: 31 °C.")
    assert lost == {"a tool result belongs to no call and names no tool; it is left out": 1}


def test_arguments_that_are_not_json_give_way_to_those_of_the_tool() -> None:
    ask = asked(("c1", "get_weather", '{"city": "Han'), ("c2", "get_weather", {"city": "Huế"}))
    first = chat(2, written(said("user", QUESTION)), written(ask), 1)
    assert read_one(OtelReader, otlp(first, TOOL_1, TOOL_2, LAST, ROOT)) == EXPECTED
    found, lost = read(OtelReader, otlp(first, LAST, ROOT))
    assert [call.args for call in found[0].calls] == [{}, {"city": "Huế"}]
    assert lost == {"the arguments of a call are not a JSON object; the call is kept without them": 1}


def test_messages_that_are_cut_off_are_made_up_for_by_other_spans() -> None:
    cut = chat(5, written(said("user", QUESTION), ASK, ANSWERS)[:-40], written(FINAL), 30)
    assert read_one(OtelReader, otlp(FIRST, TOOL_1, TOOL_2, cut, ROOT)) == EXPECTED
    cut = chat(2, written(said("user", QUESTION)), written(ASK)[:-3], 1)
    found, lost = read(OtelReader, otlp(cut, TOOL_1, TOOL_2, LAST, ROOT))
    assert found == [EXPECTED]
    assert list(lost) == ["the messages of a span are cut off, or are not JSON; they are left out"]


def test_trace_without_its_root_is_read() -> None:
    found, lost = read(OtelReader, otlp(*SPANS[:4]))
    expected = replace(EXPECTED, case="", agent="", latency_ms=39.0)
    calls = tuple(replace(call, started_ms=call.started_ms - 1) for call in expected.calls if call.started_ms)
    assert found == [replace(expected, calls=calls)]
    assert lost == {"the root span of a trace is missing; the rest is read": 1}


def test_calls_without_results_are_told_of() -> None:
    found, lost = read(OtelReader, otlp(FIRST, ROOT))
    assert [call.result for call in found[0].calls] == [None, None]
    assert lost == {"a call has no recorded result": 2}


def test_spans_that_name_each_other_as_parents_are_read() -> None:
    circle = [{**TOOL_1, "parentSpanId": TOOL_2["spanId"]}, {**TOOL_2, "parentSpanId": TOOL_1["spanId"]}]
    loop = {**ROOT, "parentSpanId": ROOT["spanId"]}
    found, _ = read(OtelReader, otlp(*circle, loop))
    assert found


def test_traces_without_models_tools_and_agents_are_told_of() -> None:
    found, lost = read(OtelReader, otlp(span(1, {"http.method": "GET"}, parent=None)), otlp())
    assert found == []
    assert lost == {
        "a record contains no span with a trace id; it is left out": 1,
        "a trace without a span of a model, a tool or an agent is left out": 1,
    }


def test_large_result_is_kept_whole() -> None:
    rows: JsonValue = ["x" * 1000] * 3000
    found = read_one(OtelReader, otlp(FIRST, tool(3, "c1", "Hanoi", rows, 12), TOOL_2, LAST, ROOT))
    assert found.calls[0].result == rows


def test_lone_surrogates_and_bytes_that_are_not_text_spoil_nothing_else() -> None:
    line = msgspec.json.encode(otlp(*SPANS))
    for spoiled in (line.replace(b"Hanoi: 31", b"Hanoi\\\\ud800: 31"), line.replace(b"Hanoi: 31", b"Hanoi\xff: 31")):
        lines = enumerate([msgspec.json.encode(otlp(TOOL_1)), spoiled], 1)
        found = list(ForeignRecords(ReadContext()).lines(lines))
        assert without_identity(found[0][0]).calls == EXPECTED.calls


def test_formats_may_be_mixed_in_a_file() -> None:
    messages: JsonValue = {
        "id": "m1",
        "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
    }
    records: list[JsonValue] = []
    for each in SPANS:
        records += [otlp(each), messages]
    found, report = convert(records)
    assert [each.case for each in found].count("m1") == 5
    assert [each for each in found if each.case != "m1"] == [EXPECTED]
    assert report.formats["OpenTelemetry spans"] == [1, 2]


@pytest.mark.parametrize("seed", seeds(120))
def test_no_record_makes_the_reader_fail(seed: int) -> None:
    assert survives(OtelReader, SAMPLES, seed)
    assert reads_any_record(SAMPLES, "otel", Random(seed))


# What the real library records.


@pytest.mark.deep
@pytest.mark.parametrize("version", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("as_otlp", [True, False])
def test_real_agent_as_pydantic_ai_records_it(version: int, as_otlp: bool) -> None:
    library = import_module("pydantic_ai")
    sdk = import_module("opentelemetry.sdk.trace")
    encoding = import_module("opentelemetry.exporter.otlp.proto.common.trace_encoder")
    as_json = import_module("google.protobuf.json_format")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = sum(isinstance(message, ModelResponse) for message in messages)
        if turn == 0:
            cities = (("c1", "Hanoi"), ("c2", "Huế"))
            return ModelResponse([ToolCallPart("get_weather", {"city": city}, key) for key, city in cities])
        if turn == 1:
            return ModelResponse([ToolCallPart("ask_oracle", {}, "c3")])
        return ModelResponse([TextPart("Hanoi: 31 °C.")])

    exporter = InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    desk = library.Agent(FunctionModel(reply), name="desk")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # older layouts are still in people's files
        desk.instrument = library.InstrumentationSettings(tracer_provider=provider, version=version)

    def get_weather(city: str) -> dict[str, int]:
        return {"c": 31 if city == "Hanoi" else 30}

    def ask_oracle() -> str:
        raise library.ModelRetry("silent today")

    desk.tool_plain(get_weather)
    desk.tool_plain(ask_oracle)
    desk.run_sync(QUESTION, metadata={"case_id": "T001"})
    spans: list[Any] = list(exporter.get_finished_spans())
    if as_otlp:
        records: list[JsonValue] = [as_json.MessageToDict(encoding.encode_spans(spans))]
    else:
        records = [msgspec.json.decode(each.to_json(indent=None)) for each in spans]
    found, report = convert(records)

    root = next(each for each in spans if each.parent is None)
    ran = {each.attributes["gen_ai.tool.call.id"]: each for each in spans if "gen_ai.tool.call.id" in each.attributes}

    def timed(call: Call) -> Call:
        each = ran[call.id]
        started, duration = each.start_time - root.start_time, each.end_time - each.start_time
        # Spans that are printed are rounded to microseconds.
        return replace(
            call,
            started_ms=pytest.approx(started / 1e6, abs=0.002),
            duration_ms=pytest.approx(duration / 1e6, abs=0.002),
        )

    requests = [each for each in spans if each.attributes.get("gen_ai.operation.name") == "chat"]
    read_tokens, written_tokens = (
        sum(each.attributes[f"gen_ai.usage.{name}_tokens"] for each in requests) for name in ("input", "output")
    )
    oracle = Call("ask_oracle", {}, "c3", 2, error="silent today")
    assert report.lost == {}
    assert found == [
        replace(
            EXPECTED,
            calls=tuple(map(timed, (*EXPECTED.calls, oracle))),
            latency_ms=pytest.approx((root.end_time - root.start_time) / 1e6, abs=0.002),
            usage=Usage(3, read_tokens, written_tokens),
            meta={"case_id": "T001"},
        )
    ]


@pytest.mark.parametrize("seed", seeds(60))
def test_shorter_way_of_reading_lines_finds_the_same(seed: int) -> None:
    records = disturbed([*map(otlp, SPANS), WHOLE], Random(seed))
    outcomes = []
    for shorter in (True, False):
        report = ImportReport()
        reader = OtelReader(ReadContext(ReadOptions(report=report)))
        found: list[Trajectory] = []
        for record in records:
            given = reader.read_line(msgspec.json.encode(record)) if shorter else None
            found += reader.read(record) if given is None else given
        found += reader.finish()
        outcomes.append((found, report.lost))
    assert outcomes[0] == outcomes[1]
