"""Replies that are good, and say nothing true about what they took."""

from __future__ import annotations

import asyncio
import json
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.runner.weather import command, write_suite
from tests.servers import Answer, Asked, OpenAIServer, Reply
from toolgauge.core import Message, ModelReply, ModelRequest, ToolRequest, Usage
from toolgauge.models import Price, Priced, Retries, open_model

pytestmark = pytest.mark.deep

REQUEST = ModelRequest((Message("user", "Hi"),))
UNKNOWN = Usage(requests=1)
ABSENT = object()

CHAT: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-5",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "fine"}, "finish_reason": "stop"}],
}
MESSAGES: dict[str, Any] = {
    "id": "1",
    "type": "message",
    "role": "assistant",
    "model": "claude-haiku-4-5",
    "content": [{"type": "text", "text": "fine"}],
    "stop_reason": "end_turn",
}
RESPONSES: dict[str, Any] = {
    "id": "1",
    "object": "response",
    "created_at": 1,
    "model": "gpt-5",
    "status": "completed",
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "output": [
        {
            "type": "message",
            "id": "m",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "fine", "annotations": []}],
        }
    ],
}
BEDROCK: dict[str, Any] = {
    "output": {"message": {"role": "assistant", "content": [{"text": "fine"}]}},
    "stopReason": "end_turn",
    "metrics": {"latencyMs": 3},
}

IN_OUT_TOTAL = {
    "openai:gpt-5": (CHAT, "/v1", ("prompt_tokens", "completion_tokens", "total_tokens")),
    "openai-responses:gpt-5": (RESPONSES, "/v1", ("input_tokens", "output_tokens", "total_tokens")),
    "anthropic:claude-haiku-4-5": (MESSAGES, "", ("input_tokens", "output_tokens", "total_tokens")),
    "bedrock:amazon.nova-lite-v1:0": (BEDROCK, "", ("inputTokens", "outputTokens", "totalTokens")),
}

WRONG: dict[str, Any] = {
    "absent": ABSENT,
    "null": None,
    "empty": {},
    "a list": [],
    "a text": "many",
    "a number": 7,
    "null counts": (None, None, None),
    "fractions": (3.5, 2.0, 5.5),
    "whole fractions": (3.0, 2.0, 5.0),
    "texts": ("3", "2", "5"),
    "below 0": (-1, 2, 1),
    "beyond belief": (3, 10**30, 10**30),
    "true": (True, True, 2),
    "lists": ([3], [2], [5]),
    "one alone": (3, None, None),
}


class Answering(ThreadingHTTPServer):
    """Answers every request with the same body."""

    daemon_threads = True

    def __init__(self, status: int, body: object, headers: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = status, json.dumps(body).encode(), headers
        self.asked = 0


class _Handler(BaseHTTPRequestHandler):
    server: Answering

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
        status, body, headers = self.server.reply
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def answering(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Iterator[Answering]:
    server = Answering(status, body, headers or {})
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "k-0123456789abcdef")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def ask(name: str, usage: Any, price: Price | None = None) -> tuple[ModelReply, int, list[str]]:
    """The reply, how many requests it took, and what was warned of."""
    body, path, names = IN_OUT_TOTAL[name]
    if usage is not ABSENT:
        body = {**body, "usage": dict(zip(names, usage, strict=True)) if isinstance(usage, tuple) else usage}

    async def go(address: str) -> ModelReply:
        model = open_model(name, base_url=address, retries=Retries(first_wait=0.01, seed=1))
        asked = model if price is None else Priced(model, price)
        try:
            return await asked.ask(REQUEST)
        finally:
            await model.close()  # type: ignore[attr-defined]  # models of providers can be closed

    with answering(body) as server, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        reply = asyncio.run(go(f"http://127.0.0.1:{server.server_port}{path}"))
    told = [str(one.message) for one in warned if issubclass(one.category, UserWarning)]
    return reply, server.asked, told


every = pytest.mark.parametrize("name", IN_OUT_TOTAL)


@every
@pytest.mark.parametrize("what", WRONG)
def test_the_reply_counts_and_its_usage_is_unknown(name: str, what: str) -> None:
    reply, requests, warned = ask(name, WRONG[what])
    assert reply == ModelReply("fine", usage=UNKNOWN)
    assert requests == 1
    assert warned == []


@every
def test_a_usage_that_can_be_true_is_taken_with_its_cost(name: str) -> None:
    reply, requests, warned = ask(name, (300, 20, 320))
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (300, 20)
    assert reply.usage.cost_usd is not None
    assert reply.usage.cost_usd > 0
    assert requests == 1
    assert warned == []


@every
def test_no_cost_is_made_of_tokens_that_nobody_knows(name: str) -> None:
    price = Price(input=1.0, output=1.0)
    assert ask(name, (3, 10**30, 10**30), price)[0].usage == UNKNOWN
    usage = ask(name, (300, 20, 320), price)[0].usage
    assert usage is not None
    assert usage.cost_usd == pytest.approx(320e-6)


@pytest.mark.parametrize(
    "extra",
    [
        {"prompt_tokens_details": []},
        {"prompt_tokens_details": {"cached_tokens": -1}},
        {"completion_tokens_details": {"reasoning_tokens": 0.5}},
    ],
)
def test_a_detail_that_cannot_be_true_leaves_the_reply_of_chat_completions(extra: dict[str, Any]) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, **extra}
    assert ask("openai:gpt-5", usage) == (ModelReply("fine", usage=UNKNOWN), 1, [])


