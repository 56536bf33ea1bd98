"""Anthropic's messages become the same trajectories as lists, exchanges, batch results and lines of a session."""

from __future__ import annotations

import json
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces import from_messages

from .disturbance import convert, reads_any_record
from .vendor import vendor

QUESTION: dict[str, JsonValue] = {"role": "user", "content": "How warm is it in Hanoi and in Hue?"}
THOUGHT: JsonValue = {"type": "thinking", "thinking": "Two cities.", "signature": "s"}
SAYS: JsonValue = {"type": "text", "text": "I shall look."}
ASKS: list[JsonValue] = [
    {"type": "tool_use", "id": "c1", "name": "mcp__weather__get_weather", "input": {"city": "Hanoi"}},
    {"type": "tool_use", "id": "c2", "name": "get_weather", "input": {"city": "Hue"}},
]
RESULTS: dict[str, JsonValue] = {
    "role": "user",
    "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": '{"celsius": 31}'}]},
        {"type": "tool_result", "tool_use_id": "c2", "content": "no such city", "is_error": True},
    ],
}
ASKED: dict[str, JsonValue] = {"role": "assistant", "content": [THOUGHT, SAYS, *ASKS]}
ANSWER: dict[str, JsonValue] = {"role": "assistant", "content": [{"type": "text", "text": "Hanoi has 31 °C."}]}
MESSAGES: list[JsonValue] = [QUESTION, ASKED, RESULTS, ANSWER]

CALLS = (
    Call(
        "get_weather",
        {"city": "Hanoi"},
        id="c1",
        turn=1,
        result={"celsius": 31},
        original="mcp__weather__get_weather",
    ),
    Call("get_weather", {"city": "Hue"}, id="c2", turn=1, error="no such city"),
)
EXPECTED = Trajectory(input="How warm is it in Hanoi and in Hue?", calls=CALLS, output="Hanoi has 31 °C.")


def response(id: str, content: JsonValue, stop: str = "end_turn", **more: JsonValue) -> dict[str, JsonValue]:  # noqa: A002 - the API's word
    return {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": "a-model",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 10},
        **more,
    }


EXCHANGES: list[JsonValue] = [
    {
        "request": {"model": "a-model", "max_tokens": 99, "messages": [QUESTION]},
        "response": response("msg_1", ASKED["content"], "tool_use"),
        "start_time": "2026-01-31T08:00:00Z",
        "end_time": "2026-01-31T08:00:01Z",
    },
    {
        "request": {"model": "a-model", "max_tokens": 99, "messages": MESSAGES[:3]},
        "response": response("msg_2", ANSWER["content"]),
        "start_time": "2026-01-31T08:00:02Z",
        "end_time": "2026-01-31T08:00:04Z",
    },
]
SERVED: list[JsonValue] = [
    {"type": "text", "text": "Let me see."},
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "Hanoi"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "s1",
        "content": [{"type": "web_search_result", "title": "Hanoi", "url": "https://example.org"}],
    },
    {"type": "server_tool_use", "id": "s2", "name": "web_search", "input": {"query": "Hue"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "s2",
        "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
    },
    {"type": "mcp_tool_use", "id": "s3", "name": "forecast", "server_name": "weather", "input": {}},
    {"type": "mcp_tool_result", "tool_use_id": "s3", "is_error": False, "content": [{"type": "text", "text": "rain"}]},
    {"type": "text", "text": "Hanoi has "},
    {"type": "text", "text": "31 °C.", "citations": [{"type": "web_search_result_location", "url": "x"}]},
]
BATCH: list[JsonValue] = [
    {"custom_id": "k1", "result": {"type": "succeeded", "message": response("msg_1", ANSWER["content"])}},
    {
        "custom_id": "k2",
        "result": {"type": "errored", "error": {"type": "error", "error": {"type": "invalid", "message": "too long"}}},
    },
    {"custom_id": "k3", "result": {"type": "expired"}},
    {"custom_id": "k4", "result": {"type": "canceled"}},
]


def line(kind: str, message: JsonValue, second: int, **more: JsonValue) -> dict[str, JsonValue]:
    return {
        "type": kind,
        "message": message,
        "sessionId": "s1",
        "uuid": f"u{second}",
        "parentUuid": None,
        "isSidechain": False,
        "timestamp": f"2026-01-31T08:00:{second:02}.000Z",
        "version": "2.0.0",
        **more,
    }


