"""Recorded traces: scored against a suite, or turned into native ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as with_changes
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from toolgauge.benchmarks import shipped_suite
from toolgauge.core import (
    Advance,
    Case,
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
from toolgauge.store import Spool, failed_cases
from toolgauge.suites import (
    Names,
    check_suite,
    load_bfcl_suite,
    load_suite,
    propose_suite,
    select_cases,
    suite_file,
    undefined_tools,
)
from toolgauge.traces import (
    BFCL_HANDLERS,
    CaseFinder,
    EncodedBatch,
    ImportReport,
    Join,
    Naming,
    ReadOptions,
    Source,
    Traces,
    by_text,
    checked,
    encode_trajectories,
    fallback_names,
    find_sources,
    kept_key,
    known_tools,
    read_encoded,
    read_in_lists,
    read_traces,
)
from toolgauge.version import VERSION

from .headlines import with_headline
from .options import ConvertOptions, ScoreOptions, SuiteOptions, TraceOptions, with_keywords

if TYPE_CHECKING:
    from toolgauge.suites import Proposal

    from .sharing import ScoredFiles

__all__ = ["convert", "convert_lines", "convert_to_write", "propose_from_traces", "score"]


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
        **more: Options as keywords: `by`, `keep`, `grounding`, `jobs`, `scorers`, `headline`; of traces `input_format`,
            `join_by`, `error_patterns`, `strict_decoding`, `handler`, `text_calls`; of the suite `suite_format`,
            `columns`, `profile`, `answers`, `strict_names`, and which cases of it are wanted, `cases`, `labels`,
            `limit`, `sample`, `seed`, `failed_of`. See `ScoreOptions`.

    Returns:
        The run: header, summary, and the trajectories with their scores.
    """
    options = with_keywords(options or ScoreOptions(), more, "scoring")
    report = ImportReport() if report is None else report
    _check_profile(suite, options)
    scorers = open_scorers(options.scorers, allow_code=options.allow_code)
    sources, trajectories = find_sources(suite, traces)
    loaded = _suite(suite, options, report)
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


def convert(
    traces: PathLike | Iterable[PathLike],
    *,
    options: ConvertOptions | None = None,
    report: ImportReport | None = None,
    **more: object,
) -> Iterator[Trajectory]:
    """The trajectories of recorded traces in any format, one after the other.

    A trajectory that names neither a case nor a question is called by its file and its place in it. Of several files,
    those whose trajectories name no agent are distinguished by the name of the file.

    Args:
        traces: One file or several.
        options: How they are converted.
        report: Records what was read and what was lost.
        **more: Options as keywords: `suite`, `verbatim`; of the suite `suite_format`, `columns`; of the traces
            `input_format`, `join_by`, `error_patterns`, `text_calls`. See `ConvertOptions`.
    """
    options = with_keywords(options or ConvertOptions(), more, "converting")
    report = ImportReport() if report is None else report
    loaded = None if options.suite is None else _suite(options.suite, options, report)
    listed = [traces] if isinstance(traces, (str, os.PathLike)) else list(traces)
    sources, _ = find_sources(Suite("", ()) if options.suite is None else options.suite, listed)
    reading = _reading(loaded, options, report, verbatim=options.verbatim)
    finder = None if loaded is None else CaseFinder(loaded, options.join_by, report)
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        for number, trajectory in enumerate(read_traces(source.path, reading), 1):
            if finder is not None:
                trajectory = finder(trajectory)
            trajectory = _named(trajectory, fallback, number, report)
            if not trajectory.agent and len(sources) > 1:
                trajectory = replace(trajectory, agent=fallback)
            yield trajectory


def convert_lines(
    traces: Sequence[PathLike],
    *,
    options: ConvertOptions,
    jobs: int = 1,
    report: ImportReport,
    advance: Advance = ignore_progress,
) -> Iterator[bytes]:
    """The same as lines of a native file, which takes less time.

    Args:
        traces: The files.
        options: How they are converted.
        jobs: How many processes read a large log in which every record stands for itself.
        report: Records what was read and what was lost.
        advance: Is told how many more trajectories are converted.
    """
    if len(traces) == 1 and options.suite is None and options.error_patterns is None:
        batches = convert_to_write(traces[0], jobs, options.input_format, report, text_calls=options.text_calls)
    else:
        batches = encode_trajectories(convert(traces, options=with_changes(options, verbatim=True), report=report))
    for batch in batches:
        yield batch.data
        advance(len(batch))


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
    options = ReadOptions(input_format=input_format, report=report)
    return propose_suite(chain.from_iterable(read_traces(path, options) for path in traces), name)


