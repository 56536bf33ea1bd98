"""Streams of providers, recorded as events one a line, in lists, in logged exchanges, or as the server sent them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge.core import Call, JsonValue, Usage
from toolgauge.traces import ImportReport, read_traces
from toolgauge.traces.context import ReadOptions
from toolgauge.traces.formats.anthropic import AnthropicReader
from toolgauge.traces.formats.openai_chat import OpenAIChatReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read

REAL = recorded("providers")
CALL = Call("get_weather", {"city": "Hanoi"}, "c1", 1)
STREAMS = ["anthropic", "responses", "chat", "bedrock_stream", "cohere_stream"]


def sent(events: list[JsonValue]) -> str:
    """Events as a server sends them."""
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


@pytest.mark.parametrize("key", STREAMS)
@pytest.mark.parametrize("layout", ["lines", "list", "sent", "wrapped"])
def test_a_stream_is_one_reply_with_one_call(key: str, layout: str, tmp_path: Path) -> None:
    events = REAL[key]
    path = tmp_path / "log.jsonl"
    if layout == "sent":
        path.write_text(sent(events), encoding="utf-8")
    elif layout == "list":
        path.write_text(json.dumps(events), encoding="utf-8")
    else:
        wrapped = [{"event": "message", "data": event} for event in events] if layout == "wrapped" else events
        path.write_text("\n".join(map(json.dumps, wrapped)), encoding="utf-8")
    report = ImportReport()
    found = list(read_traces(path, ReadOptions(report=report)))
    assert [one.calls for one in found] == [(CALL,)]
    assert report.lost == {"a call has no recorded result": 1}


@pytest.mark.parametrize("key", STREAMS)
def test_two_streams_after_one_another_are_two_replies(key: str) -> None:
    later = json.loads(json.dumps(REAL[key]).replace("resp_1", "resp_2").replace("chatcmpl-1", "chatcmpl-2"))
    found, _ = convert([*REAL[key], *later])
    assert [len(one.calls) for one in found] == [1, 1]


def test_the_text_that_a_server_sent(tmp_path: Path) -> None:
    path = tmp_path / "reply.txt"
    path.write_text(REAL["anthropic_sse"] * 2, encoding="utf-8")
    found = list(read_traces(path))
    assert [(one.calls, one.usage) for one in found] == [((CALL,), Usage(1, 20, 30))] * 2


@pytest.mark.parametrize("kept", [13, 15])
def test_a_stream_that_was_cut_off_is_read_as_far_as_it_came(kept: int) -> None:
    found, _ = read(AnthropicReader, *REAL["anthropic"][:kept])
    assert found[0].calls == (CALL,)


def test_words_that_were_streamed_are_put_together() -> None:
    events = [event for event in REAL["anthropic"] if event.get("index") != 2]
    assert read(AnthropicReader, *events)[0][0].output == "Let me look."


QUESTION: JsonValue = [{"role": "user", "content": "How warm is it in Hanoi?"}]


@pytest.mark.parametrize("key", ["anthropic", "chat", "bedrock_stream", "cohere_stream"])
def test_a_logged_request_whose_reply_is_a_list_of_events(key: str) -> None:
    found, _ = convert([{"request": {"messages": QUESTION}, "response": REAL[key]}])
    assert [(one.input, one.calls) for one in found] == [("How warm is it in Hanoi?", (CALL,))]


def test_chunks_of_chat_replies_name_their_reply() -> None:
    assert read(OpenAIChatReader, *REAL["chat"])[0][0].calls == (CALL,)


def test_partial_messages_of_a_session_are_not_read_beside_the_whole_ones() -> None:
    block: JsonValue = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Hanoi"}}
    whole: JsonValue = {"type": "message", "role": "assistant", "id": "m", "stop_reason": None, "content": [block]}
    records: list[JsonValue] = [
        {"type": "stream_event", "event": event, "session_id": "s"} for event in REAL["anthropic"]
    ]
    found, _ = convert([*records, {"type": "assistant", "message": whole, "session_id": "s"}])
    assert [one.calls for one in found] == [(CALL,)]
