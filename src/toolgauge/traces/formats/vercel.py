"""Messages that Vercel's AI SDK keeps for the screen, and the results of its `generateText`.

In version 4 a message has `toolInvocations`, or parts of the type `tool-invocation`; since version 5 parts of the type
`tool-NAME` or `dynamic-tool`. An answer is one message, with a mark where each step of it begins. The messages that go
to models, with parts of the types `tool-call` and `tool-result`, are read as chat messages.
"""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, dicts, items_of, list_at, record_of, text, texts
from .conversation_reader import Conversation, ConversationReader
from .conversations import state_of
from .dialects import is_ui_message
from .threads import thread_of
from .usual import call, result, said

__all__ = ["VercelReader"]

FAILED = ("output-error", "output-denied")
FINISHED = ("result", "output-available", *FAILED)
"""States of a call that has its result."""


class VercelReader(ConversationReader):
    """Reads conversations that stand in one record, and messages one a line."""

    title: ClassVar[str] = "Vercel AI SDK messages"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages with the parts or invocations of the SDK, in a list, under `messages`, or one; or its steps."""
        if isinstance(value, list):
            return _are_messages(value) and thread_of(record_of(value[0])) is None
        if not isinstance(value, dict) or "calls" in value or "observations" in value:
            return False
        return is_ui_message(value) or _are_messages(value.get("messages")) or bool(_steps(value))

    @staticmethod
    def single(holder: Record) -> list[Record]:
        """The messages that one for the screen comes to."""
        return _usual_messages(holder) if is_ui_message(holder) else []

    def conversation(self, holder: Record) -> Conversation:
        """The messages, or the steps with what was asked."""
        steps = _steps(holder)
        if not steps:
            messages = list(dicts(holder.get("messages")))
            return Conversation([found for message in messages for found in _usual_messages(message)])
        asked: list[Record] = []
        for message in dicts(list_at(holder, ("messages",), ("request", "messages"))):
            asked += _usual_messages(message)
        if not asked and (question := text(holder.get("prompt"))):
            asked = [said("user", question)]
        done = [message for step in steps for message in _step_messages(step)]
        return Conversation([*asked, *done], state=state_of(holder.get("finishReason")))


def _are_messages(value: JsonValue) -> bool:
    """Whether these are messages of the SDK, some of which may have nothing but a text."""
    if not isinstance(value, list) or not any(map(is_ui_message, value)):
        return False
    return all(isinstance(message, dict) and "role" in message for message in value)


def _steps(holder: Record) -> list[Record]:
    """The steps that `generateText` returns."""
    steps = list(dicts(holder.get("steps")))
    if not steps or "finishReason" not in steps[0]:
        return []
    return steps if "toolCalls" in steps[0] or isinstance(steps[0].get("content"), list) else []


def _usual_messages(message: Record) -> list[Record]:
    """The messages that one for the screen comes to: an answer and the results of each of its steps."""
    role = text(message.get("role")) or "user"
    parts = [*dicts(message.get("parts"))]
    if role != "assistant":
        words = texts([*parts]) or texts(message.get("content"))
        return [said(role, words, left_out=sum(part.get("type") == "file" for part in parts))]
    if not any(_invocation(part) for part in parts) and message.get("toolInvocations"):
        invocations = sorted(dicts(message["toolInvocations"]), key=_number_of_step)
        parts = [{"type": "tool-invocation", "toolInvocation": invocation} for invocation in invocations]
    if not any(part.get("type") == "text" for part in parts):
        parts = [*parts, {"type": "text", "text": message.get("content")}]
    found: list[Record] = []
    step = _Step()
    for part in parts:
        number = _number_of_step(record_of(part.get("toolInvocation")))
        if part.get("type") == "step-start" or (step.calls and (_speaks(part) or number > step.number)):
            found += step.messages()
            step = _Step()
        step.number = max(step.number, number)
        step.add(part)
    return [*found, *step.messages()]


def _number_of_step(invocation: Record) -> int:
    number = invocation.get("step")
    return number if isinstance(number, int) else 0


def _speaks(part: Record) -> bool:
    return part.get("type") == "text" and bool(text(part.get("text")))


class _Step:
    """One reply of the model, and what its tools answered."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.calls: list[Record] = []
        self.answers: list[Record] = []
        self.number = 0

    def add(self, part: Record) -> None:
        invocation = _invocation(part)
        if invocation:
            name = text(invocation.get("toolName")) or (text(part.get("type")) or "").removeprefix("tool-")
            arguments = next((invocation[key] for key in ("input", "args", "rawInput") if key in invocation), None)
            key, state = invocation.get("toolCallId"), invocation.get("state")
            self.calls.append(call(name, arguments, key))
            if state in FINISHED:
                value = invocation.get("result", invocation.get("output"))
                error = text(invocation.get("errorText")) or ("denied" if state == "output-denied" else None)
                self.answers.append(result(value, id=key, tool=name, failed=state in FAILED, error=error))
        elif _speaks(part):
            self.words.append(str(part["text"]))

    def messages(self) -> list[Record]:
        if not self.words and not self.calls:
            return []
        return [said("assistant", "\n".join(self.words) or None, self.calls), *self.answers]


def _invocation(part: Record) -> Record:
    """What a part says of a call; empty where it is of none."""
    kind = part.get("type")
    if kind == "tool-invocation":
        return record_of(part.get("toolInvocation"))
    return part if isinstance(kind, str) and (kind == "dynamic-tool" or kind.startswith("tool-")) else {}


def _step_messages(step: Record) -> list[Record]:
    """The answer of a step of `generateText`, and the results of its calls."""
    parts = [*dicts(step.get("content"))] or [*dicts(step.get("toolCalls")), *dicts(step.get("toolResults"))]
    calls = [
        call(part.get("toolName"), part.get("input", part.get("args")), part.get("toolCallId"))
        for part in parts
        if part.get("type", "tool-call") == "tool-call" and "toolName" in part
    ]
    answers = [
        result(
            part.get("output", part.get("result")),
            id=part.get("toolCallId"),
            tool=part.get("toolName"),
            failed=part.get("type") == "tool-error",
            error=text(part.get("error")),
        )
        for part in parts
        if part.get("type") in ("tool-result", "tool-error")
    ]
    usage = record_of(step.get("usage"))
    message = said("assistant", text(step.get("text")) or texts(items_of(step.get("content"))), calls)
    if usage:
        message["usage"] = {
            "input_tokens": usage.get("inputTokens", usage.get("promptTokens")),
            "output_tokens": usage.get("outputTokens", usage.get("completionTokens")),
        }
    return [message, *answers]
