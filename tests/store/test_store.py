"""Stores of runs, of every kind: what is saved stays saved, and several may use one at once."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.running import toolgauge
from tests.store.saving import SUITE, header, scored
from toolgauge import api
from toolgauge.core import Case, Expect, Review, RunHeader, Scored, Suite
from toolgauge.errors import InputError, Problem, StoreError, UsageError
from toolgauge.store import import_run, open_store, store_exists

FEW = 20


def fill(path: str | Path, count: int = FEW, name: str = "") -> str:
    """Write a whole run, and return its id."""
    with open_store(path) as store:
        writer = store.begin(header(), count, name=name, settings={"trials": 1})
        for one in scored(count):
            writer.save(one)
        writer.finish("finished")
        return writer.id


def test_what_was_saved_is_read_again(store_address: str) -> None:
    run = fill(store_address, name="first")
    with open_store(store_address) as store:
        info = store.find("latest")
        stored = store.open_run(run)
    assert (info.id, info.name, info.state, info.planned, info.finished) == (run, "first", "finished", FEW, FEW)
    assert info.passed == sum(one.score.passed for one in scored(FEW))
    assert info.settings == {"trials": 1}
    assert stored.header.suite == SUITE
    again = [(one.trajectory.case, one.score) for one in stored]
    assert again == [(one.trajectory.case, one.score) for one in scored(FEW)]
    assert [one.trajectory.calls for one in stored] == [one.trajectory.calls for one in scored(FEW)]


def test_a_trajectory_is_in_a_run_once(store_address: str) -> None:
    with open_store(store_address) as store:
        writer = store.begin(header(), 1)
        for _ in range(3):
            writer.save(next(scored(1)))
        assert writer.done() == {("m", "c000", 1)}
        assert len(list(store.open_run(writer.id))) == 1


def test_what_was_begun_and_not_finished_is_known(store_address: str) -> None:
    path = store_address
    with open_store(path) as store:
        writer = store.begin(header(), 2)
        writer.begin_case("m", "c000", 1)
        writer.journal("m", "c000", 1, {"kind": "call", "tool": "pay"})
        writer.begin_case("m", "c001", 1)
        writer.save(next(one for one in scored(2) if one.trajectory.case == "c001"))
        writer.finish("interrupted")
    with open_store(path) as store:
        again = store.resume(writer.id)
        begun = {"kind": "begun", "attempt": 1}
        assert again.interrupted() == {("m", "c000", 1): [begun, {"kind": "call", "tool": "pay"}]}
        assert again.done() == {("m", "c001", 1)}


def test_runs_are_found_by_id_beginning_name_and_latest(store_address: str, new_store: Callable[[], str]) -> None:
    path = store_address
    older, newer = fill(path, 1, "nightly"), fill(path, 1, "nightly")
    other = fill(path, 1, "by hand")
    with open_store(path) as store:
        assert store.find("latest").id == other
        assert store.find("nightly@latest").id == newer
        assert store.find("by hand").id == other
        assert store.find(older).id == older
        assert store.find(older[:-1]).id == older
        with pytest.raises(UsageError, match=r"'nightly' matches several runs.*nightly@latest is the newest"):
            store.find("nightly")
        with pytest.raises(UsageError, match="no run 'nightli'; did you mean 'nightly'"):
            store.find("nightli")
    with open_store(new_store()) as store, pytest.raises(UsageError, match="there are no runs"):
        store.find("latest")


def test_two_writers_and_a_reader_do_not_hinder_each_other(store_address: str) -> None:
    path = store_address
    open_store(path).close()
    command = [sys.executable, "-m", "tests.store.saving", path, "200"]
    writers = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(2)]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        with open_store(path) as store:
            for info in store.runs():
                lines = list(store.open_run(info.id))
                assert len({one.trajectory.case for one in lines}) == len(lines)
                seen.add(len(lines))
    for writer in writers:
        assert writer.communicate()[1] == b""
        assert writer.returncode == 0
    with open_store(path) as store:
        assert [(info.finished, info.state) for info in store.runs()] == [(200, "finished")] * 2
    assert len(seen) > 1


@pytest.mark.parametrize("times", [4, pytest.param(20, marks=pytest.mark.deep)])
def test_nothing_that_was_saved_is_lost_when_the_process_is_killed(store_address: str, times: int) -> None:
    dice = random.Random(7)
    path = store_address
    for _ in range(times):
        command = [sys.executable, "-m", "tests.store.saving", path, "500"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        said = [process.stdout.readline().decode().strip() for _ in range(dice.randint(1, 400))]
        process.send_signal(signal.SIGKILL)
        said += process.stdout.read().decode().split()
        process.wait()
        process.stdout.close()
        with open_store(path) as store:
            info = store.find("latest")
            # What it says fits into the pipe, so that it may be done before anybody has read that.
            assert info.state == "running" or (info.state, info.finished) == ("finished", 500)
            assert info.held_by is None
            kept = [one.trajectory.case for one in store.open_run(info.id)]
            assert len(kept) == len(set(kept))
            assert set(said) <= set(kept)
            assert len(kept) <= len(said) + 1
            store.delete(info.id)
    if "://" not in path:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_run_goes_through_a_file_and_back(new_store: Callable[[], str], tmp_path: Path) -> None:
    first = new_store()
    run = fill(first, name="first")
    with open_store(first) as store:
        exported = b"".join(store.open_run(run).export())
    file = tmp_path / "a.run.jsonl"
    file.write_bytes(exported)
    assert api.load_run(file).summary.counts.passed == sum(one.score.passed for one in scored(FEW))
    with open_store(new_store()) as store:
        again = import_run(store, file, name="copy")
        assert b"".join(store.open_run(again).export()) == exported
        file.write_bytes(exported[:-200])
        with pytest.raises(InputError, match=r"a\.run\.jsonl"):
            import_run(store, file)
        assert [info.id for info in store.runs()] == [again]


def test_what_was_planned_and_not_done_is_known(store_address: str) -> None:
    few = replace(header(), suite=Suite("s", SUITE.cases[:3]), about={"trials": 2})
    with open_store(store_address) as store:
        writer = store.begin(few, 6)
        writer.save(next(scored(1)))
        missing = [(one.case, one.trial, one.state) for one in store.open_run(writer.id).missing()]
    assert missing == [(case, trial, "not_run") for case in ("c000", "c001", "c002") for trial in (1, 2)][1:]


def test_a_store_may_be_used_from_another_thread(store_address: str) -> None:
    with open_store(store_address) as store:
        thread = threading.Thread(target=lambda: store.begin(header(), 1).finish("finished"))
        thread.start()
        thread.join()
        assert len(store.runs()) == 1


def test_a_suite_with_half_a_character_is_kept_with_the_text_of_its_escape(store_address: str) -> None:
    suite = Suite("odd", (Case("a", "half \ud83d of it", expect=Expect(())),))
    with open_store(store_address) as store:
        run = store.keep(RunHeader(toolgauge="1", created="2026-01-31T10:00:00+00:00", suite=suite), [])
        assert store.open_run(run).header.suite.cases[0].input == "half \\ud83d of it"


def test_a_store_is_made_where_there_is_none_unless_somebody_only_looks(store_address: str) -> None:
    assert not store_exists(store_address)
    with pytest.raises(UsageError, match="there is no store of runs"):
        open_store(store_address, create=False)
    open_store(store_address).close()
    assert store_exists(store_address)
    with open_store(store_address, create=False) as store:
        assert store.runs() == []


def test_a_run_that_is_being_written_is_neither_deleted_nor_made_a_baseline(store_address: str) -> None:
    with open_store(store_address) as first, open_store(store_address) as second:
        writer = first.begin(header(), 1)
        assert str(second.info(writer.id).held_by).startswith("process ")
        for refuse in (second.delete, lambda run: second.set_baseline(run, "main")):
            with pytest.raises(StoreError, match=f"run {writer.id} is being written by process"):
                refuse(writer.id)
        writer.heartbeat()
        writer.finish("interrupted")
        second.resume(writer.id).finish("finished")
        second.set_baseline(writer.id, "main")
        assert [(name, info.id) for name, (info, _) in second.baselines().items()] == [("main", writer.id)]
        second.delete(writer.id)
        assert (second.runs(), second.baselines()) == ([], {})
        with pytest.raises(UsageError, match="no run"):
            second.info(writer.id)


def test_a_closed_store_lets_go_of_its_runs_and_what_was_opened_can_be_read(store_address: str) -> None:
    with open_store(store_address) as store:
        writer = store.begin(header(), 3)
        for one in scored(3):
            writer.save(one)
        opened = store.open_run(writer.id)
    assert [one.trajectory.case for one in opened] == ["c000", "c001", "c002"]
    with open_store(store_address) as store:
        assert store.info(writer.id).held_by is None


def test_what_is_written_later_is_not_in_a_run_that_was_opened_before(store_address: str) -> None:
    with open_store(store_address) as store:
        writer = store.begin(replace(header(), suite=Suite("s", SUITE.cases[:6])), 6)
        several = list(scored(6))
        for one in several[:4]:
            writer.save(one)
        opened, lines = store.open_run(writer.id), store.lines_of(writer.id)
        for one in several[4:]:
            writer.save(one)
        assert len(list(opened)) == len(list(opened.pairs())) - 2 == 4
        assert len(b"".join(opened.export()).splitlines()) == 5
        numbered = list(lines.numbered_lines())
        assert [number for number, _ in numbered] == sorted({number for number, _ in numbered})
        assert len(numbered) == 6
        assert list(lines.numbered_lines(numbered[3][0])) == numbered[4:]
        assert [lines.line(number) for number, _ in numbered] == [line for _, line in numbered]
        assert lines.line(numbered[-1][0] + 1) is None
        assert [case.id for case in lines.cases()] == [case.id for case in SUITE.cases[:6]]


def test_a_trajectory_that_replaces_another_counts_once(store_address: str) -> None:
    first, second = scored(2)
    other = replace(second.trajectory, case=first.trajectory.case)
    failed = type(first)(other, replace(second.score, case=first.score.case))
    with open_store(store_address) as store:
        writer = store.begin(header(), 1)
        for one, passed in ((first, 1), (failed, 0), (first, 1), (first, 1), (failed, 0)):
            writer.save(one)
            info = store.info(writer.id)
            assert (info.finished, info.passed) == (1, passed)
        assert [one.score.passed for one in store.open_run(writer.id)] == [False]


def test_reviews_are_kept_replaced_and_withdrawn_in_the_order_they_were_written(store_address: str) -> None:
    with open_store(store_address) as store:
        run = store.keep(header(), scored(3))
        store.review(run, [Review("c000", "wrong", "m", 1, "no"), Review("c001", "right"), Review("c002", "right")])
        store.review(run, [Review("c000", "right", "m", 1), Review("c001", None)])
        found = store.lines_of(run).reviews()
        assert [(one.case, one.verdict) for one in found] == [("c002", "right"), ("c000", "right")]
        with pytest.raises(UsageError, match="no run"):
            store.review("nothing", [Review("c000", "right")])


def test_a_run_that_cannot_be_kept_as_a_whole_is_not_kept(store_address: str) -> None:
    def breaks_off() -> Iterator[Scored]:
        yield from scored(3)
        raise InputError("a.jsonl", Problem("cut off"))

    with open_store(store_address) as store:
        with pytest.raises(InputError):
            store.keep(header(), breaks_off())
        assert store.runs() == []


def test_names_are_never_taken_for_anything_else(store_address: str) -> None:
    odd = "Robert'); DROP TABLE runs; -- %s %(run)s {0} ?"
    with open_store(store_address) as store:
        writer = store.begin(replace(header(), agents=(odd,)), 1, name=odd, settings={odd: odd})
        (one,) = scored(1, agent=odd)
        writer.begin_case(odd, "c000", 1)
        assert writer.interrupted() == {(odd, "c000", 1): [{"kind": "begun", "attempt": 1}]}
        writer.save(one)
        writer.finish("finished")
        store.set_baseline(writer.id, odd)
        store.review(writer.id, [Review("c000", "right", odd, 1, odd)])
        assert store.find(odd).settings == {odd: odd}
        assert [one.trajectory.agent for one in store.open_run(writer.id)] == [odd]
        assert list(store.baselines()) == [odd]
        with pytest.raises(UsageError, match="no run"):
            store.info(odd)


def test_the_commands_that_read_and_write_a_run(store_address: str, tmp_path: Path) -> None:
    run = fill(store_address, name="tên dài có dấu")
    store = ("--store", store_address)
    listed = toolgauge("runs", "list", *store)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert run in listed.stdout
    shown = toolgauge("runs", "show", "latest", *store)
    assert f"toolgauge report {run}" in shown.stdout
    assert "owner" not in shown.stdout + shown.stderr
    assert toolgauge("runs", "export", run, "-o", tmp_path / "x.run.jsonl", *store).returncode == 0
    assert toolgauge("runs", "import", tmp_path / "x.run.jsonl", "--name", "again", *store).returncode == 0
    reviewed = toolgauge("runs", "review", "again", "c001", "right", *store)
    assert (reviewed.returncode, reviewed.stderr) == (0, "")
    assert toolgauge("baseline", "set", "again", *store).returncode == 0
    assert toolgauge("runs", "delete", run, "--yes", *store).returncode == 0
    assert toolgauge("runs", "list", *store, "--format", "json").stdout.count('"id"') == 1
    drawn = toolgauge("report", "again", *store)
    assert drawn.returncode == 0
    assert toolgauge("report", "nothing", *store).returncode == 2


@pytest.mark.deep
@pytest.mark.parametrize("way", ["file to database", "database to file"])
def test_a_run_is_copied_between_stores_of_both_kinds(team_store: str, tmp_path: Path, way: str) -> None:
    first, second = str(tmp_path / "runs.db"), team_store
    if way == "database to file":
        first, second = second, first
    run = fill(first, name="nightly")
    with open_store(first) as store:
        store.review(run, [Review("c001", "right")])
        exported = b"".join(store.open_run(run).export())
    copied = toolgauge("runs", "copy", "latest", "--store", first, "--to", second)
    assert (copied.returncode, copied.stderr) == (0, "")
    with open_store(second) as store:
        info = store.find("nightly")
        assert info.id == copied.stdout.strip() != run
        assert (info.finished, info.planned, info.state) == (FEW, FEW, "finished")
        assert b"".join(store.open_run(info.id).export()) == exported
        assert [one.case for one in store.lines_of(info.id).reviews()] == ["c001"]
        held = store.begin(header(), 1)
        refused = toolgauge("runs", "copy", held.id, "--store", second, "--to", first)
        assert refused.returncode == 3
        assert "is being written by process" in refused.stderr
        assert "owner" not in refused.stderr
