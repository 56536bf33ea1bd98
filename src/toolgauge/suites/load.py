"""Loading a suite from YAML, JSON, JSONL or CSV, with everything that is wrong in it listed at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, islice

from msgspec import Struct, structs

from toolgauge.core import RUN_HEADER_LINE, RUN_SCHEMA, Case, CodeTool, JsonValue, Settings, Suite, nfc
from toolgauge.errors import MOST_PROBLEMS, InputError, NothingToDo, Problem, UsageError
from toolgauge.files import (
    STANDARD_INPUT,
    BadJson,
    CsvTable,
    Fault,
    Format,
    InputFile,
    LocatedDocument,
    Path,
    Place,
    Problems,
    RecordDecoder,
    Rejected,
    convert,
    decode_json,
    duplicate_keys,
    read_json_document,
    read_records,
    read_yaml_document,
    recognise,
    shorten,
)

from .check import check_case, check_settings, check_written, faults_of_readable_parts, repeated_id_faults
from .definitions import WrittenTool, check_tools, code_tool, tool_definition
from .formats import is_foreign, read_foreign
from .formats.bfcl import is_question
from .formats.headings import is_heading
from .unicode_names import normal_case, normal_suite, with_normal_tools

__all__ = ["find_lines", "load_suite"]


class WrittenSuite(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A suite as written in a YAML or JSON document."""

    cases: tuple[Case, ...] | None
    """The questions, each with what is expected."""
    name: str | None = None
    """What the suite is called; absent: the name of the file."""
    tools: tuple[WrittenTool | str, ...] | None = None
    """Definitions of tools, or `module:object`, which needs --allow-code."""
    settings: Settings | None = None
    """How trajectories are scored."""


TRACE_KEYS = frozenset({"case", "agent", "calls", "output", "trial", "state"})
"""Keys of a trajectory that a case does not have."""


def load_suite(
    path: str | os.PathLike[str],
    *,
    input_format: str | None = None,
    check_schemas: bool = True,
    remark: Callable[[str], None] | None = None,
    columns: Mapping[str, str] | None = None,
    objects: list[CodeTool] | None = None,
    beside: Collection[str] = (),
) -> Suite:
    """Read a suite. Its names come in Unicode normal form C.

    Args:
        path: A YAML, JSON, JSONL or CSV file; also a suite of promptfoo, deepeval or Google's ADK, as far as it
            maps directly.
        input_format: Which of them it is, if its content does not tell: yaml, json, jsonl or csv.
        check_schemas: Whether a tool whose schema is not a JSON schema is refused.
        remark: Called with notes that are not errors, such as a column whose name is close to another.
        columns: Of a CSV file by meaning (`input`, `tools`, `id`, ...) the heading of the column, where the heading
            does not say so itself; a name without a meaning is that of a label.
        objects: Takes the Python code that stands for tools, for those who load it; default: they are
            refused.
        beside: Keys of a YAML or JSON document that are not the suite's, for those who read them themselves.

    Raises:
        InputError: The file cannot be used; all that is wrong in it is listed, with places.
        NothingToDo: There are no cases in it.
        UsageError: There is no such format, or no such meaning of a column.
    """
    with InputFile(path, long_first_line=RUN_HEADER_LINE) as source:
        kind = format_of(source, input_format, columns)
        if source.blank:
            suite = Suite(source.stem, ())
        elif kind == "csv":
            from .formats.table import read_table_cases  # with all that reads numbers and dates

            suite = normal_suite(Suite(source.stem, tuple(read_table_cases(source, remark, columns))))
        elif kind == "jsonl":
            suite = _read_lines(source) if not is_foreign([_first_record(source)[0]]) else _import_lines(source, remark)
        elif kind == "json":
            document = _without(read_json_document(source), beside)
            if is_foreign([document.value]):
                suite = normal_suite(read_foreign(source, _as_only_record(document), remark))
            elif _is_case(document.value):
                suite = _read_lines(source)
            else:
                suite = _read_document(source, document, check_schemas, remark, objects)
        else:
            if input_format is None:
                from .formats.table import refuse_unknown_table

                refuse_unknown_table(source)
            document = _without(read_yaml_document(source, WrittenSuite), beside)
            suite = _read_document(source, document, check_schemas, remark, objects)
        if not suite.cases:
            raise NothingToDo(f"{source.name}: there are no cases in this suite")
        return with_normal_tools(suite)


