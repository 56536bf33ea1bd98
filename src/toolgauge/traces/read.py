"""Reading traces from any of their formats, one trajectory at a time."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias, TypedDict, Unpack, cast

import msgspec

from toolgauge.core import JsonValue, Trajectory
from toolgauge.errors import InputError, NothingToDo, Problem
from toolgauge.files import (
    FORMATS,
    STANDARD_INPUT,
    BadJson,
    Document,
    Fault,
    InputFile,
    Problems,
    Rejected,
    decode_lines,
    leave_out,
    read_json_document,
    read_yaml_document,
    recognise,
    split_lines,
)

from .archives import ARCHIVE, read_archive
from .context import ReadContext
from .crew import Crew, may_share
from .envelopes import whole_values
from .foreign import ForeignRecords, looks_native
from .import_report import ALL_LOOKED_AT, ImportReport
from .native import Header, TrajectoryDecoder, Written, count_of, read_header
from .outcomes import Outcomes, RawResults
from .table import COLUMNS, read_table_traces
from .tool_names import ToolNames

__all__ = ["PieceReader", "ReadOptions", "Span", "divide_native", "read_in_lists", "read_to_write", "read_traces"]

GZIP = b"\x1f\x8b"

MAX_LOOKED_AT = 50
MAX_BYTES_LOOKED_AT = 4 * 1024 * 1024
"""So many lines, and bytes of them, are looked at to tell whose records a file holds; the first one in any case."""

Item: TypeAlias = Trajectory | list[Trajectory] | Written

UNKNOWN = Problem(
    "no record of this file is of a known format",
    hint="--input-format NAME says which one it is; docs/connect.md lists those that are read",
)


class ReadOptions(TypedDict, total=False):
    """How a file of traces is read."""

    input_format: str | None
    """yaml, json, jsonl, csv or the name of a reader, where the content does not tell."""
    known_tools: Collection[str]
    """Names of tools that a suite uses; other ways of writing them are taken as these."""
    error_patterns: Sequence[str] | None
    """Regular expressions that results of failed calls match, where records of other tools do not say which failed;
    default: those for common messages."""
    kept_key: str | None
    """A key of the records of other tools that is kept with the metadata, for it may tell the case."""
    verbatim: bool
    """Results may be `msgspec.Raw`, as they were written, for those who only encode them again; not where patterns are
    given, which may be meant for them."""


def read_traces(
    path: str | os.PathLike[str], *, report: ImportReport, **options: Unpack[ReadOptions]
) -> Iterator[Trajectory]:
    """The trajectories of a file, in its order.

    JSONL and CSV are read line by line. In our own formats a fault in the middle is raised when it is reached, together
    with the other faults of the file; of what other tools record, as much is read as can be, and the report says what
    was lost.

    Args:
        path: Native JSONL, a JSON or YAML list of trajectories, a run file, CSV, or what another tool recorded.
        report: Takes down what was read and what was ignored.
        options: How it is read.

    Raises:
        InputError: The file cannot be used; what is wrong in it is listed, with places.
        NothingToDo: There are no trajectories in it.
        UsageError: There is no such format.
    """
    return chain.from_iterable(read_in_lists(path, report=report, **options))


def read_in_lists(
    path: str | os.PathLike[str], *, report: ImportReport, **options: Unpack[ReadOptions]
) -> Iterator[list[Trajectory]]:
    """The same, with as many at once as are read at once: of small native ones some dozens, of others one."""
    patterns = options.get("error_patterns")
    context = ReadContext(
        report, ToolNames(options.get("known_tools", ())), Outcomes(patterns), kept_key=options.get("kept_key")
    )
    if options.get("verbatim") and patterns is None:
        context.verbatim = RawResults()
    for item in _counted(path, options.get("input_format"), context, None):
        yield item if isinstance(item, list) else [cast(Trajectory, item)]


def read_to_write(
    path: str | os.PathLike[str], *, jobs: int, input_format: str | None = None, report: ImportReport
) -> Iterator[Trajectory | Written]:
    """The same for those who only encode them again; of a large log much is encoded already.

    Args:
        path: The file.
        jobs: How many processes read a large log in which every record stands for itself.
        input_format: How it is written, as for `read_traces`.
        report: Takes down what was read and what was ignored.
    """
    context = ReadContext(report, verbatim=RawResults())
    for item in _counted(path, input_format, context, Crew(jobs) if jobs > 1 else None):
        if isinstance(item, list):
            yield from item
        else:
            yield item


class Span(NamedTuple):
    """Whole lines of a file, between two places."""

    begin: int
    end: int
    lines: int
    """How many lines with something in them stand before it, if not very many do."""


def divide_native(path: str, size: int) -> list[Span] | None:
    """Divide a JSONL file of native trajectories; None for any other, of which lines may belong together.

    Args:
        path: The file.
        size: How many bytes a part has, more or less.
    """
    if path == STANDARD_INPUT:
        return None
    try:
        with InputFile(path) as source:
            if not source.opening.startswith(b"{") or recognise(source, COLUMNS) != "jsonl":
                return None
            _, line = next(_first_lines(source), (1, b""))
            foreign = ForeignRecords(ReadContext(ImportReport()))
            if foreign.begins_with(line) or read_header(line, source.name) is not None:
                return None
            if not _is_native(source, foreign):
                return None
            spans: list[Span] = []
            lines = 0
            for begin, end in source.spans(size):
                spans.append(Span(begin, end, lines))
                if lines < ALL_LOOKED_AT:
                    lines += sum(not line.isspace() for line in split_lines(source.span(begin, end)) if line)
            # What stands behind the last one is a line that is too long, as one process will say.
            return spans if spans and spans[-1].end == os.path.getsize(path) else None
    except (InputError, OSError):
        return None


class PieceReader:
    """Reads pieces of a file of native lines, of which others read the rest."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._decode = TrajectoryDecoder(ImportReport())

    def read(self, span: Span, report: ImportReport) -> Iterator[list[Trajectory]]:
        """The trajectories of some lines, some dozens at once.

        Raises:
            InputError: They cannot be used. What it names is counted from the beginning of the piece.
        """
        self._decode.go_on(report, span.lines)
        with InputFile(self._path, (span.begin, span.end)) as source:
            for trajectories in _decoded(source, self._decode, header=False):
                report.read += len(trajectories)
                yield trajectories


