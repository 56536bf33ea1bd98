"""Recorded traces, scored against a suite."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from toolgauge.core import (
    Advance,
    JsonValue,
    Note,
    PathLike,
    Run,
    RunHeader,
    Suite,
    Trajectory,
    gc_paused,
    ignore_progress,
    suite_hash,
)
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.files import STANDARD_INPUT, is_address
from toolgauge.metrics import chosen_label
from toolgauge.pipeline import MemorySink, RunSink, ScoringOptions, ScoringPipeline, open_scorers, scorer_versions
from toolgauge.store import Spool
from toolgauge.suites import suite_file
from toolgauge.traces import (
    ImportReport,
    Join,
    Naming,
    ReadOptions,
    Source,
    Traces,
    by_text,
    checked,
    fallback_names,
    find_sources,
    read_in_lists,
)
from toolgauge.version import VERSION

from .headlines import with_headline
from .inputs import read_options, read_suite
from .options import ScoreOptions, with_keywords

if TYPE_CHECKING:
    from .sharing import ScoredFiles

__all__ = ["Prepared", "conclude", "prepare", "score"]


@gc_paused()
def score(
    suite: Suite | PathLike,
    traces: Traces,
    *,
    options: ScoreOptions | None = None,
    sink: RunSink | None = None,
    report: ImportReport | None = None,
    advance: Advance = ignore_progress,
    **more: object,
) -> Run:
    """Score recorded traces against a suite.

    Args:
        suite: A suite, or the path of one. A suite built in Python is checked by the same rules.
        traces: The recorded traces: a path, several, a mapping of agent name to path, or trajectories.
        options: How they are scored.
        sink: Where the run keeps its scored trajectories; default: in memory.
        report: Records what was read and what was lost.
        advance: Called with the number of newly scored trajectories.
        **more: Options as keywords: `by`, `keep`, `grounding`, `jobs`, `scorers`, `headline`; of traces `agent_from`,
            `input_format`, `join_by`, `error_patterns`, `strict_decoding`, `handler`, `text_calls`; of the suite
            `suite_format`, `columns`, `profile`, `answers`, `strict_names`, and which cases of it are wanted, `cases`,
            `labels`, `limit`, `sample`, `seed`, `failed_of`. See `ScoreOptions`.

    Returns:
        The run: header, summary, and the trajectories with their scores.
    """
    options = with_keywords(options or ScoreOptions(), more, "scoring")
    report = ImportReport() if report is None else report
    made = prepare(suite, traces, options, report)
    results: RunSink = MemorySink() if sink is None else sink
    results.reserve_header(made.header)
    shared = _share_work(made, options, results, advance)
    if shared is not None:
        join, pipeline = shared.join, shared.pipeline
        report.merge(shared.report)
    else:
        join = Join(made.suite, report, by_text=by_text(options.join_by))
        pipeline = ScoringPipeline(made.scoring, results)
        for several in _joined(made, join, options):
            # What belongs to a case that is not wanted is joined to it all the same: it is not unknown.
            wanted = made.wanted
            pipeline.process(several if wanted is None else [one for one in several if one.case in wanted])
            advance(len(several))
    return conclude(made.header, join, pipeline, results, report, wanted=made.wanted, headline=options.headline)


@dataclass(frozen=True)
class Prepared:
    """Everything that scoring needs, before anything is read."""

    suite: Suite
    """With all of its cases."""
    header: RunHeader
    """Of the run, with the cases that are wanted."""
    scoring: ScoringOptions
    wanted: frozenset[str] | None
    """The cases that are wanted; None: all."""
    sources: list[Source]
    trajectories: Iterable[Trajectory]
    reading: ReadOptions


def prepare(suite: Suite | PathLike, traces: Traces, options: ScoreOptions, report: ImportReport) -> Prepared:
    """Load the suite, find the files, and settle how they are scored."""
    _check_profile(suite, options)
    scorers = open_scorers(options.scorers, allow_code=options.allow_code)
    sources, trajectories = find_sources(suite, traces, agent_from=options.agent_from)
    loaded = read_suite(suite, options, report)
    chosen, selection = _selected(loaded, options)
    label = chosen_label(chosen, options.by)
    file = suite_file(suite)
    about = {**scorer_versions(scorers), **selection, **_strictness(options)}
    header = _header(chosen, {**about, "suite_file": file} if file else about)
    scoring = ScoringOptions(chosen, label, options.keep, options.grounding, scorers)
    wanted = None if chosen is loaded else frozenset(case.id for case in chosen.cases)
    reading = read_options(loaded, options, report)
    return Prepared(loaded, header, scoring, wanted, sources, trajectories, reading)


def conclude(
    header: RunHeader,
    join: Join,
    pipeline: ScoringPipeline,
    results: RunSink,
    report: ImportReport,
    *,
    wanted: frozenset[str] | None = None,
    headline: bool = False,
) -> Run:
    """The run, with the cases that nobody ran."""
    for agent, case in join.missing():
        if wanted is None or case in wanted:
            pipeline.process([Trajectory(case, agent, 1, "not_run")])
    summary = pipeline.summary([*header.selection, *_import_notes(report)])
    found = replace(header, agents=tuple(pipeline.agents), trajectories=pipeline.kept, notes=summary.notes)
    scored = Run(found, summary, results)
    return with_headline(scored, pipeline.tally.sums()) if headline else scored


def _selected(suite: Suite, options: ScoreOptions) -> tuple[Suite, dict[str, JsonValue]]:
    """The suite with the cases that are wanted, and what the run records of that."""
    if not options.described:
        return suite, {}
    from toolgauge.store import failed_cases
    from toolgauge.suites import select_cases

    failed = None if options.failed_of is None else failed_cases(options.failed_of)[1]
    about: dict[str, JsonValue] = {
        "selection": options.described,
        "selection_options": options.options,
        "selected_of": len(suite.cases),
        "selected_from": suite_hash(suite),
    }
    return select_cases(suite, options, failed), about


def _share_work(made: Prepared, options: ScoreOptions, results: RunSink, advance: Advance) -> ScoredFiles | None:
    """Score in several processes, if there is enough to score; None where one process has to."""
    if (options.jobs == 1 and options.parts is None) or made.trajectories:
        return None
    if any(os.fspath(source.path) == STANDARD_INPUT for source in made.sources):
        if options.jobs != "ray" and options.parts is None:
            return None  # others cannot read it
        raise UsageError(
            "only this process can read standard input; save it to a file and name that, or leave out "
            "--jobs ray and --parts"
        )
    spool = results if isinstance(results, Spool) else Spool() if options.keep == "none" else None
    if spool is None:
        return None
    if options.jobs == "ray" or options.parts is not None:
        from .sharded import score_with

        return score_with(made, options, spool, advance)
    plain = made.wanted is None and options.join_by == "auto" and options.text_calls in (None, "auto")
    if plain and options.input_format in (None, "jsonl"):
        from .sharing import divide, score_in_processes  # what few need, and takes its time

        chunks = divide(made.sources, options.jobs)
        if chunks is not None:
            return score_in_processes(chunks, made.scoring, options.jobs, spool, advance)
    if len(made.sources) > 1 or any(_is_worth_dividing(str(source.path)) for source in made.sources):
        from .sharded import score_with

        return score_with(made, options, spool, advance)
    return None


def _is_worth_dividing(path: str) -> bool:
    """Whether a single file that is no plain file of native lines may be one that several can read."""
    from toolgauge.traces.chunks import may_share

    return path.endswith(".parquet") or is_address(path) or may_share(path)


def _check_profile(suite: Suite | PathLike, options: ScoreOptions) -> None:
    if options.answers is not None and options.profile is None:
        raise UsageError("a separate file of answers needs a profile; add --profile bfcl")
    strict = options.strict_names or options.strict_decoding
    if (strict or options.handler) and options.profile is None:
        raise UsageError(
            "strict names, strict decoding and handlers need the profile of a leaderboard; add --profile bfcl"
        )
    if options.handler is not None and not strict:
        raise UsageError("a handler only matters in strict mode; add --strict-decoding, --strict-names or both")
    if options.handler is not None:
        from toolgauge.traces import BFCL_HANDLERS

        if options.handler not in BFCL_HANDLERS:
            near = did_you_mean(options.handler, list(BFCL_HANDLERS)) or f"known: {', '.join(BFCL_HANDLERS)}"
            raise UsageError(f"there is no handler {options.handler!r}; {near}")
    if options.profile is not None and isinstance(suite, Suite):
        raise UsageError("a profile says how to read a suite file; this suite is already loaded")


def _strictness(options: ScoreOptions) -> dict[str, JsonValue]:
    """What the header of a run says of how strictly outputs of a leaderboard were read."""
    if options.profile is None:
        return {}
    given: dict[str, object] = {"strict_names": options.strict_names, "strict_decoding": options.strict_decoding}
    return {"bfcl": [*(name for name, asked in given.items() if asked), *filter(None, [options.handler])]}


def _joined(made: Prepared, join: Join, options: ScoreOptions) -> Iterator[list[Trajectory]]:
    named = Naming(made.suite, options.join_by, join.report)
    for source, fallback in zip(made.sources, fallback_names(made.sources), strict=True):
        found = read_in_lists(source.path, made.reading)
        yield from join.in_lists(map(named, found), agent=source.agent, fallback=fallback)
    given = ([checked(trajectory)] for trajectory in made.trajectories)
    yield from join.in_lists(map(named, given), agent=None, fallback="agent")


def _import_notes(report: ImportReport) -> list[Note]:
    if not report.unmatched:
        return []
    return [Note("unmatched", {"count": report.unmatched, "names": list(report.unmatched_names)})]


def _header(suite: Suite, about: dict[str, JsonValue]) -> RunHeader:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return RunHeader(toolgauge=VERSION, created=created, suite_hash=suite_hash(suite), about=about, suite=suite)
