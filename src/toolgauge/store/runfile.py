"""Reading run files, and making sure that they are whole."""

from __future__ import annotations

import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import starmap
from typing import NoReturn

import msgspec

from toolgauge.core import RUN_HEADER_LINE, RUN_SCHEMA, SCORING_VERSION, Reviews, RunHeader, Score, Scored, Trajectory
from toolgauge.errors import InputError, Problem
from toolgauge.files import (
    STANDARD_INPUT,
    BadJson,
    InputFile,
    RecordDecoder,
    Rejected,
    is_shallow,
    leave_out,
    read_records,
)

from .checks import LineChecks
from .encoding import RunLine, Suites
from .reviews import read_reviews

__all__ = ["WRITE_ONE", "RunFile"]

WRITE_ONE = "write one with toolgauge score --format run"
"""What to do where a file is no run file."""


class RunFile:
    """A run file: its header, and its lines as often as one likes, also from a pipe or standard input ("-")."""

    def __init__(self, path: str | os.PathLike[str], suites: Suites | None = None) -> None:
        """Read the header.

        Args:
            path: The file.
            suites: Decodes suites that several runs share; default: one that knows none.

        Raises:
            InputError: This is not a run file, or not one that this version reads.
        """
        self.path = os.fspath(path)
        self._pipe: InputFile | None = None
        if _is_pipe(self.path):
            # What a pipe gave is gone, so it is opened once and kept.
            self._pipe = InputFile(self.path, long_first_line=RUN_HEADER_LINE)
            weakref.finalize(self, self._pipe.close)
        with self.opened() as source:
            number, line, self._body = _first_line(source)
            self.header = _read_header(source, number, line, suites or Suites())

    def __iter__(self) -> Iterator[Scored]:
        """Each trajectory with its score.

        Raises:
            InputError: The file is cut, or lines are not as they should be.
        """
        return starmap(Scored, self.pairs())

    def pairs(self) -> Iterator[tuple[Trajectory, Score]]:
        """Each trajectory and its score. The first line that is refused is looked at again, with all that follow.

        Raises:
            InputError: The file is cut, or lines are not as they should be.
        """
        count = 0
        faults_of = LineChecks(self.header).faults
        decode, decode_oddity = msgspec.json.Decoder(RunLine).decode, RecordDecoder(RunLine)
        with self.opened() as source:
            for lines in self._lines_below(source):
                for data in lines:
                    try:
                        line = decode(data) if is_shallow(data) else decode_oddity(data)
                    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadJson, Rejected):
                        if not data.strip():
                            continue
                        line = self._look_closer(source, decode_oddity, data)
                    score = line.score
                    if faults_of(line, score):
                        self._refuse(source)
                    count += 1
                    yield line, score
            wanted = self.header.trajectories
            if wanted is not None and count != wanted:
                what = f"the header announces {_counted(wanted)}, but there are {count}"
                hint = "the file seems to be cut off" if count < wanted else "something was added to the file"
                raise InputError(source.name, Problem(what, 1, hint=hint))

    def reviews(self) -> Reviews:
        """What people said of it, in the file beside it.

        Raises:
            InputError: What is there are not reviews of this run.
        """
        return Reviews() if self._pipe is not None else read_reviews(self.path, self.header)

    def _lines_below(self, source: InputFile) -> Iterator[list[bytes]]:
        """The lines below the header, many at once, of a file."""
        skip = 0 if self._body else 1
        for first, lines in source.batches(start=self._body):
            if skip:
                _, lines, skip = leave_out(first, lines, skip)
            yield lines

    def _look_closer(self, source: InputFile, decode: RecordDecoder[RunLine], data: bytes) -> RunLine:
        """A line that only the slower decoder may be able to read.

        Raises:
            InputError: It cannot either.
        """
        try:
            return decode(data)
        except (BadJson, Rejected, UnicodeDecodeError):
            self._refuse(source)

    def _refuse(self, source: InputFile) -> NoReturn:
        """Read the file again, and say everything that is wrong with it.

        Raises:
            InputError: Some line is not as it should be.
        """
        for _ in read_records(source, _LineDecoder(self.header), skip=1):
            continue
        raise AssertionError("a line was refused and then accepted")

    @contextmanager
    def opened(self) -> Iterator[InputFile]:
        """The file, at its beginning."""
        if self._pipe is not None:
            yield self._pipe
            return
        with InputFile(self.path, long_first_line=RUN_HEADER_LINE) as source:
            yield source


def _is_pipe(path: str) -> bool:
    try:
        return path == STANDARD_INPUT or not stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        # Opening it says what is wrong.
        return False


def _counted(number: int) -> str:
    return "1 trajectory" if number == 1 else f"{number} trajectories"


class _Schema(msgspec.Struct):
    schema: str | None = None


def _first_line(source: InputFile) -> tuple[int, bytes, int]:
    """The first line that is not blank with its number, and how many bytes come before the next; 0: not known."""
    block = next(source.blocks(), b"")
    line, end, _ = block.partition(b"\n")
    if line.strip() and b"\r" not in line:
        return 1, line, len(line) + len(end)
    return *next(((number, line) for number, line in source.lines() if line.strip()), (1, b"")), 0


def _read_header(source: InputFile, number: int, line: bytes, suites: Suites) -> RunHeader:
    """The header, which is looked at alone: where it is not one, the lines below mean nothing."""
    header = suites.read_header(line) or _looked_at(source, number, line)
    if header.scoring > SCORING_VERSION:
        what = f"scored by version {header.scoring} of the rules, and this toolgauge supports version {SCORING_VERSION}"
        hint = "read it with the version that wrote it, or score its trajectories again with toolgauge score"
        raise InputError(source.name, Problem(what, number, hint=hint))
    return header


def _looked_at(source: InputFile, number: int, line: bytes) -> RunHeader:
    """A header that the quick way refuses, or the reason why it has to be refused.

    Raises:
        InputError: It has to be refused.
    """
    _check_schema(source, number, line)
    try:
        return RecordDecoder(RunHeader)(line)
    except UnicodeDecodeError as error:
        raise InputError(source.name, source.not_utf8(line, number)) from error
    except BadJson as error:
        raise InputError(source.name, Problem(f"the header: {error.problem.what}", number)) from error
    except Rejected as error:
        problem = error.faults[0].problem(lambda _, __: (number, 1))
        raise InputError(source.name, Problem(f"the header: {problem.what}", number, hint=problem.hint)) from error


def _check_schema(source: InputFile, number: int, line: bytes) -> None:
    try:
        found = msgspec.json.decode(line, type=_Schema).schema
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    if found is None:
        what = f'this is not a run file: its first line has no "schema": "{RUN_SCHEMA}"'
        raise InputError(source.name, Problem(what, number, hint=WRITE_ONE))
    if found != RUN_SCHEMA:
        what = f"this run file has the schema {found!r}, this version reads {RUN_SCHEMA!r}"
        raise InputError(source.name, Problem(what, number, hint="read it with the version that wrote it"))


class _LineDecoder:
    """Decodes lines, and refuses those that do not belong to the run."""

    def __init__(self, header: RunHeader) -> None:
        self._decode = RecordDecoder(RunLine)
        self._checks = LineChecks(header)

    def __call__(self, data: bytes) -> RunLine:
        line = self._decode(data)
        faults = self._checks.faults(line, line.score)
        if faults:
            raise Rejected(*faults)
        return line