@pytest.mark.parametrize(
    "extra",
    [
        {"cache_creation": {}},
        {"cache_creation": []},
        {"server_tool_use": {}},
        {"server_tool_use": "x"},
        {"output_tokens_details": {}},
        {"iterations": 3},
        {"iterations": [{"type": "message", "input_tokens": 1, "output_tokens": 1}]},
        {"cache_read_input_tokens": 1.5},
    ],
)
def test_a_detail_that_cannot_be_true_leaves_the_reply_of_anthropic(extra: dict[str, Any]) -> None:
    usage = {"input_tokens": 3, "output_tokens": 2, **extra}
    assert ask("anthropic:claude-haiku-4-5", usage) == (ModelReply("fine", usage=UNKNOWN), 1, [])


def test_calls_and_texts_beside_an_unusable_usage_are_as_they_came() -> None:
    arguments = '{"x": 1.0e2, "y": "\\ud83d", "z": [null, "đ"]}'

    def script(asked: Asked) -> Answer:
        message = {
            "role": "assistant",
            "content": "Trời nắng",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": arguments}}],
        }
        return Reply(200, {**CHAT, "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})

    async def go(address: str) -> ModelReply:
        model = open_model("openai:gpt-5", base_url=address)
        try:
            return await model.ask(REQUEST)
        finally:
            await model.close()  # type: ignore[attr-defined]  # models of providers can be closed

    with OpenAIServer(script) as server:
        reply = asyncio.run(go(server.base_url))
    assert reply.text == "Trời nắng"
    assert reply.calls == (ToolRequest("f", {"x": 100.0, "y": "\\ud83d", "z": [None, "đ"]}, "c1"),)


def test_a_run_of_such_replies_is_done_and_warns_of_nothing(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    with OpenAIServer(lambda asked: Reply(200, {**CHAT, "usage": {}})) as server:
        arguments = ("suite.json", "--model", "openai:gpt-5", "--base-url", server.base_url, "--format", "run")
        code, output, errors = command(tmp_path, *arguments, OPENAI_API_KEY="k-0123456789abcdef")
    assert code == 0, errors
    assert "Warning" not in errors
    assert output.count('"usage":{"requests":1,"waited_ms":0.0}') == 2, output


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_of_bedrock_is_reported_and_never_followed(status: int) -> None:
    async def go(address: str) -> None:
        await open_model("bedrock:amazon.nova-lite-v1:0", base_url=address).ask(REQUEST)

    with answering(BEDROCK) as other:
        place = f"http://127.0.0.1:{other.server_port}"
        with (
            answering({}, status, {"Location": f"{place}/x?key=1"}) as server,
            pytest.raises(Exception, match=f"redirected: HTTP {status} to {place}, after 1 try"),
        ):
            asyncio.run(go(f"http://127.0.0.1:{server.server_port}"))
    assert (server.asked, other.asked) == (1, 0)


def test_bedrock_is_tried_again_by_us_alone() -> None:
    async def go(address: str) -> None:
        retries = Retries(tries=3, first_wait=0.01, seed=1)
        await open_model("bedrock:amazon.nova-lite-v1:0", base_url=address, retries=retries).ask(REQUEST)

    with answering({}, 500) as server, pytest.raises(Exception, match=r"HTTP 500 .*after 3 tries"):
        asyncio.run(go(f"http://127.0.0.1:{server.server_port}"))
    assert server.asked == 3
