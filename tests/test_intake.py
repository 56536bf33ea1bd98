"""What is taken in comes out the same however many trajectories come at once, and whoever scores them."""

from __future__ import annotations

import os
import signal
import sys
from ctypes import c_byte
from pathlib import Path
from random import Random

import msgspec
import pytest

from tests.builders import case, expected
from toolgauge import api, shares
from toolgauge.core import Call, Scored, State, Suite, Trajectory
from toolgauge.intake import Intake, Keep
from toolgauge.store import Spool

SUITE = Suite("s", (case([expected("a", {"x": 1}), expected("b", {})], id="c1"), case([expected("b", {})], id="c2")))


def trajectories(count: int) -> list[Trajectory]:
    dice = Random(9)
    found = []
    for number in range(count):
        calls = tuple(Call(dice.choice("ab"), {"x": dice.randint(0, 1)}) for _ in range(dice.randint(0, 3)))
        state: State = "error" if dice.random() < 0.1 else "completed"
        found.append(Trajectory(dice.choice(["c1", "c2"]), dice.choice("pq"), number, state, calls, "done"))
    return found


@pytest.mark.parametrize("keep", ["all", "failed", "none"])
def test_many_at_once_are_taken_in_as_one_by_one(keep: Keep) -> None:
    found = trajectories(200)
    results = []
    for size in (1, 7, 200):
        kept: list[Scored] = []
        intake = Intake(SUITE, by=None, keep=keep, keeper=kept, grounding=False)
        for start in range(0, len(found), size):
            intake.take(found[start : start + size])
        results.append((intake.tally.summary(), intake.agents, list(intake.agents), intake.kept, kept))
    assert results[0] == results[1] == results[2]
    (_, _, agents, count, kept) = results[0]
    assert agents == list(dict.fromkeys(trajectory.agent for trajectory in found))
    assert count == len(kept) == {"all": 200, "none": 0}.get(keep, sum(not one.score.passed for one in kept))


def scored(traces: Path, jobs: int) -> tuple[object, list[Scored]]:
    with Spool() as spool:
        run = api.score(SUITE, traces, keeper=spool, jobs=jobs)
        return msgspec.structs.replace(run.header, created=""), list(spool)


def large(folder: Path) -> Path:
    """A file that is worth two processes."""
    path = folder / "traces.jsonl"
    lines = [msgspec.json.encode(msgspec.structs.replace(one, output="x" * 1200)) for one in trajectories(2000)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert path.stat().st_size > 2 * shares.SMALLEST
    return path


def test_a_share_that_nobody_waits_for_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = large(tmp_path)
    parts = shares.share_out(str(path), None, "x", 2)
    assert parts is not None
    part = parts[0]
    settings = shares.Settings(SUITE, None, "all", grounding=False)
    stop = c_byte(0)
    monkeypatch.setattr(shares, "_stops", [stop])
    kept = tmp_path / "kept"
    kept.touch()
    outcome = shares._score_if_possible(settings, part, (str(kept), 0))
    assert outcome is not None
    assert outcome.kept > 900
    assert kept.read_bytes().count(b"\n") == outcome.kept
    stop.value = 1
    assert shares._score_if_possible(settings, part, (str(kept), 0)) is None


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_a_process_that_is_ended_from_outside_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = large(tmp_path)
    alone = scored(path, 1)
    parent = os.getpid()
    asked: list[int] = []
    at_once = shares._at_once

    def ends(*_: object) -> shares.Outcome:
        assert os.getpid() != parent
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    def watched(*arguments: object) -> object:
        asked.append(1)
        return at_once(*arguments)  # type: ignore[arg-type]  # those of the original

    assert scored(path, 2) == alone
    monkeypatch.setattr(shares, "_score", ends)
    monkeypatch.setattr(shares, "_at_once", watched)
    assert scored(path, 2) == alone
    assert asked == [1]
