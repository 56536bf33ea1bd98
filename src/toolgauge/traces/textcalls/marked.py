"""Calls between marks: the tags and special tokens that chat templates have for them.

A mark may also be quoted, in words about how calls are written. So a call stands on lines of its own, or after a
sentence, and not inside of code, unless somebody says that all such texts are calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec

from toolgauge.core import JsonValue

from ..values import Record
from .python_calls import read_python
from .values import WrittenCall, calls_in_value, decode_at, value_of

__all__ = ["MarkedCalls", "read_marked"]

MAX_FAULTS = 20
"""After so many marks without a call nothing more is looked for."""

BARS = "[|｜]{1,2}"
DEEP = f"<{BARS}tool[▁_]call[▁_]begin{BARS}>"

MARKED = re.compile(
    r"(?P<hermes><(?:tool_calls?|function_calls?|functioncall|TOOLCALL|tool_use)>"
    r"|<\|tool_call\|>|<\|tool_call_start\|>|<\|START_ACTION\|>)"
    r"|(?P<gemma><\|tool_call>|<start_function_call>)"
    r"|(?P<python_tag><\|python_tag\|>)"
    r"|<function=(?P<llama>[^<>\n]{1,200})(?:>|(?=\n<(?:parameter=|/function>)))"
    r"|<(?:antml:|｜DSML｜)?invoke name=\"(?P<xml>[^\"<>\n]{1,200})\">"
    rf"|(?P<deepseek>{DEEP})"
    r"|(?P<harmony><\|message\|>)(?=\s*\{)"
    r"|(?P<mistral>\[TOOL_CALLS\])"
)
"""What calls begin with; the groups are the names of styles."""

TAG = re.compile(r"<(?:[|｜]|tool_|function|start_function|TOOLCALL|invoke |antml:)")
START = re.compile(rf"{TAG.pattern}|\[TOOL_CALLS\]")
"""How marks begin, tags and tokens or all: what is found a hundred times faster than the marks themselves."""

STYLES = {"python_tag": "llama", "gemma": "hermes"}
"""Where the style has another name than the group."""

CLOSED = re.compile(
    r"</(?:tool_calls?|function_calls?|functioncall|TOOLCALL|tool_use)>"
    r"|<(?:tool_calls?|function_calls?|functioncall|TOOLCALL|tool_use)>"
    rf"|<{BARS}[^<>\s]{{1,60}}{BARS}>|<bot_end>|\[TOOL_CALLS\]"
)
"""Where what a mark has begun is over at the latest."""

BEFORE = re.compile(r"\s*(?:```[a-zA-Z_]*\s*)?")
BETWEEN = re.compile(r"[\s;,]*")
AFTER = re.compile(
    rf"(?:[\s;,]|```|</[\w:｜.\-]{{1,60}}>|<{BARS}[^<>\s]{{1,60}}{BARS}>|\[/[A-Z_]{{3,20}}\]|<bot_end>"
    r"|<tool_call\|>|<end_function_call>)*"
)
"""What may stand after a call, on the same line."""

FENCED = re.compile(r"\s*```")
TOKENS = ("<|", "<｜")
"""What special tokens begin with, which nobody writes but to call, or in quotation marks."""

SENTENCE_END = frozenset(".!?…。！？>")
SEPARATOR = re.compile(rf"<{BARS}tool[▁_]sep{BARS}>|<{BARS}tool_call_argument_begin{BARS}>")
END_OF_DEEP = re.compile(rf"<{BARS}tool[▁_]call[▁_]end{BARS}>|{DEEP}")
ADDRESS = re.compile(r"\bto=(?:functions\.)?([\w.\-]{1,200})[^{}\n]{0,80}\Z")
ADDRESSED = 300
"""So many characters before a message are looked at to learn to whom it is addressed."""

NAMED_ARGUMENTS = re.compile(
    r"\s*(?P<name>[^\W\d][\w.\-]{0,199})\s*(?:\[CALL_ID\](?P<id>\w{1,100}))?(?:\[ARGS\])?\s*(?=\{)"
)
PARAMETER = re.compile(
    r"\s*<(?:antml:|｜DSML｜)?parameter(?:=(?P<bare>[^<>\n]{1,200})"
    r"|\s+name=\"(?P<name>[^\"<>\n]{1,200})\"(?:\s+string=\"(?P<string>true|false)\")?)>"
)
CLOSED_PARAMETER = re.compile(r"</(?:antml:|｜DSML｜)?parameter>")
CLOSED_FUNCTION = re.compile(r"\s*</(?:antml:|｜DSML｜)?(?:function|invoke)>")
GLM_NAME = re.compile(r"\s*(?P<name>[^\W\d][\w.\-]{0,199})\s*(?=<arg_key>|\{|</tool_call>|\Z)")
GLM_ARGUMENT = re.compile(
    r"\s*<arg_key>(?P<key>[^<]{1,200})</arg_key>"
    r"\s*<arg_value>(?P<value>[^<]*(?:<(?!/arg_value>)[^<]*)*)</arg_value>"
)


GEMMA_CALL = re.compile(r"\s*call:(?P<name>[^\W\d][\w.\-]{0,199})(?=\{)")
GEMMA_END = re.compile(r"<tool_call\|>|<end_function_call>")
GEMMA_QUOTES = re.compile(r"<\|\"\|>|<escape>")
GEMMA_KEY = re.compile(r"([{,]\s*)([^\W\d][\w.\-]{0,199})\s*:")


class MarkedCalls(NamedTuple):
    """What was found between marks."""

    style: str
    """How the first of them is written."""
    calls: list[WrittenCall]
    broken: int
    """How many marks begin no call that could be read."""
    quoted: int
    """How many calls stand in words about them."""


class _Body(NamedTuple):
    """What follows a mark."""

    calls: list[WrittenCall]
    end: int


def _next_mark(text: str, position: int = 0, start_of: re.Pattern[str] = TAG) -> re.Match[str] | None:
    """The next mark of a call, from a position on, that begins in some way."""
    while (start := start_of.search(text, position)) is not None:
        mark = MARKED.match(text, start.start())
        if mark is not None:
            return mark
        position = start.end()
    return None


def read_marked(text: str, *, sure: bool, styles: Collection[str] = ()) -> MarkedCalls | None:
    """The calls of a text that stand between marks; None where there are no marks.

    Args:
        text: The text.
        sure: Whether calls that may be quoted are left out.
        styles: The only styles that are looked for; default: all.
    """
    calls: list[WrittenCall] = []
    first = ""
    position = ended = fences = faults = quoted = 0
    start_of = START if "[TOOL_CALLS]" in text else TAG
    while faults < MAX_FAULTS and (mark := _next_mark(text, position, start_of)) is not None:
        group = mark.lastgroup or ""
        style = STYLES.get(group, group)
        following = BEFORE.match(text, mark.end())
        if styles and style not in styles and MARKED.match(text, following.end() if following else mark.end()) is None:
            position = mark.end()
            continue
        first = first or style
        body = BODIES[group](text, mark)
        if body is None:
            nested = following is not None and MARKED.match(text, following.end()) is not None
            nested = nested or (group == "harmony" and _address(text, mark) is None)
            # A mark around others is no fault, such as one around all calls of a message.
            faults += not nested
            position = mark.end()
            continue
        fences += text.count("```", ended, mark.start())
        if sure and _is_quoted(text, ended, mark.start(), body.end, fences):
            quoted += len(body.calls)
        else:
            calls += body.calls
        fences += text.count("```", mark.start(), body.end)
        position = ended = body.end
    return MarkedCalls(first, calls, faults, quoted) if first else None


def _is_quoted(text: str, since: int, start: int, end: int, fences: int) -> bool:
    """Whether a call seems to be shown rather than made.

    Args:
        text: The text.
        since: Where the call before it ended.
        start: Where it begins.
        end: Where it ends.
        fences: How many fences of code stand before it.
    """
    if fences % 2 and not (fences == 1 and FENCED.match(text)):
        return True
    if text.startswith(TOKENS, start):
        return text[start - 1 : start] in ("`", '"', "'")
    gap = text[since:start]
    _, newline, line = gap.rpartition("\n")
    before = line.lstrip(" \t*->`" if fences % 2 else " \t*->").rstrip()
    if before and (newline or since == 0) and before[-1] not in SENTENCE_END:
        return True
    if since and not newline and gap.strip(" \t\r;,") and AFTER.fullmatch(gap) is None:
        return True
    after = AFTER.match(text, end)
    stop = after.end() if after is not None else end
    return stop < len(text) and "\n" not in text[end:stop] and MARKED.match(text, stop) is None


def _read_values(text: str, mark: re.Match[str]) -> _Body | None:
    """JSON after a mark, one value or several; else whatever stands there until the mark is closed."""
    start = mark.end()
    before = BEFORE.match(text, start)
    position = end = before.end() if before is not None else start
    found: list[WrittenCall] = []
    read = False
    while text[position : position + 1] in ("{", "[") and MARKED.match(text, position) is None:
        decoded = decode_at(text, position)
        calls = None if decoded is None else calls_in_value(decoded[0], sure=False, marked=True)
        if decoded is None or calls is None:
            break
        found, read, end = found + calls, True, decoded[1]
        between = BETWEEN.match(text, end)
        position = between.end() if between is not None else end
    if read:
        return _Body(found, end)
    closed = CLOSED.search(text, start)
    end = closed.start() if closed is not None else len(text)
    calls = _written_otherwise(text[start:end])
    return None if calls is None else _Body(calls, end)


def _written_otherwise(inner: str) -> list[WrittenCall] | None:
    """Calls between marks that are no JSON: Python's objects and calls, a name before the arguments."""
    inner = inner.strip(" \t\r\n`").removeprefix("json")
    value = value_of(inner)
    calls = None if value is None else calls_in_value(value, sure=False, marked=True)
    return calls if calls is not None else read_python(inner, sure=False) or _named(inner)


