"""Suites as CSV: one case a row, the columns with a meaning by heading, every other column a label.

In the cells stand lists of words, expected calls as JSON, and typed answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, nfc
from toolgauge.errors import InputError, Problem
from toolgauge.files import (
    BadJson,
    BadList,
    CsvTable,
    InputFile,
    convert,
    decode_json,
    delimiter_of,
    filled,
    format_path,
    near_column,
    parse_words,
    shorten,
)

from ..check import check_case, repeated_ids
from .headings import MEANINGS, USUAL_LABELS, ColumnMeanings, check_meanings, find_columns, folded
from .imported import call_of

__all__ = ["BadCell", "read_answer", "read_calls", "read_table_cases", "read_words", "refuse_unknown_table"]

EXPECTING = frozenset({"tools", "calls", "contains", "answer"})
"""The columns that say what is expected."""

NO_HEADERS = ("-", "#", "%", "&", "!", "<")
"""How lines begin that are no headings, but YAML or markup."""

RESULT_COLUMNS = ("failed_tools", "failed_tools_count")

DEEPEVAL_MARKS = frozenset({"actual output", "expected output", "tools called"})
"""The columns, beside `input`, by which a dataset that deepeval saved is known."""

DEEPEVAL_COLUMNS = DEEPEVAL_MARKS | {
    "name",
    "retrieval context",
    "context",
    "comments",
    "source file",
    "token cost",
    "input token count",
    "output token count",
    "additional metadata",
    "custom column key values",
    "expectations",
}
"""The columns of such a dataset that have no counterpart in a suite, and are no labels either."""

DEFAULT_ANSWER_TYPE = "string"

NO_TOOL = frozenset({"none", "no tool", "no tools", "không", "không có", "không dùng", "-", "–", "—"})
"""How people write that no tool may be called."""

SEPARATORS = str.maketrans(";|\n", ",,,")
"""In a table whose columns are separated by commas, words are often separated by something else."""


def read_table_cases(
    source: InputFile,
    remark: Callable[[str], None] | None = None,
    columns: Mapping[str, str] | None = None,
) -> list[Case]:
    """The cases of a CSV file.

    Args:
        source: The file.
        remark: Takes what is worth a word but no fault.
        columns: By meaning the heading that stands for it, where the heading itself does not say so.

    Raises:
        InputError: The file is not as it should be.
        UsageError: A meaning is none.
    """
    check_meanings(columns or {})
    table = CsvTable(source, {})
    meant = _columns(table, columns or {}, remark)
    cases: list[Case] = []
    lines: list[int] = []
    for line, row in table:
        found = len(table.problems.found)
        case = _Row(table, meant, line, row).case()
        if len(table.problems.found) == found:
            cases.append(case)
            lines.append(line)
    if "id" not in meant.headings:
        return _numbered(cases)
    for index, first, name in repeated_ids(case.id for case in cases):
        what = f"the id {shorten(name)} is already used in line {lines[first]}"
        table.problems.add(Problem(what, lines[index], meant.headings["id"]))
    table.problems.raise_if_any()
    return cases


def _columns(table: CsvTable, wanted: Mapping[str, str], remark: Callable[[str], None] | None) -> ColumnMeanings:
    _refuse_results(table)
    meant = find_columns(table.columns, wanted)
    if not isinstance(meant, ColumnMeanings):
        raise InputError(table.source.name, meant)
    if not meant.headings.keys() & {"id", "input"}:
        hint = f"the columns are: {', '.join(table.columns)}; say which one it is: --columns input=HEADING"
        near = next((hint for name in table.columns if (hint := near_column(name, ("input", "query", "question")))), "")
        raise InputError(table.source.name, Problem("there is no column 'id' or 'input'", 1, hint=near or hint))
    meant = _without_deepeval(table, meant, remark)
    _look_for_slips(table, meant, remark)
    unused = [heading for heading, name in meant.labels.items() if name not in USUAL_LABELS]
    if remark is not None and unused and EXPECTING.isdisjoint(meant.headings):
        listed = ", ".join(map(shorten, unused))
        remark(
            f"{table.source.name}: no column says what is expected; these are taken for labels: {listed}; "
            "say which one holds the tools: --columns tools=HEADING"
        )
    return meant


def refuse_unknown_table(source: InputFile) -> None:
    """Refuse a file that looks like a table, of which no heading is known.

    Raises:
        InputError: It is one.
    """
    header = (source.opening.splitlines() or [b""])[0].decode("utf-8", "replace")
    headings = [name.strip().strip('"') for name in header.split(delimiter_of(header))]
    if len(headings) < 2 or not all(headings) or ":" in header or header.startswith(NO_HEADERS):
        return
    hint = f"its headings are: {', '.join(headings)}; say what they mean: --columns input=HEADING,tools=HEADING"
    raise InputError(source.name, Problem("this looks like a table, and none of its headings is known", 1, hint=hint))


def _refuse_results(table: CsvTable) -> None:
    for name in RESULT_COLUMNS:
        if name in table.columns:
            what = f"{name!r} is a column of recorded results, not of a suite"
            raise InputError(table.source.name, Problem(what, 1, name, "give the suite first, then the results"))


def _without_deepeval(table: CsvTable, meant: ColumnMeanings, remark: Callable[[str], None] | None) -> ColumnMeanings:
    """Leave out what a dataset of deepeval holds besides expected tools, and say so."""
    if not DEEPEVAL_MARKS.issubset(map(folded, table.columns)):
        return meant
    left_out = [heading for heading in meant.labels if folded(heading) in DEEPEVAL_COLUMNS]
    if remark is not None:
        remark(f"deepeval columns that have no counterpart here are left out: {', '.join(left_out)}")
    return ColumnMeanings(meant.headings, {key: name for key, name in meant.labels.items() if key not in left_out})


def _look_for_slips(table: CsvTable, meant: ColumnMeanings, remark: Callable[[str], None] | None) -> None:
    """Refuse a column that is nearly `tools`, without which every case would expect nothing; remark on others."""
    names = meant.labels.values()
    free = [name for name in (*MEANINGS, *USUAL_LABELS) if name not in meant.headings and name not in names]
    if not {"tools", "calls"} & meant.headings.keys():
        free.append("expected_tools")
    tools = [name for name in free if name in ("tools", "expected_tools")]
    for heading, name in meant.labels.items():
        if name in USUAL_LABELS:
            continue
        if hint := near_column(heading, tools):
            table.problems.add(Problem(f"{shorten(heading)} is not a column with a known meaning", 1, heading, hint))
        elif remark is not None and (hint := near_column(heading, free)):
            remark(f"{table.source.name}: the column {shorten(heading)} is taken for a label; {hint}")
    table.problems.raise_if_any()


class _Row:
    """One row of a table, on the way to becoming a case."""

    def __init__(self, table: CsvTable, columns: ColumnMeanings, line: int, row: Mapping[str, str]) -> None:
        self._table = table
        self._columns = columns
        self._line = line
        self._row = row

    def case(self) -> Case:
        """The case; what is wrong with it is added to the problems of the table."""
        headings = self._columns.headings
        for name in ("id", "input"):
            if name in headings and not self._cell(name) and (name == "id" or "id" not in headings):
                self._refuse(name, "the cell is empty")
        labels = {name: nfc(text) for heading, name in self._columns.labels.items() if (text := self._row[heading])}
        case = Case(nfc(self._cell("id")), nfc(self._cell("input")), labels, expect=self._expect())
        # A table without ids gets them when all its rows are known.
        for fault in check_case(case if "id" in headings else replace(case, id="q"), ()):
            if fault.path != ("id",):
                self._refuse(self._column_of(fault.path), fault.what, fault.hint)
        return case

    def _expect(self) -> Expect:
        cells = {name: self._cell(name) for name in MEANINGS}
        found: dict[str, object] = {}
        for name, read in (
            ("calls", lambda: read_calls(cells["tools"], cells["calls"], cells["args"])),
            ("contains", lambda: tuple(read_words(cells["contains"], "contains"))),
            ("answer", lambda: read_answer(cells["answer"], cells["answer_type"])),
        ):
            try:
                found[name] = read()
            except BadCell as error:
                self._refuse(error.column, error.what, error.hint)
        return Expect(**found)  # type: ignore[arg-type]  # each is what the reader of its cell returns

    def _cell(self, name: str) -> str:
        heading = self._columns.headings.get(name)
        return "" if heading is None else self._row[heading]

    def _refuse(self, name: str, what: str, hint: str = "") -> None:
        self._table.problems.add(Problem(what, self._line, self._columns.headings.get(name, name), hint))

    def _column_of(self, path: Sequence[str | int]) -> str:
        """The column that a part of a case came from."""
        if "calls" in path:
            given = [name for name in ("args", "calls", "tools") if self._cell(name)]
            return "args" if "args" in given and "args" in path else next((n for n in given if n != "args"), "tools")
        return str(path[1]) if len(path) > 1 else str(path[0])


def _numbered(cases: list[Case]) -> list[Case]:
    """The cases with ids by row, padded so that they sort as they stand."""
    width = len(str(len(cases)))
    return [replace(case, id=f"q{number:0{width}}") for number, case in enumerate(cases, start=1)]


# --- cells


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
    cell, kind = filled(cell), filled(kind).lower() or DEFAULT_ANSWER_TYPE
    if not cell:
        return None
    from toolgauge.answers import ANSWER_TYPES  # many patterns, for the suites that need them

    if kind not in ANSWER_TYPES:
        known = (DEFAULT_ANSWER_TYPE, *(name for name in ANSWER_TYPES if name != DEFAULT_ANSWER_TYPE))
        raise BadCell("answer_type", f"{shorten(kind)} is not a type of answer", f"known: {', '.join(known)}")
    if cell.startswith("{"):
        spec = _json(cell, "answer")
        return {"type": kind, **spec} if isinstance(spec, dict) else None
    words_key = ANSWER_TYPES[kind].words_key
    if words_key:
        return {"type": kind, words_key: [*read_words(cell, "contains" if words_key == "contains" else "answer")]}
    try:
        return {"type": kind, "value": ANSWER_TYPES[kind].read_cell(cell)}
    except ValueError as error:
        raise BadCell("answer", f"{shorten(cell)} {error}") from error
