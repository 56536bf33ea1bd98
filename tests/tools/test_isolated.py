"""Tools in processes of their own: what they write, start and see, and that they go when nobody is there any more."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tools import samples
from tests.tools.test_box import ended
from toolgauge.core import JsonValue
from toolgauge.tools import Box, Called, Isolation, from_function_in_process

ROOT = Path(__file__).parent.parent.parent


def called(
    *calls: tuple[str, dict[str, JsonValue]], isolation: Isolation | None = None, seconds: float = 20
) -> list[Called]:
    """What comes of calls of samples, one after the other, in isolation."""

    async def all_of_them() -> list[Called]:
        names = {name for name, _ in calls}
        tools = [
            from_function_in_process(getattr(samples, name), isolation=isolation, timeout_seconds=seconds)
            for name in names
        ]
        box = Box(tools)
        done = [await box.call(name, args) for name, args in calls]
        await box.close()
        return done

    return asyncio.run(all_of_them())


def test_lines_that_a_tool_writes_into_its_pipes_are_no_replies_and_move_none() -> None:
    calls: list[tuple[str, dict[str, JsonValue]]]
    calls = [("write_everywhere", {"text": f"call {number}"}) for number in range(3)]
    done = called(*calls)
    assert [one.result.value for one in done] == ["call 0", "call 1", "call 2"]


@pytest.mark.parametrize("hang", [False, True])
def test_a_daemon_that_a_tool_starts_ends_with_it(tmp_path: Path, hang: bool) -> None:
    note = tmp_path / "daemon.txt"
    (one,) = called(("start_daemon", {"note": str(note), "hang": hang}), seconds=6)
    assert (one.result.value == "started") is not hang
    assert ended(int(note.read_text(encoding="ascii")))


def test_a_tool_that_starts_process_after_process_is_ended_with_the_last(tmp_path: Path) -> None:
    note = tmp_path / "processes.txt"
    (one,) = called(("fork_without_end", {"note": str(note)}), seconds=3)
    assert one.result.error == "no result after 3 s"
    processes = [int(line) for line in note.read_text(encoding="ascii").split()]
    assert len(processes) > 3
    assert all(ended(process) for process in processes)
    time.sleep(0.2)
    assert len(note.read_text(encoding="ascii").split()) == len(processes), "one that was not seen goes on"


def test_a_process_that_does_not_end_when_its_pipe_does_is_ended() -> None:
    (one,) = called(("close_pipes", {}))
    assert one.result.error == "the process of the tool was killed by SIGKILL"


def test_a_tool_sees_only_plain_variables_and_those_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    monkeypatch.setenv("WEATHER_KEY", "w-0123456789")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    (one,) = called(("environment", {}), isolation=Isolation(variables=frozenset({"WEATHER_KEY"})))
    seen = one.result.value
    assert isinstance(seen, dict)
    assert seen["WEATHER_KEY"] == "w-0123456789"
    assert seen["LC_ALL"] == "C.UTF-8"
    assert "PATH" in seen
    assert "OPENAI_API_KEY" not in seen


def test_a_tool_that_takes_too_much_memory_fails_alone() -> None:
    greedy, other = called(("eat_memory", {}), ("add", {"a": 1, "b": 2}), isolation=Isolation(600_000_000))
    assert "MemoryError" in (greedy.result.error or "")
    assert other.result.value == 3


DAEMON = """
import asyncio, os, sys
from tests.tools import samples
from toolgauge.tools import Box, from_function_in_process
async def main(note, hang):
    box = Box([from_function_in_process(samples.start_daemon)])
    call = asyncio.ensure_future(box.call("start_daemon", {"note": note, "hang": hang}))
    while not (os.path.exists(note) and open(note).read()):
        await asyncio.sleep(0.02)
    if not hang:
        await call
    os.kill(os.getpid(), 9)
asyncio.run(main(sys.argv[1], sys.argv[2] == "True"))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells processes that their parent died")
@pytest.mark.parametrize("hang", [False, True])
def test_daemons_of_tools_end_when_the_run_is_killed(tmp_path: Path, hang: bool) -> None:
    note = tmp_path / "daemon.txt"
    command = [sys.executable, "-c", DAEMON, str(note), str(hang)]
    killed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert killed.returncode == -9, killed.stderr
    assert_ends(int(note.read_text(encoding="ascii")))


def test_a_daemon_of_a_tool_that_crashes_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "daemon.txt"
    (one,) = called(("start_daemon_and_crash", {"note": str(note)}))
    assert one.result.error == "the process of the tool was killed by SIGSEGV"
    assert ended(int(note.read_text(encoding="ascii")))


KILLED = """
import asyncio, os, sys
from tests.tools import samples
from toolgauge.tools import Box, from_function_in_process
async def main():
    box = Box([from_function_in_process(samples.own_number), from_function_in_process(samples.sleep)])
    print((await box.call("own_number", {})).result.value, flush=True)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells processes that their parent died")
def test_processes_of_tools_end_when_the_run_is_killed() -> None:
    command = [sys.executable, "-c", KILLED]
    killed = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert killed.returncode == -9, killed.stderr
    assert_ends(int(killed.stdout))


def assert_ends(pid: int) -> None:
    for _ in range(500):
        if ended(pid):
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} lives on, beside {os.getpid()}")
