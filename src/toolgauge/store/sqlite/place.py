"""Where a store of runs is, and whether it can be used there: found out before anything is run."""

from __future__ import annotations

import os
import stat
from collections import Counter
from contextlib import suppress
from pathlib import Path
from threading import RLock

from toolgauge.errors import StoreError, UsageError
from toolgauge.store.places import make_default_folder

__all__ = [
    "OPENING",
    "closed",
    "create_file",
    "free_space",
    "has_changes",
    "is_there",
    "network_file_system",
    "opened",
    "prepare",
    "store_path",
]


NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "smb2", "afs", "9p", "fuse.sshfs", "ceph", "glusterfs"})
"""File systems on which locks of several machines may not hold."""

MAX_SHOWN = 200
"""How much of an address that cannot be one is shown."""

HEADER_BYTES = 100
MAGIC = b"SQLite format 3\x00"


def store_path(address: str) -> Path:
    """The file that a store is in.

    Raises:
        UsageError: The address is empty.
    """
    if not address:
        raise UsageError("the path of the store is empty")
    path = Path(address)
    try:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            os.lstat(path)
        # A link to a file that is not there yet: the file is made where the link leads, for its owner only.
        return Path(os.path.realpath(path)) if path.is_symlink() else path
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise UsageError(f"{address[:MAX_SHOWN]!r} cannot be the path of a store: {reason}") from error


def prepare(path: Path) -> bool:
    """Make sure that a store can be written here, and make its file where there is none.

    Returns:
        Whether the file is new.

    Raises:
        UsageError: The path cannot be used.
        StoreError: There is a file, but it is damaged.
    """
    if is_there(path):
        return False
    create_file(path, path)
    return True


def is_there(path: Path, *, to_write: bool = True) -> bool:
    """Whether there is a store, which can be read, and written if that is wanted.

    Raises:
        UsageError: There is something else.
        StoreError: There is a file, but it is damaged.
    """
    if path.is_dir():
        raise UsageError(f"{path}: this is a directory; name a file for the store")
    if not path.exists():
        return False
    _check_existing(path, to_write=to_write)
    return True


def create_file(file: Path, path: Path) -> None:
    """Make an empty file that only its owner can read, in the folder of the store that it is to become.

    Raises:
        UsageError: Nothing can be written there.
    """
    try:
        make_default_folder(path.parent)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such directory; create it, or choose another --store") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{path}: the store cannot be written here: {reason}; choose another --store") from error


def _check_existing(path: Path, *, to_write: bool) -> None:
    if not os.access(path, os.R_OK):
        raise UsageError(f"{path}: the store cannot be read; check the permissions of the file and its directory")
    if to_write and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise UsageError(f"{path}: the store cannot be written; check the permissions of the file and its directory")
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{path}: this is not a regular file; choose another --store")
    if not _open[found.st_dev, found.st_ino]:
        check_header(path)


_open: Counter[tuple[int, int]] = Counter()
"""The files that this process has open through SQLite. To open and close one of them in any other way would let go of
the locks that SQLite holds on it, and others would then take it for their own."""

OPENING = RLock()
"""Held while a file is looked at and opened."""


def opened(path: Path) -> tuple[int, int]:
    """Record that a file is open, and return what it is known by."""
    found = path.stat()
    _open[found.st_dev, found.st_ino] += 1
    return found.st_dev, found.st_ino


def closed(file: tuple[int, int]) -> bool:
    """Record that a file was closed, and return whether this process has it open no more."""
    _open[file] -= 1
    return not _open[file]


def check_header(path: Path) -> None:
    """Look at the beginning of a file for what every store has there.

    Raises:
        StoreError: It is no store, or has lost its end.
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        header = stream.read(HEADER_BYTES)
    if not header.startswith(MAGIC) or len(header) < HEADER_BYTES:
        what = "it is empty" if not size else "its beginning is not that of a store"
        raise damaged(path, what)
    page = int.from_bytes(header[16:18], "big") or 0
    page = 65536 if page == 1 else page
    pages = int.from_bytes(header[28:32], "big")
    # While the latest changes are in a file of their own, the end may still be on its way from there.
    if page * pages > size and not has_changes(path):
        raise damaged(path, f"it should have {page * pages:,} bytes and has {size:,}")


def has_changes(path: Path) -> bool:
    """Whether there are latest changes in the log beside a store."""
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def damaged(path: Path, what: str) -> StoreError:
    """The error to raise for a store that is broken."""
    return StoreError(
        f"{path}: the store is damaged: {what}\n"
        f"Save what can be read with: toolgauge runs salvage {path} -o salvaged.db"
    )


def free_space(path: Path) -> str:
    """How much room there is left, in words."""
    try:
        found = os.statvfs(path if path.exists() else path.parent)
    except OSError:
        return "free space unknown"
    free = found.f_bavail * found.f_frsize
    return f"{free / 1e6:,.1f} MB free"


def network_file_system(path: Path, mounts: Path = Path("/proc/mounts")) -> str | None:
    """The kind of network file system that a path is on; None: a local one, or the system does not tell."""
    try:
        listed = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    where = os.path.realpath(path)
    best, kind = "", None
    for line in listed:
        _, point, found, *_ = [*line.split(), "", "", ""]
        point = point.replace("\\040", " ")
        inside = where == point or where.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, found
    return kind if kind in NETWORK else None
