"""Tells C sources apart, so that nothing is used that was built from others.

`setup.py` runs it too, before toolgauge is installed; it imports nothing of it.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

__all__ = ["fingerprint"]


def fingerprint(folder: Path = Path(__file__).parent) -> int | None:
    """A number for the C sources in a folder; None: there are none, as where toolgauge was installed from a wheel."""
    sources = sorted(folder.glob("*.[ch]"))
    total = 0
    for source in sources:
        total = crc32(source.read_bytes(), crc32(source.name.encode(), total))
    return total & 0x7FFFFFFF if sources else None
