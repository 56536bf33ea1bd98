"""Conversations with servers that speak as the providers do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Answer, AnthropicServer, Asked, OpenAIServer, Reply, Server
from toolgauge.core import JsonValue, Message, ModelReply, ModelRequest, ToolDefinition, ToolRequest, Usage
from toolgauge.errors import ModelError
from toolgauge.models import Cassette, Recorded, Retrying, open_model

pytestmark = pytest.mark.deep

WEATHER = ToolDefinition(
    "get_weather", "The weather of a city.", {"type": "object", "properties": {"city": {"type": "string"}}}
)
QUESTION = Message("user", "What is the weather in Hà Nội?")

Kind = type[OpenAIServer] | type[AnthropicServer]
NAMES = {OpenAIServer: "openai:some-model", AnthropicServer: "anthropic:claude-haiku-4-5"}

both = pytest.mark.parametrize("kind", [OpenAIServer, AnthropicServer])


def ask_all(server: Server, *requests: ModelRequest) -> list[ModelReply]:
    async def ask() -> list[ModelReply]:
        model = open_model(NAMES[type(server)], base_url=server.base_url, api_key="k-0123456789")
        assert isinstance(model, Retrying)
        try:
            return [await model.ask(request) for request in requests]
        finally:
            await model.close()

    return asyncio.run(ask())


def converse(
    server: Server, turns: Sequence[Callable[[ModelReply], list[Message]]], *first: Message
) -> list[ModelReply]:
    """Ask, add what was said and what a turn answers to it, and ask again."""

    async def go() -> list[ModelReply]:
        model = open_model(NAMES[type(server)], base_url=server.base_url, api_key="k-0123456789")
        assert isinstance(model, Retrying)
        messages = list(first)
        replies = []
        try:
            for turn in [*turns, None]:
                reply = await model.ask(ModelRequest(tuple(messages), (WEATHER,)))
                replies.append(reply)
                if turn is not None:
                    messages += [Message("assistant", reply.text, reply.calls), *turn(reply)]
        finally:
            await model.close()
        return replies

    return asyncio.run(go())


@both
def test_a_call_its_result_and_the_final_answer(kind: Kind) -> None:
    def script(asked: Asked) -> Answer:
        if asked.results:
            return ModelReply(f"Trời {asked.results[-1]}.", usage=Usage(input_tokens=50, output_tokens=9))
        return ModelReply("Let me see.", (ToolRequest("get_weather", {"city": "Hà Nội"}, "w1"),))

    with kind(script) as server:
        first, last = converse(
            server,
            [lambda reply: [Message("tool", "nắng, 31 °C", call_id=reply.calls[0].id, tool="get_weather")]],
            Message("system", "Answer in Vietnamese."),
            QUESTION,
        )
    assert first.text == "Let me see."
    assert first.calls == (ToolRequest("get_weather", {"city": "Hà Nội"}, "w1"),)
    assert first.usage is not None
    assert (first.usage.requests, first.usage.input_tokens, first.usage.output_tokens) == (1, 11, 7)
    assert last.text == "Trời nắng, 31 °C."
    assert last.usage is not None
    assert last.usage.tokens == 59
    assert [asked.system for asked in server.asked] == ["Answer in Vietnamese."] * 2
    assert server.asked[0].question == QUESTION.text
    assert server.asked[0].tools == ("get_weather",)
    assert server.asked[1].results == ("nắng, 31 °C",)
    assert len(server.requests) == 2


@both
def test_parallel_calls_are_answered_together(kind: Kind) -> None:
    def script(asked: Asked) -> Answer:
        if len(asked.results) == 3:
            return ModelReply("|".join(asked.results))
        return ModelReply(calls=tuple(ToolRequest("get_weather", {"city": city}) for city in "abc"))

    def answer(reply: ModelReply) -> list[Message]:
        return [
            Message("tool", f"{(call.args or {})['city']}!", call_id=call.id, tool=call.tool) for call in reply.calls
        ]

    with kind(script) as server:
        first, last = converse(server, [answer], QUESTION)
    assert len({call.id for call in first.calls}) == 3
    assert last.text == "a!|b!|c!"


@both
def test_a_failed_call_is_told_as_a_failure_where_the_provider_can(kind: Kind) -> None:
    def script(asked: Asked) -> Answer:
        return ModelReply("done") if asked.results else ModelReply(calls=(ToolRequest("get_weather", {}),))

    with kind(script) as server:
        converse(
            server,
            [
                lambda reply: [
                    Message("tool", "no such city", call_id=reply.calls[0].id, tool="get_weather", failed=True)
                ]
            ],
            QUESTION,
        )
    assert "no such city" in server.asked[1].results[0]
    if kind is AnthropicServer:
        assert server.requests[1].json["messages"][2]["content"][0]["is_error"] is True


@both
def test_names_that_a_provider_would_refuse_are_sent_in_another_way_and_read_back(kind: Kind) -> None:
    odd = ["", "files.read", "files/read", "a\nb<script>", "x" * 100]
    tools = (ToolDefinition("files_read"), *(ToolDefinition(name) for name in odd if name))

    def script(asked: Asked) -> Answer:
        return ModelReply(calls=tuple(ToolRequest(name, {}) for name in asked.tools))

    history = (
        QUESTION,
        Message("assistant", calls=tuple(ToolRequest(name, {}, f"c{i}") for i, name in enumerate(odd))),
        *(Message("tool", "unknown tool", call_id=f"c{i}", tool=name, failed=True) for i, name in enumerate(odd)),
    )
    with kind(script) as server:
        (reply,) = ask_all(server, ModelRequest(history, tools))
    assert server.asked[0].tools[0] == "files_read"
    assert [call.tool for call in reply.calls] == [tool.name for tool in tools]


def test_unreadable_arguments_are_kept_as_they_were_written() -> None:
    written = ['{"city": "Hà', "[1]", '"Hanoi"', "not json"]
    calls = tuple(ToolRequest("get_weather", None, written=text) for text in written)

    def script(asked: Asked) -> Answer:
        return ModelReply("ok") if asked.results else ModelReply(calls=calls)

    def answer(reply: ModelReply) -> list[Message]:
        return [Message("tool", "no arguments", call_id=call.id, tool=call.tool, failed=True) for call in reply.calls]

    with OpenAIServer(script) as server:
        first, last = converse(server, [answer], QUESTION)
    assert [(call.args, call.written) for call in first.calls] == [(None, text) for text in written]
    assert last.text == "ok"
    sent = server.requests[1].json["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert "unreadable_arguments" in sent


def test_a_call_without_arguments_and_without_an_id_gets_both() -> None:
    def call(arguments: str) -> dict[str, Any]:
        return {"id": "", "type": "function", "function": {"name": "now", "arguments": arguments}}

    message = {"role": "assistant", "content": None, "tool_calls": [call(""), call("{}")]}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }
    with OpenAIServer([Reply(200, body)]) as server:
        (reply,) = ask_all(server, ModelRequest((QUESTION,)))
    assert [call.args for call in reply.calls] == [{}, {}]
    assert len({call.id for call in reply.calls}) == 2
    assert all(call.id for call in reply.calls)
    assert reply.usage == Usage(requests=1)


@both
def test_a_reply_that_reached_the_limit_says_so(kind: Kind) -> None:
    with kind([ModelReply("half a", cut=True), ModelReply("whole")]) as server:
        request = ModelRequest((QUESTION,), max_tokens=5, temperature=0.5)
        cut, whole = ask_all(server, request, ModelRequest((QUESTION,)))
    assert (cut.cut, whole.cut) == (True, False)
    sent = server.requests[0].json
    assert sent["temperature"] == 0.5
    assert 5 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))


@both
def test_a_schema_is_asked_for_and_the_object_comes_back(kind: Kind) -> None:
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"verdict": {"type": "string"}},
        "required": ["verdict"],
        "additionalProperties": False,
    }
    with kind([ModelReply('{"verdict": "yes"}')]) as server:
        (reply,) = ask_all(server, ModelRequest((QUESTION,), schema=schema, purpose="judge"))
    assert reply.text == '{"verdict": "yes"}'
    assert b"verdict" in server.requests[0].body


def test_a_model_that_takes_no_schema_is_asked_in_words() -> None:
    with AnthropicServer([ModelReply("{}")]) as server:
        request = ModelRequest((QUESTION,), schema={"type": "object", "properties": {"verdict": {"type": "string"}}})

        async def ask() -> None:
            model = open_model("anthropic:claude-3-haiku-20240307", base_url=server.base_url, api_key="k-0123456789")
            await model.ask(request)
            await model.close()  # type: ignore[attr-defined]

        asyncio.run(ask())
    assert "verdict" in server.asked[0].system


def test_cost_is_known_for_a_listed_model_and_unknown_for_another() -> None:
    with AnthropicServer([ModelReply("a", usage=Usage(input_tokens=1000, output_tokens=100))]) as server:
        (listed,) = ask_all(server, ModelRequest((QUESTION,)))
    with OpenAIServer([ModelReply("a")]) as server:
        (unlisted,) = ask_all(server, ModelRequest((QUESTION,)))
    assert listed.usage is not None
    assert listed.usage.cost_usd is not None
    assert listed.usage.cost_usd > 0
    assert unlisted.usage is not None
    assert unlisted.usage.cost_usd is None


@both
def test_the_sdk_is_told_not_to_retry_and_thinking_is_left_out(kind: Kind) -> None:
    with kind([ModelReply("said")]) as server:
        (reply,) = ask_all(server, ModelRequest((QUESTION,)))
    assert reply.text == "said"
    assert server.requests[0].headers.get("x-stainless-retry-count") == "0"


def test_a_key_is_not_needed_for_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with OpenAIServer([ModelReply("hello")]) as server:

        async def ask() -> str:
            model = open_model("openai:llama", base_url=server.base_url)
            reply = await model.ask(ModelRequest((QUESTION,)))
            await model.close()  # type: ignore[attr-defined]
            return reply.text

        assert asyncio.run(ask()) == "hello"


def test_a_model_can_be_used_from_one_event_loop_after_another() -> None:
    with OpenAIServer([ModelReply("one"), ModelReply("two")]) as server:
        model = open_model("openai:llama", base_url=server.base_url)

        async def ask() -> str:
            reply = await model.ask(ModelRequest((QUESTION,)))
            await model.close()  # type: ignore[attr-defined]
            return reply.text

        assert [asyncio.run(ask()), asyncio.run(ask())] == ["one", "two"]


@both
def test_half_characters_and_nul_are_kept_as_text(kind: Kind) -> None:
    with kind([ModelReply("a\ud83d b\x00 c\U0001f600")]) as server:
        (reply,) = ask_all(server, ModelRequest((QUESTION,)))
    assert reply.text == "a\\ud83d b\x00 c\U0001f600"


def test_bytes_that_are_no_utf8_are_kept_as_text() -> None:
    body = (
        b'{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",'
        b'"message":{"role":"assistant","content":"caf\xe9 \xff, H\xc3\xa0"}}]}'
    )
    with OpenAIServer([Reply(200, body)]) as server:
        (reply,) = ask_all(server, ModelRequest((QUESTION,)))
    assert reply.text == "caf\\udce9 \\udcff, Hà"


def test_the_server_refuses_what_a_provider_refuses() -> None:
    lonely = ModelRequest((QUESTION, Message("assistant", calls=(ToolRequest("t", {}, "c1"),)), Message("user", "?")))
    with OpenAIServer([]) as server, pytest.raises(ModelError, match="calls without an answer: c1"):
        ask_all(server, lonely)


def test_what_a_server_said_can_be_said_again_without_it(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    request = ModelRequest((QUESTION,), (WEATHER,))

    async def ask(base_url: str, cassette: Cassette) -> ModelReply:
        with cassette:
            model = open_model("openai:m", base_url=base_url, cassette=cassette)
            assert isinstance(model, Recorded)
            try:
                return await model.ask(request)
            finally:
                await model.close()

    calls = (ToolRequest("get_weather", {"city": "Huế"}, "w1"),)
    with OpenAIServer([Reply(503, headers={"Retry-After": "0"}), ModelReply("Let me see.", calls)]) as server:
        said = asyncio.run(ask(server.base_url, Cassette.record(path)))
    assert said.calls == calls
    assert len(server.requests) == 2
    assert asyncio.run(ask(server.base_url, Cassette.replay(path))) == said
    assert len(server.requests) == 2
