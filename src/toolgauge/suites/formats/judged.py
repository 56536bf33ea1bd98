"""Answers that people have judged, as JSONL or CSV: question, output, reference and verdict, one a line.

A reference is written as in a suite: an `answer` mapping, or the columns `answer`, `answer_type`, `unit`, `tolerance`,
`locale` and `now`. Whatever else stands in a record is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import AnswerVerdict, Case, Expect, JsonValue, PathLike, nfc
from toolgauge.errors import InputError, NothingToDo, Problem
from toolgauge.files import (
    CsvTable,
    Fault,
    InputFile,
    RecordDecoder,
    Rejected,
    near_column,
    read_records,
    recognise,
    shorten,
)

from ..check import check_case
from .cells import BadCell, read_answer
from .headings import ColumnMeanings, find_columns, folded, is_heading
from .table import TableRow, read_day_cell, read_locale_cell

__all__ = ["JudgedAnswer", "read_judged_answers"]

VERDICTS: dict[str, AnswerVerdict] = {
    **dict.fromkeys(map(folded, ("right", "correct", "true", "yes", "đúng", "chính xác")), "right"),
    **dict.fromkeys(map(folded, ("wrong", "incorrect", "false", "no", "sai", "không đúng")), "wrong"),
    **dict.fromkeys(map(folded, ("ambiguous", "unclear", "không rõ", "không rõ ràng", "mơ hồ")), "ambiguous"),
}
"""How people write a verdict, without regard to case and diacritics."""

VERDICT_HINT = "write right, wrong or ambiguous (đúng, sai, không rõ)"

OWN_COLUMNS = {
    "output": ("output", "answer text", "response", "prediction", "câu trả lời", "trả lời", "kết quả"),
    "verdict": ("verdict", "judgement", "judgment", "human verdict", "phán quyết", "đánh giá", "nhận định"),
}
"""The columns that only such a file has, and the headings by which they are known."""


class JudgedAnswer(Struct, frozen=True):
    """An answer with its reference, and what a person says of it."""

    line: int
    case: Case
    output: str
    verdict: AnswerVerdict


class _Record(Struct):
    """A line of JSONL. What is missing is said by whoever reads it, in the words of people."""

    question: str | None = None
    input: str | None = None
    output: str | None = None
    answer: Any = None
    answer_type: str | None = None
    unit: str | None = None
    tolerance: str | float | None = None
    locale: str | None = None
    now: str | None = None
    verdict: str | None = None
    id: str | int | None = None


def read_judged_answers(path: PathLike) -> tuple[str, list[JudgedAnswer]]:
    """The name of a file, and the judged answers in it.

    Raises:
        InputError: The file cannot be read, or is not as it should be.
        NothingToDo: There is none in it.
    """
    with InputFile(path) as source:
        if not source.opening.strip():
            raise NothingToDo(f"{source.name}: there is no answer to check; the file is empty")
        is_table = recognise(source, _is_known) == "csv"
        found = list(_read_table(source) if is_table else _read_lines(source))
        if not found:
            raise NothingToDo(f"{source.name}: there is no answer to check")
        return str(source.name), found


def _is_known(word: str) -> bool:
    return is_heading(word) or any(folded(word) in map(folded, words) for words in OWN_COLUMNS.values())


def _no_verdict(written: str | None) -> str:
    """What is wrong with what somebody wrote for a verdict."""
    return f"{shorten(written)} is not a verdict" if written and written.strip() else "there is no verdict"


def _read_lines(source: InputFile) -> Iterator[JudgedAnswer]:
    decode = RecordDecoder(_Record)
    for number, _, (case, output, verdict) in read_records(source, lambda line: _judged(decode(line))):
        yield JudgedAnswer(number, case if case.id else replace(case, id=str(number)), output, verdict)


def _judged(record: _Record) -> tuple[Case, str, AnswerVerdict]:
    """What a record says.

    Raises:
        Rejected: Something is missing, or cannot be read.
    """
    faults: list[Fault] = []
    verdict = VERDICTS.get(folded(record.verdict or ""))
    if verdict is None:
        faults.append(Fault(("verdict",) if record.verdict else (), _no_verdict(record.verdict), VERDICT_HINT))
    if record.output is None:
        faults.append(Fault((), "there is no 'output'", "that is the answer that was judged"))
    locale = read_locale_cell(record.locale or "")
    if record.locale and locale is None:
        faults.append(Fault(("locale",), f"{shorten(record.locale)} is not a locale", "write vi or en"))
    now = read_day_cell(record.now or "", locale)
    spec: dict[str, JsonValue] | None = None
    try:
        spec = _reference(record, locale, now)
    except BadCell as error:
        faults.append(Fault((error.column,), error.what, error.hint))
    else:
        if spec is None:
            faults.append(Fault((), "there is no 'answer'", "that is what the output has to say"))
    case = Case(
        nfc(str(record.id if record.id is not None else "")),
        nfc(record.question or record.input or ""),
        locale=locale,
        now=now,
        expect=Expect(answer=spec),
    )
    # The faults of a case are named by the keys of a suite, of which a record has some.
    for fault in check_case(replace(case, id="x"), ()):
        within = fault.path[1:] if fault.path[:1] == ("expect",) else fault.path
        faults.append(Fault(within if isinstance(record.answer, dict) else within[:1], fault.what, fault.hint))
    if faults or verdict is None:
        raise Rejected(*faults)
    return case, record.output or "", verdict


def _reference(record: _Record, locale: Any, now: str | None) -> dict[str, JsonValue] | None:
    """The `answer` mapping of a record; None where it has none.

    Raises:
        BadCell: It cannot be read.
    """
    answer = record.answer
    if answer is None or isinstance(answer, dict):
        return answer
    tolerance = "" if record.tolerance is None else str(record.tolerance)
    if isinstance(answer, str):
        about = {"unit": record.unit or "", "tolerance": tolerance}
        return read_answer(answer, record.answer_type or "", **about, locale=locale, now=now)
    given = {"type": record.answer_type, "value": answer, "unit": record.unit, "tolerance": record.tolerance}
    return {key: value for key, value in given.items() if value is not None}


def _read_table(source: InputFile) -> Iterator[JudgedAnswer]:
    table = CsvTable(source, {})
    own = _own_columns(table)
    meant = find_columns([name for name in table.columns if name not in own.values()], {})
    if not isinstance(meant, ColumnMeanings):
        raise InputError(table.source.name, meant)
    if "answer" not in meant.headings:
        raise InputError(source.name, Problem("there is no column 'answer'", 1, hint=_hint("answer", table.columns)))
    meant = ColumnMeanings(meant.headings, {})
    for line, row in table:
        before = len(table.problems.found)
        case = TableRow(table, meant, line, row).case()
        written = row[own["verdict"]]
        verdict = VERDICTS.get(folded(written))
        if verdict is None:
            table.problems.add(Problem(_no_verdict(written), line, own["verdict"], VERDICT_HINT))
        if case.expect.answer is None and len(table.problems.found) == before:
            table.problems.add(Problem("the cell is empty", line, meant.headings["answer"]))
        if verdict is not None and len(table.problems.found) == before:
            named = case if case.id else replace(case, id=str(line))
            yield JudgedAnswer(line, named, nfc(row[own["output"]]), verdict)


def _own_columns(table: CsvTable) -> Mapping[str, str]:
    """The headings of output and verdict."""
    found: dict[str, str] = {}
    for name, words in OWN_COLUMNS.items():
        heading = next((one for one in table.columns if folded(one) in map(folded, words)), None)
        if heading is None:
            hint = _hint(name, table.columns)
            raise InputError(table.source.name, Problem(f"there is no column {name!r}", 1, hint=hint))
        found[name] = heading
    return found


def _hint(name: str, columns: Sequence[str]) -> str:
    near = next((one for one in columns if near_column(one, (name,))), None)
    return f"{near!r} should perhaps be {name!r}" if near else f"the columns are: {', '.join(columns)}"
