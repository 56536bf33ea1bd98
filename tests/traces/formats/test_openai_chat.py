"""Chat messages in OpenAI's layout become the same trajectories, however they were logged."""

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
from toolgauge.traces.context import ReadContext
from toolgauge.traces.formats.openai_chat import OpenAIChatReader
from toolgauge.traces.open_conversations import MAX_KEPT

from .disturbance import convert, disturbed, reads_any_record
from .vendor import vendor

RULES: JsonValue = {"role": "system", "content": "Answer briefly."}
QUESTION: JsonValue = {"role": "user", "content": "How warm is it in Hanoi and in Hue?"}
ASKS: dict[str, JsonValue] = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Hanoi"}'}},
        {"id": "c2", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Hue"}'}},
    ],
}
FIRST: JsonValue = {"role": "tool", "tool_call_id": "c1", "content": '{"celsius": 31}'}
SECOND: JsonValue = {"role": "tool", "tool_call_id": "c2", "content": "Error: no such city"}
ANSWER: dict[str, JsonValue] = {"role": "assistant", "content": "Hanoi has 31 °C."}
MESSAGES: list[JsonValue] = [RULES, QUESTION, ASKS, FIRST, SECOND, ANSWER]

CALLS = (
    Call("get_weather", {"city": "Hanoi"}, id="c1", turn=1, result={"celsius": 31}),
    Call("get_weather", {"city": "Hue"}, id="c2", turn=1, error="Error: no such city"),
)
EXPECTED = Trajectory(input="How warm is it in Hanoi and in Hue?", calls=CALLS, output="Hanoi has 31 °C.")


def reply(message: JsonValue, finish: str = "stop", **more: JsonValue) -> dict[str, JsonValue]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1750000000,
        "model": "a-model",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        **more,
    }


