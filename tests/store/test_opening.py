"""Stores by their address: the one place that knows which backends there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.store.saving import header, scored
from toolgauge.errors import UsageError
from toolgauge.store import RunStore, find_run, open_store, opening, salvage_store, store_exists
from toolgauge.store.opening import BACKENDS, BackendEntry
from toolgauge.store.sqlite import SqliteStore

KNOWN = "sqlite:///path or postgresql://host/database"


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_path_and_an_address_of_sqlite_mean_the_same_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / "runs.db"
    url = form.format(path)
    assert not store_exists(url)
    with pytest.raises(UsageError, match="there is no store of runs"):
        open_store(url, create=False)
    with open_store(url) as store:
        assert store.location == str(path)
    assert path.exists()
    assert store_exists(url)
    assert store_exists(path)


def test_the_usual_place_is_below_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not store_exists()
    with open_store() as store:
        assert store.location == str(Path(".toolgauge", "runs.db"))
    assert store_exists(None)


@pytest.mark.parametrize("url", ["mysql://host/runs", "sqlite://runs.db", "SQLITE:///runs.db", "://"])
def test_an_address_of_an_unknown_kind_is_refused_with_those_that_are_known(url: str) -> None:
    for refused in (open_store, store_exists, lambda given: salvage_store(given, "new.db")):
        with pytest.raises(UsageError) as caught:
            refused(url)
        assert str(caught.value) == f"{url!r} is not a location for a store; give a path or {KNOWN}"


@pytest.mark.parametrize("url", ["", "sqlite:///"])
def test_an_empty_path_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="the path of the store is empty"):
        open_store(url)


@pytest.fixture
def another_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """A further backend: a package with three functions, and a row in the table."""
    opened: list[tuple[str, bool]] = []

    def open_it(address: str, *, create: bool) -> RunStore:
        opened.append((address, create))
        return SqliteStore(tmp_path / "behind.db", create=create)

    package = ModuleType("another_backend")
    package.open_store = open_it  # type: ignore[attr-defined]  # a module made here
    package.store_exists = lambda address: address == "there"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "another_backend", package)
    row = BackendEntry("another://", "another://name", "another_backend")
    monkeypatch.setattr(opening, "BACKENDS", (*BACKENDS, row))
    return opened


def test_a_further_backend_is_one_row(another_backend: list[tuple[str, bool]]) -> None:
    with open_store("another://host/name") as store:
        run = store.keep(header(), scored(3), name="first")
    assert find_run("first", "another://host/name").header == find_run(run, "another://host/name").header
    assert another_backend == [("host/name", True), ("host/name", False), ("host/name", False)]
    assert store_exists("another://there")
    assert not store_exists("another://elsewhere")
    with pytest.raises(UsageError, match=f"give a path or {KNOWN} or another://name"):
        open_store("third://x")


def test_a_list_of_runs_takes_one_query_however_many_there_are(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "runs.db") as store:
        kept = [store.keep(header(), scored(2), name=str(number)) for number in range(5)]
        writer = store.begin(header(), 4, name="held")
        writer.save(next(iter(scored(1))))
        for run in kept:
            store.set_baseline(run, f"of {run}")
        asked: list[str] = []
        store._connection.set_trace_callback(asked.append)
        listed = store.runs()
        assert len(asked) == 1
        assert [info.finished for info in listed] == [1, 2, 2, 2, 2, 2]
        assert [info.held_by is None for info in listed] == [False, True, True, True, True, True]
        assert listed == [store.info(info.id) for info in listed]
        asked.clear()
        assert {info.id for info, _ in store.baselines().values()} == set(kept)
        assert len(asked) == 2


def test_a_store_that_is_opened_twice_keeps_its_locks(tmp_path: Path) -> None:
    """To open and close the file beside SQLite lets go of its locks: another process then removes what is in use."""
    path = tmp_path / "runs.db"
    write = (
        "import sys\nfrom tests.store.saving import header, scored\nfrom toolgauge.store import open_store\n"
        "with open_store(sys.argv[1]) as store:\n    store.keep(header(), scored(3))\n"
    )
    with open_store(path) as store:
        store.keep(header(), scored(3))
        for count in range(2, 6):
            with open_store(path) as again:
                again.runs()
            subprocess.run([sys.executable, "-c", write, str(path)], check=True)
            assert Path(f"{path}-wal").exists()
            assert len(store.runs()) == count
