"""A store that a stranger made, or that is only to be read: nothing in it runs, hangs or is changed by a look at it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.store.saving import header, scored
from tests.store.sqlite.test_store import fill
from toolgauge.core import Review, Scored
from toolgauge.errors import StoreError, UsageError
from toolgauge.store import open_store
from toolgauge.store.sqlite import database

RECURSION = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

ADDITIONS = {
    "trigger": "CREATE TRIGGER gone AFTER INSERT ON reviews BEGIN DELETE FROM runs; END",
    "view": f"CREATE VIEW more AS {RECURSION}",
    "table": "CREATE TABLE more (x)",
    "index": "CREATE INDEX more ON runs (name)",
}


@pytest.mark.parametrize("kind", ADDITIONS)
def test_a_store_with_more_in_it_than_toolgauge_makes_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "runs.db"
    fill(path, 2)
    change(path, ADDITIONS[kind])
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError, match=f"cannot be trusted: its {kind} "):
            open_store(path, create=create)
    said = toolgauge("runs", "list", "--store", path)
    assert said.returncode == 3
    assert "cannot be trusted" in said.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE runs", f"CREATE VIEW runs AS {RECURSION}"),
        ("DROP TABLE reviews", "CREATE TABLE reviews (key, run, about, review AS (zeroblob(1000000000)))"),
        ("ALTER TABLE runs ADD COLUMN extra AS (zeroblob(1000000000))",),
    ],
)
def test_a_table_that_is_not_as_toolgauge_makes_it_is_refused(tmp_path: Path, statements: tuple[str, ...]) -> None:
    path = tmp_path / "runs.db"
    fill(path, 2)
    change(path, *statements)
    with pytest.raises(StoreError, match=r"cannot be trusted: its (table|view) .* is not as toolgauge creates it"):
        open_store(path, create=False)


def test_a_store_that_lacks_a_table_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    fill(path, 2)
    change(path, "DROP TABLE baselines")
    with pytest.raises(StoreError, match="the store is damaged: it has no 'baselines'"):
        open_store(path, create=False)


ROWS = (
    "UPDATE runs SET header = 'no json'",
    "UPDATE runs SET header = '[]'",
    "UPDATE runs SET header = 7",
    "UPDATE runs SET header = x'ff00'",
    """UPDATE runs SET header = '{"agents": 3}'""",
    "UPDATE runs SET settings = '['",
    "UPDATE runs SET created = x'ff'",
    "UPDATE runs SET state = 'flying'",
    "UPDATE runs SET planned = 'many'",
    "UPDATE suites SET suite = '{'",
    "UPDATE suites SET suite = 5",
    "UPDATE trajectories SET line = '{'",
    "UPDATE trajectories SET line = 3.5",
    """UPDATE trajectories SET line = '{"case": 1}'""",
    f"UPDATE trajectories SET line = '{'[' * 100_000}'",  # noqa: S608 - the test's own words
    "INSERT INTO reviews (run, about, review) VALUES (1, 'x', '{')",
    "INSERT INTO reviews (run, about, review) VALUES (1, 'x', 9)",
)


@pytest.mark.parametrize("statement", ROWS, ids=range(len(ROWS)))
def test_a_row_that_does_not_hold_what_it_should_is_damage(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "runs.db"
    run = fill(path, 3)
    change(path, statement)
    with pytest.raises(StoreError, match=r"the store is damaged: .*\n.*toolgauge runs salvage"):
        read_all(path, run)
    for command in (["runs", "list"], ["runs", "show", run], ["report", run], ["runs", "export", run, "-o", "x.jsonl"]):
        said = toolgauge(*command, "--store", path, cwd=tmp_path)
        assert said.returncode in (0, 2, 3), said.stderr
        assert "fault of toolgauge" not in said.stderr


@pytest.mark.parametrize(
    ("statement", "command"),
    [
        ("UPDATE runs SET id = x'00ff00ff00ff00ff'", ("gate", "second", "--baseline", "first")),
        ("UPDATE runs SET name = x'ff'", ("runs", "show", "second")),
        ("INSERT INTO baselines VALUES (x'ff', 1, 'today')", ("baseline", "show")),
        ("INSERT INTO baselines VALUES ('main', 1, x'ff')", ("baseline", "show")),
    ],
)
def test_a_name_that_is_no_text_is_damage(tmp_path: Path, statement: str, command: tuple[str, ...]) -> None:
    path = tmp_path / "runs.db"
    fill(path, 3)
    change(path, statement)
    said = toolgauge(*command, "--store", path)
    assert said.returncode == 3, said.stderr
    assert "the store is damaged: a row has invalid content" in said.stderr
    assert "runs salvage" in said.stderr


def test_reading_that_would_never_end_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.db"
    fill(path, 1)
    monkeypatch.setattr(database, "LEAST_STEPS", 200_000)
    connection = database.connect_to_read(path)
    with pytest.raises(StoreError, match="reading it never ends"), database.explained(path):
        connection.execute(f"SELECT COUNT(*) FROM ({RECURSION})").fetchall()  # noqa: S608 - the test's own words
    connection.close()


def test_looking_at_a_store_changes_nothing_in_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = fill(path, 3)
    before = path.read_bytes(), path.stat().st_mtime_ns
    read_all(path, run)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


LOOKING = (
    ("runs", "list"),
    ("runs", "show", "latest"),
    ("runs", "export", "latest"),
    ("runs", "show", "nothing"),
    ("runs", "delete", "nothing", "--yes"),
    ("report", "latest"),
    ("diagnose", "latest"),
    ("gate", "latest", "--min-pass-rate", "0"),
    ("compare", "latest", "latest"),
    ("runs", "copy", "latest", "--to", "other.db"),
    ("runs", "copy", "latest", "--to", "copied.db"),
)


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_looking_at_a_store_leaves_nothing_beside_it(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "runs.db"
    fill(path, 3)
    shutil.copy(path, tmp_path / "copied.db")  # has the run already
    toolgauge(*command, "--store", str(path), cwd=tmp_path)
    assert {file.name for file in tmp_path.iterdir()} <= {"runs.db", "copied.db", "other.db"}


def test_looking_at_a_store_of_another_form_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    fill(path, 3)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE VIEW more AS SELECT 1")
    connection.close()
    for command in LOOKING:
        assert toolgauge(*command, "--store", str(path), cwd=tmp_path).returncode != 0
    assert [file.name for file in tmp_path.iterdir()] == ["runs.db"]


def test_the_log_beside_a_store_stays_while_others_use_it_and_while_it_holds_changes(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = fill(path, 3)
    with open_store(path) as writing:
        read_all(path, run)
        assert Path(f"{path}-wal").exists()
        writing.delete(run)
        with open_store(path, create=False) as reading:
            assert reading.runs() == []
    assert [file.name for file in tmp_path.iterdir()] == ["runs.db"]


def test_a_log_with_changes_that_a_killed_command_left_is_read_and_stays(tmp_path: Path) -> None:
    path, copy = tmp_path / "runs.db", tmp_path / "copy"
    fill(path, 3)
    with open_store(path) as writing:
        writing.keep(header(), scored(3), name="latest")
        shutil.copytree(tmp_path, copy)
    (copy / "runs.db-shm").unlink()
    before = [(copy / f"runs.db{ending}").read_bytes() for ending in ("", "-wal")]
    assert before[1]
    with open_store(copy / "runs.db", create=False) as reading:
        assert next(run.name for run in reading.runs()) == "latest"
    assert [(copy / f"runs.db{ending}").read_bytes() for ending in ("", "-wal")] == before


def test_a_store_that_was_opened_to_be_read_can_still_be_written(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = fill(path, 3)
    with open_store(path, create=False) as store:
        assert not store.open_run(run).reviews()
        store.review(run, [Review("c000", "wrong", "m", 1)])
        store.set_baseline(run, "main")
        assert len(store.open_run(run).reviews()) == 1
        store.delete(run)
        assert store.runs() == []


UNPRIVILEGED = """
import os, sys
from toolgauge.cli import main
path, run = sys.argv[1:]
reading = [["runs", "list"], ["runs", "show", run], ["report", run]]
def codes(commands):
    for command in commands:
        sys.argv[1:] = [*command, "--store", path]
        try:
            yield main() or 0
        except SystemExit as error:
            yield error.code or 0
