"""From the address of a store, or the name of a run, to the store or run: the one place that knows all backends."""

from __future__ import annotations

import os
import stat
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from toolgauge.core import PathLike
from toolgauge.errors import StoreError, UsageError
from toolgauge.files import STANDARD_INPUT, is_address

from .encoding import Suites
from .runfile import RunFile
from .runs import DEFAULT_FOLDER, RunStore, Salvaged, StoredRun
from .spool import Spool

__all__ = [
    "BACKENDS",
    "WATCH_MARK",
    "Backend",
    "BackendEntry",
    "copy_run",
    "database_beside",
    "failed_cases",
    "find_run",
    "import_run",
    "is_store_file",
    "is_watch_file",
    "open_store",
    "salvage_store",
    "shown_place",
    "store_exists",
    "store_files",
]


class Backend(Protocol):
    """What the package of a backend offers. An address is what follows the scheme, as it was written."""

    def open_store(self, address: str, *, create: bool) -> RunStore:
        """Open the store at an address.

        Raises:
            UsageError: It cannot be opened or made there.
            StoreError: It is damaged, or of a later version.
        """

    def store_exists(self, address: str) -> bool:
        """Whether there is something at an address."""

    def salvage(self, address: str, target: Path) -> Salvaged:
        """Recover what can be read from a damaged store into a new file.

        Raises:
            UsageError: There is nothing to read, or something where the new file is to be.
            StoreError: Nothing could be read.
        """


class BackendEntry(NamedTuple):
    """A kind of store."""

    prefix: str
    """What its addresses begin with."""
    usage: str
    """Its addresses as people are shown them."""
    package: str
    """The package with the functions of `Backend`, imported when it is first used."""
    endings: tuple[str, ...] = ()
    """Where the address is a path: what the names of its files end in behind that. They are nobody else's."""


BESIDE = ("-wal", "-shm", "-journal")
"""What the names of files end in that SQLite puts beside its own. They are nobody else's."""

BACKENDS = (
    BackendEntry("sqlite:///", "sqlite:///path", "toolgauge.store.sqlite", ("", *BESIDE)),
    BackendEntry("postgresql://", "postgresql://host/database", "toolgauge.store.postgres"),
)
"""Every kind of store; the first is meant where an address is a plain path."""

DEFAULT_PATH = os.path.join(DEFAULT_FOLDER, "runs.db")


STORE_MARK, WATCH_MARK = b"tool", b"tgwt"
"""What tells the file of a store, and that of the state of a watch, from other databases."""

MARK_PLACE = 68

SQLITE = b"SQLite format 3\x00"
"""How every file of SQLite begins."""


def open_store(url: PathLike | None = None, *, create: bool = True) -> RunStore:
    """Open a store of runs.

    Args:
        url: A path, or an address such as `sqlite:///path` or `postgresql://host/database`; default:
            `.toolgauge/runs.db` below the current directory.
        create: Whether to create one if there is none.

    Raises:
        UsageError: It cannot be opened or made there, or the address is of an unknown kind.
        StoreError: It is damaged, or of a later version.
    """
    backend, address = _backend(url)
    return backend.open_store(address, create=create)


def store_exists(url: PathLike | None = None) -> bool:
    """Whether there is something at the address of a store.

    Raises:
        UsageError: The address is of an unknown kind.
    """
    backend, address = _backend(url)
    return backend.store_exists(address)


def salvage_store(url: PathLike | None, target: PathLike) -> Salvaged:
    """Recover what can be read from a damaged store into a new file.

    Raises:
        UsageError: There is nothing to read, or something where the new file is to be.
        StoreError: Nothing could be read.
    """
    backend, address = _backend(url)
    return backend.salvage(address, Path(target))


def shown_place(url: PathLike | None = None) -> str:
    """The address of a store to show, without credentials."""
    text = DEFAULT_PATH if url is None else os.fspath(url)
    if "://" not in text:
        return text
    from toolgauge.secrets import masked_url  # most stores are files

    return masked_url(text)


def store_files(url: PathLike | None = None) -> list[str]:
    """The files that belong to a store, whether or not they are there.

    Raises:
        UsageError: The address is of an unknown kind.
    """
    entry, address = _entry(url)
    return [f"{address}{ending}" for ending in entry.endings]


def is_store_file(path: PathLike) -> bool:
    """Whether the file is a store of runs, wherever it is, or belongs to one."""
    return STORE_MARK in _marks(path)


def is_watch_file(path: PathLike) -> bool:
    """Whether the file is the state of a watch, wherever it is, or belongs to one."""
    return WATCH_MARK in _marks(path)