def _named(trajectory: Trajectory, fallback: str, number: int, report: ImportReport) -> Trajectory:
    """A trajectory that names neither a case nor a question gets a name by its file and its place in it."""
    if trajectory.case or trajectory.input:
        return trajectory
    report.note(f"a trajectory names no case and no question; it is called {fallback}-1, and so on")
    return replace(trajectory, case=f"{fallback}-{number}")


def _check_profile(suite: Suite | PathLike, options: ScoreOptions) -> None:
    if options.answers is not None and options.profile is None:
        raise UsageError("answers in a file of their own belong to a profile; add --profile bfcl")
    strict = options.strict_names or options.strict_decoding
    if (strict or options.handler) and options.profile is None:
        raise UsageError("strict names and decoding, and handlers, are those of a leaderboard; add --profile bfcl")
    if options.handler is not None and not strict:
        raise UsageError("a handler says what is strict; add --strict-decoding, --strict-names or both")
    if options.handler is not None and options.handler not in BFCL_HANDLERS:
        near = did_you_mean(options.handler, list(BFCL_HANDLERS)) or f"known: {', '.join(BFCL_HANDLERS)}"
        raise UsageError(f"there is no handler {options.handler!r}; {near}")
    if options.profile is not None and isinstance(suite, Suite):
        raise UsageError("a profile says how a suite is written; this one is already loaded")


def _suite(suite: Suite | PathLike, options: SuiteOptions, report: ImportReport) -> Suite:
    if isinstance(suite, Suite):
        loaded = check_suite(suite)
    elif options.profile is None:
        path = shipped_suite(suite) or suite
        loaded = load_suite(path, input_format=options.suite_format, remark=report.remark, columns=options.columns)
    else:
        loaded = load_bfcl_suite(suite, answers=options.answers, names=_names(options))
    if not any(map(_expects_something, loaded.cases)):
        report.remark("no case of this suite expects anything: every score is 1")
    for undefined in undefined_tools(loaded):
        report.remark(undefined)
    if unreviewed := sum(not case.reviewed for case in loaded.cases):
        cases = "1 case of this suite was" if unreviewed == 1 else f"{unreviewed} cases of this suite were"
        report.remark(f"{cases} proposed from traces and not yet reviewed")
    return loaded


def _strictness(options: ScoreOptions) -> dict[str, JsonValue]:
    """What the header of a run says of how strictly outputs of a leaderboard were read."""
    if options.profile is None:
        return {}
    given: dict[str, object] = {"strict_names": options.strict_names, "strict_decoding": options.strict_decoding}
    return {"bfcl": [*(name for name, asked in given.items() if asked), *filter(None, [options.handler])]}


def _names(options: SuiteOptions) -> Names:
    """How names with dots have to be written."""
    if not options.strict_names:
        return "either"
    handler = options.handler if isinstance(options, TraceOptions) else None
    return "underscores" if handler is not None and BFCL_HANDLERS[handler].underscores else "dots"


def _expects_something(case: Case) -> bool:
    expect = case.expect
    return expect.calls is not None or bool(
        expect.any_of or expect.contains or expect.answer or expect.forbid or case.budget
    )


def _joined(
    sources: Sequence[Source], trajectories: Iterable[Trajectory], join: Join, suite: Suite, options: ScoreOptions
) -> Iterator[list[Trajectory]]:
    reading = _reading(suite, options, join.report)
    named = Naming(suite, options.join_by, join.report)
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        found = read_in_lists(source.path, reading)
        yield from join.in_lists(map(named, found), agent=source.agent, fallback=fallback)
    made = ([checked(trajectory)] for trajectory in trajectories)
    yield from join.in_lists(map(named, made), agent=None, fallback="agent")


def _reading(
    suite: Suite | None, options: ScoreOptions | ConvertOptions, report: ImportReport, *, verbatim: bool = False
) -> ReadOptions:
    """How trace files are read that are meant for a suite, or for none."""
    return ReadOptions(
        input_format=options.input_format,
        known_tools=frozenset() if suite is None else known_tools(suite),
        error_patterns=options.error_patterns,
        exact_names=options.strict_names,
        strict_decoding=options.strict_decoding,
        handler=options.handler,
        text_calls=options.text_calls,
        kept_key=None if suite is None else kept_key(options.join_by),
        verbatim=verbatim,
        report=report,
    )


def _import_notes(report: ImportReport) -> list[Note]:
    if not report.unmatched:
        return []
    return [Note("unmatched", {"count": report.unmatched, "names": list(report.unmatched_names)})]


def _header(suite: Suite, about: dict[str, JsonValue]) -> RunHeader:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return RunHeader(toolgauge=VERSION, created=created, suite_hash=suite_hash(suite), about=about, suite=suite)
