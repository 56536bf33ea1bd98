"""Runs in stores of every kind: which is the latest, in which order one is read, and who says what its suite is."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.store.saving import header, scored
from tests.store.test_store import fill
from toolgauge.core import RunHeader, Score, Scored, Trajectory
from toolgauge.store import RunStore, import_run, open_store


def test_latest_is_the_run_that_was_stored_last_whatever_the_clock_says(store_address: str) -> None:
    with open_store(store_address) as store:
        kept = [keep(store, created) for created in ("2026-05-01", "9999-12-31", "2026-05-02", "1970-01-01")]
        assert store.find("latest").id == kept[-1]
        assert store.find("n@latest").id == kept[-1]
        assert [run.id for run in store.runs()] == kept[::-1]
        store.delete(kept[-1])
        assert store.find("latest").id == kept[-2]
        assert store.find("latest").id != keep(store, "2026-01-01")


def keep(store: RunStore, created: str) -> str:
    made: RunHeader = replace(header(), created=f"{created}T10:00:00+00:00")
    return store.keep(made, scored(2), name="n")


def test_a_run_is_read_in_the_order_of_its_plan(store_address: str) -> None:
    """In whatever order its trajectories were finished."""
    plan = [(agent, f"c{number:03d}", trial) for agent in ("m", "a") for number in range(3) for trial in (1, 2)]
    with open_store(store_address) as store:
        writer = store.begin(replace(header(), agents=("m", "a"), about={"trials": 2}), len(plan))
        for agent, case, trial in sorted(plan, key=lambda key: (-key[2], key[1], key[0])):
            score = Score(case, agent, trial, "completed")
            writer.save(Scored(Trajectory(case, agent, trial), score))
        found = [one.trajectory for one in store.open_run(writer.id)]
    assert [(one.agent, one.case, one.trial) for one in found] == plan


def test_a_stranger_may_not_name_the_suite_of_another_run(store_address: str, tmp_path: Path) -> None:
    """What a file says of the hash of its suite is not believed: it would stand for that suite in other runs."""
    store = store_address
    run = fill(store, 2)
    with open_store(store) as opened:
        exported = b"".join(opened.open_run(run).export())
        known = opened.info(run).suite_hash
    file = tmp_path / "poison.run.jsonl"
    poisoned = exported.replace(b'"c000"', b'"c999"').replace(b'"suite_hash":""', f'"suite_hash":"{known}"'.encode())
    file.write_bytes(poisoned)
    with open_store(store) as opened:
        imported = import_run(opened, file)
        assert opened.info(imported).suite_hash != known
        assert opened.open_run(run).header.suite.cases[0].id == "c000"
