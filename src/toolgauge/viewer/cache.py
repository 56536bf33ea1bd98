"""Figures of large runs, kept from one viewer to the next in a folder that only its owner can read.

What is kept is found by what it was made of: a hash of every trajectory, of what people said of them, and of the
version and the texts of toolgauge. Nothing that is kept can be out of date; what nobody asks for goes in the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from toolgauge.core import SCORING_VERSION
from toolgauge.pages import page_words
from toolgauge.version import VERSION

from .overview import Drawn, read_drawn

if TYPE_CHECKING:
    from .origins import RunOrigin

__all__ = ["MAX_KEPT", "FigureCache", "cache_folder"]

MAX_KEPT = 100
"""So many figures are kept; those that were not asked for the longest go."""

FORM = b"figures/1"
"""What a kept file looks like; another form has other names."""


def cache_folder() -> Path:
    """Where what can be made again is kept: as the environment says, or below the home directory."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if os.path.isabs(named) else Path.home() / ".cache") / "toolgauge" / "figures"


class FigureCache:
    """Pages of runs with their sets, by what they were made of."""

    def __init__(self, folder: Path) -> None:
        """Name the folder, which is made when something is kept."""
        self._folder = folder

    def key(self, origin: RunOrigin) -> str:
        """What the figures of a run that is not being written are found by: it is read from beginning to end."""
        made = blake2b(FORM, digest_size=24)
        for part in _parts(origin):
            made.update(len(part).to_bytes(8, "big"))
            made.update(part)
        return made.hexdigest()

    def get(self, key: str) -> Drawn | None:
        """What was kept; None: nothing, or nothing that can be read."""
        path = self._folder / key
        try:
            found = read_drawn(path)
        except (OSError, EOFError, ValueError, msgspec.DecodeError):
            return None
        with suppress(OSError):
            os.utime(path)
        return found

    def put(self, key: str, drawn: Path) -> None:
        """Keep a file that was drawn, in its place at once; where that is not possible, nothing is kept."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.chmod(self._folder, 0o700)
            beside = self._folder / f"{key}.{os.getpid()}"
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
                stream.write(drawn.read_bytes())
            beside.replace(self._folder / key)
            self._forget()
        except OSError:
            return  # a home that cannot be written to, or a full disk: it is made again the next time

    def _forget(self) -> None:
        kept = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in kept[MAX_KEPT:]:
            path.unlink(missing_ok=True)


def _parts(origin: RunOrigin) -> Iterator[bytes]:
    """Everything that the figures of a run depend on."""
    info = origin.info()
    yield msgspec.json.encode([VERSION, SCORING_VERSION, page_words()], order="sorted")
    about = [info.suite, info.suite_hash, info.agents, info.planned, info.state, info.created]
    yield msgspec.json.encode([*about, info.about, info.settings], order="sorted")
    yield msgspec.json.encode([*origin.reviews()])
    lines = origin.lines()
    yield from (msgspec.json.encode(case) for case in lines.cases())  # the hash may be what a stranger says
    for _, line in lines.numbered_lines():
        yield line
