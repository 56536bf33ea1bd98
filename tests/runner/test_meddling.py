"""Code under test that meddles with what it runs in: the event loop, the streams, signals, the process, the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolgauge
from tests.cli.running import toolgauge as command
from tests.runner.test_faults import MINE, alive, end, load, start, states, until
from tests.runner.weather import counts, suite, trajectories, write_suite
from toolgauge.core import Call, Case, Limits, Toolbox, Trajectory

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has no such signals and processes")

MEDDLING = """
import asyncio, atexit, decimal, gc, io, locale, os, signal, subprocess, sys, threading, time, warnings
from pathlib import Path

def loop():
    return asyncio.get_running_loop()

def task(error):
    async def raises():
        raise error
    asyncio.ensure_future(raises())

def callback(error):
    def raises():
        raise error
    loop().call_soon(raises)

class Ends(BaseException):
    pass

def alarm():
    def rings(*_):
        raise LookupError("the alarm of an agent")
    signal.signal(signal.SIGALRM, rings)
    signal.setitimer(signal.ITIMER_REAL, 0.2)

def factory():
    def refuses(*_, **__):
        raise LookupError("no tasks here")
    loop().set_task_factory(refuses)

def policy():
    class Policy(asyncio.DefaultEventLoopPolicy):
        def new_event_loop(self):
            raise LookupError("no loop here")
    asyncio.set_event_loop_policy(Policy())

def for_ever():
    async def stays():
        while True:
            try:
                await asyncio.sleep(1)
            except BaseException:
                pass
    asyncio.ensure_future(stays())

def generator():
    async def gives():
        try:
            yield 1
        finally:
            await asyncio.sleep(600)
    async def takes():
        kept.append(gives())
        await anext(kept[-1])
    asyncio.ensure_future(takes())

kept = []

def signals(handler):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGURG, signal.SIGCHLD):
        signal.signal(number, handler)

def gone():
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")

def decimals():
    decimal.getcontext().prec = 1
    decimal.DefaultContext.prec = 1

def sign(name):
    with open(FOLDER + "/" + name, "a") as file:
        file.write(f"{os.getpid()}\\n")

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        sign("daemon.txt")
        time.sleep(600)
    while not os.path.exists(FOLDER + "/daemon.txt"):
        time.sleep(0.01)

def copy():
    if os.fork() == 0:
        raise LookupError("in the copy")

WAYS = {
    "loop": [
        lambda: task(SystemExit(4)), lambda: task(KeyboardInterrupt()), lambda: task(LookupError("later")),
        lambda: task(Ends()), lambda: callback(SystemExit(4)), lambda: callback(KeyboardInterrupt()),
        lambda: callback(LookupError("later")), lambda: loop().stop(), lambda: loop().call_soon(loop().stop),
        lambda: [one.cancel() for one in asyncio.all_tasks() if one is not asyncio.current_task()],
        lambda: asyncio.set_event_loop(None), policy, lambda: loop().set_debug(True),
        lambda: loop().set_exception_handler(lambda *_: None), for_ever, generator, factory,
    ],
    "streams": [
        lambda: sys.stdout.close(), lambda: sys.stderr.close(), lambda: sys.__stdout__.close(),
        lambda: setattr(sys, "stdout", None), lambda: setattr(sys, "stderr", None),
        lambda: setattr(sys, "stdout", io.StringIO()), lambda: setattr(sys, "stderr", io.StringIO()),
        lambda: print("in vain"), lambda: os.write(1, b"in vain"), lambda: [os.close(1), os.close(2)],
    ],
    "signals": [
        alarm, lambda: signals(signal.SIG_IGN), lambda: signals(signal.SIG_DFL), lambda: signals(lambda *_: None),
        lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)),
    ],
    "process": [
        gone, os.environ.clear, lambda: os.umask(0o777), decimals, lambda: sys.setrecursionlimit(150),
        lambda: sys.set_int_max_str_digits(640), lambda: locale.setlocale(locale.LC_ALL, "C"),
        lambda: warnings.simplefilter("error"), gc.disable, lambda: sys.argv.append(None), sys.path.clear,
        lambda: setattr(sys, "excepthook", lambda *_: os._exit(9)), copy, daemon,
    ],
    "end": [
        lambda: loop().run_in_executor(None, time.sleep, 600), lambda: atexit.register(time.sleep, 600),
        lambda: threading.Thread(target=time.sleep, args=(600,)).start(),
        lambda: atexit.register(lambda: print("a last word")),
    ],
}

