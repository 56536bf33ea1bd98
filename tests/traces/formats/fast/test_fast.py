"""The shorter ways of reading give the same as the long ways, on whatever they take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random

import msgspec
import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces import ImportReport
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.foreign import ForeignRecords
from toolgauge.traces.formats import Reader, built_in
from toolgauge.traces.formats.fast import traces as fast_traces
from toolgauge.traces.formats.spans import trajectories as span_trajectories

from ..disturbance import disturbed
from ..span_builders import answered, asked, otlp, said, span, written

LONG = msgspec.json.encode([{"name": f"Hà Nội {number}", "celsius": 31.5} for number in range(10)]).decode()

CHAT: list[JsonValue] = [
    {"role": "system", "content": "Answer briefly."},
    {"role": "user", "content": [{"type": "text", "text": "How warm is it?"}, {"type": "text", "text": "In Huế."}]},
    {
        "role": "assistant",
        "content": "",
        "refusal": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "functions.warmth", "arguments": '{"city": "Huế"}'}},
            {"id": "c2", "type": "function", "function": {"name": "warmth", "arguments": {"city": "Hanoi"}}},
            {"id": "c3", "type": "function", "function": {"name": "clock"}},
        ],
    },
    {"role": "tool", "tool_call_id": "c2", "name": "warmth", "content": LONG},
    {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": '{"error": "closed"}'}]},
    {"role": "assistant", "content": "Huế is closed.", "reasoning_content": "hm", "annotations": []},
    {"role": "user", "content": "And now?"},
    {"role": "assistant", "content": None, "refusal": "I would rather not say."},
]
ANTHROPIC: list[JsonValue] = [
    {"role": "user", "content": [{"type": "text", "text": "How warm"}, {"type": "text", "text": "is it?"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "text", "text": "I shall see."},
            {"type": "tool_use", "id": "t1", "name": "mcp__desk__warmth", "input": {"city": "Huế"}},
            {"type": "tool_use", "id": "t2", "name": "clock", "input": {}},
            {"type": "text", "text": "Wait."},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": LONG}]},
            {"type": "tool_result", "tool_use_id": "t1", "content": "closed", "is_error": True},
            {"type": "text", "text": "Go on."},
        ],
    },
    {"role": "assistant", "content": "It is closed."},
]


def told_by_langchain(kind: str, **fields: JsonValue) -> JsonValue:
    return {"additional_kwargs": {}, "response_metadata": {}, **fields, "type": kind}


def wrapped(message: JsonValue) -> JsonValue:
    assert isinstance(message, dict)
    return {"type": message["type"], "data": message}


def dumped(message: JsonValue) -> JsonValue:
    assert isinstance(message, dict)
    names = {"human": "HumanMessage", "ai": "AIMessage", "system": "SystemMessage", "tool": "ToolMessage"}
    path: JsonValue = ["langchain", "schema", "messages", names[str(message["type"])]]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": message}


LANGCHAIN: list[JsonValue] = [
    told_by_langchain("system", content="Answer briefly."),
    told_by_langchain("human", content="How warm is it?", id="m1"),
    told_by_langchain(
        "ai",
        content="",
        name="desk",
        tool_calls=[
            {"name": "warmth", "args": {"city": "Huế"}, "id": "c1", "type": "tool_call"},
            {"name": "clock", "args": {}, "id": "c2", "type": "tool_call"},
        ],
        invalid_tool_calls=[],
        usage_metadata={"input_tokens": 10, "output_tokens": 2, "total_tokens": 12},
    ),
    told_by_langchain("tool", content=LONG, tool_call_id="c1", status="success", artifact=None),
    told_by_langchain("tool", content="closed", tool_call_id="c2", status="error"),
    told_by_langchain("ai", content="It is 31 °C.", name="desk", response_metadata={"finish_reason": "length"}),
]

RECORDS: dict[str, list[JsonValue]] = {
    "openai-chat": [
        {"id": "k1", "messages": CHAT, "score": 0.5, "labels": ["x"], "error": None},
        {"id": 7, "case_id": "k2", "agent": "plan", "metadata": {"run": {"id": 3}}, "messages": CHAT, "latency_ms": 5},
        {"messages": CHAT[1:], "meta": {"case": "k3", "agent": "react"}, "start_time": 10**9, "end_time": 10**9 + 2},
        {"messages": [{"role": "developer", "content": [{"type": "text", "text": "Answer briefly."}]}, *CHAT[1:]]},
        CHAT,
    ],
    "anthropic": [
        {"id": "k1", "model": "m", "system": "Answer briefly.", "messages": ANTHROPIC, "duration_ms": 3.5},
        {"messages": ANTHROPIC, "metadata": {"case": "k2", "tags": ["x"]}, "agent": "plan"},
        ANTHROPIC,
    ],
    "langchain": [
        {"id": "k1", "messages": LANGCHAIN, "config": {"metadata": {"case": "k9"}}},
        {"messages": [wrapped(message) for message in LANGCHAIN[1:]], "metadata": {"case": "k2", "agent": "plan"}},
        [dumped(message) for message in LANGCHAIN],
        {"id": "k4", "messages": LANGCHAIN[:2]},
        {"id": "k4", "messages": LANGCHAIN},
        {"id": "k5", "messages": LANGCHAIN[1:], "tags": ["x"]},
    ],
}


def read(
    kind: type[Reader], records: Sequence[JsonValue], *, shorter: bool, kept_key: str | None = None
) -> tuple[list[Trajectory], dict[str, int]]:
    """The trajectories of records and what was lost, and where the shorter way is taken, that it is taken rightly."""
    reading = ReadContext(ReadOptions(kept_key=kept_key))
    reader = kind(reading)
    found: list[Trajectory] = []
    for number, record in enumerate(records, 1):
        reading.number = number
        given = reader.read_line(msgspec.json.encode(record)) if shorter else None  # type: ignore[attr-defined]
        if given is None:
            found += reader.read(record)
        else:
            assert kind.recognises(record)
            found += given
    found += reader.finish()
    return found, reading.report.lost


@pytest.mark.parametrize("name", RECORDS)
def test_usual_records_take_the_shorter_way_and_give_the_same(name: str) -> None:
    kind = built_in(name)
    for record in RECORDS[name]:
        assert kind(ReadContext()).read_line(msgspec.json.encode(record)) is not None  # type: ignore[attr-defined]
        assert read(kind, [record], shorter=True) == read(kind, [record], shorter=False)
    assert read(kind, RECORDS[name], shorter=True) == read(kind, RECORDS[name], shorter=False)


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("seed", seeds(20))
def test_disturbed_records_give_the_same_by_either_way(name: str, seed: int) -> None:
    kind = built_in(name)
    random = Random(seed)
    for _ in range(30):
        records = disturbed(RECORDS[name], random)
        assert read(kind, records, shorter=True) == read(kind, records, shorter=False)


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("key", ["id", "case_id", "agent", "model", "score", "metadata", "messages", "missing"])
def test_a_key_that_somebody_asked_for_is_kept_by_either_way(name: str, key: str) -> None:
    kind = built_in(name)
    shorter, longer = (read(kind, RECORDS[name], shorter=short, kept_key=key)[0] for short in (True, False))
    assert shorter == longer
    if key == "id":
        assert longer[0].meta["id"] == "k1"


def damaged(line: bytes, random: Random) -> bytes:
    """A line in which some bytes are others, gone, or there twice."""
    data = bytearray(line)
    place = random.randrange(len(data))
    chance = random.random()
    if chance < 0.4:
        data[place] = random.choice(b'"\\{}[],: 09eEx\xff\xc3')
    elif chance < 0.6:
        del data[place : place + random.randint(1, 4)]
    elif chance < 0.8:
        data[place:place] = data[max(0, place - 20) : place]
    else:
        del data[place:]
    return bytes(data)


def read_lines(lines: Sequence[bytes]) -> tuple[list[Trajectory], ImportReport]:
    report = ImportReport()
    found = ForeignRecords(ReadContext(ReadOptions(report=report))).lines(enumerate(lines, 1))
    return list(chain.from_iterable(found)), report


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("seed", seeds(10))
def test_damaged_lines_give_the_same_by_either_way(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    for _ in range(20):
        whole = [msgspec.json.encode(record) for record in (*RECORDS[name], *disturbed(RECORDS[name], random))]
        lines = [damaged(line, random) if random.random() < 0.3 else line for line in whole]
        shorter = read_lines(lines)
        with monkeypatch.context() as patched:
            patched.setattr(built_in(name), "read_line", lambda *_: None)
            assert read_lines(lines) == shorter


def test_a_number_too_large_where_nobody_looks_spoils_no_other_record() -> None:
    def record(question: str, *more: JsonValue) -> bytes:
        messages = [told_by_langchain("human", content=question), *LANGCHAIN[2:], *more]
        return msgspec.json.encode({"id": question, "messages": messages, "seen": 0})

    # A result that comes twice is told in full, for which all of the record is decoded.
    odd = record("odd", LANGCHAIN[3]).replace(b'"seen":0', b'"seen":1e999')
    found, report = read_lines([record("a"), record("b"), odd, record("c")])
    assert [trajectory.case for trajectory in found] == ["a", "b", "c"]
    assert report.lost == {"a record is left out because it is not JSON: 1e999 is not a number in JSON": 1}


def test_calls_without_results_are_counted_in_the_shorter_way_too() -> None:
    kind = built_in("openai-chat")
    (found,), lost = read(kind, [{"messages": [*CHAT[1:3], CHAT[5]]}], shorter=True)
    assert found.calls == (
        Call("warmth", {"city": "Huế"}, "c1", 1, original="functions.warmth"),
        Call("warmth", {"city": "Hanoi"}, "c2", 1),
        Call("clock", None, "c3", 1),
    )
    assert lost == {"a call has no recorded result": 3}


def test_states_of_a_graph_that_go_on_are_one_conversation_by_either_way() -> None:
    kind = built_in("langchain")
    states: list[JsonValue] = [{"messages": LANGCHAIN[:end]} for end in range(1, len(LANGCHAIN) + 1)]
    for shorter in (True, False):
        (found,), lost = read(kind, states, shorter=shorter)
        assert (len(found.calls), found.state, found.usage, lost) == (2, "limit", Usage(1, 10, 2), {})


@pytest.mark.parametrize(
    "record",
    [
        {"messages": CHAT, "lc": 1},
        {"messages": CHAT, "request": None},
        {"messages": CHAT, "error": "the key is wrong"},
        {"messages": CHAT, "response": {"choices": []}},
        [{**message, "thread_id": 1} for message in CHAT if isinstance(message, dict)],
        {"messages": [*CHAT[:3], CHAT[3], CHAT[3]]},
        {"messages": [{**message, "type": "message"} for message in CHAT if isinstance(message, dict)]},
        {"messages": []},
        [],
    ],
)
def test_what_says_more_is_left_to_the_long_way(record: JsonValue) -> None:
    reader = built_in("openai-chat")(ReadContext())
    assert reader.read_line(msgspec.json.encode(record)) is None  # type: ignore[attr-defined]


QUESTION = said("user", "How warm is it?")
ASK = asked(("c1", "warmth", {"city": "Huế"}), ("c2", "clock", {}))
ANSWERS = answered(("c1", {"c": 31}), ("c2", {"error": "stopped"}))
FINAL = said("assistant", "It is 31 °C.")


def traced(messages: Sequence[JsonValue] = (QUESTION, ASK, ANSWERS, FINAL)) -> list[dict[str, JsonValue]]:
    """The spans of a trace in which all is as it should be, but for these messages."""
    question, ask, answers, final = messages
    operation = "gen_ai.operation.name"
    counted: dict[str, JsonValue] = {"gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 1}
    given, reply = "gen_ai.input.messages", "gen_ai.output.messages"

    def tool(number: int, key: str, name: str, result: JsonValue) -> dict[str, JsonValue]:
        held = {"gen_ai.tool.name": name, "gen_ai.tool.call.id": key, "gen_ai.tool.call.result": written(result)[1:-1]}
        return span(number, {operation: "execute_tool", **held}, begin=number, end=number + 2)

    first = {operation: "chat", given: written(question), reply: written(ask), **counted}
    last = {operation: "chat", given: written(question, ask, answers), reply: written(final), **counted}
    agent: dict[str, JsonValue] = {operation: "invoke_agent", "gen_ai.agent.name": "desk", "case_id": "k1"}
    return [
        span(2, first, begin=1),
        tool(3, "c1", "warmth", {"c": 31}),
        tool(4, "c2", "clock", {"error": "stopped"}),
        span(5, last, begin=30, end=40),
        span(6, {"http.method": "POST"}, parent=5, begin=31),
        span(1, agent, parent=None, end=50),
    ]


def test_a_usual_trace_takes_the_shorter_way(monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = read_traces_of([otlp(*traced())])
    assert shorter[0][0].case == "k1"
    assert [call.error for call in shorter[0][0].calls] == [None, "stopped"]
    taken = []
    monkeypatch.setattr(span_trajectories, "build_fast", lambda *args: taken.append(fast_traces.build_fast(*args)))
    assert read_traces_of([otlp(*traced())]) == shorter
    assert taken == shorter[0]


def test_replies_that_stopped_for_a_call_tell_no_more_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(ASK, dict)
    records = [otlp(*traced((QUESTION, {**ASK, "finish_reason": "tool_call"}, ANSWERS, FINAL)))]
    expected = read_traces_of(records)
    taken = []
    monkeypatch.setattr(span_trajectories, "build_fast", lambda *args: taken.append(fast_traces.build_fast(*args)))
    monkeypatch.setattr(span_trajectories, "may_hold_more", lambda *_: True)
    assert read_traces_of(records) == expected
    assert taken == expected[0]


@pytest.mark.parametrize("seed", seeds(40))
def test_disturbed_traces_give_the_same_by_either_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    for _ in range(15):
        messages: list[JsonValue] = [QUESTION, ASK, ANSWERS, FINAL]
        if random.random() < 0.5:
            messages = [next(iter(disturbed([message], random)), None) for message in messages]
        spans: Sequence[JsonValue] = traced(messages)
        if random.random() < 0.7:
            spans = disturbed(spans, random)
        records = [otlp(*spans)]
        shorter = read_traces_of(records)
        with monkeypatch.context() as patched:
            patched.setattr(span_trajectories, "build_fast", lambda *_: None)
            assert read_traces_of(records) == shorter


def read_traces_of(records: Sequence[JsonValue]) -> tuple[list[Trajectory], dict[str, int]]:
    return read(built_in("otel"), records, shorter=False)


@pytest.mark.parametrize("name", [*RECORDS, "otel"])
def test_results_as_they_were_written_are_the_same_results(name: str) -> None:
    records = RECORDS.get(name) or [otlp(*traced((QUESTION, ASK, ANSWERS, FINAL)))]
    encoded = []
    for verbatim in (False, True):
        reading = ReadContext(ReadOptions(verbatim=verbatim))
        reader = built_in(name)(reading)
        found = [trajectory for record in records for trajectory in reader.read(record)]
        found += reader.finish()
        encoded.append([msgspec.json.decode(msgspec.json.encode(trajectory)) for trajectory in found])
    assert encoded[0] == encoded[1]
