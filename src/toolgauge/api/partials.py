"""Parts of a run as files: what came of some pieces of the input, to be merged with the others anywhere.

A part begins with a line that says what it is. Behind it come frames, each with its length before it: what all parts of
a run have in common, then for every piece what came of it and the lines that are kept. The last frame is the SHA-256 of
everything before it, so that nothing is made of a part that is cut off or damaged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import IO, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import SCORING_VERSION, RunHeader
from toolgauge.errors import InputError, Problem, UsageError
from toolgauge.files.opening import open_input
from toolgauge.metrics.totals import PARTIAL_VERSION
from toolgauge.pipeline import Keep
from toolgauge.store.encoding import Suites, encode_header
from toolgauge.version import VERSION

from .pieces import PieceResult
from .sharing import SourceChunk

__all__ = ["OpenPart", "PartHeader", "Shard", "check_parts", "encode_part", "open_part", "parse_shard"]

MARK = b"toolgauge part\n"
PART_VERSION = 1
"""Goes up when parts are written in another way than before."""

LENGTH = 8
DIGEST = 32
BLOCK = 1024 * 1024
MOST_SHARDS = 100_000
LARGEST_HEADER = 512 * 1024 * 1024


class Shard(NamedTuple):
    """Which part of the input is scored."""

    number: int
    """From 1."""
    of: int

    def slice(self, pieces: Sequence[SourceChunk]) -> range:
        """The places of the pieces that are in it: some that follow each other."""
        count = len(pieces)
        return range((self.number - 1) * count // self.of, self.number * count // self.of)


def parse_shard(text: str) -> Shard:
    """A shard as it is written: `3/16`.

    Raises:
        UsageError: It is not written like that.
    """
    number, slash, of = text.partition("/")
    if slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= MOST_SHARDS:
        return Shard(int(number), int(of))
    raise UsageError(f"--shard {text}: write K/N, the K-th of N parts, such as 3/16")


class PartHeader(Struct, frozen=True, kw_only=True):
    """What a part is of."""

    version: int = PART_VERSION
    totals: int = PARTIAL_VERSION
    toolgauge: str = VERSION
    scoring: int = SCORING_VERSION
    run: bytes
    """The header of the run, as it stands in a run file, without the time."""
    by: str | None
    keep: Keep
    scorers: tuple[str, ...] = ()
    shard: Shard
    pieces: int
    """How many pieces all parts have together."""
    plan: str
    """The SHA-256 of how the input was divided."""

    def run_header(self, created: str) -> RunHeader:
        """The header of the run that is made now."""
        found = Suites().read_header(self.run)
        if found is None:
            raise ValueError("the header of the run cannot be read")
        return replace(found, created=created)


class OpenPart(NamedTuple):
    """A part that is open."""

    header: PartHeader
    pieces: Iterator[tuple[SourceChunk, PieceResult, Iterator[bytes]]]
    """What came of its pieces, in their order; the lines of one have to be taken before the next."""


def encode_part(
    header: PartHeader, pieces: Iterable[tuple[SourceChunk, PieceResult, bytes | memoryview]]
) -> Iterator[bytes]:
    """The bytes of a part."""
    digest = hashlib.sha256()
    encode = msgspec.msgpack.Encoder().encode

    def frames() -> Iterator[bytes | memoryview]:
        yield MARK
        yield from _framed(encode(header))
        for piece, result, lines in pieces:
            yield from _framed(encode((piece, result)))
            yield from _framed(lines)

    for block in frames():
        digest.update(block)
        yield bytes(block)
    yield digest.digest()


def encode_run_header(header: RunHeader) -> bytes:
    """The header of a run as it stands in a part: the same whenever it is made."""
    return encode_header(replace(header, created=""))


def _framed(data: bytes | memoryview) -> Iterator[bytes | memoryview]:
    yield len(data).to_bytes(LENGTH, "little")
    yield data


@contextmanager
def open_part(path: str) -> Iterator[OpenPart]:
    """Open a part, of which everything was checked.

    Raises:
        InputError: It is none, is damaged, or was written by another version.
    """
    try:
        opened = open_input(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(path, Problem(f"cannot be read: {reason}", hint="check the path")) from error
    with closing(opened):
        stream = opened.stream
        size = _checked_size(path, stream)
        stream.seek(len(MARK))
        header = _decoded_header(path, _frame(stream, LARGEST_HEADER))
        yield OpenPart(header, _pieces(stream, size))


def _checked_size(path: str, stream: IO[bytes]) -> int:
    """Where the digest begins, of a part that is whole."""
    if stream.read(len(MARK)) != MARK:
        hint = "make one with toolgauge score --shard K/N -o PART"
        raise InputError(path, Problem("this is not a part of a run", hint=hint))
    digest = hashlib.sha256(MARK)
    size, tail = len(MARK), b""
    while block := stream.read(BLOCK):
        size += len(block)
        tail += block
        digest.update(tail[:-DIGEST])
        tail = tail[-DIGEST:]
    if digest.digest() != tail:
        raise InputError(path, Problem("this part of a run is cut off or damaged", hint="make it again"))
    return size - DIGEST


class _Versions(Struct):
    version: int = 0
    totals: int = 0
    toolgauge: str = "?"
    scoring: int = 0


def _decoded_header(path: str, data: bytes) -> PartHeader:
    found = msgspec.msgpack.decode(data, type=_Versions)
    ours = _Versions(PART_VERSION, PARTIAL_VERSION, VERSION, SCORING_VERSION)
    if found != ours:
        what = f"this part was made by toolgauge {found.toolgauge}, and this is {VERSION}"
        if found.toolgauge == VERSION:
            what = "this part was made with other rules of scoring or summing up than this toolgauge has"
        raise InputError(path, Problem(what, hint="make all parts, and merge them, with the same version"))
    return msgspec.msgpack.decode(data, type=PartHeader)


def _frame(stream: IO[bytes], largest: int) -> bytes:
    length = int.from_bytes(stream.read(LENGTH), "little")
    if length > largest:
        raise ValueError("a frame of a part is larger than it can be")
    return stream.read(length)


def _pieces(stream: IO[bytes], end: int) -> Iterator[tuple[SourceChunk, PieceResult, Iterator[bytes]]]:
    decode = msgspec.msgpack.Decoder(tuple[SourceChunk, PieceResult]).decode
    while stream.tell() < end:
        piece, result = decode(_frame(stream, end))
        length = int.from_bytes(stream.read(LENGTH), "little")
        behind = stream.tell() + length
        yield piece, result, _whole_lines(stream, length)
        stream.seek(behind)


def _whole_lines(stream: IO[bytes], length: int) -> Iterator[bytes]:
    """So many bytes of lines, some at a time."""
    rest = b""
    while length:
        block = stream.read(min(BLOCK, length))
        length -= len(block)
        cut = block.rfind(b"\n") + 1
        if cut:
            yield rest + block[:cut]
            rest = block[cut:]
        else:
            rest += block


def check_parts(paths: Sequence[str]) -> list[str]:
    """The parts in their order, all of which belong together.

    Raises:
        InputError: One is none, is damaged, or was written by another version.
        UsageError: They are of different runs, one is missing, or one is given twice.
    """
    found: dict[int, tuple[str, PartHeader]] = {}
    first: tuple[str, PartHeader] | None = None
    for path in paths:
        with open_part(path) as part:
            header = part.header
        first = first or (path, header)
        _check_alike(*first, path, header)
        if header.shard.number in found:
            other = found[header.shard.number][0]
            raise UsageError(f"{path}: part {header.shard.number} of {header.shard.of} is given twice, also as {other}")
        found[header.shard.number] = path, header
    if first is None:
        raise UsageError("there are no parts to merge")
    of = first[1].shard.of
    missing = [number for number in range(1, of + 1) if number not in found]
    if missing:
        shown = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        raise UsageError(f"of {of} parts, these are missing: {shown}; make them with --shard, and name all parts")
    return [found[number][0] for number in sorted(found)]


def _check_alike(first: str, one: PartHeader, path: str, other: PartHeader) -> None:
    """Make sure that two parts are of the same run."""
    if one.run != other.run:
        runs = [found for header in (one, other) if (found := Suites().read_header(header.run)) is not None]
        if len({run.suite_hash for run in runs}) > 1:
            raise UsageError(f"{path}: this part is of another suite than {first}; merge only parts of one run")
        if len({str(run.about.get("suite_file")) for run in runs}) > 1:
            raise UsageError(
                f"{path}: the suite of this part was at another path than that of {first}; "
                "score all parts with the same path"
            )
        raise UsageError(f"{path}: this part is scored with other options than {first}; merge only parts of one run")
    if (one.by, one.keep, one.scorers) != (other.by, other.keep, other.scorers):
        raise UsageError(f"{path}: this part is scored with other options than {first}; merge only parts of one run")
    if one.shard.of != other.shard.of or one.plan != other.plan:
        raise UsageError(
            f"{path}: this part is of other input than {first}, or of another number of parts; "
            "make all with the same files and the same N"
        )
