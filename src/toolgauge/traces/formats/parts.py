"""Calls and results that stand among the parts of a message, as Amazon Bedrock and Vercel's AI SDK write them."""

from __future__ import annotations

from collections.abc import Hashable

from toolgauge.core import JsonValue

from ..conversation import Conversation
from ..values import Record, dicts, record_of, text, texts

__all__ = ["marks_of", "tell_calls", "tell_results", "without_calls"]

CALL, RESULT = "tool-call", "tool-result"
FAILED_OUTPUTS = ("error-text", "error-json")


def without_calls(content: JsonValue) -> JsonValue:
    """The content of a message without the calls and results in it."""
    if not isinstance(content, list):
        return content
    return [part for part in content if not isinstance(part, dict) or not (_call(part) or _result(part))]


def tell_calls(conversation: Conversation, content: JsonValue) -> None:
    """Tell a conversation the calls among the parts of an answer, and the results that the provider added."""
    for part in dicts(content):
        call = _call(part)
        if call:
            arguments = call.get("input", call.get("args"))
            conversation.call(call.get("name") or call.get("toolName"), arguments, id=_id(call))
        elif _result(part):
            _tell_result(conversation, _result(part), same_turn=True)


def tell_results(conversation: Conversation, content: JsonValue) -> bool:
    """Tell a conversation the results among the parts of a message; returns whether there were any."""
    found = [result for part in dicts(content) if (result := _result(part))]
    for result in found:
        _tell_result(conversation, result)
    return bool(found)


def marks_of(content: JsonValue) -> tuple[Hashable, ...]:
    """The ids of the calls and results among the parts of a message."""
    return tuple(text(_id(found)) for part in dicts(content) if (found := _call(part) or _result(part)))


def _call(part: Record) -> Record:
    return part if part.get("type") == CALL else record_of(part.get("toolUse"))


def _result(part: Record) -> Record:
    return part if part.get("type") == RESULT else record_of(part.get("toolResult"))


def _id(holder: Record) -> JsonValue:
    return holder.get("toolCallId") or holder.get("toolUseId")


def _tell_result(conversation: Conversation, result: Record, *, same_turn: bool = False) -> None:
    value = next((result[key] for key in ("output", "result", "content") if result.get(key) is not None), None)
    failed = True if result.get("isError") is True or result.get("status") == "error" else None
    holder = record_of(value)
    if "value" in holder and isinstance(holder.get("type"), str):
        # The newer layout says of what kind the result is.
        failed = failed or (True if holder["type"] in FAILED_OUTPUTS else None)
        value = holder["value"]
    elif isinstance(value, list):
        written = [part["json"] for part in dicts(value) if "json" in part]
        value = written[0] if len(written) == 1 else written or texts(value) or value
    conversation.result(value, id=_id(result), tool=result.get("toolName"), failed=failed, same_turn=same_turn)
