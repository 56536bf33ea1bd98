"""Suites as CSV: one case a row, the columns with a meaning by heading, every other column a label.

In the cells stand lists of words, expected calls as JSON, and typed answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from toolgauge.core import Case, Expect, nfc
from toolgauge.errors import InputError, Problem
from toolgauge.files import CsvTable, InputFile, delimiter_of, filled, near_column, shorten

from ..check import check_case, repeated_ids
from .cells import TOLERANCES, BadCell, read_answer, read_calls, read_words
from .headings import MEANINGS, USUAL_LABELS, ColumnMeanings, check_meanings, find_columns, folded

__all__ = [
    "BadCell",
    "TableRow",
    "read_answer",
    "read_calls",
    "read_day_cell",
    "read_locale_cell",
    "read_table_cases",
    "read_words",
    "refuse_unknown_table",
]

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

LOCALES: dict[str, Literal["vi", "en"]] = {
    **dict.fromkeys(("vi", "vn", "vi-vn", "vi_vn", "vietnamese", "tiếng việt", "việt"), "vi"),
    **dict.fromkeys(("en", "en-us", "en_us", "en-gb", "en_gb", "english", "tiếng anh", "anh"), "en"),
}
"""How people write the locale of a row."""

ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


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
        case = TableRow(table, meant, line, row).case()
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
            f"{table.source.name}: no column says what is expected; these are treated as labels: {listed}; say which "
            "one has the tools: --columns tools=HEADING"
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
    raise InputError(source.name, Problem("this looks like a table, but none of its headings is known", 1, hint=hint))


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
            remark(f"{table.source.name}: the column {shorten(heading)} is treated as a label; {hint}")
    table.problems.raise_if_any()


def read_locale_cell(cell: str) -> Literal["vi", "en"] | None:
    """The locale that somebody wrote; None where it is none, or nothing is written."""
    return LOCALES.get(nfc(cell).casefold())


def read_day_cell(cell: str, locale: Literal["vi", "en"] | None) -> str | None:
    """A day that was written as `2026-01-31`, or as a locale writes it; what is no day is left to whoever checks it."""
    if not cell or ISO_DAY.match(cell):
        return cell or None
    from toolgauge.answers import read_day  # many patterns, for the suites that need them

    found = read_day(cell, locale)
    return cell if found is None else found.isoformat()


class TableRow:
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
        locale = self._locale()
        now = self._now(locale)
        expect = self._expect(locale, now)
        case = Case(nfc(self._cell("id")), nfc(self._cell("input")), labels, locale=locale, now=now, expect=expect)
        # A table without ids gets them when all its rows are known.
        for fault in check_case(case if "id" in headings else replace(case, id="q"), ()):
            if fault.path != ("id",):
                self._refuse(self._column_of(fault.path), fault.what, fault.hint)
        return case

    def _locale(self) -> Literal["vi", "en"] | None:
        cell = filled(self._cell("locale"))
        found = read_locale_cell(cell)
        if cell and found is None:
            self._refuse("locale", f"{shorten(cell)} is not a locale", "write vi or en")
        return found

    def _now(self, locale: Literal["vi", "en"] | None) -> str | None:
        """The day that relative dates count from."""
        return read_day_cell(filled(self._cell("now")), locale)

    def _expect(self, locale: Literal["vi", "en"] | None, now: str | None) -> Expect:
        cells = {name: self._cell(name) for name in MEANINGS}
        about = {name: cells[name] for name in ("unit", "tolerance")}
        found: dict[str, object] = {}
        for name, read in (
            ("calls", lambda: read_calls(cells["tools"], cells["calls"], cells["args"])),
            ("contains", lambda: tuple(read_words(cells["contains"], "contains"))),
            (
                "answer",
                lambda: read_answer(cells["answer"], cells["answer_type"], **about, locale=locale, now=now),
            ),
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
        name = str(path[2]) if len(path) > 2 and path[1] == "answer" else ""
        if name in TOLERANCES.values():
            return "tolerance"
        return name if name == "unit" else str(path[1]) if len(path) > 1 else str(path[0])


def _numbered(cases: list[Case]) -> list[Case]:
    """The cases with ids by row, padded so that they sort as they stand."""
    width = len(str(len(cases)))
    return [replace(case, id=f"q{number:0{width}}") for number, case in enumerate(cases, start=1)]
