"""Wires the parts together: what the commands do, as Python functions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias, cast

from toolgauge.core import Case, Note, Run, RunHeader, Scored, Suite, Trajectory, nfc, suite_hash, without_cycles
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.files import STANDARD_INPUT
from toolgauge.scoring import Scorer
from toolgauge.shares import Keep, Settings, score_in_shares, share_out
from toolgauge.stats import Tally, default_label
from toolgauge.store import RunFile, Spool
from toolgauge.suites import check_suite, load_bfcl_suite, load_suite
from toolgauge.traces import ImportReport, Join, checked, read_traces

__all__ = ["Keep", "Profile", "Source", "Traces", "load_run", "score"]

PathLike: TypeAlias = str | os.PathLike[str]


class Source(NamedTuple):
    """A file of traces, and the agent they are of where the file does not say."""

    path: PathLike
    agent: str | None = None


Traces: TypeAlias = PathLike | Mapping[str, PathLike] | Iterable[PathLike | Source] | Iterable[Trajectory]
"""A file, files by agent name, several files, or trajectories."""

Profile = Literal["bfcl"]
"""Another way of writing suites: the questions and answers of a leaderboard, scored as it scores them."""


class Keeper(Protocol):
    """Where scored trajectories are put: a list, or a spool on disk."""

    def append(self, scored: Scored, /) -> None:
        """Keep one more."""

    def __iter__(self) -> Iterator[Scored]: ...


def score(
    suite: Suite | PathLike,
    traces: Traces,
    *,
    by: str | None = None,
    keep: Keep = "all",
    keeper: Keeper | None = None,
    input_format: str | None = None,
    suite_format: str | None = None,
    profile: Profile | None = None,
    answers: PathLike | None = None,
    grounding: bool = False,
    jobs: int = 1,
    report: ImportReport | None = None,
    watch: Callable[[Iterable[Trajectory]], Iterable[Trajectory]] = iter,
) -> Run:
    """Score recorded traces against a suite.

    Args:
        suite: A suite, or the path of one. A suite made in Python is held to the same rules.
        traces: The recorded traces: a path, several, a mapping of agent name to path, or trajectories.
        by: The label to break figures down by; default `difficulty`, where the suite has it.
        keep: Which scored trajectories the run holds.
        keeper: Where it holds them; default a list.
        input_format: How the trace files are written, where their content does not tell.
        suite_format: The same of the suite.
        profile: `bfcl`: the suite is a file of questions of the Berkeley Function-Calling Leaderboard.
        answers: The answers to these questions, where they are in a file of their own.
        grounding: Also look for arguments that came from nowhere.
        jobs: How many processes share the work; needs large JSONL files, and a spool where trajectories are kept.
        report: Takes down what was read and what was lost.
        watch: Wraps the stream of trajectories, to show progress.

    Returns:
        The run: header, summary, and the trajectories with their scores.
    """
    report = ImportReport() if report is None else report
    _check_profile(suite, profile, answers)
    sources, trajectories = _sources(suite, traces)
    loaded = _suite(suite, suite_format, profile, answers, report)
    label = _label(loaded, by or ("category" if profile == "bfcl" else None))
    kept: Keeper = [] if keeper is None else keeper
    join = Join(loaded, report)
    scorer, tally = Scorer(loaded, grounding=grounding), Tally(loaded, by=label)
    agents: dict[str, None] = {}
    count = 0

    def take(trajectory: Trajectory) -> None:
        nonlocal count
        verdict = scorer.score(trajectory)
        tally.add(trajectory, verdict)
        agents.setdefault(trajectory.agent)
        if keep == "all" or (keep == "failed" and not verdict.passed):
            kept.append(Scored(trajectory, verdict))
            count += 1

    shared = None
    if jobs > 1 and not trajectories and (keep == "none" or isinstance(kept, Spool)):
        settings = Settings(loaded, label, keep, grounding)
        shared = _share_work(sources, settings, jobs, input_format, tally, report, kept)
    if shared is not None:
        join, found, count = shared
        agents.update(found)
    with without_cycles():
        if shared is None:
            for trajectory in watch(_joined(sources, trajectories, join, report, input_format)):
                take(trajectory)
        for agent, case in join.missing():
            take(Trajectory(case, agent, 1, "not_run"))
    summary = tally.summary(_import_notes(report))
    return Run(_header(loaded, tuple(agents), summary.notes, count), summary, kept)


def _share_work(
    sources: Sequence[Source],
    settings: Settings,
    jobs: int,
    input_format: str | None,
    tally: Tally,
    report: ImportReport,
    kept: Keeper,
) -> tuple[Join, dict[str, None], int] | None:
    """Score in several processes, if the files are large enough and their lines do not depend on each other."""
    if input_format not in (None, "jsonl"):
        return None
    parts = [
        share_out(os.fspath(source.path), source.agent, fallback, jobs)
        for source, fallback in zip(sources, _fallbacks(sources), strict=True)
    ]
    if not all(parts):
        return None
    join = Join(settings.suite, report)
    spool = kept if isinstance(kept, Spool) else Spool()
    shares = [part for several in parts for part in several or ()]
    done = score_in_shares(shares, settings, jobs, tally, join, report, spool)
    return None if done is None else (join, *done)


def load_run(path: PathLike, *, by: str | None = None) -> Run:
    """Open a run file. Its summary is drawn up again, from the scores in the file."""
    file = RunFile(path)
    tally = Tally(file.header.suite, by=_label(file.header.suite, by))
    for scored in file:
        tally.add(scored.trajectory, scored.score)
    kept = [note for note in file.header.notes if note.kind == "unmatched"]
    return Run(file.header, tally.summary(kept), file)


def _check_profile(suite: Suite | PathLike, profile: Profile | None, answers: PathLike | None) -> None:
    if answers is not None and profile is None:
        raise UsageError("answers in a file of their own belong to a profile; add --profile bfcl")
    if profile is not None and isinstance(suite, Suite):
        raise UsageError("a profile says how a suite is written; this one is loaded already")


def _suite(
    suite: Suite | PathLike,
    suite_format: str | None,
    profile: Profile | None,
    answers: PathLike | None,
    report: ImportReport,
) -> Suite:
    if isinstance(suite, Suite):
        loaded = check_suite(suite)
    elif profile is None:
        loaded = load_suite(suite, input_format=suite_format, remark=report.remark)
    else:
        loaded = load_bfcl_suite(suite, answers=answers)
    if not any(map(_expects_something, loaded.cases)):
        report.remark("no case of this suite expects anything: every score is 1")
    return loaded


def _expects_something(case: Case) -> bool:
    expect = case.expect
    return expect.calls is not None or bool(
        expect.any_of or expect.contains or expect.answer or expect.forbid or case.budget
    )


def _label(suite: Suite, by: str | None) -> str | None:
    if by is None:
        return default_label(suite)
    by = nfc(by)
    known = list(dict.fromkeys(key for case in suite.cases for key in case.labels))
    if by not in known:
        hint = did_you_mean(by, known) or "its cases have no labels"
        raise NothingToDo(f"no case of suite {suite.name!r} has the label {by!r}; {hint}")
    return by


def _joined(
    sources: Sequence[Source],
    trajectories: Iterable[Trajectory],
    join: Join,
    report: ImportReport,
    input_format: str | None,
) -> Iterator[Trajectory]:
    for source, fallback in zip(sources, _fallbacks(sources), strict=True):
        found = read_traces(source.path, input_format=input_format, report=report)
        yield from join(found, agent=source.agent, fallback=fallback)
    yield from join(map(checked, trajectories), agent=None, fallback="agent")


def _sources(suite: Suite | PathLike, traces: Traces) -> tuple[list[Source], Iterable[Trajectory]]:
    """The files that traces are read from, or else the trajectories themselves.

    Raises:
        UsageError: A file is there twice, or standard input is.
    """
    listed, trajectories = _listed(traces)
    sources = [Source(source.path, source.agent and nfc(source.agent)) for source in listed]
    standard = [source for source in sources if os.fspath(source.path) == STANDARD_INPUT]
    if standard and not isinstance(suite, Suite) and os.fspath(suite) == STANDARD_INPUT:
        raise UsageError("standard input can be the suite or the traces, not both")
    seen: set[tuple[str, str | None]] = set()
    for source in sources:
        key = (os.path.realpath(source.path), source.agent)
        if key in seen:
            raise UsageError(f"{os.fspath(source.path)} is given twice; leave one out, or name their agents: NAME=FILE")
        seen.add(key)
    return sources, trajectories


def _fallbacks(sources: Sequence[Source]) -> list[str]:
    """Names for the agents of files that name none: by the file, and as much of its path as tells it from others."""
    given = {source.agent for source in sources}
    ends = [_path_ends(source.path) for source in sources]
    taken = Counter(end for source, own in zip(sources, ends, strict=True) if source.agent is None for end in own)
    return [next((end for end in own if taken[end] == 1 and end not in given), own[-1]) for own in ends]


def _path_ends(path: PathLike) -> list[str]:
    """Longer and longer ends of a path, the ending of the file left out but for the last, which is all of it."""
    if os.fspath(path) == STANDARD_INPUT:
        return ["stdin"]
    whole = Path(nfc(os.path.realpath(path)))
    parts = (*whole.parts[1:-1], whole.stem)
    return ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)] + [str(whole)]


def _listed(traces: Traces) -> tuple[list[Source], Iterable[Trajectory]]:
    if isinstance(traces, (str, os.PathLike)):
        return [Source(traces)], ()
    if isinstance(traces, Mapping):
        return [Source(path, agent) for agent, path in traces.items()], ()
    items = iter(traces)
    first = next(items, None)
    if first is None:
        raise NothingToDo("there are no traces to score")
    if isinstance(first, Trajectory):
        return [], cast(Iterable[Trajectory], chain([first], items))
    return [item if isinstance(item, Source) else Source(item) for item in chain([first], items)], ()  # type: ignore[arg-type]  # no trajectory among them


def _import_notes(report: ImportReport) -> list[Note]:
    if not report.unmatched:
        return []
    return [Note("unmatched", {"count": report.unmatched, "names": list(report.unmatched_names)})]


def _header(suite: Suite, agents: tuple[str, ...], notes: tuple[Note, ...], count: int) -> RunHeader:
    from importlib.metadata import version

    created = datetime.now(UTC).isoformat(timespec="seconds")
    return RunHeader(
        toolgauge=version("toolgauge"),
        created=created,
        agents=agents,
        trajectories=count,
        notes=notes,
        suite_hash=suite_hash(suite),
        suite=suite,
    )
