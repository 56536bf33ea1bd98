"""Chat messages in whichever layout a tracing service or framework keeps them.

Frameworks write the same conversation in many ways: LangChain's three layouts, OpenAI's, Anthropic's blocks, parts of
OpenTelemetry. What a reader has to know of a message is who speaks, what is said, called and answered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

import msgspec

from toolgauge.core import JsonValue

from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, amount, dicts, items_of, record_of, structured, text, texts
from .gemini_parts import gemini_messages

__all__ = [
    "RequestedCall",
    "add_message",
    "answer_in",
    "answered_ids",
    "calls_of",
    "cut_off",
    "decoded",
    "messages_in",
    "question_in",
    "speaker",
    "unfold",
    "usage_of",
    "words_of",
]

Speaker = Literal["user", "assistant", "system", "tool"]

SPEAKERS: dict[str, Speaker] = {
    **dict.fromkeys(("user", "human", "HumanMessage", "HumanMessageChunk"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "AIMessage", "AIMessageChunk"), "assistant"),
    **dict.fromkeys(("system", "developer", "SystemMessage", "SystemMessageChunk"), "system"),
    **dict.fromkeys(("tool", "function", "ToolMessage", "ToolMessageChunk", "FunctionMessage"), "tool"),
}

QUESTION_KEYS = ("input", "question", "query", "prompt", "message", "user_input", "text", "content")
ANSWER_KEYS = ("output", "answer", "response", "result", "final_output", "text", "content", "message")
CUT_OFF = frozenset({"length", "max_tokens", "MAX_TOKENS", "model_length"})
CALL_BLOCKS = ("tool_use", "tool_call", "function_call")
PROVIDER_BLOCKS = ("server_tool_call", "server_tool_use", "mcp_tool_use")
NEVER_RUN = "the arguments could not be read, and the tool was not called"
DEEPEST = 4
"""How far down messages are looked for inside the inputs and outputs of a step."""


class RequestedCall(NamedTuple):
    """A call that a message asks for."""

    name: JsonValue
    arguments: JsonValue
    id: JsonValue
    error: str | None = None
    """Why the framework could not read the arguments."""


def unfold(value: JsonValue) -> Record:
    """The fields of a message, taken out of what LangChain wraps around them; empty where it is no object."""
    if not isinstance(value, dict):
        return {}
    inner, kind = value.get("kwargs"), value.get("type")
    if isinstance(inner, dict) and "lc" in value:
        path = value.get("id")
        kind = path[-1] if isinstance(path, list) and path else None
    else:
        inner = value.get("data")
        if not isinstance(inner, dict) or not isinstance(kind, str) or "role" in value:
            return value
    return inner if "type" in inner else {**inner, "type": kind}


def speaker(message: Record) -> Speaker | None:
    """Who speaks in a message; None where that is not to be known."""
    role = message.get("role")
    if not isinstance(role, str):
        role = message.get("type")
    return SPEAKERS.get(role) if isinstance(role, str) else None


def words_of(message: Record) -> str | None:
    """What is said in a message."""
    said = texts(message.get("content"))
    if said is None and isinstance(message.get("parts"), list):
        parts = (text(part.get("content")) or text(part.get("text")) for part in _blocks(message, "text"))
        said = "\n".join(part for part in parts if part) or None
    return said or text(message.get("refusal"))


def calls_of(message: Record) -> list[RequestedCall]:
    """The calls that a message asks for, wherever its layout keeps them."""
    found = [_requested_call(call) for call in dicts(message.get("tool_calls"))]
    if message.get("invalid_tool_calls"):
        found += [
            _requested_call(call)._replace(error=text(call.get("error")) or NEVER_RUN)
            for call in dicts(message["invalid_tool_calls"])
        ]
    if found:
        return found
    extra = record_of(message.get("additional_kwargs"))
    if extra.get("tool_calls"):
        return [_requested_call(call) for call in dicts(extra["tool_calls"])]
    older = message.get("function_call") or extra.get("function_call")
    if isinstance(older, dict):
        return [_requested_call(older)]
    return [_requested_call(block) for block in _blocks(message) if block.get("type") in CALL_BLOCKS]


def _requested_call(call: Record) -> RequestedCall:
    function = call.get("function")
    holder = function if isinstance(function, dict) else call
    arguments: JsonValue = None
    for key in ("args", "arguments", "input"):
        if key in holder:
            arguments = holder[key]
            break
    return RequestedCall(holder.get("name"), arguments, call.get("id") or call.get("call_id"))


def _blocks(message: Record, kind: str | None = None) -> Iterator[Record]:
    """The objects that a message is made of."""
    for key in ("content", "parts"):
        content = message.get(key)
        if isinstance(content, list):
            for block in dicts(content):
                if kind is None or block.get("type") == kind:
                    yield block


def add_message(
    builder: TrajectoryBuilder,
    message: Record,
    *,
    answered: Collection[str] = (),
    took: Mapping[str, float] | None = None,
) -> None:
    """Add one message to a trajectory.

    Args:
        builder: Of the conversation that the message is part of.
        message: The fields of the message.
        answered: The ids of calls that some later message answers; a call that the framework could not read is
            answered by its error where it is not among them.
        took: How many milliseconds the calls with these ids took.
    """
    who = speaker(message)
    plain = isinstance(message.get("content"), str) and "parts" not in message
    if who == "user":
        builder.add_user_message(words_of(message))
        if not plain:
            for block in _blocks(message, "tool_result"):
                _add_result(builder, block, took)
    elif who == "assistant":
        builder.begin_turn()
        if not plain:
            _add_provider_calls(builder, message)
        builder.add_agent_message(words_of(message))
        asked = calls_of(message)
        for call in asked:
            builder.add_call(call.name, call.arguments, id=call.id)
        for call in asked:
            if call.error is not None and text(call.id) not in answered:
                builder.add_result(None, id=call.id, tool=call.name, failed=True, error=call.error)
    elif who == "tool" and plain:
        _add_result(builder, message, took)
    elif who == "tool":
        responses = [block for block in _blocks(message) if block.get("type") in ("tool_call_response", "tool_result")]
        for block in responses:
            _add_result(builder, block, took)
        if not responses:
            _add_result(builder, message, took)


def _add_provider_calls(builder: TrajectoryBuilder, message: Record) -> None:
    """Calls that the provider answered within its reply, and their results."""
    for block in _blocks(message):
        kind = block.get("type")
        if kind in PROVIDER_BLOCKS:
            asked = _requested_call(block)
            builder.add_call(asked.name, asked.arguments, id=asked.id)
        elif isinstance(kind, str) and kind.endswith("_tool_result"):
            value = block.get("output", block.get("content"))
            failed = True if block.get("status") == "error" or block.get("is_error") is True else None
            id_ = block.get("tool_call_id", block.get("tool_use_id"))
            builder.add_result(value, id=id_, failed=failed, same_turn=True)


def _add_result(builder: TrajectoryBuilder, message: Record, took: Mapping[str, float] | None) -> None:
    value, id_, failed = result_of(message)
    duration = took.get(id_) if took and isinstance(id_, str) else None
    error = text(message.get("error")) if failed else None
    builder.add_result(value, id=id_, tool=message.get("name"), failed=failed, error=error, duration_ms=duration)


def result_of(message: Record) -> tuple[JsonValue, JsonValue, bool | None]:
    """What a tool answered, to which call, and whether the message says that it failed."""
    value: JsonValue = None
    for key in ("content", "response", "result", "output"):
        if message.get(key) is not None:
            value = message[key]
            break
    if isinstance(value, list):
        value = texts(value) or value
    if value in (None, "", []) and message.get("artifact") is not None:
        # The artifact is what the tool gave beside the words for the model; without words it is all there is.
        value = message["artifact"]
    id_ = next((message[key] for key in ("tool_call_id", "tool_use_id") if message.get(key)), None)
    if id_ is None and message.get("type") == "tool_call_response":
        id_ = message.get("id")
    failed = True if message.get("status") == "error" or message.get("is_error") is True else None
    return value, id_, failed


def answered_ids(messages: list[Record]) -> set[str]:
    """The ids of the calls that messages of tools answer."""
    found: set[str] = set()
    for message in messages:
        if speaker(message) == "tool":
            id_ = message.get("tool_call_id")
            if isinstance(id_, str):
                found.add(id_)
    return found


def usage_of(message: Record) -> tuple[JsonValue, JsonValue] | None:
    """The tokens of a model's reply, in and out, where its message says them."""
    metadata = record_of(message.get("response_metadata"))
    for holder, key in (
        (message, "usage_metadata"),
        (message, "usage"),
        (metadata, "token_usage"),
        (metadata, "usage"),
    ):
        usage = holder.get(key)
        if isinstance(usage, dict):
            tokens = (
                usage.get("input_tokens", usage.get("prompt_tokens")),
                usage.get("output_tokens", usage.get("completion_tokens")),
            )
            if amount(tokens[0]) is not None or amount(tokens[1]) is not None:
                return tokens
    return None


