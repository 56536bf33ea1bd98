"""The file behind a watch may be damaged, another one, or a stranger's: it is said, and nothing is run, ruined or read
by others."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.store.sqlite.test_strangers import RECURSION
from tests.watch.test_once import line
from toolgauge.errors import StoreError, UsageError
from toolgauge.store import open_store
from toolgauge.watch import WatchState
from toolgauge.watch.showing import show_conversations, show_watch

LOOKING = (("--alarms",), ("--ack", "all"), ("--reset", "all"), ("--follow", "t.jsonl", "--once"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, and the state of a watch that has read it."""
    place = tmp_path_factory.mktemp("watched")
    (place / "t.jsonl").write_text("".join(line(number) for number in range(3)), encoding="utf-8")
    done = toolgauge("watch", "--follow", "t.jsonl", "--once", "--state", "w.db", cwd=place)
    assert done.returncode == 0, done.stderr
    return place


def changed(made: Path, folder: Path, *statements: str) -> Path:
    """A copy of the state in which somebody has changed something."""
    for file in ("w.db", "t.jsonl"):
        shutil.copy(made / file, folder / file)
    connection = sqlite3.connect(folder / "w.db")
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return folder / "w.db"


VIEW = "CREATE VIEW alarms AS SELECT x AS id, x AS at, x AS body, x AS acknowledged, x AS delivered FROM (?)"
STRANGE = {
    "a trigger": ("CREATE TRIGGER gone AFTER INSERT ON inbox BEGIN DELETE FROM settled; END",),
    "a view that never ends": ("DROP TABLE alarms", VIEW.replace("?", RECURSION)),
    "another table": ("CREATE TABLE more (x)",),
    "other columns": ("DROP TABLE alarms", "CREATE TABLE alarms (id, at, body, acknowledged, delivered)"),
    "generated columns": ("ALTER TABLE alarms ADD COLUMN more AS (length(body))",),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_state_with_something_else_in_it_is_refused_and_stays_as_it_is(made: Path, tmp_path: Path, name: str) -> None:
    path = changed(made, tmp_path, *STRANGE[name])
    before = path.read_bytes()
    for command in LOOKING:
        done = toolgauge("watch", *command, "--state", "w.db", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "Error: w.db: this is not the state of a watch; name another file with --state\n"
    with pytest.raises(StoreError, match="not the state of a watch"):
        show_watch(str(path))
    assert path.read_bytes() == before


DAMAGED = {
    "an alarm": "INSERT INTO alarms VALUES('a', 1.0, x'7b', null, '[]')",
    "an alarm without its fields": "INSERT INTO alarms VALUES('a', 1.0, x'7b7d', null, '[]')",
    "an alarm that is a text": "INSERT INTO alarms VALUES('a', 1.0, 'e30=', null, '[]')",
    "who heard of an alarm": "INSERT INTO alarms VALUES('a', 1.0, x'7b7d', null, 'x')",
    "charts": "UPDATE facts SET value = x'ff' WHERE name = 'drift'",
    "charts that are a text": "UPDATE facts SET value = 'x' WHERE name = 'drift'",
    "a received body": "INSERT INTO inbox VALUES(99, 'traces protobuf', 1.0, x'ffffff')",
    "received lines that are a text": "INSERT INTO inbox VALUES(99, 'lines t.jsonl', 1.0, 'x')",
    "the source of a body": "INSERT INTO inbox VALUES(99, x'ff', 1.0, x'00')",
    "a trace": "INSERT INTO settled VALUES(x'ff', 1)",
    "how far a file is read": "UPDATE files SET position = 'x'",
    "a request": "INSERT INTO requests VALUES(1, x'ff', 7)",
}
SHOWN = {
    "an hour": "INSERT INTO hours VALUES('s', 'l', 'x', 1, 1)",
    "an hour that never comes": "INSERT INTO hours VALUES('s', 'l', 99999999999, 1, 1)",
    "more than there can be": "INSERT INTO hours VALUES('errors', 'l', 9, 1, 9e999)",
    "a counter": "INSERT INTO counters VALUES('c', 'x')",
    "the name of a counter": "INSERT INTO counters VALUES(x'ff', 1)",
}


@pytest.mark.parametrize("name", [*DAMAGED, *SHOWN])
def test_a_row_that_does_not_hold_what_it_should_is_damage(made: Path, tmp_path: Path, name: str) -> None:
    path = changed(made, tmp_path, (DAMAGED | SHOWN)[name])
    codes = []
    for command in (LOOKING[0], LOOKING[-1]):
        done = toolgauge("watch", *command, "--state", "w.db", cwd=tmp_path)
        codes.append(done.returncode)
        assert done.returncode in (0, 1, 3)
        assert done.returncode != 3 or "w.db: the state of the watch is damaged" in done.stderr
    assert (3 in codes) == (name in DAMAGED)
    if name in SHOWN:
        with pytest.raises(StoreError, match="damaged"):
            show_watch(str(path))


def test_a_conversation_that_cannot_be_read_is_damage(made: Path, tmp_path: Path) -> None:
    path = changed(made, tmp_path, "INSERT INTO conversations VALUES(99, 't', 's', 'a', 1.0, x'00')")
    with pytest.raises(StoreError, match="damaged"):
        show_conversations(str(path), "t")


@pytest.mark.parametrize("seed", range(8))
def test_a_state_with_other_bytes_is_read_or_refused(made: Path, tmp_path: Path, seed: int) -> None:
    path = changed(made, tmp_path)
    chance, data = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 20, 300))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data[: chance.randrange(len(data))] if seed % 4 == 3 else data)
    for work in (lambda: show_watch(str(path)), lambda: show_conversations(str(path), "t")):
        try:
            work()
        except (StoreError, UsageError) as error:
            assert str(path) in str(error)  # noqa: PT017 - either is right
    done = toolgauge("watch", "--follow", "t.jsonl", "--once", "--state", "w.db", cwd=tmp_path)
    assert done.returncode in (0, 1, 3), done.stderr


