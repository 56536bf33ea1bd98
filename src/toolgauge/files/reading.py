"""Opening a file once and reading it as text or line by line, with every fault of its encoding named by place."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import IO

from toolgauge.errors import InputError, Problem

__all__ = ["STANDARD_INPUT", "InputFile"]

STANDARD_INPUT = "-"
"""The path that means standard input."""

SAVE_AS_UTF8 = "save it as UTF-8"

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# UTF-32 comes first: its little-endian mark begins with the one of UTF-16.
OTHER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)

HEAD = 4096
"""How many bytes from the beginning are looked at."""

KEPT_IN_MEMORY = 16 * 1024 * 1024
"""How much of a pipe is kept in memory before it goes to a temporary file."""


class InputFile:
    """A file that somebody gave us, opened once. Use it as a context manager.

    A pipe or standard input is copied first, so that the beginning can be looked at and then read again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.name = "standard input" if self.path == STANDARD_INPUT else self.path
        self._offset = 0
        try:
            self._stream = self._open()
        except (OSError, ValueError) as error:
            raise InputError(self.name, _unreadable(error)) from error
        try:
            self._look()
        except InputError:
            self._stream.close()
            raise

    def _look(self) -> None:
        """Learn from the beginning what the file is."""
        try:
            head = self._stream.read(HEAD)
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error
        self._start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
        self.blank = len(head) < HEAD and not head[self._start :].strip()
        """Whether there is nothing in it."""
        encoding = _other_encoding(head)
        if encoding:
            what = f"this is {encoding}, not UTF-8, from byte offset 0 on"
            raise InputError(self.name, Problem(what, 1, 1, SAVE_AS_UTF8))

    def __enter__(self) -> InputFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    @property
    def stem(self) -> str:
        """The name of the file without folder and ending."""
        if self.path == STANDARD_INPUT:
            return "stdin"
        return os.path.splitext(os.path.basename(self.path))[0] or self.path

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line with its number, from 1, without its ending, which may be LF, CRLF or CR."""
        number = 0
        try:
            self._stream.seek(self._start)
            offset = self._start
            for chunk in self._stream:
                self._offset = offset
                offset += len(chunk)
                line = chunk.rstrip(b"\n")
                if b"\r" not in line:
                    number += 1
                    yield number, line
                    continue
                for part in line.removesuffix(b"\r").split(b"\r"):
                    number += 1
                    yield number, part
                    self._offset += len(part) + 1
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error

    def text_lines(self) -> Iterator[tuple[int, str]]:
        """As `lines`, decoded."""
        for number, line in self.lines():
            try:
                yield number, line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(self.name, self.not_utf8(line, number)) from error

    def read(self) -> bytes:
        """The whole file, without a byte order mark."""
        try:
            self._stream.seek(self._start)
            return self._stream.read()
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error

    def text(self) -> str:
        """The whole file as text, with line endings made LF."""
        data = self.read()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            raise InputError(
                self.name,
                _bad_byte(data[error.start], self._start + error.start, before.count(b"\n") + 1),
            ) from error
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def not_utf8(self, line: bytes, number: int) -> Problem:
        """What to say of a line, the one read last, that is not UTF-8."""
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return _bad_byte(line[error.start], self._offset + error.start, number)
        return Problem("this line is not valid text", number, hint=SAVE_AS_UTF8)

    def _open(self) -> IO[bytes]:
        if self.path == STANDARD_INPUT:
            return _copied(sys.stdin.buffer)
        stream = open(self.path, "rb")  # noqa: SIM115 - closed by __exit__
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return stream
        with stream:
            return _copied(stream)


def _copied(stream: IO[bytes]) -> IO[bytes]:
    from shutil import copyfileobj
    from tempfile import SpooledTemporaryFile

    copy = SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115 - closed by the input file that holds it
    copyfileobj(stream, copy)
    copy.seek(0)
    return copy


def _unreadable(error: OSError | ValueError) -> Problem:
    if isinstance(error, FileNotFoundError):
        return Problem("there is no such file", hint="check the path")
    if isinstance(error, IsADirectoryError):
        return Problem("this is a directory", hint="name a file")
    if isinstance(error, PermissionError):
        return Problem("no permission to read it", hint="check its mode and owner")
    if isinstance(error, OSError):
        return Problem(f"cannot be read: {error.strerror or error}")
    return Problem("this cannot be a path", hint="check the path")


def _other_encoding(head: bytes) -> str:
    """The name of the encoding where the beginning shows that it is neither UTF-8 nor ASCII, else nothing."""
    for mark, name in OTHER_MARKS:
        if head.startswith(mark):
            return name
    # Text in a wide encoding without a mark shows by NULs in every second, or in three of four, places.
    if head[:4].count(0) == 3 and len(head) >= 4:
        return "UTF-32"
    if len(head) >= 4 and head[:4].count(0) == 2 and (head[0] == head[2] == 0 or head[1] == head[3] == 0):
        return "UTF-16"
    return ""


def _bad_byte(byte: int, offset: int, line: int) -> Problem:
    return Problem(f"byte 0x{byte:02x} at byte offset {offset} is not UTF-8", line, hint=SAVE_AS_UTF8)
