"""Logs that are archives of JSON documents, as Inspect writes them with the ending `.eval`."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Trajectory
from toolgauge.files import InputFile

from .conversation import Reading

__all__ = ["ARCHIVE", "read_archive"]

ARCHIVE = b"PK\x03\x04"
"""How a ZIP archive begins."""


def read_archive(source: InputFile, reading: Reading) -> Iterator[Trajectory]:
    """The trajectories in an archive, one document after the other."""
    raise NotImplementedError
