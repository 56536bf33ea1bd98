"""Reading a pipe as if it were a file: forward as asked for, and again from the beginning."""

from __future__ import annotations

import io
import tempfile
from contextlib import suppress
from typing import IO

from toolgauge.errors import OutputError

__all__ = ["open_repeatable"]

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
