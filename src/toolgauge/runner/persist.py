"""Where a run is kept: in a store or in memory, without credentials, and in a form that JSON can hold."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, cast

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, RunHeader, Scored, Trajectory, TrialKey, suite_hash
from toolgauge.errors import UsageError
from toolgauge.pipeline import ResultSink
from toolgauge.secrets import Secrets
from toolgauge.store import RunState, RunStore, RunWriter
from toolgauge.store.comparable import resume_differences
from toolgauge.version import VERSION

from .options import RunOptions
from .setup import Setup

__all__ = ["MemoryRecorder", "RunRecorder", "StoreRecorder", "clean_event", "origin", "storable", "store_run"]

MAX_DIFFERENCES = 3

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

    def begin(self, key: TrialKey, attempt: int) -> None:
        """Record that a trial begins."""

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""

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

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self._setup = setup

    def begin(self, key: TrialKey, attempt: int) -> None:
        """No-op: a run in memory has no journal."""

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """No-op: a run in memory has no journal."""

    def beat(self) -> None:
        """No-op: a run in memory has no lease."""

    def kept(self) -> tuple[RunHeader, Iterable[Scored]]:
        """A header of now, and the list."""
        return _header(self._setup), self

    def finish(self, state: RunState) -> None:
        """No-op: nothing outlives the process."""


class StoreRecorder:
    """Keeps trajectories in a store. Each call returns when what it was given is kept."""

    def __init__(self, store: RunStore, writer: RunWriter, secrets: Secrets) -> None:
        self.run_id = writer.id
        self.done = writer.done()
        self.interrupted = writer.interrupted()
        self._store = store
        self._writer = writer
        self._secrets = secrets

    def begin(self, key: TrialKey, attempt: int) -> None:
        """Record that a trial begins."""
        self._writer.begin_case(*key, attempt)

    def journal(self, key: TrialKey, event: Mapping[str, JsonValue]) -> None:
        """Record that something is about to happen which cannot be undone."""
        self._writer.journal(*key, clean_event(event, self._secrets))

    def append(self, scored: Scored, /) -> None:
        """Keep a finished trajectory with its score, in one transaction."""
        self._writer.save(scored)

    def beat(self) -> None:
        """Hold the lease."""
        self._writer.heartbeat()

    def kept(self) -> tuple[RunHeader, Iterable[Scored]]:
        """The header that the run began with, and its trajectories, read from the store."""
        stored = self._store.open_run(self.run_id)
        return replace(stored.header, about={**stored.header.about, "id": self.run_id}), stored

    def finish(self, state: RunState) -> None:
        """Say how the run ended, and let go of it."""
        self._writer.finish(state)


def store_run(store: RunStore, setup: Setup, options: RunOptions) -> StoreRecorder:
    """Begin a run in the store, or resume one.

    Raises:
        UsageError: The one to resume was another one.
        StoreError: Another process is writing it.
    """
    return StoreRecorder(store, _writer(store, setup, options), setup.secrets)


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
    about: dict[str, JsonValue] = {"name": name, "trials": setup.plan.trials, **setup.settings, **origin()}
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


def storable(trajectory: Trajectory, secrets: Secrets) -> Trajectory:
    """The trajectory without credentials, and with nothing in it that JSON cannot hold."""
    try:
        encoded = msgspec.json.encode(trajectory)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        encoded = msgspec.json.encode(_plain(msgspec.to_builtins(trajectory, enc_hook=str)))
        trajectory = msgspec.json.decode(encoded, type=Trajectory)
    redacted = secrets.redact(encoded)
    return trajectory if redacted is encoded else secrets.redact_struct(trajectory)


def clean_event(event: Mapping[str, JsonValue], secrets: Secrets) -> Mapping[str, JsonValue]:
    """The event without credentials, and with nothing in it that JSON cannot hold."""
    try:
        encoded = msgspec.json.encode(event)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        event = cast(Mapping[str, JsonValue], _plain(event))
        encoded = msgspec.json.encode(event)
    redacted = secrets.redact(encoded)
    return event if redacted is encoded else msgspec.json.decode(redacted)


def _plain(value: Any, depth: int = 100) -> JsonValue:
    """The value with lone surrogates as escape sequences, and the printed form of what JSON does not know."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)
    if depth and isinstance(value, Mapping):
        return {str(_plain(str(key))): _plain(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return [_plain(item, depth - 1) for item in value]
    return _plain(str(value))
