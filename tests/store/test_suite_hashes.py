"""The hash of a suite stands for it in a store, so it is computed: nobody's run gets the suite of a stranger."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.runner.weather import ROOT
from tests.store.saving import SUITE, header, scored
from toolgauge import api
from toolgauge.core import Case, Expect, ExpectedCall, RunHeader, Suite, ToolDefinition, encode_suite, suite_hash
from toolgauge.errors import StoreError
from toolgauge.report import RunDocument, render
from toolgauge.store import copy_run, import_run, open_store, salvage_store
from toolgauge.suites import load_suite
from toolgauge.viewer.overview import basis_of

KNOWN = suite_hash(SUITE)
ANOTHER = replace(SUITE, cases=(replace(SUITE.cases[0], input="another question"), *SUITE.cases[1:]))
FALSE = replace(header(), suite=ANOTHER, suite_hash=KNOWN)
"""It says that its suite is the one of the other runs."""


def keep_own(address: str) -> RunHeader:
    """Keep a run of one's own suite, and return the header that it has from then on."""
    with open_store(address) as store:
        return store.open_run(store.keep(replace(header(), suite_hash=KNOWN), scored(2))).header


def stranger(path: Path) -> Path:
    """A store in which another suite is kept under the hash of one's own."""
    with open_store(path) as store:
        store.keep(replace(header(), suite=ANOTHER, suite_hash=suite_hash(ANOTHER)), scored(2), name="his")
    connection = sqlite3.connect(path)
    with connection:
        ((written,),) = connection.execute("SELECT header FROM runs").fetchall()
        known = written.replace(suite_hash(ANOTHER).encode(), KNOWN.encode())
        connection.execute("UPDATE suites SET hash = ?", (KNOWN,))
        connection.execute("UPDATE runs SET suite = ?, header = ?", (KNOWN, known))
    connection.close()
    return path


def by_keeping(address: str, _: Path) -> None:
    with open_store(address) as store:
        store.keep(FALSE, scored(2), name="his")


def by_beginning(address: str, _: Path) -> None:
    with open_store(address) as store:
        store.begin(FALSE, 2, name="his")


def by_importing(address: str, folder: Path) -> None:
    lines = [msgspec.json.encode(replace(FALSE, trajectories=2))]
    lines += [msgspec.json.encode(msgspec.to_builtins(one.trajectory) | {"score": one.score}) for one in scored(2)]
    (folder / "his.run.jsonl").write_bytes(b"\n".join(lines))
    with open_store(address) as store:
        import_run(store, folder / "his.run.jsonl", name="his")


def by_copying(address: str, folder: Path) -> None:
    with open_store(stranger(folder / "his.db"), create=False) as his, open_store(address) as store:
        copy_run(his, "latest", store)


WAYS = (by_keeping, by_beginning, by_importing, by_copying)


@pytest.mark.parametrize("way", WAYS)
def test_a_run_that_claims_the_hash_of_a_suite_changes_no_later_run(
    store_address: str, tmp_path: Path, way: Callable[[str, Path], None]
) -> None:
    way(store_address, tmp_path)
    assert keep_own(store_address).suite == SUITE
    with open_store(store_address, create=False) as store:
        his = store.find("his")
        assert his.suite_hash == store.open_run(his.id).header.suite_hash == suite_hash(ANOTHER)
        assert store.open_run(his.id).header.suite == ANOTHER


def test_a_store_that_keeps_another_suite_under_a_hash_takes_no_run_of_that_suite(tmp_path: Path) -> None:
    store = stranger(tmp_path / "his.db")
    with pytest.raises(StoreError, match="another one"):
        keep_own(str(store))
    with open_store(store, create=False) as opened:
        assert [run.name for run in opened.runs()] == ["his"]


@pytest.mark.deep
def test_a_team_store_that_keeps_another_suite_under_a_hash_takes_no_run_of_that_suite(team_store: str) -> None:
    import psycopg

    keep_own(team_store)
    with psycopg.connect(team_store) as connection:
        connection.execute("UPDATE suites SET suite = %s", (encode_suite(ANOTHER),))
    with pytest.raises(StoreError, match="another one"):
        keep_own(team_store)


def test_salvaged_suites_are_kept_by_their_own_hashes_also_where_two_were_exchanged(tmp_path: Path) -> None:
    path = tmp_path / "his.db"
    suites = {"a": SUITE, "b": ANOTHER, "c": replace(SUITE, name="third")}
    with open_store(path) as store:
        for name, suite in suites.items():
            store.keep(replace(header(), suite=suite), scored(2), name=name)
    connection = sqlite3.connect(path)
    with connection:
        for table, column in (("suites", "hash"), ("runs", "suite")):
            for before, now in ((suite_hash(SUITE), "x"), (suite_hash(ANOTHER), KNOWN), ("x", suite_hash(ANOTHER))):
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (now, before))  # noqa: S608
    connection.close()
    salvage_store(path, tmp_path / "new.db")
    with open_store(tmp_path / "new.db") as store:
        for name, suite in suites.items():
            found = store.find(name)
            assert (found.suite_hash, store.open_run(found.id).header.suite) == (suite_hash(suite), suite)
    assert keep_own(str(tmp_path / "new.db")).suite == SUITE


def rule(value: object) -> bool:
    return bool(value)


RULES: dict[str, Any] = {"x": rule, "y": {"$not": rule}}
ODD = {
    "a rule in Python": Suite("s", (Case("a", expect=Expect((ExpectedCall("t", RULES),))),)),
    "half a character": Suite("half \ud800", (Case("\udfff", input="\ud83d"),), (ToolDefinition("\ude00"),)),
    "numbers": Suite("n", (Case("a", expect=Expect((ExpectedCall("t", {"x": [1, 1.0, -0.0, 2**60, 1e300, True]}),))),)),
    "order of keys": Suite(
        "k", (Case("a", labels={"z": "1", "a": "2"}),), (ToolDefinition("t", parameters={"b": 1, "a": 2}),)
    ),
}


KEPT: dict[str, Suite | Path] = {
    **ODD,
    **{path.relative_to(ROOT).as_posix(): path for path in sorted(ROOT.glob("examples/**/suite*.yaml"))},
}


@pytest.mark.parametrize("suite", KEPT.values(), ids=KEPT)
def test_a_suite_that_was_kept_and_read_again_has_the_same_hash(suite: Suite | Path) -> None:
    found = load_suite(suite) if isinstance(suite, Path) else suite
    again = msgspec.json.decode(encode_suite(found), type=Suite)
    assert suite_hash(again) == suite_hash(found)


def test_reports_and_the_viewer_compute_the_hash_too() -> None:
    done = api.score(ANOTHER, [one.trajectory for one in scored(2)])
    run = replace(done.header, suite_hash=KNOWN)
    false = type(done)(run, done.summary, done.scored)
    assert json.loads("".join(render(RunDocument(false), "json")))["suite"]["hash"] == suite_hash(ANOTHER)
    assert basis_of(run)["suite"] != basis_of(replace(header(), suite_hash=KNOWN))["suite"]
