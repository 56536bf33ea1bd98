"""The file of the state: for its owner, of one watch at a time, no other database, and of a bounded size."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from toolgauge.errors import StoreError, UsageError
from toolgauge.watch import WatchState
from toolgauge.watch.state import HOURS_KEPT, Settled
from toolgauge.watch.state_lock import StateLock

from .running import started
from .test_once import line, once


def test_only_its_owner_can_read_it_and_it_does_not_belong_into_a_repository(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line(1))
    code, _ = once(tmp_path, "--follow", "a.jsonl")
    assert code == 0
    folder = tmp_path / ".toolgauge"
    for name in ("watch.db", "watch.db-lock"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600, name
    assert (folder / ".gitignore").read_text() == "*\n"


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE runs(id TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="this is not the state of a watch; name another file with --state"):
        WatchState(str(path))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["runs.db"]


def test_one_watch_at_a_time_writes_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line(1))
    with started(tmp_path):
        code, said = once(tmp_path, "--follow", "a.jsonl", "--state", "watch.db")
        assert code == 2
        assert said == "Error: watch.db: another watch is using this state; end it, or name another --state\n"
        assert toolgauge("watch", "--alarms", "--state", "watch.db", cwd=tmp_path).returncode == 0
    code, _ = once(tmp_path, "--follow", "a.jsonl", "--state", "watch.db")
    assert code == 0, "whoever has ended lets go of it"


def test_a_lock_is_let_go_of(tmp_path: Path) -> None:
    path = str(tmp_path / "watch.db")
    first = StateLock(path)
    with pytest.raises(UsageError, match="another watch"):
        StateLock(path)
    first.release()
    StateLock(path).release()


def test_old_figures_are_kept_by_the_day_and_their_sums_stay(tmp_path: Path) -> None:
    state = WatchState(str(tmp_path / "watch.db"))
    hours = range(480_000, 480_000 + 90 * 24)
    for day in range(90):
        some = hours[day * 24 : day * 24 + 24]
        state.settle(Settled([], [], [], hours={("calls", "", hour): (1, 2.0) for hour in some}))
    rows, count, total = state.execute("SELECT count(*), sum(count), sum(total) FROM hours")[0]
    assert (count, total) == (len(hours), 2.0 * len(hours))
    kept = HOURS_KEPT + 24
    assert rows <= kept + 90
    newest = state.execute("SELECT count(*) FROM hours WHERE hour > ?", (hours[-1] - HOURS_KEPT,))[0][0]
    assert newest == HOURS_KEPT, "what is new is kept by the hour"
    state.close()


@pytest.mark.parametrize("began", [5_000.0, 946_684_800_000.0, 4e12, 9e15])
def test_a_wrong_clock_counts_with_the_time_when_it_came_and_is_counted(tmp_path: Path, began: float) -> None:
    (tmp_path / "a.jsonl").write_text(line(1, began=began) + line(2))
    code, said = once(tmp_path, "--follow", "a.jsonl")
    assert code == 0
    assert said.startswith("Note: a conversation has a time before 2015 or in the future;")
    state = WatchState(str(tmp_path / ".toolgauge" / "watch.db"))
    assert state.counters()["conversations with a wrong time"] == 1
    (first,), (last,) = state.execute("SELECT at FROM conversations ORDER BY at")
    state.close()
    assert (first, abs(last - (tmp_path / "a.jsonl").stat().st_mtime) < 600) == (1_790_000_000.0, True)
