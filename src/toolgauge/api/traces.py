"""Recorded traces, scored against a suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from toolgauge.metrics import chosen_label
from toolgauge.pipeline import MemorySink, RunSink, ScoringOptions, ScoringPipeline, open_scorers, scorer_versions
from toolgauge.store import Spool
from toolgauge.suites import suite_file
from toolgauge.traces import (
    ImportReport,
    Join,
    Naming,
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

__all__ = ["score"]


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
        suite: A suite, or the path of one. A suite made in Python is held to the same rules.
        traces: The recorded traces: a path, several, a mapping of agent name to path, or trajectories.
        options: How they are scored.
        sink: Where the run holds its scored trajectories; default: in memory.
        report: Records what was read and what was lost.
        advance: Is told how many more trajectories are scored.
        **more: Options as keywords: `by`, `keep`, `grounding`, `jobs`, `scorers`, `headline`; of traces `agent_from`,
            `input_format`, `join_by`, `error_patterns`, `strict_decoding`, `handler`, `text_calls`; of the suite
            `suite_format`, `columns`, `profile`, `answers`, `strict_names`, and which cases of it are wanted, `cases`,
            `labels`, `limit`, `sample`, `seed`, `failed_of`. See `ScoreOptions`.

    Returns:
        The run: header, summary, and the trajectories with their scores.
    """
    options = with_keywords(options or ScoreOptions(), more, "scoring")
    report = ImportReport() if report is None else report
    _check_profile(suite, options)
    scorers = open_scorers(options.scorers, allow_code=options.allow_code)
    sources, trajectories = find_sources(suite, traces, agent_from=options.agent_from)
    loaded = read_suite(suite, options, report)
    chosen, selection = _selected(loaded, options)
    label = chosen_label(chosen, options.by)
    results: RunSink = MemorySink() if sink is None else sink
    file = suite_file(suite)
    about = {**scorer_versions(scorers), **selection, **_strictness(options)}
    header = _header(chosen, {**about, "suite_file": file} if file else about)
    results.reserve_header(header)
    scoring = ScoringOptions(chosen, label, options.keep, options.grounding, scorers)
    wanted = None if chosen is loaded else {case.id for case in chosen.cases}
    shared = None
    plain = wanted is None and options.join_by == "auto" and options.text_calls in (None, "auto")
    if options.jobs > 1 and not trajectories and plain:
        shared = _share_work(sources, scoring, options, results, advance)
    if shared is not None:
        join, pipeline = shared.join, shared.pipeline
        report.merge(shared.report)
    else:
        join = Join(loaded, report, by_text=by_text(options.join_by))
        pipeline = ScoringPipeline(scoring, results)
        for several in _joined(sources, trajectories, join, loaded, options):
            # What belongs to a case that is not wanted is joined to it all the same: it is not unknown.
            pipeline.process(several if wanted is None else [one for one in several if one.case in wanted])
            advance(len(several))
    for agent, case in join.missing():
        if wanted is None or case in wanted:
            pipeline.process([Trajectory(case, agent, 1, "not_run")])
    summary = pipeline.summary([*header.selection, *_import_notes(report)])
    found = replace(header, agents=tuple(pipeline.agents), trajectories=pipeline.kept, notes=summary.notes)
    scored = Run(found, summary, results)
    return with_headline(scored, pipeline.tally.sums()) if options.headline else scored


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


def _share_work(
    sources: Sequence[Source], scoring: ScoringOptions, options: ScoreOptions, results: RunSink, advance: Advance
) -> ScoredFiles | None:
    """Score in several processes, if the files are large enough and their lines do not depend on each other."""
    spool = results if isinstance(results, Spool) else Spool() if options.keep == "none" else None
    if options.input_format not in (None, "jsonl") or spool is None:
        return None
    from .sharing import divide, score_in_processes  # what few need, and takes its time

    chunks = divide(sources, options.jobs)
    return None if chunks is None else score_in_processes(chunks, scoring, options.jobs, spool, advance)


def _check_profile(suite: Suite | PathLike, options: ScoreOptions) -> None:
    if options.answers is not None and options.profile is None:
        raise UsageError("answers in a file of their own belong to a profile; add --profile bfcl")
    strict = options.strict_names or options.strict_decoding
    if (strict or options.handler) and options.profile is None:
        raise UsageError("strict names and decoding, and handlers, are those of a leaderboard; add --profile bfcl")
    if options.handler is not None and not strict:
        raise UsageError("a handler says what is strict; add --strict-decoding, --strict-names or both")
    if options.handler is not None:
        from toolgauge.traces import BFCL_HANDLERS

        if options.handler not in BFCL_HANDLERS:
            near = did_you_mean(options.handler, list(BFCL_HANDLERS)) or f"known: {', '.join(BFCL_HANDLERS)}"
            raise UsageError(f"there is no handler {options.handler!r}; {near}")
    if options.profile is not None and isinstance(suite, Suite):
        raise UsageError("a profile says how a suite is written; this one is already loaded")


def _strictness(options: ScoreOptions) -> dict[str, JsonValue]:
    """What the header of a run says of how strictly outputs of a leaderboard were read."""
    if options.profile is None:
        return {}
    given: dict[str, object] = {"strict_names": options.strict_names, "strict_decoding": options.strict_decoding}
    return {"bfcl": [*(name for name, asked in given.items() if asked), *filter(None, [options.handler])]}


def _joined(
    sources: Sequence[Source], trajectories: Iterable[Trajectory], join: Join, suite: Suite, options: ScoreOptions
) -> Iterator[list[Trajectory]]:
    reading = read_options(suite, options, join.report)
    named = Naming(suite, options.join_by, join.report)
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        found = read_in_lists(source.path, reading)
        yield from join.in_lists(map(named, found), agent=source.agent, fallback=fallback)
    made = ([checked(trajectory)] for trajectory in trajectories)
    yield from join.in_lists(map(named, made), agent=None, fallback="agent")


def _import_notes(report: ImportReport) -> list[Note]:
    if not report.unmatched:
        return []
    return [Note("unmatched", {"count": report.unmatched, "names": list(report.unmatched_names)})]


def _header(suite: Suite, about: dict[str, JsonValue]) -> RunHeader:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return RunHeader(toolgauge=VERSION, created=created, suite_hash=suite_hash(suite), about=about, suite=suite)