async def agent(case, tools):
    if case.id != "c0":
        way = WAYS[WHICH][int(case.id[1:]) - 1]
        if HOW == "agent":
            way()
        else:
            pending.append(way)
            await tools.call("meddle", {})
        if WHICH == "signals":
            await asyncio.sleep(0.4)
    return (await tools.call("get_weather", {"city": "Hanoi"})).text

pending = []
WHICH, HOW, FOLDER = os.environ["WAY"], os.environ["HOW"], os.environ["FOLDER"]

async def meddle():
    pending.pop()()

def get_weather(city: str):
    return {"celsius": 31}
"""


@pytest.mark.parametrize("how", ["agent", "tool"])
@pytest.mark.parametrize(
    ("way", "number"), [("loop", 17), ("streams", 10), ("signals", 5), ("process", 14), ("end", 4)]
)
def test_nothing_that_code_under_test_does_to_its_surroundings_ends_or_changes_a_run(
    tmp_path: Path, way: str, number: int, how: str
) -> None:
    """Each case does another thing; all of them pass, are kept, and the results can be read."""
    write_suite(tmp_path, number + 1)
    (tmp_path / "meddling.py").write_text(MEDDLING, encoding="utf-8")
    tools = ("--tools", "meddling:get_weather", "--tools", "meddling:meddle") if how == "tool" else ()
    arguments = ("--agent", "meddling:agent", *MINE, *tools, "--concurrency", "1", "--format", "json")
    environment = {"PYTHONPATH": str(tmp_path), "WAY": way, "HOW": how, "FOLDER": str(tmp_path)}
    done = command(
        "run", "suite.json", *arguments, "--run-file", "x.run.jsonl", cwd=tmp_path, **environment
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    found = json.loads(done.stdout)["counts"]
    assert found["planned"] == found["passed"] == number + 1, done.stderr
    assert states(load(tmp_path)) == {"passed": number + 1}
    assert (tmp_path / "x.run.jsonl").exists()
    if way == "loop":
        assert "in the background, LookupError: later was raised at meddling.py:" in done.stderr
    if way == "process":
        assert not alive(int((tmp_path / "daemon.txt").read_text(encoding="ascii")))
        assert "tools left 1 process behind" in done.stderr
    if way == "end":
        assert "a last word" not in done.stdout


CATCHING = """
import asyncio, re, time
from pathlib import Path

def catching(wait):
    while True:
        try:
            wait()
        except BaseException:
            pass

async def awaits(case, tools):
    while case.id == "c1":
        try:
            await asyncio.sleep(0.1)
        except BaseException:
            pass
    return (await tools.call("get_weather", {"city": "Hanoi"})).text

async def computes(case, tools):
    if case.id == "c1":
        re.fullmatch("(a|aa)+b", "a" * 200)
    return (await tools.call("get_weather", {"city": "Hanoi"})).text

async def blocks(case, tools):
    if case.id == "c1":
        catching(lambda: time.sleep(600))
    return (await tools.call("get_weather", {"city": "Hanoi"})).text

async def spins(case, tools):
    if case.id == "c1":
        catching(lambda: sum(range(1000)))
    return (await tools.call("get_weather", {"city": "Hanoi"})).text

async def keeps(case, tools):
    kept = []
    while case.id == "c1" and not Path("once").exists():
        Path("hanging-c1").touch()
        try:
            time.sleep(600)
        except BaseException as error:
            kept.append(error)
    return (await tools.call("get_weather", {"city": "Hanoi"})).text

def in_a_thread(case, tools):
    if case.id == "c1":
        catching(lambda: time.sleep(0.1))
    return tools.call("get_weather", {"city": "Hanoi"}).text
