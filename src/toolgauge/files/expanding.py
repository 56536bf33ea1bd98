"""From what somebody names to the files that are meant: a folder, a pattern, an archive, a prefix of a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from glob import glob, has_magic
from typing import NamedTuple

from toolgauge.errors import NothingToDo

from .opening import PACKED, STANDARD_INPUT, OpenedInput, is_address, is_web, open_input, unpacked_name

__all__ = ["NamedFile", "expand_path", "open_joined"]

READ = frozenset({".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".yaml", ".yml", ".eval", ".parquet", ".log", ".zip"})
"""How the names of files end that are taken from a folder; others there are somebody else's."""


JOINED_BLOCK = 128 * 1024


class NamedFile(NamedTuple):
    """A file that is meant by what somebody named."""

    path: str
    below: str | None = None
    """Its path below the folder, or whatever else it was found in; None where it was named itself."""

    @property
    def agent(self) -> str:
        """The name that its place gives to an agent: the folder that it is in, or else its own name."""
        path = self.below if self.below is not None else self.path
        folder = os.path.dirname(path) if self.below is not None else ""
        return folder.replace(os.sep, "/") or os.path.splitext(os.path.basename(unpacked_name(path)))[0]


def expand_path(path: str) -> list[NamedFile]:
    """The files that a path, a pattern or an address means, in the order of their names.

    Raises:
        NothingToDo: There are none in a folder, or the pattern fits none.
        InputError: What is behind an address cannot be listed.
    """
    if path == STANDARD_INPUT:
        return [NamedFile(path)]
    if is_address(path):
        # In the address of a web server, ? begins what is not part of the name.
        magic = "*" in path if is_web(path) else has_magic(path)
        return _objects(path) if path.endswith("/") or magic else _members(path) or [NamedFile(path)]
    if os.path.isdir(path):
        return _below(path)
    if has_magic(path) and not os.path.lexists(path):
        return _fitting(path)
    return _members(path) or [NamedFile(path)]


def open_joined(named: Sequence[NamedFile]) -> OpenedInput:
    """The lines of several files as those of one."""
    from .streams import open_produced

    return OpenedInput(open_produced(lambda: _joined(named)))


def _joined(named: Sequence[NamedFile]) -> Iterator[bytes]:
    for file in named:
        opened = open_input(file.path)
        last = b"\n"
        with closing(opened):
            while block := opened.stream.read(JOINED_BLOCK):
                yield block
                last = block
        if not last.endswith(b"\n"):
            yield b"\n"


def _is_read(path: str) -> bool:
    return os.path.splitext(unpacked_name(path))[1].lower() in READ or path.lower().endswith(PACKED)


def _below(folder: str) -> list[NamedFile]:
    found = [
        os.path.join(place, name)
        for place, folders, names in os.walk(folder)
        for name in names
        if not name.startswith(".")
        and not any(part.startswith(".") for part in os.path.relpath(place, folder).split(os.sep)[1:])
        and _is_read(name)
    ]
    if not found:
        raise NothingToDo(f"{folder}: there are no files of traces in this folder; known endings: {_endings()}")
    return _with_members(found, lambda path: os.path.relpath(path, folder))


def _fitting(pattern: str) -> list[NamedFile]:
    found = [path for path in glob(pattern, recursive=True) if os.path.isfile(path)]
    if not found:
        raise NothingToDo(f"{pattern}: no file matches this pattern")
    fixed = pattern
    while has_magic(fixed):
        fixed = os.path.dirname(fixed)
    return _with_members(found, lambda path: os.path.relpath(path, fixed or os.curdir))


def _objects(address: str) -> list[NamedFile]:
    from .remote import list_objects

    found = [name for name in list_objects(address) if _is_read(name)]
    if not found:
        raise NothingToDo(f"{address}: there are no objects of traces here; known endings: {_endings()}")
    fixed = address
    while has_magic(fixed):
        fixed = fixed.rpartition("/")[0]
    return _with_members(found, lambda name: name.removeprefix(fixed).lstrip("/"))


def _with_members(paths: list[str], below_root: Callable[[str], str]) -> list[NamedFile]:
    listed = []
    for path in sorted(paths):
        below = below_root(path)
        listed += [NamedFile(one.path, below) for one in _members(path)] or [NamedFile(path, below)]
    return listed


def _members(path: str) -> list[NamedFile]:
    """The files in an archive; nothing where it is none, or holds one only, which it stands for."""
    if not path.lower().endswith(".zip"):
        return []
    from .members import list_members

    names = [name for name in list_members(path) or () if _is_read(name)]
    return [NamedFile(f"{path}/{name}", name) for name in names]


def _endings() -> str:
    return ", ".join(sorted(READ))
