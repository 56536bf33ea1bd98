"""What Vercel's AI SDK records on its spans, under names that begin with `ai.`.

Tools and what models were given are kept under the names that the conventions of OpenTelemetry have for them; here is
what these have no name for. The span around all steps of `generateText` and its like is taken for that of an agent.
"""

from __future__ import annotations

from typing import Literal

from ...context import ReadContext
from ...values import at, dicts, structured, text
from .messages import MessageCall, SpanMessage, messages_of, question_of
from .span import Span

__all__ = ["OPERATION", "agent_says", "kind_of", "output_messages"]

OPERATION = "ai.operationId"
WHOLE = frozenset({"ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"})
STEPS = (".doGenerate", ".doStream")


def kind_of(span: Span) -> Literal["model", "tool", "agent", "other"]:
    """What the span is of."""
    operation = str(span.attributes.get(OPERATION))
    if operation in WHOLE:
        return "agent"
    return "model" if operation.endswith(STEPS) else "tool" if operation == "ai.toolCall" else "other"


def output_messages(span: Span) -> list[SpanMessage]:
    """What the model answered."""
    words = text(span.value("ai.response.text")) or text(span.value("ai.response.object"))
    asked = dicts(structured(span.value("ai.response.toolCalls")))
    calls = [
        MessageCall(each.get("toolName"), each.get("input", each.get("args")), text(each.get("toolCallId")))
        for each in asked
    ]
    return [SpanMessage("assistant", words, calls)] if words or calls else []


def agent_says(span: Span, context: ReadContext) -> tuple[str, str | None, str | None]:
    """The name that was given to the function, its question and its answer."""
    asked = structured(span.value("ai.prompt"))
    question = text(at(asked, "prompt")) or question_of(messages_of(at(asked, "messages"), "user", context))
    answer = text(span.value("ai.response.text")) or text(span.value("ai.response.object"))
    return text(span.value("ai.telemetry.functionId")) or "", question, answer
