"""Pieces of the input that are scored by themselves, wherever that is, and what came of each of them.

A piece is a range of lines, some row groups of a table, or a whole file. Nothing that comes of one depends on another
but the numbers of trials that lines leave open, and these are settled when results are put together, from what each
line had asked for. So the same bytes come of the same piece on any machine, however often it is done.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from array import array
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec
from msgspec import Struct

from toolgauge.core import Suite, Trajectory
from toolgauge.errors import InputError, Problem, ToolgaugeError
from toolgauge.files import MEBIBYTE, Chunk, InputFile, is_address
from toolgauge.metrics import PartialTotals
from toolgauge.parallel import WorkResult
from toolgauge.pipeline import ScoringOptions, ScoringPipeline
from toolgauge.traces import (
    ImportReport,
    Join,
    Naming,
    ReadOptions,
    RecordsBelongTogether,
    Source,
    by_text,
    divide_foreign,
    divide_native,
    fallback_names,
    read_chunk,
    read_foreign_chunk,
    read_in_lists,
)

from .sharing import Lines, SourceChunk

__all__ = ["PieceResult", "ScorePieces", "claims_of", "piece_id", "plan_pieces"]

LARGEST_PIECE = 128 * MEBIBYTE
"""About so many bytes a piece has where there are enough of them."""

PIECES_EACH = 4
"""So many pieces each worker or shard gets where the input is smaller than that."""


def plan_pieces(
    sources: Sequence[Source], parts: int, reading: ReadOptions, *, whole: Container[str] | None = None
) -> list[SourceChunk]:
    """Divide the input: the same files for as many parts give the same pieces, in the order of the input.

    Args:
        sources: The files.
        parts: How many workers or shards there are.
        reading: How they are read. Where somebody says what they are, tables are read as a whole.
        whole: Logs of other tools that are not divided, because their records belong together; None: all of them.

    Raises:
        InputError: A file cannot be read.
    """
    paths = [os.fspath(source.path) for source in sources]
    size = min(LARGEST_PIECE, -(-sum(map(_stored_size, paths)) // (parts * PIECES_EACH)) or 1)
    found: list[SourceChunk] = []
    for source, path, fallback in zip(sources, paths, fallback_names(sources), strict=True):
        chunks: Sequence[Chunk | None] | None = None
        reader: str | None = None
        if reading.input_format in (None, "jsonl"):
            chunks = _row_chunks(path, size) or divide_native(path, size)
        if chunks is None and whole is not None and path not in whole:
            reader, chunks = divide_foreign(path, size, reading) or (None, None)
        found += [SourceChunk(path, source.agent, fallback, chunk, reader) for chunk in chunks or [None]]
    return found


def _stored_size(path: str) -> int:
    if is_address(path):
        with InputFile(path) as source:
            return source.size() if source.divisible else 0
    return os.path.getsize(path) if os.path.isfile(path) else 0


def _row_chunks(path: str, size: int) -> list[Chunk] | None:
    """Row groups of a table whose rows stand for themselves, put together up to about so many bytes."""
    if not path.endswith(".parquet"):
        return None
    from toolgauge.files.parquet import row_groups

    sizes = row_groups(path)
    if not sizes:
        return None
    chunks: list[Chunk] = []
    begin = held = 0
    for place, bytes_of_group in enumerate(sizes, 1):
        held += bytes_of_group
        if held >= size or place == len(sizes):
            chunks.append(Chunk(begin, place, unit="row groups"))
            begin, held = place, 0
    return chunks


def piece_id(piece: SourceChunk, work: str) -> str:
    """A name that the same piece of the same work always has."""
    told = msgspec.json.encode((work, piece.path, piece.agent, piece.fallback, piece.chunk))
    return hashlib.sha256(told).hexdigest()[:24]


class Claims(Struct, frozen=True, array_like=True):
    """Which trials the trajectories of a piece ask for, in their order."""

    agents: list[str]
    cases: list[str]
    columns: bytes = b""
    """Packed: of all trajectories the places of their agents, then those of their cases, then the trials."""


class PieceResult(Struct, frozen=True, kw_only=True):
    """What came of a piece, but for the lines that are kept."""

    report: ImportReport
    agents: list[str]
    """The agents that have a trajectory of some case that is wanted, in the order in which they appeared."""
    seen: dict[str, list[str]]
    """By agent, in the order in which they appeared, the cases of which there is a trajectory."""
    recorded: list[str]
    """The names that agents have in a file whose agent got a name."""
    totals: PartialTotals
    kept: int
    claims: Claims | None = None
    """Where lines are kept, what their trials are settled by."""
    depends: bool = False
    """Whether the order of all lines says which of several cases with the same question one is of."""


@dataclass
class ScorePieces:
    """What a worker does: it scores pieces, each as if there were no other."""

    scoring: ScoringOptions
    suite: Suite
    """The suite with all of its cases."""
    reading: ReadOptions
    join_by: str = "auto"
    wanted: frozenset[str] | None = None
    """The cases that are wanted; None: all."""
    _lines: Lines = field(default_factory=Lines)

    def process(self, piece: SourceChunk) -> WorkResult[PieceResult | None]:
        """Score a piece; None where something is wrong with it, which `explain` finds out."""
        try:
            return self.score(piece)
        except (ToolgaugeError, OSError, RecordsBelongTogether):
            return WorkResult(None)

    def finish(self) -> None:
        """All is said."""

    def score(self, piece: SourceChunk) -> WorkResult[PieceResult | None]:
        """Score a piece.

        Raises:
            ToolgaugeError: Something is wrong with it. Places are counted from its beginning.
        """
        report = ImportReport()
        self._lines = Lines()
        pipeline = ScoringPipeline(self.scoring, self._lines)
        join = Join(self.suite, report, by_text=by_text(self.join_by))
        claims: list[int] | None = None if self.scoring.keep == "none" else []
        join.claims = claims
        joined: list[Trajectory] = []
        for several in self._joined(piece, join, report):
            if claims is not None:
                joined += [Trajectory(one.case, one.agent) for one in several]
            wanted = self.wanted
            pipeline.process(several if wanted is None else [one for one in several if one.case in wanted])
        found = PieceResult(
            report=report,
            agents=list(pipeline.agents),
            seen={agent: list(masks) for agent, masks in join.seen().trials.items()},
            recorded=[name for names in join.seen().recorded.values() for name in names],
            totals=pipeline.tally.totals(),
            kept=pipeline.kept,
            claims=None if claims is None else _packed(joined, claims),
            depends=join.depends_on_order,
        )
        return WorkResult(found, self._lines.take())

    def _joined(self, piece: SourceChunk, join: Join, report: ImportReport) -> Iterator[list[Trajectory]]:
        reading = replace(self.reading, report=report)
        if piece.chunk is None:
            lists = read_in_lists(piece.path, reading)
        elif piece.reader is not None:
            lists = read_foreign_chunk(piece.path, piece.chunk, replace(reading, input_format=piece.reader))
        elif piece.chunk.unit == "bytes":
            lists = read_chunk(piece.path, piece.chunk, reading)
        else:
            lists = read_in_lists(piece.path, reading, piece.chunk)
        named = Naming(self.suite, self.join_by, report)
        return join.in_lists(map(named, lists), agent=piece.agent, fallback=piece.fallback)

    def explain(self, piece: SourceChunk) -> None:
        """Say what is wrong with a piece of which nothing came, by its place in the file.

        Raises:
            ToolgaugeError: What is wrong.
            RecordsBelongTogether: Nothing may be, and the file has to be read as a whole.
        """
        if piece.reader is not None:
            raise RecordsBelongTogether(piece.path)
        self.score(replace(piece, chunk=None))
        raise InputError(piece.path, Problem("the file changed while it was read", hint="run it again"))


def _packed(joined: Sequence[Trajectory], wanted: Sequence[int]) -> Claims:
    agents = list(dict.fromkeys(one.agent for one in joined))
    cases = list(dict.fromkeys(one.case for one in joined))
    place_of_agent = {name: place for place, name in enumerate(agents)}
    place_of_case = {name: place for place, name in enumerate(cases)}
    columns = (
        array("q", [place_of_agent[one.agent] for one in joined]),
        array("q", [place_of_case[one.case] for one in joined]),
        array("q", wanted),
    )
    return Claims(agents, cases, zlib.compress(b"".join(column.tobytes() for column in columns), 1))


def claims_of(claims: Claims) -> Iterator[tuple[str, str, int]]:
    """By trajectory the agent, the case and the trial that it asks for."""
    every = array("q", zlib.decompress(claims.columns))
    count = len(every) // 3
    agents, cases = claims.agents, claims.cases
    for place in range(count):
        yield agents[every[place]], cases[every[count + place]], every[2 * count + place]