def _counted(
    path: str | os.PathLike[str], input_format: str | None, context: ReadContext, crew: Crew | None
) -> Iterator[Item]:
    report = context.report
    with InputFile(path) as source:
        before = report.read
        for item in _trajectories(source, input_format, context, crew):
            report.read += count_of(item)
            yield item
        if report.read == before:
            raise NothingToDo(f"{source.name}: there are no trajectories in this file")


def _trajectories(
    source: InputFile, input_format: str | None, context: ReadContext, crew: Crew | None
) -> Iterator[Item]:
    if source.opening.startswith(ARCHIVE) and input_format in (None, "inspect"):
        return read_archive(source, context)
    if source.opening.startswith(GZIP):
        raise InputError(source.name, Problem("this is gzip", hint="unpack it first, with gunzip"))
    only = input_format if input_format is not None and input_format not in FORMATS else None
    foreign = ForeignRecords(context, only)
    kind = recognise(source, COLUMNS, None if only else input_format)
    if source.blank:
        return iter(())
    if kind == "csv" and only is None:
        return read_table_traces(source, context.report)
    if kind == "jsonl":
        return _from_lines(source, context, foreign, crew)
    if kind == "json":
        try:
            document = read_json_document(source, unique_keys=False)
        except InputError as error:
            return _from_pieces(source, error, context, foreign)
    elif input_format is None and _holds_foreign_lines(source, foreign):
        # Words of a program stand before the first record.
        return foreign.lines(source.lines())
    else:
        document = read_yaml_document(source, list[Trajectory] | Trajectory)
    if only is not None or foreign.holds_records(document.value):
        return foreign.document(document.value)
    return _from_document(source, document, context.report)


def _from_lines(source: InputFile, context: ReadContext, foreign: ForeignRecords, crew: Crew | None) -> Iterator[Item]:
    decode = TrajectoryDecoder(context.report)
    number, line = next(_first_lines(source), (1, b""))
    if foreign.begins_with(line):
        yield from _foreign_lines(source, foreign, crew)
        return
    header = read_header(line, source.name, number)
    if header is None and not _is_native(source, foreign):
        yield from _foreign_lines(source, foreign, crew)
        return
    count = 0
    for trajectories in _decoded(source, decode, header=header is not None):
        count += len(trajectories)
        yield trajectories
    _check_count(source, header, count)


