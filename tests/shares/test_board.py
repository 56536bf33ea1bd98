"""Every piece is taken once, and what comes of it is known to all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from toolgauge.shares.board import Board, Stopped

PIECES = 400

TAKER = """
import sys
from toolgauge.shares.board import Board
with Board(sys.argv[1], int(sys.argv[2])) as board:
    while (number := board.take()) is not None:
        board.tell(number, 2 * number)
        print(number)
"""


def test_several_processes_take_every_piece_once(tmp_path: Path) -> None:
    Board.prepare(str(tmp_path), PIECES)
    command = [sys.executable, "-c", TAKER, str(tmp_path), str(PIECES)]
    takers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    taken = [list(map(int, taker.communicate()[0].split())) for taker in takers]
    assert [taker.returncode for taker in takers] == [0, 0, 0, 0]
    assert sorted(number for some in taken for number in some) == list(range(PIECES))
    assert all(some == sorted(some) for some in taken)
    with Board(str(tmp_path), PIECES) as board:
        assert board.before(PIECES) == PIECES * (PIECES - 1)
        assert board.take() is None


def test_a_place_is_known_once_all_before_it_are_told(tmp_path: Path) -> None:
    Board.prepare(str(tmp_path), 4)
    with Board(str(tmp_path), 4) as one, Board(str(tmp_path), 4) as other:
        assert one.before(0) == 0
        assert one.before(1) is None
        other.tell(1, 5)
        assert one.before(2) is None
        other.tell(0, 0)
        assert one.before(1) == 0
        assert one.before(2) == 5
        assert one.before(3) is None
        one.tell(2, 10**12)
        assert other.before(3) == 10**12 + 5


def test_nobody_waits_for_what_does_not_come(tmp_path: Path) -> None:
    Board.prepare(str(tmp_path), 2)
    well = True
    with Board(str(tmp_path), 2, alive=lambda: well) as one, Board(str(tmp_path), 2) as other:
        one.check()
        one.wait()
        assert one.take() == 0
        well = False
        for step in (one.wait, one.take):
            with pytest.raises(Stopped):
                step()
        one.check()
        other.stop()
        for step in (one.check, other.check, other.wait):
            with pytest.raises(Stopped):
                step()
