"""What has to be true of a store after a kill."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from toolgauge.store import open_store

__all__ = ["Kept", "check_folder", "kept_in"]

Kept = dict[str, set[tuple[str, str, int]]]
"""By the ids of runs the agents, cases and trials that are in them."""

TEMPORARY = re.compile(r"\.tmp$|\.new-\d|-journal$|^tmp")


def kept_in(path: Path) -> Kept:
    """What a store holds, after a look at every row of it: it is whole, and nothing is in it twice."""
    if not path.exists():
        return {}
    found: Kept = {}
    with open_store(path, create=False) as store:
        for info in store.runs():
            lines = [one.trajectory for one in store.open_run(info.id)]
            keys = {(line.agent, line.case, line.trial) for line in lines}
            assert len(keys) == len(lines), f"{info.id} has something twice"
            assert info.finished == len(lines), f"{info.id} has {len(lines)} lines, and says {info.finished}"
            if info.state == "finished":
                assert info.finished == info.planned, f"{info.id} is finished without {info.planned - info.finished}"
            found[info.id] = keys
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return found


def check_folder(folder: Path) -> None:
    """Make sure that after another command nothing is left of those that were killed."""
    left = [path.name for path in folder.rglob("*") if TEMPORARY.search(path.name)]
    assert not left, f"files are left behind: {left}"
