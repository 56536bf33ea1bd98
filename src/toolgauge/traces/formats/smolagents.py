"""The steps that agents of smolagents keep in their memory, and the results of their runs.

An agent that writes code calls one tool, `python_interpreter`, with the code. The tool `final_answer` is how a model
hands in its answer; it is no call.
"""

from __future__ import annotations

import re
from typing import ClassVar

import msgspec

from toolgauge.core import JsonValue

from ..values import Record, at, dicts, list_at, record_of, text
from .conversation_reader import Conversation, GatheringReader
from .conversations import error_of
from .usual import call, result, said

__all__ = ["SmolagentsReader"]

PATHS = (("pieces",), ("steps",), ("memory", "steps"), ("memory",))
INTERPRETER, HAND_IN = "python_interpreter", "final_answer"
ONLY_HANDS_IN = re.compile(r"\s*(?:\w+\s*=\s*)?final_answer\(.*\)\s*", re.DOTALL)


class SmolagentsReader(GatheringReader):
    """One conversation a list of steps."""

    title: ClassVar[str] = "smolagents steps"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Steps of a memory: a task, then numbered steps with what the model wrote and what was observed."""
        if isinstance(value, list):
            return any(map(_is_action, value[:4])) and all(map(_is_step, value[:4]))
        if not isinstance(value, dict):
            return False
        if _is_action(value) or _is_task(value):
            return True
        listed = list_at(value, *PATHS)
        return any(map(_is_action, listed[:4])) and all(map(_is_step, listed[:4]))

    @staticmethod
    def is_piece(value: JsonValue) -> bool:
        """Whether a record is a step."""
        return _is_action(value) or _is_task(value)

    @staticmethod
    def begins(piece: Record) -> bool:
        """Whether a step is the task."""
        return _is_task(piece)

    def conversation(self, holder: Record) -> Conversation:
        """What was asked, called and observed."""
        found = Conversation([])
        asked = text(holder.get("task")) or text(holder.get("input"))
        if asked:
            found.messages.append(said("user", asked))
        seconds: list[float] = []
        for step in dicts(list_at(holder, *PATHS)):
            if _is_task(step) or _is_bare_task(step):
                found.messages.append(said("user", text(step.get("task"))))
            elif _is_action(step):
                found.messages += _messages(step)
                found.error = error_of(step)
                took = at(step, "timing", "duration")
                if isinstance(took, (int, float)) and not isinstance(took, bool):
                    seconds.append(took)
                if step.get("is_final_answer") is True:
                    found.answer, found.error = _answer(step), None
        output = holder.get("output")
        found.answer = found.answer or text(output)
        found.error = None if found.answer else found.error
        found.latency_ms = sum(seconds) * 1000 if seconds else None
        found.state = "limit" if holder.get("state") == "max_steps_error" else "completed"
        return found


def _is_task(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("task"), str) and "task_images" in value


def _is_bare_task(value: Record) -> bool:
    """Whether a step among others is the task, without the images that the library writes with it."""
    return isinstance(value.get("task"), str) and "step_number" not in value


def _is_action(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("step_number"), int):
        return False
    return "observations" in value and ("model_output" in value or "tool_calls" in value)


def _is_step(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    if _is_task(value) or _is_bare_task(value) or _is_action(value):
        return True
    return "system_prompt" in value or "plan" in value or "output" in value


def _messages(step: Record) -> list[Record]:
    calls: list[Record] = []
    for each in dicts(step.get("tool_calls")):
        function = record_of(each.get("function") or each)
        name, arguments = function.get("name"), function.get("arguments")
        if name == HAND_IN or (
            name == INTERPRETER and isinstance(arguments, str) and ONLY_HANDS_IN.fullmatch(arguments)
        ):
            continue
        if name == INTERPRETER and isinstance(arguments, str):
            arguments = {"code": arguments}
        calls.append(call(name, arguments, each.get("id")))
    words = None if calls or step.get("is_final_answer") is True else text(step.get("model_output"))
    message = said("assistant", words, calls)
    usage = step.get("token_usage")
    if isinstance(usage, dict):
        message["usage"] = usage
    return [message, *_results(step, calls)]


def _results(step: Record, calls: list[Record]) -> list[Record]:
    """What each call gave. What several gave at once is one text, mostly with a line for each."""
    observed = text(step.get("observations"))
    error = error_of(step)
    if observed is None and error is None:
        return []
    lines = observed.split("\n") if observed is not None else []
    shares: list[JsonValue] = [*lines] if len(lines) == len(calls) > 1 else [observed] * len(calls)
    return [
        result(share, id=each.get("id"), tool=each.get("name"), failed=error is not None, error=error)
        for each, share in zip(calls, shares, strict=True)
    ]


def _answer(step: Record) -> str | None:
    given = step.get("action_output")
    if given is None:
        handed = [each for each in dicts(step.get("tool_calls")) if at(each, "function", "name") == HAND_IN]
        given = at(handed[-1], "function", "arguments", "answer") if handed else step.get("observations")
    return given if isinstance(given, str) or given is None else msgspec.json.encode(given).decode()