SESSION: list[JsonValue] = [
    {"type": "summary", "summary": "The weather", "leafUuid": "u0"},
    line("user", QUESTION, 0),
    line("assistant", response("msg_1", [THOUGHT]), 1),
    line("assistant", response("msg_1", [SAYS]), 2),
    line("assistant", response("msg_1", [SAYS, ASKS[0]], "tool_use"), 3),
    line("assistant", response("msg_1", [ASKS[1]], "tool_use"), 4),
    line("user", {"role": "user", "content": RESULTS["content"]}, 5, toolUseResult={"stdout": ""}),
    line("assistant", response("msg_2", ANSWER["content"]), 6),
]
STREAM: list[JsonValue] = [
    {"type": "system", "subtype": "init", "session_id": "s2", "tools": []},
    {"type": "assistant", "message": response("msg_1", [*ASKS], "tool_use"), "session_id": "s2"},
    {"type": "user", "message": RESULTS, "session_id": "s2", "parent_tool_use_id": None},
    {"type": "assistant", "message": response("msg_2", ANSWER["content"]), "session_id": "s2"},
    {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": "Hanoi has 31 °C.",
        "duration_ms": 4200,
        "num_turns": 2,
        "total_cost_usd": 0.5,
        "session_id": "s2",
    },
]
SAMPLES: list[JsonValue] = [
    MESSAGES,
    {"system": "Be brief.", "messages": MESSAGES, "tools": [], "metadata": {"case": "k1"}},
    *EXCHANGES,
    response("msg_9", SERVED),
    *BATCH,
    *SESSION,
    *STREAM,
    ASKED,
    RESULTS,
]


def test_a_list_of_messages_is_a_trajectory() -> None:
    trajectories, report = convert([MESSAGES])
    assert trajectories == [EXPECTED]
    assert report.lines() == ["read 1 trajectory with 2 calls as Anthropic messages"]


def test_a_record_says_its_case_and_keeps_its_metadata() -> None:
    (trajectory,), _ = convert([SAMPLES[1]])
    assert trajectory == replace(EXPECTED, case="k1", meta={"case": "k1"})


def test_exchanges_that_repeat_what_was_said_are_one_conversation() -> None:
    trajectories, report = convert(EXCHANGES)
    assert trajectories == [replace(EXPECTED, usage=Usage(2, 200, 20), latency_ms=4000.0)]
    assert report.lost == {}


