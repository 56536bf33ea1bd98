"""Damaged stores, made by the hundred: each is read or called damaged, and what is salvaged can be read."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.budgets import seeds
from tests.store.saving import header, scored
from toolgauge.core import Review
from toolgauge.errors import StoreError, UsageError
from toolgauge.store import open_store, salvage_store

TRIES = 40
"""How many stores are damaged for each number."""

PAGE = 4096

Result = TypeVar("Result")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store with several runs, reviews, a baseline, and a run that was interrupted."""
    path = tmp_path_factory.mktemp("whole") / "runs.db"
    with open_store(path) as store:
        for number in range(3):
            run = store.keep(header(), scored(30), name=f"run {number}")
            store.review(run, [Review("c001", "right", "m", 1)])
        store.set_baseline(run, "main")
        writer = store.begin(header(), 20)
        for one in scored(10):
            writer.begin_case(one.trajectory.agent, one.trajectory.case, 1)
            writer.save(one)
        writer.begin_case("m", "c015", 1)
        writer.finish("interrupted")
    return path.read_bytes()


def spoilt(whole: bytes, dice: random.Random) -> bytes:
    """A store to which one of the things has happened that happen to files."""
    data = bytearray(whole)
    kind = dice.randrange(6)
    if kind == 0:
        return bytes(data[: dice.randrange(len(data))])
    if kind == 1:
        for _ in range(dice.choice((1, 3, 20, 200))):
            data[dice.randrange(len(data))] = dice.randrange(256)
    elif kind == 2:
        for _ in range(dice.randrange(1, 5)):
            start = dice.randrange(len(data) // PAGE) * PAGE
            data[start : start + PAGE] = dice.randbytes(PAGE) if dice.random() < 0.5 else bytes(PAGE)
    elif kind == 3:
        one, other = (dice.randrange(len(data) // PAGE) * PAGE for _ in range(2))
        data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]
    elif kind == 4:
        # The beginnings of pages say where everything is.
        for _ in range(dice.choice((1, 5, 30))):
            data[dice.randrange(len(data) // PAGE) * PAGE + dice.randrange(16)] = dice.randrange(256)
    else:
        start = dice.randrange(len(data) - 50)
        data[start : start + 50] = whole[dice.randrange(len(whole) - 50) :][:50]
    return bytes(data)


def read_everything(path: Path) -> int:
    """Read all runs of a store in every way, and return how many there are."""
    with open_store(path, create=False) as store:
        runs = store.runs()
        store.baselines()
        for run in runs:
            opened = store.open_run(run.id)
            for thing in (opened, opened.pairs(), opened.reviews(), opened.cases(), opened.numbered_lines()):
                list(thing)
            list(opened.export())
        return len(runs)


@pytest.mark.parametrize("seed", seeds(30))
def test_a_damaged_store_is_read_or_called_damaged_and_what_is_salvaged_can_be_read(
    whole: bytes, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    for number in range(TRIES):
        path, saved = tmp_path / f"{number}.db", tmp_path / f"{number}.saved.db"
        path.write_bytes(spoilt(whole, dice))
        said, _ = attempted(partial(read_everything, path))
        assert len(said.splitlines()) <= 2
        said, found = attempted(partial(salvage_store, path, saved))
        assert "no run could be read" in said if found is None else read_everything(saved) == found.runs
        assert saved.exists() == (found is not None)


def attempted(action: Callable[[], Result]) -> tuple[str, Result | None]:
    """What the store says against doing something, and what comes of it."""
    try:
        return "", action()
    except (StoreError, UsageError) as error:
        return str(error), None


FALSE_LINES: list[Callable[[dict[str, Any]], object]] = [
    lambda line: line["score"].update(call_precision=None),
    lambda line: line["score"].update(score=None),
    lambda line: line["score"].update(plan=7),
    lambda line: line["score"].update(alignment=[{"expected": 9, "call": 0, "params": 1.0}]),
    lambda line: line["score"].update(issues=[{"kind": "missing_call", "tool": "t", "call": 99}]),
    lambda line: line["score"].update(state="error"),
    lambda line: line.update(calls=[]),
]


@pytest.mark.parametrize("change", FALSE_LINES)
def test_a_row_that_cannot_be_true_of_its_run_is_damage_and_not_salvaged(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    path, saved = tmp_path / "runs.db", tmp_path / "saved.db"
    with open_store(path) as store:
        store.keep(header(), scored(5))
    with closing(sqlite3.connect(path)) as connection:
        (key, data), *_ = connection.execute("SELECT key, line FROM trajectories").fetchall()
        line = json.loads(data)
        change(line)
        connection.execute("UPDATE trajectories SET line = ? WHERE key = ?", (json.dumps(line).encode(), key))
        connection.commit()
    said, _ = attempted(partial(read_everything, path))
    assert "damaged" in said
    assert "runs salvage" in said
    found = salvage_store(path, saved)
    assert (found.runs, found.trajectories, found.unreadable) == (1, 4, 1)
    assert read_everything(saved) == 1