def format_of(source: InputFile, input_format: str | None, columns: Mapping[str, str] | None = None) -> Format:
    """How a suite is written. A file whose columns somebody names is CSV, whatever its headings are.

    Raises:
        UsageError: There is no such format, or the file has no columns.
    """
    kind = recognise(source, is_heading, input_format)
    if not columns or kind == "csv":
        return kind
    if input_format is not None or kind != "yaml":
        raise UsageError(f"{source.name}: --columns is for CSV files, and this is {kind.upper()}")
    return "csv"


def _without(document: LocatedDocument, keys: Collection[str]) -> LocatedDocument:
    """The document without some keys of its top level."""
    if not keys or not isinstance(document.value, dict):
        return document
    return LocatedDocument({key: item for key, item in document.value.items() if key not in keys}, document.locate)


def _is_case(value: JsonValue) -> bool:
    """Whether a document is a single case: JSONL of one line."""
    return isinstance(value, dict) and "id" in value and "cases" not in value


def _refuse_traces(source: InputFile, value: JsonValue, line: int = 1) -> None:
    """Say it once where somebody gave the traces first, or questions that are read by name."""
    if isinstance(value, list):
        value = value[0] if value else None
    if is_question(value):
        hint = "toolgauge score --profile bfcl reads them; --answers FILE where the answers are in a file of their own"
        what = "these are questions of the Berkeley Function-Calling Leaderboard (BFCL)"
        raise InputError(source.name, Problem(what, line, hint=hint))
    if not isinstance(value, dict) or "expect" in value or "cases" in value:
        return
    if value.get("schema") == RUN_SCHEMA:
        what = "this is a run file, which contains traces"
    elif TRACE_KEYS & value.keys() and "id" not in value:
        what = "this looks like traces"
    else:
        return
    raise InputError(source.name, Problem(what, line, hint="give the suite first, then the traces"))


def _read_document(
    source: InputFile,
    document: LocatedDocument,
    check_schemas: bool,
    remark: Callable[[str], None] | None,
    objects: list[CodeTool] | None,
) -> Suite:
    if document.value is None:
        return Suite(source.stem, ())
    if is_foreign(document.value):
        return normal_suite(read_foreign(source, document, remark))
    _refuse_traces(source, document.value)
    written = convert(document.value, WrittenSuite)
    problems = Problems(source.name)
    if isinstance(written, list):
        problems.add_faults(chain(written, _faults_beside(document.value)), document.locate)
        problems.raise_if_any()
        raise AssertionError("a document that cannot be converted has faults")
    written = structs.replace(written, cases=tuple(map(normal_case, written.cases or ())))
    if objects is not None:
        objects += filter(None, map(code_tool, written.tools or ()))
    faults = _rule_faults(written, check_schemas, objects is not None)
    problems.add_faults(chain(faults, _written_faults(document.value)), document.locate)
    problems.raise_if_any()
    tools = [tool_definition(tool) for tool in written.tools or () if isinstance(tool, WrittenTool) and not tool.python]
    name = nfc((written.name or "").strip()) or source.stem
    return Suite(name, written.cases or (), tuple(tools), written.settings or Settings())


def _rule_faults(written: WrittenSuite, check_schemas: bool, objects: bool) -> Iterator[Fault]:
    cases = written.cases or ()
    yield from check_tools(written.tools or (), ("tools",), schemas=check_schemas, objects=objects)
    if written.settings is not None:
        yield from check_settings(written.settings, ("settings",))
    for index, case in enumerate(cases):
        yield from check_case(case, ("cases", index))
    yield from repeated_id_faults(case.id for case in cases)


def _written_faults(value: JsonValue) -> Iterator[Fault]:
    for index, case in enumerate(_items(value.get("cases")) if isinstance(value, dict) else ()):
        yield from check_written(case, ("cases", index))


