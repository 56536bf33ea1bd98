"""OpenAI's Responses become the same trajectories as lists of items, as response objects and as logged exchanges."""

from __future__ import annotations

import json
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces import from_messages

from .disturbance import convert, reads_any_record
from .vendor import vendor

QUESTION: JsonValue = {"role": "user", "content": "How warm is it in Hanoi and in Hue?"}
THOUGHT: JsonValue = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Two cities."}]}
ASKS: list[JsonValue] = [
    {
        "id": f"fc_{number}",
        "type": "function_call",
        "call_id": f"c{number}",
        "name": "get_weather",
        "arguments": json.dumps({"city": city}),
        "status": "completed",
    }
    for number, city in ((1, "Hanoi"), (2, "Hue"))
]
RESULTS: list[JsonValue] = [
    {"type": "function_call_output", "call_id": "c1", "output": '{"celsius": 31}'},
    {"type": "function_call_output", "call_id": "c2", "output": "Error: no such city"},
]
ANSWER: JsonValue = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hanoi has 31 °C.", "annotations": []}],
}
ITEMS: list[JsonValue] = [QUESTION, THOUGHT, *ASKS, *RESULTS, ANSWER]

CALLS = (
    Call("get_weather", {"city": "Hanoi"}, id="c1", turn=1, result={"celsius": 31}),
    Call("get_weather", {"city": "Hue"}, id="c2", turn=1, error="Error: no such city"),
)
EXPECTED = Trajectory(input="How warm is it in Hanoi and in Hue?", calls=CALLS, output="Hanoi has 31 °C.")


def response(id: str, *output: JsonValue, **more: JsonValue) -> dict[str, JsonValue]:  # noqa: A002 - the API's word
    return {
        "id": id,
        "object": "response",
        "created_at": 1750000000,
        "model": "a-model",
        "status": "completed",
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 100,
            "output_tokens": 10,
            "total_tokens": 110,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
        **more,
    }


