"""Traces as CSV: the general layout, and the published comparison layout, which is a special case of it.

In the published layout a cell holds the failed tools, `name: message` items separated by commas. But messages hold
commas too, and sometimes `, word: ...`, so where each item begins is decided by how many there are said to be and by
which names are known as tools.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from contextlib import suppress

from toolgauge.core import LARGEST_AMOUNT, STATES, UNSAID, Call, State, Trajectory, nfc
from toolgauge.errors import InputError, Problem, did_you_mean
from toolgauge.files import (
    BadJson,
    BadList,
    CsvTable,
    InputFile,
    convert,
    decode_json,
    filled,
    format_path,
    near_column,
    parse_words,
    shorten,
)

from .import_report import ImportReport
from .unicode_names import normal_trajectory

__all__ = ["COLUMNS", "UNNAMED", "is_column", "read_table_traces", "split_failures"]

COLUMNS = {
    "case": "case",
    "id": "case",
    "input": "input",
    "query": "input",
    "question": "input",
    "calls": "calls",
    "tools": "tools",
    "failed_tools": "failed_tools",
    "failed_tools_count": "failed_tools_count",
    "agent": "agent",
    "trial": "trial",
    "state": "state",
    "output": "output",
    "error": "error",
    "latency_ms": "latency_ms",
}
"""Every accepted name of a column, and what it stands for."""

LABELS = frozenset({"difficulty"})
"""Columns that repeat what the suite says, and are not worth a note."""

AGENT_ERROR = "ERROR:"
"""How an error begins that stands in place of an answer, in the published layout."""


def is_column(heading: str) -> bool:
    """Whether a heading, in small letters, is that of a known column."""
    return heading in COLUMNS


def read_table_traces(source: InputFile, report: ImportReport) -> Iterator[Trajectory]:
    """The trajectories of a CSV file.

    Raises:
        InputError: The file is not as it should be.
    """
    tools = _tool_names(source)
    table = CsvTable(source, COLUMNS)
    table.require(("case", "input"), ("calls", "tools", "output", "failed_tools", "state", "error"))
    for name in table.columns:
        if name not in COLUMNS and name not in LABELS:
            hint = near_column(name, [known for known in COLUMNS if COLUMNS[known] not in table.columns])
            report.remark(f"{source.name}: the column {shorten(name)} is not used" + (f"; {hint}" if hint else ""))
    reader = _RowReader(table, report, tools)
    for line, row in table:
        trajectory = reader.read(line, row)
        if not table.problems:
            yield trajectory


def _tool_names(source: InputFile) -> frozenset[str]:
    """The names of tools that worked somewhere in the file, by which the items of `failed_tools` are told apart.

    The file is read once for this, so that a row is taken apart in the same way wherever it stands.
    """
    names: set[str] = set()
    # What is wrong with the file is raised by the reading that follows.
    with suppress(InputError):
        table = CsvTable(source, COLUMNS)
        if "failed_tools" not in table.columns:
            return frozenset()
        for _, row in table:
            with suppress(BadList):
                names.update(nfc(name.strip()) for name in parse_words(filled(row.get("tools", ""))))
    return frozenset(names)


class _RowReader:
    """Turns rows into trajectories. Problems go to the table, which raises them together."""

    def __init__(self, table: CsvTable, report: ImportReport, tools: frozenset[str]) -> None:
        self.table = table
        self.report = report
        self.tools = tools
        self.answers_may_be_errors = not {"state", "error"} & set(table.columns)

    def read(self, line: int, row: dict[str, str]) -> Trajectory:
        """The trajectory of one row."""
        self.line, self.row = line, row
        case, text = nfc(row.get("case", "")), nfc(row.get("input", ""))
        if not case and not text:
            self._refuse("the cell is empty", "case" if "case" in row else "input")
        output, error, state = row.get("output") or None, row.get("error") or None, self._state()
        if output and self.answers_may_be_errors and output.startswith(AGENT_ERROR):
            output, error, state = None, output, "error"
        trial = self._number("trial", whole=True)
        trajectory = Trajectory(
            case,
            nfc(row.get("agent", "")),
            UNSAID if trial is None else int(trial),
            state,
            self._calls(),
            output,
            error,
            self._number("latency_ms"),
            input=text or None,
        )
        return normal_trajectory(trajectory) if row.get("calls") else trajectory

    def _refuse(self, what: str, column: str, hint: str = "") -> None:
        self.table.problems.add(Problem(what, self.line, column, hint))

    def _state(self) -> State:
        state = self.row.get("state") or "completed"
        if state not in STATES:
            self._refuse(f"{shorten(state)} is not a state", "state", did_you_mean(state, STATES))
            return "completed"
        return state

    def _number(self, column: str, *, whole: bool = False) -> float | None:
        """The number in a cell; None where it is empty, as spreadsheets and data frames write that."""
        text = self.row.get(column, "")
        if not text or text.lower() == "nan":
            return None
        try:
            number = float(text)
        except ValueError:
            number = -1
        if not math.isfinite(number) or number < 0 or (whole and not number.is_integer()):
            wanted = "a whole number" if whole else "a number"
            self._refuse(f"expected {wanted}, 0 or more, found {shorten(text)}", column)
            return None
        if number > LARGEST_AMOUNT:
            self._refuse(f"expected {LARGEST_AMOUNT:g} or less, found {shorten(text)}", column)
            return None
        return number

    def _calls(self) -> tuple[Call, ...]:
        if self.row.get("calls"):
            return self._written_calls()
        return (*self._failed(), *self._worked())

    def _written_calls(self) -> tuple[Call, ...]:
        try:
            calls = convert(decode_json(self.row["calls"].encode()), tuple[Call, ...])
        except BadJson as error:
            self._refuse(error.problem.what, "calls", "write a JSON list of calls")
            return ()
        if isinstance(calls, tuple):
            return calls
        for fault in calls:
            where = format_path(fault.path)
            self._refuse(f"{fault.what}, at {where}" if where else fault.what, "calls", fault.hint)
        return ()

    def _worked(self) -> list[Call]:
        try:
            names = parse_words(filled(self.row.get("tools", "")))
        except BadList as error:
            self._refuse(f"not a list: {error}", "tools", "write ['one', 'two'] or: one, two")
            return []
        return [Call(nfc(name.strip()), None) for name in names if name.strip()]

    def _failed(self) -> list[Call]:
        text = nfc(filled(self.row.get("failed_tools", "")))
        number = self._number("failed_tools_count", whole=True)
        count = None if number is None else int(number)
        calls = split_failures(text, count, self.tools)
        if count and not text:
            self.report.note(f"failed calls are counted but not named; a call of {UNNAMED!r} stands for them")
        elif count is not None and count != len(calls):
            self.report.note("the number of failed calls differs from what 'failed_tools' lists; the list is used")
        return calls


UNNAMED = "unnamed"
"""The tool of a failed call that has no name."""

NO_MESSAGE = "failed without a message"

START = re.compile(r"(?:^|,)\s*(?P<name>[^\W\d][\w.\-]*)\s*:(?!//)")
LIKE_A_TOOL = re.compile(r"[_.\-\d]|[a-z][A-Z]")


def split_failures(text: str, count: int | None, known: Collection[str]) -> list[Call]:
    """The failed calls of a cell, in the order written.

    Args:
        text: The cell, trimmed.
        count: How many there are said to be, if at all.
        known: Names that are known to be tools.
    """
    starts = list(START.finditer(text))
    if not starts or text[: starts[0].start("name")].strip():
        return [_call(UNNAMED, text)] if text or count else []
    chosen = [starts[0], *_later(starts[1:], count, {*known, starts[0]["name"]})]
    ends = [start.start() for start in chosen[1:]] + [len(text)]
    return [_call(start["name"], text[start.end() : end]) for start, end in zip(chosen, ends, strict=True)]


def _later(starts: list[re.Match[str]], count: int | None, known: Collection[str]) -> list[re.Match[str]]:
    """Which of the possible beginnings after the first one really are beginnings."""
    if not count:
        return [start for start in starts if start["name"] in known]
    best = sorted(starts, key=lambda start: _doubt(start["name"], known))[: count - 1]
    return sorted(best, key=lambda start: start.start())


def _doubt(name: str, known: Collection[str]) -> int:
    """How little a word looks like the name of a tool."""
    if name in known:
        return 0
    return 1 if LIKE_A_TOOL.search(name) else 2


def _call(tool: str, message: str) -> Call:
    return Call(tool, None, error=message.strip() or NO_MESSAGE)
