"""Where a run that is looked at comes from: a store, or a run file, which is read into a store that lasts as long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import RLock
from typing import Protocol

from toolgauge.api import load_run
from toolgauge.core import Review, Reviews, Run
from toolgauge.errors import InputError
from toolgauge.store import RunFile, RunInfo, RunLines, RunStore, StoredRun, append_reviews, import_run, open_store

from .overview import Drawn, draw_stored

__all__ = ["FileOrigin", "RunOrigin", "StoreOrigin"]


class RunOrigin(Protocol):
    """A run that is looked at."""

    @property
    def id(self) -> str:
        """What it is asked for by."""

    @property
    def address(self) -> str:
        """The address of the store that it is read from, which is not for people: it may hold credentials."""

    @property
    def stored_id(self) -> str:
        """Its id there."""

    def prepare(self) -> None:
        """Do what takes a while before it can be read."""

    def following(self, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Have something called, in another thread, when something may have happened to it, where the store can."""

    def info(self) -> RunInfo:
        """What a list says of it, at this moment.

        Raises:
            UsageError: It is not there any more.
        """

    def open(self) -> StoredRun:
        """The run with its suite."""

    def lines(self) -> RunLines:
        """The run without its suite."""

    def draw(self, target: Path, *, large: bool) -> Drawn:
        """The page of the run: in a process of its own where it is large, which writes to a new file."""

    def load(self, *, headline: bool = True) -> Run:
        """The run with its figures, and with what a report begins with."""

    def reviews(self) -> Reviews:
        """What people said of it."""

    def review(self, reviews: Sequence[Review]) -> None:
        """Keep what people say of it."""


class StoreOrigin:
    """A run of a store, which others may write and delete meanwhile."""

    def __init__(self, store: RunStore, run_id: str, lock: RLock) -> None:
        """Name it.

        Args:
            store: The store, which may be used by several threads, one at a time.
            run_id: The id of the run there.
            lock: Held while the store is used.
        """
        self.id = run_id
        self.stored_id = run_id
        self._store = store
        self._lock = lock

    def prepare(self) -> None:
        """Nothing is to be done."""

    def info(self) -> RunInfo:
        """What a list says of it."""
        with self._lock:
            return self._store.info(self.id)

    def open(self) -> StoredRun:
        """The run with its suite."""
        with self._lock:
            return self._store.open_run(self.id)

    def lines(self) -> RunLines:
        """The run without its suite."""
        with self._lock:
            return self._store.lines_of(self.id)

    @property
    def address(self) -> str:
        """The address of the store."""
        return self._store.address

    def following(self, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Have something called when something may have happened to it."""
        return self._store.following(self.id, tell)

    def draw(self, target: Path, *, large: bool) -> Drawn:
        """The page of the run."""
        return draw_stored(self.address, self.id, target, large=large)

    def load(self, *, headline: bool = True) -> Run:
        """The run with its figures."""
        return load_run(self.id, store=self._store.address, headline=headline)

    def reviews(self) -> Reviews:
        """What people said of it."""
        return self.lines().reviews()

    def review(self, reviews: Sequence[Review]) -> None:
        """Keep what people say of it."""
        with self._lock:
            self._store.review(self.id, reviews)


class FileOrigin:
    """A run file, as it was when the viewer first read it. Reviews are kept beside it."""

    def __init__(self, run_id: str, path: str, folder: Path) -> None:
        """Read its header.

        Args:
            run_id: What it is asked for by; paths are nobody's business.
            path: The file.
            folder: Where its trajectories may be kept.

        Raises:
            InputError: It is no run file.
        """
        self.id = run_id
        self.path = path
        self._folder = folder
        self._lock = RLock()
        self._read: StoreOrigin | None = None
        self._store: RunStore | None = None
        header = RunFile(path).header
        self._begun = RunInfo(
            id=run_id,
            name=str(header.about.get("name") or Path(path).name),
            created=header.created,
            state="finished",
            planned=header.trajectories or 0,
            finished=0,
            passed=0,
            suite=header.suite.name,
            agents=header.agents,
            held_by=None,
            about=header.about,
            settings={},
            suite_hash=header.suite_hash,
        )

    def prepare(self) -> None:
        """Read it, once."""
        with self._lock:
            if self._read is None:
                self._store = open_store(self._folder / f"{self.id}.db")
                self._read = StoreOrigin(self._store, import_run(self._store, self.path), RLock())

    def close(self) -> None:
        """Let go of what was read."""
        if self._store is not None:
            self._store.close()

    @property
    def _inner(self) -> StoreOrigin:
        self.prepare()
        assert self._read is not None  # noqa: S101 - it was read just now
        return self._read

    def info(self) -> RunInfo:
        """What a list says of it; before it was read, what its header says."""
        if self._read is None:
            return self._begun
        found = self._read.info()
        return RunInfo(
            **{name: getattr(found, name) for name in RunInfo.__slots__} | {"id": self.id, "name": self._begun.name}
        )

    def open(self) -> StoredRun:
        """The run with its suite."""
        return self._inner.open()

    def lines(self) -> RunLines:
        """The run without its suite."""
        return self._inner.lines()

    @property
    def address(self) -> str:
        """The address of the store that it is read from."""
        return self._inner.address

    def following(self, tell: Callable[[], None]) -> AbstractContextManager[None]:  # noqa: ARG002 - of the protocol
        """No-op: nothing happens to a file that was read."""
        return nullcontext()

    @property
    def stored_id(self) -> str:
        """Its id there."""
        return self._inner.id

    def draw(self, target: Path, *, large: bool) -> Drawn:
        """The page of the run."""
        return self._inner.draw(target, large=large)

    def load(self, *, headline: bool = True) -> Run:
        """The run with its figures."""
        return self._inner.load(headline=headline)

    def reviews(self) -> Reviews:
        """What people said of it, also since; those of another run beside it are none."""
        try:
            return RunFile(self.path).reviews()
        except InputError:
            return Reviews()

    def review(self, reviews: Sequence[Review]) -> None:
        """Keep what people say of it beside the file."""
        append_reviews(self.path, RunFile(self.path).header, reviews)
