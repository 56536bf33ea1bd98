"""Recorded traces turned into native ones, and into suites."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as with_changes
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from toolgauge.core import Advance, PathLike, Suite, Trajectory, ignore_progress
from toolgauge.traces import (
    CaseFinder,
    EncodedBatch,
    ImportReport,
    ReadOptions,
    encode_trajectories,
    fallback_names,
    find_sources,
    read_encoded,
    read_traces,
)

from .inputs import read_options, read_suite
from .options import ConvertOptions, with_keywords

if TYPE_CHECKING:
    from toolgauge.suites import Proposal

__all__ = ["convert", "convert_lines", "convert_parquet", "convert_to_write", "propose_from_traces"]


def convert(
    traces: PathLike | Iterable[PathLike],
    *,
    options: ConvertOptions | None = None,
    report: ImportReport | None = None,
    **more: object,
) -> Iterator[Trajectory]:
    """Iterate over the trajectories of recorded traces in any format.

    A trajectory that names neither a case nor a question gets an id from its file and its position. With several files,
    trajectories that name no agent get the name of their file.

    Args:
        traces: One file or several.
        options: How they are converted.
        report: Records what was read and what was lost.
        **more: Options as keywords: `suite`, `verbatim`; of the suite `suite_format`, `columns`; of the traces
            `input_format`, `join_by`, `error_patterns`, `text_calls`. See `ConvertOptions`.
    """
    options = with_keywords(options or ConvertOptions(), more, "converting")
    report = ImportReport() if report is None else report
    loaded = None if options.suite is None else read_suite(options.suite, options, report)
    listed = [traces] if isinstance(traces, (str, os.PathLike)) else list(traces)
    meant_for = Suite("", ()) if options.suite is None else options.suite
    sources, _ = find_sources(meant_for, listed, agent_from=options.agent_from)
    reading = read_options(loaded, options, report, verbatim=options.verbatim)
    finder = None if loaded is None else CaseFinder(loaded, options.join_by, report)
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        for number, trajectory in enumerate(read_traces(source.path, reading), 1):
            if finder is not None:
                trajectory = finder(trajectory)
            trajectory = _named(trajectory, fallback, number, report)
            agent = source.agent or trajectory.agent or (fallback if len(sources) > 1 else "")
            if agent != trajectory.agent:
                trajectory = replace(trajectory, agent=agent)
            yield trajectory


def convert_lines(
    traces: Sequence[PathLike],
    *,
    options: ConvertOptions,
    jobs: int = 1,
    report: ImportReport,
    advance: Advance = ignore_progress,
) -> Iterator[bytes]:
    """Like `convert`, but as lines of a native file, which is faster.

    Args:
        traces: The files.
        options: How they are converted.
        jobs: How many processes read a large log in which every record stands for itself.
        report: Records what was read and what was lost.
        advance: Called with the number of newly converted trajectories.
    """
    alone = _only_file(traces, options)
    if alone is not None and options.suite is None and options.error_patterns is None:
        batches = convert_to_write(alone, jobs, options.input_format, report, text_calls=options.text_calls)
    else:
        batches = encode_trajectories(convert(traces, options=with_changes(options, verbatim=True), report=report))
    for batch in batches:
        yield batch.data
        advance(len(batch))


def convert_parquet(
    traces: Sequence[PathLike],
    *,
    options: ConvertOptions,
    report: ImportReport,
    advance: Advance = ignore_progress,
) -> Iterator[bytes]:
    """Like `convert`, but as a Parquet file, in the layout of a transcript database of Inspect Scout.

    Args:
        traces: The files.
        options: How they are converted.
        report: Records what was read and what was lost.
        advance: Called with the number of newly converted trajectories.
    """
    from toolgauge.files.parquet import SCOUT_COLUMNS
    from toolgauge.files.parquet_writing import parquet_blocks
    from toolgauge.traces.transcripts import transcript_rows

    def counted() -> Iterator[Trajectory]:
        for trajectory in convert(traces, options=options, report=report):
            yield trajectory
            advance(1)

    return parquet_blocks(transcript_rows(counted()), SCOUT_COLUMNS)


def _only_file(traces: Sequence[PathLike], options: ConvertOptions) -> PathLike | None:
    """The file that is meant where it is a single one."""
    sources, _ = find_sources(Suite("", ()), list(traces), agent_from=options.agent_from)
    return sources[0].path if len(sources) == 1 and sources[0].agent is None else None


def convert_to_write(
    traces: PathLike, jobs: int, input_format: str | None, report: ImportReport, *, text_calls: str | None = None
) -> Iterator[EncodedBatch]:
    """The trajectories of one file for those who only write them."""
    (source,), _ = find_sources(Suite("", ()), traces)
    (fallback,) = fallback_names([source])

    def rename(number: int, trajectory: Trajectory) -> Trajectory:
        return _named(trajectory, fallback, number, report)

    options = ReadOptions(input_format=input_format, text_calls=text_calls, verbatim=True, report=report)
    return read_encoded(source.path, options, jobs=jobs, rename=rename)


def propose_from_traces(
    traces: Iterable[PathLike], name: str, *, input_format: str | None = None, report: ImportReport
) -> Proposal:
    """Propose a suite in which every case expects what recorded traces did on it.

    Args:
        traces: The files.
        name: The name of the suite.
        input_format: How they are written, where their content does not tell.
        report: Records what was read and what was lost.

    Raises:
        NothingToDo: No trajectory names a case or a question.
    """
    from toolgauge.suites import propose_suite

    options = ReadOptions(input_format=input_format, report=report)
    return propose_suite(chain.from_iterable(read_traces(path, options) for path in traces), name)


def _named(trajectory: Trajectory, fallback: str, number: int, report: ImportReport) -> Trajectory:
    """A trajectory that names neither a case nor a question gets a name by its file and its place in it."""
    if trajectory.case or trajectory.input:
        return trajectory
    report.note(f"a trajectory names neither a case nor a question; it gets the id {fallback}-1, and so on")
    return replace(trajectory, case=f"{fallback}-{number}")
