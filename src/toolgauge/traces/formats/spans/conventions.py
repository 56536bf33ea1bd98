"""What the attributes of a span mean: whether it is of a model, a tool or an agent, and what it says of it.

The conventions of OpenTelemetry, current and older ones, of pydantic-ai, of Traceloop, and of Vercel's AI SDK are read
here; spans of OpenInference and of Google's ADK are left to the modules next to this one.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolgauge.core import JsonValue

from ...context import ReadContext
from ...values import Record, at, dicts, record_of, structured, text
from . import adk, openinference
from .messages import MessageCall, MessageResult, SpanMessage, event_message, messages_of, numbered, question_of
from .span import Span

__all__ = [
    "AgentSays",
    "Kind",
    "agent_history",
    "agent_says",
    "cost",
    "has_result",
    "input_messages",
    "is_workflow",
    "kind_of",
    "may_hold_more",
    "output_messages",
    "tokens",
    "tool_arguments",
    "tool_of",
    "was_cut_off",
]

Kind = Literal["model", "tool", "agent", "other"]

OPERATIONS: dict[str, Kind] = {
    "chat": "model",
    "text_completion": "model",
    "completion": "model",
    "generate_content": "model",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "invoke_workflow": "agent",
}
TRACELOOP: dict[str, Kind] = {"workflow": "agent", "agent": "agent", "tool": "tool"}
VERCEL = "ai.operationId"
VERCEL_OPERATIONS: dict[str, Kind] = {
    **dict.fromkeys(("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"), "agent"),
    **dict.fromkeys(("ai.generateText.doGenerate", "ai.streamText.doStream"), "model"),
    **dict.fromkeys(("ai.generateObject.doGenerate", "ai.streamObject.doStream"), "model"),
    "ai.toolCall": "tool",
}
"""The span around all steps is taken for that of an agent."""

VERCEL_ANSWERS = ("ai.response.text", "ai.response.object")
ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments", "gen_ai.tool.arguments", "gen_ai.tool.input")
RESULTS = (
    "gen_ai.tool.call.result",
    "gen_ai.tool.call.response",
    "tool_response",
    "gen_ai.tool.result",
    "gen_ai.tool.response",
    "gen_ai.tool.output",
)
CALL, PART = '"tool_call"', '"parts"'
ENCODED_CALL, ENCODED_PART = b'\\"tool_call\\"', b'\\"parts\\"'
"""How messages that keep to the current conventions mark calls and parts, as text and as text inside of JSON."""

ENDINGS = ('"finish_reason":"tool_call"', '"finish_reason": "tool_call"')
ENCODED_ENDINGS = tuple(ending.replace('"', '\\"').encode() for ending in ENDINGS)
"""Where the same word says why a model stopped."""

CUT_OFF = frozenset({"length", "max_tokens"})
HISTORIES = ("pydantic_ai.all_messages", "all_messages_events")


def kind_of(span: Span) -> Kind:
    """What the span is of."""
    attributes = span.attributes
    operation = attributes.get("gen_ai.operation.name")
    if isinstance(operation, str) and operation in OPERATIONS:
        kind = OPERATIONS[operation]
        return "other" if kind == "tool" and attributes.get("gen_ai.tool.name") == adk.MERGED else kind
    if "openinference.span.kind" in attributes:
        return openinference.kind_of(span)
    if VERCEL in attributes:
        return VERCEL_OPERATIONS.get(str(attributes[VERCEL]), "other")
    own = attributes.get("traceloop.span.kind")
    if isinstance(own, str) and own in TRACELOOP:
        return TRACELOOP[own]
    if "gen_ai.tool.name" in attributes or "tool_response" in attributes:
        return "tool"
    if "agent_name" in attributes or HISTORIES[0] in attributes or HISTORIES[1] in attributes:
        return "agent"
    if operation is None and ("gen_ai.request.model" in attributes or span.events or "llm.request.type" in attributes):
        return "model"
    if adk.REQUEST in attributes:
        return "model"
    return "other"


def input_messages(span: Span, context: ReadContext) -> list[SpanMessage]:
    """What the model was given."""
    attributes = span.attributes
    if "openinference.span.kind" in attributes and (found := openinference.input_messages(span, context)):
        return found
    for key in ("gen_ai.input.messages", "gen_ai.prompt"):
        if key in attributes:
            return messages_of(span.value(key), "user", context)
    if adk.RESPONSE in attributes and (found := adk.input_messages(span, context)):
        return found
    listed = numbered(span, "gen_ai.prompt.")
    if listed:
        return messages_of(listed, "user", context)
    return [message for name, message in _events(span, context) if name != "gen_ai.choice"]


def may_hold_more(span: Span, known: int) -> bool:
    """Whether the messages on a span may hold more calls than these; a look at the text, which is not decoded.

    Of the span of a model, what it was given is looked at; of the span of an agent, all messages of its work.
    """
    given = span.attributes.get("gen_ai.input.messages" if span.kind == "model" else "pydantic_ai.all_messages")
    if isinstance(given, bytes):
        if ENCODED_PART not in given:
            return True
        calls = given.count(ENCODED_CALL)
        return calls > known and calls - sum(map(given.count, ENCODED_ENDINGS)) > known
    if not isinstance(given, str) or PART not in given:
        return True
    calls = given.count(CALL)
    return calls > known and calls - sum(map(given.count, ENDINGS)) > known


def output_messages(span: Span, context: ReadContext) -> list[SpanMessage]:
    """What the model answered."""
    attributes = span.attributes
    if "openinference.span.kind" in attributes and (found := openinference.output_messages(span, context)):
        return found
    for key in ("gen_ai.output.messages", "gen_ai.completion"):
        if key in attributes:
            return messages_of(span.value(key), "assistant", context)
    if adk.RESPONSE in attributes and (found := adk.output_messages(span, context)):
        return found
    if VERCEL in attributes:
        return _vercel_answer(span)
    listed = numbered(span, "gen_ai.completion.")
    if listed:
        return messages_of(listed, "assistant", context)
    return [message for name, message in _events(span, context) if name == "gen_ai.choice"]


def _events(span: Span, context: ReadContext) -> list[tuple[str, SpanMessage]]:
    """The messages that events hold, of the span or in an attribute of it."""
    found_events = list(span.events)
    own = structured(span.value("events"))
    if isinstance(own, list):
        found_events += [(str(event.get("event.name")), event) for event in own if isinstance(event, dict)]
    found: list[tuple[str, SpanMessage]] = []
    for name, held in found_events:
        if name.startswith("gen_ai.content."):
            # The oldest events hold a whole list of messages each.
            answer = name.endswith("completion")
            value = held.get("gen_ai.completion" if answer else "gen_ai.prompt")
            messages = messages_of(value, "assistant" if answer else "user", context)
            found += [("gen_ai.choice" if answer else name, message) for message in messages]
        elif (index := held.get("index")) in (None, 0, "0") or name != "gen_ai.choice" or index is False:
            message = event_message(name, held)
            if message is not None:
                found.append((name, message))
    return found


def tool_of(span: Span) -> tuple[str, str | None, MessageResult | None]:
    """The name and the id of the call that a span of a tool is of, and its answer, where it is recorded."""
    attributes = span.attributes
    name = attributes.get("gen_ai.tool.name")
    if name is None and "openinference.span.kind" in attributes:
        return openinference.tool_of(span)
    if name.__class__ is not str:
        name = text(attributes.get("traceloop.entity.name"))
    if name is None:
        name = span.name.removeprefix("execute_tool ").removeprefix("running tool: ").removesuffix(".tool")
    identity = text(attributes.get("gen_ai.tool.call.id"))
    for key in RESULTS:
        if key in attributes:
            return name, identity, MessageResult(span.value(key), identity, name)
    if adk.RESULT in attributes:
        return name, identity, adk.answer_of(span, name, identity)
    output = structured(span.value("traceloop.entity.output"))
    return name, identity, None if output is None else MessageResult(_entity_output(output), identity, name)


def tool_arguments(span: Span) -> JsonValue:
    """What the tool was called with; None where it is not recorded."""
    attributes = span.attributes
    for key in ARGUMENTS:
        if key in attributes:
            return span.value(key)
    if adk.ARGUMENTS in attributes:
        return adk.arguments_of(span)
    if "openinference.span.kind" in attributes:
        return openinference.arguments_of(span)
    return _entity_input(span.value("traceloop.entity.input"))


def has_result(span: Span) -> bool:
    """Whether the span of a tool says plainly what came of the call with its id."""
    attributes = span.attributes
    found_events = (
        "gen_ai.tool.call.result" in attributes
        or adk.RESULT in attributes
        or "tool_response" in attributes
        or span.failed
    )
    return found_events and isinstance(attributes.get("gen_ai.tool.call.id"), str)


def _entity_input(value: JsonValue) -> JsonValue:
    """The arguments in what Traceloop records of a function: `{"args": [], "kwargs": {}}`, or `inputs` of LangChain."""
    held = record_of(structured(value))
    for key in ("inputs", "kwargs"):
        inner = held.get(key)
        if isinstance(inner, dict) and inner:
            return inner
    inner = structured(held.get("input_str"))
    if isinstance(inner, dict):
        return inner
    known = held.keys() & {"args", "kwargs", "input_str", "inputs"}
    return held if held and not known else {} if held.get("args") == [] else None


def _entity_output(value: JsonValue) -> JsonValue:
    """The result in what Traceloop records of a function; LangChain's messages hold it as their content."""
    held = record_of(value)
    inner = held.get("output", value) if held.keys() <= {"output", "kwargs"} else value
    content = record_of(record_of(inner).get("kwargs")).get("content")
    return inner if content is None else content


