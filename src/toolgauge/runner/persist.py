"""Where a run is kept: in a store or in memory."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Protocol

from msgspec.structs import replace

from toolgauge.core import JsonValue, RunHeader, Scored, Trajectory, TrialKey, suite_hash
from toolgauge.errors import OutputError, StoreLost, UsageError
from toolgauge.files import write_file
from toolgauge.pipeline import ResultSink
from toolgauge.secrets import Secrets
from toolgauge.store import RunState, RunStore, RunWriter
from toolgauge.store.comparable import resume_differences
from toolgauge.version import VERSION

from .options import RunOptions
from .plain import clean_event
from .plan import PlannedTrial
from .setup import Setup

__all__ = ["MemoryRecorder", "RunRecorder", "StoreRecorder", "origin", "store_run"]

MAX_DIFFERENCES = 3

RETRIED = ("error", "timeout")
"""How trials ended that can be run again."""

HASH = re.compile(r"[0-9a-f]{40,64}")


class RunRecorder(ResultSink, Protocol):
    """Records what happens in a run, at once, and keeps the trajectories that are finished."""

    @property
    def run_id(self) -> str | None:
        """What the store knows the run by."""

    @property
    def done(self) -> Iterable[TrialKey]:
        """The trials that were finished before."""

    @property
    def interrupted(self) -> Mapping[TrialKey, list[dict[str, JsonValue]]]:
        """The trials that were begun before and never finished, with what had happened by then."""

    @property
    def retried(self) -> Mapping[TrialKey, Trajectory]:
        """The trials that are run again although they were finished, as they ended."""

    def begin(self, key: TrialKey, attempt: int) -> None:
        """Record that a trial begins."""

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""

    @property
    def shared(self) -> bool:
        """Whether other processes may work on the run, too: then trials are claimed."""

    def claim(self, most: int, having: Collection[TrialKey]) -> list[TrialKey]:
        """Take up to so many trials that nobody else has, and that are not among those that this process has."""

    def left(self) -> bool:
        """Whether some trial is not finished, by this process or by others."""

    @property
    def lost(self) -> StoreLost | None:
        """That the store is not where it was; what was kept is still at hand, for `rescue`."""

    def rescue(self) -> str:
        """Write what was kept into a run file, since the store is lost, and say where that is.

        Raises:
            OutputError: It cannot be written anywhere.
        """

    def beat(self) -> None:
        """Say that the run is still being written."""

    def kept(self) -> tuple[RunHeader, Iterable[Scored]]:
        """The header of the run, and all trajectories that are kept of it."""

    def finish(self, state: RunState) -> None:
        """Say how the run ended."""


class MemoryRecorder(list[Scored]):
    """Keeps trajectories in a list, for runs that are not stored."""

    run_id: str | None = None
    done: Iterable[TrialKey] = ()
    interrupted: Mapping[TrialKey, list[dict[str, JsonValue]]] = {}
    retried: Mapping[TrialKey, Trajectory] = {}
    lost: StoreLost | None = None
    shared = False

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self._setup = setup

    def append(self, scored: Scored, /) -> None:
        """Keep a finished trajectory, in place of another of the same trial."""
        if self and _key(self[-1]) == _key(scored):
            self.pop()
        super().append(scored)

    def extend(self, several: Iterable[Scored], /) -> None:
        """The same for some of them, one after the other."""
        for scored in several:
            self.append(scored)

    def begin(self, key: TrialKey, attempt: int) -> None:
        """No-op: a run in memory has no journal."""

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """No-op: a run in memory has no journal."""

    def claim(self, most: int, having: Collection[TrialKey]) -> list[TrialKey]:  # noqa: ARG002 - of the protocol
        """No-op: a run in memory is shared with nobody."""
        return []

    def left(self) -> bool:
        """No-op: a run in memory is shared with nobody."""
        return False

    def rescue(self) -> str:
        """No-op: a run in memory has no store to lose."""
        return ""

    def beat(self) -> None:
        """No-op: a run in memory has no lease."""

    def kept(self) -> tuple[RunHeader, Iterable[Scored]]:
        """A header of now, and the list."""
        return _header(self._setup), self

    def finish(self, state: RunState) -> None:
        """No-op: nothing outlives the process."""


def _key(scored: Scored) -> TrialKey:
    return scored.trajectory.agent, scored.trajectory.case, scored.trajectory.trial


class StoreRecorder:
    """Keeps trajectories in a store. Each call returns when what it was given is kept."""

    def __init__(
        self,
        store: RunStore,
        writer: RunWriter,
        secrets: Secrets,
        plan: Iterable[PlannedTrial] = (),
        *,
        retry_errors: bool = False,
    ) -> None:
        self.run_id = writer.id
        self.retried: dict[TrialKey, Trajectory] = {}
        if retry_errors:
            stored = (one for one in store.open_run(writer.id) if one.trajectory.state in RETRIED)
            self.retried = {_key(one): one.trajectory for one in stored}
        self._queue = writer.share((planned.key for planned in plan), self.retried)
        self._done = writer.done() - self.retried.keys()
        self.interrupted = writer.interrupted()
        self.lost: StoreLost | None = None
        """That the store is not where it was. What was written is still at hand until it is closed."""
        self._store = store
        self._writer = writer
        self._secrets = secrets
        self._beside = os.path.abspath(store.location)

    @property
    def done(self) -> set[TrialKey]:
        """The trials that were finished before, and those that others have finished since."""
        if self._queue is not None:
            self._done = self._writer.done() - self.retried.keys()
        return self._done

    @property
    def shared(self) -> bool:
        """Whether other processes may work on the run, too."""
        return self._queue is not None

    def claim(self, most: int, having: Collection[TrialKey]) -> list[TrialKey]:
        """Take trials that nobody else has, and note what those had done who had them before."""
        if self._queue is None:
            return []
        claimed = self._queue.claim(most, having)
        for key, begun in claimed:
            self.interrupted.pop(key, None)
            if begun is not None:
                self.interrupted[key] = begun
        return [key for key, _ in claimed]

    def left(self) -> bool:
        """Whether some trial is not finished."""
        return self._queue is not None and self._queue.left()

    def begin(self, key: TrialKey, attempt: int) -> None:
        """Record that a trial begins."""
        with self._noticing():
            self._writer.begin_case(*key, attempt)

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""
        with self._noticing():
            self._writer.journal(*key, clean_event(event, self._secrets))

    def append(self, scored: Scored, /) -> None:
        """Keep a finished trajectory with its score, in one transaction."""
        with self._noticing():
            self._writer.save(scored)

    def extend(self, several: Iterable[Scored], /) -> None:
        """The same for some of them, each in a transaction of its own."""
        for scored in several:
            self.append(scored)

    def beat(self) -> None:
        """Hold the lease."""
        with self._noticing():
            self._writer.heartbeat()

    def kept(self) -> tuple[RunHeader, Iterable[Scored]]:
        """The header that the run began with, and its trajectories, read from the store."""
        stored = self._store.open_run(self.run_id)
        return replace(stored.header, about={**stored.header.about, "id": self.run_id}), stored

    def finish(self, state: RunState) -> None:
        """Say how the run ended, and let go of it."""
        with self._noticing():
            self._writer.finish(state)

    def rescue(self) -> str:
        """Write what was kept into a run file beside the place of the store, or wherever there is one to write."""
        stored = self._store.open_run(self.run_id)
        name = f"{os.path.basename(self._beside)}.{self.run_id}.run.jsonl"
        folders = (os.path.dirname(self._beside), os.path.dirname(os.path.dirname(self._beside)), gettempdir())
        for folder in folders[:-1]:
            with suppress(OutputError):
                write_file(os.path.join(folder, name), stored.export())
                return os.path.join(folder, name)
        write_file(os.path.join(folders[-1], name), stored.export())
        return os.path.join(folders[-1], name)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Take note that the store is lost. What was to be kept is kept all the same, in what is left of it."""
        try:
            yield
        except StoreLost as error:
            self.lost = self.lost or error


