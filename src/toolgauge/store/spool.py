"""Scored trajectories kept in a temporary file, so that their number does not matter."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="toolgauge-")  # noqa: SIM115 - closed in __exit__
            self._file.write(encode_scored(scored))

    def lines(self) -> Iterator[bytes]:
        """The lines as they stand in a run file."""
        if self._file is None:
            return iter(())
        with _explained():
            self._file.flush()
            self._file.seek(0)
        return iter(self._file)

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
