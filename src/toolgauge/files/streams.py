"""Streams that can be read like a file: what a pipe gives, again from any place, and a part of a file by itself."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from toolgauge.errors import OutputError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["open_repeatable", "open_window"]

KEPT_IN_MEMORY = 4 * 1024 * 1024
"""How much of a pipe is kept in memory before it goes to a temporary file."""

BUFFER = 128 * 1024


def open_repeatable(stream: io.BufferedReader) -> IO[bytes]:
    """A stream of what a pipe gives, which can go back to any place that it has passed. The pipe stays open."""
    return io.BufferedReader(_Repeatable(stream), BUFFER)


class _Repeatable(io.RawIOBase):
    """Copies what is read, and reads the copy where there is one."""

    def __init__(self, stream: io.BufferedReader) -> None:
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
            raise io.UnsupportedOperation("a pipe can go back only to where it was before")
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
            place = tempfile.tempdir or "the temporary directory"
            hint = "make room, or give the file itself instead of a pipe"
            raise OutputError(f"{place}: cannot be written: {error.strerror or error}; {hint}") from error

    def close(self) -> None:
        """Close the copy."""
        with suppress(OSError):
            self._copy.close()
        super().close()


def open_window(path: str, begin: int, end: int) -> IO[bytes]:
    """Open the bytes of a file between two places."""
    return io.BufferedReader(_Window(path, begin, end), BUFFER)


class _Window(io.RawIOBase):
    def __init__(self, path: str, begin: int, end: int) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115 - closed with the window
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
            got = self._file.readinto(room[:wanted]) or 0
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