def test_a_watch_does_not_take_another_file_for_its_state(made: Path, tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.db"):
        pass
    os.link(tmp_path / "runs.db", tmp_path / "hard")
    shutil.copy(made / "t.jsonl", tmp_path)
    (tmp_path / "suite.yaml").write_text("name: s\ncases: []\n", encoding="utf-8")
    sqlite3.connect(tmp_path / "other.db").executescript("CREATE TABLE facts(name, value); PRAGMA user_version = 5")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    files = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    for state in (*files, "folder", "pipe", "/dev/null", "runs.db-wal", "hard-journal", "sub\0"):
        with pytest.raises((StoreError, UsageError)):
            WatchState(str(tmp_path / state))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == files


def test_the_state_is_for_its_owner_only_also_behind_a_link(made: Path, tmp_path: Path) -> None:
    shutil.copy(made / "t.jsonl", tmp_path)
    (tmp_path / "soft").symlink_to("behind.db")
    before = os.umask(0)
    try:
        for state in ((), ("--state", "soft")):
            assert toolgauge("watch", "--follow", "t.jsonl", "--once", *state, cwd=tmp_path).returncode == 0
    finally:
        os.umask(before)
    for file, mode in ((".toolgauge", 0o700), (".toolgauge/watch.db", 0o600), ("behind.db", 0o600)):
        assert stat.S_IMODE((tmp_path / file).stat().st_mode) == mode
    assert (tmp_path / ".toolgauge" / ".gitignore").read_text(encoding="utf-8") == "*\n"


WRITING = (
    ("runs", "export", "latest", "-o"),
    ("report", "latest", "-o"),
    ("gate", "latest", "--junit"),
    ("convert", "t.jsonl", "-o"),
    ("cases", "add", "latest", "--failed", "--to"),
    ("watch", "--follow", "t.jsonl", "--once", "--propose"),
)


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_no_command_overwrites_the_state_of_a_watch_or_what_belongs_to_a_database(
    made: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    changed(made, tmp_path)
    with open_store(tmp_path / "runs.db"):
        pass
    os.link(tmp_path / "w.db", tmp_path / "hard")
    (tmp_path / "soft").symlink_to("w.db")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for target in ("w.db", "hard", "soft", "./w.db", "w.db-wal", "soft-shm", "hard-journal", "runs.db-wal"):
        done = toolgauge(*command, target, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        what = "a store of runs" if target.startswith("runs") else "the state of a watch"
        option = command[-1]
        assert f"{target} is {what} and cannot be overwritten; name another file after {option}" in done.stderr
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.name != ".toolgauge"} == before


def test_a_store_is_not_made_where_a_database_has_its_log(made: Path, tmp_path: Path) -> None:
    changed(made, tmp_path)
    for ending in ("-wal", "-shm", "-journal"):
        with pytest.raises(UsageError, match="belongs to"):
            open_store(tmp_path / f"w.db{ending}")
