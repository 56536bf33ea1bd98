"""Scored trajectories kept in a temporary file, so that their number does not matter."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from types import TracebackType
from typing import IO, Self

import msgspec

from toolgauge.core import RunHeader, Scored
from toolgauge.errors import OutputError
from toolgauge.files import MEBIBYTE, UnlinkedFile, start_writeback, write_file

from .encoding import RunLine, append_scored, encode_header

__all__ = ["Spool"]

BLOCK = 64 * 1024
"""How many bytes are written and read at once."""

MAX_IN_MEMORY = MEBIBYTE
"""Up to here no file is opened."""

HEADER_GROWTH = 4096
"""How many bytes of a header may hold what is known only in the end: agents, notes, and how many trajectories."""

WRITEBACK_BYTES = 8 * MEBIBYTE
"""So many bytes are sent on their way to the disk at once."""


class Spool:
    """Keeps what is appended: a little in memory, much in a file.

    Where it is known which run file the lines are for, they are written into what becomes that file, behind the room
    that is left for the header.
    """

    def __init__(self, run_file: str | None = None) -> None:
        """Make ready to keep something, perhaps for a run file."""
        self._run_file = run_file
        self._room = 0
        self._file: IO[bytes] | None = None
        self._begin = 0
        """Where in the file the lines begin."""
        self._sent = 0
        """Up to where it is on its way to the disk."""
        self._becoming: UnlinkedFile | None = None
        self._fresh = bytearray()
        """Lines that are not in the file yet: many at once are written faster than one by one."""
        self._decoder = msgspec.json.Decoder(RunLine)

    def reserve_header(self, header: RunHeader) -> None:
        """Leave room for the header of the run file, which may still grow, before anything is kept."""
        if self._run_file is not None:
            self._room = len(encode_header(header)) + HEADER_GROWTH

    def extend(self, several: Iterable[Scored]) -> None:
        """Keep some more; a file takes them when they are many.

        Raises:
            OutputError: There is no room for them.
        """
        append_scored(several, self._fresh)
        if len(self._fresh) >= BLOCK and (self._file is not None or len(self._fresh) >= MAX_IN_MEMORY):
            self._settle()

    def append_lines(self, lines: bytes | memoryview) -> None:
        """Keep more that are lines of a run file already.

        Raises:
            OutputError: There is no room for them.
        """
        if lines:
            self._settle()
            self._write(lines)

    def clear(self) -> None:
        """Keep nothing of all that was kept."""
        self._fresh.clear()
        if self._file is not None:
            with self._explained():
                self._file.truncate(self._begin)

    def write_run(self, path: str, header: bytes) -> None:
        """Write a run file with this header. If it is the one that was named, nothing can be kept afterwards.

        Raises:
            OutputError: It could not be written.
        """
        if self._becoming is None or path != self._run_file or len(header) > self._begin:
            write_file(path, chain([header], self.blocks()))
            return
        self._settle()
        with self._explained():
            self._becoming.stream.seek(0)
            # Blanks behind the header are no part of it.
            self._becoming.stream.write(header.removesuffix(b"\n").ljust(self._begin - 1) + b"\n")
            self._becoming.take_place()

    def _settle(self) -> None:
        """Write what is not in the file yet."""
        self._write(self._fresh)
        if len(self._fresh) < MAX_IN_MEMORY:
            self._fresh.clear()
        else:
            self._fresh = bytearray()  # one that was once so large stays slow

    def _write(self, lines: bytes | bytearray | memoryview) -> None:
        with self._explained():
            stream = self._opened()
            end = stream.seek(0, os.SEEK_END) + stream.write(lines)
            if self._becoming is not None and end - self._sent >= WRITEBACK_BYTES:
                start_writeback(stream.fileno(), self._sent, end - self._sent)
                self._sent = end

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            if self._run_file is not None and self._room:
                self._becoming = UnlinkedFile.beside(self._run_file)
            if self._becoming is None:
                import tempfile  # what a run file does without, and takes its time

                self._file = tempfile.TemporaryFile(prefix="toolgauge-")  # noqa: SIM115 - closed in __exit__
            else:
                self._file = self._becoming.stream
                self._begin = self._file.truncate(self._room)
        return self._file

    def blocks(self) -> Iterator[bytes]:
        """The lines as they stand in a run file, many at once."""
        stream = self._rewound()
        return iter((bytes(self._fresh),)) if stream is None else iter(partial(stream.read, BLOCK), b"")

    def lines(self) -> Iterator[bytes]:
        """The lines as they stand in a run file."""
        stream = self._rewound()
        return iter(bytes(self._fresh).splitlines(keepends=True)) if stream is None else iter(stream)

    def _rewound(self) -> IO[bytes] | None:
        """The file with everything in it, from the first line; None where all is in memory."""
        if self._file is not None:
            self._settle()
            with self._explained():
                self._file.seek(self._begin)
        return self._file

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            what = f"cannot be written: {error.strerror or error}"
            if self._becoming is not None:
                raise OutputError(f"{self._run_file}: {what}") from error
            import tempfile

            hint = "free some space, or set TMPDIR to a directory that has some"
            raise OutputError(f"{tempfile.tempdir or 'the temporary directory'}: {what}; {hint}") from error

    def __iter__(self) -> Iterator[Scored]:
        for line in self.lines():
            decoded = self._decoder.decode(line)
            yield Scored(decoded, decoded.score)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is None:
            return
        # What could not be written is thrown away here anyhow, and was told when it was to be kept.
        with suppress(OSError):
            self._file.close()