EXCHANGES: list[JsonValue] = [
    {
        "request": {"model": "a-model", "messages": MESSAGES[:2], "metadata": {"case": "k1"}},
        "response": reply(ASKS, "tool_calls"),
        "latency_ms": 4,
    },
    {
        "request": {"model": "a-model", "messages": MESSAGES[:5], "metadata": {"case": "k1"}},
        "response": reply({**ANSWER, "refusal": None, "annotations": []}),
        "latency_ms": 6,
    },
]
BATCH: list[JsonValue] = [
    {
        "id": "batch_req_1",
        "custom_id": "k1",
        "response": {"status_code": 200, "request_id": "r", "body": reply(ASKS, "tool_calls")},
        "error": None,
    },
    {
        "id": "batch_req_2",
        "custom_id": "k2",
        "response": {"status_code": 400, "request_id": "r", "body": {"error": {"message": "too long", "code": "x"}}},
        "error": None,
    },
]
OLDER: JsonValue = {
    "messages": [
        {"role": "user", "content": "Now?"},
        {"role": "assistant", "content": None, "function_call": {"name": "functions.clock", "arguments": ""}},
        {"role": "function", "name": "functions.clock", "content": "noon"},
        {"role": "assistant", "content": "Noon."},
    ],
    "functions": [{"name": "clock"}],
}
OLLAMA: JsonValue = {
    "request": {"model": "a-model", "messages": [{"role": "user", "content": "Now?"}]},
    "response": {
        "model": "a-model",
        "created_at": "2026-01-31T08:00:00Z",
        "message": {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "clock", "arguments": {"zone": 7}}}],
        },
        "done": True,
        "done_reason": "stop",
        "total_duration": 2_500_000,
        "prompt_eval_count": 12,
        "eval_count": 3,
    },
}
SEVERAL: JsonValue = {
    "messages": [QUESTION],
    "response": {
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "31"}, "finish_reason": "stop"},
            {"index": 1, "message": {"role": "assistant", "content": "thirty-o"}, "finish_reason": "length"},
        ],
        "usage": {"prompt_tokens": 5, "completion_tokens": 9},
    },
}
PARTS: JsonValue = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        ],
    },
    {"role": "assistant", "content": None, "refusal": "I cannot say."},
]
CUSTOM: JsonValue = [
    {"role": "user", "content": "Run it"},
    {"role": "assistant", "tool_calls": [{"id": "c1", "type": "custom", "custom": {"name": "python", "input": "1+1"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "2"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Two."}]},
]


def chunk(delta: JsonValue, finish: str | None = None, **more: JsonValue) -> JsonValue:
    choices: JsonValue = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "chatcmpl-9",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        **more,
    }


def piece(index: int, arguments: str, **more: JsonValue) -> JsonValue:
    function: JsonValue = {"arguments": arguments, **({"name": more.pop("name")} if "name" in more else {})}
    return {"tool_calls": [{"index": index, "function": function, **more}]}


CHUNKS: list[JsonValue] = [
    chunk({"role": "assistant", "content": None}),
    chunk(piece(0, "", id="c1", type="function", name="get_weather")),
    chunk(piece(0, '{"city": ')),
    chunk(piece(1, '{"city": "Hue"}', id="c2", type="function", name="get_weather")),
    chunk(piece(0, '"Hanoi"}')),
    chunk({}, "tool_calls"),
    {
        "id": "chatcmpl-9",
        "object": "chat.completion.chunk",
        "created": 1,
        "choices": [],
        "usage": {"prompt_tokens": 8, "completion_tokens": 4, "total_tokens": 12},
    },
]

SAMPLES: list[JsonValue] = [
    MESSAGES,
    {"messages": MESSAGES, "tools": [], "metadata": {"case": "k1"}},
    *EXCHANGES,
    *BATCH,
    OLDER,
    OLLAMA,
    SEVERAL,
    PARTS,
    CUSTOM,
    reply(ANSWER),
    *CHUNKS[:2],
    ASKS,
    {"conversation_id": "t1", "message": ANSWER},
    {"custom_id": "k9", "method": "POST", "url": "/v1/chat/completions", "body": {"messages": MESSAGES[:2]}},
]


def test_a_list_of_messages_is_a_trajectory() -> None:
    trajectories, report = convert([MESSAGES])
    assert trajectories == [EXPECTED]
    assert report.lines() == ["read 1 trajectory with 2 calls as OpenAI chat messages"]


def test_a_line_of_a_training_file_says_its_case_and_keeps_its_metadata() -> None:
    record: JsonValue = {
        "messages": MESSAGES,
        "tools": [],
        "metadata": {"case": "k1", "team": "north"},
        "agent": "react",
    }
    (trajectory,), _ = convert([record])
    assert trajectory == Trajectory(
        case="k1",
        agent="react",
        input=EXPECTED.input,
        calls=CALLS,
        output=EXPECTED.output,
        meta={"case": "k1", "team": "north"},
    )


def test_exchanges_that_repeat_what_was_said_are_one_conversation() -> None:
    trajectories, report = convert(EXCHANGES)
    assert trajectories == [
        Trajectory(
            case="k1",
            input=EXPECTED.input,
            calls=CALLS,
            output=EXPECTED.output,
            latency_ms=10.0,
            usage=Usage(2, 200, 20),
            meta={"case": "k1"},
        )
    ]
    assert report.lost == {}


def test_interleaved_exchanges_are_told_apart() -> None:
    other = json.loads(json.dumps(EXCHANGES).replace("Hanoi", "Vinh").replace('"c1"', '"d1"').replace('"c2"', '"d2"'))
    trajectories, _ = convert([EXCHANGES[0], other[0], EXCHANGES[1], other[1]])
    assert [trajectory.output for trajectory in trajectories] == ["Hanoi has 31 °C.", "Vinh has 31 °C."]
    assert [len(trajectory.calls) for trajectory in trajectories] == [2, 2]


def test_a_request_that_failed_and_was_made_again_is_one_conversation() -> None:
    failed: JsonValue = {"request": {"messages": MESSAGES[:2]}, "response": {"error": {"message": "overloaded"}}}
    again: JsonValue = {"request": {"messages": MESSAGES[:2]}, "response": reply(ANSWER)}
    assert [trajectory.output for trajectory in convert([failed, again])[0]] == ["Hanoi has 31 °C."]
    (alone,), _ = convert([failed])
    assert alone == Trajectory(input=EXPECTED.input, state="error", error="overloaded")


def test_the_same_question_asked_in_two_cases_stays_two_trajectories() -> None:
    records: list[JsonValue] = [
        {"request": {"messages": [QUESTION]}, "response": reply(ANSWER), "case_id": case} for case in ("k1", "k2")
    ]
    assert [trajectory.case for trajectory in convert(records)[0]] == ["k1", "k2"]


def test_lines_of_a_batch_are_cases_and_failed_requests_are_errors() -> None:
    trajectories, report = convert(BATCH)
    assert trajectories == [
        Trajectory(
            case="k1",
            calls=(
                Call("get_weather", {"city": "Hanoi"}, id="c1", turn=1),
                Call("get_weather", {"city": "Hue"}, id="c2", turn=1),
            ),
            usage=Usage(1, 100, 10),
        ),
        Trajectory(case="k2", state="error", error="too long"),
    ]
    assert report.lost == {"a call has no recorded result": 2}


def test_the_older_function_calls_are_joined_by_order_and_their_names_kept() -> None:
    (trajectory,), _ = convert([OLDER])
    call = Call("clock", {}, turn=1, result="noon", original="functions.clock")
    assert trajectory == Trajectory(input="Now?", calls=(call,), output="Noon.")


def test_arguments_may_be_objects_as_local_servers_write_them() -> None:
    (trajectory,), _ = convert([OLLAMA])
    assert trajectory == Trajectory(
        input="Now?", calls=(Call("clock", {"zone": 7}, turn=1),), usage=Usage(1, 12, 3), latency_ms=2.5
    )


def test_several_choices_are_trials_without_tokens() -> None:
    trajectories, report = convert([SEVERAL])
    assert trajectories == [
        Trajectory(input=EXPECTED.input, trial=0, output="31"),
        Trajectory(input=EXPECTED.input, trial=1, output="thirty-o", state="limit"),
    ]
    assert report.lost == {"the tokens of several choices were counted together; they are left out": 1}


def test_images_are_left_out_and_a_refusal_is_the_answer() -> None:
    (trajectory,), report = convert([PARTS])
    assert trajectory == Trajectory(input="What is this?", output="I cannot say.")
    assert list(report.lost) == ["a part of a message that is not text, such as an image, is left out"]


def test_the_text_given_to_a_tool_of_ones_own_is_its_argument() -> None:
    (trajectory,), _ = convert([CUSTOM])
    call = Call("python", {"input": "1+1"}, id="c1", turn=1, result="2")
    assert trajectory == Trajectory(input="Run it", calls=(call,), output="Two.")


def test_a_streamed_reply_is_put_together() -> None:
    trajectories, _ = convert(CHUNKS)
    expected = Trajectory(
        case="chatcmpl-9",
        calls=(
            Call("get_weather", {"city": "Hanoi"}, id="c1", turn=1),
            Call("get_weather", {"city": "Hue"}, id="c2", turn=1),
        ),
        usage=Usage(1, 8, 4),
    )
    assert trajectories == [expected]
    (logged,), _ = convert([{"request": {"messages": [QUESTION]}, "response": CHUNKS}])
    assert (logged.input, logged.calls, logged.usage) == (EXPECTED.input, expected.calls, expected.usage)


def test_messages_one_a_line_are_gathered_by_the_conversation_they_name() -> None:
    records: list[JsonValue] = [
        {**message, "thread_id": thread, "timestamp": 1750000000 + number}
        for number, message in enumerate(MESSAGES)
        for thread in ("t1", "t2")
        if isinstance(message, dict)
    ]
    trajectories, _ = convert(records)
    expected = [
        Trajectory(case=case, input=EXPECTED.input, calls=CALLS, output=EXPECTED.output, latency_ms=5000.0)
        for case in ("t1", "t2")
    ]
    assert trajectories == expected
    wrapped: list[JsonValue] = [{"conversation_id": 7, "message": message} for message in MESSAGES]
    assert [trajectory.case for trajectory in convert(wrapped)[0]] == ["7"]


def test_messages_that_name_no_conversation_are_divided_at_the_rules() -> None:
    more: list[JsonValue] = [{"role": "user", "content": "Thanks"}, {"role": "assistant", "content": "Welcome."}]
    trajectories, report = convert([*MESSAGES, *more, *MESSAGES])
    assert [trajectory.output for trajectory in trajectories] == ["Welcome.", "Hanoi has 31 °C."]
    assert report.remarks == []


def test_without_rules_a_question_after_an_answer_begins_a_conversation() -> None:
    trajectories, report = convert([*MESSAGES[1:], *MESSAGES[1:]])
    assert trajectories == [EXPECTED, EXPECTED]
    assert report.remarks == [
        "messages name no conversation: each user message after an answer is assumed to begin a new one"
    ]


def test_a_request_without_reply_has_no_answer() -> None:
    (trajectory,), _ = convert([SAMPLES[-1]])
    assert trajectory == Trajectory(case="k9", input=EXPECTED.input)


@pytest.mark.parametrize(
    ("messages", "calls", "lost"),
    [
        ([QUESTION, ASKS, FIRST], (CALLS[0], Call("get_weather", {"city": "Hue"}, id="c2", turn=1)), "a call has no"),
        ([QUESTION, ASKS, ASKS, FIRST, SECOND], CALLS, "a call was recorded twice"),
        ([QUESTION, ASKS, FIRST, SECOND, SECOND], CALLS, "a second result of the same call"),
        ([QUESTION, FIRST, SECOND, ASKS], CALLS, ""),
        ([QUESTION, SECOND, ASKS, FIRST], CALLS, ""),
        ([QUESTION, FIRST], (), "a tool result belongs to no call and names no tool"),
    ],
    ids=["cut off", "call twice", "result twice", "results first", "out of order", "no call"],
)
def test_what_is_damaged_is_kept_as_far_as_it_goes(messages: JsonValue, calls: tuple[Call, ...], lost: str) -> None:
    (trajectory,), report = convert([messages])
    assert trajectory.calls == calls
    assert [what.startswith(lost) for what in report.lost] == [True] * bool(lost)


def test_results_without_ids_are_joined_by_order() -> None:
    bare = json.loads(json.dumps(MESSAGES).replace('"id": "c1", ', "").replace('"id": "c2", ', ""))
    for message in bare:
        message.pop("tool_call_id", None)
    (trajectory,), _ = convert([bare])
    assert [(call.id, call.result, call.error) for call in trajectory.calls] == [
        (None, {"celsius": 31}, None),
        (None, None, "Error: no such city"),
    ]


def test_arguments_that_are_no_json_are_kept_as_an_event() -> None:
    broken = json.loads(json.dumps(MESSAGES).replace('{\\"city\\": \\"Hanoi\\"}', '{\\"city\\": '))
    (trajectory,), report = convert([broken])
    assert trajectory.calls[0].args == {}
    assert trajectory.events == ({"kind": "invalid_arguments", "call": 0, "arguments": '{"city": '},)
    assert list(report.lost) == ["the arguments of a call are not a JSON object; the call is kept without them"]


def test_a_huge_result_is_kept_whole() -> None:
    huge = "x" * 10_000_000
    (trajectory,), _ = convert([[QUESTION, ASKS, {"role": "tool", "tool_call_id": "c1", "content": huge}, ANSWER]])
    assert trajectory.calls[0].result == huge


def test_what_waits_is_bounded() -> None:
    records: list[JsonValue] = [
        {"request": {"messages": [{"role": "user", "content": f"question {number}"}]}, "response": reply(ANSWER)}
        for number in range(MAX_KEPT + 500)
    ]
    reader = OpenAIChatReader(ReadContext())
    given = [len(list(reader.read(record))) for record in records]
    assert sum(given) == 500
    assert len(list(reader.finish())) == MAX_KEPT


@settings(max_examples=examples(150), deadline=None)
@given(st.randoms(use_true_random=False))
def test_no_record_makes_the_reader_fail(random: Random) -> None:
    assert reads_any_record(SAMPLES, "openai-chat", random)


def exchange(client: Any, messages: list[Any], log: list[JsonValue]) -> Any:
    """Ask, and log the exchange as a wrapper around a client would."""
    request = {"model": "a-model", "messages": list(messages)}
    response = client.chat.completions.create(**request)
    log.append(json.loads(json.dumps({"request": request, "response": response}, default=lambda o: o.model_dump())))
    return response.choices[0].message


@pytest.mark.deep
def test_what_the_real_client_gives_is_read_the_same() -> None:
    openai = import_module("openai")
    log: list[JsonValue] = []
    with vendor(reply(ASKS, "tool_calls"), reply(ANSWER)) as provider:
        client = openai.OpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        messages: list[Any] = [RULES, QUESTION]
        messages.append(exchange(client, messages, log))
        messages += [FIRST, SECOND]
        messages.append(exchange(client, messages, log))
        client.close()
    assert from_messages(messages) == EXPECTED
    (logged,), _ = convert(log)
    assert logged == Trajectory(input=EXPECTED.input, calls=CALLS, output=EXPECTED.output, usage=Usage(2, 200, 20))


@pytest.mark.deep
def test_what_the_real_client_streams_is_read_the_same() -> None:
    openai = import_module("openai")
    with vendor(CHUNKS) as provider:
        client = openai.OpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        with client.chat.completions.create(model="a-model", messages=[QUESTION], stream=True) as stream:
            chunks = [json.loads(chunk.model_dump_json()) for chunk in stream]
        client.close()
    assert len(chunks) == len(CHUNKS)
    assert convert(chunks)[0] == convert(CHUNKS)[0]


PLAIN: list[JsonValue] = [
    MESSAGES,
    {"messages": MESSAGES, "tools": [{"type": "function"}], "model": "m", "metadata": {"case": "k1", "agent": "react"}},
    {"id": 7, "task_id": "k2", "agent": "plan", "messages": [*MESSAGES[1:], QUESTION, ANSWER], "temperature": 0},
    [QUESTION, {"role": "assistant", "content": "", "refusal": None, "tool_calls": None, "annotations": []}],
]


@settings(max_examples=examples(300), deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_short_way_gives_the_same_as_the_long_way(random: Random) -> None:
    reader = OpenAIChatReader(ReadContext())
    for record in disturbed(PLAIN, random):
        shorter = reader.read_line(json.dumps(record).encode())
        if shorter is not None:
            assert shorter == list(OpenAIChatReader(ReadContext()).read(record))


def test_the_short_way_is_taken_where_nothing_is_unusual() -> None:
    reader = OpenAIChatReader(ReadContext())
    for record in PLAIN[:3]:
        assert reader.read_line(json.dumps(record).encode()) == list(reader.read(record))
    assert reader.read_line(b'{"messages": [], "error": "x"}') is None