class AgentSays(Struct, gc=False):
    """What the span of an agent says of the whole of its work."""

    name: str = ""
    question: str | None = None
    answer: str | None = None
    history: bool = False
    """Whether all messages of its work are recorded with it."""
    usage: tuple[JsonValue, JsonValue] = (None, None)


def agent_says(span: Span, context: ReadContext) -> AgentSays:
    """What the span of an agent says."""
    attributes = span.attributes
    if "openinference.span.kind" in attributes and "gen_ai.agent.name" not in attributes:
        name, question, answer = openinference.agent_says(span)
        return AgentSays(name, question, answer)
    if VERCEL in attributes:
        return _vercel_says(span, context)
    says = AgentSays(agent_name(span))
    says.history = any(key in attributes for key in HISTORIES)
    if "traceloop.span.kind" in attributes:
        says.question = _entity_text(span.value("traceloop.entity.input"))
        says.answer = _entity_text(span.value("traceloop.entity.output"))
    says.answer = text(span.value("final_result")) or says.answer
    for key, role in (("gen_ai.input.messages", "user"), ("gen_ai.output.messages", "assistant")):
        found = messages_of(span.value(key), role, context) if key in attributes else []
        words = [message.words for message in found if message.role == role and message.words]
        if words and role == "user":
            says.question = words[-1]
        elif words:
            says.answer = words[-1]
    for usage in USAGES:
        counted = (attributes.get(usage[0]), attributes.get(usage[1]))
        if counted != (None, None):
            says.usage = counted
    return says


