"""What is kept comes out as it went in, and becomes a run file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders import case, expected
from toolgauge.core import Call, RunHeader, Scored, Suite, Trajectory
from toolgauge.errors import OutputError
from toolgauge.scoring import Scorer
from toolgauge.store import RunFile, Spool, encode_header, encode_scored
from toolgauge.store.spool import HEADER_GROWTH, MAX_IN_MEMORY

SUITE = Suite("s", (case([expected("a", {"x": 1})]),))


def scored(count: int, size: int = 1000) -> list[Scored]:
    scorer = Scorer(SUITE)
    found = [
        Trajectory("c1", "agent", trial, calls=(Call("a", {"x": trial % 2}),), output="x" * size)
        for trial in range(1, count + 1)
    ]
    return [Scored(one, scorer.score(one)) for one in found]


def header(count: int, agents: int = 1) -> RunHeader:
    names = tuple(f"agent {number}" for number in range(agents))
    return RunHeader(toolgauge="1", created="now", agents=names, trajectories=count, suite=SUITE)


def read(path: Path) -> list[Scored]:
    run = RunFile(path)
    return [Scored(Trajectory(*trajectory_fields(one.trajectory)), one.score) for one in run]


def trajectory_fields(trajectory: Trajectory) -> list[Any]:
    return [getattr(trajectory, name) for name in Trajectory.__struct_fields__]


@pytest.mark.parametrize("count", [0, 3, 3000])
@pytest.mark.parametrize("known", [True, False], ids=["run file known", "not known"])
def test_it_becomes_a_run_file(tmp_path: Path, count: int, known: bool) -> None:
    kept, target = scored(count), tmp_path / "one.run.jsonl"
    target.write_text("old", encoding="utf-8")
    with Spool(str(target) if known else None) as spool:
        spool.reserve_header(header(count))
        for start in range(0, count, 50):
            spool.extend(kept[start : start + 50])
        assert len(list(spool)) == count
        assert len(list(spool.lines())) == count
        assert os.listdir(tmp_path) == ["one.run.jsonl"]
        assert target.read_text("utf-8") == "old"
        spool.write_run(str(tmp_path / "other.run.jsonl"), encode_header(header(count)))
        spool.write_run(str(target), encode_header(header(count)))
    assert read(target) == read(tmp_path / "other.run.jsonl") == kept
    assert sorted(os.listdir(tmp_path)) == ["one.run.jsonl", "other.run.jsonl"]
    assert RunFile(target).header == RunFile(tmp_path / "other.run.jsonl").header == header(count)
    first = target.read_bytes().partition(b"\n")[0]
    assert (len(first) == len(encode_header(header(count))) + HEADER_GROWTH - 1) == (
        known and count * 1000 > MAX_IN_MEMORY
    )
    assert first.rstrip() == encode_header(header(count)).rstrip()


def test_a_header_that_finds_no_room_is_written_all_the_same(tmp_path: Path) -> None:
    kept, target = scored(2000), tmp_path / "one.run.jsonl"
    with Spool(str(target)) as spool:
        spool.reserve_header(header(0))
        spool.extend(kept)
        spool.write_run(str(target), encode_header(header(2000, agents=1000)))
    assert read(target) == kept
    assert os.listdir(tmp_path) == ["one.run.jsonl"]


def test_what_is_appended_after_reading_is_kept_too() -> None:
    kept = scored(3000)
    with Spool() as spool:
        for one in kept[:2000]:
            spool.extend([one])
        next(iter(spool))
        spool.extend(kept[2000:])
        assert [one.score for one in spool] == [one.score for one in kept]
        spool.clear()
        assert list(spool) == []
        spool.extend([kept[5]])
        assert [one.score for one in spool] == [kept[5].score]


@pytest.mark.parametrize("known", [True, False])
def test_lines_that_others_encoded_are_kept_in_their_order(tmp_path: Path, known: bool) -> None:
    kept, target = scored(100), tmp_path / "one.run.jsonl"
    with Spool(str(target) if known else None) as spool:
        spool.reserve_header(header(0))
        spool.extend([kept[0]])
        spool.append_lines(b"".join(map(encode_scored, kept[1:40])))
        spool.append_lines(b"")
        spool.append_lines(b"".join(map(encode_scored, kept[40:90])))
        spool.extend(kept[90:])
        spool.write_run(str(target), encode_header(header(100)))
    assert read(target) == kept


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    target = str(tmp_path / "no" / "one.run.jsonl")
    with Spool(target) as spool:
        spool.reserve_header(header(0))
        spool.extend(scored(2000))
        with pytest.raises(OutputError, match=r"no/one\.run\.jsonl: cannot be written: the directory does not exist"):
            spool.write_run(target, encode_header(header(2000)))


KILLED = """
import sys, time
from tests.store.test_spool import header, scored
from toolgauge.store import Spool
with Spool(sys.argv[1]) as spool:
    spool.reserve_header(header(0))
    spool.extend(scored(3000))
    print("kept", flush=True)
    time.sleep(60)
"""


def test_nothing_is_left_when_the_process_is_killed(tmp_path: Path) -> None:
    target = tmp_path / "one.run.jsonl"
    target.write_text("old", encoding="utf-8")
    with subprocess.Popen([sys.executable, "-c", KILLED, str(target)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        process.send_signal(signal.SIGKILL)
    assert os.listdir(tmp_path) == ["one.run.jsonl"]
    assert target.read_text("utf-8") == "old"
