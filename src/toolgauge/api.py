"""Wires the parts together: what the commands do, as Python functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias, cast

from toolgauge.core import Note, Run, RunHeader, Scored, Suite, Trajectory
from toolgauge.errors import NothingToDo, did_you_mean
from toolgauge.scoring import Scorer
from toolgauge.stats import Tally, default_label
from toolgauge.store import RunFile
from toolgauge.suites import load_suite
from toolgauge.traces import ImportReport, Join, read_traces

__all__ = ["Keep", "Source", "Traces", "load_run", "score"]

PathLike: TypeAlias = str | os.PathLike[str]


class Source(NamedTuple):
    """A file of traces, and the agent they are of where the file does not say."""

    path: PathLike
    agent: str | None = None


Traces: TypeAlias = PathLike | Mapping[str, PathLike] | Iterable[PathLike | Source] | Iterable[Trajectory]
"""A file, files by agent name, several files, or trajectories."""

Keep = Literal["all", "failed", "none"]
"""Which trajectories a run holds when it is scored; its summary rests on all of them."""


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
    report: ImportReport | None = None,
    watch: Callable[[Iterable[Trajectory]], Iterable[Trajectory]] = iter,
) -> Run:
    """Score recorded traces against a suite.

    Args:
        suite: A suite, or the path of one.
        traces: The recorded traces: a path, several, a mapping of agent name to path, or trajectories.
        by: The label to break figures down by; default `difficulty`, where the suite has it.
        keep: Which scored trajectories the run holds.
        keeper: Where it holds them; default a list.
        input_format: How the trace files are written, where their content does not tell.
        report: Takes down what was read and what was lost.
        watch: Wraps the stream of trajectories, to show progress.

    Returns:
        The run: header, summary, and the trajectories with their scores.
    """
    loaded = suite if isinstance(suite, Suite) else load_suite(suite)
    label = _label(loaded, by)
    report = ImportReport() if report is None else report
    kept: Keeper = [] if keeper is None else keeper
    join = Join(loaded, report)
    scorer, tally = Scorer(loaded), Tally(loaded, by=label)
    agents: dict[str, None] = {}

    def take(trajectory: Trajectory) -> None:
        verdict = scorer.score(trajectory)
        tally.add(trajectory, verdict)
        agents.setdefault(trajectory.agent)
        if keep == "all" or (keep == "failed" and not verdict.passed):
            kept.append(Scored(trajectory, verdict))

    for trajectory in watch(_joined(traces, join, report, input_format)):
        take(trajectory)
    for agent, case in join.missing():
        take(Trajectory(case, agent, 1, "not_run"))
    summary = tally.summary(_import_notes(report))
    return Run(_header(loaded, tuple(agents), summary.notes), summary, kept)


def load_run(path: PathLike, *, by: str | None = None) -> Run:
    """Open a run file. Its summary is drawn up again, from the scores in the file."""
    file = RunFile(path)
    tally = Tally(file.header.suite, by=_label(file.header.suite, by))
    for scored in file:
        tally.add(scored.trajectory, scored.score)
    kept = [note for note in file.header.notes if note.kind == "unmatched"]
    return Run(file.header, tally.summary(kept), file)


def _label(suite: Suite, by: str | None) -> str | None:
    if by is None:
        return default_label(suite)
    known = list(dict.fromkeys(key for case in suite.cases for key in case.labels))
    if by not in known:
        hint = did_you_mean(by, known) or "its cases have no labels"
        raise NothingToDo(f"no case of suite {suite.name!r} has the label {by!r}; {hint}")
    return by


def _joined(traces: Traces, join: Join, report: ImportReport, input_format: str | None) -> Iterator[Trajectory]:
    sources, trajectories = _sources(traces)
    for source in sources:
        read = report.read
        found = read_traces(source.path, input_format=input_format, report=report)
        yield from join(found, agent=source.agent, fallback=Path(source.path).stem)
        if report.read == read:
            raise NothingToDo(f"{os.fspath(source.path)}: there are no trajectories in this file")
    yield from join(trajectories, agent=None, fallback="agent")


def _sources(traces: Traces) -> tuple[list[Source], Iterable[Trajectory]]:
    """The files that traces are read from, or else the trajectories themselves."""
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


def _header(suite: Suite, agents: tuple[str, ...], notes: tuple[Note, ...]) -> RunHeader:
    from importlib.metadata import version

    created = datetime.now(UTC).isoformat(timespec="seconds")
    return RunHeader(toolgauge=version("toolgauge"), created=created, agents=agents, notes=notes, suite=suite)