def cut_off(message: Record) -> bool:
    """Whether the model stopped because it had no more tokens."""
    metadata = record_of(message.get("response_metadata"))
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or message.get("finish_reason")
    return isinstance(reason, str) and reason in CUT_OFF


def messages_in(value: JsonValue, depth: int = DEEPEST) -> list[Record]:
    """The messages that the input or output of a step holds: by itself, in a list, or under a usual key."""
    value = structured(value)
    gemini = gemini_messages(value)
    if gemini:
        return gemini
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return messages_in(value[0], depth - 1) if depth else []
        found = [unfold(item) for item in value]
        if any(map(speaker, found)):
            return [message for message in found if speaker(message) is not None]
        inner = [messages_in(item, depth - 1) for item in items_of(value)[:1]] if depth else []
        return inner[0] if inner else []
    message = unfold(value)
    if speaker(message) is not None:
        return [message]
    if depth and isinstance(value, dict):
        for key in ("messages", "generations", "choices", "message", "output", "input"):
            inner_value = value.get(key)
            if isinstance(inner_value, (dict, list)):
                found = messages_in(inner_value, depth - 1)
                if found:
                    return found
    return []


def decoded(value: JsonValue) -> JsonValue:
    """What a step or trace was given or gave, where exports write it as JSON: also a text in quotation marks."""
    value = structured(value)
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"':
        try:
            inner = msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeEncodeError):
            return value
        return structured(inner) if isinstance(inner, str) else value
    return value


