"""Scored trajectories kept in a temporary file, so that their number does not matter."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from types import TracebackType
from typing import IO, Self

import msgspec

from toolgauge.core import Scored
from toolgauge.errors import OutputError

from .lines import Line, append_scored

__all__ = ["Spool"]

BLOCK = 64 * 1024
"""How many bytes are written and read at once."""


class Spool:
    """Keeps what is appended. Nothing is opened before there is something to keep."""

    def __init__(self, path: Path | None = None) -> None:
        """Make ready to keep something, in a file without a name or else at a path, where it stays."""
        self._path = path
        self._file: IO[bytes] | None = None
        self._fresh = bytearray()
        """Lines that are not in the file yet: many at once are written faster than one by one."""
        self._decoder = msgspec.json.Decoder(Line)

    def append(self, scored: Scored) -> None:
        """Keep one more.

        Raises:
            OutputError: There is no room for it.
        """
        append_scored(scored, self._fresh)
        if len(self._fresh) >= BLOCK:
            self._settle()

    def append_lines(self, path: Path) -> None:
        """Keep the lines of a file, which are those of a run file.

        Raises:
            OutputError: There is no room for them.
        """
        self._settle()
        with _explained(), path.open("rb") as lines:
            copyfileobj(lines, self._opened(), BLOCK)

    def _settle(self) -> None:
        """Write what is not in the file yet."""
        with _explained():
            self._opened().write(self._fresh)
        self._fresh.clear()

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            if self._path is None:
                self._file = tempfile.TemporaryFile(prefix="toolgauge-")  # noqa: SIM115 - closed in __exit__
            else:
                self._file = self._path.open("wb+")
        return self._file

    def blocks(self) -> Iterator[bytes]:
        """The lines as they stand in a run file, many at once."""
        stream = self._rewound()
        return iter(()) if stream is None else iter(partial(stream.read, BLOCK), b"")

    def lines(self) -> Iterator[bytes]:
        """The lines as they stand in a run file."""
        stream = self._rewound()
        return iter(()) if stream is None else iter(stream)

    def _rewound(self) -> IO[bytes] | None:
        """The file with everything in it, from its beginning; None where nothing was kept."""
        if self._fresh:
            self._settle()
        if self._file is not None:
            with _explained():
                self._file.flush()
                self._file.seek(0)
        return self._file

    def __iter__(self) -> Iterator[Scored]:
        for line in self.lines():
            decoded = self._decoder.decode(line)
            yield Scored(decoded, decoded.score)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._path is not None and kind is None:
            self._settle()
        if self._file is not None:
            # What could not be written is thrown away here anyhow, and was told when it was to be kept.
            with suppress(OSError):
                self._file.close()


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = tempfile.tempdir or "the temporary directory"
        hint = "make room, or set TMPDIR to a directory that has some"
        raise OutputError(f"{place}: cannot be written: {error.strerror or error}; {hint}") from error
