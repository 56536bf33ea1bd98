"""Calls as Python writes them: `[f(a=1), g(b="x")]`, also with names that Python would not allow."""

from __future__ import annotations

import re

from ..formats.calltext import read_plain_calls
from .values import LONGEST, WrittenCall, decode_at, plain_source

__all__ = ["read_python"]

PREFIX = re.compile(r"(?:API-Request|Call)\s*:\s*")
"""What API-Bank and Raven write before calls."""

CALLED = re.compile(r"\s*(?P<name>[^\W\d][^()\[\]{},;\"'=<>\n`\\]{0,99}?)\s*\(")
BETWEEN = re.compile(r"\s*[,;]?\s*")
PLAIN_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
MARK = re.compile(r"""[\\"'()\[\]{}]""")
TOOL_CODE = re.compile(r"```tool_code[ \t]*\n(.*)\n?```", re.DOTALL)
FENCED = re.compile(r"```(?:python|py|json|text)?[ \t]*\n(.*)\n?```", re.DOTALL)
WRAPPED = re.compile(r"print\((?P<call>[^\W\d][\w.]*\(.*\))\)", re.DOTALL)
ENDS = frozenset("])\"'`;>\\")


def read_python(text: str, *, sure: bool) -> list[WrittenCall] | None:
    """The calls that a text is, as Python writes them; None where it is no such text.

    Args:
        text: The text.
        sure: Whether it has to be beyond doubt: a list in brackets, or a block of `tool_code`, whose arguments all have
            names. A bare call may be a line of code that somebody asked for.
    """
    text, ended, _ = text.strip().partition("<bot_end>")
    text = text.rstrip()
    if not text or len(text) > LONGEST or "(" not in text or text[-1] not in ENDS:
        return None
    text, marked = _bare(text)
    marked = marked or bool(ended)
    if sure and not marked and not (text.startswith("[") and text.endswith("]")):
        return None
    calls = _calls(text)
    if calls is None and "\\" in text:
        calls = _calls(text.replace('\\"', '"').replace("\\'", "'").replace("\\_", "_"))
    if not calls or (sure and any(call.unnamed for call in calls)):
        return None
    return None if not marked and not text.startswith("[") and not _say_something(calls) else calls


def _bare(text: str) -> tuple[str, bool]:
    """The text without quotation marks, a fence or a prefix around it, and whether these mark it as a call."""
    if text[0] in "\"'" and text[-1] == text[0] and len(text) > 1:
        decoded = decode_at(text, 0)
        whole = decoded is not None and decoded[1] == len(text)
        text = decoded[0].strip() if whole and decoded and isinstance(decoded[0], str) else text[1:-1].strip()
    fenced = TOOL_CODE.fullmatch(text)
    marked = fenced is not None
    fenced = fenced or FENCED.fullmatch(text)
    if fenced is not None:
        text = fenced[1].strip()
    text = text.strip("`")
    prefixed = PREFIX.match(text)
    if prefixed is not None:
        marked = marked or prefixed[0].startswith("API")
        text = text[prefixed.end() :]
    wrapped = WRAPPED.fullmatch(text)
    return (wrapped["call"] if wrapped is not None else text).strip(), marked


def _calls(text: str) -> list[WrittenCall] | None:
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    found: list[WrittenCall] = []
    position, end = 0, len(text.rstrip(" \t\r\n;"))
    while position < end:
        called = CALLED.match(text, position)
        close = None if called is None else _closing(text, called.end())
        if called is None or close is None:
            return None
        call = _call(called["name"].strip(), text[called.end() : close])
        if call is None:
            return None
        found.append(call)
        between = BETWEEN.match(text, close + 1)
        position = between.end() if between is not None else close + 1
    return found


def _call(name: str, arguments: str) -> WrittenCall | None:
    source = plain_source(f"call({arguments})")
    read = None if source is None else read_plain_calls(source)
    if read is None or len(read) != 1 or read[0].name != "call":
        return None
    return WrittenCall(name.removesuffix(".call"), read[0].arguments, None, read[0].unnamed)


def _closing(text: str, position: int) -> int | None:
    """Where the parenthesis ends that was opened before a position, those inside of quotes aside."""
    depth = 1
    quote = ""
    while (mark := MARK.search(text, position)) is not None:
        letter, position = mark[0], mark.end()
        if letter == "\\":
            position += 1
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return mark.start() if letter == ")" else None
    return None


def _say_something(calls: list[WrittenCall]) -> bool:
    """Whether bare calls may be meant for tools: names as in code, and arguments with names."""
    return all(PLAIN_NAME.fullmatch(call.name) for call in calls) and any(call.arguments for call in calls)
