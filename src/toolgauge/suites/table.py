"""Suites as CSV: one case a row, the columns with a meaning by name, every other column a label."""

from __future__ import annotations

from collections.abc import Callable

from toolgauge.core import Case, Expect, ExpectedCall, nfc
from toolgauge.errors import InputError, Problem
from toolgauge.files import BadList, InputFile, Table, filled, near_column, parse_words, shorten

from .rules import repeated_ids

__all__ = ["COLUMNS", "read_table_cases"]

COLUMNS = {
    "id": "id",
    "input": "input",
    "query": "input",
    "question": "input",
    "tools": "tools",
    "expected_tools": "tools",
    "contains": "contains",
}
"""Every accepted name of a column with a meaning, and what it stands for."""

RESULT_COLUMNS = ("failed_tools", "failed_tools_count")

USUAL_LABELS = ("difficulty",)
"""Labels that reports look for, so that a slip in their name should be seen."""


def read_table_cases(source: InputFile, remark: Callable[[str], None] | None = None) -> list[Case]:
    """The cases of a CSV file.

    Args:
        source: The file.
        remark: Takes what is worth a word but no fault.

    Raises:
        InputError: The file is not as it should be.
    """
    table = Table(source, COLUMNS)
    _refuse_results(table)
    table.require(("id", "input"))
    _look_for_slips(table, remark)
    cases: list[Case] = []
    lines: list[int] = []
    for line, row in table:
        found = len(table.problems.found)
        case = _case(table, line, row)
        if len(table.problems.found) == found:
            cases.append(case)
            lines.append(line)
    if "id" not in table.columns:
        return _numbered(cases)
    for index, first, name in repeated_ids(case.id for case in cases):
        what = f"the id {shorten(name)} is there already, in line {lines[first]}"
        table.problems.add(Problem(what, lines[index], "id"))
    table.problems.raise_if_any()
    return cases


def _refuse_results(table: Table) -> None:
    for name in RESULT_COLUMNS:
        if name in table.columns:
            what = f"{name!r} is a column of recorded results, not of a suite"
            raise InputError(table.source.name, Problem(what, 1, name, "give the suite first, then the results"))


def _look_for_slips(table: Table, remark: Callable[[str], None] | None) -> None:
    """Refuse a column that is nearly `tools`, without which every case would expect nothing; remark on others."""
    free = [name for name in (*COLUMNS, *USUAL_LABELS) if COLUMNS.get(name, name) not in table.columns]
    tools = [name for name in free if COLUMNS.get(name) == "tools"]
    for name in table.columns:
        if name in COLUMNS or name in USUAL_LABELS:
            continue
        if hint := near_column(name, tools):
            table.problems.add(Problem(f"{shorten(name)} is no column with a meaning", 1, name, hint))
        elif remark is not None and (hint := near_column(name, free)):
            remark(f"{table.source.name}: the column {shorten(name)} is taken for a label; {hint}")
    table.problems.raise_if_any()


def _case(table: Table, line: int, row: dict[str, str]) -> Case:
    for name in ("id", "input"):
        if name in row and not row[name] and (name == "id" or "id" not in row):
            table.problems.add(Problem("the cell is empty", line, name))
    tools = _words(table, line, row, "tools")
    calls = tuple(ExpectedCall(tool) for tool in tools) if filled(row.get("tools", "")) else None
    labels = {name: nfc(text) for name, text in row.items() if text and name not in COLUMNS}
    contains = tuple(_words(table, line, row, "contains"))
    return Case(nfc(row.get("id", "")), nfc(row.get("input", "")), labels, expect=Expect(calls, contains=contains))


def _words(table: Table, line: int, row: dict[str, str], name: str) -> list[str]:
    try:
        cell = row.get(name, "")
        words = parse_words(filled(cell) if name == "tools" else cell, quotes_are_text=name == "contains")
    except BadList as error:
        hint = "write ['one', 'two'] or: one, two"
        table.problems.add(Problem(f"not a list: {error}", line, name, hint))
        return []
    return [nfc(word.strip()) for word in words if word.strip()]


def _numbered(cases: list[Case]) -> list[Case]:
    """The cases with ids by row, padded so that they sort as they stand."""
    width = len(str(len(cases)))
    return [
        Case(f"q{number:0{width}}", case.input, case.labels, expect=case.expect)
        for number, case in enumerate(cases, start=1)
    ]
