"""What stands in the cells of a table: lists of words, expected calls as JSON, typed answers."""

from __future__ import annotations

from toolgauge.core import ExpectedCall, JsonValue, nfc
from toolgauge.files import BadJson, BadList, convert, decode_json, filled, format_path, parse_words, shorten

from .loose import call_of

__all__ = ["BadCell", "read_answer", "read_calls", "read_words"]

ANSWER_TYPES = ("string", "number", "time", "list", "boolean", "text")

YES = frozenset({"true", "yes", "1", "có", "đúng"})
NO = frozenset({"false", "no", "0", "không", "sai"})

NO_TOOL = frozenset({"none", "no tool", "no tools", "không", "không có", "không dùng", "-", "–", "—"})
"""How people write that no tool may be called."""

SEPARATORS = str.maketrans(";|\n", ",,,")
"""In a table whose columns are separated by commas, words are often separated by something else."""


class BadCell(ValueError):  # noqa: N818 - carries what is wrong; the reader of the row makes the problem
    """A cell that cannot be read."""

    def __init__(self, column: str, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.column, self.what, self.hint = column, what, hint


def read_words(cell: str, column: str) -> list[str]:
    """The words of a cell.

    Raises:
        BadCell: It begins like a list and is none.
    """
    try:
        words = parse_words(cell, quotes_are_text=column == "contains")
    except BadList as error:
        raise BadCell(column, f"not a list: {error}", "write ['one', 'two'] or: one, two") from error
    return [nfc(word.strip()) for word in words if word.strip()]


def read_calls(tools: str, calls: str, args: str) -> tuple[ExpectedCall, ...] | None:
    """The expected calls of a row; None where it says nothing about tools.

    Args:
        tools: Names of tools, or a JSON list of calls as some tools export it.
        calls: A JSON list of expected calls, as in a suite.
        args: A JSON object with the arguments of the only call.

    Raises:
        BadCell: A cell cannot be read, or two contradict each other.
    """
    tools, calls, args = filled(tools), filled(calls), filled(args)
    if calls and tools:
        raise BadCell("calls", "the row has expected calls and tools too", "leave one of the two cells empty")
    if calls:
        found = tuple(_call(item, index) for index, item in enumerate(_listed(calls, "calls")))
    elif tools.startswith("[") and tools[1:].lstrip().startswith("{"):
        found = tuple(_loose(item, index, "tools") for index, item in enumerate(_listed(tools, "tools")))
    elif nfc(tools).casefold() in NO_TOOL:
        found = ()
    elif tools:
        names = tools if tools.startswith("[") else tools.translate(SEPARATORS)
        found = tuple(map(ExpectedCall, read_words(names, "tools")))
    elif args:
        raise BadCell("args", "there are arguments, and no expected tool", "name the tool that they are for")
    else:
        return None
    return found if not args else (_with_args(found, args),)


def _with_args(calls: tuple[ExpectedCall, ...], cell: str) -> ExpectedCall:
    if len(calls) != 1 or calls[0].args:
        what = f"there are arguments, and {len(calls)} expected tools" if len(calls) != 1 else "arguments twice"
        raise BadCell("args", what, "write a JSON list of expected calls into a column 'calls'")
    args = _json(cell, "args")
    if not isinstance(args, dict):
        raise BadCell("args", f"expected a JSON object, found {shorten(cell)}", 'write {"city": "Hanoi"}')
    return ExpectedCall(calls[0].tool, args)


def _listed(cell: str, column: str) -> list[JsonValue]:
    value = _json(cell, column)
    if not isinstance(value, list):
        raise BadCell(column, f"expected a JSON list, found {shorten(cell)}", 'write [{"tool": "search"}]')
    return value


def _json(cell: str, column: str) -> JsonValue:
    try:
        return decode_json(cell.encode("utf-8"))
    except BadJson as error:
        raise BadCell(column, f"not JSON: {error.problem.what}", error.problem.hint) from error


def _call(item: JsonValue, index: int) -> ExpectedCall:
    """An expected call as a suite writes it, in which matchers count, or as other tools do."""
    if not isinstance(item, dict) or "tool" not in item:
        return _loose(item, index, "calls")
    call = convert(item, ExpectedCall)
    if isinstance(call, ExpectedCall):
        return call
    fault = call[0]
    raise BadCell("calls", f"{fault.what}, at {format_path((index, *fault.path))}", fault.hint)


def _loose(item: JsonValue, index: int, column: str) -> ExpectedCall:
    call = call_of(item)
    if call is None:
        raise BadCell(column, f"no name of a tool, at [{index}]", 'write {"tool": "search", "args": {}}')
    return call


def read_answer(cell: str, kind: str) -> dict[str, JsonValue] | None:
    """The typed answer of a row; None where it states none. Without a type it is a string.

    Raises:
        BadCell: It cannot be read.
    """
    cell, kind = filled(cell), filled(kind).lower()
    if not cell:
        return None
    if kind and kind not in ANSWER_TYPES:
        raise BadCell("answer_type", f"{shorten(kind)} is no type of answer", f"known: {', '.join(ANSWER_TYPES)}")
    if cell.startswith("{"):
        spec = _json(cell, "answer")
        return {"type": kind or "string", **spec} if isinstance(spec, dict) else None
    if kind == "text":
        return {"type": "text", "contains": [*read_words(cell, "contains")]}
    if kind == "list":
        return {"type": "list", "value": [*read_words(cell, "answer")]}
    if kind == "boolean":
        if cell.casefold() not in YES | NO:
            raise BadCell("answer", f"{shorten(cell)} is neither true nor false")
        return {"type": "boolean", "value": cell.casefold() in YES}
    return {"type": kind or "string", "value": nfc(cell)}