def _named(inner: str) -> list[WrittenCall] | None:
    """A name, and after it the arguments: as JSON, or key by key."""
    named = GLM_NAME.match(inner)
    if named is None:
        return None
    rest = inner[named.end() :]
    if rest.startswith("{"):
        decoded = decode_at(rest, 0)
        return None if decoded is None or not isinstance(decoded[0], dict) else [WrittenCall(named["name"], decoded[0])]
    arguments: Record = {}
    position = named.end()
    while (argument := GLM_ARGUMENT.match(inner, position)) is not None:
        arguments[argument["key"].strip()] = _plain_value(argument["value"])
        position = argument.end()
    return None if inner[position:].strip() else [WrittenCall(named["name"], arguments)]


def _plain_value(written: str, *, string: bool | None = None) -> JsonValue:
    """A value between tags. Unless it is said to be a text, what reads as a number or as JSON is that."""
    value = written.removeprefix("\n").removesuffix("\n")
    if string is True:
        return value
    stripped = value.strip()
    if stripped[:1] not in ("{", "[", "-", *"0123456789") and stripped not in ("true", "false", "null"):
        return value
    try:
        decoded: JsonValue = msgspec.json.decode(stripped)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        found = value_of(stripped)
        return value if found is None else found
    return decoded


def _read_function(text: str, mark: re.Match[str]) -> _Body | None:
    """The arguments of `<function=name>` or `<invoke name="…">`: JSON, or a tag for each."""
    name = (mark["llama"] or mark["xml"]).strip().strip("\"'")
    before = BEFORE.match(text, mark.end())
    position = before.end() if before is not None else mark.end()
    arguments: Record = {}
    if text.startswith("{", position):
        decoded = decode_at(text, position)
        if decoded is None or not isinstance(decoded[0], dict):
            closed = text.find("</function>", position)
            value = value_of(text[position:closed]) if closed >= 0 else None
            return _Body([WrittenCall(name, value)], closed + len("</function>")) if isinstance(value, dict) else None
        arguments, position = decoded[0], decoded[1]
    else:
        while (parameter := PARAMETER.match(text, position)) is not None:
            closed_parameter = CLOSED_PARAMETER.search(text, parameter.end())
            if closed_parameter is None:
                return None
            key = parameter["bare"] or parameter["name"]
            string = None if parameter["string"] is None else parameter["string"] == "true"
            arguments[key.strip()] = _plain_value(text[parameter.end() : closed_parameter.start()], string=string)
            position = closed_parameter.end()
    closed_function = CLOSED_FUNCTION.match(text, position)
    if closed_function is None:
        # Cut off, or closed in another way: what was read so far is a call only if it has arguments.
        return _Body([WrittenCall(name, arguments)], position) if arguments else None
    return _Body([WrittenCall(name, arguments)], closed_function.end())


