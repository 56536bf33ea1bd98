"""The fast way for messages of LangChain that are whole, in order, and not out of the ordinary."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from toolgauge.core import JsonValue, Trajectory, Usage

from ...context import ReadContext
from ...values import Record, amount, text
from ..messages import SPEAKERS, Speaker, cut_off, usage_of
from .lines import CASES, UNREADABLE, FastBuilder, Never, check_encoding, passes_over, record_decoder

__all__ = ["PlainState", "build_fast", "decode_state", "is_first"]

NULL = b"null"

NAMES = ("human", "ai", "system", "tool")
CLASSES = ("HumanMessage", "AIMessage", "SystemMessage", "ToolMessage")
USUAL: dict[str, Speaker] = {name: SPEAKERS[name] for name in (*NAMES, *CLASSES, *(f"{name}Chunk" for name in CLASSES))}
"""Who speaks in messages of the kinds that are read here."""


class _Call(Struct, gc=False):
    name: str
    args: Record
    id: str
    function: None = None


class _Extra(Struct, gc=False, frozen=True):
    tool_calls: list[Raw] | None = None
    function_call: None = None


class _Fields(Struct, gc=False):
    """What stands in a message of any kind."""

    type: str | UnsetType = UNSET
    content: str | UnsetType = UNSET
    tool_calls: list[_Call] = []
    invalid_tool_calls: list[Never] = []
    additional_kwargs: _Extra = _Extra()
    function_call: None = None
    refusal: None = None
    name: JsonValue = None
    tool_call_id: str | None = None
    tool_use_id: None = None
    artifact: Raw = Raw(NULL)
    status: JsonValue = None
    is_error: JsonValue = None
    usage_metadata: JsonValue = None
    usage: JsonValue = None
    response_metadata: JsonValue = None
    finish_reason: JsonValue = None
    role: Never = 0
    parts: Never = 0


class _Message(_Fields, gc=False):
    """A message by itself, or what is wrapped around its fields."""

    data: _Fields | UnsetType = UNSET
    kwargs: _Fields | UnsetType = UNSET
    lc: JsonValue | UnsetType = UNSET
    id: JsonValue = None


READ_KEYS = ("agent", "metadata", "config", *CASES)
"""Keys of a record that are looked at."""

_decode_record = record_decoder(list[_Message], read_keys=READ_KEYS, never={"lc", "data", "calls"})
_decode_message = msgspec.json.Decoder(_Message).decode
_decode_messages = msgspec.json.Decoder(list[_Message]).decode


class PlainState(Struct, gc=False):
    """A conversation that may still continue in the next record."""

    line: bytes
    first: _Message
    messages: list[tuple[Speaker, _Fields]]
    holder: Record


def decode_state(line: bytes, context: ReadContext) -> PlainState | None:
    """The conversation of a line, or None where the full reader has to read it."""
    if passes_over(context, READ_KEYS):
        return None
    holder: Record = {}
    try:
        check_encoding(line)
        if line.startswith(b"["):
            messages = _decode_messages(line)
        elif line.count(b'"messages":') == 1:
            messages, holder = _decode_record(line)
        else:
            # Another one may be that of a node.
            return None
    except UNREADABLE:
        return None
    found = []
    for message in messages:
        spoken = _unfolded(message)
        if spoken is None:
            return None
        found.append(spoken)
    # The first message shows whether a record continues another, so all of it has to be decoded.
    return PlainState(line, messages[0], found, holder) if found and found[0][0] in ("system", "user") else None


def is_first(state: PlainState, message: JsonValue) -> bool:
    """Whether a conversation may begin with a message that is decoded."""
    try:
        return _decode_message(msgspec.json.encode(message)) == state.first
    except UNREADABLE:
        return False


def _unfolded(message: _Message) -> tuple[Speaker, _Fields] | None:
    """Who speaks in a message, and its fields; None where that is not plain to see."""
    fields: _Fields = message
    kind: JsonValue | UnsetType = message.type
    if message.kwargs is not UNSET:
        path = message.id
        if message.lc is UNSET or kind != "constructor" or not isinstance(path, list) or not path:
            return None
        fields, kind = message.kwargs, path[-1]
    elif message.lc is not UNSET:
        return None
    elif message.data is not UNSET:
        fields = message.data
    who = USUAL.get(kind) if isinstance(kind, str) else None
    if who is None or fields.content is UNSET:
        return None
    if fields is not message and fields.type is not UNSET and USUAL.get(fields.type) != who:
        return None
    return who, fields


def build_fast(state: PlainState, context: ReadContext) -> Trajectory | None:
    """The trajectory of a conversation, or None where the full reader has to build it."""
    builder = FastBuilder(context)
    agent, limit = "", False
    for who, fields in state.messages:
        if who == "tool":
            if not _add_result(fields, builder):
                return None
        elif who == "assistant":
            name = text(fields.name)
            if name is not None:
                if agent not in ("", name):
                    return None
                agent = name
            limit = _take_metadata(fields, builder)
            if not _add_answer(fields, builder):
                return None
        elif who == "user" and not builder.hear(fields.content):  # type: ignore[arg-type]  # a text, as was made sure
            return None
    return builder.build(state.holder, agent=agent, limit=limit)


def _add_result(fields: _Fields, builder: FastBuilder) -> bool:
    if not fields.tool_call_id or (not fields.content and bytes(fields.artifact) != NULL):
        return False
    failed = True if fields.status == "error" or fields.is_error is True else None
    return builder.add_result(fields.content, fields.tool_call_id, failed)  # type: ignore[arg-type]  # a text, as was made sure


def _add_answer(fields: _Fields, builder: FastBuilder) -> bool:
    builder.turn += 1
    if not builder.say(fields.content):  # type: ignore[arg-type]  # a text, as was made sure
        return False
    if not fields.tool_calls and fields.additional_kwargs.tool_calls:
        return False
    return all(builder.add_call(call.name, call.args, call.id) for call in fields.tool_calls)


def _take_metadata(fields: _Fields, builder: FastBuilder) -> bool:
    """Count the tokens of a reply; returns whether it was cut off."""
    if not fields.response_metadata and fields.usage_metadata is None and fields.usage is None:
        return fields.finish_reason is not None and cut_off({"finish_reason": fields.finish_reason})
    message: Record = {
        "usage_metadata": fields.usage_metadata,
        "usage": fields.usage,
        "response_metadata": fields.response_metadata,
        "finish_reason": fields.finish_reason,
    }
    tokens = usage_of(message)
    if tokens is not None:
        known = builder.usage or Usage(0)
        read, written = amount(tokens[0]), amount(tokens[1])
        builder.usage = Usage(
            (known.requests or 0) + 1,
            known.input_tokens if read is None else read + (known.input_tokens or 0),
            known.output_tokens if written is None else written + (known.output_tokens or 0),
        )
    return cut_off(message)
