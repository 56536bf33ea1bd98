"""What processes that share work tell each other, without a lock: one that is killed holds up nobody."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from mmap import mmap
from typing import Self

__all__ = ["Board", "Stopped"]

TAKEN, TOLD = "taken", "told"

STOP = 0
"""The number that tells everybody to stop; one for each piece stands behind it."""

UNKNOWN = -1

PAUSE = 0.0005
"""Seconds between two looks at what others have told."""


class Stopped(Exception):  # noqa: N818 - no error
    """The work is of no more use."""


class Board:
    """Tells who does which piece, and how much comes of it. Each process opens it for itself, as a context manager."""

    def __init__(self, folder: str, pieces: int, *, alive: Callable[[], bool] = lambda: True) -> None:
        """Open it.

        Args:
            folder: Where it was prepared.
            pieces: How many there are.
            alive: Whether all those are still there that this process depends on.
        """
        self._pieces = pieces
        self._alive = alive
        self._added = self._size = 0
        self._opened = ExitStack()
        self._taken = os.open(os.path.join(folder, TAKEN), os.O_RDWR | os.O_APPEND)
        self._opened.callback(os.close, self._taken)
        with open(os.path.join(folder, TOLD), "r+b") as stream:
            memory = self._opened.enter_context(mmap(stream.fileno(), 0))
        self._told = self._opened.enter_context(self._opened.enter_context(memoryview(memory)).cast("q"))

    @staticmethod
    def prepare(folder: str, pieces: int) -> None:
        """Put up a board for so many pieces in a folder."""
        with open(os.path.join(folder, TAKEN), "xb"), open(os.path.join(folder, TOLD), "xb") as told:
            told.write((0).to_bytes(8, "little") + b"\xff" * 8 * pieces)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def take(self) -> int | None:
        """The number of the next piece, which nobody else gets; None where there is none left.

        Raises:
            Stopped: The work is of no more use.
        """
        self._check_others()
        # Of what several processes append at once each lands at a place of its own.
        os.write(self._taken, b".")
        number = os.lseek(self._taken, 0, os.SEEK_CUR) - 1
        return number if number < self._pieces else None

    def tell(self, piece: int, size: int) -> None:
        """Tell how many bytes come of a piece."""
        self._told[piece + 1] = size

    def before(self, piece: int) -> int | None:
        """How many bytes come of all pieces before this one; None where that is not known yet. Ask in their order."""
        while self._added < piece:
            size = self._told[self._added + 1]
            if size == UNKNOWN:
                return None
            self._size += size
            self._added += 1
        return self._size

    def stop(self) -> None:
        """Tell everybody that the work is of no more use."""
        self._told[STOP] = 1

    @contextmanager
    def stopped_on_failure(self) -> Iterator[None]:
        """Tell it, if the block is left by an exception."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    def check(self) -> None:
        """Go on, if the work is still of use.

        Raises:
            Stopped: It is not.
        """
        if self._told[STOP]:
            raise Stopped

    def wait(self) -> None:
        """Give others a little time.

        Raises:
            Stopped: There is nothing to wait for.
        """
        self.check()
        self._check_others()
        time.sleep(PAUSE)

    def _check_others(self) -> None:
        if not self._alive():
            raise Stopped
