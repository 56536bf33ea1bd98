"""Records as other tools write them, for measuring what it costs to convert them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import msgspec

__all__ = ["anthropic_lines", "english_lines", "langchain_lines", "message_lines", "otlp_lines"]

OPEN_TRACES = 12
"""How many traces are mixed with each other."""

SPANS_A_LINE = 4
TOOLS = ("get_weather", "search_web", "lookup_order", "list_flights", "send_mail")
TEXT = "thời tiết hôm nay ở Hà Nội rất đẹp và không có mưa the order was shipped on Monday and will arrive soon"
WORDS = TEXT.split()
ENGLISH = [word for word in WORDS if word.isascii()]


def otlp_lines(rng: random.Random) -> Iterator[object]:
    """Exports of a few spans each, from several traces at a time, children before their parents."""
    traces = [_trace(rng) for _ in range(OPEN_TRACES)]
    waiting: list[object] = []
    while True:
        index = rng.randrange(len(traces))
        try:
            waiting.append(next(traces[index]))
        except StopIteration:
            traces[index] = _trace(rng)
        if len(waiting) == SPANS_A_LINE:
            resource = {"attributes": _attributes({"service.name": "assistant", "telemetry.sdk.language": "python"})}
            scope = {"name": "assistant", "version": "1.0"}
            yield {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": waiting}]}]}
            waiting = []


def _trace(rng: random.Random) -> Iterator[object]:
    identity = f"{rng.getrandbits(128):032x}"
    root = f"{rng.getrandbits(64):016x}"
    conversation = f"{rng.getrandbits(64):x}"
    begin = now = 1_790_000_000_000_000_000 + rng.randrange(10**15)
    history: list[object] = [{"role": "user", "parts": [{"type": "text", "content": _words(rng, 20)}]}]

    def span(name: str, length: int, attributes: Mapping[str, object], parent: str | None = root) -> object:
        return {
            "traceId": identity,
            "spanId": root if parent is None else f"{rng.getrandbits(64):016x}",
            **({} if parent is None else {"parentSpanId": parent}),
            "name": name,
            "kind": 3,
            "startTimeUnixNano": str(begin if parent is None else now),
            "endTimeUnixNano": str(now + length),
            "attributes": _attributes({"gen_ai.conversation.id": conversation, **attributes}),
            "status": {},
        }

    for _ in range(rng.randrange(1, 5)):
        calls = [(f"call_{rng.getrandbits(60):x}", rng.choice(TOOLS)) for _ in range(rng.choice((1, 1, 2)))]
        asked = [
            {"type": "tool_call", "id": key, "name": tool, "arguments": {"query": _words(rng, 4), "limit": 10}}
            for key, tool in calls
        ]
        reply = {"role": "assistant", "parts": asked, "finish_reason": "tool_calls"}
        yield span("chat large", 10**9, _chat(rng, history, reply))
        now += 10**9
        answers = []
        for (key, tool), part in zip(calls, asked, strict=True):
            result = {"items": [{"title": _words(rng, 6), "text": _words(rng, 20)} for _ in range(3)]}
            attributes = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": tool,
                "gen_ai.tool.call.id": key,
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.arguments": _text(part["arguments"]),
                "gen_ai.tool.call.result": _text(result),
            }
            yield span(f"execute_tool {tool}", 10**8, attributes)
            answers.append({"type": "tool_call_response", "id": key, "response": result})
        now += 10**8
        history += [reply, {"role": "tool", "parts": answers}]
    final = {"role": "assistant", "parts": [{"type": "text", "content": _words(rng, 40)}], "finish_reason": "stop"}
    yield span("chat large", 10**9, _chat(rng, history, final))
    now += 10**9
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "assistant", "gen_ai.agent.id": "a1"}
    yield span("invoke_agent assistant", 0, attributes, None)


def _chat(rng: random.Random, history: list[object], reply: object) -> dict[str, object]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "large",
        "gen_ai.response.model": "large-2026-01-01",
        "gen_ai.response.id": f"resp_{rng.getrandbits(60):x}",
        "gen_ai.request.temperature": 0.2,
        "server.address": "models.example.com",
        "server.port": 443,
        "gen_ai.usage.input_tokens": rng.randrange(3000),
        "gen_ai.usage.output_tokens": rng.randrange(300),
        "gen_ai.input.messages": _text(history),
        "gen_ai.output.messages": _text([reply]),
    }


def _attributes(values: Mapping[str, object]) -> list[object]:
    kinds = {str: "stringValue", int: "intValue", float: "doubleValue"}
    return [
        {"key": key, "value": {kinds[type(value)]: str(value) if type(value) is int else value}}
        for key, value in values.items()
    ]


def message_lines(rng: random.Random) -> Iterator[object]:
    """One conversation a line, in OpenAI's layout."""
    number = 0
    while True:
        number += 1
        messages: list[object] = [
            {"role": "system", "content": _words(rng, 60)},
            {"role": "user", "content": _words(rng, 20)},
        ]
        for key, tool, arguments, result in _calls(rng):
            calls = [{"id": key, "type": "function", "function": {"name": tool, "arguments": _text(arguments)}}]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            messages.append({"role": "tool", "tool_call_id": key, "content": result})
        messages.append({"role": "assistant", "content": _words(rng, 40)})
        yield {"id": f"case-{number}", "messages": messages}