def _vercel_answer(span: Span) -> list[SpanMessage]:
    words = next((found for key in VERCEL_ANSWERS if (found := text(span.value(key)))), None)
    calls = [
        MessageCall(each.get("toolName"), each.get("input", each.get("args")), text(each.get("toolCallId")))
        for each in dicts(structured(span.value("ai.response.toolCalls")))
    ]
    return [SpanMessage("assistant", words, calls)] if words or calls else []


def _vercel_says(span: Span, context: ReadContext) -> AgentSays:
    asked = structured(span.value("ai.prompt"))
    question = text(at(asked, "prompt")) or question_of(messages_of(at(asked, "messages"), "user", context))
    answer = next((found for key in VERCEL_ANSWERS if (found := text(span.value(key)))), None)
    return AgentSays(text(span.value("ai.telemetry.functionId")) or "", question, answer)


def is_workflow(span: Span) -> bool:
    """Whether a span with the kind of an agent is that of a workflow, which agents take turns in."""
    operation = span.attributes.get("gen_ai.operation.name")
    return openinference.is_workflow(span) if operation is None else operation == "invoke_workflow"


def agent_name(span: Span) -> str:
    """What the agent is called."""
    attributes = span.attributes
    for key in ("gen_ai.agent.name", "agent_name", "agent.name", "traceloop.entity.name", "traceloop.workflow.name"):
        found = span.value(key) if key in attributes else None
        if isinstance(found, str) and found:
            return found
    if "openinference.span.kind" in attributes:
        return openinference.agent_says(span)[0]
    return ""


