"""Dividing a file of native lines into pieces."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from toolgauge.files import MEBIBYTE, Chunk
from toolgauge.traces import divide_native

__all__ = ["PIECE", "SMALLEST", "Piece", "divide"]

SMALLEST = MEBIBYTE
"""A process is not worth its while for fewer bytes."""

PIECE = MEBIBYTE // 2
"""About so many bytes a process takes at once: little enough for all to be done at the same time."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a file, and whose trajectories it holds."""

    path: str
    agent: str | None
    """The name that its trajectories get, if one was given."""
    fallback: str
    """The name of those that have none."""
    chunk: Chunk


def divide(path: str, agent: str | None, fallback: str, jobs: int) -> list[Piece] | None:
    """Divide a JSONL file into pieces; None where it is too small for so many, or no plain file of traces."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None  # whoever reads it says why it cannot be read
    if not stat.S_ISREG(found.st_mode) or found.st_size < jobs * SMALLEST:
        return None
    chunks = divide_native(path, PIECE)
    return None if chunks is None else [Piece(path, agent, fallback, chunk) for chunk in chunks]
