"""Threads of OpenAI's Assistants: messages, runs and the steps of runs, which belong together by their thread.

They come one a line, as pages of the interface, newest first, or all of a thread in one object. A step that created a
message says which one; a step that called tools holds the calls with their results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..open_conversations import TraceGroups
from ..values import Record, at, dicts, items_of, record_of, text, texts
from .conversation_reader import Conversation, ConversationReader
from .conversations import error_of
from .usual import call, result, said

__all__ = ["OpenAIAssistantsReader"]

KINDS = frozenset({"thread", "thread.message", "thread.run", "thread.run.step"})
PIECES = frozenset({"thread.message.delta", "thread.run.step.delta"})
"""What is streamed of messages and steps, which come as a whole afterwards."""

HOLDERS = ("thread", "run", "runs", "steps", "run_steps", "messages")
"""Where an object keeps all that belongs to a thread."""

STATES: dict[str, State] = {
    "failed": "error",
    "expired": "timeout",
    "cancelled": "cancelled",
    "cancelling": "cancelled",
    "incomplete": "limit",
}


class OpenAIAssistantsReader(ConversationReader):
    """One conversation a thread."""

    title: ClassVar[str] = "OpenAI Assistants threads"

    def __init__(self, context: ReadContext) -> None:
        super().__init__(context)
        self._groups = TraceGroups(context)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Objects say what they are: a message, a run or a step of a thread, a page of them, or what holds them."""
        if isinstance(value, list):
            return bool(value) and all(map(_is_object, value[:3]))
        if not isinstance(value, dict):
            return False
        return _is_object(value) or any(map(_is_object, _inner(value)[:3]))

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The threads that had to make room."""
        if isinstance(value, list) or (isinstance(value, dict) and value.get("object") == "list"):
            objects = [*dicts(value if isinstance(value, list) else value.get("data"))]
        elif _is_object(value):
            objects = [record_of(value)]
        else:
            holder = record_of(value)
            yield from self.read_record({**_outside(holder), "objects": [*_inner(holder)]})
            return
        size = self._context.size // max(len(objects), 1)
        for item in objects:
            for group in self._groups.add(_thread_of(item), item, size):
                yield from self.read_record({"objects": [*group]})

    def finish(self) -> Iterator[Trajectory]:
        """The threads that are left."""
        for group in self._groups.rest():
            yield from self.read_record({"objects": [*group]})
        yield from super().finish()

    def conversation(self, holder: Record) -> Conversation:
        """What was said and called, in its order."""
        known = {text(item.get("id")) or str(index): item for index, item in enumerate(dicts(holder.get("objects")))}
        objects = _in_order([item for item in known.values() if text(item.get("object")) in KINDS])
        made = [text(at(item, "step_details", "message_creation", "message_id")) for item in objects]
        created = set(filter(None, made))
        found = Conversation([])
        for item in objects:
            kind = item.get("object")
            if kind == "thread.message" and text(item.get("id")) not in created:
                found.messages += _message(item)
            elif kind == "thread.run.step":
                found.messages += _step(item, known)
            elif kind == "thread.run":
                status = item.get("status")
                found.state = STATES.get(status, "completed") if isinstance(status, str) else "completed"
                found.error = error_of({"error": item.get("last_error")})
                found.messages += _required(item)
        thread = next((_thread_of(item) for item in objects), "")
        metadata = next((each for item in objects if (each := record_of(item.get("metadata")))), {})
        holder.setdefault("metadata", metadata)
        found.case = thread
        return found


def _is_object(value: JsonValue) -> bool:
    kind = value.get("object") if isinstance(value, dict) else None
    return isinstance(kind, str) and (kind in KINDS or kind in PIECES)


def _inner(holder: Record) -> list[JsonValue]:
    """The objects of a thread that a record holds."""
    found: list[JsonValue] = [*items_of(holder.get("data"))] if holder.get("object") == "list" else []
    for key in HOLDERS:
        inner = holder.get(key)
        page = inner.get("data") if isinstance(inner, dict) and isinstance(inner.get("data"), list) else inner
        found += _ascending(page) if isinstance(page, list) else [page]
    return [item for item in found if _is_object(item)]


def _outside(holder: Record) -> Record:
    return {key: value for key, value in holder.items() if key not in HOLDERS}


def _thread_of(item: Record) -> str:
    own = text(item.get("id")) if item.get("object") == "thread" else None
    return own or text(item.get("thread_id")) or text(item.get("run_id")) or ""


def _moment(item: JsonValue) -> float:
    found = at(item, "created_at")
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else 0.0


def _ascending(page: list[JsonValue]) -> list[JsonValue]:
    """A page with the oldest first."""
    return page[::-1] if len(page) > 1 and _moment(page[0]) > _moment(page[-1]) else page


def _in_order(objects: list[Record]) -> list[Record]:
    oldest_first = _ascending([*objects])
    return sorted(dicts(oldest_first), key=_moment)


def _message(item: Record) -> list[Record]:
    role = text(item.get("role")) or "user"
    content = items_of(item.get("content"))
    return [said(role, texts(content), left_out=sum("text" not in part for part in dicts(content)))]


def _step(item: Record, known: dict[str, Record]) -> list[Record]:
    details = record_of(item.get("step_details"))
    made = text(at(details, "message_creation", "message_id"))
    if made is not None:
        messages = _message(known[made]) if made in known else []
    else:
        messages = _called(list(dicts(details.get("tool_calls"))), finished=item.get("status") == "completed")
    usage = item.get("usage")
    if messages and isinstance(usage, dict):
        messages[0]["usage"] = usage
    return messages


def _called(asked: list[Record], *, finished: bool) -> list[Record]:
    calls: list[Record] = []
    answers: list[Record] = []
    for each in asked:
        kind, key = text(each.get("type")) or "function", each.get("id")
        held = record_of(each.get(kind))
        if kind == "function":
            name, arguments, value = held.get("name"), held.get("arguments"), held.get("output")
        elif kind == "code_interpreter":
            outputs = items_of(held.get("outputs"))
            logs = [text(part.get("logs")) for part in dicts(outputs) if part.get("type") == "logs"]
            name, arguments = kind, {"code": held.get("input")}
            value = "\n".join(filter(None, logs)) if logs else outputs
        else:
            name, arguments, value = kind, {}, held.get("results")
        calls.append(call(name, arguments, key))
        if value is not None or (finished and kind != "function"):
            answers.append(result(value, id=key, tool=name))
    return [said("assistant", None, calls), *answers] if calls else []


def _required(run: Record) -> list[Record]:
    """The calls that a run waits for, where none of its steps is recorded with them."""
    if run.get("status") != "requires_action":
        return []
    return _called(list(dicts(at(run, "required_action", "submit_tool_outputs", "tool_calls"))), finished=False)
