"""Logs that are ZIP archives of JSON documents, as Inspect writes them with the ending `.eval`.

Never more of an entry is read than was asked for, and never by its path. Archives of evaluations may be compressed by a
method that the standard library of older Pythons does not know, may have been cut off before their directory was
written, and may claim any size.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import msgspec
from msgspec import UNSET, UnsetType

from toolgauge.core import JsonValue, Trajectory
from toolgauge.errors import InputError, Problem
from toolgauge.files import BadJson, InputFile, decode_json
from toolgauge.files.members import DirectoryTooLarge, directory_size

from .context import ReadContext
from .formats.inspect_log import InspectReader, read_sample
from .unicode_names import normal_trajectory
from .values import Record, record_of

__all__ = ["Archive", "ArchiveEntry", "BadEntry", "MissingMethod", "read_archive"]

LARGEST_SAMPLE = 128 * 1024 * 1024
"""The largest document in an archive, in bytes, unpacked. Of most of them, events are the larger part by far."""

LARGEST_HEADER = 64 * 1024 * 1024

HEADERS = ("header.json", "_journal/start.json")
"""Where the evaluation is described: at its end, and at its beginning."""

SAMPLES = "samples/"


class EventKeys(msgspec.Struct, gc=False, omit_defaults=True):
    """What is looked at of an event. Most of its text, a copy of all messages so far, is passed over."""

    event: JsonValue = None
    id: JsonValue = None
    span_id: JsonValue = None
    parent_id: JsonValue = None
    type: JsonValue = None
    name: JsonValue = None
    function: JsonValue = None
    arguments: JsonValue = None
    result: JsonValue = None
    error: JsonValue = None
    agent: JsonValue = None
    timestamp: JsonValue = None
    completed: JsonValue = None
    events: list[EventKeys] | UnsetType = UNSET


class SampleKeys(msgspec.Struct, gc=False, omit_defaults=True):
    """What is looked at of a sample."""

    id: JsonValue = None
    epoch: JsonValue = None
    input: JsonValue = None
    messages: JsonValue = None
    output: JsonValue = None
    scores: JsonValue = None
    score: JsonValue = None
    metadata: JsonValue = None
    model_usage: JsonValue = None
    started_at: JsonValue = None
    completed_at: JsonValue = None
    total_time: JsonValue = None
    error: JsonValue = None
    error_retries: JsonValue = None
    attachments: JsonValue = None
    transcript: JsonValue = None
    limit: JsonValue = None
    events: list[EventKeys] | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(SampleKeys)


def read_archive(source: InputFile, context: ReadContext) -> Iterator[Trajectory]:
    """The trajectories in an archive, one document after the other.

    Raises:
        InputError: It is no log of Inspect, or cannot be unpacked.
    """
    archive = _open(source)
    names = [name for name in archive.entries if name.startswith(SAMPLES) and name.endswith(".json")]
    whole = [name for name in names if "/" not in name.removeprefix(SAMPLES)]
    if not names and not any(name in archive.entries for name in HEADERS):
        hint = "unpack it and name the folder; if it cannot be unpacked, it is damaged: fetch it again"
        raise InputError(source.name, Problem("this is an archive, but not an Inspect log", hint=hint))
    context.unit = "sample"
    if archive.cut_off:
        context.note_loss("the archive is cut off; the rest is read")
    try:
        header = _header(archive)
        if len(whole) < len(names):
            pieces = {name.removeprefix(SAMPLES).partition("/")[0] for name in names if name not in whole}
            what = "a sample is left out because it is kept in pieces; inspect log convert --to json joins them"
            context.note_loss(what, len([piece for piece in pieces if piece]))
        for number, name in enumerate(whole, 1):
            context.number = number
            sample = _sample(archive, archive.entries[name], context)
            if sample is not None:
                trajectory = normal_trajectory(read_sample(context, sample, header))
                context.report.count_format(InspectReader.title, len(trajectory.calls))
                yield trajectory
    except MissingMethod as error:
        what = f"the samples are compressed with {error}, for which a package is missing"
        hint = "pip install 'toolgauge[inspect]', or write the log as JSON with inspect log convert --to json"
        raise InputError(source.name, Problem(what, hint=hint)) from error
    except OSError as error:
        raise InputError(source.name, Problem(f"cannot be read: {error.strerror or error}")) from error


def _open(source: InputFile) -> Archive:
    try:
        return Archive(source.stream())
    except BadEntry as error:
        raise InputError(source.name, Problem(f"this archive cannot be read: {error}")) from error
    except OSError as error:
        what = "an archive cannot be read from a pipe"
        raise InputError(source.name, Problem(what, hint="save it to a file and name that")) from error


def _header(archive: Archive) -> Record:
    """What the archive says of the evaluation; nothing where it cannot be read."""
    for name in HEADERS:
        entry = archive.entries.get(name)
        if entry is None:
            continue
        try:
            header = decode_json(archive.read(entry, LARGEST_HEADER))
        except (BadEntry, BadJson, UnicodeDecodeError):
            continue
        return record_of(record_of(header).get("eval"))
    return {}


def _sample(archive: Archive, entry: ArchiveEntry, context: ReadContext) -> Record | None:
    try:
        data = archive.read(entry, LARGEST_SAMPLE)
    except BadEntry as error:
        context.note_loss(f"a sample is left out: {error}")
        return None
    try:
        decoded: JsonValue = msgspec.to_builtins(_DECODER.decode(data))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        # Something in it is not as it should be; looked at as a whole, it can be used all the same.
        try:
            decoded = decode_json(data)
        except (BadJson, UnicodeDecodeError):
            decoded = None
    if not isinstance(decoded, dict):
        context.note_loss("a sample is left out because it is not a JSON object")
        return None
    return decoded


STORED, DEFLATED, ZSTANDARD = 0, 8, 93
"""Methods of compression, by their numbers in the format."""

LOCAL = struct.Struct("<4s2xHH8xIIHH")
"""Of the head of an entry: mark, flags, method, both sizes, lengths of the name and of what follows it."""

LOCAL_MARK = b"PK\x03\x04"
ENCRYPTED, SIZE_COMES_LATER = 1, 8
"""Flags of entries."""

WINDOW = 128 * 1024 * 1024
"""How far back compressed data may refer, which has to be held in memory."""


class BadEntry(Exception):  # noqa: N818 - caught by whoever knows the archive
    """An entry that cannot be read; says why, in words that fit any such entry."""


class MissingMethod(Exception):  # noqa: N818 - as above
    """Entries are compressed by a method for which a package is missing."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file in an archive."""

    name: str
    method: int
    flags: int
    offset: int
    """Where its head begins."""
    packed: int
    size: int
    """The bytes that it has in the archive, and that it claims to have outside."""