def database_beside(path: PathLike) -> str | None:
    """The database of SQLite that a file with this name would belong to; None: there is none."""
    name = os.fspath(path)
    found = (name.removesuffix(ending) for ending in BESIDE if name.endswith(ending))
    return next((file for file in found if _beginning(file).startswith(SQLITE)), None)


def _marks(path: PathLike) -> set[bytes]:
    files = [os.fspath(path), database_beside(path), database_beside(os.path.realpath(path))]
    found = [_beginning(file) for file in files if file is not None]
    return {data[MARK_PLACE:] for data in found if data.startswith(SQLITE)}


def _beginning(path: str) -> bytes:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as stream:
            return stream.read(MARK_PLACE + len(STORE_MARK))
    except (OSError, ValueError):
        return b""


def _backend(url: PathLike | None) -> tuple[Backend, str]:
    entry, address = _entry(url)
    return _imported(entry), address


def _entry(url: PathLike | None) -> tuple[BackendEntry, str]:
    text = DEFAULT_PATH if url is None else os.fspath(url)
    for entry in BACKENDS:
        if text.startswith(entry.prefix):
            return entry, text.removeprefix(entry.prefix)
    if "://" in text:
        known = " or ".join(["a path", *(entry.usage for entry in BACKENDS)])
        raise UsageError(f"{shown_place(text)!r} is not a location for a store; give {known}")
    return BACKENDS[0], text


def _imported(entry: BackendEntry) -> Backend:
    return cast(Backend, import_module(entry.package))


def find_run(reference: PathLike, store: PathLike | None = None, suites: Suites | None = None) -> RunFile | StoredRun:
    """Open a run without reading its trajectories.

    Args:
        reference: A run file, or a run of the store: its id or the beginning of it, its name, NAME@latest, or latest.
        store: Where runs are kept; default: `.toolgauge/runs.db`.
        suites: Where several runs are opened: decodes a suite that they share once.

    Raises:
        InputError: The file is no run file.
        UsageError: There is no such run, or no store.
    """
    text = os.fspath(reference)
    # What is no file is looked for in a store where the word is no path, or somebody names a store.
    may_be_stored = store is not None or not (os.path.dirname(text) or text.endswith((".jsonl", ".json")))
    if text == STANDARD_INPUT or is_address(text) or os.path.exists(reference) or not may_be_stored:
        return RunFile(reference, suites)
    with open_store(store, create=False) as opened:
        return opened.open_run(opened.find(text).id, suites)


def failed_cases(reference: PathLike, store: PathLike | None = None) -> tuple[str, set[str]]:
    """The cases of a run that did not pass for every agent in every trial, those included that were not run.

    Returns:
        What the run is known by, and the ids of the cases.
    """
    found = find_run(reference, store)
    known = os.fspath(reference) if isinstance(found, RunFile) else found.info.id
    return known, {trajectory.case for trajectory, score in found.pairs() if not score.passed}


def import_run(store: RunStore, path: PathLike, *, name: str = "") -> str:
    """Import the run of a run file into a store, with the reviews beside it.

    Returns:
        Its id there.

    Raises:
        InputError: The file is no run file, or not whole.
    """
    file = RunFile(path)
    reviews = file.reviews()
    with Spool() as read:
        # All of it is read before the store is locked: a slow or endless input holds up nobody else.
        for scored in file:
            read.extend((scored,))
        run_id = store.keep(file.header, read, name=name)
    if reviews:
        store.review(run_id, reviews)
    return run_id


def copy_run(source: RunStore, reference: str, target: RunStore, *, name: str | None = None) -> str:
    """Copy a run with its reviews to another store, completely or not at all.

    Args:
        source: Where it is.
        reference: Its id, its name, NAME@latest, or latest.
        target: The store to copy it to, where it gets a new id.
        name: What it is called there; default: as it was.

    Returns:
        Its id there.

    Raises:
        StoreError: A process is writing it.
        UsageError: There is no such run, or the other store has it already.
    """
    info = source.find(reference)
    if any(run.id == info.id for run in target.runs()):
        raise UsageError(f"{target.location}: run {info.id} is already in this store; name another one")
    if info.held_by is not None:
        raise StoreError(f"run {info.id} is being written by {info.held_by}; wait until it is finished")
    stored = source.open_run(info.id)
    reviews = list(stored.reviews())
    with Spool() as read:
        # All of it is read before the other store is locked.
        read.extend(stored)
        run_id = target.keep(stored.header, read, name=info.name if name is None else name)
    if reviews:
        target.review(run_id, reviews)
    return run_id
