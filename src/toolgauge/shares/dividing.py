"""Dividing a file of native lines into pieces."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import IO

from toolgauge.files import MEBIBYTE
from toolgauge.traces import is_native

__all__ = ["PIECE", "SMALLEST", "Piece", "divide"]

SMALLEST = MEBIBYTE
"""A process is not worth its while for fewer bytes."""

PIECE = MEBIBYTE // 2
"""About so many bytes a process takes at once: little enough for all to be done at the same time."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines of a file, between two places."""

    path: str
    agent: str | None
    """The name that its trajectories get, if one was given."""
    fallback: str
    """The name of those that have none."""
    begin: int
    end: int


def divide(path: str, agent: str | None, fallback: str, jobs: int) -> list[Piece] | None:
    """Divide a JSONL file into pieces; None where it is too small for so many, or no plain file of traces."""
    try:
        size = os.stat(path).st_size
        if size < jobs * SMALLEST:
            return None
        with open(path, "rb") as stream:
            first = stream.readline(MEBIBYTE).lstrip(b"\xef\xbb\xbf \t\r\n")
            # A run file begins with a header, and a list of trajectories has no lines of its own.
            if not first.startswith(b"{") or not first.endswith(b"}\n") or b'"schema"' in first[:200]:
                return None
            # Records of other tools may belong together, and are read by one process.
            if not is_native(first):
                return None
            pieces = []
            begin = 0
            while begin < size:
                end = min(_next_line(stream, begin + PIECE), size)
                pieces.append(Piece(path, agent, fallback, begin, end))
                begin = end
    except OSError:
        return None
    return pieces


def _next_line(stream: IO[bytes], offset: int) -> int:
    """The offset of the first line that begins after this one."""
    stream.seek(offset)
    while (read := stream.readline(MEBIBYTE)) and not read.endswith(b"\n"):
        continue
    return stream.tell()
