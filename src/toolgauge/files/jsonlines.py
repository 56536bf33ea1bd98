"""Reading JSONL, one value a line, never the whole file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import msgspec

from .conversion import convert
from .jsontext import BadJson, check_depth, decode_json, find_place
from .problems import Fault, Path, Place, Problems
from .reading import InputFile

__all__ = ["RecordDecoder", "Rejected", "decode_lines", "leave_out", "read_json_lines", "read_records"]

T = TypeVar("T")


class Rejected(Exception):  # noqa: N818 - caught by whoever knows the place of the record
    """A record that is JSON but not what it should be."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__(f"{len(faults)} faults")


class RecordDecoder(Generic[T]):
    """Decodes JSON records of one type: fast while all is well, and with all the reasons where it is not."""

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind
        self._decode = msgspec.json.Decoder(kind).decode

    def __call__(self, data: bytes) -> T:
        """The record.

        Raises:
            BadJson: It is not JSON.
            Rejected: It is not of the type.
            UnicodeDecodeError: It is not UTF-8.
        """
        check_depth(data)
        try:
            return self._decode(data)
        except (msgspec.DecodeError, RecursionError):
            record = convert(decode_json(data), self.kind)
        if isinstance(record, list):
            raise Rejected(*record)
        return record


def read_records(source: InputFile, decode: Callable[[bytes], T], *, skip: int = 0) -> Iterator[tuple[int, bytes, T]]:
    """Each record with its line number and the line. Blank lines count for nothing.

    After the first problem nothing more is given, but the rest of the file is looked through for more problems,
    which are raised together at the end.

    Args:
        source: The file.
        decode: Turns a line into a record, or raises what `RecordDecoder` raises.
        skip: How many records to leave out at the beginning.

    Raises:
        InputError: Lines are not UTF-8, not JSON or not as they should be.
    """
    problems = Problems(source.name)
    for first, lines in source.batches():
        if skip:
            first, lines, skip = leave_out(first, lines, skip)
        yield from decode_lines(source, decode, first, lines, problems)
        if problems.full:
            break
    problems.raise_if_any()


def leave_out(first: int, lines: list[bytes], skip: int) -> tuple[int, list[bytes], int]:
    """Lines without the first that are not blank: the number of the first one left, the rest, and how many more."""
    for position, line in enumerate(lines):
        if line.strip():
            skip -= 1
            if not skip:
                return first + position + 1, lines[position + 1 :], 0
    return first + len(lines), [], skip


def decode_lines(
    source: InputFile, decode: Callable[[bytes], T], first: int, lines: Sequence[bytes], problems: Problems
) -> Iterator[tuple[int, bytes, T]]:
    """The records of some lines of a file, as `read_records` has them; what is wrong is added to the problems.

    Args:
        source: The file.
        decode: Turns a line into a record.
        first: The number of the first line.
        lines: The lines.
        problems: Where there are some, nothing more is given.
    """
    for number, line in enumerate(lines, first):
        if not line or line.isspace():
            continue
        try:
            record = decode(line)
        except BadJson as error:
            problems.add(replace(error.problem, line=number))
        except Rejected as error:
            problems.add_faults(error.faults, _LinePlaces(number, line))
        except UnicodeDecodeError:
            problems.add(source.not_utf8(line, number))
        else:
            if not problems:
                yield number, line, record
        if problems.full:
            return


class _LinePlaces:
    """Finds the places of faults in a single line."""

    def __init__(self, number: int, line: bytes) -> None:
        self.number = number
        self.text = line.decode("utf-8", "replace")

    def __call__(self, path: Path, at_key: bool) -> Place:
        place = find_place(self.text, path, at_key)
        return self.number, place[1] if place else 1


def read_json_lines(path: str | os.PathLike[str], kind: type[T], *, skip: int = 0) -> Iterator[T]:
    """The records of a JSONL file, as values of one type.

    Args:
        path: The file.
        kind: What each line is.
        skip: How many records to leave out at the beginning.

    Raises:
        InputError: The file cannot be read, or lines are not as they should be.
    """
    with InputFile(path) as source:
        for _, _, record in read_records(source, RecordDecoder(kind), skip=skip):
            yield record
