"""Stores that are made, by several processes at once and by one that is killed."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.saving import header
from tests.store.sqlite.test_store import fill
from toolgauge.store import open_store
from toolgauge.store.sqlite import layout, making

KILLED = """
import os, sys
from toolgauge.store import open_store
from toolgauge.store.sqlite import making
making.upgrade = lambda *_, **__: os.kill(os.getpid(), 9)
open_store(sys.argv[1])
"""


def test_a_kill_while_a_store_is_made_leaves_none(tmp_path: Path) -> None:
    """A1 and A10: what is there is whole, so that an empty file is never one of ours."""
    path = tmp_path / "runs.db"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    assert not path.exists()
    assert fill(path, 2)


def test_two_processes_may_make_one_store_at_the_same_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C1: whoever is ready second takes the store of the first."""
    path = tmp_path / "runs.db"
    upgrade = layout.upgrade
    first: list[str] = []

    def meanwhile(connection: sqlite3.Connection, place: Path) -> None:
        monkeypatch.setattr(making, "upgrade", upgrade)
        assert not path.exists()
        first.append(fill(path, 3))
        upgrade(connection, place)

    monkeypatch.setattr(making, "upgrade", meanwhile)
    with open_store(path) as store:
        assert [run.id for run in store.runs()] == first
        store.begin(header(), 1).finish("finished")
        assert len(store.runs()) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["runs.db"]