def _read_separated(text: str, mark: re.Match[str]) -> _Body | None:
    """The name, a separator and the arguments, as DeepSeek and Kimi write them."""
    closed = END_OF_DEEP.search(text, mark.end())
    stop = closed.start() if closed is not None else len(text)
    end = stop if closed is None or closed[0] == mark[0] else closed.end()
    parts = SEPARATOR.split(text[mark.end() : stop], maxsplit=1)
    if len(parts) < 2:
        return None
    name, rest = parts[0].strip(), parts[1].strip()
    if name == "function" and not rest.startswith("{"):
        name, _, rest = rest.partition("\n")
    rest = rest.strip(" \t\r\n`").removeprefix("json").strip()
    identity: JsonValue = name if ":" in name else None
    name = name.strip().rpartition(":")[0] if identity else name.strip()
    arguments = value_of(rest) if rest else {}
    if not name or not isinstance(arguments, dict):
        return None
    return _Body([WrittenCall(name, arguments, identity)], end)


def _read_addressed(text: str, mark: re.Match[str]) -> _Body | None:
    """The arguments of a message that is addressed to a tool, as in OpenAI's format for open models."""
    address = _address(text, mark)
    before = BEFORE.match(text, mark.end())
    decoded = None if address is None else decode_at(text, before.end() if before is not None else mark.end())
    if address is None or decoded is None or not isinstance(decoded[0], dict):
        return None
    return _Body([WrittenCall(address, decoded[0])], decoded[1])