CHAIN: list[JsonValue] = [
    {"request": {"input": EXPECTED.input}, "response": response("resp_1", THOUGHT, *ASKS), "latency_ms": 4},
    {
        "request": {"input": RESULTS, "previous_response_id": "resp_1"},
        "response": response("resp_2", ANSWER, previous_response_id="resp_1"),
        "latency_ms": 6,
    },
]
REPEATED: list[JsonValue] = [
    {"input": [QUESTION], "response": response("resp_1", THOUGHT, *ASKS), "case_id": "k1"},
    {"input": [QUESTION, *ASKS, *RESULTS], "response": response("resp_2", ANSWER), "case_id": "k1"},
]
HOSTED: list[JsonValue] = [
    {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search", "query": "Hanoi"}},
    {"type": "file_search_call", "id": "fs", "status": "completed", "queries": ["rain"], "results": [{"text": "wet"}]},
    {"type": "code_interpreter_call", "id": "ci", "status": "completed", "code": "1+1", "outputs": [{"logs": "2"}]},
    {
        "type": "mcp_call",
        "id": "mcp",
        "name": "forecast",
        "server_label": "weather",
        "arguments": '{"days": 2}',
        "output": None,
        "error": {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": "offline"}]},
        "status": "failed",
    },
    {"type": "custom_tool_call", "id": "ct", "call_id": "c4", "name": "sql", "input": "select 1"},
]
OTHERS: list[JsonValue] = [
    QUESTION,
    {"type": "computer_call", "id": "cu", "call_id": "c5", "status": "completed", "action": {"type": "wait"}},
    {"type": "computer_call_output", "call_id": "c5", "output": {"type": "computer_screenshot", "file_id": "f"}},
    {"type": "shell_call", "id": "sh", "call_id": "c6", "status": "completed", "action": {"commands": ["ls"]}},
    {"type": "shell_call_output", "call_id": "c6", "output": [{"stdout": "a", "stderr": ""}]},
    {"type": "apply_patch_call", "id": "ap", "call_id": "c7", "operation": {"type": "delete_file", "path": "a"}},
    {"type": "apply_patch_call_output", "call_id": "c7", "status": "failed", "output": "no such file"},
    ANSWER,
]
BATCH: JsonValue = {
    "id": "batch_req_1",
    "custom_id": "k1",
    "response": {"status_code": 200, "request_id": "r", "body": response("resp_1", ANSWER)},
    "error": None,
}
SAMPLES: list[JsonValue] = [
    ITEMS,
    {"items": ITEMS, "metadata": {"case": "k1"}},
    *CHAIN,
    *REPEATED,
    response("resp_9", *HOSTED, ANSWER),
    OTHERS,
    BATCH,
    ASKS[0],
    RESULTS[0],
    ANSWER,
    {"type": "response.completed", "sequence_number": 9, "response": response("resp_1", ANSWER)},
    {"input": EXPECTED.input, "output": [*ASKS]},
]


def test_a_list_of_items_is_a_trajectory() -> None:
    trajectories, report = convert([ITEMS])
    assert trajectories == [EXPECTED]
    assert report.lines() == ["read 1 trajectory with 2 calls as OpenAI Responses items"]


def test_a_chain_of_responses_is_one_conversation() -> None:
    trajectories, report = convert(CHAIN)
    assert trajectories == [
        Trajectory(input=EXPECTED.input, calls=CALLS, output=EXPECTED.output, usage=Usage(2, 200, 20), latency_ms=10.0)
    ]
    assert report.lost == {}


def test_interleaved_chains_are_told_apart() -> None:
    other = json.loads(json.dumps(CHAIN).replace("resp_", "other_").replace("31", "32"))
    trajectories, _ = convert([CHAIN[0], other[0], other[1], CHAIN[1]])
    assert sorted(str(trajectory.output) for trajectory in trajectories) == ["Hanoi has 31 °C.", "Hanoi has 32 °C."]
    assert [len(trajectory.calls) for trajectory in trajectories] == [2, 2]


def test_requests_that_repeat_what_was_said_are_one_conversation() -> None:
    trajectories, _ = convert(REPEATED)
    assert trajectories == [
        Trajectory(case="k1", input=EXPECTED.input, calls=CALLS, output=EXPECTED.output, usage=Usage(2, 200, 20))
    ]


def test_tools_that_the_provider_runs_belong_to_the_turn_of_the_answer() -> None:
    (trajectory,), report = convert([response("resp_9", *HOSTED, ANSWER, metadata={"case": "k1"})])
    assert trajectory == Trajectory(
        case="k1",
        calls=(
            Call("web_search", {"type": "search", "query": "Hanoi"}, id="ws", turn=1),
            Call("file_search", {"queries": ["rain"]}, id="fs", turn=1, result=[{"text": "wet"}]),
            Call("code_interpreter", {"code": "1+1"}, id="ci", turn=1, result=[{"logs": "2"}]),
            Call("forecast", {"days": 2}, id="mcp", turn=1, error="offline"),
            Call("sql", {"input": "select 1"}, id="c4", turn=1),
        ),
        output="Hanoi has 31 °C.",
        usage=Usage(1, 100, 10),
        meta={"case": "k1"},
    )
    assert report.lost == {"a call has no recorded result": 1}


def test_calls_of_every_kind_are_joined_with_their_outputs() -> None:
    (trajectory,), _ = convert([OTHERS])
    assert trajectory.calls == (
        Call("computer", {"type": "wait"}, id="c5", turn=1, result={"type": "computer_screenshot", "file_id": "f"}),
        Call("shell", {"commands": ["ls"]}, id="c6", turn=2, result=[{"stdout": "a", "stderr": ""}]),
        Call("apply_patch", {"type": "delete_file", "path": "a"}, id="c7", turn=3, error="no such file"),
    )


def test_a_line_of_a_batch_is_a_case() -> None:
    (trajectory,), _ = convert([BATCH])
    assert trajectory == Trajectory(case="k1", output="Hanoi has 31 °C.", usage=Usage(1, 100, 10))


def test_how_a_response_ended_is_kept() -> None:
    cut = response("resp_1", ANSWER, status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    failed = response("resp_2", status="failed", error={"code": "server_error", "message": "out of order"})
    trajectories, _ = convert([cut, failed])
    assert [(each.state, each.error) for each in trajectories] == [("limit", None), ("error", "out of order")]


def test_items_one_a_line_are_gathered() -> None:
    named: list[JsonValue] = [{**item, "session_id": "s1"} for item in ITEMS[2:] if isinstance(item, dict)]
    (trajectory,), _ = convert(named)
    assert trajectory == Trajectory(case="s1", calls=CALLS, output=EXPECTED.output)
    (unnamed,), _ = convert(ITEMS[2:])
    assert unnamed == Trajectory(calls=CALLS, output=EXPECTED.output)


def test_of_a_stream_of_events_the_last_one_counts() -> None:
    begun: JsonValue = {
        "type": "response.created",
        "sequence_number": 0,
        "response": response("resp_1", status="queued"),
    }
    trajectories, _ = convert([begun, SAMPLES[-2]])
    assert trajectories == [Trajectory(output="Hanoi has 31 °C.", usage=Usage(1, 100, 10))]


@pytest.mark.parametrize(
    ("items", "calls", "lost"),
    [
        (
            [QUESTION, *ASKS, RESULTS[0]],
            (CALLS[0], Call("get_weather", {"city": "Hue"}, id="c2", turn=1)),
            "a call has",
        ),
        ([QUESTION, *ASKS, *ASKS, *RESULTS], CALLS, "a call was recorded twice"),
        ([QUESTION, *ASKS, *RESULTS, *RESULTS], CALLS, "a second result of the same call"),
        ([QUESTION, *RESULTS, *ASKS], CALLS, ""),
        ([QUESTION, RESULTS[0]], (), "a tool result belongs to no call"),
        ([QUESTION, {"type": "reasoning"}, {"type": "news"}], (), "an item of an unknown kind"),
    ],
    ids=["cut off", "calls twice", "results twice", "results first", "no call", "unknown"],
)
def test_what_is_damaged_is_kept_as_far_as_it_goes(items: JsonValue, calls: tuple[Call, ...], lost: str) -> None:
    (trajectory,), report = convert([items])
    assert trajectory.calls == calls
    assert [what.startswith(lost) for what in report.lost] == [True] * bool(lost)


def test_arguments_that_are_no_json_are_kept_as_an_event() -> None:
    broken: JsonValue = {"type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": "Hanoi"}
    (trajectory,), _ = convert([[QUESTION, broken, RESULTS[0], ANSWER]])
    assert trajectory.calls == (Call("get_weather", {}, id="c1", turn=1, result={"celsius": 31}),)
    assert trajectory.events == ({"kind": "invalid_arguments", "call": 0, "arguments": "Hanoi"},)


def test_a_huge_result_is_kept_whole() -> None:
    huge = "x" * 10_000_000
    output: JsonValue = {"type": "function_call_output", "call_id": "c1", "output": huge}
    (trajectory,), _ = convert([[QUESTION, ASKS[0], output, ANSWER]])
    assert trajectory.calls[0].result == huge


@settings(max_examples=examples(150), deadline=None)
@given(st.randoms(use_true_random=False))
def test_no_record_makes_the_reader_fail(random: Random) -> None:
    assert reads_any_record(SAMPLES, "openai-responses", random)


@pytest.mark.deep
def test_what_the_real_client_gives_is_read_the_same() -> None:
    openai = import_module("openai")
    with vendor(response("resp_1", THOUGHT, *ASKS), response("resp_2", ANSWER)) as provider:
        client = openai.OpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        items: list[Any] = [QUESTION]
        log: list[JsonValue] = []
        for results in (RESULTS, []):
            request = json.loads(json.dumps(items, default=lambda item: item.model_dump(mode="json")))
            reply = client.responses.create(model="a-model", input=items)
            log.append({"input": request, "response": json.loads(reply.model_dump_json())})
            items += [*reply.output, *results]
        client.close()
    assert from_messages(items) == EXPECTED
    (logged,), _ = convert(log)
    assert logged == Trajectory(input=EXPECTED.input, calls=CALLS, output=EXPECTED.output, usage=Usage(2, 200, 20))
