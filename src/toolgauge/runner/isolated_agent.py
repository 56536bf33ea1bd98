"""Agents in Python that run in processes of their own, which may block, crash and print as they like.

The agent works there, and whatever it does through its box of tools is done here: calls, limits, mocks and the record
are those of any other agent. `runner/agent_worker.py` is the other end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from toolgauge.agents import AgentFailure
from toolgauge.core import Case, JsonValue, ModelReply, ModelRequest, Toolbox, Trajectory, own_task
from toolgauge.errors import ModelError, PluginError, UsageError
from toolgauge.tools import LARGEST_MESSAGE, ChildProcess, Isolation, SpoiledArguments

__all__ = ["IsolatedAgent", "ReadyAgent"]

WORKER = "toolgauge.runner.agent_worker"

START_SECONDS = 120.0
"""How long a process may take to import the agent."""

NO_REQUEST = ModelRequest(())
"""What a model is asked in another process stays there."""


@dataclass(slots=True, eq=False)
class IsolatedAgent:
    """An agent that other Python processes import, one for each trial in progress. Idle ones are used again."""

    target: str
    """Where the agent is, as `module:object`."""
    isolation: Isolation
    name: str = ""
    described: dict[str, JsonValue] = field(default_factory=dict)
    """What the agent is, as far as it can be told."""
    uses_toolbox: bool = False
    """Whether it does nothing that is not done through its box of tools."""
    _idle: list[ChildProcess] = field(default_factory=list)
    _started: set[ChildProcess] = field(default_factory=set)
    """All processes that may still be there."""

    async def open(self) -> None:
        """See whether there is such an agent, and what it is.

        Raises:
            UsageError: It is no agent.
            PluginError: It cannot be imported.
        """
        self._idle.append(await self._start())

    async def prepared(self) -> ReadyAgent:
        """The agent in a process that has nothing else to do.

        Raises:
            AgentFailure: There is none to be had.
        """
        while self._idle:
            process = self._idle.pop()
            if not process.ended:
                return ReadyAgent(self, process)
        try:
            return ReadyAgent(self, await self._start())
        except (OSError, PluginError, UsageError) as error:
            raise AgentFailure(f"no process could be started for the agent: {error}") from error

    async def __call__(self, case: Case, tools: Toolbox) -> Trajectory:
        """Work on a case."""
        return await (await self.prepared())(case, tools)

    async def close(self) -> None:
        """End all processes."""
        self._idle.clear()
        for process in list(self._started):
            await self.end(process)

    def put_back(self, process: ChildProcess) -> None:
        """Take a process back that may work on another case."""
        self._idle.append(process)

    async def end(self, process: ChildProcess) -> None:
        """End a process with all that it started."""
        await process.end()
        self._started.discard(process)

    async def _start(self) -> ChildProcess:
        process = await ChildProcess.start(WORKER, self.target, self.isolation)
        self._started.add(process)
        try:
            said = await asyncio.wait_for(process.receive(), START_SECONDS)
        except TimeoutError as error:
            await self.end(process)
            raise PluginError(f"{self.target!r} was not imported after {START_SECONDS:g} s") from error
        except BaseException:
            await self.end(process)
            raise
        if said is None:
            await process.wait()
            self._started.discard(process)
            raise PluginError(f"{self.target!r} cannot be imported: its process {process.ending}")
        if "refused" in said:
            await self.end(process)
            kind = UsageError if said.get("usage") else PluginError
            raise kind(str(said["refused"]))
        self.name = str(said["name"])
        self.described = cast(dict[str, JsonValue], said["described"])
        self.uses_toolbox = bool(said["uses_toolbox"])
        return process


@dataclass(frozen=True, slots=True)
class ReadyAgent:
    """An agent in a process that waits for a case."""

    agent: IsolatedAgent
    process: ChildProcess

    async def __call__(self, case: Case, tools: Toolbox) -> Trajectory:
        """Work on a case. The process ends with all that it started, unless the agent came to its end.

        Raises:
            AgentFailure: The process ended, or said too much.
        """
        try:
            done = await _Conversation(self.process, tools).run(case)
        except BaseException:
            await self.agent.end(self.process)
            raise
        self.agent.put_back(self.process)
        return done


class _Conversation:
    """What is said about one case."""

    def __init__(self, process: ChildProcess, tools: Toolbox) -> None:
        self._process = process
        self._tools = tools
        self._works: set[asyncio.Task[Any]] = set()
        self._asked: dict[int, asyncio.Future[Mapping[str, JsonValue]]] = {}
        """Models that are asked there, by the number of the request."""

    async def run(self, case: Case) -> Trajectory:
        begin = {"case": case, "definitions": self._tools.definitions}
        try:
            await self._process.send({"begin": msgspec.to_builtins(begin, enc_hook=str)})
            while (said := await self._hear()) is not None:
                if "done" in said:
                    return msgspec.convert(said["done"], Trajectory)
                self._act(said)
        except (BrokenPipeError, ConnectionResetError):
            said = None
        finally:
            for work in self._works:
                work.cancel()
        await self._process.wait()
        raise AgentFailure(f"the process of the agent {self._process.ending}")

    async def _hear(self) -> dict[str, JsonValue] | None:
        """What the process says next, while calls are made; whatever one of them raises is raised here."""
        hearing = own_task(self._process.receive())
        try:
            while not hearing.done():
                done, _ = await asyncio.wait({hearing, *self._works}, return_when=asyncio.FIRST_COMPLETED)
                for work in done - {hearing}:
                    self._works.discard(work)
                    work.result()
            return hearing.result()
        except ValueError as error:
            raise AgentFailure(f"the agent sent more than {LARGEST_MESSAGE:,} bytes at once") from error
        finally:
            hearing.cancel()

    def _act(self, said: Mapping[str, Any]) -> None:
        """Do what the agent wants done."""
        match said["kind"]:
            case "call":
                self._work(self._call(said))
            case "ask":
                self._work(self._ask(said["number"]))
            case "asked":
                if (waiting := self._asked.pop(said["number"], None)) is not None and not waiting.done():
                    waiting.set_result(said)
            case "tell":
                self._tools.tell(said["event"], **said["what"])
            case "round":
                self._tools.begin_round(said["number"])

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        self._works.add(own_task(work))

    async def _call(self, said: Mapping[str, Any]) -> None:
        tools = self._tools if said["only"] is None else self._tools.only(said["only"])
        args = SpoiledArguments(said["args"], said["fault"]) if said["fault"] else said["args"]
        result = await tools.call(said["tool"], args, id=said["id"])
        await self._process.send({"number": said["number"], "result": msgspec.to_builtins(result, enc_hook=str)})

    async def _ask(self, number: int) -> None:
        """Let the agent ask a model of its own, if the limits of the case allow another turn."""
        try:
            await self._tools.ask(_ModelElsewhere(self, number), NO_REQUEST)
        except ModelError as error:
            if error.fatal:
                raise  # no other trial could do better

    async def ask_elsewhere(self, number: int) -> ModelReply:
        """The reply that a model gives in the other process.

        Raises:
            ModelError: It gives none.
        """
        waiting = self._asked[number] = asyncio.get_running_loop().create_future()
        await self._process.send({"number": number, "result": None})
        told = await waiting
        if (error := cast(dict[str, Any] | None, told["error"])) is not None:
            raise ModelError(error["words"], kind=error["kind"], status=error["status"], fatal=error["fatal"])
        return msgspec.convert(told["reply"], ModelReply)


@dataclass(frozen=True, slots=True)
class _ModelElsewhere:
    """A model of the agent's own, which is asked where the agent is."""

    conversation: _Conversation
    number: int
    name: str = "elsewhere"

    async def ask(self, _: ModelRequest) -> ModelReply:
        return await self.conversation.ask_elsewhere(self.number)
