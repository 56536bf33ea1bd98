"""Agents and tools that commands in tests name as `tests.runner.sample_agents:...`."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.runner.weather import solves
from toolgauge.agents import ToolsAgent
from toolgauge.core import Case, ModelReply, ModelRequest, Toolbox
from toolgauge.testing import ScriptedModel
from toolgauge.tools import from_function_in_process


async def _slowly(request: ModelRequest) -> ModelReply:
    await asyncio.sleep(float(os.environ.get("TURN_SECONDS", "0.02")))
    return solves(request)


scripted = ToolsAgent(ScriptedModel(_slowly), name="scripted")


async def writes_files(case: Case, tools: Toolbox) -> str:
    """Leaves a line for every time that it works on a case."""
    with Path("executed.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{case.id}\n")
    await asyncio.sleep(float(os.environ.get("TURN_SECONDS", "0.02")))
    result = await tools.call("get_weather", {"city": "Hanoi"})
    return f"It says {result.text}."


async def signs_files(case: Case, tools: Toolbox) -> str:
    """Leaves a line for every time that it works on a case, with the number of its process."""
    with Path("executed.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{case.id} {os.getpid()}\n")
    await asyncio.sleep(float(os.environ.get("TURN_SECONDS", "0.02")))
    result = await tools.call("get_weather", {"city": "Hanoi"})
    return f"It says {result.text}."


async def outlasts(case: Case, tools: Toolbox) -> str:
    """Finishes one case once the file `away` is there; on others it then leaves a line a turn, until `back` is."""
    result = await tools.call("get_weather", {"city": "Hanoi"})
    Path(f"working-{case.id}").touch()
    while not Path("away").exists():
        await asyncio.sleep(0.01)
    while case.id != "c0" and not Path("back").exists():
        with Path("turns.txt").open("a", encoding="utf-8") as stream:
            stream.write(f"{case.id}\n")
        await asyncio.sleep(0.05)
    return f"It says {result.text}."


async def hangs(case: Case, tools: Toolbox) -> str:
    """Works on one case and hangs on the others, until it is cancelled."""
    if case.id != "c0":
        Path(f"hanging-{case.id}").touch()
        await asyncio.Event().wait()
    result = await tools.call("get_weather", {"city": "Hanoi"})
    return f"It says {result.text}."


async def refuses_to_end(case: Case, tools: Toolbox) -> str:
    """Does not stop when it is told to."""
    Path(f"hanging-{case.id}").touch()
    while True:
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError:
            continue


async def starts_processes(case: Case, tools: Toolbox) -> str:
    """Calls a tool that starts a process, and then hangs."""
    await tools.call("start_process", {})
    Path(f"hanging-{case.id}").touch()
    await asyncio.Event().wait()
    return ""


def start_process() -> int:
    """Start a process that would live on."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path("child.txt").write_text(str(child.pid), encoding="utf-8")
    return child.pid


async def leaks(case: Case, tools: Toolbox) -> str:
    """Puts a key of the environment wherever it can."""
    key = os.environ["SECRET_API_KEY"]
    tools.tell("note", said=key)
    await tools.call("get_weather", {"city": key})
    await tools.call("raises", {"text": key})
    if case.id == "c1":
        raise RuntimeError(f"cannot log in with {key}")
    return f"The key is {key}."


async def leaks_and_hangs(case: Case, tools: Toolbox) -> str:
    """Puts a key of the environment into calls, the last of which never ends."""
    key = os.environ["SECRET_API_KEY"]
    await tools.call("raises", {"text": key})
    await tools.call("get_weather", {"city": key})
    Path(f"hanging-{case.id}").touch()
    await asyncio.Event().wait()
    return ""


async def logs_in(case: Case, tools: Toolbox) -> str:
    """Uses a key of the environment as it is meant to be used."""
    assert case.input.endswith(os.environ["SECRET_API_KEY"])
    return (await tools.call("log_in", {"key": os.environ["SECRET_API_KEY"]})).text


def raises(text: str) -> str:
    """Fail with what was given."""
    raise ValueError(text)


def get_weather(city: str) -> dict[str, int]:
    """The weather of a city."""
    return {"celsius": 31 if city == "Hanoi" else 25}


def append_line(line: str) -> str:
    """A side effect that cannot be undone."""
    with Path("effects.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")
    return "done"


async def has_effects(case: Case, tools: Toolbox) -> str:
    """Has a side effect, and on the first try dies right after it."""
    await tools.call("append_line", {"line": case.id})
    if case.id == "c1" and not Path("died").exists():
        Path("died").touch()
        os.kill(os.getpid(), 9)
    return "31"


def blocks(case: Case, tools: Toolbox) -> str:
    """Blocks its thread for long."""
    time.sleep(30)
    return ""


async def blocks_the_loop(case: Case, tools: Toolbox) -> str:
    """Blocks the event loop for long on one case, as agents do that call a library without `await`."""
    if case.id == "c1":
        Path("hanging-c1").touch()
        time.sleep(600)
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def spins_in_the_loop(case: Case, tools: Toolbox) -> str:
    """Keeps the event loop busy on one case, and lets nothing stop it that it can catch as an `Exception`."""
    Path(f"hanging-{case.id}").touch()
    while case.id == "c1":
        try:
            sum(range(1_000))
        except Exception:  # noqa: BLE001, S112 - as careless code does
            continue
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def in_a_task_of_its_own(case: Case, tools: Toolbox) -> str:
    """Blocks the event loop in a task that the agent starts."""
    return await asyncio.create_task(blocks_the_loop(case, tools))


async def waits_for_a_server(case: Case, tools: Toolbox) -> str:
    """Blocks the event loop in a library: somebody is connected, and never says a word."""
    if case.id == "c1":
        Path("hanging-c1").touch()
        here, there = socket.socketpair()
        with here, there:
            here.makefile("rb").readline()
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


effects = [append_line]
leaky = [get_weather, raises]


async def small_model(case: Case, tools: Toolbox) -> str:
    """The plain loop, with a real but small model at an address of the environment, which may say only a little."""
    from toolgauge.models import open_model

    model = open_model("openai:small", base_url=os.environ["SMALL_MODEL_URL"])
    return await ToolsAgent(model, max_tokens=8, temperature=0.0)(case, tools)


def slow_weather(city: str) -> dict[str, int]:
    """The weather of a city, which takes a while; says when it begins."""
    Path("begun.txt").touch()
    time.sleep(1.5)
    return {"celsius": 31 if city == "Hanoi" else 25}


isolated = [from_function_in_process(slow_weather, name="get_weather")]


async def answers(case: Case, tools: Toolbox) -> str:
    """Asks a single tool, and repeats what it says."""
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def raises_always(case: Case, tools: Toolbox) -> str:
    """Fails on every case."""
    raise ValueError("this agent always raises")


async def raises_at_first(case: Case, tools: Toolbox) -> str:
    """Fails on the first case, and answers the others."""
    if case.id == "c0":
        raise ValueError("this agent raises at first")
    return (await tools.call("get_weather", {"city": "Hanoi"})).text
