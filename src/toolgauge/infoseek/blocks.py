"""Reading files of many small records: by blocks of lines while all is well, line by line once something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Generic, TypeVar

import msgspec

from toolgauge.core import Advance
from toolgauge.files import (
    InputFile,
    LocatedDocument,
    OpenedInput,
    Problems,
    RecordDecoder,
    Rejected,
    convert,
    expand_path,
    open_joined,
    read_json_document,
    read_records,
)

__all__ = ["RecordFile", "Records"]

T = TypeVar("T")


class RecordFile(InputFile):
    """A file of records, one a line or all in one JSON list; or the files of a folder or pattern, one after another."""

    def _opened(self) -> OpenedInput:
        named = expand_path(self.path)
        return super()._opened() if [file.path for file in named] == [self.path] else open_joined(named)

    def is_list(self) -> bool:
        """Whether the file begins as one JSON list does."""
        return self.opening.startswith(b"[")

    def read_list(self) -> LocatedDocument:
        """The file as one document.

        Raises:
            InputError: It is not JSON.
        """
        return read_json_document(self, unique_keys=False)


class Records(Generic[T]):
    """Decodes records of one type: many at a time, and with all the reasons where something is wrong.

    `check` raises `Rejected` for a record that is of the type and still not as it should be. Reading fast leaves it
    to the caller, who looks at every record anyway.
    """

    def __init__(self, kind: type[T], check: Callable[[T], object]) -> None:
        self._kind = kind
        self._check = check
        self._decoder = msgspec.json.Decoder(kind)
        self._decode_carefully = RecordDecoder(kind)

    def read(self, source: RecordFile, advance: Advance) -> Iterator[list[T]]:
        """The records of a file, many at a time.

        Raises:
            InputError: Lines are not JSON or not of the type.
        """
        given = 0
        for block in source.blocks():
            try:
                records = self._decoder.decode_lines(block)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                # A fault, or what only the careful way understands: lone surrogates, and lines that end in CR alone.
                for _, _, record in read_records(source, self._decode, skip=given):
                    yield [record]
                return
            given += len(records)
            yield records
            advance(len(block))

    def read_numbered(self, source: RecordFile) -> Iterator[tuple[int, T]]:
        """The records of a file with their lines, each of them checked.

        Raises:
            InputError: Lines are not as they should be.
        """
        for number, _, record in read_records(source, self._decode):
            yield number, record

    def _decode(self, line: bytes) -> T:
        record = self._decode_carefully(line)
        if b"\\ud" in line.lower():
            # The published evaluator takes lone surrogates as they are, and not as the text of their escapes.
            record = msgspec.convert(_without_odd_keys(json.loads(line)), self._kind)
        self._check(record)
        return record

    def take(self, name: str, document: LocatedDocument) -> list[T]:
        """The records in a document that is one list, each of them checked.

        Raises:
            InputError: Items are not as they should be.
        """
        records: list[T] = []
        problems = Problems(name)
        for index, item in enumerate(document.value if isinstance(document.value, list) else []):
            try:
                record = convert(item, self._kind)
                if isinstance(record, list):
                    raise Rejected(*record)
                self._check(record)
                records.append(record)
            except Rejected as error:
                faults = [replace(fault, path=(index, *fault.path)) for fault in error.faults]
                problems.add_faults(faults, document.locate)
            if problems.full:
                break
        problems.raise_if_any()
        return records


def _without_odd_keys(value: Any) -> Any:
    """The value without keys that hold half a character: none of ours does, and msgspec cannot read them."""
    if isinstance(value, dict):
        return {key: _without_odd_keys(inner) for key, inner in value.items() if _is_whole(key)}
    return [_without_odd_keys(inner) for inner in value] if isinstance(value, list) else value


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
