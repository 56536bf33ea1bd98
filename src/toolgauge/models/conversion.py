"""From our requests to the messages of pydantic-ai, and from its replies to ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from pydantic_ai import messages as theirs
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition as TheirTool

from toolgauge.core import (
    LARGEST_AMOUNT,
    JsonValue,
    Message,
    ModelReply,
    ModelRequest,
    ToolDefinition,
    ToolRequest,
    Usage,
)
from toolgauge.files import BadJson, decode_json, repeats_key

__all__ = ["REPLY_TOOL", "Enforcement", "Names", "is_strict", "to_messages", "to_parameters", "to_reply"]

REPLY_TOOL = "reply"
"""The tool whose arguments are the reply, where that is how a schema is enforced."""

Enforcement: TypeAlias = Literal["native", "loose", "tool", "prompted"]
"""How the schema of a reply is seen to: by the provider word for word, by the provider as far as it likes, as the
arguments of a tool that has to be called, or by asking for it in words."""

UNREADABLE = "unreadable_arguments"
"""The argument under which a model gets to see again what it wrote instead of arguments."""

MAX_LETTERS = 64
"""The longest name of a tool that all providers take."""

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class Names:
    """The names of tools as providers take them, and back.

    Names with dots, spaces or markup, long ones, and the empty one that a model may ask for, would be refused, and
    with them the whole conversation.
    """

    def __init__(self, tools: Iterable[ToolDefinition]) -> None:
        self._sent: dict[str, str] = {}
        self._meant: dict[str, str] = {}
        originals = [tool.name for tool in tools]
        # Names that can be sent as they are keep their own, whatever the others become.
        for name in sorted(originals, key=lambda name: _sendable(name) != name):
            self.send(name)

    def send(self, name: str) -> str:
        """What to send for a name."""
        if name not in self._sent:
            sent = base = _sendable(name)
            number = 2
            while sent in self._meant:
                sent = f"{base[: MAX_LETTERS - 5]}_{number}"
                number += 1
            self._sent[name] = sent
            self._meant[sent] = name
        return self._sent[name]

    def read(self, sent: str) -> str:
        """What a name that came back stands for; a name that was never sent stands for itself."""
        return self._meant.get(sent, sent)


def _sendable(name: str) -> str:
    return NOT_IN_NAMES.sub("_", name)[:MAX_LETTERS] or "unnamed"


def to_messages(messages: Sequence[Message], names: Names) -> list[theirs.ModelMessage]:
    """The conversation. What system, user and tools say in a row is one message there."""
    result: list[theirs.ModelMessage] = []
    waiting: list[theirs.ModelRequestPart] = []
    for message in messages:
        if message.role != "assistant":
            waiting.append(_part(message, names))
            continue
        if waiting:
            result.append(theirs.ModelRequest(parts=waiting))
            waiting = []
        result.append(_said(message, names))
    if waiting:
        result.append(theirs.ModelRequest(parts=waiting))
    return result


def _part(message: Message, names: Names) -> theirs.ModelRequestPart:
    if message.role == "system":
        return theirs.SystemPromptPart(message.text)
    if message.role == "user":
        return theirs.UserPromptPart(message.text)
    return theirs.ToolReturnPart(
        names.send(message.tool), message.text, message.call_id, outcome="failed" if message.failed else "success"
    )


def _said(message: Message, names: Names) -> theirs.ModelResponse:
    parts: list[theirs.ModelResponsePart] = []
    if message.text:
        parts.append(theirs.TextPart(message.text))
    for call in message.calls:
        # Servers that read the arguments of earlier calls fail on what is no object, so it is sent inside one.
        args: dict[str, Any] = {UNREADABLE: call.written} if call.args is None else dict(call.args)
        parts.append(theirs.ToolCallPart(names.send(call.tool), args, call.id))
    return theirs.ModelResponse(parts=parts)


def is_strict(schema: JsonValue) -> bool:
    """Whether a schema can be enforced word for word: every object in it is closed, and has all that it may have.

    Providers that enforce schemas close every object first, which leaves one without listed properties empty.
    """
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    properties, required = schema.get("properties"), schema.get("required")
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False or not isinstance(properties, dict):
            return False
        if not isinstance(required, list) or set(properties) - set(map(str, required)):
            return False
    return all(is_strict(value) for value in schema.values())


def to_parameters(request: ModelRequest, names: Names, enforcement: Enforcement) -> ModelRequestParameters:
    """Tools, and the schema of the reply, which is sent as it is or not at all."""
    tools = [
        TheirTool(
            name=names.send(tool.name),
            parameters_json_schema=dict(tool.parameters or {"type": "object", "properties": {}}),
            description=tool.description,
            strict=False,  # the schema is sent as the suite has it
        )
        for tool in request.tools
    ]
    if request.schema is None:
        return ModelRequestParameters(function_tools=tools)
    schema: Mapping[str, Any] = request.schema
    if enforcement == "tool" and not tools:
        reply = TheirTool(
            name=REPLY_TOOL,
            parameters_json_schema=dict(schema),
            description="Takes the reply.",
            strict=False,
            kind="output",
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[reply], allow_text_output=False)
    wanted = OutputObjectDefinition(dict(schema), name="reply", strict=False if enforcement == "loose" else None)
    mode: Literal["native", "prompted"] = "native" if enforcement in ("native", "loose") else "prompted"
    return ModelRequestParameters(function_tools=tools, output_mode=mode, output_object=wanted)


def to_reply(
    response: theirs.ModelResponse,
    names: Names,
    turn: int,
    *,
    replies_by_tool: bool = False,
    usage_known: bool = True,
) -> ModelReply:
    """What the model said, what it wants called and what that cost. What it thought is left out."""
    texts = [part.content for part in response.parts if isinstance(part, theirs.TextPart)]
    calls = [part for part in response.parts if isinstance(part, theirs.ToolCallPart)]
    if replies_by_tool and calls and calls[0].tool_name == REPLY_TOOL:
        texts, calls = [calls[0].args_as_json_str()], []
    details = response.provider_details or {}
    text = "".join(texts) or str(details.get("refusal") or "")
    usage = _usage(response) if usage_known else Usage(requests=1)
    return ModelReply(text, _calls(calls, names, turn), usage, cut=response.finish_reason == "length")


def _calls(parts: Sequence[theirs.ToolCallPart], names: Names, turn: int) -> tuple[ToolRequest, ...]:
    """The calls, each with an id of its own: some servers give none, or the same to all."""
    calls: list[ToolRequest] = []
    taken: set[str] = set()
    for number, part in enumerate(parts):
        mark = part.tool_call_id
        if not mark or mark in taken:
            mark = f"call_{turn}_{number}"
        taken.add(mark)
        args, written = _arguments(part.args)
        calls.append(ToolRequest(names.read(part.tool_name), args, mark, written))
    return tuple(calls)


def _arguments(given: str | dict[str, Any] | None) -> tuple[dict[str, JsonValue] | None, str]:
    """The arguments as an object, or None, and what was written where the object does not hold all of it."""
    if given is None or isinstance(given, dict):
        return given or {}, ""
    if not given.strip():
        return {}, ""  # what some servers send for a call without arguments
    try:
        value = decode_json(given.encode("utf-8"))
    except BadJson:
        return None, given
    if not isinstance(value, dict):
        return None, given
    return value, given if repeats_key(given, value) else ""


def _usage(response: theirs.ModelResponse) -> Usage:
    """What the reply took. Of tokens that cannot be true nothing is known, and no cost is made of them."""
    usage = response.usage
    read, written, cached = usage.input_tokens, usage.output_tokens, usage.cache_read_tokens
    true = all(type(tokens) is int and 0 <= tokens <= LARGEST_AMOUNT for tokens in (read, written, cached))
    if usage.unmeasured_requests or not true or not (read or written):
        return Usage(requests=1)
    return Usage(1, read, written, _cost(response), cached or None)


_UNLISTED: set[tuple[str | None, str | None]] = set()
"""Models, with where they are asked, that the price list does not know. Looking for them takes a while each time."""

_MAX_UNLISTED = 1000


def _cost(response: theirs.ModelResponse) -> float | None:
    """Dollars by the price list that is installed; None: the model is not in it."""
    asked = response.model_name, response.provider_url
    if asked in _UNLISTED:
        return None
    try:
        cost = float(response.cost().total_price)
    except LookupError:
        if len(_UNLISTED) < _MAX_UNLISTED:
            _UNLISTED.add(asked)
        return None
    except (ValueError, AssertionError):
        return None
    return cost if 0 <= cost <= LARGEST_AMOUNT else None
