"""The runs that can be looked at: those of a store, and run files that were named."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from time import monotonic

from toolgauge.core import PathLike
from toolgauge.errors import UsageError
from toolgauge.pages.folding import fold
from toolgauge.store import RunInfo, RunStore, open_store, store_exists

from .cache import FigureCache, cache_folder
from .origins import FileOrigin, RunOrigin, StoreOrigin
from .view import RunView

__all__ = ["Library"]

MAX_OPEN = 6
"""So many runs are kept open; the one that nobody has asked for the longest is closed."""

FRESH_SECONDS = 1.0
"""A list of runs may be so old."""


class Library:
    """The runs that can be looked at. Use it as a context manager."""

    def __init__(self, store: PathLike | None = None, files: Sequence[str] = (), *, may_be_empty: bool = False) -> None:
        """Open the store, if there is one, and read the headers of files.

        Args:
            store: Where runs are kept; default: `.toolgauge/runs.db`.
            files: Run files.
            may_be_empty: Whether there may be neither, as there is something else to look at.

        Raises:
            UsageError: There is neither a store nor a file.
            InputError: A file is no run file.
        """
        self._stack = ExitStack()
        # Only its owner can enter it.
        self._folder = Path(
            self._stack.enter_context(TemporaryDirectory(prefix="toolgauge-view-", ignore_cleanup_errors=True))
        )
        self.cache = FigureCache(cache_folder())
        """Figures of large runs that other viewers made, too."""
        self._lock = RLock()
        self._store: RunStore | None = None
        if store_exists(store) or not (files or may_be_empty):
            self._store = self._stack.enter_context(open_store(store, create=False))
        self.files = {
            f"file-{number}": FileOrigin(f"file-{number}", path, self._folder) for number, path in enumerate(files, 1)
        }
        """The run files by the ids they got here."""
        self._views: OrderedDict[str, RunView] = OrderedDict()
        self._listed: tuple[float, list[RunInfo]] = (0.0, [])

    @property
    def folder(self) -> Path:
        """Where what is needed for looking at runs may be kept, as long as the library is open."""
        return self._folder

    @property
    def store(self) -> RunStore | None:
        """The store, if there is one."""
        return self._store

    def close(self) -> None:
        """Let go of everything, and remove what was kept for looking at runs."""
        for view in self._views.values():
            view.close()
        for file in self.files.values():
            file.close()
        self._stack.close()

    def closing(self, callback: Callable[[], None]) -> None:
        """Have something done when the library is closed, before what it keeps is removed."""
        self._stack.callback(callback)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def runs(self) -> list[RunInfo]:
        """All runs: files in the order in which they were named, then those of the store, the newest first."""
        with self._lock:
            when, listed = self._listed
            if monotonic() - when > FRESH_SECONDS:
                listed = self._store.runs() if self._store is not None else []
                self._listed = (monotonic(), listed)
        return [*(file.info() for file in self.files.values()), *listed]

    def find(self, reference: str) -> str:
        """The id of the run that somebody means, as on the command line.

        Raises:
            UsageError: There is none, or several.
        """
        for file in self.files.values():
            if reference in (file.id, file.path):
                return file.id
        if self._store is None:
            raise UsageError(f"there is no run {reference!r}")
        with self._lock:
            return self._store.find(reference).id

    def origin(self, run_id: str) -> RunOrigin:
        """Where a run comes from.

        Raises:
            UsageError: There is no such run.
        """
        if run_id in self.files:
            return self.files[run_id]
        if self._store is None:
            raise UsageError(f"there is no run {run_id!r}")
        origin = StoreOrigin(self._store, run_id, self._lock)
        origin.info()
        return origin

    def view(self, run_id: str) -> RunView:
        """A run to look at, which is read in the background.

        Raises:
            UsageError: There is no such run, or it was removed.
        """
        origin = self.origin(run_id)
        with self._lock:
            found = self._views.get(run_id)
            if found is None:
                found = self._views[run_id] = RunView(origin, self._folder, self.cache)
            self._views.move_to_end(run_id)
            while len(self._views) > MAX_OPEN:
                _, oldest = self._views.popitem(last=False)
                oldest.close()
        return found

    def forget(self, run_id: str) -> None:
        """Let go of a run that was removed."""
        with self._lock:
            found = self._views.pop(run_id, None)
        if found is not None:
            found.close()

    def search(self, text: str) -> list[RunInfo]:
        """The runs in whose names, suites, agents or models all words stand, with and without tones."""
        words = fold(text).split()
        return [run for run in self.runs() if all(word in _searched(run) for word in words)] if words else self.runs()


def _searched(run: RunInfo) -> str:
    model = run.about.get("model")
    return fold(" ".join([run.id, run.name, run.created, run.suite, *run.agents, str(model or "")]))