class Archive:
    """An archive, by its directory or, where it was cut off, by what can be found of its entries."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Look for the entries.

        Raises:
            BadEntry: There are more than can be listed.
            OSError: The stream cannot go to where they are.
        """
        self._stream = stream
        self.cut_off = False
        """Whether the directory is missing."""
        try:
            found = None if directory_size(stream) is None else self._listed()
        except DirectoryTooLarge as error:
            raise BadEntry(str(error)) from None
        if found is None:
            self.cut_off = True
            found = list(self._walked())
        # An entry that was written again counts as it was written last.
        self.entries = {entry.name: entry for entry in found}

    def _listed(self) -> list[ArchiveEntry] | None:
        try:
            with zipfile.ZipFile(self._stream) as directory:
                return [
                    ArchiveEntry(
                        info.filename,
                        info.compress_type,
                        info.flag_bits,
                        info.header_offset,
                        info.compress_size,
                        info.file_size,
                    )
                    for info in directory.infolist()
                ]
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error):
            return None

    def _walked(self) -> Iterator[ArchiveEntry]:
        """The entries from the first on, as far as each says where the next one begins."""
        offset = 0
        while True:
            self._stream.seek(offset)
            head = self._stream.read(LOCAL.size)
            if len(head) < LOCAL.size:
                return
            mark, flags, method, packed, size, name_length, extra_length = LOCAL.unpack(head)
            if mark != LOCAL_MARK or flags & SIZE_COMES_LATER:
                return
            name = self._stream.read(name_length).decode("utf-8", "replace")
            yield ArchiveEntry(name, method, flags, offset, packed, size)
            offset += LOCAL.size + name_length + extra_length + packed

    def read(self, entry: ArchiveEntry, largest: int) -> bytes:
        """The bytes of an entry.

        Args:
            entry: The entry.
            largest: How many bytes it may have, whatever it claims.

        Raises:
            BadEntry: It is damaged, cut off, encrypted or larger.
            MissingMethod: It cannot be unpacked here.
        """
        if entry.flags & ENCRYPTED:
            raise BadEntry("it is encrypted")
        if entry.size > largest or entry.packed > largest:
            raise BadEntry(_too_large(largest))
        self._stream.seek(entry.offset)
        head = self._stream.read(LOCAL.size)
        if len(head) < LOCAL.size or not head.startswith(LOCAL_MARK):
            raise BadEntry("the archive is damaged")
        *_, name_length, extra_length = LOCAL.unpack(head)
        self._stream.seek(entry.offset + LOCAL.size + name_length + extra_length)
        packed = self._stream.read(entry.packed)
        if len(packed) < entry.packed:
            raise BadEntry("the archive is cut off")
        return _unpacked(packed, entry.method, largest)


def _too_large(largest: int) -> str:
    return f"it is larger than {largest // 1024**2} MiB"


def _unpacked(packed: bytes, method: int, largest: int) -> bytes:
    if method == STORED:
        return packed
    if method == DEFLATED:
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = unpacker.decompress(packed, largest + 1)
        except zlib.error as error:
            raise BadEntry("the archive is damaged") from error
        whole = unpacker.eof
    elif method == ZSTANDARD:
        data = _from_zstandard(packed, largest + 1)
        whole = True
    else:
        raise BadEntry("it is compressed by an unknown method")
    if len(data) > largest:
        raise BadEntry(_too_large(largest))
    if not whole:
        raise BadEntry("the archive is damaged")
    return data


def _from_zstandard(packed: bytes, max_bytes: int) -> bytes:
    """The beginning of what is compressed by Zstandard, in one frame or in several."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingMethod("Zstandard") from error
    unpacker = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    parts: list[bytes] = []
    try:
        with unpacker.stream_reader(packed, read_across_frames=True) as reader:
            while max_bytes > 0 and (part := reader.read(min(max_bytes, 1024 * 1024))):
                parts.append(part)
                max_bytes -= len(part)
    except zstandard.ZstdError as error:
        raise BadEntry("the archive is damaged") from error
    return b"".join(parts)
