"""What Google's Agent Development Kit records on its spans, under names that begin with `gcp.vertex.agent`.

The request and the response of a model are Gemini's, as JSON; so are the arguments of a tool and what it returned.
"""

from __future__ import annotations

from toolgauge.core import JsonValue

from ...context import ReadContext
from ...values import at, dicts, either, record_of, structured, text
from ..gemini_parts import content_messages, gemini_messages, response_value
from .messages import MessageResult, SpanMessage, messages_of
from .span import Span

__all__ = [
    "ARGUMENTS",
    "MERGED",
    "REQUEST",
    "RESPONSE",
    "RESULT",
    "answer_of",
    "arguments_of",
    "input_messages",
    "output_messages",
]

REQUEST, RESPONSE = "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"
ARGUMENTS, RESULT = "gcp.vertex.agent.tool_call_args", "gcp.vertex.agent.tool_response"
MERGED = "(merged tools)"
"""The name of the tool on a span that stands for several calls, each of which has its own span."""


def input_messages(span: Span, context: ReadContext) -> list[SpanMessage]:
    """What the model was given."""
    return messages_of([*gemini_messages(structured(span.value(REQUEST)))], "user", context)


def output_messages(span: Span, context: ReadContext) -> list[SpanMessage]:
    """What the model answered."""
    content = at(structured(span.value(RESPONSE)), "content")
    return messages_of([*content_messages(record_of(content), "model")], "assistant", context) if content else []


def arguments_of(span: Span) -> JsonValue:
    """What a tool was called with; None where it is not recorded."""
    found = structured(span.value(ARGUMENTS))
    return found if isinstance(found, dict) else None


def answer_of(span: Span, name: str, identity: str | None) -> MessageResult | None:
    """What a tool returned; None where it is not recorded."""
    found = structured(span.value(RESULT))
    if not isinstance(found, dict):
        return None
    # Earlier releases record the whole event that holds the response.
    for part in dicts(at(found, "content", "parts")):
        response = either(part, "functionResponse")
        if isinstance(response, dict):
            found, identity = record_of(response.get("response")), text(response.get("id")) or identity
            break
    value, failed, _ = response_value(found)
    return MessageResult(value, identity, name, True if failed else None)
