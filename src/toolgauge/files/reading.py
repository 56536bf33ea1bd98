"""Opening a file once and reading it as text or line by line, with every fault of its encoding named by place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from types import TracebackType
from typing import IO, Literal, NamedTuple, Self

from toolgauge.errors import InputError, Problem

from .jsontext import MOST_PARTS, BadJson, check_count
from .opening import STANDARD_INPUT, OpenedInput, open_input, unknown_scheme, unpacked_name

__all__ = ["LONGEST_LINE", "MEBIBYTE", "STANDARD_INPUT", "Chunk", "InputFile", "split_lines"]

MEBIBYTE = 1024 * 1024

LONGEST_LINE = 32 * MEBIBYTE
"""The longest line, in bytes. Three times a large tool result, and not enough to exhaust the memory."""

MOST_PARTS_WHOLE, MOST_PARTS_FIRST = 2_400_000, 4_800_000
"""How many lists, objects and keys a file that is one document may hold, and a first line that may be longer: those
with a suite of a hundred thousand cases hold as many."""

SAVE_AS_UTF8 = "save it as UTF-8"

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LINE_END = b"\n"
CARRIAGE_RETURN = b"\r"

# UTF-32 comes first: its little-endian mark begins with the one of UTF-16.
OTHER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)

PIECE = 16 * 1024
"""How many bytes are looked at in one go; what is made of them shall find room in the cache of the processor."""

MOST_PIECES = 64
"""Of how many pieces a line may be put together; the end of a longer one is looked for first."""

LONG = 1000
"""Of lines as long as this, each is cut out by itself: to search for the next end takes less time than to split."""


class Chunk(NamedTuple):
    """Whole lines of a file, from one byte offset to another, or row groups of a Parquet file."""

    begin: int
    end: int
    lines_before: int = 0
    """How many lines that are not blank stand before it, for readers to whom that matters."""
    unit: Literal["bytes", "row groups"] = "bytes"


class InputFile:
    """A file that somebody gave us, opened once. Use it as a context manager.

    What is read of a pipe or of standard input is copied, so that it can be read again. Nothing is read that was not
    asked for: a pipe without end is refused as soon as it breaks a limit.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        chunk: Chunk | None = None,
        *,
        long_first_line: tuple[bytes, int] | None = None,
    ) -> None:
        """Open a file, or a chunk of it.

        Args:
            path: The file.
            chunk: The part of it to read; default: all.
            long_first_line: How a first line begins that may be longer than the others, and its most bytes.
        """
        self.path = os.fspath(path)
        self._long_first_line = long_first_line
        self._chunk = chunk
        self.name = "standard input" if self.path == STANDARD_INPUT else self.path
        try:
            opened = self._opened()
        except (OSError, ValueError) as error:
            raise InputError(self.name, _unreadable(error)) from error
        self._input, self._stream = opened, opened.stream
        self.divisible, self.is_table = opened.divisible, opened.is_table
        """Whether others can read a part of it by its place, and whether it is a sheet."""
        try:
            self._look()
        except InputError:
            self.close()
            raise

    def _opened(self) -> OpenedInput:
        return open_input(self.path, self._chunk)

    def _look(self) -> None:
        """Learn from the beginning what the file is."""
        self._start = 0
        # Only the beginning of a file tells how it is encoded.
        inside = self._chunk is not None and self._chunk.begin
        head = b"" if inside else next(self._pieces(), b"")
        encoding = _other_encoding(head)
        if encoding:
            what = f"this is {encoding}, not UTF-8, from byte offset 0 on"
            raise InputError(self.name, Problem(what, 1, 1, SAVE_AS_UTF8))
        self._start = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
        self.opening = next(filter(None, map(bytes.lstrip, self._pieces())), b"")
        """The first bytes that are not blank."""
        self.blank = not self.opening
        """Whether there is nothing in it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._input.close()

    @property
    def stem(self) -> str:
        """The name of the file without folder and ending."""
        if self.path == STANDARD_INPUT:
            return "stdin"
        return os.path.splitext(os.path.basename(unpacked_name(self.path)))[0] or self.path

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
        """Every line with its number, from 1, without its ending, which may be LF, CRLF or CR.

        Raises:
            InputError: The file cannot be read, or a line is longer than this many bytes.
        """
        for number, lines in self.batches(longest):
            yield from enumerate(lines, number)

    def batches(self, longest: int = LONGEST_LINE, *, start: int = 0) -> Iterator[tuple[int, list[bytes]]]:
        """The lines as `lines` has them, many at once, each time with the number of the first.

        Args:
            longest: How many bytes a line may have.
            start: How many bytes to leave out, which are whole lines; the next one has the number 1.

        Raises:
            InputError: The file cannot be read, or a line is longer than this many bytes.
        """
        number = 1
        for block in self.blocks(longest, start=start):
            lines = split_lines(block)
            block = b""  # of which the lines are copies, and which may be as long as the longest of them
            count = len(lines)
            yield number, lines
            number += count

    def blocks(self, longest: int = LONGEST_LINE, *, start: int = 0) -> Iterator[bytes]:
        """The file in blocks of whole lines, which end with LF, without a byte order mark.

        Args:
            longest: How many bytes a line may have.
            start: How many bytes to leave out, which are whole lines.

        Raises:
            InputError: The file cannot be read, or a line is longer than this many bytes.
        """
        held: list[bytes] = []
        size = 0
        most = max(PIECE, min(MOST_PIECES * PIECE, longest - PIECE))
        # A chunk of a file is read in the blocks that it has in the whole.
        begin = self._chunk.begin if self._chunk is not None and self._chunk.unit == "bytes" else 0
        first = PIECE - begin % PIECE
        try:
            end = self._stream.seek(self._start + start)
            pieces = iter(partial(self._stream.read, min(PIECE, longest)), b"")
            for piece in chain((self._stream.read(min(first, longest)),), pieces):
                end += len(piece)
                cut = piece.rfind(LINE_END) + 1
                if cut:
                    yield b"".join((*held, memoryview(piece)[:cut]))
                    held = [piece[cut:]]
                    size = len(piece) - cut
                elif size + len(piece) > most:
                    yield self._long_line(end - size - len(piece), longest)
                    end, held, size = self._stream.tell(), [], 0
                else:
                    held.append(piece)
                    size += len(piece)
            if size:
                yield b"".join(held)
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error

    def size(self) -> int:
        """How many bytes it has; of what is not divisible, all has to be read to know."""
        return self._stream.seek(0, os.SEEK_END)

    def chunks(self, size: int) -> Iterator[Chunk]:
        """Chunks of whole blocks, each of about this many bytes.

        They end before a line that is too long.

        Raises:
            InputError: The file cannot be read.
        """
        begin = self._start
        try:
            whole = self._stream.seek(0, os.SEEK_END)
            while begin < whole:
                offset = (begin + max(size, 2 * PIECE)) // PIECE * PIECE
                end = self._end_of_block(offset, offset + LONGEST_LINE - size, whole)
                if end is None:
                    return
                yield Chunk(begin, end)
                begin = end
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error

    def _end_of_block(self, offset: int, last: int, whole: int) -> int | None:
        """Where the last line ends that ends before an offset, or else the next one, up to the last offset."""
        while offset < whole:
            if offset > last:
                return None
            self._stream.seek(offset - PIECE)
            cut = self._stream.read(PIECE).rfind(LINE_END) + 1
            if cut:
                return offset - PIECE + cut
            offset += PIECE
        return whole

    def read_chunk(self, chunk: Chunk) -> bytes:
        """The bytes of a chunk.

        Raises:
            InputError: The file cannot be read.
        """
        try:
            self._stream.seek(chunk.begin)
            return self._stream.read(chunk.end - chunk.begin)
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error

    def lines_from(self, begin: int, number: int) -> Iterator[tuple[int, bytes]]:
        """As `lines`, from a place on that is the beginning of a line with this number."""
        for _, lines in self.batches(start=max(0, begin - self._start)):
            yield from enumerate(lines, number)
            number += len(lines)

    def _long_line(self, offset: int, longest: int) -> bytes:
        """The line that begins at this offset. Its end is looked for before any of it is kept.

        Raises:
            InputError: The line is too long.
        """
        allowed = longest
        if self._long_first_line is not None and offset == self._start:
            opening, most = self._long_first_line
            allowed = max(longest, most) if self.opening.startswith(opening) else longest
        stream = self._stream
        stream.seek(offset)
        length = 0
        for piece in iter(partial(stream.readline, PIECE), b""):
            length += len(piece)
            if length - piece.endswith(LINE_END) > allowed:
                what = f"this line is longer than {_size(allowed)}"
                hint = "write each record on its own line"
                raise InputError(self.name, Problem(what, self._number_at(offset), hint=hint))
            if piece.endswith(LINE_END):
                break
        stream.seek(offset)
        line = stream.read(length)
        self._check_count(line, MOST_PARTS_FIRST if allowed > longest else MOST_PARTS, self._number_at, offset)
        return line

    def _check_count(self, data: bytes, most: int, number_at: Callable[[int], int], offset: int) -> None:
        """Refuse JSON that takes many times the memory that it is long."""
        if data.lstrip()[:1] not in (b"[", b"{"):
            return
        try:
            check_count(data, most)
        except BadJson as error:
            raise InputError(self.name, replace(error.problem, line=number_at(offset))) from None

    def _number_at(self, offset: int) -> int:
        """The number of the line that begins at an offset, found by reading up to it once more."""
        number = 1
        here = self._stream.seek(self._start)
        while line := self._stream.readline(offset - here):
            here += len(line)
            number += len(_without_returns(line.removesuffix(LINE_END)))
        return number

    def text_lines(self, longest: int = LONGEST_LINE) -> Iterator[tuple[int, str]]:
        """As `lines`, decoded."""
        for number, line in self.lines(longest):
            try:
                yield number, line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(self.name, self.not_utf8(line, number)) from error

    def _pieces(self) -> Iterator[bytes]:
        """The file piece by piece, without a byte order mark."""
        try:
            self._stream.seek(self._start)
            yield from iter(partial(self._stream.read, PIECE), b"")
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error

    def read(self, largest: int, hint: str = "") -> bytes:
        """The whole file, without a byte order mark.

        Args:
            largest: How many bytes it may have; of a larger one no more than that is read.
            hint: What to do about a larger one.

        Raises:
            InputError: The file cannot be read, or is larger.
        """
        size, line = 0, 1
        for piece in self._pieces():
            size += len(piece)
            if size > largest:
                what = f"the file is larger than {_size(largest)}, of which this is the last line"
                raise InputError(self.name, Problem(what, line, hint=hint))
            line += piece.count(b"\n")
        try:
            self._stream.seek(self._start)
            data = self._stream.read(size)
        except OSError as error:
            raise InputError(self.name, _unreadable(error)) from error
        self._check_count(data, MOST_PARTS_WHOLE, lambda _: 1, 0)
        return data

    def stream(self) -> IO[bytes]:
        """The file itself, at its first byte, for what is not read from beginning to end; a pipe cannot go ahead."""
        self._stream.seek(0)
        return self._stream

    def text(self, largest: int, hint: str = "") -> str:
        """As `read`, as text with line endings made LF."""
        data = self.read(largest, hint)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            text, bad = "", error.start
        else:
            bad = -1
        if bad >= 0:
            # Raised out here, it does not hold the error of the decoder, which holds all of the data.
            ends = data.count(b"\n", 0, bad) + data.count(b"\r", 0, bad) - data.count(b"\r\n", 0, bad)
            raise InputError(self.name, _bad_byte(data[bad], self._start + bad, ends + 1))
        del data
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def not_utf8(self, line: bytes, number: int) -> Problem:
        """What to say of a line that is not UTF-8."""
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return _bad_byte(line[error.start], self._offset_of(number) + error.start, number)
        return Problem("this line is not valid text", number, hint=SAVE_AS_UTF8)

    def _offset_of(self, number: int) -> int:
        """The offset of a line, found by reading up to it once more."""
        here = self._stream.tell()
        offset = self._stream.seek(self._start)
        passed = 0
        for chunk in iter(partial(self._stream.readline, LONGEST_LINE), b""):
            parts = chunk.removesuffix(LINE_END).removesuffix(CARRIAGE_RETURN).split(CARRIAGE_RETURN)
            if passed + len(parts) >= number:
                offset += sum(len(part) + 1 for part in parts[: number - passed - 1])
                break
            passed += len(parts)
            offset += len(chunk)
        self._stream.seek(here)
        return offset


def _size(count: int) -> str:
    return f"{count // MEBIBYTE} MiB" if count >= MEBIBYTE else f"{count:,} bytes"


def split_lines(block: bytes) -> list[bytes]:
    """The lines of a block, without their ends, which may be LF, CRLF or CR."""
    lines = _split(block)
    if CARRIAGE_RETURN in block:
        return [part for line in lines for part in _without_returns(line)]
    return lines


def _split(block: bytes) -> list[bytes]:
    """The parts of a block between line feeds."""
    end = block.find(LINE_END)
    if end < LONG:
        lines = block.split(LINE_END)
        if not lines[-1]:
            lines.pop()
        return lines
    lines = []
    begin = 0
    while end >= 0:
        lines.append(block[begin:end])
        begin = end + 1
        end = block.find(LINE_END, begin)
    if begin < len(block):
        lines.append(block[begin:])
    return lines


def _without_returns(line: bytes) -> list[bytes]:
    """The lines in a line, where some end with a carriage return."""
    return line.removesuffix(CARRIAGE_RETURN).split(CARRIAGE_RETURN)


def _unreadable(error: OSError | ValueError) -> Problem:
    if isinstance(error, FileNotFoundError):
        return unknown_scheme(str(error.filename)) or Problem("there is no such file", hint="check the path")
    if isinstance(error, IsADirectoryError):
        return Problem("this is a directory", hint="name a file")
    if isinstance(error, PermissionError):
        return Problem("no permission to read it", hint="check its permissions and owner")
    if isinstance(error, OSError):
        return Problem(f"cannot be read: {error.strerror or error}")
    return Problem("this is not a valid path", hint="check the path")


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
