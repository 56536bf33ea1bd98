"""Run files: a header line with the suite, then one line per trajectory with its score.

A line is a native trajectory with one more key, `score`; whatever reads native traces reads run files too.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from toolgauge.core import RUN_SCHEMA, RunHeader, Score, Scored, Trajectory
from toolgauge.errors import InputError, Problem
from toolgauge.files import read_json_lines

__all__ = ["RunFile", "Spool", "encode_header", "encode_scored"]


class _Line(Trajectory, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A trajectory as it stands in a run file."""

    score: Score


_encoder = msgspec.json.Encoder()


def encode_header(header: RunHeader) -> bytes:
    """The first line of a run file."""
    return _encoder.encode(header) + b"\n"


def encode_scored(scored: Scored) -> bytes:
    """The line of one trajectory with its score."""
    trajectory = scored.trajectory
    if isinstance(trajectory, _Line):
        return _encoder.encode(trajectory) + b"\n"
    return b"%b,%b\n" % (_encoder.encode(trajectory)[:-1], b'"score":%b}' % _encoder.encode(scored.score))


class RunFile:
    """A run file: its header, and its lines as often as one likes."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        first = next(iter(read_json_lines(self.path, _Schema)), None)
        found = first.schema if first is not None else None
        if found != RUN_SCHEMA:
            what = f'this is not a run file: its first line has no "schema": "{RUN_SCHEMA}"'
            if found:
                what = f"this run file has the schema {found!r}, this version reads {RUN_SCHEMA!r}"
            raise InputError(str(self.path), Problem(what, 1, hint="write one with toolgauge score --format run"))
        self.header = next(iter(read_json_lines(self.path, RunHeader)))

    def __iter__(self) -> Iterator[Scored]:
        for line in read_json_lines(self.path, _Line, skip=1):
            yield Scored(line, line.score)


class _Schema(msgspec.Struct):
    schema: str | None = None


class Spool:
    """Scored trajectories kept in a temporary file, so that their number does not matter."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="toolgauge-")  # noqa: SIM115 - closed in __exit__
        self._decoder = msgspec.json.Decoder(_Line)

    def append(self, scored: Scored) -> None:
        """Keep one more."""
        self._file.write(encode_scored(scored))

    def lines(self) -> Iterator[bytes]:
        """The lines as they stand in a run file."""
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
        self._file.close()
