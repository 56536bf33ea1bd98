"""Making the file of a store, and clearing away what commands left behind that were killed while they made one."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from toolgauge.store.processes import process_began

from .database import connect, explained
from .layout import upgrade
from .place import create_file

__all__ = ["clear_drafts", "make", "remove_store"]

ENDINGS = ("", "-wal", "-shm", "-journal")


def make(path: Path) -> None:
    """Make an empty store, which is there as a whole or not at all.

    Several processes may do so at the same moment, and any of them may be killed: nobody ever finds a store that is not
    finished, and whoever comes second takes the one that is there.

    Raises:
        UsageError: Nothing can be written there.
        StoreError: There is no room for it.
    """
    draft = path.with_name(f"{path.name}.new-{os.getpid()}-{process_began(os.getpid())}-{secrets.token_hex(4)}")
    create_file(draft, path)
    try:
        with explained(path):
            connection = connect(draft)
            try:
                upgrade(connection, draft)
            finally:
                connection.close()
        _put(draft, path)
    finally:
        remove_store(draft)


def _put(draft: Path, path: Path) -> None:
    """Give a file its name, unless another has it."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:
        # Where a file cannot have two names for a moment, it has to be renamed.
        if not path.exists():
            draft.rename(path)


def remove_store(path: Path) -> None:
    """Remove a file with those that SQLite puts beside it."""
    for ending in ENDINGS:
        Path(f"{path}{ending}").unlink(missing_ok=True)


def clear_drafts(path: Path) -> None:
    """Remove drafts of this store whose makers are not there any more."""
    # Whoever may not look into the folder, or remove something from it, cannot have left a draft there either.
    with suppress(OSError):
        for draft in path.parent.glob(f"{_escaped(path.name)}.new-*"):
            if _is_left_behind(draft.name.removeprefix(f"{path.name}.new-")):
                draft.unlink(missing_ok=True)


def _is_left_behind(mark: str) -> bool:
    """Whether a draft with this mark has no process behind it; what is not of this form is not ours to remove."""
    pid, _, rest = mark.partition("-")
    began, dash, _ = rest.partition("-")
    return bool(dash) and pid.isdecimal() and process_began(int(pid)) != began


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
