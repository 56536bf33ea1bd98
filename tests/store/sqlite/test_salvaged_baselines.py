"""Baselines of a damaged store stay baselines where their run is whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.store.sqlite.test_store import fill
from toolgauge.store import open_store, salvage_store


def test_a_baseline_is_salvaged_with_its_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    whole, other = fill(path, name="whole"), fill(path, name="other")
    with open_store(path) as store:
        store.set_baseline(whole, "weather")
        store.set_baseline(other, "thời tiết")
        before = store.baselines()
    saved = salvage_store(path, tmp_path / "new.db")
    assert (saved.runs, saved.unreadable) == (2, 0)
    with open_store(tmp_path / "new.db") as store:
        assert store.baselines() == before


def test_a_run_that_lost_trajectories_is_no_baseline_any_more(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    whole, broken = fill(path, name="whole"), fill(path, name="broken")
    with open_store(path) as store:
        store.set_baseline(whole, "whole")
        store.set_baseline(broken, "broken")
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("DELETE FROM trajectories WHERE key = (SELECT MAX(key) FROM trajectories)")
    connection.close()
    salvage_store(path, tmp_path / "new.db")
    with open_store(tmp_path / "new.db") as store:
        assert list(store.baselines()) == ["whole"]
        assert store.find("broken").finished == store.find("broken").planned - 1


def test_a_store_from_before_there_were_baselines_is_salvaged(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    fill(path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("DROP TABLE baselines")
    connection.close()
    assert salvage_store(path, tmp_path / "new.db").runs == 1
    with open_store(tmp_path / "new.db") as store:
        assert store.baselines() == {}