def _faults_beside(value: JsonValue) -> Iterator[Fault]:
    """Broken rules in those parts of a document whose types are right, where others are wrong."""
    if not isinstance(value, dict):
        return
    for index, case in enumerate(_items(value.get("cases"))):
        yield from faults_of_readable_parts(case, ("cases", index))
    yield from _written_faults(value)
    ids = [case.get("id") if isinstance(case, dict) else None for case in _items(value.get("cases"))]
    yield from repeated_id_faults(name if isinstance(name, str) else None for name in ids)


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _read_lines(source: InputFile) -> Suite:
    """One case a line; the places of broken rules are found in the line itself."""
    decode = RecordDecoder(Case)
    seen: dict[str, int] = {}
    _refuse_traces(source, *_first_record(source))

    def decode_case(data: bytes) -> Case:
        try:
            case = normal_case(decode(data))
        except Rejected as error:
            written = decode_json(data)
            beside = chain(faults_of_readable_parts(written, ()), check_written(written, ()))
            raise Rejected(*error.faults, *islice(beside, MOST_PROBLEMS + 1)) from None
        twice = duplicate_keys(data.decode("utf-8"))
        if twice:
            key, place = twice[0]
            raise BadJson(Problem(f"duplicate key {key!r}", *place))
        faults = [*check_case(case, ()), *check_written(decode_json(data), ())]
        name = nfc(case.id.strip())
        if name in seen:
            faults.append(Fault(("id",), f"the id {shorten(case.id)} is already used, by case {seen[name]}"))
        seen.setdefault(name, len(seen) + 1)
        if faults:
            raise Rejected(*faults)
        return case

    return Suite(source.stem, tuple(case for _, _, case in read_records(source, decode_case)))


def _as_only_record(document: LocatedDocument) -> LocatedDocument:
    """A document as a list of one."""
    return LocatedDocument([document.value], lambda path, at_key: document.locate(path[1:], at_key))


def _import_lines(source: InputFile, remark: Callable[[str], None] | None) -> Suite:
    """A suite of another tool with one record a line."""
    records = [(line, record) for line, _, record in read_records(source, decode_json)]

    def locate(path: Path, _: bool) -> Place | None:
        return (records[path[0]][0], 1) if path and isinstance(path[0], int) else None

    return normal_suite(read_foreign(source, LocatedDocument([record for _, record in records], locate), remark))


def _first_record(source: InputFile) -> tuple[JsonValue, int]:
    """The first record with its line; nothing where it cannot be read, which whoever reads all of them tells."""
    for number, line in source.lines():
        if line.strip():
            try:
                return decode_json(line), number
            except (BadJson, UnicodeDecodeError):
                break
    return None, 1


def find_lines(
    path: str | os.PathLike[str],
    parts: Iterable[Path],
    *,
    input_format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> dict[Path, int]:
    """The lines of parts of a suite that was loaded from a file.

    Args:
        path: The file. Of standard input or a pipe, which can be read once only, nothing is found.
        parts: Paths from the suite inwards, such as `("cases", 3, "expect", "calls", 0, "tool")`.
        input_format: How the file is written, where its content does not tell.
        columns: The columns that somebody names, by which the file is known to be CSV.

    Returns:
        The line of each part, or of the nearest thing around it that is there; nothing in suites of other tools,
        whose parts stand elsewhere.
    """
    if os.fspath(path) == STANDARD_INPUT or not os.path.isfile(path):
        return {}
    with InputFile(path) as source:
        kind = format_of(source, input_format, columns)
        if kind == "csv":
            return _by_case(parts, [line for line, _ in CsvTable(source, {})])
        if kind == "jsonl":
            return _by_case(parts, [number for number, line in source.lines() if line.strip()])
        document = read_json_document(source) if kind == "json" else read_yaml_document(source, WrittenSuite)
        if is_foreign(document.value):
            return {}
        # A single case is a suite too: its document begins where the path of a case would lead.
        depth = 0 if isinstance(document.value, dict) and "cases" in document.value else 2
        places = {part: document.locate(part[depth:], False) for part in dict.fromkeys(parts)}
        return {part: place[0] for part, place in places.items() if place is not None}


def _by_case(parts: Iterable[Path], lines: list[int]) -> dict[Path, int]:
    """Where one case stands in one line, or begins in it."""
    found: dict[Path, int] = {}
    for part in parts:
        if len(part) > 1 and isinstance(part[1], int) and part[1] < len(lines):
            found[part] = lines[part[1]]
    return found
