"""Steps as ReAct writes them: Thought, Action, Action Input, Observation, and in the end an answer."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolgauge.core import JsonValue

from ..values import Record, text
from .values import WrittenCall, calls_in_value, decode_at, value_of

__all__ = ["WrittenResult", "WrittenSteps", "read_react"]

LABEL = re.compile(
    r"^[ \t>*_#]*(?P<label>thought|action input|action|observation|final answer)(?:[ \t]\d{1,3})?[ \t*_]*:[ \t*_]*",
    re.IGNORECASE | re.MULTILINE,
)
BRACKETS = re.compile(r"(?P<name>[^\W\d][\w .\-]{0,99})\[(?P<input>.*)\]", re.DOTALL)
FINISHING = frozenset({"finish", "final answer", "final_answer", "final response"})
"""Actions, in small letters, by which an answer is given."""

ANSWERS = ("final_answer", "answer", "output", "response", "input")
NO_ACTION = frozenset({"", "none", "n/a", "no action", "[]", "null"})


class WrittenResult(NamedTuple):
    """What a tool answered, written in a text."""

    value: JsonValue
    tool: str | None = None
    failed: bool | None = None
    error: str | None = None


class WrittenSteps(NamedTuple):
    """What the steps of a text say."""

    steps: list[WrittenCall | WrittenResult]
    answer: str | None
    acted: bool = True
    """Whether there is an action, and not an answer alone."""


def read_react(written: str, *, sure: bool) -> WrittenSteps | None:
    """The calls, results and the answer of a text in steps; None where it has no action.

    Args:
        written: The text.
        sure: Whether an action has to have its input in a line of its own, or in JSON, or to follow a thought.
    """
    labels = list(LABEL.finditer(written))
    if not labels:
        return None
    pieces = [
        (label["label"].lower(), written[label.end() : following].strip())
        for label, following in zip(labels, [*(after.start() for after in labels[1:]), len(written)], strict=True)
    ]
    steps: list[WrittenCall | WrittenResult] = []
    answer: str | None = None
    acted = thought = False
    for index, (label, piece) in enumerate(pieces):
        if label == "thought":
            thought = True
        elif label == "observation" and steps:
            steps.append(WrittenResult(piece))
        elif label == "final answer":
            # What an answer says may look like a label.
            answer = written[labels[index].end() :].strip() or None
            return WrittenSteps(steps, answer, acted) if acted or thought or index == 0 else None
        elif label == "action":
            following = pieces[index + 1] if index + 1 < len(pieces) else ("", "")
            given = following[1] if following[0] == "action input" else None
            read = _read_action(piece, given, sure=sure, thought=thought)
            if read is None:
                continue
            acted = True
            answer = read.answer or answer
            steps += read.steps
    return WrittenSteps(steps, answer) if acted else None


def _read_action(action: str, given: str | None, *, sure: bool, thought: bool) -> WrittenSteps | None:
    """What an action says; None where it may be words after a colon."""
    fenced = action.strip("` \t\r\n").removeprefix("json").strip()
    value = _object_in(fenced)
    if value is not None and given is None:
        calls = calls_in_value(value, sure=False, marked=True)
        return None if calls is None else _finished(calls)
    name = action.partition("\n")[0].strip(" \t`*\"'.")
    if name.lower() in NO_ACTION:
        return None
    if given is None:
        bracketed = BRACKETS.fullmatch(action.strip())
        if bracketed is not None:
            return (
                None
                if sure and not thought
                else _finished([WrittenCall(bracketed["name"].strip(), {"input": bracketed["input"]})])
            )
        return _finished([WrittenCall(name, {})]) if thought and " " not in name else None
    return _finished([WrittenCall(name, _arguments(given))])


def _arguments(given: str) -> Record:
    stripped = given.strip("` \t\r\n").removeprefix("json").strip()
    if not stripped or stripped.lower() in ("none", "null", "n/a"):
        return {}
    value = _object_in(stripped)
    return value if isinstance(value, dict) else {"input": given.strip("\"'") if value is None else value}


def _object_in(written: str) -> Record | list[JsonValue] | None:
    """The value that a text is, or begins with where words follow it."""
    value = value_of(written)
    decoded = decode_at(written, 0) if value is None and written.startswith("{") else None
    return value if decoded is None or not isinstance(decoded[0], dict) else decoded[0]


def _finished(calls: list[WrittenCall]) -> WrittenSteps:
    """The calls, without one by which the answer is given."""
    steps: list[WrittenCall | WrittenResult] = []
    answer: str | None = None
    for call in calls:
        if call.name.lower() in FINISHING:
            answer = next((found for key in ANSWERS if (found := text(call.arguments.get(key)))), None)
        else:
            steps.append(call)
    return WrittenSteps(steps, answer)