def question_in(value: JsonValue) -> str | None:
    """What the user asks, in whatever a step or trace was given."""
    value = decoded(value)
    if isinstance(value, str):
        return value or None
    for message in messages_in(value):
        if speaker(message) == "user" and (said := words_of(message)):
            return said
    return _under(value, QUESTION_KEYS) or _argument(value) or _listed(value)


def answer_in(value: JsonValue) -> str | None:
    """The answer, in whatever a step or trace gave."""
    value = decoded(value)
    if isinstance(value, str):
        return value or None
    messages = messages_in(value)
    if messages:
        last = messages[-1]
        return words_of(last) if speaker(last) == "assistant" and not calls_of(last) else None
    return _under(value, ANSWER_KEYS) or _listed(value)


def _under(value: JsonValue, keys: tuple[str, ...]) -> str | None:
    if isinstance(value, dict):
        for key in keys:
            found = value.get(key)
            if isinstance(found, str) and found:
                return found
    return None


def _listed(value: JsonValue) -> str | None:
    """The words of a list of parts."""
    return texts(value) if isinstance(value, list) else None


def _argument(value: JsonValue) -> str | None:
    """The first text among the arguments of a function that was traced."""
    holder = record_of(value)
    arguments = [*items_of(holder.get("args")), *record_of(holder.get("kwargs")).values()]
    return next((item for item in arguments if isinstance(item, str) and item), None)
