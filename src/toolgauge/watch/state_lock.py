"""One watch at a time uses a state."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from toolgauge.errors import StoreError, UsageError

from .state import make_state_file

try:
    import fcntl
except ImportError:  # not on Windows
    LOCKS = False
else:
    LOCKS = True

__all__ = ["StateLock"]


class StateLock:
    """Keeps other watches from a state, as long as it is held; whoever is killed lets go of it."""

    def __init__(self, path: str) -> None:
        """Hold it.

        Raises:
            UsageError: Another watch does.
            StoreError: It cannot be held.
        """
        self._file: IO[bytes] | None = None
        if not LOCKS:
            return
        if not os.path.lexists(path):
            make_state_file(path, Path(path))
        try:
            # A file beside it: to close one that SQLite has open, too, would let go of the locks of SQLite.
            descriptor = os.open(f"{path}-lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise StoreError(f"{path}: the state of the watch cannot be used: {error.strerror}") from error
        self._file = os.fdopen(descriptor, "rb")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise UsageError(f"{path}: another watch is using this state; end it, or name another --state") from error
        except OSError:
            self.release()  # a file system without locks

    def release(self) -> None:
        """Let go of it."""
        if self._file is not None:
            self._file.close()
            self._file = None
