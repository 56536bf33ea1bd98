"""Unpacking what is packed, by how it begins: gzip, bzip2, xz, zstd, single members of archives, Parquet, workbooks.

A packed file may claim, and become, any size. Little is unpacked at once, and a file that grows beyond all proportion
is refused, whatever it holds.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, NoReturn

from toolgauge.errors import InputError, Problem

from .opening import MARK_LENGTH, MARKS, PARQUET, STANDARD_INPUT, ZIP, OpenedInput, missing_package
from .streams import open_produced

if TYPE_CHECKING:
    from .reading import Chunk

__all__ = ["Growth", "unpack"]

MAX_RATIO = 500
"""How many times as large as it is stored a file may become. Logs become ten to thirty times as large."""

ALWAYS_ALLOWED = 256 * 1024 * 1024
"""Up to this many bytes the ratio is not checked."""

PIECE = 16 * 1024
ZSTD_PIECE = 2 * 1024
"""Packed bytes that are unpacked at once: of those of zstd each KiB may become 32 MiB."""

BLOCK = 256 * 1024
WINDOW = 128 * 1024 * 1024
"""How far back packed data may refer, which has to be held in memory."""


def unpack(path: str, raw: OpenedInput, chunk: Chunk | None = None) -> OpenedInput:
    """An input as it is read; what is not packed stays as it is.

    Raises:
        InputError: It cannot be unpacked here.
    """
    name = "standard input" if path == STANDARD_INPUT else path
    stream = raw.stream
    head = stream.read(MARK_LENGTH)
    stream.seek(0)
    kind = next((kind for mark, kind in MARKS if head.startswith(mark)), None)
    if kind is not None:
        if kind == "zstd":
            _zstandard(name)  # says what is missing before anything is read
        return _produced(raw, lambda: _unpacked(name, stream, kind))
    if head.startswith(PARQUET):
        from .parquet import open_rows

        return replace(raw, stream=open_rows(name, stream, chunk), below=stream, divisible=False)
    if head.startswith(ZIP):
        return _from_archive(path, name, raw)
    return raw


def _from_archive(path: str, name: str, raw: OpenedInput) -> OpenedInput:
    from .members import check_directory, is_workbook, only_member
    from .workbooks import check_workbook, read_sheet

    stream = raw.stream
    check_directory(name, stream)
    if path != STANDARD_INPUT and raw.below is None and is_workbook(stream):
        check_workbook(name, stream)
        return replace(_produced(raw, lambda: read_sheet(name, stream)), is_table=True)
    member = only_member(name, stream) if raw.below is None and path != STANDARD_INPUT else None
    if member is None:
        stream.seek(0)
        return raw
    return _produced(raw, member)


def _produced(raw: OpenedInput, produce: Any) -> OpenedInput:
    return OpenedInput(open_produced(produce), raw.stream)


class Growth:
    """Watches how much larger than stored an input becomes."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.packed = 0
        self.unpacked = 0

    def check(self, block: bytes) -> bytes:
        """The block, counted.

        Raises:
            InputError: It has become too large.
        """
        self.unpacked += len(block)
        if self.unpacked > ALWAYS_ALLOWED and self.unpacked > MAX_RATIO * self.packed:
            what = f"it decompresses to more than {MAX_RATIO} times its size"
            raise InputError(
                self._name, Problem(what, hint="decompress it yourself if you trust it, and name that file")
            )
        return block


def _decoder(name: str, kind: str) -> Any:
    """What unpacks one member of a file, with `decompress`, `eof` and `unused_data`."""
    if kind == "gzip":
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    if kind == "bzip2":
        return bz2.BZ2Decompressor()
    if kind == "xz":
        return lzma.LZMADecompressor(memlimit=WINDOW + 64 * 1024 * 1024)
    return _zstandard(name).ZstdDecompressor(max_window_size=WINDOW).decompressobj()


def _zstandard(name: str) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise missing_package(name, "this is compressed with zstd", "zstd") from error
    return zstandard


def _unpacked(name: str, stream: IO[bytes], kind: str) -> Iterator[bytes]:
    """The bytes of a packed file, from its beginning; several that were put together count as one.

    Raises:
        InputError: It is damaged, cut off, or becomes too large.
    """
    mark = next(mark for mark, known in MARKS if known == kind)
    growth = Growth(name)
    stream.seek(0)
    decoder = _decoder(name, kind)
    data, begun = b"", True
    while data or (data := stream.read(ZSTD_PIECE if kind == "zstd" else PIECE)):
        if not begun:
            data = data.lstrip(b"\0")
            if not data:
                continue
            data += stream.read(len(mark) - len(data)) if len(data) < len(mark) else b""
            if not data.startswith(mark):
                _damaged(name, kind, "something else follows it")
            decoder, begun = _decoder(name, kind), True
        growth.packed += len(data)
        yield from _blocks(name, kind, decoder, data, growth)
        data = b""
        if decoder.eof:
            data, begun = decoder.unused_data, False
            growth.packed -= len(data)
    if begun:
        _damaged(name, kind, "it is cut off")


def _blocks(name: str, kind: str, decoder: Any, data: bytes, growth: Growth) -> Iterator[bytes]:
    """What a piece becomes, a little at a time."""
    limited = (BLOCK,) if kind in ("bzip2", "xz") else ()
    try:
        while True:
            block = decoder.decompress(data, *limited)
            if block:
                yield growth.check(block)
            if not limited or decoder.eof or decoder.needs_input:
                return
            data = b""
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
        _damaged(name, kind, str(error), error)
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        _damaged(name, kind, str(error), error)


def _damaged(name: str, kind: str, why: str, cause: Exception | None = None) -> NoReturn:
    hint = "fetch or compress it again; none of it was used"
    raise InputError(name, Problem(f"this {kind} file is damaged: {why}", hint=hint)) from cause
