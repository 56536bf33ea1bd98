"""A shorter way for the chat messages that most files hold: whole, in order, and with nothing out of the ordinary.

Such records are decoded straight into what is needed of them, several times faster than in general. Whatever is unusual
in one, a key that is not known here or a call without a result, is left to the long way, which gives the same for all.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import force_setattr

from toolgauge.core import Call, JsonValue, Trajectory

from ..conversation import Reading
from ..values import CASE_KEYS, Record, case_of, structured, text

__all__ = ["SKIPPED", "read_plainly"]

SKIPPED = (
    *("created", "functions", "max_completion_tokens", "max_tokens", "model", "n", "parallel_tool_calls"),
    *("reasoning_effort", "response_format", "seed", "stop", "store", "stream", "temperature", "tool_choice"),
    *("tools", "top_p", "user"),
)
"""What requests hold besides, which says nothing about what was done."""


class _Function(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    name: str
    arguments: str


class _Asked(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    id: str
    function: _Function
    type: Literal["function"] = "function"
    index: msgspec.Raw = msgspec.Raw()


class _Message(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: list[_Asked] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    refusal: None = None
    function_call: None = None
    audio: None = None
    annotations: msgspec.Raw = msgspec.Raw()


_Record = msgspec.defstruct(
    "_Record",
    [
        ("messages", list[_Message]),
        ("metadata", dict[str, str | int | float | bool | None], msgspec.field(default_factory=dict)),
        ("agent", str | None, None),
        *((key, str | int | None, None) for key in CASE_KEYS),
        *((key, msgspec.Raw, msgspec.Raw()) for key in SKIPPED),
    ],
    gc=False,
    forbid_unknown_fields=True,
)

DECODE_RECORD = msgspec.json.Decoder(_Record).decode
DECODE_MESSAGES = msgspec.json.Decoder(list[_Message]).decode


def read_plainly(line: bytes, reading: Reading) -> Trajectory | None:
    """The conversation of a record, or None where it takes the long way to read it."""
    holder: Record = {}
    metadata: Record = {}
    try:
        if line.startswith(b"["):
            messages = DECODE_MESSAGES(line)
        else:
            record = DECODE_RECORD(line)
            messages = record.messages  # type: ignore[attr-defined]  # a field that the definition above gives it
            metadata = record.metadata  # type: ignore[attr-defined]  # likewise
            holder = {key: value for key in ("agent", *CASE_KEYS) if (value := getattr(record, key)) is not None}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if reading.kept_key in holder:
        metadata = reading.meta_of(holder, metadata)
    told = _tell(messages, reading)
    if told is None:
        return None
    calls, asked, output = told
    return Trajectory(
        case=case_of(holder, metadata),
        agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
        calls=calls,
        output=output,
        input=asked,
        meta=metadata,
    )


def _tell(messages: list[_Message], reading: Reading) -> tuple[tuple[Call, ...], str | None, str | None] | None:
    """The calls, the question and the answer; None where something is not as it should be."""
    calls: dict[str, Call] = {}
    waiting: set[str | None] = set()
    asked: str | None = None
    output: str | None = None
    turn = 0
    for message in messages:
        role = message.role
        if role == "tool":
            key = message.tool_call_id
            if key not in waiting or key is None:
                return None
            waiting.remove(key)
            _answer(calls[key], message.content, reading)
        elif role == "assistant":
            turn += 1
            output = message.content or output
            for call in message.tool_calls or ():
                made = _call(call, turn, reading)
                if made is None or call.id in calls or not call.id:
                    return None
                calls[call.id] = made
                waiting.add(call.id)
                output = None
        elif role == "user":
            asked = asked or message.content or None
    if waiting or (asked is None and output is None and not calls):
        return None
    return tuple(calls.values()), asked, output


def _call(asked: _Asked, turn: int, reading: Reading) -> Call | None:
    function = asked.function
    try:
        arguments: JsonValue = msgspec.json.decode(function.arguments)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    if not isinstance(arguments, dict):
        return None
    name = reading.names(function.name)
    original = None if name == function.name else function.name
    return Call(name, arguments, asked.id, turn, None, None, None, None, None, original)


def _answer(call: Call, content: str | None, reading: Reading) -> None:
    result = structured(content)
    error = reading.outcomes.reason(result, recorded=content)
    # Nobody else has seen the call yet, so that it may still be changed.
    if error is not None:
        force_setattr(call, "error", error)
        result = None if result == error else result
    force_setattr(call, "result", result)