def agent_history(span: Span, context: ReadContext) -> list[SpanMessage]:
    """All messages of the work of an agent, without those of earlier work that it was given."""
    if "pydantic_ai.all_messages" in span.attributes:
        found = messages_of(span.value("pydantic_ai.all_messages"), "user", context)
        begin = span.attributes.get("pydantic_ai.new_message_index")
        return found[begin:] if isinstance(begin, int) and 0 < begin < len(found) else found
    events = _objects(structured(span.value("all_messages_events")))
    found_events = [event_message(str(event.get("event.name")), event) for event in events]
    return [message for message in found_events if message is not None]


def _objects(value: JsonValue) -> list[Record]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _entity_text(value: JsonValue) -> str | None:
    """A question or an answer in what Traceloop records of a function, where it is plainly one."""
    held = structured(value)
    if isinstance(held, dict):
        for key in ("output", "kwargs", "inputs", "input"):
            inner = held.get(key)
            if isinstance(inner, str):
                return inner or None
            if isinstance(inner, dict) and len(inner) == 1 and isinstance(only := next(iter(inner.values())), str):
                return only or None
        arguments = held.get("args")
        if isinstance(arguments, list) and len(arguments) == 1 and isinstance(arguments[0], str):
            return arguments[0] or None
        return None
    if isinstance(held, str) and len(held) > 1 and held[0] == held[-1] == '"':
        return held[1:-1] or None
    return text(held)


def was_cut_off(span: Span) -> bool:
    """Whether a model stopped because it had no more tokens."""
    reasons = structured(span.value("gen_ai.response.finish_reasons"))
    listed: list[JsonValue] = reasons if isinstance(reasons, list) else [reasons]
    return any(isinstance(reason, str) and reason in CUT_OFF for reason in listed)


def tokens(span: Span) -> tuple[JsonValue, JsonValue]:
    """How many tokens went in and out."""
    attributes = span.attributes
    found = attributes.get("gen_ai.usage.input_tokens"), attributes.get("gen_ai.usage.output_tokens")
    if found != (None, None):
        return found
    return _first(attributes, INPUT_TOKENS), _first(attributes, OUTPUT_TOKENS)


def _first(attributes: Record, keys: tuple[str, ...]) -> JsonValue:
    return next((attributes[key] for key in keys if key in attributes), None)


USAGES = (
    ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"),
    ("gen_ai.aggregated_usage.input_tokens", "gen_ai.aggregated_usage.output_tokens"),
)
COSTS = frozenset({"operation.cost", "gen_ai.usage.cost", "llm.cost.total"})
INPUT_TOKENS = (
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
)
OUTPUT_TOKENS = (
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
)


def cost(span: Span) -> float | None:
    """What the request cost, in dollars."""
    if COSTS.isdisjoint(span.attributes):
        return None
    for key in COSTS:
        found = span.attributes.get(key)
        if isinstance(found, (int, float)) and not isinstance(found, bool) and 0 <= found < 10**15:
            return float(found)
    return None