def store_run(store: RunStore, setup: Setup, options: RunOptions) -> StoreRecorder:
    """Begin a run in the store, or resume one.

    Raises:
        UsageError: The one to resume was another one.
        StoreError: Another process is writing it, and the store is not one where several can.
    """
    writer = _writer(store, setup, options)
    return StoreRecorder(store, writer, setup.secrets, setup.plan, retry_errors=options.retry_errors)


def _writer(store: RunStore, setup: Setup, options: RunOptions) -> RunWriter:
    header = _header(setup, options.name)
    if options.resume is not None:
        info = store.find(options.resume)
        before = store.open_run(info.id).header
        listed = resume_differences(before, header, info.settings, setup.settings)
        if not listed:
            return store.resume(info.id)
        if not options.force:
            lines = "\n".join(f"  {line}" for line in listed[:MAX_DIFFERENCES])
            more = f"\n  and {len(listed) - MAX_DIFFERENCES} more" if len(listed) > MAX_DIFFERENCES else ""
            what = f"run {info.id} cannot be resumed because its settings differ; --force starts a new run"
            raise UsageError(f"{what}\n{lines}{more}")
    return store.begin(header, len(setup.plan), name=options.name, settings=setup.settings)


def _header(setup: Setup, name: str = "") -> RunHeader:
    about: dict[str, JsonValue] = {
        "name": name,
        "trials": setup.plan.trials,
        **setup.settings,
        **setup.about,
        **origin(),
    }
    if setup.source is not None:
        about["suite_file"] = setup.source
    return RunHeader(
        toolgauge=VERSION,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        agents=tuple(setup.plan.agents),
        suite_hash=_digest(setup),
        about=about,
        suite=setup.shown,
    )


def _digest(setup: Setup) -> str:
    """The hash of the suite as it is kept, which is the one of the settings unless a credential was taken out."""
    return str(setup.settings["suite"]) if setup.shown is setup.plan.suite else suite_hash(setup.shown)


def origin(folder: Path | None = None) -> dict[str, JsonValue]:
    """What is known of the surroundings of a run."""
    return {"python": platform.python_version(), "system": platform.system(), "commit": _commit(folder or Path.cwd())}


def _commit(folder: Path) -> str | None:
    """The commit of the repository that a folder is in, read from its files; None: there is none."""
    for place in (folder, *folder.parents):
        git = place / ".git"
        try:
            if git.is_file():
                git = (place / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()).resolve()
            if (git / "HEAD").is_file():
                return _head(git)
        except (OSError, UnicodeDecodeError):
            return None
    return None


def _head(git: Path) -> str | None:
    written = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not written.startswith("ref:"):
        return written if HASH.fullmatch(written) else None
    name = written.removeprefix("ref:").strip()
    common = git / "commondir"
    shared = (git / common.read_text(encoding="utf-8").strip()) if common.is_file() else git
    for home in (git, shared):
        if (home / name).is_file():
            found = (home / name).read_text(encoding="utf-8").strip()
            return found if HASH.fullmatch(found) else None
    packed = shared / "packed-refs"
    if packed.is_file():
        for line in packed.read_text(encoding="utf-8").splitlines():
            value, _, ref = line.partition(" ")
            if ref == name and HASH.fullmatch(value):
                return value
    return None
