"""Streams that can be read like a file: what a pipe or a generator gives, from any place, and a part of a file."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from toolgauge.errors import OutputError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["open_produced", "open_repeatable", "open_window"]

KEPT_IN_MEMORY = 4 * 1024 * 1024
"""How much of a pipe is kept in memory before it goes to a temporary file."""

BUFFER = 128 * 1024

LOOKED_BACK = 4 * 1024 * 1024
"""How far one can go back in what was produced without its being produced again."""

FARTHEST_BACK = 40 * 1024 * 1024
"""Up to here, going farther back once makes that much be kept from then on: the longest line finds room in it."""


def open_repeatable(stream: io.BufferedReader) -> IO[bytes]:
    """A stream of what a pipe gives, which can go back to any place that it has passed. The pipe stays open."""
    return io.BufferedReader(_Repeatable(stream), BUFFER)


class _Repeatable(io.RawIOBase):
    """Copies what is read, and reads the copy where there is one."""

    def __init__(self, stream: io.BufferedReader) -> None:
        import tempfile  # what plain files do without

        self._stream = stream
        self._copy = tempfile.SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115 - closed by `close`
        self._copied = 0
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place that was passed before; what is further on is not known yet."""
        place = offset + (self._position if whence == io.SEEK_CUR else 0)
        if whence == io.SEEK_END or not 0 <= place <= self._copied:
            raise io.UnsupportedOperation("a pipe can seek only to what has been read")
        self._position = place
        return place

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # any buffer in the base, this one in fact
        """Fill the buffer as far as one read goes."""
        self._copy.seek(self._position)
        if self._position < self._copied:
            data = self._copy.read(min(len(buffer), self._copied - self._position))
        else:
            data = self._stream.read1(len(buffer))
            self._keep(data)
            self._copied += len(data)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _keep(self, data: bytes) -> None:
        try:
            self._copy.write(data)
            # What waits in a buffer would fail later, where nobody knows what it is.
            self._copy.flush()
        except OSError as error:
            import tempfile

            place = tempfile.tempdir or "the temporary directory"
            hint = "free some space, or give the file itself instead of a pipe"
            raise OutputError(f"{place}: cannot be written: {error.strerror or error}; {hint}") from error

    def close(self) -> None:
        """Close the copy."""
        with suppress(OSError):
            self._copy.close()
        super().close()


def open_produced(produce: Callable[[], Iterator[bytes]]) -> IO[bytes]:
    """A stream of what a generator gives. To go far back, a new one is made and passed over up to there."""
    return io.BufferedReader(_Produced(produce), BUFFER)


class _Produced(io.RawIOBase):
    """Keeps the last of what was produced."""

    def __init__(self, produce: Callable[[], Iterator[bytes]]) -> None:
        self._produce = produce
        self._kept_back = LOOKED_BACK
        self._position = 0
        self._begin()

    def _begin(self) -> None:
        self._blocks = self._produce()
        self._kept = bytearray()
        self._dropped = 0
        """How many bytes were produced before those that are kept."""

    @property
    def _end(self) -> int:
        return self._dropped + len(self._kept)

    def _advance(self) -> bool:
        """Produce some more; False where there is nothing left."""
        block = next(self._blocks, b"")
        if len(self._kept) > 2 * self._kept_back:
            self._dropped += len(self._kept) - self._kept_back
            del self._kept[: len(self._kept) - self._kept_back]
        self._kept += block
        return bool(block)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            while self._advance():
                continue
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._end}[whence]
        self._position = max(0, start + offset)
        return self._position

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # any buffer in the base, this one in fact
        """Fill the buffer as far as what is at hand goes."""
        if self._position < self._dropped:
            self._kept_back = max(self._kept_back, min(self._end - self._position, FARTHEST_BACK))
            self._close_blocks()
            self._begin()
        while self._position >= self._end:
            if not self._advance():
                return 0
        begin = self._position - self._dropped
        with memoryview(self._kept) as kept, kept[begin : begin + len(buffer)] as data:
            buffer[: len(data)] = data
            self._position += len(data)
            return len(data)

    def _close_blocks(self) -> None:
        close = getattr(self._blocks, "close", None)
        if close is not None:
            close()

    def close(self) -> None:
        """End the generator."""
        self._close_blocks()
        super().close()


def open_window(file: IO[bytes], begin: int, end: int) -> IO[bytes]:
    """The bytes of a file between two places; the file is closed with it."""
    return io.BufferedReader(_Window(file, begin, end), BUFFER)


class _Window(io.RawIOBase):
    def __init__(self, file: IO[bytes], begin: int, end: int) -> None:
        self._file = file
        self._begin = begin
        self._size = end - begin
        self._at = 0
        self._file.seek(begin)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, buffer: Buffer, /) -> int:
        with memoryview(buffer) as room:
            wanted = max(0, min(len(room), self._size - self._at))
            got = self._file.readinto(room[:wanted]) or 0  # type: ignore[attr-defined]  # every binary file has it
        self._at += got
        return got

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        self._file.seek(self._begin + self._at)
        return self._at

    def close(self) -> None:
        self._file.close()
        super().close()
