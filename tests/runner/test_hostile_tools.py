"""Tools that do what tools should not, in whole runs: the run goes on, and says what happened."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import toolgauge
from tests.runner.weather import counts, suite, trajectories
from tests.tools import samples
from toolgauge.core import Call, Case, Run, Toolbox
from toolgauge.tools import Isolation, from_function, from_function_in_process


def get_weather(city: str) -> dict[str, int]:
    """A tool that works."""
    return {"celsius": 31}


async def tries(case: Case, tools: Toolbox) -> str:
    """Call the hostile tool on the first case only, and then do what is expected."""
    if case.id == "c0":
        (hostile,) = [tool for tool in tools.definitions if tool.name == "hostile"]
        wanted = (hostile.parameters or {}).get("required")
        await tools.call("hostile", {"seconds": 60} if wanted == ["seconds"] else {})
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


def run_with(hostile: Any, told: list[str] | None = None) -> Run:
    """A run whose agent meets the tool; all cases but perhaps the first pass."""
    run = toolgauge.run(
        suite(3, tools=()),
        tries,
        tools=[hostile, get_weather],
        store=False,
        call_seconds=0.5,
        tell=None if told is None else told.append,
    )
    found = trajectories(run)
    assert [one.state for one in found] == ["completed"] * 3
    assert [one.output for one in found] == ['{"celsius":31}'] * 3
    assert sum(counts(run).values()) == 3
    return run


def met(run: Run) -> Call:
    """The call of the hostile tool."""
    call = trajectories(run)[0].calls[0]
    assert call.tool == "hostile"
    return call


def raises() -> None:
    raise LookupError("nothing there")


def exits() -> None:
    sys.exit(7)


def interrupts() -> None:
    raise KeyboardInterrupt("me")


async def exits_later() -> None:
    await asyncio.sleep(0)
    sys.exit(7)


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (raises, "LookupError: nothing there"),
        (exits, "SystemExit: 7"),
        (interrupts, "KeyboardInterrupt: me"),
        (exits_later, "SystemExit: 7"),
    ],
)
def test_what_a_tool_raises_is_a_failed_call(function: Any, error: str) -> None:
    """E1."""
    run = run_with(from_function(function, name="hostile"))
    assert met(run).error == error
    if function is raises:
        (event,) = trajectories(run)[0].events
        assert (event["kind"], event["call"]) == ("tool_trace", 0)
        assert "in raises" in str(event["trace"])


async def hangs() -> None:
    await asyncio.Event().wait()


async def hangs_on() -> None:
    while True:
        try:
            await asyncio.sleep(0.2)
        except asyncio.CancelledError:
            if over.is_set():
                raise


over = threading.Event()


@contextmanager
def released() -> Iterator[None]:
    over.clear()
    try:
        yield
    finally:
        over.set()


def blocks() -> None:
    over.wait(30)


@pytest.mark.parametrize(("function", "left"), [(hangs, 0), (hangs_on, 1), (blocks, 1)])
def test_a_tool_that_hangs_is_a_failed_call_and_holds_up_nobody(function: Any, left: int) -> None:
    """E2: what cannot be stopped is left behind, and reported."""
    told: list[str] = []
    with released():
        run = run_with(from_function(function, name="hostile"), told)
    assert met(run).error == "no result after 0.5 s"
    assert len(told) == left
    if left:
        assert told[0].startswith("tool 'hostile': 1 call did not stop when told to")


def test_a_tool_that_hangs_in_a_process_of_its_own_is_killed() -> None:
    """E2, isolated."""
    told: list[str] = []
    run = run_with(from_function_in_process(samples.sleep, name="hostile"), told)
    assert str(met(run).error).startswith("no result after 0.5 s")
    assert told == []


def test_a_large_result_is_cut_and_its_size_recorded() -> None:
    """E4."""

    def large() -> str:
        return "x" * 50_000_000

    run = run_with(from_function(large, name="hostile"))
    assert len(str(met(run).result)) == 1_000_000
    assert trajectories(run)[0].events == ({"kind": "result_cut", "call": 0, "bytes": 50_000_000},)


@pytest.mark.parametrize("function", [samples.crash, samples.eat_memory])
def test_a_crash_in_a_process_of_its_own_is_a_failed_call(function: Any) -> None:
    """E6."""
    hostile = from_function_in_process(function, name="hostile", isolation=Isolation(1_000_000_000), timeout_seconds=20)
    assert met(run_with(hostile)).error is not None


def test_processes_and_threads_that_are_left_are_ended_or_reported() -> None:
    """E8."""
    children: list[subprocess.Popen[bytes]] = []
    threads: list[threading.Thread] = []

    def leaves() -> str:
        children.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
        threads.append(threading.Thread(target=over.wait, args=(30,), daemon=False))
        threads[0].start()
        return "done"

    told: list[str] = []
    with released():
        run_with(from_function(leaves, name="hostile"), told)
    threads[0].join()
    assert [line.split(" behind")[0] for line in told] == ["tools left 1 process", "tools left 1 thread"]
    for _ in range(500):
        if children[0].poll() is not None:
            break
        time.sleep(0.01)
    assert children[0].wait(timeout=10) != 0
