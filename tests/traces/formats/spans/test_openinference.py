"""OpenInference spans, as Phoenix and its instrumentations record them."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.spans.readers import OpenInferenceReader, OtelReader

from ..disturbance import convert, reads_any_record
from ..span_builders import BEGIN, TRACE, otlp, span
from ..spoiling import read, read_one, survives

QUESTION = "What is the weather in Hanoi?"
ARGUMENTS = '{"city": "Hanoi"}'


def message(prefix: str, role: str, **held: JsonValue) -> dict[str, JsonValue]:
    """The attributes of a numbered message."""
    return {
        f"{prefix}.message.role": role,
        **{f"{prefix}.message.{key.replace('__', '.')}": value for key, value in held.items()},
    }


CALL: dict[str, JsonValue] = {
    "tool_calls__0__tool_call__id": "c1",
    "tool_calls__0__tool_call__function__name": "get_weather",
    "tool_calls__0__tool_call__function__arguments": ARGUMENTS,
}
USAGE: dict[str, JsonValue] = {"llm.token_count.prompt": 10, "llm.token_count.completion": 5, "llm.cost.total": 0.5}
FIRST_SAYS: dict[str, JsonValue] = {
    "openinference.span.kind": "LLM",
    **message("llm.input_messages.0", "user", content=QUESTION),
    **message("llm.output_messages.0", "assistant", **CALL),
    **USAGE,
}
TOOL_SAYS: dict[str, JsonValue] = {
    "openinference.span.kind": "TOOL",
    "tool.name": "get_weather",
    "tool.parameters": '{"type": "object", "properties": {"city": {"type": "string"}}}',
    "tool_call.id": "c1",
    "input.value": ARGUMENTS,
    "output.value": '{"c": 31}',
}
LAST_SAYS: dict[str, JsonValue] = {
    "openinference.span.kind": "LLM",
    **message("llm.input_messages.0", "user", content=QUESTION),
    **message("llm.input_messages.1", "assistant", **CALL),
    **message("llm.input_messages.2", "tool", content='{"c": 31}', tool_call_id="c1", name="get_weather"),
    **message("llm.output_messages.0", "assistant", contents__0__message_content__type="text"),
    "llm.output_messages.0.message.contents.0.message_content.text": "Hanoi: 31 °C.",
    **USAGE,
}
ROOT_SAYS: dict[str, JsonValue] = {
    "openinference.span.kind": "AGENT",
    "input.value": QUESTION,
    "output.value": "Hanoi: 31 °C.",
    "session.id": "s1",
    "metadata": '{"case_id": "T001"}',
    "tag.tags": ["smoke"],
}
PARTS: list[tuple[int, dict[str, JsonValue], int | None, int, int, str]] = [
    (2, FIRST_SAYS, 1, 1, 11, "Chat"),
    (3, TOOL_SAYS, 1, 12, 17, "get_weather"),
    (5, LAST_SAYS, 1, 30, 40, "Chat"),
    (1, ROOT_SAYS, None, 0, 50, "desk"),
]
SPANS = [span(number, says, parent=up, begin=a, end=b, name=name) for number, says, up, a, b, name in PARTS]

EXPECTED = Trajectory(
    case="T001",
    agent="desk",
    calls=(Call("get_weather", {"city": "Hanoi"}, "c1", 1, result={"c": 31}, started_ms=12.0, duration_ms=5.0),),
    output="Hanoi: 31 °C.",
    latency_ms=50.0,
    usage=Usage(2, 20, 10, 1.0),
    input=QUESTION,
    meta={"case_id": "T001", "tags": ["smoke"]},
)


def nested(flat: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Attributes as Phoenix keeps them: objects in objects, lists for numbers, metadata as an object."""
    root: dict[str, JsonValue] = {}
    for key, value in flat.items():
        holder = root
        *path, last = key.split(".")
        for step in path:
            inner = holder.setdefault(step, {})
            assert isinstance(inner, dict)
            holder = inner
        holder[last] = msgspec.json.decode(str(value)) if key == "metadata" else value
    found = lists(root)
    assert isinstance(found, dict)
    return found


