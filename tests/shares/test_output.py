"""Lines stand in the file in the order of their pieces, whoever writes them and whenever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.builders import case, expected
from toolgauge.core import Call, Scored, Suite, Trajectory
from toolgauge.scoring import Scorer
from toolgauge.shares.board import Board, Stopped
from toolgauge.shares.output import MOST_WAITING, Output
from toolgauge.store import encode_scored

SUITE = Suite("s", (case([expected("a", {"x": 1})]),))


def lines(piece: int, count: int) -> Iterator[Scored]:
    scorer = Scorer(SUITE)
    for number in range(count):
        trajectory = Trajectory("c1", f"piece {piece}", number, calls=(Call("a", {"x": 1}),), output="x" * 5000)
        yield Scored(trajectory, scorer.score(trajectory))


@pytest.mark.parametrize("seed", range(5))
def test_pieces_are_written_in_their_order(tmp_path: Path, seed: int) -> None:
    dice = Random(seed)
    counts = [dice.choice([0, 1, 30]) for _ in range(12)]
    target = tmp_path / "lines"
    target.write_bytes(b"header")
    Board.prepare(str(tmp_path), 12)
    with ExitStack() as opened:
        boards = [opened.enter_context(Board(str(tmp_path), 12)) for _ in range(3)]
        outputs = [opened.enter_context(Output((str(target), 6), board)) for board in boards]
        # As many pieces are at work as there are processes. Any of them may be done next, unless one would wait.
        at_work = {worker: worker for worker in range(3)}
        following = 3
        while at_work:
            first = min(at_work, key=lambda one: at_work[one])
            worker = first if following - at_work[first] > MOST_WAITING else dice.choice(list(at_work))
            piece = at_work.pop(worker)
            for one in lines(piece, counts[piece]):
                outputs[worker].append(one)
            outputs[worker].end_piece(piece)
            if following < 12:
                at_work[worker], following = following, following + 1
        for output in outputs:
            output.finish()
    whole = b"".join(encode_scored(one) for piece, count in enumerate(counts) for one in lines(piece, count))
    assert target.read_bytes() == b"header" + whole


def test_who_is_far_ahead_waits_for_the_others(tmp_path: Path) -> None:
    target = tmp_path / "lines"
    target.touch()
    Board.prepare(str(tmp_path), 9)
    well = True

    def alive() -> bool:
        return well

    with Board(str(tmp_path), 9, alive=alive) as board, Output((str(target), 0), board) as output:
        for piece in range(1, MOST_WAITING + 1):
            output.append(next(lines(piece, 1)))
            output.end_piece(piece)
        well = False
        with pytest.raises(Stopped):
            output.end_piece(MOST_WAITING + 1)
        assert target.stat().st_size == 0
        board.tell(0, 7)
        output.finish()
    assert target.read_bytes() == bytes(7) + b"".join(
        encode_scored(next(lines(piece, 1))) for piece in range(1, MOST_WAITING + 1)
    )