list(codes(reading))  # what they need is imported while that is still allowed
os.chdir("/")
os.setgid(65534)
os.setuid(65534)
print(*codes([*reading, ["runs", "delete", run, "--yes"]]), file=sys.stderr)
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give up its permissions")
def test_a_store_without_permission_to_write_can_be_read() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "runs.db"
        run = fill(path, 3)
        path.chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", UNPRIVILEGED, str(path), run]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stderr.splitlines()
        folder.chmod(0o755)
    assert said[-1] == "0 0 0 2"
    assert "the store cannot be written" in said[-2]


def test_a_file_is_read_before_the_store_is_locked(tmp_path: Path) -> None:
    """However long an import takes to be read, others write meanwhile."""
    store, source = tmp_path / "runs.db", tmp_path / "pipe"
    run = fill(store, 3)
    lines = toolgauge("runs", "export", run, "--store", store).stdout.splitlines(keepends=True)
    os.mkfifo(source)
    command = [sys.executable, "-m", "toolgauge", "runs", "import", str(source), "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as importing:
        with source.open("w") as pipe:
            pipe.writelines(lines[:2])
            pipe.flush()
            started = time.monotonic()
            fill(store, 3)
            waited = time.monotonic() - started
            pipe.writelines(lines[2:])
        importing.wait(60)
    assert waited < database.BUSY_SECONDS / 2
    assert importing.returncode == 0
    with open_store(store) as opened:
        assert len(opened.runs()) == 3


def test_the_file_behind_a_dangling_link_is_only_for_its_owner(tmp_path: Path) -> None:
    link, target = tmp_path / "runs.db", tmp_path / "elsewhere.db"
    link.symlink_to(target)
    fill(link, 1)
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_drafts_of_commands_that_were_killed_are_cleared(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    killed = "import os, sys\nfrom toolgauge.store import open_store\nfrom toolgauge.store.sqlite import making\n"
    killed += "making.upgrade = lambda *_: os.kill(os.getpid(), 9)\nopen_store(sys.argv[1])\n"
    assert subprocess.run([sys.executable, "-c", killed, str(path)], check=False).returncode == -9
    assert list(tmp_path.glob("runs.db.new-*"))
    mine = tmp_path / "runs.db.new-notes"
    mine.write_text("of a person")
    fill(path, 1)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["runs.db", "runs.db.new-notes"]


@pytest.mark.parametrize("address", ["x" * 5000, "a\0b", "y/" * 3000])
def test_an_address_that_no_file_can_have_is_bad_usage(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for create in (True, False):
        with pytest.raises(UsageError):
            open_store(address, create=create)


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def read_all(path: Path, run: str) -> list[Iterator[Scored] | object]:
    """Read everything of a run, in every way."""
    with open_store(path, create=False) as store:
        opened = store.open_run(run)
        return [store.runs(), *opened, *opened.pairs(), *opened.reviews(), *opened.cases(), *opened.numbered_lines()]
