"""What a store of runs can do, whatever is behind it: `RunStore`, and the runs that it gives and takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from secrets import token_hex
from string import digits
from types import TracebackType
from typing import Literal, Protocol, Self, TypeAlias

from toolgauge.core import Case, JsonValue, Pacing, Review, Reviews, RunHeader, Score, Scored, Trajectory, TrialKey
from toolgauge.errors import UsageError, did_you_mean

from .encoding import Suites

__all__ = [
    "BEAT_SECONDS",
    "DEFAULT_FOLDER",
    "ClaimedTrial",
    "RunInfo",
    "RunLines",
    "RunState",
    "RunStore",
    "RunWriter",
    "Salvaged",
    "StoredRun",
    "TrialQueue",
    "find_id",
    "new_run_id",
]

DEFAULT_FOLDER = ".toolgauge"
"""Where stores are kept that nobody chose a place for."""

LATEST = "latest"
"""The reference of the newest run, also as NAME@latest."""

RunState = Literal["running", "finished", "interrupted"]

BEAT_SECONDS = 5.0
"""How often a writer says that it is still there."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a list of runs says of one."""

    id: str
    name: str
    created: str
    state: RunState
    """`running` also of a run whose process was killed; `held_by` tells them apart."""
    planned: int
    finished: int
    passed: int
    suite: str
    agents: tuple[str, ...]
    held_by: str | None
    """The process that writes it at this moment."""
    about: Mapping[str, JsonValue]
    settings: Mapping[str, JsonValue]
    suite_hash: str


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was saved of a damaged store."""

    runs: int
    trajectories: int
    unreadable: int
    """Rows that were there and could not be read, as far as can be told."""


class RunLines(Protocol):
    """The trajectories of a run as they are written, without its header, whose suite may be large."""

    def reviews(self) -> Reviews:
        """What people said of it, as it is at this moment."""

    def numbered_lines(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of a run file without their ends, each with a number that grows as they are finished.

        What was written since it was opened is among them.

        Args:
            after: Only those with larger numbers.
        """

    def line(self, number: int) -> bytes | None:
        """The line of that number; None: it is not there any more."""

    def cases(self) -> Iterator[Case]:
        """The cases of its suite, decoded one after the other."""


class StoredRun(RunLines, Protocol):
    """A run of a store, as it was when it was opened: what is written to it from then on is not seen."""

    @property
    def info(self) -> RunInfo:
        """What a list of runs says of it."""

    @property
    def header(self) -> RunHeader:
        """How it came about, and its suite."""

    def __iter__(self) -> Iterator[Scored]:
        """Each trajectory with its score, in the order of the plan: agent by agent, case by case."""

    def pairs(self) -> Iterator[tuple[Trajectory, Score]]:
        """Each trajectory and its score as they were finished, then what was planned and is not there as not run."""

    def missing(self) -> Iterator[Trajectory]:
        """What was planned and is not there, as trajectories that were not run."""

    def export(self) -> Iterator[bytes]:
        """The run as a run file, piece by piece."""


ClaimedTrial: TypeAlias = tuple[TrialKey, list[dict[str, JsonValue]] | None]
"""A trial that a process took, with what had happened in a try that was never finished; None: there was none."""


class TrialQueue(Protocol):
    """The trials of a run that are left, which several processes take from.

    Each is lent to one of them: where that one dies, another gets it.
    """

    def claim(self, most: int, having: Collection[TrialKey]) -> list[ClaimedTrial]:
        """Take some trials.

        Args:
            most: How many; fewer where fewer are left that nobody has.
            having: Those that this process has at present.
        """

    def left(self) -> bool:
        """Whether something is not finished, by this process or by others."""


class RunWriter(Protocol):
    """Writes a run. What `save` returned for is kept, whatever happens to the process afterwards."""

    @property
    def id(self) -> str:
        """The id of the run."""

    def done(self) -> set[TrialKey]:
        """What is finished already."""

    def interrupted(self) -> dict[TrialKey, list[dict[str, JsonValue]]]:
        """What was begun and never finished, with what had happened by then."""

    def begin_case(self, agent: str, case: str, trial: int, attempt: int = 1) -> None:
        """Record that a case is begun, before anything happens."""

    def journal(self, agent: str, case: str, trial: int, event: Mapping[str, JsonValue]) -> None:
        """Record at once that something was begun which cannot be undone: a case, a call of a tool."""

    def save(self, scored: Scored) -> None:
        """Keep a finished trajectory with its score, as a whole or not at all.

        Raises:
            TrialTaken: Another process took the trial over, and keeps it.
            StoreLost: It is kept, but the store is not where it was: others will not find it.
            StoreError: It could not be kept.
        """

    def share(self, plan: Iterable[TrialKey], again: Iterable[TrialKey] = ()) -> TrialQueue | None:
        """Share the trials of the run with whoever else writes it; None: nobody else can.

        Args:
            plan: All trials, in the order in which they are to be run.
            again: Those that are run again although they are finished.
        """

    def heartbeat(self) -> None:
        """Say that this process is still writing; to be called every `BEAT_SECONDS`."""

    def finish(self, state: RunState) -> None:
        """Say how the run ended, and let go of it.

        Args:
            state: `finished`, or `interrupted` where there is something left to do.
        """


