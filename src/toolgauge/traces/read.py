"""Reading traces from any of their formats, one trajectory at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

import msgspec

from toolgauge.core import RUN_HEADER_LINE, JsonValue, Trajectory
from toolgauge.errors import InputError, NothingToDo, Problem
from toolgauge.files import (
    FORMATS,
    STANDARD_INPUT,
    BadJson,
    Chunk,
    Fault,
    InputFile,
    LocatedDocument,
    Problems,
    Rejected,
    decode_json,
    decode_lines,
    leave_out,
    read_json_document,
    read_yaml_document,
    recognise,
    refuse_workbook,
    split_lines,
)

from .answers import AnswerReader
from .context import ReadContext, ReadOptions
from .foreign import ForeignRecords, looks_native
from .import_report import ALL_LOOKED_AT, ImportReport
from .native import EncodedBatch, Header, TrajectoryDecoder, encode_trajectories, read_header
from .table import is_column, read_table_traces

__all__ = ["divide_native", "first_lines", "read_chunk", "read_encoded", "read_in_lists", "read_traces"]

ARCHIVE = b"PK\x03\x04"
"""How a ZIP archive begins."""

SERVER_SENT = (b"event:", b"data:", b": ")
"""How a stream of events begins that a server sent, and somebody saved as it came."""

MAX_LOOKED_AT = 50
MAX_BYTES_LOOKED_AT = 4 * 1024 * 1024
"""How many lines, and bytes of them, are looked at to learn whose records a file holds; the first one in any case."""


def read_traces(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Iterator[Trajectory]:
    """The trajectories of a file, in its order.

    JSONL and CSV are read line by line. In our own formats a fault in the middle is raised when it is reached, together
    with the other faults of the file; of what other tools record, as much is read as can be, and the report says what
    was lost.

    Args:
        path: Native JSONL, a JSON or YAML list of trajectories, a run file, CSV, or what another tool recorded.
        options: How it is read, and what records how that went.

    Raises:
        InputError: The file cannot be used; what is wrong in it is listed, with places.
        NothingToDo: There are no trajectories in it.
        UsageError: There is no such format.
    """
    return chain.from_iterable(read_in_lists(path, options))


def read_in_lists(
    path: str | os.PathLike[str], options: ReadOptions | None = None, rows: Chunk | None = None
) -> Iterator[list[Trajectory]]:
    """The same, with as many at once as are read at once: of small native ones some dozens, of others one.

    Args:
        path: The file.
        options: How it is read, and what records how that went.
        rows: Of a table, only these row groups.
    """
    options = ReadOptions() if options is None else options
    context = ReadContext(options)
    with InputFile(path, rows, long_first_line=RUN_HEADER_LINE) as source, _counting(source, options.report):
        context.source = source.name
        for trajectories in _contents(source, options.input_format, context).lists:
            options.report.read += len(trajectories)
            yield trajectories


def read_encoded(
    path: str | os.PathLike[str],
    options: ReadOptions,
    *,
    jobs: int = 1,
    rename: Callable[[int, Trajectory], Trajectory],
) -> Iterator[EncodedBatch]:
    """The same as native lines, for those who only write them.

    Args:
        path: The file.
        options: How it is read, and what records how that went.
        jobs: How many processes read a large log in which every record stands for itself.
        rename: Fills in the case of a trajectory that names neither a case nor a question, by its number in the file.
    """
    report = options.report
    before = report.read

    def encode(lists: Iterable[list[Trajectory]]) -> Iterator[EncodedBatch]:
        return encode_trajectories(renamed(lists))

    def renamed(lists: Iterable[list[Trajectory]]) -> Iterator[Trajectory]:
        for trajectories in lists:
            for trajectory in trajectories:
                report.read += 1
                yield rename(report.read - before, trajectory)

    context = ReadContext(options)
    with InputFile(path, long_first_line=RUN_HEADER_LINE) as source, _counting(source, report):
        context.source = source.name
        contents = _contents(source, options.input_format, context)
        if contents.records is not None and jobs > 1:
            from .chunks import may_share, read_in_processes

            if may_share(source.path):
                yield from read_in_processes(source, contents.records, options, jobs, encode)
                return
        yield from encode(contents.lists)


def divide_native(path: str, size: int) -> list[Chunk] | None:
    """Divide a JSONL file of native trajectories; None for any other, of which lines may belong together.

    Args:
        path: The file.
        size: How many bytes a chunk has, more or less.
    """
    if path == STANDARD_INPUT:
        return None
    try:
        with InputFile(path, long_first_line=RUN_HEADER_LINE) as source:
            if not source.divisible or not source.opening.startswith(b"{") or recognise(source, is_column) != "jsonl":
                return None
            _, line = next(first_lines(source), (1, b""))
            foreign = ForeignRecords(ReadContext())
            if foreign.begins_with(line) or read_header(line, source.name) is not None:
                return None
            if not _is_native(source, foreign):
                return None
            chunks: list[Chunk] = []
            lines = 0
            for chunk in source.chunks(size):
                chunks.append(chunk._replace(lines_before=lines))
                if lines < ALL_LOOKED_AT:
                    lines += sum(not line.isspace() for line in split_lines(source.read_chunk(chunk)) if line)
            # What stands behind the last one is a line that is too long, as one process will say.
            return chunks if chunks and chunks[-1].end == source.size() else None
    except (InputError, OSError):
        return None


def read_chunk(path: str, chunk: Chunk, options: ReadOptions) -> Iterator[list[Trajectory]]:
    """The trajectories of a chunk of native lines, some dozens at once; others may read the rest of the file.

    Args:
        path: The file.
        chunk: One of those into which it was divided.
        options: What records how it went; reports of several chunks can be merged in their order.

    Raises:
        InputError: The lines cannot be used. What it names is counted from the beginning of the chunk.
    """
    decode = TrajectoryDecoder(options.report, chunk.lines_before)
    context = ReadContext(options)
    with InputFile(path, chunk, long_first_line=RUN_HEADER_LINE) as source:
        context.source = source.name
        for trajectories in _decoded(source, decode, AnswerReader(context, numbered=False), header=False):
            options.report.read += len(trajectories)
            yield trajectories


@contextmanager
def _counting(source: InputFile, report: ImportReport) -> Iterator[None]:
    """Make sure that something was read.

    Raises:
        NothingToDo: There are no trajectories in the file.
    """
    before = report.read
    yield
    if report.read == before:
        raise NothingToDo(f"{source.name}: there are no trajectories in this file")


class _Contents(NamedTuple):
    """What a file holds."""

    lists: Iterator[list[Trajectory]]
    records: ForeignRecords | None = None
    """What reads the lines, where each may be a record of another tool."""


def _contents(source: InputFile, input_format: str | None, context: ReadContext) -> _Contents:
    refuse_workbook(source)
    if source.opening.startswith(ARCHIVE) and input_format in (None, "inspect"):
        from .archives import read_archive

        return _Contents(_singly(read_archive(source, context)))
    only = input_format if input_format is not None and input_format not in FORMATS else None
    foreign = ForeignRecords(context, only)
    if source.opening.startswith(SERVER_SENT) and input_format == only:
        return _Contents(foreign.lines(_sent_data(source)))
    kind = recognise(source, is_column, None if only else input_format)
    if source.blank:
        return _Contents(iter(()))
    if kind == "csv" and only is None:
        return _Contents(_singly(AnswerReader(context).each(read_table_traces(source, context.report))))
    if kind == "jsonl":
        return _from_lines(source, context, foreign)
    if kind == "json":
        found = _json_document(source)
        if isinstance(found, InputError):
            return _Contents(_from_pieces(source, found, context.report, foreign))
        document = found
        if document.repeats:
            context.report.remark(f"{source.name}: an object has a duplicate key; the last value counts")
    elif input_format is None and _holds_foreign_lines(source, foreign):
        # Words of a program stand before the first record.
        return _Contents(foreign.lines(source.lines()))
    else:
        document = read_yaml_document(source, list[Trajectory] | Trajectory)
    if only is not None or foreign.holds_records(document.value):
        return _Contents(foreign.document(document.value))
    return _Contents(_singly(AnswerReader(context).each(_from_document(source, document, context.report))))


def _json_document(source: InputFile) -> LocatedDocument | InputError:
    """The document in a file, or what is wrong with it, which does not hold what was read of it."""
    try:
        return read_json_document(source, unique_keys=False)
    except InputError as error:
        return error.with_traceback(None)


def _sent_data(source: InputFile) -> Iterator[tuple[int, bytes]]:
    """The data of the events that a server sent, with the numbers of their lines; the last may only say that it is."""
    for number, line in source.lines():
        data = line.removeprefix(b"data:").strip() if line.startswith(b"data:") else b""
        if data and data != b"[DONE]":
            yield number, data


def _singly(trajectories: Iterable[Trajectory]) -> Iterator[list[Trajectory]]:
    for trajectory in trajectories:
        yield [trajectory]


def _from_lines(source: InputFile, context: ReadContext, foreign: ForeignRecords) -> _Contents:
    number, line = next(first_lines(source), (1, b""))
    records = _Contents(foreign.lines(source.lines()), foreign)
    if foreign.begins_with(line):
        return records
    header = read_header(line, source.name, number)
    if header is None and not _is_native(source, foreign):
        return records
    return _Contents(_from_native_lines(source, context, header))


def _from_native_lines(source: InputFile, context: ReadContext, header: Header | None) -> Iterator[list[Trajectory]]:
    count = 0
    decode = TrajectoryDecoder(context.report)
    for trajectories in _decoded(source, decode, AnswerReader(context), header=header is not None):
        count += len(trajectories)
        if header is not None and header.trajectories is not None and count > header.trajectories:
            break  # all that follow are too many
        yield trajectories
    _check_count(source, header, count)


def _is_native(source: InputFile, foreign: ForeignRecords) -> bool:
    """Whether none of the first lines is a record of another tool.

    Raises:
        InputError: They are records of no known tool.
    """
    looks = {foreign.look_at(line) for _, line in first_lines(source)}
    if looks == {"unknown"}:
        from .unknown import unknown_format

        number, first = next(first_lines(source))
        written = first.decode("utf-8", "replace")
        raise InputError(source.name, unknown_format(decode_json(first), line=number, written=written))
    return "foreign" not in looks


def first_lines(source: InputFile, longest: int | None = None) -> Iterator[tuple[int, bytes]]:
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
    """Whether a file that does not begin with JSON has lines with records of other tools."""
    lines = first_lines(source, MAX_BYTES_LOOKED_AT)
    try:
        return any(line.startswith((b"{", b"[")) and foreign.begins_with(line) for _, line in lines)
    except InputError:
        return False  # a line too long for a log; whoever reads it as a document says what is wrong


def _from_pieces(
    source: InputFile, error: InputError, report: ImportReport, foreign: ForeignRecords
) -> Iterator[list[Trajectory]]:
    """The trajectories of a file that is not a JSON document, but holds complete records of other tools.

    Raises:
        InputError: It holds none; what is wrong with the document.
    """
    from .envelopes import whole_values

    values, faults = whole_values(source)
    if not foreign.holds_records(values):
        raise error
    what = error.problems[0].describe(source.name)
    broken = f", {faults} broken {'one is' if faults == 1 else 'ones are'} left out" if faults else ""
    report.remark(f"{what}; complete records are read{broken}")
    return foreign.document(values)


def _decoded(
    source: InputFile, decode: TrajectoryDecoder, read_answers: AnswerReader, *, header: bool
) -> Iterator[list[Trajectory]]:
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
            found = list(decode_lines(source, decode, first, lines, problems))
            trajectories = [trajectory for _, _, trajectory in found]
            read_answers.numbers = [number for number, _, _ in found]
        else:
            read_answers.numbers = range(first, first + len(lines))
        if trajectories:
            yield read_answers(trajectories)
        if problems.full:
            break
    problems.raise_if_any()


def _check_count(source: InputFile, header: Header | None, count: int) -> None:
    """Make sure that a run file is whole."""
    if header is not None and header.trajectories not in (None, count):
        found = "more" if count > (header.trajectories or 0) else str(count)
        what = f"the header announces {header.trajectories} trajectories, but there are {found}"
        raise InputError(source.name, Problem(what, 1, hint="this run file was cut off, or added to"))


def _from_document(source: InputFile, document: LocatedDocument, report: ImportReport) -> Iterator[Trajectory]:
    value = document.value
    if value is None:
        return
    decode = TrajectoryDecoder(report)
    problems = Problems(source.name)
    single = isinstance(value, dict)
    records = _records(source, value)
    if records and all(isinstance(record, dict) and not looks_native(record) for record in records):
        from .unknown import unknown_format

        first = source.opening.decode("utf-8", "replace").strip().partition("\n")[0]
        raise InputError(source.name, unknown_format(records[0], written=first))
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
    raise InputError(source.name, Problem("these are not trajectories", 1, 1, hint))
