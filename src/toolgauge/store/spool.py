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

from .lines import Line, encode_scored

__all__ = ["Spool"]


class Spool:
    """Keeps what is appended. Nothing is opened before there is something to keep."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._decoder = msgspec.json.Decoder(Line)

    def append(self, scored: Scored) -> None:
        """Keep one more.

        Raises:
            OutputError: There is no room for it.
        """
        with _explained():
            self._opened().write(encode_scored(scored))

    def append_lines(self, path: Path) -> None:
        """Keep the lines of a file, which are those of a run file.

        Raises:
            OutputError: There is no room for them.
        """
        with _explained(), path.open("rb") as lines:
            copyfileobj(lines, self._opened(), 1024 * 1024)

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="toolgauge-")  # noqa: SIM115 - closed in __exit__
        return self._file

    def blocks(self) -> Iterator[bytes]:
        """The lines as they stand in a run file, many at once."""
        return iter(partial(self._rewound().read, 1024 * 1024), b"") if self._file is not None else iter(())

    def lines(self) -> Iterator[bytes]:
        """The lines as they stand in a run file."""
        return iter(self._rewound()) if self._file is not None else iter(())

    def _rewound(self) -> IO[bytes]:
        with _explained():
            stream = self._opened()
            stream.flush()
            stream.seek(0)
        return stream

    def __iter__(self) -> Iterator[Scored]:
        for line in self.lines():
            decoded = self._decoder.decode(line)
            yield Scored(decoded, decoded.score)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
