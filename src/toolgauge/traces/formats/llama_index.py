"""Chat messages of LlamaIndex, the events of its agents, and answers with the outputs of tools as their sources."""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, at, dicts, keyword_arguments, list_at, record_of, text, texts
from .conversation_reader import Conversation, GatheringReader
from .messages import calls_of
from .usual import call, result, said

__all__ = ["LlamaIndexReader"]

PATHS = (("pieces",), ("messages",), ("chat_history",), ("history",), ("events",))


class LlamaIndexReader(GatheringReader):
    """One conversation a list of messages or events, or an answer."""

    title: ClassVar[str] = "LlamaIndex messages"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages with blocks or further arguments, events of agents, or sources with the raw input of a tool."""
        if isinstance(value, list):
            return bool(value) and (all(map(_is_message, value[:3])) or all(map(_is_event, value[:3])))
        if not isinstance(value, dict):
            return False
        if (
            _is_event(value)
            or _is_message(value)
            or isinstance(at(next(dicts(value.get("sources")), {}), "raw_input"), dict)
        ):
            return True
        listed = list_at(value, *PATHS)
        return bool(listed) and (all(map(_is_message, listed[:3])) or all(map(_is_event, listed[:3])))

    @staticmethod
    def is_piece(value: JsonValue) -> bool:
        """Whether a record is an event of an agent."""
        return _is_event(value)

    @staticmethod
    def begins(piece: Record) -> bool:
        """Whether an agent was asked something, and has done nothing yet."""
        listed = list(dicts(piece.get("input")))
        return bool(listed) and all(message.get("role") in ("user", "system") for message in listed)

    @staticmethod
    def single(holder: Record) -> list[Record]:
        """A message that is a record of its own."""
        return [_usual_message(holder)] if _is_message(holder) else []

    def conversation(self, holder: Record) -> Conversation:
        """The messages, or what events and sources come to."""
        listed = list(dicts(list_at(holder, *PATHS)))
        if listed and all(map(_is_message, listed[:3])):
            return Conversation([_usual_message(message) for message in listed])
        if listed:
            return _from_events(listed)
        messages: list[Record] = []
        asked = text(holder.get("query")) or text(holder.get("question")) or text(holder.get("message"))
        if asked:
            messages.append(said("user", asked))
        for source in dicts(holder.get("sources")):
            given = record_of(source.get("raw_input"))
            arguments = keyword_arguments(given)
            messages.append(
                said("assistant", None, [call(source.get("tool_name"), given if arguments is None else arguments)])
            )
            messages.append(_output(source, None))
        answer = holder.get("response")
        messages.append(said("assistant", text(answer) or _words(record_of(answer))))
        return Conversation(messages)


def _is_message(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("role"), str) or "type" in value:
        return False
    blocks = value.get("blocks")
    if isinstance(blocks, list):
        return all(isinstance(block, dict) and "block_type" in block for block in blocks)
    return isinstance(value.get("additional_kwargs"), dict)


def _is_event(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    if "tool_output" in value:
        return isinstance(value.get("tool_name"), str) and isinstance(value.get("tool_kwargs"), dict)
    if "tool_kwargs" in value:
        return isinstance(value.get("tool_name"), str) and "tool_id" in value
    return "current_agent_name" in value and any(key in value for key in ("input", "response", "delta"))


def _words(message: Record) -> str | None:
    blocks = [block for block in dicts(message.get("blocks")) if block.get("block_type") == "text"]
    return texts([*blocks]) or texts(message.get("content"))


def _usual_message(message: Record) -> Record:
    role = text(message.get("role")) or "user"
    if role in ("tool", "function"):
        extra = record_of(message.get("additional_kwargs"))
        return result(
            _words(message), id=extra.get("tool_call_id"), tool=extra.get("name"), failed=extra.get("is_error") is True
        )
    blocks = [block for block in dicts(message.get("blocks")) if block.get("block_type") == "tool_call"]
    calls = [call(block.get("tool_name"), block.get("tool_kwargs"), block.get("tool_call_id")) for block in blocks]
    if not calls:
        calls = [
            call(each.name, each.arguments, each.id)
            for each in calls_of({"additional_kwargs": message.get("additional_kwargs")})
        ]
    return said(
        {"chatbot": "assistant", "model": "assistant", "developer": "system"}.get(role, role), _words(message), calls
    )


def _call(asked: Record) -> Record:
    return call(asked.get("tool_name"), asked.get("tool_kwargs"), asked.get("tool_id"))


def _from_events(events: list[Record]) -> Conversation:
    found = Conversation([])
    called: set[str] = set()
    answered: set[str] = set()

    def new(each: Record, known: set[str]) -> bool:
        """Whether a call, or its output, was not seen yet: several events repeat it."""
        key = text(each.get("tool_id"))
        if key is None or key not in known:
            known.add(key or "")
            return True
        return False

    def add(each: Record) -> None:
        """Add a call that no reply mentions, and its output."""
        if new(each, called):
            found.messages.append(said("assistant", None, [_call(each)]))
        if "tool_output" in each and new(each, answered):
            found.messages.append(_output(record_of(each["tool_output"]), each.get("tool_id")))

    for event in events:
        if "tool_kwargs" in event:
            add(event)
        elif isinstance(event.get("response"), dict) and "tool_calls" in event:
            asked = list(dicts(event.get("tool_calls")))
            for each in asked:
                if "tool_output" in each:  # the last reply tells of all calls with what they gave
                    add(each)
            calls = [_call(each) for each in asked if new(each, called)]
            name = text(event.get("current_agent_name"))
            found.messages.append(said("assistant", _words(record_of(event["response"])), calls, name=name))
        elif isinstance(event.get("input"), list) and not found.messages:
            found.messages += [_usual_message(message) for message in dicts(event["input"])]
    return found


def _output(output: Record, key: JsonValue) -> Record:
    """What a tool gave: its own value where that was recorded, else the words for the model."""
    value = output.get("raw_output")
    words = _words(output)
    failed = output.get("is_error") is True
    plain = value is not None and not (isinstance(value, dict) and "blocks" in value)
    return result(
        value if plain and not failed else words, id=key, tool=output.get("tool_name"), failed=failed, error=words
    )
