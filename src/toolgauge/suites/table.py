"""Suites as CSV: one case a row, the columns with a meaning by name, every other column a label."""

from __future__ import annotations

from toolgauge.core import Case, Expect, ExpectedCall, nfc
from toolgauge.errors import InputError, Problem
from toolgauge.files import BadList, InputFile, Table, parse_words, shorten

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


def read_table_cases(source: InputFile) -> list[Case]:
    """The cases of a CSV file.

    Raises:
        InputError: The file is not as it should be.
    """
    table = Table(source, COLUMNS)
    _refuse_results(table)
    table.require(("id", "input"))
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


def _case(table: Table, line: int, row: dict[str, str]) -> Case:
    for name in ("id", "input"):
        if name in row and not row[name] and (name == "id" or "id" not in row):
            table.problems.add(Problem("the cell is empty", line, name))
    tools = _words(table, line, row, "tools")
    calls = tuple(ExpectedCall(tool) for tool in tools) if row.get("tools") else None
    labels = {name: nfc(text) for name, text in row.items() if text and name not in COLUMNS}
    contains = tuple(_words(table, line, row, "contains"))
    return Case(nfc(row.get("id", "")), nfc(row.get("input", "")), labels, expect=Expect(calls, contains=contains))


def _words(table: Table, line: int, row: dict[str, str], name: str) -> list[str]:
    try:
        words = parse_words(row.get(name, ""), quotes_are_text=name == "contains")
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