"""


@pytest.fixture
def catching(tmp_path: Path) -> Path:
    write_suite(tmp_path, 3)
    (tmp_path / "catching.py").write_text(CATCHING, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("agent", ["awaits", "blocks", "spins", "computes", "in_a_thread"])
def test_an_agent_that_catches_everything_or_lets_no_thread_run_is_left_at_its_limit(
    catching: Path, agent: str
) -> None:
    arguments = ("--agent", f"catching:{agent}", *MINE, "--limit-seconds", "1", "--format", "json")
    done = command("run", "suite.json", *arguments, cwd=catching, PYTHONPATH=str(catching))
    assert done.returncode == 0, done.stderr
    assert "Task was destroyed" not in done.stderr
    assert "Traceback" not in done.stderr
    assert states(load(catching)) == {"passed": 2, "timeout": 1}


@pytest.mark.parametrize(
    ("signals", "code"),
    [((), 3), ((signal.SIGINT,), 130), ((signal.SIGINT,) * 3, 130), ((signal.SIGTERM,), 143)],
    ids=["limit", "interrupt", "third interrupt", "terminated"],
)
def test_what_catches_whatever_would_stop_it_ends_with_the_process_and_the_run_is_resumed(
    catching: Path, signals: tuple[int, ...], code: int
) -> None:
    limit = () if signals else ("--limit-seconds", "1")
    arguments = ("suite.json", "--agent", "catching:keeps", *MINE, "--concurrency", "1", "--grace", "0.5", *limit)
    path = os.pathsep.join(filter(None, (str(catching), os.environ.get("PYTHONPATH"))))
    process = start(catching, *arguments, PYTHONPATH=path)
    until(catching / "hanging-c1")
    for number in signals:
        process.send_signal(number)
        time.sleep(0.3)
    ended, _, errors = end(process)
    assert ended == code, errors
    assert "--resume continues the run" in errors
    assert states(load(catching)) == {"passed": 1, "not_run": 2}
    (catching / "once").touch()
    again = command("run", *arguments, "--resume", "latest", cwd=catching, PYTHONPATH=str(catching))
    assert again.returncode == 0, again.stderr
    assert states(load(catching)) == {"passed": 3}


class Hostile:
    """An object none of whose methods works."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("no such thing")

    def __iter__(self) -> Any:
        raise RuntimeError("nothing to go through")

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class HostileError(Exception):
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("no such thing")


class HostileDict(dict[str, Any]):
    def get(self, *_: Any) -> Any:
        raise RuntimeError("nothing to get")

    def keys(self) -> Any:
        raise RuntimeError("no keys")

    def __iter__(self) -> Any:
        raise RuntimeError("nothing to go through")


def twice() -> list[Any]:
    found: list[Any] = []
    found += [found, found]
    return found


def without_end() -> Any:
    while True:
        yield {"role": "assistant", "content": "31"}


def raising(error: BaseException) -> Any:
    raise error


ODD: dict[str, Callable[[], Any]] = {
    "a hostile object": Hostile,
    "a list of them": lambda: [Hostile(), Hostile()],
    "messages of them": lambda: [{"role": "assistant", "content": Hostile()}],
    "a hostile object of JSON": lambda: HostileDict(output="31"),
    "messages without end": without_end,
    "numbers without end": lambda: range(10**12),
    "a list that holds itself twice": twice,
    "events that are none": lambda: Trajectory(output="31", events=7),  # type: ignore[arg-type]
    "numbers for events": lambda: Trajectory(output="31", events=(1, 2)),  # type: ignore[arg-type]
    "a number for an answer": lambda: Trajectory(output=31),  # type: ignore[arg-type]
    "no calls": lambda: Trajectory(output="31", calls=None),  # type: ignore[arg-type]
    "numbers for calls": lambda: Trajectory(output="31", calls=(1, 2)),  # type: ignore[arg-type]
    "a call of no tool": lambda: Trajectory(output="31", calls=(Call(5, {}),)),  # type: ignore[arg-type]
    "a state that is none": lambda: Trajectory(output="31", state="passed"),  # type: ignore[arg-type]
    "a hostile exception": lambda: raising(HostileError()),
    "an exception without end": lambda: raising(ValueError("x" * 20_000_000)),
    "several that end everything": lambda: raising(BaseExceptionGroup("all", [SystemExit(3), KeyboardInterrupt()])),
    "a lack of memory": lambda: raising(MemoryError()),
    "the end of a generator": lambda: raising(GeneratorExit()),
    "the end of an iteration": lambda: raising(StopIteration()),
    "a cancellation": lambda: raising(__import__("asyncio").CancelledError()),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    ("way", "asked_about"),
    [("async", False), ("in a thread", False), ("async", True)],
    ids=["async", "in a thread", "a model is asked about it"],
)
def test_whatever_an_agent_returns_or_raises_is_how_its_case_ended(odd: str, way: str, asked_about: bool) -> None:
    async def agent(case: Case, tools: Toolbox) -> Any:
        if case.id == "c1":
            return ODD[odd]()
        return (await tools.call("get_weather", {"city": "Hanoi"})).text

    def in_a_thread(case: Case, tools: Any) -> Any:
        if case.id == "c1":
            return ODD[odd]()
        return tools.call("get_weather", {"city": "Hanoi"}).text

    given = suite(3)
    if asked_about:
        from msgspec.structs import replace

        cases = [
            replace(one, expect=replace(one.expect, answer={"type": "number", "value": 31, "find": "model"}))
            for one in given.cases
        ]
        given = replace(given, cases=tuple(cases))
    run = toolgauge.run(
        given, agent if way == "async" else in_a_thread, model="local:lexical", store=False, limits=Limits(seconds=60)
    )
    assert counts(run) == {"passed": 2, "error": 1}
    (odd_one,) = [one for one in trajectories(run) if one.case == "c1"]
    assert 0 < len(odd_one.error or "") < 5_000
    assert all(len(json.dumps(event)) < 100_000 for event in odd_one.events)