class RunStore(Protocol):
    """A store of runs. Several processes may read and write one at the same time. Use it as a context manager."""

    @property
    def location(self) -> str:
        """Where it is, as a person would say it; without credentials."""

    @property
    def address(self) -> str:
        """What it can be opened by again. It may hold credentials, and is not for people."""

    @property
    def warnings(self) -> list[str]:
        """What a person should know before relying on it."""

    def close(self) -> None:
        """Close it, and let go of the runs that were written through it."""

    def __enter__(self) -> Self:
        """The store."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""

    def begin(
        self, header: RunHeader, planned: int, *, name: str = "", settings: Mapping[str, JsonValue] | None = None
    ) -> RunWriter:
        """Begin a run.

        Args:
            header: How it comes about, and its suite.
            planned: How many trajectories there will be.
            name: What a person calls it.
            settings: What has to be the same when somebody resumes it.
        """

    def resume(self, run_id: str) -> RunWriter:
        """Write more of a run.

        Raises:
            StoreError: Another process is writing it, and the store is not one where several can.
        """

    def keep(self, header: RunHeader, scored: Iterable[Scored], *, name: str = "") -> str:
        """Keep a run that is finished already: all of it, or nothing.

        Returns:
            Its id.
        """

    def runs(self) -> list[RunInfo]:
        """All runs, the newest first."""

    def info(self, run_id: str) -> RunInfo:
        """What is known of a run, without its trajectories."""

    def find(self, reference: str) -> RunInfo:
        """The run that somebody means: an id or its beginning, a name, `latest`, or NAME@latest.

        Raises:
            UsageError: There is none, or several.
        """

    def open_run(self, run_id: str, suites: Suites | None = None) -> StoredRun:
        """A run with its trajectories.

        Args:
            run_id: Its id.
            suites: Where several runs are opened: decodes a suite that they share once.
        """

    def lines_of(self, run_id: str) -> RunLines:
        """The trajectories of a run, without opening its suite.

        Raises:
            UsageError: There is no such run.
        """

    def pacing(self) -> Pacing | None:
        """Says who may ask a provider, to all who share the store; None: each process is on its own."""

    def following(self, run_id: str, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Have something called, in another thread, when something may have happened to a run.

        Not every store can: whoever follows a run looks for himself now and then, too.
        """

    def review(self, run_id: str, reviews: Iterable[Review]) -> None:
        """Keep what people say of a run, beside it: all of it, or nothing. A run that is being written may be reviewed.

        Raises:
            UsageError: There is no such run.
        """

    def delete(self, run_id: str) -> None:
        """Delete a run.

        Raises:
            StoreError: A process is writing it.
        """

    def set_baseline(self, run_id: str, name: str) -> None:
        """Make a run the baseline of a name, in place of another one.

        Raises:
            StoreError: A process is writing the run.
        """

    def baselines(self) -> dict[str, tuple[RunInfo, str]]:
        """By name the runs that are baselines, and since when."""


def new_run_id(created: str) -> str:
    """An id that nothing else has, with the day and time at its beginning; a file may say anything about that."""
    figures = [figure for figure in created if figure in digits][:12]
    return f"{''.join(figures[:8])}-{''.join(figures[8:])}-{token_hex(3)}"


def find_id(reference: str, listed: Sequence[tuple[str, str]], location: str) -> str:
    """The id of the run that somebody means: an id or its beginning, a name, `latest`, or NAME@latest.

    Args:
        reference: What somebody wrote.
        listed: The id and name of every run, the newest first.
        location: Where the store is.

    Raises:
        UsageError: There is none, or several.
    """
    if not listed:
        raise UsageError(f"{location}: there are no runs in this store")
    name, at, rest = reference.rpartition("@")
    if reference == LATEST:
        return listed[0][0]
    if at and rest == LATEST:
        found = [run for run, called in listed if called == name][:1]
    else:
        found = [run for run, _ in listed if run == reference]
        found = found or [run for run, called in listed if called == reference]
        found = found or [run for run, _ in listed if run.startswith(reference)]
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"{reference}@latest is the newest" if any(called == reference for _, called in listed) else ""
        what = f"{reference!r} matches several runs: {', '.join(found[:5])}"
        raise UsageError(f"{location}: {what}" + (f"; {hint}" if hint else ""))
    known = [LATEST, *dict.fromkeys([called for _, called in listed if called]), *[run for run, _ in listed]]
    hint = did_you_mean(reference, known) or "list them with toolgauge runs list"
    raise UsageError(f"{location}: there is no run {reference!r}; {hint}")