def _address(text: str, mark: re.Match[str]) -> str | None:
    """The tool that a message is addressed to; None where it is meant for people."""
    address = ADDRESS.search(text, max(0, mark.start() - ADDRESSED), mark.start())
    return None if address is None else address[1].rstrip(".") or None


def _read_mistral(text: str, mark: re.Match[str]) -> _Body | None:
    """A list of calls, or a name before the arguments."""
    found: list[WrittenCall] = []
    position = mark.end()
    while (named := NAMED_ARGUMENTS.match(text, position)) is not None:
        decoded = decode_at(text, named.end())
        if decoded is None or not isinstance(decoded[0], dict):
            break
        found.append(WrittenCall(named["name"], decoded[0], named["id"]))
        position = decoded[1]
    return _Body(found, position) if found else _read_values(text, mark)


def _read_gemma(text: str, mark: re.Match[str]) -> _Body | None:
    """A name and its arguments, whose keys have no quotation marks, and whose texts have tokens for them."""
    named = GEMMA_CALL.match(text, mark.end())
    if named is None:
        return None
    closed = GEMMA_END.search(text, named.end())
    stop = closed.start() if closed is not None else len(text)
    parts = GEMMA_QUOTES.split(text[named.end() : stop])
    written = [json.dumps(part) if at % 2 else GEMMA_KEY.sub(r'\1"\2":', part) for at, part in enumerate(parts)]
    decoded = decode_at("".join(written), 0)
    if decoded is None or not isinstance(decoded[0], dict):
        return None
    return _Body([WrittenCall(named["name"], decoded[0])], stop)


BODIES: dict[str, Callable[[str, re.Match[str]], _Body | None]] = {
    "hermes": _read_values,
    "gemma": _read_gemma,
    "python_tag": _read_values,
    "llama": _read_function,
    "xml": _read_function,
    "deepseek": _read_separated,
    "harmony": _read_addressed,
    "mistral": _read_mistral,
}
