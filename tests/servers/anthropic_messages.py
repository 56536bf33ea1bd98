"""A server that speaks Anthropic messages."""

from __future__ import annotations

from typing import Any

from toolgauge.core import ModelReply

from .script import Asked, Request
from .serving import BadRequest, Server, check_name

__all__ = ["AnthropicServer"]


class AnthropicServer(Server):
    """`POST /v1/messages`, without streaming."""

    path = "/v1/messages"

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def given_key(self, request: Request) -> str:
        """Older clients send it in a header of its own, newer ones as a bearer token."""
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return request.headers.get("x-api-key") or bearer

    def understand(self, request: Request, number: int) -> Asked:
        body = _body(request)
        messages: list[dict[str, Any]] = body["messages"]
        _check(messages)
        users = [message["content"] for message in messages if message["role"] == "user"]
        said = [text for text in map(_text, users) if text]
        results = tuple(_text(part.get("content")) for blocks in users for part in _parts(blocks, "tool_result"))
        tools = tuple(tool["name"] for tool in body.get("tools") or ())
        for name in tools:
            check_name(name)
        question, last = (said[0], said[-1]) if said else ("", "")
        return Asked(body["model"], _text(body.get("system")), question, last, results, tools, request, number)

    def write(self, reply: ModelReply, asked: Asked) -> object:
        content: list[dict[str, object]] = [{"type": "text", "text": reply.text}] if reply.text else []
        for i, call in enumerate(reply.calls):
            used = {"type": "tool_use", "id": call.id or f"toolu_{asked.number}_{i}", "name": call.tool}
            # This provider sends arguments read; what a model wrote that is no object cannot come from it.
            content.append({**used, "input": call.args or {}})
        return {
            "id": f"msg_{asked.number}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": content,
            "stop_reason": "max_tokens" if reply.cut else "tool_use" if reply.calls else "end_turn",
            "stop_sequence": None,
            "usage": _usage(reply),
        }

    def error(self, status: int, message: str) -> object:
        return {"type": "error", "error": {"type": "api_error", "message": message}}


def _body(request: Request) -> dict[str, Any]:
    try:
        body = request.json
    except ValueError as problem:
        raise BadRequest(f"the body is no JSON: {problem}") from problem
    if not isinstance(body, dict) or not isinstance(body.get("model"), str) or not body.get("messages"):
        raise BadRequest("model and messages are required")
    if not isinstance(body.get("max_tokens"), int):
        raise BadRequest("max_tokens is required")
    if "anthropic-version" not in request.headers:
        raise BadRequest("anthropic-version is required")
    if body.get("stream"):
        raise BadRequest("this server does not stream")
    return body


def _check(messages: list[dict[str, Any]]) -> None:
    """The user begins, and every call is answered by the message that follows it."""
    if messages[0]["role"] != "user":
        raise BadRequest("the first message is the user's")
    waiting: set[str] = set()
    for message in messages:
        answered = {part["tool_use_id"] for part in _parts(message["content"], "tool_result")}
        if answered != waiting:
            raise BadRequest(f"calls {sorted(waiting)} were asked for, {sorted(answered)} answered")
        for part in _parts(message["content"], "tool_use"):
            check_name(part["name"])
        waiting = {part["id"] for part in _parts(message["content"], "tool_use")}
        if waiting and message["role"] != "assistant":
            raise BadRequest("only an assistant asks for calls")
    if waiting:
        raise BadRequest(f"calls without an answer: {', '.join(sorted(waiting))}")


def _parts(content: Any, kind: str) -> list[dict[str, Any]]:
    return [part for part in content if part["type"] == kind] if isinstance(content, list) else []


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if part.get("type") == "text")
    return content or ""


def _usage(reply: ModelReply) -> dict[str, int]:
    tokens_in = reply.usage.input_tokens if reply.usage else None
    tokens_out = reply.usage.output_tokens if reply.usage else None
    return {
        "input_tokens": 11 if tokens_in is None else tokens_in,
        "output_tokens": 7 if tokens_out is None else tokens_out,
    }
