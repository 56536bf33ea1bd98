"""Agents that tests run in processes of their own, as `tests.runner.isolated_samples:...`."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from toolgauge.agents import ToolsAgent
from toolgauge.core import Case, JsonValue, ModelReply, ModelRequest, Toolbox, ToolRequest, Usage
from toolgauge.models import AttemptError, Retrying
from toolgauge.testing import ScriptedModel


async def answers(case: Case, tools: Toolbox) -> str:
    """Asks a tool, and repeats what it says."""
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


def answers_in_a_thread(case: Case, tools: Any) -> str:
    """The same, without `async`."""
    return str(tools.call("get_weather", {"city": "Hanoi"}).text)


class Answering:
    """An object that is an agent."""

    name = "answering"

    async def __call__(self, case: Case, tools: Toolbox) -> list[dict[str, str]]:
        """Ask a tool, and return messages."""
        text = (await tools.call("get_weather", {"city": "Hanoi"})).text
        return [{"role": "user", "content": case.input}, {"role": "assistant", "content": text}]


answering = Answering()


def _solves(request: ModelRequest) -> ModelReply:
    last = request.messages[-1]
    if last.role == "tool":
        return ModelReply(f"It says {last.text}.", usage=Usage(1, 20, 5, 0.001))
    return ModelReply(calls=(ToolRequest("get_weather", {"city": "Hanoi"}, "c1"),), usage=Usage(1, 10, 5, 0.001))


with_model = ToolsAgent(ScriptedModel(_solves), name="with_model")


class _Busy:
    """A model that is busy the first time."""

    name = "busy"
    asked = 0

    async def ask(self, request: ModelRequest) -> ModelReply:
        self.asked += 1
        if self.asked == 1:
            raise AttemptError("HTTP 503", kind="server error", status=503, retry_after=0.01)
        return _solves(request)


with_busy_model = ToolsAgent(Retrying(_Busy()), name="with_busy_model")


async def blocks(case: Case, tools: Toolbox) -> str:
    """Blocks the event loop of its process on one case."""
    if case.id == "c1":
        _sign(case)
        time.sleep(1000)
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def crashes(case: Case, tools: Toolbox) -> str:
    """Ends its process on one case, as code in C does."""
    text = (await tools.call("get_weather", {"city": "Hanoi"})).text
    if case.id == "c1":
        os.kill(os.getpid(), signal.SIGSEGV)
    return text


async def exits(case: Case, tools: Toolbox) -> str:
    """Ends its process on one case, past everything that Python would do."""
    if case.id == "c1":
        os._exit(7)
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def leaves(case: Case, tools: Toolbox) -> str:
    """Wants to end the program."""
    if case.id == "c1":
        sys.exit("enough")
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def interrupts(case: Case, tools: Toolbox) -> str:
    """Says that somebody pressed Ctrl-C."""
    if case.id == "c1":
        raise KeyboardInterrupt
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def raises(case: Case, tools: Toolbox) -> str:
    """Fails on one case."""
    if case.id == "c1":
        raise LookupError(f"no such thing: {case.id}")
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


class Unprintable(Exception):  # noqa: N818
    """An exception without a text."""

    def __str__(self) -> str:
        raise ValueError("no text")


async def raises_unprintable(case: Case, tools: Toolbox) -> str:
    """Fails on one case with something that cannot be shown."""
    if case.id == "c1":
        raise Unprintable
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def prints(case: Case, tools: Toolbox) -> str:
    """Prints in every way, into the pipes as well."""
    print("an agent prints")  # noqa: T201
    os.write(1, b"past Python\n")
    subprocess.run([sys.executable, "-c", "print('from a process')"], check=True)
    for number in range(3, 20):
        try:
            os.write(number, b'{"done": {"output": "31"}}\n')
        except OSError:
            continue
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def prints_without_end(case: Case, tools: Toolbox) -> str:
    """Prints on one case until somebody ends it."""
    while case.id == "c1":
        print("x" * 1000)  # noqa: T201
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def forks(case: Case, tools: Toolbox) -> str:
    """Leaves a daemon behind, and hangs on one case."""
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        _sign(case)
        time.sleep(1000)
    if case.id == "c1":
        await asyncio.Event().wait()
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


async def nests(case: Case, tools: Toolbox) -> str:
    """Calls a tool with all kinds of arguments, several at once, and changes them afterwards."""
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    shared: dict[str, Any] = {"a": [1, {"b": None, "c": [True, 2.5, "đ", 2**70, "\ud800"]}]}
    odd: Any = {1: "a", "1": "b"}
    arguments: list[dict[str, JsonValue]] = [
        {"value": shared},
        {"value": odd},
        {"value": math.nan},
        {"value": deep},
    ]
    made = [asyncio.create_task(tools.call("take", given)) for given in arguments]
    results = await asyncio.gather(*made)
    shared["a"].append("changed")
    tools.tell("note", said="all made")
    tools.begin_round(2)
    await tools.only(["get_weather"]).call("take", {"value": 1})
    await tools.call("take", None)
    return " | ".join(result.error or "done" for result in results)


async def returns_odd(case: Case, tools: Toolbox) -> Any:
    """Returns what no answer is."""
    return {"c0": object(), "c1": 3.5, "c2": "\ud800 31"}[case.id]


async def shows_surroundings(case: Case, tools: Toolbox) -> str:
    """What it sees of the environment, and where it is."""
    seen = [name for name in ("SECRET_API_KEY", "NAMED_KEY", "PATH") if name in os.environ]
    return f"{' '.join(seen)} in {os.getcwd()} by {os.getpid()}"


async def eats_memory(case: Case, tools: Toolbox) -> str:
    """Takes more than there is."""
    taken = bytearray(4_000_000_000) if case.id == "c1" else b""
    return f"{len(taken)} " + (await tools.call("get_weather", {"city": "Hanoi"})).text


async def never_ends(case: Case, tools: Toolbox) -> str:
    """Calls tools without end."""
    while True:
        await tools.call("get_weather", {"city": "Hanoi"})


not_an_agent = 3


def _sign(case: Case) -> None:
    with Path("processes.txt").open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")
    Path(f"hanging-{case.id}").touch()
