"""Where results may be written: nowhere that a store, an input or another result is, and only where there is a folder.

It is asked before anything is read, so that nobody waits for a result that cannot be written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath

from toolgauge.core import PathLike
from toolgauge.errors import NothingToDo, OutputError, UsageError
from toolgauge.files import expand_path, is_address

from .opening import is_store_file, is_watch_file, store_files
from .reviews import reviews_path
from .runs import DEFAULT_FOLDER

__all__ = ["check_folder", "check_other_store", "check_places", "make_default_folder", "same_file"]


def check_places(
    written: Mapping[str, PathLike | None], read: Iterable[PathLike | None] = (), store: PathLike | None = None
) -> None:
    """Refuse results that would take the place of something that is needed, or that cannot be written.

    Args:
        written: By option the files to write; None: this one is not asked for. What stands under several names, by
            links or in another spelling, is one file. Devices and pipes may be written by several.
        read: What the results are made from.
        store: The address of the store; default: `.toolgauge/runs.db`. Other stores are not overwritten either.

    Raises:
        UsageError: A result would take the place of a store, an input or another result.
        OutputError: One cannot be written at all.
    """
    named = {option: os.fspath(path) for option, path in written.items() if path is not None and not _is_device(path)}
    if not named:
        return
    stores = store_files(store)
    inputs = [one for path in read if path is not None for one in _meant(os.fspath(path))]
    for number, (option, path) in enumerate(named.items()):
        if any(same_file(path, one) for one in stores) or is_store_file(path):
            raise UsageError(f"{path} is a store of runs and cannot be overwritten; name another file after {option}")
        if is_watch_file(path):
            what = f"{path} is the state of a watch and cannot be overwritten; name another file after {option}"
            raise UsageError(what)
        if any(same_file(path, one) for one in inputs):
            raise UsageError(f"{path} is an input and cannot be overwritten; name another file after {option}")
        for other, taken in list(named.items())[:number]:
            if same_file(path, taken):
                raise UsageError(f"{other} and {option} name the same file; name another one after {option}")
        check_folder(path)


def _meant(path: str) -> Iterator[str]:
    """The files here that a path means, the archives that they are in, the reviews beside them, and the path itself."""
    yield path
    if is_address(path):
        return
    try:
        found = [file.path for file in expand_path(path)]
    except NothingToDo:
        found = [path]  # whoever reads it says that there is nothing
    for one in found:
        yield one
        yield reviews_path(one)
        yield from (str(above) for above in PurePath(one).parents if os.path.isfile(above))


def check_other_store(store: PathLike | None, other: PathLike) -> None:
    """Refuse a store as the other one that it is itself, by whatever name.

    Raises:
        UsageError: Both are one, or one is a file that belongs to the other.
    """
    if any(same_file(one, another) for one in store_files(store) for another in store_files(other)):
        raise UsageError(f"{os.fspath(other)} is the store that the run is in; name another one after --to")


def same_file(one: str, other: str) -> bool:
    """Whether two names are those of one file, by spelling, symbolic or hard links; it may not be there yet."""
    try:
        return os.path.realpath(one) == os.path.realpath(other) or os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _is_device(path: PathLike) -> bool:
    """Whether something is there that is neither a file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def check_folder(path: PathLike) -> None:
    """Make sure that a file can be put in its folder.

    Raises:
        OutputError: It cannot.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if is_address(os.fspath(path)):
        reason = "results are written to files; copy the file to this address afterwards"
    elif os.path.isdir(target):
        reason = "this is a directory"
    elif not os.path.isdir(folder):
        reason = "the directory does not exist"
    elif not os.access(folder, os.W_OK | os.X_OK):
        reason = "no permission"
    else:
        return
    raise OutputError(f"{path}: cannot be written: {reason}")


def make_default_folder(folder: Path) -> None:
    """Make the folder for what has no other place, for its owner only; any other has to be there."""
    if folder.name == DEFAULT_FOLDER and not folder.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What is stored can be large and private: it does not belong into a repository.
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
