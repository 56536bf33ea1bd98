"""A server that speaks OpenAI chat completions."""

from __future__ import annotations

import json
from typing import Any

from toolgauge.core import ModelReply, ToolRequest

from .script import Asked, Request
from .serving import BadRequest, Server, check_name

__all__ = ["OpenAIServer"]


class OpenAIServer(Server):
    """`POST /v1/chat/completions`, without streaming."""

    path = "/v1/chat/completions"

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def given_key(self, request: Request) -> str:
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def understand(self, request: Request, number: int) -> Asked:
        body = _body(request)
        messages: list[dict[str, Any]] = body["messages"]
        _check(messages)
        said = [_text(message["content"]) for message in messages if message["role"] == "user"]
        before = [_text(message["content"]) for message in messages if message["role"] in ("system", "developer")]
        results = tuple(_text(message["content"]) for message in messages if message["role"] == "tool")
        tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
        for name in tools:
            check_name(name)
        question, last = (said[0], said[-1]) if said else ("", "")
        return Asked(body["model"], "\n".join(before), question, last, results, tools, request, number)

    def write(self, reply: ModelReply, asked: Asked) -> object:
        message: dict[str, object] = {"role": "assistant", "content": reply.text or None}
        if reply.calls:
            message["tool_calls"] = [_call(call, f"call_{asked.number}_{i}") for i, call in enumerate(reply.calls)]
        ended = "length" if reply.cut else "tool_calls" if reply.calls else "stop"
        return {
            "id": f"chatcmpl-{asked.number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": asked.model,
            "choices": [{"index": 0, "message": message, "finish_reason": ended}],
            "usage": _usage(reply),
        }

    def error(self, status: int, message: str) -> object:
        return {"error": {"message": message, "type": "error", "param": None, "code": str(status)}}


def _body(request: Request) -> dict[str, Any]:
    try:
        body = request.json
    except ValueError as problem:
        raise BadRequest(f"the body is no JSON: {problem}") from problem
    if not isinstance(body, dict) or not isinstance(body.get("model"), str) or not body.get("messages"):
        raise BadRequest("model and messages are required")
    if body.get("stream"):
        raise BadRequest("this server does not stream")
    return body


def _check(messages: list[dict[str, Any]]) -> None:
    """Every call is answered right after it was asked for, and nothing else is."""
    waiting: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                raise BadRequest(f"no call waits for the answer {message['tool_call_id']!r}")
            waiting.discard(message["tool_call_id"])
            continue
        if waiting:
            raise BadRequest(f"calls without an answer: {', '.join(sorted(waiting))}")
        if message["role"] == "assistant":
            for call in message.get("tool_calls") or ():
                if not isinstance(call["function"]["arguments"], str):
                    raise BadRequest("the arguments of a call are a text")
                check_name(call["function"]["name"])
                waiting.add(call["id"])
    if waiting:
        raise BadRequest(f"calls without an answer: {', '.join(sorted(waiting))}")


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _call(call: ToolRequest, made_up: str) -> dict[str, object]:
    written = call.written if call.args is None else json.dumps(call.args)
    return {"id": call.id or made_up, "type": "function", "function": {"name": call.tool, "arguments": written}}


def _usage(reply: ModelReply) -> dict[str, int]:
    tokens_in = reply.usage.input_tokens if reply.usage else None
    tokens_out = reply.usage.output_tokens if reply.usage else None
    tokens_in, tokens_out = 11 if tokens_in is None else tokens_in, 7 if tokens_out is None else tokens_out
    return {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
