"""Messages of AutoGen: events of version 0.4 and later, what its agents keep for models, and the dicts of version 0.2.

In a chat of version 0.2, and of AG2 which goes on from it, roles are those that one of the agents sees, so the first
message is taken for the question, and whoever spoke it for the user. `TERMINATE` ends a chat and is no part of an
answer.
"""

from __future__ import annotations

import re
from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, amount, at, dicts, items_of, list_at, record_of, structured, text, texts
from .conversation_reader import Conversation, ConversationReader
from .usual import call, result, said

__all__ = ["AutogenReader", "add_cost", "without_ending"]

SAYING = frozenset({"TextMessage", "MultiModalMessage", "StopMessage", "StructuredMessage", "ToolCallSummaryMessage"})
KEPT = frozenset({"UserMessage", "AssistantMessage", "SystemMessage", "FunctionExecutionResultMessage"})
"""What agents keep for models."""

EVENTS = frozenset(
    {
        *("ToolCallRequestEvent", "ToolCallExecutionEvent", "HandoffMessage", "MemoryQueryEvent", "ThoughtEvent"),
        *("ModelClientStreamingChunkEvent", "UserInputRequestedEvent", "CodeGenerationEvent", "CodeExecutionEvent"),
        *("SelectSpeakerEvent", "SelectorEvent"),
    }
)
PATHS = (("messages",), ("chat_history",), ("llm_context", "messages"), ("agent_state", "llm_context", "messages"))
TOKENS = ("prompt_tokens", "completion_tokens")
ENDING = re.compile(r"\s*\bTERMINATE\b[\s.!]*$")


class AutogenReader(ConversationReader):
    """One conversation a list of messages."""

    title: ClassVar[str] = "AutoGen messages"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages whose type is a class of AutoGen, dicts with the responses of tools, or the result of a chat."""
        if _is_typed(value):
            return True
        messages = value if isinstance(value, list) else list_at(value, *PATHS)
        if not messages or not isinstance(messages[0], dict):
            return False
        if all(map(_is_typed, messages[:3])):
            return True
        if not all(isinstance(message, dict) and "role" in message for message in messages):
            return False
        if any(isinstance(at(message, "tool_responses"), list) for message in messages):
            return True
        return isinstance(value, dict) and "chat_history" in value and ("summary" in value or "cost" in value)

    @staticmethod
    def single(holder: Record) -> list[Record]:
        """The messages of an event that is a record of its own."""
        kind = holder.get("type")
        if not _is_typed(holder) or not isinstance(kind, str):
            return []
        return _messages(holder, kind, asks=holder.get("source") == "user") or [said("event", None)]

    def conversation(self, holder: Record) -> Conversation:
        """The messages, and who handed over to whom."""
        messages = list(dicts(list_at(holder, *PATHS)))
        if not any(map(_is_typed, messages[:3])):
            found = Conversation(_older(messages))
            add_cost(found, holder.get("cost"))
            return found
        found = Conversation([])
        first = next((text(each.get("source")) for each in messages if str(each.get("type")) in SAYING), "user")
        for message in messages:
            kind, source = message.get("type"), text(message.get("source"))
            found.messages += _messages(message, str(kind), asks=source in ("user", first))
            if kind == "HandoffMessage":
                found.events.append({"kind": "handoff", "from": source, "to": message.get("target")})
            if not found.agent and source not in (None, "user", first):
                found.agent = source or ""
        return found


def _is_typed(message: JsonValue) -> bool:
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(kind, str):
        return False
    return (kind in SAYING or kind in EVENTS or kind in KEPT) and ("source" in message or kind in KEPT)


def _messages(message: Record, kind: str, *, asks: bool) -> list[Record]:
    content = message.get("content")
    answered = kind in ("ToolCallExecutionEvent", "FunctionExecutionResultMessage")
    found: list[Record] = []
    if answered:
        return [
            result(
                each.get("content"), id=each.get("call_id"), tool=each.get("name"), failed=each.get("is_error") is True
            )
            for each in dicts(content)
        ]
    if kind in ("ToolCallRequestEvent", "AssistantMessage") and isinstance(content, list):
        calls = [call(each.get("name"), each.get("arguments"), each.get("id")) for each in dicts(content)]
        found = [said("assistant", None, calls)]
    elif kind == "UserMessage" or (kind in SAYING and asks):
        found = [said("user", texts(content))]
    elif kind in SAYING or kind == "AssistantMessage":
        words = texts(content) if not isinstance(content, dict) else text(content.get("content"))
        found = [said("assistant", without_ending(words))]
    usage = message.get("models_usage")
    if found and isinstance(usage, dict):
        found[0]["usage"] = usage
    return found


def add_cost(found: Conversation, cost: JsonValue) -> None:
    """Take the tokens and the price that the result of a chat tells by model; what came from a cache cost nothing."""
    for key in ("usage_excluding_cached_inference", "usage_including_cached_inference"):
        told = record_of(at(cost, key))
        models = [*dicts([*(record_of(told.get("models")) or told).values()])]
        if models:
            sums = [sum(amount(each.get(name)) or 0 for each in models) for name in TOKENS]
            found.total = sums[0], sums[1]
            price = told.get("total_cost")
            found.cost_usd = float(price) if isinstance(price, (int, float)) and not isinstance(price, bool) else None
            return


def without_ending(words: str | None) -> str | None:
    """The words without the mark that ends a chat."""
    return ENDING.sub("", words) or None if words else None


def _older(messages: list[Record]) -> list[Record]:
    """The dicts of version 0.2."""
    spoken = [message for message in messages if message.get("role") != "system"]
    first = spoken[0] if spoken else {}
    found: list[Record] = []
    for message in messages:
        calls, responses = items_of(structured(message.get("tool_calls"))), message.get("tool_responses")
        words = texts(message.get("content"))
        if isinstance(responses, list) and responses:
            found += [result(each.get("content"), id=each.get("tool_call_id")) for each in dicts(responses)]
        elif message.get("role") in ("tool", "function"):
            found.append(result(words, id=message.get("tool_call_id"), tool=message.get("name")))
        elif calls or message.get("function_call"):
            asked = [
                call(at(each, "function", "name"), at(each, "function", "arguments"), at(each, "id")) for each in calls
            ]
            older = message.get("function_call")
            asked += [call(at(older, "name"), at(older, "arguments"))] if older else []
            found.append(said("assistant", words, asked))
        elif message.get("role") == "system":
            continue
        elif _same_speaker(message, first):
            found.append(said("user", without_ending(words)))
        else:
            found.append(said("assistant", without_ending(words)))
    return found


def _same_speaker(message: Record, other: Record) -> bool:
    """Whether two messages are by the same agent: by their names, else by their roles."""
    names = text(message.get("name")), text(other.get("name"))
    return names[0] == names[1] if all(names) else message.get("role") == other.get("role")
