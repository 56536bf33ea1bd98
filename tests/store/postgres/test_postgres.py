"""What only a database does: accounts that may not write, neighbours, versions, and credentials that nobody sees."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from urllib.parse import quote

import psycopg
import pytest
from msgspec.structs import replace

from tests.cli.running import toolgauge
from tests.postgres_server import ADMIN, PASSWORD, PostgresServer
from tests.store.saving import SUITE, header, scored
from toolgauge.core import Review, Suite
from toolgauge.errors import StoreError, TrialTaken, UsageError
from toolgauge.secrets import masked_url
from toolgauge.store import open_store, store_exists
from toolgauge.store.postgres import database, workers
from toolgauge.store.postgres.layout import MIGRATIONS, VERSION

pytestmark = pytest.mark.deep

READER_PASSWORD = "reader:secret@word"  # noqa: S105 - of a server that lasts as long as the tests


def name_of(address: str) -> str:
    return address.rpartition("/")[2]


def reader_of(server: PostgresServer, address: str) -> str:
    """The address for an account that may do what docs/store.md grants to readers, and nothing else."""
    role, base = f"reader_{name_of(address)}", name_of(address)
    server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{READER_PASSWORD}'")
    server.execute(f"GRANT USAGE ON SCHEMA public TO {role}", base)
    server.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}", base)
    return server.address(base, user=role, password=READER_PASSWORD)


def test_a_readers_account_reads_everything_and_writes_nothing(postgres: PostgresServer, team_store: str) -> None:
    with open_store(team_store) as store:
        run = store.keep(header(), scored(4), name="kept")
        store.set_baseline(run, "main")
        store.review(run, [Review("c000", "right")])
        held = store.begin(header(), 2)
        reader = reader_of(postgres, team_store)
        assert store_exists(reader)
        with open_store(reader) as read:
            assert [info.id for info in read.runs()] == [held.id, run]
            assert read.find("latest").held_by is not None
            assert len(list(read.open_run(run))) == 4
            assert len(read.lines_of(run).reviews()) == 1
            assert list(read.baselines()) == ["main"]
            refused: list[Callable[[], object]] = [
                lambda: read.begin(header(), 1),
                lambda: read.resume(held.id),
                lambda: read.keep(header(), scored(1)),
                lambda: read.review(run, [Review("c001", "right")]),
                lambda: read.delete(run),
                lambda: read.set_baseline(run, "other"),
            ]
            for write in refused:
                with pytest.raises(
                    StoreError, match=r"may read the store, but not write to it .*docs/store\.md"
                ) as said:
                    write()
                assert said.value.exit_code == 3
                assert "reader" not in str(said.value)
    listed = toolgauge("runs", "list", "--store", reader)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert toolgauge("report", "kept", "--store", reader).returncode == 0
    deleted = toolgauge("runs", "delete", "kept", "--yes", "--store", reader)
    assert deleted.returncode == 3
    assert "may read the store, but not write to it" in deleted.stderr
    assert READER_PASSWORD not in deleted.stderr
    postgres.drop_database(team_store)
    postgres.execute(f"DROP ROLE reader_{name_of(team_store)}")


def test_an_account_that_may_not_make_tables_is_told_so(postgres: PostgresServer, team_store: str) -> None:
    postgres.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC", name_of(team_store))
    reader = reader_of(postgres, team_store)
    with pytest.raises(UsageError, match="there is no store of runs"):
        open_store(reader, create=False)
    with pytest.raises(StoreError, match="may not create the tables of a store"):
        open_store(reader)
    postgres.drop_database(team_store)
    postgres.execute(f"DROP ROLE reader_{name_of(team_store)}")


def test_the_schema_of_another_program_is_refused_and_left_alone(postgres: PostgresServer, team_store: str) -> None:
    base = name_of(team_store)
    postgres.execute("CREATE TABLE runs (x INT)", base)
    for create in (True, False):
        with pytest.raises(StoreError, match=r"the schema 'public' of this database is in use by another program"):
            open_store(team_store, create=create)
    postgres.execute("CREATE TABLE toolgauge_store (y INT)", base)
    with pytest.raises(StoreError, match="in use by another program"):
        open_store(team_store)
    postgres.execute("CREATE SCHEMA ours", base)
    ours = f"{team_store}?options={quote('-csearch_path=ours', safe='')}"
    with open_store(ours) as store:
        run = store.keep(header(), scored(2))
        assert [info.id for info in store.runs()] == [run]
        assert "search_path" not in store.location
    with psycopg.connect(team_store) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert sorted(tables) == [("runs",), ("toolgauge_store",)]
    with pytest.raises(StoreError, match="the schema that its search_path names is not there"):
        open_store(f"{team_store}?options={quote('-csearch_path=nowhere', safe='')}")


def test_a_store_of_a_later_version_is_refused_and_an_older_one_brought_up_to_date(
    postgres: PostgresServer, team_store: str
) -> None:
    with open_store(team_store) as store:
        run = store.keep(header(), scored(3))
    base = name_of(team_store)
    postgres.execute("UPDATE toolgauge_store SET version = 99", base)
    with pytest.raises(StoreError, match=f"has version 99, and this toolgauge supports {VERSION}; update toolgauge"):
        open_store(team_store)
    for table in ("requests", "paces"):
        postgres.execute(f"DROP TABLE {table}", base)
    postgres.execute("UPDATE toolgauge_store SET version = 1", base)
    reader = reader_of(postgres, team_store)
    with pytest.raises(StoreError, match=f"has version 1, this toolgauge needs {VERSION}, and this account may not"):
        open_store(reader)
    with open_store(team_store) as store:
        assert len(list(store.open_run(run))) == 3
    with psycopg.connect(team_store) as connection:
        assert connection.execute("SELECT version FROM toolgauge_store").fetchall() == [(VERSION,)]
    assert len(MIGRATIONS) == VERSION
    postgres.drop_database(team_store)
    postgres.execute(f"DROP ROLE reader_{base}")


def test_several_may_make_one_store_at_the_same_moment(team_store: str) -> None:
    failed: list[BaseException] = []

    def make() -> None:
        try:
            open_store(team_store).close()
        except BaseException as error:  # noqa: BLE001 - looked at below
            failed.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with open_store(team_store) as store:
        assert store.runs() == []


def test_credentials_are_never_shown(postgres: PostgresServer, team_store: str) -> None:
    open_store(team_store).close()
    wrong = postgres.address(name_of(team_store), password="wrong&password")  # noqa: S106 - wrong on purpose
    cases = [
        (wrong, "password authentication failed"),
        (team_store.replace(str(postgres.port), "1"), "cannot be reached"),
        (postgres.address("nowhere"), "does not exist"),
        (f"postgresql://{ADMIN}:50%zz{PASSWORD}@host/x", "the address of the store cannot be read"),
        (f"postgresql://{ADMIN}:a/b?c{PASSWORD}@127.0.0.1/x", ""),
        (f"mysql://{ADMIN}:{PASSWORD}@host/x", "is not a location for a store"),
    ]
    for address, words in cases:
        ended = toolgauge("runs", "list", "--store", address)
        said = ended.stdout + ended.stderr
        assert ended.returncode in (2, 3), said
        assert words in said
        for secret in (ADMIN, PASSWORD, quote(PASSWORD, safe=""), "wrong&password", "word:of", "Traceback"):
            assert secret not in said


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://a:b@host:1/x?password=c", "postgresql://***@host:1/x"),
        ("postgresql://host/x", "postgresql://host/x"),
        ("postgresql://a:b@c@host,other:2/x", "postgresql://***@host,other:2/x"),
        ("postgresql://a:b?c@host/x", "postgresql://***"),
        ("postgresql:///x?user=a&password=b@c", "postgresql://***"),
        (".toolgauge/runs.db", ".toolgauge/runs.db"),
    ],
)
def test_an_address_is_shown_without_what_lets_somebody_in(url: str, shown: str) -> None:
    assert masked_url(url) == shown


def test_connections_that_were_cut_are_made_anew(postgres: PostgresServer, team_store: str) -> None:
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name_of(team_store)}'"  # noqa: S608 - a name of ours
    several = list(scored(6))
    with open_store(team_store) as store:
        writer = store.begin(replace(header(), suite=Suite("s", SUITE.cases[:6])), 6)
        for one in several:
            writer.begin_case("m", one.trajectory.case, 1)
            postgres.execute(cut)
            writer.save(one)
        lines = store.open_run(writer.id).pairs()
        next(lines)
        postgres.execute(cut)
        assert len(list(lines)) == 5
        assert writer.interrupted() == {}


def test_a_server_that_stays_away_is_given_up_in_the_end(
    postgres: PostgresServer, team_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "OUTAGE_SECONDS", 0.5)
    monkeypatch.setattr(database, "PATIENCE", 0.2)
    with open_store(team_store) as store:
        writer = store.begin(header(), 1)
        postgres.stop()
        try:
            with pytest.raises(StoreError, match=r"\*\*\*@127.*the store cannot be reached: .*check that the server"):
                writer.save(next(scored(1)))
        finally:
            postgres.start()
        writer.save(next(scored(1)))
        assert store.info(writer.id).finished == 1


def test_each_trial_is_lent_to_one_and_given_back_by_who_leaves(team_store: str) -> None:
    plan = [("m", f"c{number:03d}", 1) for number in range(6)]
    with open_store(team_store) as one, open_store(team_store) as other:
        first = one.begin(header(), 6)
        mine = first.share(plan)
        second = other.resume(first.id)
        theirs = second.share(plan)
        assert mine is not None
        assert theirs is not None
        taken = [key for key, _ in mine.claim(2, ())]
        assert taken == plan[:2]
        assert [key for key, _ in theirs.claim(9, ())] == plan[2:]
        assert theirs.claim(1, plan[2:]) == []
        assert [key for key, _ in theirs.claim(2, plan[4:])] == plan[2:4], "an answer that got lost is given again"
        first.begin_case(*plan[0])
        for scored_one in scored(1):
            first.save(scored_one)
        first.begin_case(*plan[1])
        first.finish("interrupted")
        assert one.info(first.id).state == "running"
        assert theirs.claim(9, plan[2:]) == [(plan[1], [{"kind": "begun", "attempt": 1}])]
        assert theirs.left()
        for scored_one in list(scored(6))[1:]:
            second.save(scored_one)
        assert not theirs.left()
        second.finish("finished")
        assert (one.info(first.id).state, one.info(first.id).finished) == ("finished", 6)


def test_who_was_silent_for_too_long_keeps_nothing_that_others_took_over(
    postgres: PostgresServer, team_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = [("m", "c000", 1), ("m", "c001", 1)]
    several = list(scored(2))
    with open_store(team_store) as one, open_store(team_store) as other:
        slow = one.begin(header(), 2)
        first = slow.share(plan)
        assert first is not None
        assert [key for key, _ in first.claim(2, ())] == plan
        quick = other.resume(slow.id)
        queue = quick.share(plan)
        assert queue is not None
        assert queue.claim(1, ()) == []
        monkeypatch.setattr(workers, "SILENT_SECONDS", 0.0)
        assert [key for key, _ in queue.claim(1, ())] == plan[:1]
        monkeypatch.undo()
        quick.save(several[0])
        with pytest.raises(TrialTaken, match="taken over by another process"):
            slow.save(several[0])
        slow.heartbeat()
        assert first.claim(1, plan) == [], "it is at it already"
        slow.save(several[1])  # which nobody had taken over yet
        assert not queue.left()
        assert one.info(slow.id).finished == 2


def test_whoever_follows_a_run_is_told(team_store: str) -> None:
    told = threading.Event()
    with open_store(team_store) as store, open_store(team_store) as watching:
        writer = store.begin(header(), 1)
        with watching.following(writer.id, told.set):
            assert told.wait(20)  # it listens
            told.clear()
            writer.save(next(scored(1)))
            assert told.wait(20)
            told.clear()
            writer.finish("finished")
            assert told.wait(20)


def test_nothing_of_it_is_imported_for_a_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    program = (
        "import sys\nimport toolgauge\nfrom toolgauge.store import open_store\n"
        "with open_store(sys.argv[1]) as store:\n    store.runs()\n"
        "found = [name for name in sys.modules if 'psycopg' in name or 'store.postgres' in name]\n"
        "sys.exit(str(found) if found else 0)\n"
    )
    path = tmp_path_factory.mktemp("file") / "runs.db"
    ended = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_without_the_extra_it_is_said_which_one_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg_pool", None)
    with pytest.raises(UsageError, match=r"needs the extra 'postgres'.*pip install \"toolgauge\[postgres\]\""):
        open_store("postgresql://127.0.0.1/x")


def test_a_server_repairs_its_own_files() -> None:
    ended = toolgauge("runs", "salvage", "postgresql://u:secretword@127.0.0.1/x", "-o", "new.db")
    assert ended.returncode == 2
    assert "restored from a backup" in ended.stderr
    assert "secretword" not in ended.stderr