def _is_native(source: InputFile, foreign: ForeignRecords) -> bool:
    """Whether none of the first lines is a record of another tool.

    Raises:
        InputError: They are records of nobody that we know.
    """
    looks = {foreign.look_at(line) for _, line in _first_lines(source)}
    if looks == {"unknown"}:
        raise InputError(source.name, UNKNOWN)
    return "foreign" not in looks


def _foreign_lines(source: InputFile, foreign: ForeignRecords, crew: Crew | None) -> Iterator[Trajectory | Written]:
    if crew is not None and may_share(source):
        return foreign.shared_lines(source, crew)
    return foreign.lines(source.lines())


def _first_lines(source: InputFile, longest: int | None = None) -> Iterator[tuple[int, bytes]]:
    """The first lines that are not blank, with their numbers."""
    count = size = 0
    lines = source.lines() if longest is None else source.lines(longest)
    for number, line in lines:
        if line.strip():
            yield number, line
            count += 1
            size += len(line)
            if count >= MAX_LOOKED_AT or size >= MAX_BYTES_LOOKED_AT:
                return


def _holds_foreign_lines(source: InputFile, foreign: ForeignRecords) -> bool:
    """Whether a file that begins like no JSON has lines with records of other tools."""
    lines = _first_lines(source, MAX_BYTES_LOOKED_AT)
    try:
        return any(line.startswith((b"{", b"[")) and foreign.begins_with(line) for _, line in lines)
    except InputError:
        return False  # a line too long for a log; whoever reads it as a document says what is wrong


def _from_pieces(
    source: InputFile, error: InputError, context: ReadContext, foreign: ForeignRecords
) -> Iterator[Trajectory]:
    """The trajectories of a file that is no JSON document, but holds records of other tools that are whole.

    Raises:
        InputError: It holds none; what is wrong with the document.
    """
    values, faults = whole_values(source)
    if not foreign.holds_records(values):
        raise error
    what = error.problems[0].describe(source.name)
    broken = f", {faults} broken {'one is' if faults == 1 else 'ones are'} left out" if faults else ""
    context.report.remark(f"{what}; the records that are whole are read{broken}")
    return foreign.document(values)


def _decoded(source: InputFile, decode: TrajectoryDecoder, *, header: bool) -> Iterator[list[Trajectory]]:
    """The trajectories of a JSONL file: many lines at once where nothing stands out, else one by one."""
    skip = int(header)
    if header:
        decode.ignored = frozenset({"score"})
    problems = Problems(source.name)
    for first, lines in source.batches():
        if skip:
            first, lines, skip = leave_out(first, lines, skip)
        trajectories = None if problems else decode.many(lines)
        if trajectories is None:
            trajectories = [trajectory for _, _, trajectory in decode_lines(source, decode, first, lines, problems)]
        if trajectories:
            yield trajectories
        if problems.full:
            break
    problems.raise_if_any()


def _check_count(source: InputFile, header: Header | None, count: int) -> None:
    """Make sure that a run file is whole."""
    if header is not None and header.trajectories not in (None, count):
        what = f"the header announces {header.trajectories} trajectories, and there are {count}"
        raise InputError(source.name, Problem(what, 1, hint="this run file was cut off, or added to"))


def _from_document(source: InputFile, document: Document, report: ImportReport) -> Iterator[Trajectory]:
    value = document.value
    if value is None:
        return
    decode = TrajectoryDecoder(report)
    problems = Problems(source.name)
    single = isinstance(value, dict)
    records = _records(source, value)
    if records and all(isinstance(record, dict) and not looks_native(record) for record in records):
        raise InputError(source.name, UNKNOWN)
    for index, record in enumerate(records):
        data = msgspec.json.encode(record)
        if single and (header := read_header(data, source.name)) is not None:
            _check_count(source, header, 0)
            return
        try:
            trajectory = decode(data)
        except Rejected as error:
            prefix = () if single else (index,)
            faults = [Fault((*prefix, *f.path), f.what, f.hint, f.at_key) for f in error.faults]
            problems.add_faults(faults, document.locate)
        except BadJson as error:
            problems.add(Problem(error.problem.what, hint=error.problem.hint))
        else:
            if not problems:
                yield trajectory
        if problems.full:
            break
    problems.raise_if_any()


def _records(source: InputFile, value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return [value]
    if isinstance(value, list):
        return value
    hint = "write one JSON object a line, a list of objects, or CSV with a header"
    raise InputError(source.name, Problem("these are no trajectories", 1, 1, hint))
