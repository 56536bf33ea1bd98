"""What stands in the cells of a table: lists of words, expected calls as JSON, answers."""

from __future__ import annotations

import re

from toolgauge.core import ExpectedCall, JsonValue, nfc
from toolgauge.files import BadJson, BadList, convert, decode_json, filled, format_path, parse_words, shorten
from toolgauge.locale import Locale

from .headings import folded
from .imported import call_of

__all__ = ["TOLERANCES", "BadCell", "read_answer", "read_calls", "read_words"]

NO_TOOL = frozenset({"none", "no tool", "no tools", "không", "không có", "không dùng", "-", "–", "—"})
"""How people write that no tool may be called."""

TOLERANCES = {"time": "tolerance_years", "number": "tolerance"}
"""The key of a tolerance, by the type of the answer."""

YEARS = re.compile(r"±?\s*(\d{1,4})\s*(?:năm|years?)?", re.IGNORECASE)

SEPARATORS = str.maketrans(";|\n", ",,,")
"""In a table whose columns are separated by commas, words are often separated by something else."""

ITEMS = re.compile(r"[;|\n]")
"""The same between the items of an answer, which may hold commas themselves."""


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
        what = (
            f"there are arguments, and {len(calls)} expected tools"
            if len(calls) != 1
            else "the arguments are given twice"
        )
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
        raise BadCell(column, f"no tool name at [{index}]", 'write {"tool": "search", "args": {}}')
    return call


def read_answer(
    cell: str,
    kind: str,
    *,
    unit: str = "",
    tolerance: str = "",
    locale: Locale | None = None,
    now: str | None = None,
) -> dict[str, JsonValue] | None:
    """The answer of a row; None where it states none. Without a type it is an amount, a date or a string.

    Args:
        cell: What the answer is.
        kind: Its type, by name or in the words that people use for it.
        unit: What an amount is counted in, where the cell does not say it.
        tolerance: How far an amount may be off, or a date in years.
        locale: The locale of the row, in which an answer without a type is read.
        now: The day that relative dates count from.

    Raises:
        BadCell: It cannot be read.
    """
    cell, kind, unit, tolerance = (nfc(filled(text)) for text in (cell, kind, unit, tolerance))
    if not cell:
        if unit or tolerance:
            raise BadCell("unit" if unit else "tolerance", "the row has no answer to apply this to")
        return None
    from toolgauge.answers import ANSWER_TYPES, likely_types  # many patterns, for the suites that need them

    name = _answer_type(kind) if kind else None
    spec: dict[str, JsonValue] = {} if name is None else {"type": name}
    if cell.startswith("{"):
        stated = _json(cell, "answer")
        if not isinstance(stated, dict):
            return None
        spec |= stated
    elif name is not None and (words_key := ANSWER_TYPES[name].words_key):
        spec[words_key] = [*_items(cell, "contains" if words_key == "contains" else "answer")]
    else:
        try:
            spec["value"] = cell if name is None else ANSWER_TYPES[name].read_cell(cell)
        except ValueError as error:
            raise BadCell("answer", f"{shorten(cell)} {error}") from error
    if unit:
        spec["unit"] = unit
    if "type" not in spec and (likely := likely_types(spec, locale=locale, now=now)):
        name = likely[0]
        # What may be one or the other is left open.
        spec = {"type": name, **spec} if len(likely) == 1 else spec
    if tolerance:
        key = TOLERANCES.get(name or "", "tolerance")
        spec[key] = _years(tolerance) if key == "tolerance_years" else tolerance
    return spec


def _items(cell: str, column: str) -> list[str]:
    """The items of an answer: what stands between semicolons, bars or line breaks, or else between commas."""
    if cell.startswith("[") or not ITEMS.search(cell):
        return read_words(cell, column)
    return [item.strip() for item in ITEMS.split(cell) if item.strip()]


def _answer_type(written: str) -> str:
    """The type that a word means, in whatever language."""
    from toolgauge.answers import ANSWER_TYPES

    word = folded(written)
    for name, kind in ANSWER_TYPES.items():
        if word == name or word in map(folded, kind.called):
            return name
    known = ", ".join(["string", *(name for name in ANSWER_TYPES if name != "string")])
    raise BadCell("answer_type", f"{shorten(written)} is not a type of answer", f"known: {known}")


def _years(written: str) -> JsonValue:
    """So many years: `1`, `1 năm`, `2 years`."""
    found = YEARS.fullmatch(written)
    return written if found is None else int(found[1])
