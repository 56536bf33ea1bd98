"""Agents and tools that block the event loop: they are named, stopped in time, and hold up no signals."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import toolgauge
from tests.runner import sample_agents
from tests.runner.test_faults import MINE, SAMPLES, end, load, start, states, until
from tests.runner.weather import counts, suite, trajectories, write_suite
from toolgauge.core import Case, Limits, Toolbox
from toolgauge.tools import from_function

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signal interrupts a call that blocks there")

BLOCKING = ["blocks_the_loop", "spins_in_the_loop", "in_a_task_of_its_own", "waits_for_a_server"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Somebody looks often."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("toolgauge.runner.watchdog.LOOK_SECONDS", 0.02)
    monkeypatch.setattr("toolgauge.runner.watchdog.PATIENCE_SECONDS", 0.05)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("agent", BLOCKING)
def test_an_agent_that_blocks_the_loop_is_named_and_stopped_at_its_limit(agent: str) -> None:
    told: list[str] = []
    run = toolgauge.run(
        suite(4),
        {"blocking": getattr(sample_agents, agent)},
        store=False,
        limits=Limits(seconds=0.6),
        tell=told.append,
    )
    assert counts(run) == {"passed": 3, "timeout": 1}
    odd = trajectories(run)[1]
    assert odd.error == "no answer after 0.6 s"
    assert any(event["kind"] == "blocked" and "sample_agents.py:" in str(event["place"]) for event in odd.events)
    assert told, "nobody was told"
    assert all(line.startswith("the agent 'blocking' blocks the event loop at sample_agents.py:") for line in told)
    assert "--isolate-agent" in told[0]


@pytest.mark.usefixtures("quick")
def test_a_tool_that_blocks_the_loop_fails_at_the_limit_of_a_call() -> None:
    async def get_weather(city: str) -> dict[str, int]:
        if not slept:
            slept.append(city)
            time.sleep(600)
        return {"celsius": 31}

    async def agent(case: Case, tools: Toolbox) -> str:
        first = await tools.call("get_weather", {"city": "Hanoi"})
        return (await tools.call("get_weather", {"city": "Hanoi"})).text if first.error else first.text

    slept: list[str] = []
    told: list[str] = []
    run = toolgauge.run(
        suite(3), agent, tools=[from_function(get_weather)], store=False, call_seconds=0.5, tell=told.append
    )
    assert counts(run).get("passed", 0) + counts(run).get("failed", 0) == 3
    assert [call.error for one in trajectories(run) for call in one.calls if call.error] == ["no result after 0.5 s"]
    assert told[0].startswith("the tool 'get_weather' blocks the event loop at test_blocking.py:")
    assert told[0].endswith("--isolate")


@pytest.mark.usefixtures("quick")
def test_what_only_takes_a_while_is_left_alone() -> None:
    async def agent(case: Case, tools: Toolbox) -> str:
        if case.id == "c1":
            time.sleep(0.5)
        return (await tools.call("get_weather", {"city": "Hanoi"})).text

    assert counts(toolgauge.run(suite(3), agent, store=False)) == {"passed": 3}


@pytest.mark.usefixtures("quick")
def test_in_another_thread_the_agent_is_named_at_least() -> None:
    over = threading.Event()

    async def agent(case: Case, tools: Toolbox) -> str:
        over.wait(30)
        return (await tools.call("get_weather", {"city": "Hanoi"})).text

    def tell(words: str) -> None:
        told.append(words)
        over.set()

    async def program() -> Any:
        return toolgauge.run(suite(1), {"mine": agent}, store=False, tell=tell)

    told: list[str] = []
    assert counts(asyncio.run(program())) == {"passed": 1}
    assert told[0].startswith("the agent 'mine' blocks the event loop at test_blocking.py:")
    assert "in threading.py:" in told[0]


@pytest.mark.parametrize(
    ("signals", "code"),
    [((signal.SIGINT,), 130), ((signal.SIGINT, signal.SIGINT), 130), ((signal.SIGTERM,), 143)],
    ids=["interrupt", "second interrupt", "terminated"],
)
@pytest.mark.parametrize("agent", ["blocks_the_loop", "spins_in_the_loop"])
def test_signals_are_heard_though_an_agent_blocks_the_loop(
    tmp_path: Path, signals: tuple[int, ...], code: int, agent: str
) -> None:
    write_suite(tmp_path, 4)
    process = start(
        tmp_path, "suite.json", "--agent", f"{SAMPLES}:{agent}", *MINE, "--concurrency", "1", "--grace", "1"
    )
    until(tmp_path / "hanging-c1")
    for number in signals:
        process.send_signal(number)
        time.sleep(0.3)
    ended, output, errors = end(process)
    assert ended == code, errors
    assert "4 planned" in output
    assert "resume with: " in errors
    assert states(load(tmp_path)) == {"passed": 1, "not_run": 3}


def test_a_third_interrupt_is_no_error_of_the_agent(tmp_path: Path) -> None:
    """It ends the program wherever it is, and nothing of it is stored."""
    write_suite(tmp_path, 3)
    process = start(tmp_path, "suite.json", "--agent", f"{SAMPLES}:blocks_the_loop", *MINE, "--concurrency", "1")
    until(tmp_path / "hanging-c1")
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    ended, _, errors = end(process)
    assert ended == 130, errors
    found = load(tmp_path)
    assert states(found) == {"passed": 1, "not_run": 2}
    assert all(one.trajectory.error in (None, "interrupted") for one in found.scored)