def test_tools_that_the_provider_runs_belong_to_the_turn_of_the_answer() -> None:
    (trajectory,), _ = convert([response("msg_9", SERVED)])
    found: JsonValue = [{"type": "web_search_result", "title": "Hanoi", "url": "https://example.org"}]
    assert trajectory == Trajectory(
        case="msg_9",
        calls=(
            Call("web_search", {"query": "Hanoi"}, id="s1", turn=1, result=found),
            Call(
                "web_search",
                {"query": "Hue"},
                id="s2",
                turn=1,
                result={"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
                error="max_uses_exceeded",
            ),
            Call("forecast", {}, id="s3", turn=1, result="rain"),
        ),
        output="Hanoi has 31 °C.",
        usage=Usage(1, 100, 10),
    )


def test_lines_of_a_batch_are_cases_however_they_ended() -> None:
    trajectories, _ = convert(BATCH)
    assert trajectories == [
        Trajectory(case="k1", output="Hanoi has 31 °C.", usage=Usage(1, 100, 10)),
        Trajectory(case="k2", state="error", error="too long"),
        Trajectory(case="k3", state="timeout", error="the request of the batch was expired"),
        Trajectory(case="k4", state="cancelled", error="the request of the batch was canceled"),
    ]


def test_an_answer_that_was_cut_off_reached_a_limit() -> None:
    (trajectory,), _ = convert([response("msg_1", ANSWER["content"], "max_tokens")])
    assert trajectory.state == "limit"


def test_the_lines_of_a_session_are_one_conversation_and_count_every_answer_once() -> None:
    trajectories, report = convert(SESSION)
    assert trajectories == [replace(EXPECTED, case="s1", usage=Usage(2, 200, 20), latency_ms=6000.0)]
    assert report.lost == {}


def test_interleaved_sessions_are_told_apart() -> None:
    other = json.loads(json.dumps(SESSION).replace('"s1"', '"s9"').replace("31", "32"))
    trajectories, _ = convert([record for pair in zip(SESSION, other, strict=True) for record in pair])
    assert [(each.case, each.output) for each in trajectories] == [
        ("s1", "Hanoi has 31 °C."),
        ("s9", "Hanoi has 32 °C."),
    ]


def test_the_last_line_of_a_streamed_session_says_what_it_cost() -> None:
    trajectories, _ = convert(STREAM)
    usage = Usage(2, 200, 20, 0.5)
    assert trajectories == [replace(EXPECTED, case="s2", input=None, usage=usage, latency_ms=4200.0)]


def test_a_session_that_failed_or_ran_out_of_turns_did_not_complete() -> None:
    failed: JsonValue = {
        "type": "result",
        "subtype": "success",
        "is_error": True,
        "result": "no credit",
        "session_id": "s2",
    }
    limit: JsonValue = {"type": "result", "subtype": "error_max_turns", "is_error": True, "session_id": "s2"}
    (broken,), _ = convert([STREAM[1], failed])
    (cut,), _ = convert([STREAM[1], limit])
    assert (broken.state, broken.error) == ("error", "no credit")
    assert (cut.state, cut.error) == ("limit", None)


def test_what_a_sub_agent_does_is_not_what_the_agent_does() -> None:
    side = line("assistant", response("msg_8", [{"type": "tool_use", "id": "x", "name": "grep", "input": {}}]), 3)
    trajectories, report = convert([*SESSION, {**side, "isSidechain": True}])
    assert [len(each.calls) for each in trajectories] == [2]
    assert list(report.lost) == ["messages and calls of a sub-agent within a session are left out"]


def test_messages_one_a_line_are_gathered_by_the_conversation_they_name() -> None:
    records: list[JsonValue] = [{"thread_id": "t1", "message": message} for message in MESSAGES[1:3]]
    (trajectory,), _ = convert(records)
    assert trajectory == Trajectory(case="t1", calls=CALLS)


@pytest.mark.parametrize(
    ("messages", "calls", "lost"),
    [
        ([QUESTION, ASKED, ASKED, RESULTS], CALLS, "a call was recorded twice"),
        ([QUESTION, ASKED, RESULTS, RESULTS], CALLS, "a second result of the same call"),
        ([QUESTION, RESULTS, ASKED], CALLS, ""),
        ([QUESTION, RESULTS], (), "a tool result belongs to no call"),
    ],
    ids=["calls twice", "results twice", "results first", "no call"],
)
def test_what_is_damaged_is_kept_as_far_as_it_goes(messages: JsonValue, calls: tuple[Call, ...], lost: str) -> None:
    (trajectory,), report = convert([messages])
    assert trajectory.calls == calls
    assert {what.startswith(lost) for what in report.lost} == ({True} if lost else set())


def test_a_conversation_that_was_cut_off_keeps_its_calls() -> None:
    (trajectory,), report = convert([[QUESTION, ASKED]])
    assert [(call.tool, call.args) for call in trajectory.calls] == [
        ("get_weather", {"city": "Hanoi"}),
        ("get_weather", {"city": "Hue"}),
    ]
    assert trajectory.output is None
    assert report.lost == {"a call has no recorded result": 2}


def test_results_without_ids_are_joined_by_order() -> None:
    bare = json.loads(json.dumps(MESSAGES).replace('"id": "c1", ', "").replace('"id": "c2", ', ""))
    for block in bare[2]["content"]:
        del block["tool_use_id"]
    (trajectory,), _ = convert([bare])
    assert [(call.id, call.result, call.error) for call in trajectory.calls] == [
        (None, {"celsius": 31}, None),
        (None, None, "no such city"),
    ]


def test_arguments_that_are_no_object_are_kept_as_an_event() -> None:
    use: JsonValue = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": "Hanoi"}
    (trajectory,), _ = convert([[QUESTION, {"role": "assistant", "content": [use]}]])
    assert trajectory.calls == (Call("get_weather", {}, id="c1", turn=1),)
    assert trajectory.events == ({"kind": "invalid_arguments", "call": 0, "arguments": "Hanoi"},)


def test_a_huge_result_is_kept_whole() -> None:
    huge = "x" * 10_000_000
    result: JsonValue = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": huge}]}
    (trajectory,), _ = convert([[QUESTION, ASKED, result, ANSWER]])
    assert trajectory.calls[0].result == huge


@settings(max_examples=examples(150), deadline=None)
@given(st.randoms(use_true_random=False))
def test_no_record_makes_the_reader_fail(random: Random) -> None:
    assert reads_any_record(SAMPLES, "anthropic", random)


@pytest.mark.deep
def test_what_the_real_client_gives_is_read_the_same() -> None:
    anthropic = import_module("anthropic")
    answers = (response("msg_1", ASKED["content"], "tool_use"), response("msg_2", ANSWER["content"]))
    log: list[JsonValue] = []
    with vendor(*answers) as provider:
        client = anthropic.Anthropic(api_key="none", base_url=provider.url, max_retries=0)
        messages: list[Any] = [QUESTION]
        for results in ([RESULTS], []):
            request = json.loads(json.dumps(messages, default=lambda block: block.model_dump(mode="json")))
            reply = client.messages.create(model="a-model", max_tokens=99, messages=messages)
            log.append({"request": {"messages": request}, "response": json.loads(reply.model_dump_json())})
            messages += [{"role": "assistant", "content": reply.content}, *results]
        client.close()
    assert from_messages(messages) == EXPECTED
    (logged,), _ = convert(log)
    assert logged == replace(EXPECTED, usage=Usage(2, 200, 20))


def unnamed(records: list[JsonValue]) -> list[JsonValue]:
    """Lines of a session that do not say which one."""
    names = ("sessionId", "session_id")
    return [{key: record[key] for key in record if key not in names} for record in records if isinstance(record, dict)]


@pytest.mark.parametrize("records", [SESSION, STREAM])
def test_lines_of_a_session_that_has_no_name(records: list[JsonValue]) -> None:
    (named,), _ = convert(records)
    trajectories, report = convert(unnamed(records))
    assert trajectories == [replace(named, case="")]
    assert list(report.lost) == []


def test_sessions_without_names_are_told_apart_by_their_first_lines() -> None:
    lines = [record for record in unnamed(SESSION) if isinstance(record, dict)]
    first: list[dict[str, JsonValue]] = [{**record, "parentUuid": f"u{index}"} for index, record in enumerate(lines)]
    first[1]["parentUuid"] = None
    trajectories, _ = convert([*first, *first])
    assert [len(each.calls) for each in trajectories] == [2, 2]