def test_a_string_with_methods_of_its_own_is_a_string() -> None:
    class Text(str):
        __slots__ = ()

        def __eq__(self, _: object) -> bool:
            raise RuntimeError("nothing is equal")

        def __hash__(self) -> int:
            raise RuntimeError("no hash")

        def encode(self, *_: Any) -> bytes:
            raise RuntimeError("no bytes")

        def strip(self, *_: Any) -> str:
            raise RuntimeError("nothing to strip")

    async def agent(case: Case, tools: Toolbox) -> str:
        return Text((await tools.call("get_weather", {"city": "Hanoi"})).text)

    assert counts(toolgauge.run(suite(2), agent, store=False)) == {"passed": 2}


@pytest.mark.parametrize("way", ["told", "returned"])
def test_no_agent_judges_itself(way: str) -> None:
    """Opinions are those of the models that the run asks."""
    opinion: dict[str, Any] = {"kind": "judge", "model": "me", "score": 1.0}

    async def agent(case: Case, tools: Toolbox) -> Any:
        if way == "returned":
            pointer: dict[str, Any] = {"kind": "answer_pointer", "quote": "31"}
            return Trajectory(output="31", events=(opinion, pointer, {"kind": "note"}))
        tools.tell("judge", model="me", score=1.0)
        tools.tell("answer_pointer", quote="31")
        tools.tell("note")
        return "31"

    run = toolgauge.run(suite(2), agent, store=False)
    assert [[event["kind"] for event in one.events] for one in trajectories(run)] == [["note"], ["note"]]
    assert [row.metrics["judge"].value for row in run.summary.rows if "judge" in row.metrics] in ([], [None])


def test_a_copy_that_an_agent_makes_of_the_process_does_nothing_twice(tmp_path: Path) -> None:
    done = tmp_path / "done.txt"

    async def agent(case: Case, tools: Toolbox) -> str:
        os.fork()
        text = (await tools.call("get_weather", {"city": "Hanoi"})).text
        with done.open("a", encoding="ascii") as file:
            file.write(f"{case.id} {os.getpid()}\n")
        return text

    run = toolgauge.run(suite(2), agent, store=tmp_path / "runs.db", concurrency=1)
    assert counts(run) == {"passed": 2}
    assert counts(toolgauge.api.load_run("latest", store=tmp_path / "runs.db")) == {"passed": 2}


IN_PROCESS = """
import sys, threading, time
from toolgauge.cli import main

sys.argv = ["toolgauge", "run", "weather", "--agent", "react", "--model", "local:lexical", "--limit", "1"]
for _ in range(2):
    try:
        main()
    except SystemExit as ended:
        print("ended with", ended.code)
time.sleep(7)
print("still here")
"""


def test_a_program_that_calls_the_command_line_goes_on_behind_it(tmp_path: Path) -> None:
    """What code under test left behind is ended with the program, and no earlier."""
    done = subprocess.run(
        [sys.executable, "-c", IN_PROCESS], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("ended with 0") == 2  # what is printed beside results goes there
    assert done.stderr.endswith("still here\n")
