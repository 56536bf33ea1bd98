"""The lines of a run file, which several processes write into one file, in the order of the pieces they come of."""

from __future__ import annotations

from collections import deque
from typing import Self

from toolgauge.core import Scored
from toolgauge.files import hasten
from toolgauge.store import append_scored

from .board import Board

__all__ = ["Output", "Place"]

Place = tuple[str, int]
"""A file, and from where on it is written."""

BLOCK = 64 * 1024
"""How many bytes are put aside at once."""

MOST_WAITING = 4
"""Of so many pieces the lines are held until their place in the file is known; then this process waits."""


class Output:
    """Keeps the lines of each piece until it is known how many stand before them. Use it as a context manager."""

    def __init__(self, place: Place, board: Board) -> None:
        path, self._begin = place
        self._file = open(path, "r+b")  # noqa: SIM115 - closed in __exit__
        self._board = board
        self._fresh = bytearray()
        self._blocks: list[bytes] = []
        self._waiting: deque[tuple[int, list[bytes]]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, scored: Scored) -> None:
        """Keep one more of the piece at hand."""
        append_scored(scored, self._fresh)
        if len(self._fresh) >= BLOCK:
            self._put_aside()

    def end_piece(self, number: int) -> None:
        """Tell that this was all of a piece, and write what can be written.

        Raises:
            OSError: There is no room.
            Stopped: The work is of no more use.
        """
        self._put_aside()
        self._board.tell(number, sum(map(len, self._blocks)))
        self._waiting.append((number, self._blocks))
        self._blocks = []
        self._write(MOST_WAITING)

    def finish(self) -> None:
        """Write everything; as `end_piece`."""
        self._write(0)

    def _put_aside(self) -> None:
        self._blocks.append(bytes(self._fresh))
        self._fresh.clear()

    def _write(self, most: int) -> None:
        """Write what has a place, and wait until no more than so many pieces have none."""
        while self._waiting:
            number, blocks = self._waiting[0]
            before = self._board.before(number)
            if before is not None:
                self._write_at(self._begin + before, blocks)
                self._waiting.popleft()
            elif len(self._waiting) > most:
                self._board.wait()
            else:
                return

    def _write_at(self, offset: int, blocks: list[bytes]) -> None:
        self._file.seek(offset)
        self._file.writelines(blocks)
        self._file.flush()
        hasten(self._file.fileno(), offset, sum(map(len, blocks)))
