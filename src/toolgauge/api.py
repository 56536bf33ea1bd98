"""Wires the parts together: what the commands do, as Python functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from dataclasses import replace as with_changes
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeVar

from msgspec.structs import replace

from toolgauge.benchmarks import shipped_suite
from toolgauge.core import Case, Note, Run, RunHeader, Scored, Suite, Trajectory, suite_hash, without_cycles
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.pipeline import Keep, MemorySink, RunSink, ScoringOptions, ScoringPipeline
from toolgauge.stats import chosen_label
from toolgauge.store import RunFile, find_run
from toolgauge.suites import check_suite, load_bfcl_suite, load_suite
from toolgauge.traces import (
    CaseFinder,
    ImportReport,
    Join,
    Naming,
    PathLike,
    ReadOptions,
    Source,
    Traces,
    Written,
    by_text,
    checked,
    fallback_names,
    find_sources,
    kept_key,
    known_tools,
    read_in_lists,
    read_to_write,
    read_traces,
)
from toolgauge.version import VERSION

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from toolgauge.analysis.compare import compare
    from toolgauge.runner import Agents, RunOptions, RunOutcome
    from toolgauge.shares import Shared

__all__ = [
    "Keep",
    "Profile",
    "Source",
    "Traces",
    "compare",
    "convert",
    "execute_run",
    "load_run",
    "run",
    "run_async",
    "score",
]

Profile = Literal["bfcl"]
"""Another way of writing suites: the questions and answers of a leaderboard, scored as it scores them."""


def __getattr__(name: str) -> object:
    """What it takes to compare agents is imported when somebody does."""
    if name == "compare":
        from toolgauge.analysis.compare import compare

        return compare
    raise AttributeError(f"module 'toolgauge.api' has no attribute {name!r}")


@without_cycles()
def score(
    suite: Suite | PathLike,
    traces: Traces,
    *,
    by: str | None = None,
    keep: Keep = "all",
    sink: RunSink | None = None,
    input_format: str | None = None,
    suite_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    profile: Profile | None = None,
    answers: PathLike | None = None,
    grounding: bool = False,
    jobs: int = 1,
    join_by: str = "auto",
    error_patterns: Sequence[str] | None = None,
    report: ImportReport | None = None,
    watch: Callable[[Iterable[list[Trajectory]]], Iterable[list[Trajectory]]] = iter,
) -> Run:
    """Score recorded traces against a suite.

    Args:
        suite: A suite, or the path of one. A suite made in Python is held to the same rules.
        traces: The recorded traces: a path, several, a mapping of agent name to path, or trajectories.
        by: The label to break figures down by; default `difficulty`, where the suite has it.
        keep: Which scored trajectories the run holds.
        sink: Where it holds them; default: in memory.
        input_format: How the trace files are written, or which tool recorded them, where their content does not tell.
        suite_format: The same of the suite.
        columns: Of a suite as CSV by meaning the heading of the column, where the heading does not say so itself.
        profile: `bfcl`: the suite is a file of questions of the Berkeley Function-Calling Leaderboard.
        answers: The answers to these questions, where they are in a file of their own.
        grounding: Also look for arguments that came from nowhere.
        jobs: How many processes share the work; needs large JSONL files, and a spool where trajectories are kept.
        join_by: What tells the case of a trajectory: `auto` (its id, else its question), `id`, `input`, or a key of
            its metadata, whose value is the id of the case or its label of that name.
        error_patterns: Regular expressions that results of failed calls match, where other tools' records do not say
            which failed; default: those for common messages.
        report: Takes down what was read and what was lost.
        watch: Wraps the stream of trajectories, which come several at once, to show progress.

    Returns:
        The run: header, summary, and the trajectories with their scores.
    """
    report = ImportReport() if report is None else report
    _check_profile(suite, profile, answers)
    sources, trajectories = find_sources(suite, traces)
    loaded = _suite(suite, suite_format, columns, profile, answers, report)
    label = chosen_label(loaded, by or ("category" if profile == "bfcl" else None))
    results: RunSink = MemorySink() if sink is None else sink
    header = _header(loaded)
    results.reserve_header(header)
    options = ScoringOptions(loaded, label, keep, grounding)
    shared = None
    if jobs > 1 and not trajectories and join_by == "auto":
        shared = _share_work(sources, options, jobs, input_format, results)
    if shared is not None:
        join, pipeline = shared.join, shared.pipeline
        report.merge(shared.report)
    else:
        join = Join(loaded, report, by_text=by_text(join_by))
        pipeline = ScoringPipeline(options, results)
        reading = ReadOptions(
            input_format=input_format,
            known_tools=known_tools(loaded),
            error_patterns=error_patterns,
            kept_key=kept_key(join_by),
        )
        named = Naming(loaded, join_by, report)
        for several in watch(_joined(sources, trajectories, join, named, reading)):
            pipeline.process(several)
    for agent, case in join.missing():
        pipeline.process([Trajectory(case, agent, 1, "not_run")])
    summary = pipeline.summary(_import_notes(report))
    found = replace(header, agents=tuple(pipeline.agents), trajectories=pipeline.kept, notes=summary.notes)
    return Run(found, summary, results)


def _share_work(
    sources: Sequence[Source], options: ScoringOptions, jobs: int, input_format: str | None, results: RunSink
) -> Shared | None:
    """Score in several processes, if the files are large enough and their lines do not depend on each other."""
    from toolgauge.shares import divide, score_in_shares  # what few need, and takes its time

    if input_format not in (None, "jsonl"):
        return None
    divided = [
        divide(os.fspath(source.path), source.agent, fallback, jobs)
        for source, fallback in zip(sources, fallback_names(sources), strict=True)
    ]
    if not all(divided):
        return None
    pieces = [piece for several in divided for piece in several or ()]
    return score_in_shares(pieces, options, jobs, results)


def convert(
    traces: PathLike | Iterable[PathLike],
    *,
    suite: Suite | PathLike | None = None,
    suite_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    input_format: str | None = None,
    join_by: str = "auto",
    error_patterns: Sequence[str] | None = None,
    report: ImportReport | None = None,
    verbatim: bool = False,
) -> Iterator[Trajectory]:
    """The trajectories of recorded traces in any format, one after the other.

    A trajectory that names neither a case nor a question is called by its file and its place in it. Of several files,
    those whose trajectories name no agent are told apart by the name of the file.

    Args:
        traces: One file or several.
        suite: The suite they are meant for: its names of tools are taken where a record writes them in another way, and
            its ids of cases are filled in. What belongs to no case is kept, and counted in the report.
        suite_format: How the suite is written, where its content does not tell.
        columns: Of a suite as CSV by meaning the heading of the column, as for `score`.
        input_format: The same of the traces, or which tool recorded them.
        join_by: What tells the case of a trajectory, as for `score`.
        error_patterns: Regular expressions that results of failed calls match, as for `score`.
        report: Takes down what was read and what was lost.
        verbatim: Results may be `msgspec.Raw`, as they were written: for those who only encode them again, which takes
            half the time then.
    """
    report = ImportReport() if report is None else report
    loaded = None if suite is None else _suite(suite, suite_format, columns, None, None, report)
    listed = [traces] if isinstance(traces, (str, os.PathLike)) else list(traces)
    sources, _ = find_sources(Suite("", ()) if suite is None else suite, listed)
    known = frozenset[str]() if loaded is None else known_tools(loaded)
    key = None if loaded is None else kept_key(join_by)
    reading = ReadOptions(
        input_format=input_format,
        known_tools=known,
        error_patterns=error_patterns,
        kept_key=key,
        verbatim=verbatim,
    )
    finder = None if loaded is None else CaseFinder(loaded, join_by, report)
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        for number, trajectory in enumerate(read_traces(source.path, report=report, **reading), 1):
            if finder is not None:
                trajectory = finder(trajectory)
            trajectory = _named(trajectory, fallback, number, report)
            if not trajectory.agent and len(sources) > 1:
                trajectory = replace(trajectory, agent=fallback)
            yield trajectory


def convert_to_write(
    traces: PathLike, *, jobs: int, input_format: str | None = None, report: ImportReport
) -> Iterator[Trajectory | Written]:
    """As `convert` for one file, for those who only encode the trajectories again.

    Args:
        traces: The file.
        jobs: How many processes read a large log in which every record stands for itself.
        input_format: How it is written, as for `convert`.
        report: Takes down what was read and what was lost.
    """
    (source,), _ = find_sources(Suite("", ()), traces)
    (fallback,) = fallback_names([source])
    number = 0
    for item in read_to_write(source.path, jobs=jobs, input_format=input_format, report=report):
        if isinstance(item, Written):
            number += item.count
        else:
            number += 1
            item = _named(item, fallback, number, report)
        yield item


def _named(trajectory: Trajectory, fallback: str, number: int, report: ImportReport) -> Trajectory:
    """A trajectory that names neither a case nor a question gets a name by its file and its place in it."""
    if trajectory.case or trajectory.input:
        return trajectory
    report.note(f"a trajectory names no case and no question; it is called {fallback}-1, and so on")
    return replace(trajectory, case=f"{fallback}-{number}")


def load_run(reference: PathLike, *, by: str | None = None, store: PathLike | None = None) -> Run:
    """Open a run. Its summary is drawn up again, from the scores it holds.

    Args:
        reference: A run file, or a run of the store: its id or the beginning of it, its name, NAME@latest, or latest.
        by: The label to break figures down by.
        store: Where runs are kept; default: `.toolgauge/runs.db`.
    """
    stored = find_run(reference, store)
    header = stored.header
    options = ScoringOptions(header.suite, chosen_label(header.suite, by))
    missing = MemorySink()
    if isinstance(stored, RunFile):
        pipeline = ScoringPipeline(options, missing)
        pipeline.add(stored)
    else:
        pipeline = ScoringPipeline(options, missing, agents=header.agents)
        pipeline.add(stored)
        pipeline.process(list(stored.missing()))
    kept = [note for note in header.notes if note.kind == "unmatched"]
    return Run(header, pipeline.summary(kept), Chained(stored, missing) if missing else stored)


def run(suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object) -> Run:
    """Run agents on every case of a suite, keep what they did, and score it.

    Works inside a running event loop too; there `await toolgauge.api.run_async(...)` does not block it.

    Args:
        suite: A suite, or the path of one.
        agents: What is evaluated: a name, a function of case and tools, an agent of another library, or several.
        options: What else can be said of a run.
        **more: The same as keywords: `model`, `tools`, `trials`, `concurrency`, `store` and all others of `RunOptions`.

    Returns:
        The run: header, summary, and the trajectories with their scores.

    Raises:
        UsageError: Something does not fit together; nothing was run.
        ModelError: No request to the model can succeed. What was finished is in the store.
        StoreError: Nothing more can be kept. What was finished is in the store.
        KeyboardInterrupt: Somebody stopped it. What was finished is in the store.
    """
    return execute_run(suite, agents, options=options, **more).result()


async def run_async(
    suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object
) -> Run:
    """The same as `run`, for programs that have an event loop."""
    from toolgauge.runner import execute_run

    return (await execute_run(suite, agents, _run_options(options, more))).result()


def execute_run(
    suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object
) -> RunOutcome:
    """The same as `run`, with how it ended, however that was.

    Raises:
        ToolgaugeError: Nothing was run.
    """
    from toolgauge.runner import execute_run, run_in_loop

    return run_in_loop(execute_run(suite, agents, _run_options(options, more)))


def _run_options(options: RunOptions | None, more: Mapping[str, object]) -> RunOptions:
    from toolgauge.runner import RunOptions

    return with_keywords(options or RunOptions(), more, "a run")


T = TypeVar("T", bound="DataclassInstance")


def with_keywords(options: T, given: Mapping[str, object], what: str) -> T:
    """Options with those that are given as keywords in place of them.

    Args:
        options: The options.
        given: Keywords of a function.
        what: What the options are of, for the message.

    Raises:
        UsageError: There is no such option.
    """
    known = [field.name for field in fields(options)]
    for name in given:
        if name not in known:
            raise UsageError(f"{what} has no option {name!r}; {did_you_mean(name, known)}".removesuffix("; "))
    return with_changes(options, **given)


class Chained:
    """Several sources of scored trajectories as one, which can be gone through as often as they can."""

    def __init__(self, *parts: Iterable[Scored]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[Scored]:
        return chain.from_iterable(self._parts)


def _check_profile(suite: Suite | PathLike, profile: Profile | None, answers: PathLike | None) -> None:
    if answers is not None and profile is None:
        raise UsageError("answers in a file of their own belong to a profile; add --profile bfcl")
    if profile is not None and isinstance(suite, Suite):
        raise UsageError("a profile says how a suite is written; this one is loaded already")


def _suite(
    suite: Suite | PathLike,
    suite_format: str | None,
    columns: Mapping[str, str] | None,
    profile: Profile | None,
    answers: PathLike | None,
    report: ImportReport,
) -> Suite:
    if isinstance(suite, Suite):
        loaded = check_suite(suite)
    elif profile is None:
        loaded = load_suite(
            shipped_suite(suite) or suite, input_format=suite_format, remark=report.remark, columns=columns
        )
    else:
        loaded = load_bfcl_suite(suite, answers=answers)
    if not any(map(_expects_something, loaded.cases)):
        report.remark("no case of this suite expects anything: every score is 1")
    if unreviewed := sum(not case.reviewed for case in loaded.cases):
        cases = "1 case of this suite was" if unreviewed == 1 else f"{unreviewed} cases of this suite were"
        report.remark(f"{cases} proposed from traces and not yet reviewed")
    return loaded


def _expects_something(case: Case) -> bool:
    expect = case.expect
    return expect.calls is not None or bool(
        expect.any_of or expect.contains or expect.answer or expect.forbid or case.budget
    )


def _joined(
    sources: Sequence[Source], trajectories: Iterable[Trajectory], join: Join, named: Naming, reading: ReadOptions
) -> Iterator[list[Trajectory]]:
    for source, fallback in zip(sources, fallback_names(sources), strict=True):
        found = read_in_lists(source.path, report=join.report, **reading)
        yield from join.in_lists(map(named, found), agent=source.agent, fallback=fallback)
    made = ([checked(trajectory)] for trajectory in trajectories)
    yield from join.in_lists(map(named, made), agent=None, fallback="agent")


def _import_notes(report: ImportReport) -> list[Note]:
    if not report.unmatched:
        return []
    return [Note("unmatched", {"count": report.unmatched, "names": list(report.unmatched_names)})]


def _header(suite: Suite) -> RunHeader:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return RunHeader(toolgauge=VERSION, created=created, suite_hash=suite_hash(suite), suite=suite)
