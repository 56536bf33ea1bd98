"""The one place where an input is opened: a file, a pipe, an object behind an address, a member of an archive.

Whoever reads gets a stream of plain bytes that can go back to any place. What is packed is unpacked on the way, rows of
a Parquet file come as lines of JSON, and the first sheet of a workbook as CSV. Everything is known by its content,
never by its name. What few inputs need is imported when one of them is opened.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from toolgauge.errors import InputError, Problem

if TYPE_CHECKING:
    from .reading import Chunk

__all__ = [
    "PACKED",
    "STANDARD_INPUT",
    "OpenedInput",
    "input_state",
    "is_address",
    "is_in_archive",
    "is_web",
    "open_input",
    "open_raw",
    "unknown_scheme",
    "unpacked_name",
]

STANDARD_INPUT: Final = "-"
"""The path that means standard input."""

PACKED = (".gz", ".bz2", ".xz", ".zst")
"""How the names of packed files end; the name of what is in them comes before."""

MARKS = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))
"""How packed files begin."""

PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
MARK_LENGTH = 6

SCHEMES = ("s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "https", "http")
"""What addresses of objects begin with."""


@dataclass(frozen=True, slots=True)
class OpenedInput:
    """An input that was opened."""

    stream: IO[bytes]
    """Its bytes."""
    below: IO[bytes] | None = None
    """What has to be closed after the stream."""
    divisible: bool = False
    """Whether its bytes are those that are stored, so that others can read a part of them by its place."""
    is_table: bool = False
    """Whether it is a sheet, and can be nothing else than a table."""

    def close(self) -> None:
        """Close everything that was opened; standard input stays open."""
        self.stream.close()
        if self.below is not None:
            self.below.close()


def is_address(path: str) -> bool:
    """Whether this is the address of an object elsewhere, and no path."""
    scheme, mark, _ = path.partition("://")
    return bool(mark) and scheme.lower() in SCHEMES


def unknown_scheme(path: str) -> Problem | None:
    """What is wrong with an address that is none of an object."""
    if "://" not in path:
        return None
    hint = "name a file, or an address with s3://, gs://, az:// or https://"
    return Problem("addresses of this kind cannot be read", hint=hint)


def is_web(path: str) -> bool:
    """Whether this is the address of a file on a web server, which has names but no lists of them."""
    return path.lower().startswith(("http://", "https://"))


def is_in_archive(address: str) -> bool:
    """Whether an address may be one of a file in an archive, by its name."""
    return is_address(address) and ".zip/" in address.lower()


def input_state(path: str) -> str:
    """What changes when an input does, as far as that can be told without reading it; of a member, its archive's.

    Raises:
        OSError: There is no such file.
        InputError: There is no such object, or it cannot be reached.
    """
    if is_address(path):
        from .remote import object_state

        if is_in_archive(path):
            with suppress(InputError):  # where it is only called like one in an archive
                return object_state(path[: path.lower().index(".zip/") + len(".zip")])
        return object_state(path)
    while True:
        try:
            found = os.stat(path)
        except NotADirectoryError:
            path = os.path.dirname(path)
        else:
            return f"{found.st_size} {found.st_mtime_ns}"


def unpacked_name(path: str) -> str:
    """The path without the ending that only says how the file is packed."""
    bare, ending = os.path.splitext(path)
    return bare if ending.lower() in PACKED else path


def open_input(path: str, chunk: Chunk | None = None) -> OpenedInput:
    """Open an input, or a chunk of it.

    Raises:
        OSError: It cannot be opened.
        InputError: It cannot be reached, or not be unpacked here.
    """
    if chunk is not None and chunk.unit == "bytes":
        from .streams import open_window

        return OpenedInput(open_window(_open_unbuffered(path), chunk.begin, chunk.end))
    raw = open_raw(path)
    if raw.divisible and chunk is None and _first_bytes(raw.stream)[:2] not in _BEGINNINGS:
        return raw
    from .unpacking import unpack

    try:
        return unpack(path, raw, chunk)
    except BaseException:
        raw.close()
        raise


_BEGINNINGS = frozenset(mark[:2] for mark in (ZIP, PARQUET, *(mark for mark, _ in MARKS)))


def _first_bytes(stream: IO[bytes]) -> bytes:
    found = stream.read(MARK_LENGTH)
    stream.seek(0)
    return found


def open_raw(path: str) -> OpenedInput:
    """Open an input as it is stored, whatever is in it.

    Raises:
        OSError: It cannot be opened.
        InputError: It cannot be reached.
    """
    from .streams import open_repeatable

    if path == STANDARD_INPUT:
        return OpenedInput(open_repeatable(sys.stdin.buffer))  # type: ignore[arg-type]  # buffered, though typed as any binary stream
    if is_address(path):
        from .members import open_member
        from .remote import open_object

        return (open_member(path) if is_in_archive(path) else None) or open_object(path)
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed by whoever reads it
    except NotADirectoryError as error:
        from .members import open_member

        opened = open_member(path)
        if opened is None:
            raise error from None
        return opened
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return OpenedInput(stream, divisible=True)
    return OpenedInput(open_repeatable(stream), stream)


def _open_unbuffered(path: str) -> IO[bytes]:
    if is_address(path):
        return open_raw(path).stream
    return open(path, "rb", buffering=0)


def missing_package(name: str, what: str, extra: str) -> InputError:
    """What to say where a library is missing that some inputs need."""
    return InputError(
        name, Problem(f"{what}, for which a package is missing", hint=f"pip install 'toolgauge[{extra}]'")
    )
