"""A part of a file as if it were a file of its own."""

from __future__ import annotations

import io
import os
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["open_window"]

AT_ONCE = 128 * 1024


def open_window(path: str, begin: int, end: int) -> IO[bytes]:
    """Open the bytes of a file between two places."""
    return io.BufferedReader(_Window(path, begin, end), AT_ONCE)


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
