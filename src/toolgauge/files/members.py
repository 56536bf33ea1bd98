"""Files in ZIP archives: `logs.zip/agents/react.jsonl` names one, and an archive with one file stands for it.

An archive that Inspect wrote is none of these: it is read as one log.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

from toolgauge.errors import InputError, Problem

from .opening import OpenedInput, is_address, open_raw
from .streams import open_produced
from .unpacking import Growth

__all__ = [
    "DirectoryTooLarge",
    "check_directory",
    "directory_size",
    "is_workbook",
    "list_members",
    "only_member",
    "open_member",
]

BLOCK = 256 * 1024
SHOWN = 5
MOST_MEMBERS = 100_000
WORKBOOK = "xl/workbook.xml"
INSPECT = ("header.json", "_journal/start.json")
OFFICE = ("[Content_Types].xml", "mimetype")

END_MARK = b"PK\x05\x06"
LONGEST_END = 65_557
"""The directory is found by a record at the end, behind which stands a remark of at most 64 KiB."""

LARGEST_DIRECTORY = 8 * 1024 * 1024
"""A directory of more than a hundred thousand entries; zipfile holds all of it, which takes ten times the room."""


class DirectoryTooLarge(Exception):  # noqa: N818 - caught by whoever knows the archive
    """An archive lists more entries than can be read."""

    def __init__(self) -> None:
        super().__init__("it lists more entries than can be read")


def directory_size(stream: IO[bytes]) -> int | None:
    """How many bytes the directory of an archive has; None where there is none.

    Raises:
        DirectoryTooLarge: It is too large.
        OSError: The stream cannot go to where it is.
    """
    end = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, end - LONGEST_END))
    tail = stream.read(LONGEST_END)
    place = tail.rfind(END_MARK)
    if place < 0 or place + 16 > len(tail):
        return None
    size = int.from_bytes(tail[place + 12 : place + 16], "little")
    if size > LARGEST_DIRECTORY:
        raise DirectoryTooLarge
    return size


def check_directory(name: str, stream: IO[bytes]) -> None:
    """Refuse an archive with so many entries that to list them would take all the memory.

    Raises:
        InputError: It has.
    """
    with suppress(OSError):  # of a pipe the end is not known, and it is not read as an archive
        try:
            directory_size(stream)
        except DirectoryTooLarge as error:
            hint = "unpack it, and name the folder"
            raise InputError(name, Problem(f"this archive cannot be read: {error}", hint=hint)) from None


def is_workbook(stream: IO[bytes]) -> bool:
    """Whether an archive is a workbook of Excel."""
    found = _directory(stream)
    return found is not None and WORKBOOK in found.namelist()


def _directory(stream: IO[bytes]) -> zipfile.ZipFile | None:
    """The directory of an archive; None where it cannot be read, as somebody else will say."""
    try:
        directory_size(stream)
        stream.seek(0)
        found = zipfile.ZipFile(stream)
        return found if len(found.filelist) <= MOST_MEMBERS else None
    except (zipfile.BadZipFile, DirectoryTooLarge, ValueError, NotImplementedError, OSError):
        return None


def _files(directory: zipfile.ZipFile) -> list[zipfile.ZipInfo] | None:
    """The files in an archive that people made of files; None for those that programs keep their own things in."""
    names = set(directory.namelist())
    if names & {*INSPECT, *OFFICE} or any(name.startswith("samples/") for name in names):
        return None
    return [info for info in directory.infolist() if not info.is_dir() and not _is_hidden(info.filename)]


def _is_hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or any(part.startswith(".") for part in name.split("/"))


def list_members(path: str) -> list[str] | None:
    """The names of the files in an archive, in order; None where the file is no archive of files."""
    try:
        opened = open_raw(path)
    except (OSError, InputError):
        return None  # whoever reads it says why it cannot be read
    with opened.stream as stream:
        if opened.below is not None or stream.read(4) != b"PK\x03\x04":
            return None
        directory = _directory(stream)
        found = None if directory is None else _files(directory)
        return None if found is None else sorted(info.filename for info in found)


def only_member(name: str, stream: IO[bytes]) -> Callable[[], Iterator[bytes]] | None:
    """What the only file in an archive holds; None where it is no archive of files.

    Raises:
        InputError: There are several, or none.
    """
    directory = _directory(stream)
    found = None if directory is None else _files(directory)
    if directory is None or found is None:
        return None
    if len(found) == 1:
        return lambda: _read(f"{name}/{found[0].filename}", directory, found[0])
    names = sorted(info.filename for info in found)
    listed = ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
    what = f"this archive contains {len(names):,} files: {listed}" if names else "this archive contains no file"
    raise InputError(name, Problem(what, hint=f"name one of them: {name}/{names[0]}" if names else "check the path"))


def open_member(path: str) -> OpenedInput | None:
    """Open a file in an archive by the path of the archive, a slash and its name there; None where there is no archive.

    Raises:
        InputError: The archive has no such file.
    """
    archive = _archive_of(path)
    if archive is None:
        return None
    member = path[len(archive) :].lstrip("/")
    try:
        raw = open_raw(archive)
    except InputError:
        if is_address(archive):
            return None  # only a prefix is called like an archive; whoever opens the whole path says what is wrong
        raise
    directory = _directory(raw.stream)
    if directory is None:
        raw.stream.close()
        return None
    try:
        info = directory.getinfo(member)
    except KeyError:
        raw.stream.close()
        hint = f"list them with unzip -l {archive}"
        raise InputError(path, Problem("there is no such file in this archive", hint=hint)) from None
    return OpenedInput(open_produced(lambda: _read(path, directory, info)), raw.stream)


def _archive_of(path: str) -> str | None:
    """The archive that a path leads into."""
    if is_address(path):
        return path[: path.lower().index(".zip/") + len(".zip")]
    archive = path
    while archive not in ("", os.sep):
        archive = os.path.dirname(archive)
        if os.path.isfile(archive):
            return archive
    return None


def _read(name: str, directory: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    """The bytes of a file in an archive.

    Raises:
        InputError: It is damaged, encrypted, or becomes too large.
    """
    growth = Growth(name)
    growth.packed = max(info.compress_size, 1)
    try:
        with directory.open(info) as member:
            while block := member.read(BLOCK):
                yield growth.check(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise InputError(name, Problem(f"this file in an archive is damaged: {error}")) from error
    except RuntimeError as error:
        raise InputError(name, Problem("this file is encrypted", hint="unpack the archive first")) from error