def lists(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return value
    inner = {key: lists(item) for key, item in value.items()}
    return [inner[key] for key in sorted(inner)] if all(key.isdecimal() for key in inner) else inner


def phoenix(number: int, says: dict[str, JsonValue], parent: int | None, begin: int, end: int, name: str) -> JsonValue:
    """A span as the client of Phoenix gives it."""
    return {
        "name": name,
        "context": {"trace_id": TRACE, "span_id": f"{number:016x}"},
        "span_kind": says["openinference.span.kind"],
        "parent_id": None if parent is None else f"{parent:016x}",
        "start_time": moment(begin),
        "end_time": moment(end),
        "status_code": "OK",
        "status_message": "",
        "attributes": nested(says),
        "events": [],
    }


def row(number: int, says: dict[str, JsonValue], parent: int | None, begin: int, end: int, name: str) -> JsonValue:
    """A row of a table of spans, written as a line of JSON with times in milliseconds."""
    columns: dict[str, JsonValue] = {}
    for key, value in nested(says).items():
        for inner, held in value.items() if isinstance(value, dict) and key != "metadata" else [("", value)]:
            columns[f"attributes.{key}.{inner}".rstrip(".")] = held
    return {
        "name": name,
        "span_kind": says["openinference.span.kind"],
        "parent_id": None if parent is None else f"{parent:016x}",
        "start_time": BEGIN // 10**6 + begin,
        "end_time": BEGIN // 10**6 + end,
        "status_code": "UNSET",
        "events": [],
        "context.span_id": f"{number:016x}",
        "context.trace_id": TRACE,
        **columns,
    }


def moment(milliseconds: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp((BEGIN // 10**6 + milliseconds) / 1000, UTC).isoformat()


SAMPLES: list[JsonValue] = [
    otlp(*SPANS),
    *map(otlp, SPANS),
    *(phoenix(*part) for part in PARTS),
    *(row(*part) for part in PARTS),
]


@pytest.mark.parametrize(
    "records",
    [
        [otlp(*SPANS)],
        [otlp(each) for each in SPANS],
        [phoenix(*part) for part in PARTS],
        [row(*part) for part in PARTS],
    ],
    ids=["OTLP", "a span a line", "Phoenix", "a table"],
)
def test_every_way_of_writing_spans_gives_the_same_trajectory(records: list[JsonValue]) -> None:
    assert read_one(OpenInferenceReader, *records) == EXPECTED
    found, report = convert(records)
    assert (found, report.lost) == ([EXPECTED], {})
    assert report.formats == {"OpenInference spans": [1, 1]}


def test_spans_of_tools_alone_are_calls() -> None:
    found = read_one(OpenInferenceReader, otlp(SPANS[1], SPANS[3]))
    assert found == replace(EXPECTED, usage=None)


@pytest.mark.parametrize(
    ("held", "arguments"),
    [
        ({"input.value": "{'city': 'Hanoi'}"}, {"city": "Hanoi"}),
        ({"input.value": '{"name": "get_weather", "args": {"city": "Hanoi"}}'}, {"city": "Hanoi"}),
        ({"input.value": "Hanoi", "tool.parameters": ARGUMENTS}, {"city": "Hanoi"}),
        ({"input.value": "Hanoi"}, None),
        ({"input.value": "{'city': open('x')}"}, None),
        ({"input.value": "{[]: 1}"}, None),
        ({"input.value": "{{}: 1}"}, None),
        ({"input.value": "{(1, []): 1}"}, None),
        ({"input.value": "{[1, {}]}"}, None),
    ],
)
def test_arguments_of_tools_are_spelled_in_several_ways(held: dict[str, JsonValue], arguments: JsonValue) -> None:
    says = {**TOOL_SAYS, **held}
    found, lost = read(OpenInferenceReader, otlp(span(3, says, begin=12, end=17), SPANS[3]))
    assert found[0].calls[0].args == arguments
    assert bool(lost) == (arguments is None)


def test_messages_of_langchain_hold_the_result_of_a_tool() -> None:
    content = {"content": "no such city", "tool_call_id": "c1", "status": "error", "name": "get_weather"}
    for held in ({"type": "tool", "data": content}, {"output": content}, content):
        says = {**TOOL_SAYS, "output.value": msgspec.json.encode(held).decode()}
        del says["tool_call.id"]
        found = read_one(OpenInferenceReader, otlp(SPANS[0], span(3, says, begin=12, end=17), *SPANS[2:]))
        assert found.calls == (replace(EXPECTED.calls[0], result=None, error="no such city"),)


def test_failed_span_is_a_failed_call() -> None:
    exception: JsonValue = {"name": "exception", "attributes": {"exception.message": "no such city"}}
    record = phoenix(*PARTS[1])
    assert isinstance(record, dict)
    failed: JsonValue = {**record, "status_code": "ERROR", "events": [exception]}
    found = read_one(OpenInferenceReader, phoenix(*PARTS[0]), failed, phoenix(*PARTS[2]), phoenix(*PARTS[3]))
    assert found.calls == (replace(EXPECTED.calls[0], error="no such city"),)


def test_chain_at_the_root_speaks_for_its_agent() -> None:
    held: dict[str, JsonValue] = {
        "openinference.span.kind": "CHAIN",
        "input.value": '{"messages": [{"role": "user", "content": "first"}]}',
        "output.value": '{"messages": [{"type": "human", "data": {"content": "first"}}, '
        '{"type": "ai", "data": {"content": "last"}}]}',
        "metadata": '{"lc_agent_name": "desk"}',
    }
    found = read_one(OpenInferenceReader, otlp(span(1, held, parent=None, end=50, name="LangGraph")))
    assert found == Trajectory(
        agent="desk", output="last", latency_ms=50.0, input="first", meta={"lc_agent_name": "desk"}
    )


def test_spans_of_both_conventions_make_one_trace() -> None:
    root = span(1, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk"}, parent=None, end=50)
    found, report = convert([otlp(root), *map(otlp, SPANS[:3])])
    assert found == [replace(EXPECTED, case="", meta={})]
    assert report.formats == {"OpenInference spans": [1, 1]}
    assert report.lost == {}


def test_traces_are_counted_with_their_own_conventions() -> None:
    other = span(1, {"gen_ai.operation.name": "invoke_agent", "final_result": "yes"}, parent=None, trace="a" * 32)
    records: list[JsonValue] = [otlp(other), *map(otlp, SPANS), otlp({**other, "traceId": "b" * 32})]
    found, report = convert(records)
    assert len(found) == 3
    assert report.formats == {"OpenTelemetry spans": [2, 0], "OpenInference spans": [1, 1]}


def test_phoenix_exports_are_not_taken_for_other_spans() -> None:
    assert not any(OtelReader.recognises(sample) for sample in SAMPLES)


@pytest.mark.deep
def test_real_langchain_agent_as_openinference_records_it() -> None:
    instrumentation = import_module("openinference.instrumentation.langchain")
    context = import_module("openinference.instrumentation")
    agents = import_module("langchain.agents")
    fakes = import_module("langchain_core.language_models.fake_chat_models")
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    class Scripted(fakes.FakeMessagesListChatModel):  # type: ignore[misc, name-defined]  # loaded above
        def bind_tools(self, tools: object, **more: object) -> object:
            return self

    def get_weather(city: str) -> dict[str, int]:
        """Tell the weather."""
        return {"c": 31}

    call = {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1"}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    replies = [
        AIMessage("", tool_calls=[call], usage_metadata=usage),
        AIMessage("Hanoi: 31 °C.", usage_metadata=usage),
    ]
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        agent = agents.create_agent(Scripted(responses=replies), [tool(get_weather)], name="desk")
        with context.using_metadata({"case_id": "T001"}):
            agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
    finally:
        instrumentor.uninstrument()
    spans: list[Any] = list(exporter.get_finished_spans())
    found, report = convert([msgspec.json.decode(each.to_json(indent=None)) for each in spans])
    root = next(each for each in spans if each.parent is None)
    ran = next(each for each in spans if each.attributes["openinference.span.kind"] == "TOOL")
    timed = replace(
        EXPECTED.calls[0],
        started_ms=pytest.approx((ran.start_time - root.start_time) / 1e6, abs=0.01),
        duration_ms=pytest.approx((ran.end_time - ran.start_time) / 1e6, abs=0.01),
    )
    assert (report.lost, len(found)) == ({}, 1)
    assert found[0].meta["case_id"] == "T001"
    latency = pytest.approx((root.end_time - root.start_time) / 1e6, abs=0.01)
    usage_of_all = Usage(2, 20, 10)
    expected = replace(EXPECTED, calls=(timed,), latency_ms=latency, usage=usage_of_all, meta=found[0].meta)
    assert found[0] == expected


def test_a_run_around_agents_that_take_turns_is_no_agent() -> None:
    run: dict[str, JsonValue] = {"openinference.span.kind": "AGENT", "session.id": "s1"}
    desk, expert = ({"openinference.span.kind": "AGENT", "agent.name": name} for name in ("desk", "expert"))
    found, report = convert(
        [
            otlp(
                span(1, run, parent=None, end=50, name="Agent workflow"),
                span(2, {"openinference.span.kind": "CHAIN"}, begin=1, end=49, name="Agent workflow"),
                span(3, desk, parent=2, begin=2, end=20, name="desk"),
                span(4, FIRST_SAYS, parent=3, begin=3, end=9, name="generation"),
                span(5, TOOL_SAYS, parent=3, begin=10, end=15, name="get_weather"),
                span(6, expert, parent=2, begin=21, end=40, name="expert"),
                span(7, LAST_SAYS, parent=6, begin=22, end=39, name="generation"),
            )
        ]
    )
    assert report.lost == {}
    (one,) = found
    assert (one.agent, one.input, one.output) == ("desk", QUESTION, "Hanoi: 31 °C.")
    assert one.events == ({"kind": "handoff", "from": "desk", "to": "expert"},)


@pytest.mark.parametrize("seed", seeds(80))
def test_no_record_makes_the_reader_fail(seed: int) -> None:
    assert survives(OpenInferenceReader, SAMPLES, seed)
    assert reads_any_record(SAMPLES, "openinference", Random(seed))
