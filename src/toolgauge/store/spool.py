"""Scored trajectories kept in a temporary file, so that their number does not matter."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
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
        self._before: list[IO[bytes]] = []
        """Files that were taken over; what they hold comes before all else."""
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

    def take_over(self, path: Path) -> None:
        """Keep the lines of a file, which are those of a run file; it belongs to the spool from now on.

        Nothing may have been appended yet.

        Raises:
            OutputError: It cannot be read.
        """
        with _explained():
            self._before.append(path.open("rb"))

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
        return chain.from_iterable([iter(partial(stream.read, BLOCK), b"") for stream in self._rewound()])

    def lines(self) -> Iterator[bytes]:
        """The lines as they stand in a run file."""
        return chain.from_iterable(self._rewound())

    def _rewound(self) -> list[IO[bytes]]:
        """The files with everything in them, from their beginnings."""
        if self._fresh:
            self._settle()
        streams = [*self._before, *filter(None, [self._file])]
        with _explained():
            for stream in streams:
                stream.seek(0)
        return streams

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
        for stream in self._before:
            stream.close()
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
