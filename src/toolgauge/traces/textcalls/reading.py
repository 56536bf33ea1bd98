"""Which texts are calls: the styles in which models write them, each with what reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from . import MARKED_STYLES, STYLES
from .commands import read_commands
from .looking import KEYS, UNDER_NAME
from .marked import read_marked
from .python_calls import read_python
from .react import WrittenResult, WrittenSteps, read_react
from .values import WrittenCall, calls_in_value, decode_at, value_of

__all__ = ["Doubt", "WrittenText", "after_thinking", "find_doubt", "read_first"]

THOUGHT = ("</think>", "</thinking>", "</thought>")
UNFINISHED = ("<think>", "<thinking>", "<thought>")
FENCED = re.compile(r"```(?:json|tool_call|tool_code|python)?[ \t]*\n(.*)\n?[ \t]*```", re.DOTALL)
NAMED = re.compile(r"(?P<name>[^\W\d][\w.\-]{0,99})[ \t]*\n(?=\{)")
LIKE_A_TOOL = re.compile(r"[_.\-\d]|[a-z][A-Z]")
BLOCKS = re.compile(
    r"^```(?:json|tool_call)?[ \t]*\n(?=[{\[])|^(?=\{)|:[ \t]+(?=[{\[][{ \t]*[\"'](?:name|tool_calls)[\"'])",
    re.MULTILINE,
)
MAX_FAULTS = 20

UNKNOWN_STYLE = "in no style that is known"
STRANGE = re.compile(
    r"✿FUNCTION✿|<<function>>|<start_function_call>|<\|tool_calls\|>|\bto=functions\.\w"
    r"|<(?:use_mcp_tool|tool_name|tool_input|action_input|execute|execute_\w{1,20})>"
    r"|(?:^|\n)[ \t*]{0,8}(?:Tool|Function)(?: call)?[ \t*]{0,8}:[ \t*]{0,8}[\w.\-]{1,100}"
    r"(?:\(|[ \t*]{0,8}\n[ \t*]{0,8}(?:Arguments|Args|Parameters|Input)[ \t*]{0,8}:)"
    r"|(?:^|\n)[ \t*]{0,8}Action[ \t*]{0,8}:[ \t*]{0,8}[\w.\-]{1,100}\("
)
"""How calls look in styles that are not read: they are counted, so that nobody takes the agent for one that called
nothing."""
CALL_OF_OBJECT = re.compile(r"[^\W\d][\w.]{0,99}\(\{")
QUOTED_CALL = re.compile(r"[^\W\d][\w.]{0,99}\(.{0,10000}\)", re.DOTALL)


class WrittenText(NamedTuple):
    """What a text turned out to be."""

    style: str
    steps: list[WrittenCall | WrittenResult]
    answer: str | None = None
    """What is said after all steps, where the text tells it apart."""
    broken: int = 0
    """How many calls in it could not be read."""
    acted: bool = True
    """Whether there is an action in it, and not an answer alone."""


class Doubt(NamedTuple):
    """A text that looks like a call, and was not read as one."""

    style: str
    readable: bool
    """Whether it is read where its style is asked for."""


def find_doubt(text: str, known: Callable[[str], bool] | None = None) -> Doubt | None:
    """Why a text that was not read as a call looks like one; None where it does not."""
    found = read_first(text, [style for style in STYLES if style != "bash"], sure=False, known=known)
    if found is not None and found.steps:
        return Doubt(found.style, readable=True)
    marked = read_marked(text, sure=False)
    if marked is not None and marked.broken:
        return Doubt(marked.style, readable=False)
    return Doubt(UNKNOWN_STYLE, readable=False) if _is_strange(text) else None


def _is_strange(words: str) -> bool:
    """Whether a text looks like a call in a style that is not read."""
    text = words.strip()
    if STRANGE.search(text) is not None or (text.endswith("})") and CALL_OF_OBJECT.match(text) is not None):
        return True
    if not text.startswith('["'):
        return False
    items = value_of(text)
    return (
        isinstance(items, list)
        and bool(items)
        and all(isinstance(item, str) and QUOTED_CALL.fullmatch(item) is not None for item in items)
    )


def after_thinking(words: str) -> str:
    """A text without what the model thought before it; empty where it never came to an end."""
    for mark in THOUGHT:
        if mark in words:
            words = words.rpartition(mark)[2]
    return "" if words.lstrip().startswith(UNFINISHED) else words.strip()


def read_first(
    text: str, styles: tuple[str, ...] | list[str], *, sure: bool, known: Callable[[str], bool] | None = None
) -> WrittenText | None:
    """What a text is in the first of these styles that it is written in."""
    marked = [style for style in styles if style in MARKED_STYLES]
    if marked and ("<" in text or "[TOOL_CALLS]" in text):
        found = read_marked(text, sure=sure, styles=() if len(marked) == len(MARKED_STYLES) else marked)
        if found is not None and found.calls:
            return WrittenText(found.style, [*found.calls], None, found.broken)
    for style in styles:
        read = READERS.get(style)
        written = None if read is None else read(text, sure, known)
        if written is not None:
            return written
    return None


def _read_json(text: str, sure: bool, known: Callable[[str], bool] | None) -> WrittenText | None:
    fenced = FENCED.fullmatch(text)
    whole = (fenced[1] if fenced is not None else text).strip()
    if whole[:1] in ("{", "["):
        calls = _values(whole, sure=sure)
        if calls is None and (value := value_of(whole)) is not None:
            calls = calls_in_value(value, sure=sure)
        if calls:
            return WrittenText("json", [*calls])
        if not sure and (called := _by_name(whole, known)):
            return WrittenText("json", [*called])
    return None if sure else _json_in_words(text)


def _by_name(whole: str, known: Callable[[str], bool] | None) -> list[WrittenCall]:
    """Calls as an object with the arguments of each under its name, which has to look like that of a tool."""
    value = value_of(whole) if UNDER_NAME.match(whole) is not None else None
    if not isinstance(value, dict):
        return []
    calls = [WrittenCall(name, given) for name, given in value.items() if isinstance(given, dict)]
    named = all(LIKE_A_TOOL.search(call.name) or (known is not None and known(call.name)) for call in calls)
    return calls if named and len(calls) == len(value) else []


def _values(text: str, *, sure: bool) -> list[WrittenCall] | None:
    """Calls as JSON values one after the other, and nothing else."""
    found: list[WrittenCall] = []
    position = 0
    while position < len(text):
        decoded = decode_at(text, position) if text[position] in "{[" else None
        calls = None if decoded is None else calls_in_value(decoded[0], sure=sure)
        if decoded is None or calls is None:
            return None
        found += calls
        position = decoded[1]
        while position < len(text) and text[position] in " \t\r\n;,":
            position += 1
    return found


def _json_in_words(text: str) -> WrittenText | None:
    """Calls as JSON on lines of their own, or in blocks of code, with words around them."""
    if not any(key in text for key in KEYS):
        return None
    found: list[WrittenCall] = []
    faults = end = 0
    for block in BLOCKS.finditer(text):
        if block.end() < end:
            continue
        decoded = decode_at(text, block.end())
        calls = None if decoded is None else calls_in_value(decoded[0], sure=True)
        if decoded is not None and calls:
            found += calls
            end = decoded[1]
        else:
            faults += 1
            if faults >= MAX_FAULTS:
                break
    return WrittenText("json", [*found]) if found else None


def _read_name(text: str, sure: bool, known: Callable[[str], bool] | None) -> WrittenText | None:
    """A name in one line and the arguments in the next, as GLM-4 writes calls."""
    found: list[WrittenCall] = []
    position = 0
    while position < len(text):
        named = NAMED.match(text, position)
        decoded = None if named is None else decode_at(text, named.end())
        if named is None or decoded is None or not isinstance(decoded[0], dict):
            return None
        name = named["name"]
        if sure and not (LIKE_A_TOOL.search(name) or (known is not None and known(name))):
            return None
        found.append(WrittenCall(name, decoded[0]))
        position = decoded[1]
        while position < len(text) and text[position].isspace():
            position += 1
    return WrittenText("name", [*found]) if found else None


def _read_python(text: str, sure: bool, known: Callable[[str], bool] | None) -> WrittenText | None:  # noqa: ARG001
    calls = read_python(text, sure=sure)
    return WrittenText("python", [*calls]) if calls else None


def _read_react(text: str, sure: bool, known: Callable[[str], bool] | None) -> WrittenText | None:  # noqa: ARG001
    read: WrittenSteps | None = read_react(text, sure=sure) if "ction" in text or "nswer" in text else None
    if read is None or not (read.steps or read.answer):
        return None
    return WrittenText("react", read.steps, read.answer, acted=read.acted)


def _read_bash(text: str, sure: bool, known: Callable[[str], bool] | None) -> WrittenText | None:  # noqa: ARG001
    calls = [] if sure else read_commands(text)
    return WrittenText("bash", [*calls]) if calls else None


READERS: dict[str, Callable[[str, bool, Callable[[str], bool] | None], WrittenText | None]] = {
    "json": _read_json,
    "name": _read_name,
    "python": _read_python,
    "react": _read_react,
    "bash": _read_bash,
}
