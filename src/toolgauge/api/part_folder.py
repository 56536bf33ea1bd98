"""A folder in which each worker writes what came of its pieces, as parts that can be merged by anyone.

Parts are named by what they are of. One that is there already, and whole, is not made again: whoever interrupts a large
run, or loses a machine in it, goes on with what is left. Machines of a cluster have to share the folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from msgspec import Struct

from toolgauge.errors import InputError, OutputError
from toolgauge.files import write_file
from toolgauge.parallel import Executor, WorkResult
from toolgauge.traces import RecordsBelongTogether

from .partials import PartHeader, Shard, encode_part, open_part
from .pieces import PieceResult, ScorePieces, piece_id
from .sharing import SourceChunk

__all__ = ["MANIFEST", "WrittenPart", "write_parts"]

MANIFEST = "manifest.json"


class NumberedPiece(NamedTuple):
    """A piece, and which one it is."""

    number: int
    """From 1."""
    piece: SourceChunk


class WrittenPart(Struct, frozen=True):
    """A part in the folder."""

    part: str
    source: str
    bytes: int
    trajectories: int


class Manifest(Struct, frozen=True, kw_only=True):
    """What is in the folder, written once all parts are there."""

    schema: str = "toolgauge.parts/1"
    plan: str
    parts: list[WrittenPart]


@dataclass
class WriteParts:
    """What a worker does: it scores pieces, and writes a part for each."""

    work: ScorePieces
    header: PartHeader
    folder: str

    def process(self, numbered: NumberedPiece) -> WorkResult[WrittenPart | None]:
        """Score a piece unless somebody has done so; None where something is wrong with it."""
        piece = numbered.piece
        header, path = self._header_of(numbered), self.path_of(numbered)
        found = _whole_part(path, header)
        if found is None:
            result = self.work.process(piece)
            if result.answer is None:
                return WorkResult(None)
            write_file(path, encode_part(header, [(piece, result.answer, result.data)]))
            found = result.answer
        size = os.path.getsize(path)
        return WorkResult(WrittenPart(os.path.basename(path), piece.path, size, found.report.read))

    def finish(self) -> None:
        """All is said."""

    def path_of(self, numbered: NumberedPiece) -> str:
        """Where the part of a piece is, or will be."""
        told = hashlib.sha256(msgspec.msgpack.encode(self._header_of(numbered))).hexdigest()
        return os.path.join(self.folder, f"{piece_id(numbered.piece, told)}.part")

    def _header_of(self, numbered: NumberedPiece) -> PartHeader:
        return msgspec.structs.replace(self.header, shard=Shard(numbered.number, self.header.pieces))


def _whole_part(path: str, header: PartHeader) -> PieceResult | None:
    """What came of the piece of a part that is there and whole."""
    if not os.path.exists(path):
        return None
    try:
        with open_part(path) as part:
            return next((result for _, result, _ in part.pieces), None) if part.header == header else None
    except InputError:
        return None  # it is made again


def write_parts(
    pieces: Sequence[SourceChunk], work: ScorePieces, header: PartHeader, folder: str, executor: Executor
) -> Iterator[tuple[str, WrittenPart]]:
    """Have a part written for every piece, and in the end the manifest; each with its path, in their order.

    Raises:
        ToolgaugeError: Something is wrong with a piece, or the folder cannot be written.
        RecordsBelongTogether: The input has to be divided in another way; there are no parts of this one any more.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror or error}") from error
    writing = WriteParts(work, header, folder)
    numbered = [NumberedPiece(number, piece) for number, piece in enumerate(pieces, 1)]
    written: list[WrittenPart] = []
    try:
        with executor.open(writing) as session:
            for one, result in session.results(numbered):
                done = writing.process(one) if result is None else result
                if done.answer is None:
                    work.explain(one.piece)
                    raise AssertionError("what is wrong is always said")
                written.append(done.answer)
                yield os.path.join(folder, done.answer.part), done.answer
    except RecordsBelongTogether:
        # Nobody can merge them with parts that are divided otherwise.
        for one in numbered:
            with suppress(FileNotFoundError):
                os.remove(writing.path_of(one))
        raise
    manifest = msgspec.json.format(msgspec.json.encode(Manifest(plan=header.plan, parts=written)))
    write_file(os.path.join(folder, MANIFEST), [manifest + b"\n"])