def english_lines(rng: random.Random) -> Iterator[object]:
    """The same with more in each line: long rules, long results, texts in parts, metadata, and keys of people's own."""
    for number, line in enumerate(message_lines(rng), 1):
        assert isinstance(line, dict)
        messages = line["messages"]
        messages[0]["content"] = _words(rng, 400, ENGLISH)
        messages[1]["content"] = [{"type": "text", "text": _words(rng, 20, ENGLISH)}]
        for message in messages:
            if message["role"] == "tool":
                words = rng.choice((20, 60, 200, 800))
                found = [{"text": _words(rng, 10, ENGLISH), "score": rng.random()} for _ in range(words // 10)]
                message["content"] = _text({"items": found}) if rng.random() < 0.7 else _words(rng, words, ENGLISH)
        yield {**line, "metadata": {"run": number, "tags": ["a", "b"]}, "score": 0.5, "timestamp": "2026-01-31"}


def anthropic_lines(rng: random.Random) -> Iterator[object]:
    """One conversation a line, in Anthropic's layout."""
    number = 0
    while True:
        number += 1
        messages: list[object] = [{"role": "user", "content": _words(rng, 20)}]
        for key, tool, arguments, result in _calls(rng):
            asked = {"type": "tool_use", "id": key, "name": tool, "input": arguments}
            messages.append({"role": "assistant", "content": [{"type": "text", "text": _words(rng, 8)}, asked]})
            answer = {"type": "tool_result", "tool_use_id": key, "content": [{"type": "text", "text": result}]}
            messages.append({"role": "user", "content": [answer]})
        messages.append({"role": "assistant", "content": [{"type": "text", "text": _words(rng, 40)}]})
        yield {"id": f"case-{number}", "system": _words(rng, 60), "messages": messages}


def langchain_lines(rng: random.Random) -> Iterator[object]:
    """One conversation a line, as LangChain dumps it."""
    number = 0

    def message(kind: str, content: str, **more: object) -> object:
        fields: dict[str, object] = {
            "additional_kwargs": {},
            "response_metadata": {},
            "name": None,
            "id": f"{rng.getrandbits(100):x}",
        }
        return {"content": content, **fields, "type": kind, **more}

    while True:
        number += 1
        messages = [message("system", _words(rng, 60)), message("human", _words(rng, 20))]
        for key, tool, arguments, result in _calls(rng):
            asked = [{"name": tool, "args": arguments, "id": key, "type": "tool_call"}]
            usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
            messages.append(message("ai", "", tool_calls=asked, invalid_tool_calls=[], usage_metadata=usage))
            messages.append(message("tool", result, tool_call_id=key, artifact=None, status="success"))
        messages.append(message("ai", _words(rng, 40), tool_calls=[], invalid_tool_calls=[], usage_metadata=None))
        yield {"id": f"case-{number}", "messages": messages}


def _calls(rng: random.Random) -> Iterator[tuple[str, str, dict[str, object], str]]:
    """A few calls: the id, the tool, the arguments and the text of the result."""
    for _ in range(rng.randrange(1, 5)):
        result = {"items": [{"title": _words(rng, 6), "text": _words(rng, 20)} for _ in range(3)]}
        arguments: dict[str, object] = {"query": _words(rng, 4), "limit": 10}
        yield f"call_{rng.getrandbits(60):x}", rng.choice(TOOLS), arguments, _text(result)


def _words(rng: random.Random, count: int, words: Sequence[str] = WORDS) -> str:
    return " ".join(rng.choices(words, k=count))


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
