"""What the attributes of a span of OpenInference mean, as Phoenix and its instrumentations record them."""

from __future__ import annotations

from typing import Literal

from toolgauge.core import JsonValue

from ...context import ReadContext
from ...values import Record, at, dicts, keyword_arguments, record_of, structured, text, texts
from .messages import MessageResult, SpanMessage, messages_of, numbered
from .span import Span

__all__ = ["agent_says", "arguments_of", "input_messages", "is_workflow", "kind_of", "output_messages", "tool_of"]

KINDS: dict[str, Literal["model", "tool", "agent"]] = {"llm": "model", "tool": "tool", "agent": "agent"}
EVENTS = frozenset({"start", "success", "error", "retry", "finish"})
"""Names of spans that BeeAI makes of what happens during a call; they have the kind of the call, and no tool."""

OWN = frozenset({"agent.name", "input.value", "output.value", "metadata"})
"""What an agent says of itself."""

ANSWER_KEYS = ("output", "answer", "result", "content", "response", "text")
QUESTION_KEYS = ("input", "question", "query", "prompt", "content", "text")
LONGEST_LITERAL = 100_000


def kind_of(span: Span) -> Literal["model", "tool", "agent", "other"]:
    """What the span is of. A chain at the beginning of a trace speaks for the agent that it runs."""
    kind = span.attributes.get("openinference.span.kind")
    name = kind.lower() if isinstance(kind, str) else ""
    if name == "tool" and span.name in EVENTS and "tool.name" not in span.attributes:
        return "other"
    if name == "chain" and span.parent is None:
        return "agent"
    return KINDS.get(name, "other")


def is_workflow(span: Span) -> bool:
    """Whether the span of an agent says nothing of itself: such a one holds together the agents that take turns in it.

    The instrumentation of the OpenAI Agents SDK records a run like this.
    """
    return kind_of(span) == "agent" and not OWN.intersection(span.attributes)


def input_messages(span: Span, context: ReadContext) -> list[SpanMessage]:
    """What the model was given."""
    return _messages(span, "llm.input_messages", "user", context) or _value(span, "input.value", "user", context)


def output_messages(span: Span, context: ReadContext) -> list[SpanMessage]:
    """What the model answered."""
    found = _messages(span, "llm.output_messages", "assistant", context)
    return found or _value(span, "output.value", "assistant", context)


def _messages(span: Span, key: str, role: str, context: ReadContext) -> list[SpanMessage]:
    whole = span.value(key)
    if whole is not None:
        return messages_of(whole, role, context)
    return messages_of(numbered(span, f"{key}."), role, context)


def _value(span: Span, key: str, role: str, context: ReadContext) -> list[SpanMessage]:
    """The whole input or output, where it is the request or the reply of a provider, or words."""
    value = structured(span.value(key))
    if isinstance(value, str):
        return [SpanMessage(role, value)] if value else []
    held = record_of(value)
    found = held.get("messages", held.get("choices"))
    return messages_of(found, role, context) if isinstance(found, list) else []


def tool_of(span: Span) -> tuple[str, str | None, MessageResult | None]:
    """The name and the id of the call that a span of a tool is of, and its answer, where it is recorded."""
    attributes = span.attributes
    name = text(attributes.get("tool.name")) or text(attributes.get("tool_call.function.name")) or span.name
    identity = text(attributes.get("tool_call.id")) or text(attributes.get("tool.id"))
    answer = None
    if "output.value" in attributes:
        answer = _answer(structured(span.value("output.value")), name)
        identity = identity or answer.id
        answer.id = identity
    return name, identity, answer


def arguments_of(span: Span) -> Record | None:
    """What the tool was called with; None where it is not recorded, or recorded as plain text."""
    for key in ("tool_call.function.arguments", "input.value", "tool.parameters"):
        value = structured(span.value(key))
        if isinstance(value, str) and value.startswith("{"):
            value = _literal(value)
        held = record_of(value)
        if key == "tool.parameters" and ("properties" in held or held.get("type") == "object"):
            continue  # the schema of the tool, and not what it was called with
        inner = held.get("args", held.get("arguments")) if held.keys() & {"name", "tool"} else None
        if held.keys() == {"input", "options"}:
            inner = held["input"]  # how BeeAI records the run of a tool
        if isinstance(inner, dict):
            return inner
        if (given := keyword_arguments(held)) is not None:
            return given
        if isinstance(value, dict):
            return value
    return None


def _literal(value: str) -> JsonValue:
    """What a text holds that is written as Python writes an object."""
    from ast import literal_eval

    if len(value) > LONGEST_LITERAL:
        return None
    try:
        found = literal_eval(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    import msgspec

    try:
        plain: JsonValue = msgspec.json.decode(msgspec.json.encode(found))
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError):
        return None
    return plain


def _answer(value: JsonValue, name: str) -> MessageResult:
    """The answer of a tool; messages of LangChain hold it as their content, and say whether it failed."""
    held = record_of(value)
    inner = held.get("output")
    message = record_of(held.get("data")) or record_of(held.get("kwargs")) or record_of(inner)
    if "tool_call_id" not in message:
        message = held if "tool_call_id" in held else {}
    if "content" not in message:
        return MessageResult(value, None, name)
    content = message["content"]
    failed = True if message.get("status") == "error" else None
    content = texts(content) if isinstance(content, list) else content
    return MessageResult(content, text(message.get("tool_call_id")), text(message.get("name")) or name, failed)


def agent_says(span: Span) -> tuple[str, str | None, str | None]:
    """The name of the agent, its question and its answer, where they are plainly there."""
    attributes = span.attributes
    name = text(attributes.get("agent.name"))
    if name is None:
        name = text(at(structured(span.value("metadata")), "lc_agent_name"))
    kind = attributes.get("openinference.span.kind")
    if name is None and isinstance(kind, str) and kind.lower() == "agent":
        name = span.name
    question = _words(span.value("input.value"), QUESTION_KEYS, ("user", "human"))
    answer = _words(span.value("output.value"), ANSWER_KEYS, ("assistant", "ai"))
    return name or "", question, answer


def _words(value: JsonValue, keys: tuple[str, ...], roles: tuple[str, ...]) -> str | None:
    """The words in the input or output of a whole run: a text, one of the usual keys, or those of a message."""
    decoded = structured(value)
    if isinstance(decoded, str):
        return decoded or None
    held = record_of(decoded)
    for key in keys:
        found = held.get(key)
        if isinstance(found, str) and found:
            return found
    messages = list(dicts(held.get("messages")))
    for message in messages if "user" in roles else reversed(messages):
        data = record_of(message.get("data"))
        content = texts(message.get("content")) or texts(data.get("content"))
        if content and (message.get("role") in roles or message.get("type") in roles):
            return content
    return None
