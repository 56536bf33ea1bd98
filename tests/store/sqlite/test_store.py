"""The store of runs: what is saved stays saved, several may use it at once, and whatever is wrong is said."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.store.saving import header, scored
from toolgauge.errors import StoreError, UsageError
from toolgauge.store import open_store, salvage_store
from toolgauge.store.sqlite import SqliteStore
from toolgauge.store.sqlite.layout import MIGRATIONS
from toolgauge.store.sqlite.leases import Lease, own
from toolgauge.store.sqlite.place import network_file_system

FEW = 20


def fill(path: Path, count: int = FEW, name: str = "") -> str:
    """Write a whole run, and return its id."""
    with open_store(path) as store:
        writer = store.begin(header(), count, name=name, settings={"trials": 1})
        for one in scored(count):
            writer.save(one)
        writer.finish("finished")
        return writer.id


def test_a_run_that_is_being_written_is_neither_deleted_nor_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with open_store(path) as first, open_store(path) as second:
        writer = first.begin(header(), 1)
        assert second.info(writer.id).held_by == f"process {os.getpid()} on {own().host}"
        for refuse in (second.delete, second.resume):
            with pytest.raises(StoreError, match=f"being written by process {os.getpid()}"):
                refuse(writer.id)
        writer.heartbeat()
        writer.finish("interrupted")
        second.resume(writer.id).finish("finished")
        second.delete(writer.id)
        assert second.runs() == []


def test_a_lease_ends_with_its_process() -> None:
    assert own().alive
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine = own()
    assert not Lease(gone.pid, "12345", mine.host, mine.boot, mine.beat).alive
    assert not Lease(mine.pid, "12345", mine.host, mine.boot, mine.beat).alive
    assert not Lease(mine.pid, mine.process, mine.host, "another boot", mine.beat).alive
    assert Lease(1, "1", "elsewhere", "", mine.beat).alive
    assert not Lease(1, "1", "elsewhere", "", mine.beat - 3600).alive


def test_only_the_owner_can_read_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store() as store:
        writer = store.begin(header(), 1)
        writer.save(next(scored(1)))
        folder = tmp_path / ".toolgauge"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        files = [file for file in folder.iterdir() if file.name.startswith("runs.db")]
        assert len(files) == 3
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert (folder / ".gitignore").read_text() == "*\n"
        writer.finish("finished")


def test_places_that_cannot_be_used_are_refused_before_anything_is_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this is a directory"):
        open_store(tmp_path)
    with pytest.raises(UsageError, match="there is no such directory"):
        open_store(tmp_path / "no" / "runs.db")
    with pytest.raises(UsageError, match="is not a location for a store"):
        open_store("postgres://host/db")
    with pytest.raises(UsageError, match="there is no store of runs"):
        open_store(tmp_path / "none.db", create=False)
    with pytest.raises(UsageError, match="not a regular file"):
        open_store("/dev/null")
    open_store(f"sqlite:///{tmp_path / 'runs.db'}").close()
    assert (tmp_path / "runs.db").exists()


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="there is no directory that forbids everybody to write")
def test_a_directory_without_permission_is_refused() -> None:
    """To the superuser as well, to whom the modes of a directory mean nothing."""
    with pytest.raises(UsageError, match=r"cannot be written here: .*choose another --store"):
        open_store("/sys/kernel/runs.db")


def test_a_network_file_system_is_known_by_the_list_of_mounts(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n/dev/sdb {tmp_path}/local ext4 rw 0 0\n"
    )
    assert network_file_system(tmp_path / "runs.db", mounts) == "nfs4"
    assert network_file_system(tmp_path / "local" / "runs.db", mounts) is None
    assert network_file_system(Path("/elsewhere"), mounts) is None


def test_a_full_disk_is_said_with_path_and_room_and_nothing_saved_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with SqliteStore(path) as store:
        writer = store.begin(header(), 500)
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        with pytest.raises(
            StoreError, match=r"runs\.db: the store cannot be written: .* MB free; free some space"
        ) as caught:
            deque(map(writer.save, scored(500)), maxlen=0)
        assert caught.value.exit_code == 3
        saved = len(writer.done())
        assert 0 < saved < 500
    with open_store(path) as store:
        again = store.resume(writer.id)
        assert len(again.done()) == saved
        for one in scored(500):
            again.save(one)
        assert len(again.done()) == 500


def test_a_file_that_may_not_grow_is_said_too(tmp_path: Path) -> None:
    program = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "from tests.store.saving import main\n"
        "from toolgauge.errors import StoreError\n"
        "try:\n    main(sys.argv[1], 500)\nexcept StoreError as error:\n    sys.exit(f'{error.exit_code} {error}')\n"
    )
    path = tmp_path / "runs.db"
    ended = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert "3 " in ended.stderr
    assert "the store cannot be written" in ended.stderr
    said = ended.stdout.split()
    with open_store(path) as store:
        assert {one.trajectory.case for one in store.open_run(store.find("latest").id)} >= set(said)


def version_one(path: Path) -> None:
    """A store as the first version wrote it."""
    run = fill(path)
    connection = sqlite3.connect(path)
    for table in ("journal", "leases", "baselines", "reviews"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    assert run


def test_an_older_store_is_brought_up_to_date_and_a_copy_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    version_one(path)
    with open_store(path) as store:
        assert len(list(store.open_run(store.find("latest").id))) == FEW
        store.begin(header(), 1).finish("finished")
    backup = sqlite3.connect(tmp_path / "runs.db.version-1")
    assert backup.execute("PRAGMA user_version").fetchone() == (1,)
    assert backup.execute("SELECT COUNT(*) FROM trajectories").fetchone() == (FEW,)
    backup.close()


@pytest.mark.parametrize("statement", range(len(MIGRATIONS[1])))
def test_a_kill_during_the_upgrade_leaves_the_old_version(tmp_path: Path, statement: int) -> None:
    path = tmp_path / "runs.db"
    version_one(path)
    program = (
        "import os, signal, sys\n"
        "from toolgauge.store.sqlite import database, layout\n"
        f"kill = 'SELECT kill_me()'\n"
        f"steps = list(layout.MIGRATIONS[1]); steps.insert({statement} + 1, kill)\n"
        "layout.MIGRATIONS = (layout.MIGRATIONS[0], tuple(steps))\n"
        "connection = database.connect(__import__('pathlib').Path(sys.argv[1]))\n"
        "connection.create_function('kill_me', 0, lambda: os.kill(os.getpid(), signal.SIGKILL))\n"
        "layout.upgrade(connection, __import__('pathlib').Path(sys.argv[1]))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()
    with open_store(path) as store:
        assert len(list(store.open_run(store.find("latest").id))) == FEW


def test_a_store_of_a_later_version_or_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    fill(path, 1)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="has version 99, and this toolgauge supports 4"):
        open_store(path)
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE x (y)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="this database belongs to another program"):
        open_store(tmp_path / "other.db")


def test_a_damaged_store_is_never_taken_for_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    fill(path, 200)
    whole = path.read_bytes()
    for size in (0, 50, 4096, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(StoreError, match=r"the store is damaged: .*\n.*toolgauge runs salvage"):
            open_store(path)
    path.write_bytes(b"nothing of the kind" * 1000)
    with pytest.raises(StoreError, match="its beginning is not that of a store"):
        open_store(path)


def test_rows_that_can_be_read_are_salvaged(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = fill(path, 500)
    whole = path.read_bytes()
    dice = random.Random(3)
    page = 4096
    for attempt in range(12):
        broken = bytearray(whole)
        for _ in range(3):
            # Behind the suite, without which a run means nothing.
            start = dice.randrange(len(whole) // page // 4, len(whole) // page) * page
            broken[start : start + page] = dice.randbytes(page)
        path.write_bytes(broken)
        target = tmp_path / f"salvaged-{attempt}.db"
        saved = salvage_store(path, target)
        assert saved.runs == 1
        assert saved.trajectories >= 400
        with open_store(target) as store:
            kept = list(store.open_run(run))
            assert len(kept) == saved.trajectories
        originals = {one.trajectory.case: one.score for one in scored(500)}
        assert all(one.score == originals[one.trajectory.case] for one in kept)


def test_a_store_without_its_beginning_or_its_end_is_salvaged(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = fill(path, 500)
    whole = path.read_bytes()
    path.write_bytes(bytes(4096) + whole[4096:])
    assert salvage_store(path, tmp_path / "a.db").trajectories == 500
    path.write_bytes(whole[: len(whole) // 2])
    assert 100 < salvage_store(path, tmp_path / "b.db").trajectories < 500
    with open_store(tmp_path / "a.db") as store:
        assert store.info(run).finished == 500
    path.write_bytes(b"nothing")
    with pytest.raises(StoreError, match="no run could be read; nothing was saved"):
        salvage_store(path, tmp_path / "c.db")
    assert not list(tmp_path.glob("c.db*"))
    with pytest.raises(UsageError, match="already exists"):
        salvage_store(path, tmp_path / "a.db")


def test_a_run_whose_latest_changes_got_lost_is_still_there_as_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    process = subprocess.Popen([sys.executable, "-m", "tests.store.saving", str(path), "500"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    for _ in range(100):
        process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink()
    with open_store(path) as store:
        info = store.find("latest")
        assert (info.planned, info.state) == (500, "running")
        assert info.finished < 500


def test_the_commands_of_a_life_of_a_run(tmp_path: Path) -> None:
    run = fill(tmp_path / "runs.db", name="tên dài có dấu")
    store = ("--store", str(tmp_path / "runs.db"))
    listed = toolgauge("runs", "list", *store)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert run in listed.stdout
    assert max(map(len, listed.stdout.splitlines())) <= 80
    shown = toolgauge("runs", "show", "latest", *store)
    assert f"toolgauge report {run}" in shown.stdout
    exported = toolgauge("runs", "export", run, "-o", tmp_path / "x.run.jsonl", *store)
    assert exported.returncode == 0
    imported = toolgauge("runs", "import", tmp_path / "x.run.jsonl", "--name", "again", *store)
    assert imported.returncode == 0
    refused = toolgauge("runs", "delete", run, *store)
    assert refused.returncode == 2
    assert "confirm it with --yes" in refused.stderr
    assert toolgauge("runs", "delete", run, "--yes", *store).returncode == 0
    assert toolgauge("runs", "list", *store, "--format", "json").stdout.count('"id"') == 1
    salvaged = toolgauge("runs", "salvage", tmp_path / "runs.db", "-o", tmp_path / "new.db")
    assert salvaged.stdout == f"{tmp_path / 'new.db'}: saved 1 run with 20 trajectories\n"
    assert toolgauge("runs", "list", "--store", tmp_path / "none.db").returncode == 2
    drawn = toolgauge("report", "again", *store)
    assert drawn.returncode == 0
    assert toolgauge("report", "nothing", *store).returncode == 2


def test_a_scored_run_is_kept_under_a_name(tmp_path: Path) -> None:
    starter = toolgauge("init", "demo", cwd=tmp_path)
    assert starter.returncode == 0
    score = ("score", "demo/suite.yaml", "demo/traces.jsonl", "--format", "json")
    scored_ = toolgauge(*score, "--save", "nightly", cwd=tmp_path)
    assert "saved as run" in scored_.stderr
    drawn = toolgauge("report", "nightly", "--format", "json", cwd=tmp_path)
    assert drawn.stdout == scored_.stdout
    assert toolgauge(*score, "--save", cwd=tmp_path).returncode == scored_.returncode
    assert toolgauge("runs", "list", cwd=tmp_path).stdout.count("finished") == 3
    assert toolgauge(*score, "--store", "x.db", cwd=tmp_path).returncode == 2
