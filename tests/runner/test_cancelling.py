"""Programs that cancel a run, and tasks that refuse to end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.runner.weather import solver, suite
from toolgauge import api
from toolgauge.core import Case, Toolbox
from toolgauge.runner import run_in_loop
from toolgauge.store import open_store


def test_a_run_that_is_cancelled_stops_its_agents_and_lets_go_of_the_store(tmp_path: Path) -> None:
    begun: list[str] = []
    stopped: list[str] = []

    async def agent(case: Case, tools: Toolbox) -> str:
        begun.append(case.id)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(case.id)
            raise
        return ""

    async def program() -> None:
        running = asyncio.create_task(api.run_async(suite(5), agent, store=tmp_path / "runs.db", concurrency=2))
        while len(begun) < 2:
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0)

    asyncio.run(program())
    assert sorted(stopped) == sorted(begun) == ["c0", "c1"]
    with open_store(tmp_path / "runs.db") as store:
        info = store.find("latest")
    assert (info.state, info.held_by, info.finished) == ("interrupted", None, 0)
    run = run_in_loop(api.run_async(suite(5), "tools", model=solver(), store=tmp_path / "runs.db"))
    assert run.summary.counts.passed == 5


def test_a_loop_of_its_own_ends_though_a_task_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.runner.event_loop.CLOSING_SECONDS", 0.05)
    left: list[asyncio.Task[None]] = []

    async def stays() -> None:
        for _ in range(3):
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                continue

    async def program() -> str:
        left.append(asyncio.create_task(stays()))
        await asyncio.sleep(0)
        return "done"

    assert run_in_loop(program()) == "done"
    assert not left[0].done()
    left[0]._log_destroy_pending = False  # type: ignore[attr-defined]  # it is pending on purpose


def test_errors_come_out_of_the_thread_that_a_running_loop_needs() -> None:
    async def fails() -> None:
        raise LookupError("inside")

    async def program() -> None:
        with pytest.raises(LookupError, match="inside"):
            run_in_loop(fails())

    asyncio.run(program())
