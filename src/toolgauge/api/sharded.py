"""Scoring piece by piece: by the workers of an executor, as one shard of several, and from parts that others made."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from toolgauge.core import Advance, PathLike, Run, Suite, gc_paused, ignore_progress
from toolgauge.errors import UsageError
from toolgauge.files import input_state
from toolgauge.parallel import executor
from toolgauge.pipeline import ScoringOptions
from toolgauge.store import Spool
from toolgauge.traces import ImportReport, RecordsBelongTogether, Traces

from .assembling import Assembly, score_pieces
from .options import ScoreOptions
from .partials import PartHeader, Shard, check_parts, encode_part, encode_run_header, open_part
from .pieces import PieceResult, ScorePieces, plan_pieces
from .sharing import ScoredFiles, SourceChunk
from .traces import Prepared, conclude, prepare

if TYPE_CHECKING:
    from toolgauge.parallel import Executor

__all__ = ["merge_parts", "score_shard", "score_with"]

RAY_PARTS = 16
"""For so many workers the input is divided where it is not known how many there are."""


def _work(made: Prepared, options: ScoreOptions) -> ScorePieces:
    return ScorePieces(made.scoring, made.suite, made.reading, options.join_by, made.wanted)


def _executor(options: ScoreOptions) -> Executor:
    if options.jobs != "ray":
        return executor(options.jobs)
    from toolgauge.ray_cluster import RayCluster  # nobody else needs it

    return RayCluster(options.ray_address)


def score_with(made: Prepared, options: ScoreOptions, spool: Spool, advance: Advance) -> ScoredFiles | None:
    """Score by the workers of an executor.

    Returns:
        What was found; None where the order of all lines decides which case some are of. Then the spool is empty.

    Raises:
        ToolgaugeError: Something is wrong with a file, or no worker can be had.
    """
    whole: set[str] = set()
    while True:
        try:
            return _score_with(made, options, spool, advance, whole)
        except RecordsBelongTogether as error:
            # Only who reads a log of another tool finds out that its lines are not to be divided.
            whole.add(str(error))


def _score_with(
    made: Prepared, options: ScoreOptions, spool: Spool, advance: Advance, whole: set[str]
) -> ScoredFiles | None:
    # What is in a folder of parts must fit whoever goes on from it, with however many workers.
    parts = RAY_PARTS if options.jobs == "ray" or options.parts is not None else options.jobs
    pieces = plan_pieces(made.sources, parts, made.reading, whole=whole)
    if len(pieces) < 2 and options.jobs != "ray" and options.parts is None:
        return None
    assembly = Assembly(made.scoring, spool, advance)
    try:
        for piece, result, lines in _results(pieces, made, options):
            if result.depends and len(pieces) > 1:
                _forget(assembly, spool, advance)
                return None
            assembly.add(piece, result, lines)
    except RecordsBelongTogether:
        _forget(assembly, spool, advance)
        raise
    return assembly.finish()


def _forget(assembly: Assembly, spool: Spool, advance: Advance) -> None:
    spool.clear()
    advance(-assembly.found.report.read)


def _results(
    pieces: Sequence[SourceChunk], made: Prepared, options: ScoreOptions
) -> Iterator[tuple[SourceChunk, PieceResult, Iterable[bytes | memoryview]]]:
    """What came of the pieces, straight from the workers or by way of a folder of parts."""
    work, workers = _work(made, options), _executor(options)
    if options.parts is None:
        for piece, result, lines in score_pieces(pieces, work, workers):
            yield piece, result, [lines]
        return
    from .part_folder import write_parts

    # What another input came to, of the same name, is not taken for what this one comes to.
    states = [_state(path) for path in dict.fromkeys(piece.path for piece in pieces)]
    header = _part_header(made, pieces, Shard(1, len(pieces)), states)
    for path, _ in write_parts(pieces, work, header, os.fspath(options.parts), workers):
        with open_part(path) as part:
            yield from part.pieces


def _state(path: str) -> str:
    """What changes when an input does; nothing where it cannot be had, which is reported where it is read."""
    try:
        return input_state(path)
    except (OSError, ValueError):
        return ""


@gc_paused()
def score_shard(
    suite: Suite | PathLike,
    traces: Traces,
    shard: Shard,
    *,
    options: ScoreOptions,
    report: ImportReport | None = None,
    advance: Advance = ignore_progress,
) -> Iterator[bytes]:
    """Score one of several parts of the input, which are merged elsewhere.

    Args:
        suite: The suite.
        traces: The files, the same for all parts.
        shard: Which part.
        options: How they are scored; the same for all parts.
        report: Records what was read and what was lost.
        advance: Called with the number of newly scored trajectories.

    Returns:
        The bytes of the part, which do not depend on the number of processes.

    Raises:
        UsageError: The order of all lines decides which case some are of, or the traces are no files.
    """
    report = ImportReport() if report is None else report
    made = prepare(suite, traces, options, report)
    if made.trajectories or any(str(source.path) == "-" for source in made.sources):
        raise UsageError("--shard takes a part of files; standard input cannot be read by several")
    # Whoever does another shard would not learn that the lines of a log belong together after all.
    pieces = plan_pieces(made.sources, shard.of, made.reading)
    header = _part_header(made, pieces, shard)
    mine = [pieces[place] for place in shard.slice(pieces)]
    done = score_pieces(mine, _work(made, options), _executor(options))
    return encode_part(header, _checked(done, report, advance, alone=len(pieces) == 1))


def _part_header(made: Prepared, pieces: Sequence[SourceChunk], shard: Shard, states: Sequence[str] = ()) -> PartHeader:
    return PartHeader(
        run=encode_run_header(made.header),
        by=made.scoring.by,
        keep=made.scoring.keep,
        scorers=made.scoring.scorer_names,
        shard=shard,
        pieces=len(pieces),
        plan=hashlib.sha256(msgspec.json.encode((pieces, states) if states else pieces)).hexdigest(),
    )


def _checked(
    done: Iterator[tuple[SourceChunk, PieceResult, bytes | memoryview]],
    report: ImportReport,
    advance: Advance,
    *,
    alone: bool,
) -> Iterator[tuple[SourceChunk, PieceResult, bytes | memoryview]]:
    for piece, result, lines in done:
        if result.depends and not alone:
            raise UsageError(
                f"{piece.path}: several cases ask the same question, and only the order of all lines tells which is "
                "meant; give the ids of cases with the traces, and --join id"
            )
        report.merge(result.report)
        yield piece, result, lines
        advance(result.report.read)


@gc_paused()
def merge_parts(
    parts: Sequence[PathLike],
    *,
    spool: Spool,
    headline: bool = False,
    report: ImportReport | None = None,
    advance: Advance = ignore_progress,
) -> Run:
    """Merge the parts of a run, given in any order.

    Args:
        parts: The parts: all of them, each once.
        spool: Where the run holds its scored trajectories.
        headline: Whether to find what a report begins with.
        report: Records what was read and what was lost.
        advance: Called with the number of newly merged trajectories.

    Raises:
        InputError: One is not a part, is damaged, or was written by another version.
        UsageError: They are of different runs, one is missing, or one is given twice.
    """
    report = ImportReport() if report is None else report
    paths = check_parts([str(part) for part in parts])
    with open_part(paths[0]) as first:
        about = first.header
    header = about.run_header(datetime.now(UTC).isoformat(timespec="seconds"))
    spool.reserve_header(header)
    scoring = ScoringOptions(header.suite, about.by, about.keep, scored_by=about.scorers)
    assembly = Assembly(scoring, spool, advance)
    for path in paths:
        with open_part(path) as part:
            for piece, result, lines in part.pieces:
                assembly.add(piece, result, lines)
    found = assembly.finish()
    report.merge(found.report)
    return conclude(header, found.join, found.pipeline, spool, report, headline=headline)
